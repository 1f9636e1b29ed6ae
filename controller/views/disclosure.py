"""Which part of a fact each audience may see, and when: the one projection before every output.

The pit sees everything. The dealer sees what to do. The public board sees no card before its hand is called
(13:69F-7.7(c)2 and 3), nothing from which a card could be told, and during a hold only that it must wait.
"""

from typing import Literal

from msgspec import structs

from controller import facts
from controller.cards import HANDS, Hand
from controller.observations import (
    BetsOpened,
    DeviceFault,
    DeviceStarted,
    HandCalled,
    LinkLost,
    LinkRestored,
    Observation,
    ResultConfirmed,
    ShuffleFinished,
    ShufflerState,
    ShuffleStarted,
)
from controller.orders import ORDER_FIELDS
from controller.rules.terms import Dealing

Audience = Literal["board", "dealer", "pit"]
AUDIENCES: tuple[Audience, ...] = ("board", "dealer", "pit")
#: What is journalled in order and may concern an audience.
Item = Observation | facts.Fact
Slot = tuple[int, Hand, int]


class CardFaceDown(facts.Fact, frozen=True, tag="card_dealt"):
    """A `card_dealt` whose card is not to be seen yet; the same slot follows again when it is called."""

    round: int
    hand: Hand
    index: int
    card: None = None


class PleaseWait(facts.Fact, frozen=True):
    """The round is held, or no longer."""

    wait: bool


class DeviceState(facts.Fact, frozen=True):
    """`fault`: the one that was raised last and is still there."""

    device: str
    state: Literal["ok", "fault", "lost"]
    fault: str | None


#: What is said of a round's cards.
OF_THE_CARDS = (
    facts.CardDealt,
    facts.CardRemoved,
    facts.DrawCalled,
    facts.RoundDecided,
    facts.RoundConfirmed,
)
SETTLEMENT = (facts.WagerSettled, facts.VigorishOwed)
#: What tells, by coming in a round or after it, whether the round is decided, or how.
FOLLOWING = (*SETTLEMENT, facts.ShoeEnding, facts.LastRoundCalled, facts.ShoeEnded)

#: The public board has no part in these.
NOT_PUBLIC = (
    facts.CardBurned,
    facts.HandAssigned,
    facts.IrregularityRaised,
    facts.IrregularityResolved,
    facts.OrderRefused,
    facts.WagerRefused,
    *SETTLEMENT,
    DeviceState,
)

#: Irregularities that any hands may have: the dealer may read their code while cards lie face down.
CARDLESS = frozenset(
    {
        "burn-mismatch",
        "button-misuse",
        "cut-card-misplaced",
        "cut-card-missing",
        "cut-card-repeated",
        "device-restarted",
        "draw-timeout",
        "early-card",
        "jam",
        "late-wager",
        "link-lost",
        "lost-frames",
        "not-burned",
        "order-disclosed",
        "past-last-round",
        "reverse-movement",
        "shoe-opened",
        "shuffler-fault",
        "supervisor-called",
        "unverified-pack",
    }
)
INSTRUCTIONS: dict[facts.Severity, str] = {
    "stop": "Stop. Leave every card where it lies and wait for the supervisor.",
    "block": "Finish the round. Open no new one until the supervisor has decided.",
    "warn": "Play on. The pit has been told.",
}
#: The orders that a dealer may give, and so be refused.
DEALERS_ORDERS = frozenset(("new_shoe", "end_shoe"))


class Disclosure:
    """Folds the journalled items of one table, from a moment without a round, for one audience.

    What may not be shown yet is kept in order, and shown by the item that makes it public.
    """

    def __init__(self, audience: Audience, dealing: Dealing) -> None:
        self.audience = audience
        self.dealing = dealing if audience != "pit" else "face-up"
        self._withheld: list[facts.Fact] = []
        #: slots of the present round and of the one before -> may be seen
        self._slots: dict[Slot, bool] = {}
        self._backs: set[Slot] = set()  # shown lying face down
        self._called: set[tuple[int, Hand]] = set()
        self._void: set[int] = set()
        self._present = 0  # the number of the round that is being dealt
        self._stops: set[int] = set()
        self._cause: Observation | None = None
        self._first_burn = True
        self._devices = Devices()

    @property
    def complete(self) -> bool:
        """Everything so far has been shown or never will be, so that journal numbers may be told as well.

        While cards lie face down even the number of records tells whether more was concluded.
        """
        return not self._withheld and all(self._slots.values())

    def see(self, item: Item) -> list[facts.Fact]:
        """What the audience may see now that `item` is durable, in the order in which it is to be told."""
        said: list[facts.Fact]
        if isinstance(item, Observation):
            self._cause = item
            said = [*self._devices.see(item)]
            if isinstance(item, HandCalled) and not self._stops:
                said += self._call(item.hand)
        else:
            said = self._conclude(item)
        said += self._release()
        return [shown for fact in said if (shown := self._say(fact)) is not None]

    def _conclude(self, fact: facts.Fact) -> list[facts.Fact]:
        """Take a fact in; what is said at once."""
        waited = bool(self._stops)
        match fact:
            case facts.CardDealt() if (slot := (fact.round, fact.hand, fact.index)) not in self._slots:
                self._slots[slot] = self.dealing == "face-up"
                self._present = fact.round
            case facts.RoundDecided() if {(fact.round, hand) for hand in HANDS} <= self._called:
                self._open(fact.round)
            case facts.RoundConfirmed() if isinstance(self._cause, ResultConfirmed | BetsOpened):
                self._open(fact.round)
            case facts.RoundOpened():
                self._finish()
                self._present = fact.round
            case facts.ShoeStarted():
                self._finish()
                self._slots, self._called, self._void = {}, set(), set()
            case facts.RoundVoided():
                self._void.add(fact.round)
                self._withheld = [f for f in self._withheld if not isinstance(f, SETTLEMENT)]
            case facts.RoundReinstated():
                self._void.discard(fact.round)
            case facts.IrregularityRaised(severity="stop"):
                self._stops.add(fact.id)
            case facts.IrregularityResolved():
                self._stops.discard(fact.id)
        self._withheld.append(fact)
        wait = bool(self._stops)
        return [] if wait == waited else [PleaseWait(wait=wait)]

    def _call(self, hand: Hand) -> list[facts.Fact]:
        """The dealer called a hand: every card that it has now is turned up (7.7(d) to (g))."""
        number = self._present
        cards = [slot for slot in self._slots if slot[:2] == (number, hand)]
        if self.dealing == "face-up" or number in self._void:
            return []
        if not cards or (hand == "banker" and (number, "player") not in self._called):
            return [_too_early(hand)]
        if self.dealing == "player-down":
            # Banker's pair comes from under the shoe when Player's Hand is called (7.7(c)2).
            cards += [slot for slot in self._slots if slot in ((number, "banker", 1), (number, "banker", 2))]
        self._slots |= dict.fromkeys(cards, True)
        if (number, hand, 2) in cards:
            self._called.add((number, hand))
        return []

    def _open(self, number: int) -> None:
        """All cards of the round lie open."""
        self._slots |= {slot: True for slot in self._slots if slot[0] == number}

    def _finish(self) -> None:
        """The rounds before are over: their cards lie open, unless void, when they were never called."""
        self._withheld = [
            f for f in self._withheld if not (isinstance(f, OF_THE_CARDS) and f.round in self._void)
        ]
        # The last one may still be corrected, or taken up again.
        self._slots = {slot: True for slot in self._slots if slot[0] == self._present}
        self._called = {(self._present, hand) for hand in HANDS}

    def _release(self) -> list[facts.Fact]:
        """What has become public of that which was withheld."""
        if self.audience == "board" and self._stops:
            return []
        shown: list[facts.Fact] = []
        kept: list[facts.Fact] = []
        hidden = in_play = False  # a card before this fact lies face down; one of a round that is not void
        for fact in self._withheld:
            if isinstance(fact, facts.CardDealt):
                slot = (fact.round, fact.hand, fact.index)
                if self._slots.get(slot, True):
                    shown.append(fact)
                    continue
                # That there is a third card tells about the first two of both hands.
                if slot not in self._backs and (fact.index < 3 or not hidden):
                    self._backs.add(slot)
                    shown.append(CardFaceDown(round=fact.round, hand=fact.hand, index=fact.index))
                hidden = True
                in_play |= fact.round not in self._void
                kept.append(fact)
            elif (hidden and isinstance(fact, OF_THE_CARDS)) or (in_play and isinstance(fact, FOLLOWING)):
                kept.append(fact)
            else:
                shown.append(fact)
        self._withheld = kept
        return shown

    def _say(self, fact: facts.Fact) -> facts.Fact | None:
        """The fact in the words that the audience may read; None: nothing."""
        if self.audience == "pit":
            return fact
        if self.audience == "board":
            return None if isinstance(fact, NOT_PUBLIC) else fact
        hidden = not all(self._slots.values())
        match fact:
            case facts.ShoeStarted():
                self._first_burn = True
            case facts.CardBurned():
                # The first card of a shoe is exposed and tells how many are burned; the others are not.
                exposed, self._first_burn = self._first_burn, False
                return fact if exposed else facts.CardBurned(card=None)
            case facts.IrregularityRaised():
                code = "hold" if hidden and fact.code not in CARDLESS else fact.code
                detail = INSTRUCTIONS[fact.severity]
                return structs.replace(fact, code=code, detail=detail, citation=None, remedies=[], says="")
            case facts.IrregularityResolved():
                return structs.replace(fact, reason="")
            case facts.OrderRefused() if fact.order in ORDER_FIELDS and fact.order not in DEALERS_ORDERS:
                return None
            case DeviceState() if hidden:
                return structs.replace(fact, fault=None)
        return fact


def _too_early(hand: Hand) -> facts.OrderRefused:
    """What the dealer is told about a call without effect; the board never is."""
    reason = "call the Player's Hand first" if hand == "banker" else "there is no card to call"
    return facts.OrderRefused(order="hand_called", by="dealer", reason=reason)


#: What a shuffler reports when nothing is wrong: the first of these shows that it is there.
OF_A_SHUFFLER = (ShufflerState, ShuffleStarted, ShuffleFinished)


class Devices:
    """The devices' states, from what they and their links report: those that are `lost`, and each one's
    `faults` that are not cleared.
    """

    def __init__(self) -> None:
        self._heard: set[str] = set()
        self.lost: set[str] = set()
        self.faults: dict[str, list[str]] = {}

    def see(self, item: Observation) -> list[DeviceState]:
        """The new state of the device that the item is about; empty: it is about none."""
        device = item.device or "shoe"
        faults = self.faults.setdefault(device, [])
        match item:
            case LinkLost():
                self.lost.add(device)
            case LinkRestored():
                self.lost.discard(device)
            case DeviceStarted():
                faults.clear()
            case DeviceFault(active=True) if item.fault not in faults:
                faults.append(item.fault)
            case DeviceFault(active=False) if item.fault in faults:
                faults.remove(item.fault)
            case _ if not isinstance(item, OF_A_SHUFFLER) or device in self._heard | self.lost:
                return []
        self._heard.add(device)
        if device in self.lost:
            return [DeviceState(device=device, state="lost", fault=None)]
        return [
            DeviceState(device=device, state="fault", fault=faults[-1])
            if faults
            else DeviceState(device=device, state="ok", fault=None)
        ]
