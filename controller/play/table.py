"""The table: every event in, facts out. It owns the round, the shoe and the irregularities that hold them.

`Table.apply` is deterministic: no I/O, clock or randomness. Time arrives inside the event.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller import facts
from controller.cards import Hand
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStarted,
    LinkLost,
    Mode,
    ResultConfirmed,
    SequenceGap,
    ServiceStarted,
    ShoeLoaded,
    SupervisorCalled,
    TimerExpired,
    VigorishCollected,
    WagerPlaced,
    WagerRemoved,
    WagersPaid,
    role,
)
from controller.orders import Event, Order
from controller.play import remedies
from controller.play.irregularities import CODES, Drawn, Irregularity, offered, severity
from controller.play.layout import Layout
from controller.play.round import OPEN, Boundaries, Round
from controller.play.shoe import Shoe
from controller.rules.drawing import DrawTable
from controller.rules.ruleset import Ruleset
from controller.rules.terms import Dealing

#: A shoe's fault -> the code it raises. The first three stand for a card that left the shoe.
SHOE_FAULTS = {
    "unreadable": "unread-card",
    "foreign-card": "foreign-card",
    "overdraw": "overdraw",
    "button-misuse": "button-misuse",
    "reverse-exit": "reverse-movement",
    "reverse-midway": "reverse-movement",
    "draw-timeout": "draw-timeout",
    "shoe-opened": "shoe-opened",
    "jam": "jam",
    "order-disclosed": "order-disclosed",
}
_CARD_FAULTS = ("unreadable", "foreign-card", "overdraw")
#: Why the table waits for a clean boundary. After these two it lost sight of the shoe: what follows is no
#: new round's first card, so a round was missed.
_LOST_SIGHT = ("link-lost", "device-restarted")


@dataclass(frozen=True)
class House:
    """What a table plays by. `seats` None, `wagers` empty: the ruleset's own."""

    ruleset: Ruleset
    decks: int = 8
    boundaries: Boundaries = "announced"
    dealing: Dealing = "face-up"
    seats: int | None = None
    wagers: tuple[str, ...] = ()


class Table:
    """One table. `waiting`: why it waits for the next round's first card, or None."""

    ruleset: Ruleset
    decks: int
    boundaries: Boundaries
    dealing: Dealing
    seats: int
    wagers: tuple[str, ...]

    def __init__(self, house: House) -> None:
        self._play_by(house)
        self.is_open = True
        self.waiting: str | None = None
        self.carried: Drawn | None = None
        self.round = Round(self)
        self.shoe = Shoe(self)
        self.layout = Layout(self)
        self.open: dict[int, Irregularity] = {}
        self.hold: Irregularity | None = None
        #: surplus cards of a corrected round, still to be answered one by one
        self.surplus: list[Drawn] = []
        self._next_house: House | None = None
        self._last_id = 0
        self._facts: list[facts.Fact] = []
        self._fresh = True
        self._unread_in_burn: str | None = None

    def play_by(self, house: House) -> None:
        """Other rules from now on; a shoe that has begun is dealt to its end by those it began with."""
        self._next_house = house
        self._adopt_house()

    def _adopt_house(self) -> None:
        if self._next_house and self.shoe.phase in ("empty", "loaded", "ended") and self.round.phase in OPEN:
            self._play_by(self._next_house)
            self._next_house = None

    def _play_by(self, house: House) -> None:
        self.ruleset, self.decks, self.boundaries = house.ruleset, house.decks, house.boundaries
        self.dealing, self.seats = house.dealing, house.seats or house.ruleset.seats.max
        self.wagers = house.wagers or tuple(house.ruleset.wagers)

    def apply(self, event: Event) -> list[facts.Fact]:
        """What follows from one event, in order."""
        self._facts = []
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        self._fresh = False
        self.layout.follow(list(self._facts))
        return self._facts

    # -- what the machines ask and tell ----------------------------------------------------------------

    @property
    def draw(self) -> DrawTable:
        return self.ruleset.draw

    def blocked(self) -> bool:
        return not self.is_open or any(i.severity == "block" for i in self.open.values())

    def may_open(self) -> bool:
        return not self.blocked() and self.shoe.may_open()

    def in_round(self) -> bool:
        return self.round.dealing

    def round_open(self) -> bool:
        return self.round.phase in ("betting", "player_1")

    def next_number(self) -> int:
        return 1 if self.shoe.phase == "empty" else self.shoe.rounds + 1

    def moved(self, what: str) -> None:
        self.shoe.fire(what)

    def emit(self, fact: facts.Fact) -> None:
        self._facts.append(fact)

    def irregular(
        self,
        code: str,
        drawn: Drawn | None = None,
        *,
        level: facts.Severity | None = None,
        number: int | None = None,
        detail: str = "",
    ) -> None:
        """Raise `code`, unless a hold keeps everything as evidence, or the same block is open already."""
        if self.hold or (code == "past-last-round" and self._is_open(code)):
            return
        level = level or severity(code, self.round.dealing)
        if number is None and (self.round.phase not in OPEN or code == "result-mismatch"):
            number = self.round.coup.number
        self._last_id += 1
        item = Irregularity(self._last_id, code, level, number, drawn, self.round.due)
        self.open[item.id] = item
        self.emit(
            facts.IrregularityRaised(
                id=item.id,
                code=code,
                round=number,
                severity=level,
                detail=detail or self._detail(item),
                citation=CODES[code].citation,
                remedies=offered(code, level),
            )
        )
        if level == "stop":
            self.hold = item

    def _is_open(self, code: str) -> bool:
        return any(i.code == code for i in self.open.values())

    def _detail(self, item: Irregularity) -> str:
        drawn = item.drawn or Drawn(None)
        lies = self.round.lies(drawn)
        words = {
            "card": drawn.card or "a card",
            "slot": drawn.place,
            "due": item.due or "no hand",
            "lies": lies,
        }
        return CODES[item.code].says.format(**words)

    def resolve(self, item: Irregularity, order: Order) -> None:
        """The order answers the irregularity."""
        del self.open[item.id]
        if self.hold is item:
            self.hold = None
        self.emit(
            facts.IrregularityResolved(id=item.id, remedy=order.order, by=order.by, reason=order.reason)
        )

    # -- the shoe --------------------------------------------------------------------------------------

    def card_drawn(self, event: CardDrawn) -> None:
        drawn = Drawn(event.card, event.slot, event.index, event.mode)
        if drawn.slot == "burn_count" or self.round.is_repeat(drawn):
            return
        if not self._is_carried(drawn):
            drawn.impossible = self.shoe.see(drawn.card)
        if self.hold:
            self._keep_card(self.hold, drawn)
        else:
            self._place_card(drawn)
        self.shoe.check_count()

    def _is_carried(self, drawn: Drawn) -> bool:
        """The card that an order carried, announced again as the next round's first."""
        carried = self.carried
        first = carried is not None and drawn.slot == "player" and drawn.index == 1
        return first and carried is not None and drawn.card == carried.card and self.round.phase in OPEN

    def _place_card(self, drawn: Drawn) -> None:
        phase = self.round.phase
        if drawn.mode == "setting" and (phase in OPEN or phase == "betting"):
            return
        if self._is_burn(drawn):
            self._burn(drawn)
        elif not self._waits(drawn):
            self.round.fire("card", drawn=drawn)
            self._check_exhausted()

    def _check_exhausted(self) -> None:
        if self.shoe.cards_left == 0 and self.round.due and self.round.coup.dealt:
            self.irregular("shoe-exhausted")

    def _waits(self, drawn: Drawn) -> bool:
        """The table waits for a clean boundary, and this card is none."""
        if self.waiting is None or self.round.phase not in (*OPEN, "decided"):
            return False
        if self.waiting == "burn":
            self.irregular("early-card", drawn)
            return True
        if self.boundaries == "announced":
            return self.waiting not in _LOST_SIGHT and self.round.phase in OPEN
        if self.round.may_begin(drawn):
            self.waiting = None
            self.round.fire("closed")
            return False
        if self.waiting in _LOST_SIGHT:
            self.irregular(self.waiting, drawn)
        return True

    def _is_burn(self, drawn: Drawn) -> bool:
        """The card is of a new pack's burn, or burned between rounds where the shoe says so."""
        if drawn.mode or self.round.phase not in OPEN:
            return False
        if drawn.slot in ("first", "burn"):
            return self.boundaries != "announced" or self.shoe.rounds == 0
        if drawn.slot is not None or not self.shoe.burning or self.ruleset.burn.policy == "none":
            return False
        return self.boundaries == "announced" or (self.shoe.burn_due() or 0) > 0

    def _burn(self, drawn: Drawn) -> None:
        by_value = self.ruleset.burn.policy == "first-card"
        first = drawn.slot == "first" or (drawn.slot is None and by_value and not self.shoe.first_drawn)
        self.shoe.fire("burned", card=drawn.card, first=first)
        if drawn.card is None:
            self._unread_burn("card", "unread-card", drawn)
            if first and drawn.slot is None and self.boundaries == "first_card":
                # Nobody can tell any more which card ends the burn.
                self.waiting = "burn"
        elif drawn.impossible:
            self.irregular("impossible-card", drawn, level="warn")

    def _unread_burn(self, reported_as: str, code: str, drawn: Drawn) -> None:
        """A card of the burn without identity; its fault and its null report are one."""
        if self._unread_in_burn not in (None, reported_as):
            self._unread_in_burn = None
            return
        self._unread_in_burn = reported_as
        self.irregular(code, drawn, level="warn")

    def _keep_card(self, hold: Irregularity, drawn: Drawn) -> None:
        """A card during a hold: evidence, unless it is the very card that the irregularity is about."""
        card = hold.drawn
        if card is not None and card.awaited:
            self.shoe.forget(None)
            card.awaited, card.card, card.impossible = False, drawn.card, drawn.impossible
            return
        due = self.round.due
        same_slot = (
            due is not None and drawn.slot == due and drawn.index == len(self.round.coup.hands[due]) + 1
        )
        if card is not None and hold.code == "unread-card" and drawn.card and same_slot:
            self.shoe.forget(card.since)
            card.since = drawn.card
        else:
            hold.later.append(drawn)

    def card_carried(self, event: CardCarried) -> None:
        """The shoe's word for a card kept after an overdraw: the order decides, and means the same card."""
        if self.hold or self.carried or self.round.phase not in OPEN or self.round.coup.voided:
            return
        # Nobody ordered it here: kept at the shoe itself.
        self.shoe.see(event.card)
        self.carried = Drawn(event.card)

    def cut_card_drawn(self, _: CutCardDrawn) -> None:
        self.shoe.fire("cut")

    def device_result(self, event: DeviceResult) -> None:
        if self.hold:
            self.hold.claim = event
        else:
            self.round.fire("result", result=event)

    def device_fault(self, event: DeviceFault) -> None:
        if not event.active or self.hold:
            return
        if event.fault == "order-disclosed":
            self.irregular(event.fault)
        elif role(event) == "shuffler":
            self.irregular("shuffler-fault")
        elif role(event) == "shoe":
            self._shoe_fault(event.fault)

    def _shoe_fault(self, fault: str) -> None:
        code = SHOE_FAULTS.get(fault)
        if code is None:
            return
        if fault not in _CARD_FAULTS:
            self.irregular(code)
        elif self.shoe.burning and self.round.phase in OPEN and fault != "overdraw":
            self._unread_burn("fault", code, Drawn(None, fault=fault))
        else:
            # The card is out; what it is may be reported next. A shoe that calls it an overdraw has it in
            # error mode, outside the game.
            mode: Mode | None = "error" if fault == "overdraw" else None
            self.shoe.see(None)
            drawn = Drawn(None, mode=mode, fault=fault, awaited=True)
            self._place_card(drawn)
            if self.hold is None or self.hold.drawn is not drawn:
                self.shoe.forget(None)

    def device_started(self, event: DeviceStarted) -> None:
        if role(event) != "shoe":
            return
        if self.round.dealing:
            self.irregular("device-restarted")
        elif self.shoe.rounds_left is not None and not self.hold:
            self.load_shoe(None, None)
        elif not self.hold:
            self.waiting = "device-restarted"

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        if self.round.dealing:
            self.irregular("shoe-opened")
        elif not self.hold:
            self.load_shoe(event.decks, event.pack)

    def load_shoe(self, decks: int | None, pack: str | None) -> None:
        """A new pack is in the shoe; no round is being dealt."""
        self.finish_round()
        self.waiting = None
        self.carried = None
        self._unread_in_burn = None
        if self.shoe.phase not in ("empty", "ended"):
            self.shoe.fire("taken_out")
        self.round.fire("cleared")
        self._adopt_house()
        self.shoe.fire("loaded", decks=decks or self.decks, pack=pack)

    def finish_round(self) -> None:
        """Nothing more will come for the open round: its decision stands; without cards it is void."""
        if self.round.phase == "decided":
            self.round.fire("closed")
        elif self.round_open():
            self.round.fire("voided")

    def link_lost(self, event: LinkLost) -> None:
        if role(event) != "shoe" or self.hold:
            return
        if self.round.dealing:
            self.irregular("link-lost")
        else:
            self.waiting = "link-lost"

    def sequence_gap(self, event: SequenceGap) -> None:
        if role(event) == "shoe" and self.round.dealing:
            self.irregular("lost-frames")

    # -- dealer, clock, service ------------------------------------------------------------------------

    def announced(self, trigger: str) -> None:
        if self.hold:
            return
        if self.boundaries == "announced" and trigger != "confirm":
            self.waiting = None
        self.round.fire(trigger)

    def supervisor_called(self, event: SupervisorCalled) -> None:
        self.irregular("supervisor-called")

    def timer_expired(self, event: TimerExpired) -> None:
        hand: Hand | None = self.round.due
        slot = (self.round.coup.number, hand, hand and len(self.round.coup.hands[hand]) + 1)
        if event.timer == "card-overdue" and (event.round, event.hand, event.index) == slot:
            self.irregular("card-overdue")

    def service_started(self, _: ServiceStarted) -> None:
        if self._fresh:
            # The first bytes may come from the middle of a round.
            self.waiting = "start"


def _announcement(trigger: str) -> Callable[[Table, Any], None]:
    return lambda table, _event: table.announced(trigger)


_HANDLERS: dict[type, Callable[[Table, Any], None]] = {
    CardDrawn: Table.card_drawn,
    CardCarried: Table.card_carried,
    CutCardDrawn: Table.cut_card_drawn,
    DeviceResult: Table.device_result,
    DeviceFault: Table.device_fault,
    DeviceStarted: Table.device_started,
    ShoeLoaded: Table.shoe_loaded,
    LinkLost: Table.link_lost,
    SequenceGap: Table.sequence_gap,
    BetsOpened: _announcement("bets_opened"),
    BetsClosed: _announcement("bets_closed"),
    ResultConfirmed: _announcement("confirm"),
    SupervisorCalled: Table.supervisor_called,
    TimerExpired: Table.timer_expired,
    ServiceStarted: Table.service_started,
    WagerPlaced: lambda table, event: table.layout.placed(event),
    WagerRemoved: lambda table, event: table.layout.removed(event),
    WagersPaid: lambda table, _event: table.layout.paid(),
    VigorishCollected: lambda table, event: table.layout.collected(event),
    Order: remedies.carry_out,
}
