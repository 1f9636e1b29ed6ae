"""How a simulated Angel Eye behaves: what it makes of what hands do to it. Knows the game, no bytes."""

from collections.abc import Callable
from enum import Enum

from pydantic import BaseModel, ConfigDict

from controller.cards import Card, Hand
from controller.observations import (
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    Index,
    LockChanged,
    Observation,
)
from controller.rules.drawing import POINTS, due
from controller.rules.outcome import judge
from drivers.shoes.acts import (
    CUT,
    Act,
    Blur,
    Clear,
    Fail,
    Item,
    Key,
    Load,
    Power,
    Prompted,
    Pull,
    Quit,
    Say,
)
from drivers.shoes.angel_eye.commands import COMMANDS
from drivers.shoes.errors import OVERDRAW

BOOT = 0.5  # seconds from power to the first report
RESULT_AFTER = 0.3  # seconds from the last card to the result
STANDBY_AFTER = 1.0  # seconds from the result to standby

#: Refusals of a command, as the codes of a NAK.
BAD_DATA, NOT_NOW, NO_SUCH_TYPE = 0x11, 0x13, 0x14

#: Type on the wire -> data -> command.
_ORDERS = {
    kind: {data: name for name, (its, data) in COMMANDS.items() if its == kind}
    for kind, _ in COMMANDS.values()
}


class Phase(Enum):
    OFF = "off"
    BOOTING = "switched on, silent"
    FIRST = "waiting for a new pack's first card"
    BURNING = "burning"
    PLAY = "between rounds or in one"
    DECIDED = "all cards are out, the result is not"
    SHOWN = "the result is out"


class Ways(BaseModel):
    """Where units differ. `remembers`: a hand outlasts a power cut. `tells_lock`: a lock by command is also
    reported. `deals_carried`: the card kept for a round is reported as its first as well.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    remembers: bool = False
    tells_lock: bool = True
    deals_carried: bool = False


class Unit:
    """`say(observation, number, at)` is called for each report; `number`: draw number of a burned card.

    A card that the rules do not call for is an overdraw: error mode until it is kept or discarded. A card
    pulled while locked or in error mode belongs to no game.
    """

    def __init__(
        self,
        say: Callable[[Observation, int, float], None],
        burns: bool = True,
        ways: Ways | None = None,
    ) -> None:
        self.wake: float | None = None
        self._say = say
        self._burns = burns
        self._ways = ways or Ways()
        self._phase = Phase.OFF
        self._before_off = Phase.PLAY
        self._fresh = False
        self.locked = False
        self._fault: DeviceFault | None = None
        self._burn_left = 0
        self._drawn = 0
        self._hands: dict[Hand, list[Card]] = {"player": [], "banker": []}
        self._extra: Card | None = None
        self._blurred = False
        self._prompted = False

    # -- hands --------------------------------------------------------------------------------------------

    def act(self, act: Act, item: Item, at: float) -> None:
        """What the shoe notices of an act; switched off, nothing but its switch."""
        match act:
            case Load():
                self._fresh = True
            case Prompted():
                self._prompted = True
            case Power(on=on):
                if self._phase not in (Phase.OFF, Phase.BOOTING):
                    self._before_off = self._phase
                self._phase = Phase.BOOTING if on else Phase.OFF
                self.wake = at + BOOT if on else None
            case _ if self._phase in (Phase.OFF, Phase.BOOTING):
                pass
            case Pull() if item == CUT:
                self._say(CutCardDrawn(), 0, at)
            case Pull() if item is not None and self._blurred:
                self._blurred = False
                self._fail("unreadable", False, at)
            case Pull() if item is not None:
                self._card(item, act, at)
            case Blur():
                self._blurred = True
            case Say(observation=DeviceResult() as claim):
                self._claim(claim, at)
            case Say(observation=observation):
                self._say(observation, 0, at)
            case Key(locked=locked):
                self._lock(locked, at)
            case Fail(fault=fault, error_mode=error_mode):
                self._fail(fault, error_mode, at)
            case Clear(keep=keep):
                self._clear(keep, at)
            case Quit() if any(self._hands.values()) and self._phase is Phase.PLAY:
                self._show(at)

    def tick(self, at: float) -> None:
        """The time of `wake` has come."""
        self.wake = None
        match self._phase:
            case Phase.BOOTING:
                self._start(at)
            case Phase.DECIDED:
                self._show(at)
            case Phase.SHOWN:
                self._stand_by(at)

    def _start(self, at: float) -> None:
        self._fault, self.locked = None, False
        if self._fresh or not self._ways.remembers:
            self._extra, self._drawn = None, 0
            self._before_off = Phase.FIRST if self._fresh and self._burns else Phase.PLAY
            self._new_hands()
        self._phase, self._fresh = self._before_off, False
        self._say(DeviceStarted(), 0, at)
        if self._phase in (Phase.DECIDED, Phase.SHOWN):
            self._soon(at)
        elif not any(self._hands.values()):
            self._say(DeviceStandby(), 0, at)

    def _card(self, card: Card, pull: Pull, at: float) -> None:
        if self._fault and self._fault.error_mode:
            self._say(CardDrawn(card=card, mode="error"), 0, at)
        elif self.locked:
            self._say(CardDrawn(card=card, mode="lock"), 0, at)
        elif self._phase is Phase.FIRST:
            self._phase, self._burn_left = Phase.BURNING, POINTS[card] or 10
            self._say(CardDrawn(card=card, slot="first"), 0, at)
        elif self._phase is Phase.BURNING:
            self._burn(card, at)
        elif pull.named and (pull.slot == "player" or pull.slot == "banker"):
            self._deal(card, pull.slot, at, pull.index)
        elif hand := self._due():
            self._deal(card, hand, at)
        else:
            self._extra = card
            self._fail(OVERDRAW, True, at)

    def _burn(self, card: Card, at: float) -> None:
        self._drawn += 1
        self._burn_left -= 1
        self._say(CardDrawn(card=card, slot="burn"), self._drawn, at)
        if not self._burn_left:
            self._phase = Phase.PLAY

    def _due(self) -> Hand | None:
        return due(self._hands["player"], self._hands["banker"]).hand

    def _deal(self, card: Card, hand: Hand, at: float, index: Index | None = None) -> None:
        place = len(self._hands[hand]) + 1
        if index is None or index >= place:
            self._hands[hand].append(card)
        self._say(CardDrawn(card=card, slot=hand, index=index or place), 0, at)
        if self._due() is None and self._phase is Phase.PLAY:
            self._phase = Phase.DECIDED
            self._soon(at)

    def _soon(self, at: float) -> None:
        """The result, or what follows it, is next."""
        self.wake = None if self._prompted and self._phase is Phase.DECIDED else at + RESULT_AFTER

    def _show(self, at: float) -> None:
        """The result; of a game that is broken off, that it was."""
        claim = DeviceResult(winner=None, player_pair=False, banker_pair=False, forced_quit=True)
        if self._due() is None:
            result = judge(self._hands["player"], self._hands["banker"])
            claim = DeviceResult(
                winner=result.winner,
                player_pair=result.player_pair,
                banker_pair=result.banker_pair,
                forced_quit=False,
            )
        self._claim(claim, at)

    def _claim(self, claim: DeviceResult, at: float) -> None:
        self._phase, self.wake = Phase.SHOWN, at + STANDBY_AFTER
        self._say(claim, 0, at)

    def _stand_by(self, at: float) -> None:
        self._phase = Phase.PLAY
        self._new_hands()
        self._say(DeviceStandby(), 0, at)
        if self._extra:
            self._hands["player"].append(self._extra)
            self._say(CardCarried(card=self._extra, slot="player", index=1), 0, at)
            if self._ways.deals_carried:
                self._say(CardDrawn(card=self._extra, slot="player", index=1), 0, at)
            self._extra = None

    def _new_hands(self) -> None:
        self._hands = {"player": [], "banker": []}

    # -- lock and errors ----------------------------------------------------------------------------------

    def _lock(self, locked: bool, at: float, told: bool = True) -> None:
        self.locked = locked
        if told:
            self._say(LockChanged(locked=locked), 0, at)

    def _fail(self, fault: str, error_mode: bool, at: float) -> None:
        self._fault = DeviceFault(fault=fault, active=True, error_mode=error_mode)
        self._say(self._fault, 0, at)
        if error_mode:
            self.wake = None

    def _clear(self, keep: bool, at: float) -> None:
        if self._fault is None:
            return
        if not keep:
            self._extra = None
        self._say(DeviceFault(fault=self._fault.fault, active=False), 0, at)
        self._fault = None
        if self._phase in (Phase.DECIDED, Phase.SHOWN):
            self._soon(at)

    # -- commands -----------------------------------------------------------------------------------------

    def refusal(self, kind: str, data: str) -> int | None:
        """Why the shoe refuses a command now, as the code of a NAK; None: it obeys."""
        if kind not in _ORDERS:
            return NO_SUCH_TYPE
        if data not in _ORDERS[kind]:
            return BAD_DATA
        overdrawn = self._fault is not None and self._fault.fault == OVERDRAW
        allowed = {
            "clear": self._fault is not None and not overdrawn,
            "keep": overdrawn,
            "discard": overdrawn,
        }
        in_error = self._fault is not None and self._fault.error_mode
        return None if allowed.get(_ORDERS[kind][data], not in_error) else NOT_NOW

    def obey(self, kind: str, data: str, at: float) -> None:
        """Carry out a command that was not refused."""
        match _ORDERS[kind][data]:
            case "lock" | "unlock" as order:
                self._lock(order == "lock", at, told=self._ways.tells_lock)
            case "clear" | "keep" | "discard" as order:
                self._clear(order == "keep", at)
