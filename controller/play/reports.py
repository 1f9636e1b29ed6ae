"""What devices, the dealer and the clock report, and what each report does to the table.

During a hold a report raises nothing: it is kept as evidence, and the card still counts as seen. What is not
about the held cards, such as a shuffler's fault, is raised when the hold is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.cards import HANDS, Card
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    FrameRejected,
    HandCalled,
    LinkLost,
    LinkRestored,
    Mode,
    Observation,
    ResultConfirmed,
    SequenceGap,
    ServiceStarted,
    ShoeLoaded,
    ShuffleFinished,
    ShuffleStarted,
    SupervisorCalled,
    TimerExpired,
    VigorishCollected,
    WagerPlaced,
    WagerRemoved,
    WagersPaid,
    role,
)
from controller.orders import Order
from controller.play import remedies
from controller.play.hearing import (
    LOST_SIGHT,
    check_standby,
    device_standby,
    frame_rejected,
    link_lost,
    link_restored,
    may_have_missed,
    sequence_gap,
    service_started,
    unheard,
    waits,
)
from controller.play.irregularities import Drawn, Irregularity
from controller.play.round import OPEN
from controller.play.state import TableState

#: A shoe's fault -> the code it raises.
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
}
#: The faults that stand for a card which left the shoe.
CARD_FAULTS = ("unreadable", "foreign-card", "overdraw")


# -- cards ------------------------------------------------------------------------------------------------


def _card_drawn(table: TableState, event: CardDrawn) -> None:
    drawn = Drawn(event.card, event.slot, event.index, event.mode)
    if drawn.slot == "burn_count" or table.round.is_repeat(drawn) or _is_kept(table, drawn):
        return
    if drawn.slot in HANDS:
        check_standby(table, drawn)
    if _is_unknown_carried(table, drawn):
        _learn_carried(table, drawn.card)
    if _is_carried(table, drawn):
        # It opens the round where a card does; elsewhere it says nothing new.
        if not table.hold and table.boundaries != "announced" and table.may_open():
            _place(table, drawn)
        return
    table.shoe.fire("met")
    drawn.impossible = table.shoe.see(drawn.card)
    table.shoe.watch(drawn.card)
    if table.hold:
        _keep(table, table.hold, drawn)
    else:
        _place(table, drawn)


def _is_kept(table: TableState, drawn: Drawn) -> bool:
    """The same card for the same slot, once more during the hold: no other piece of cardboard."""
    kept = [table.hold.drawn, *table.hold.later] if table.hold else []
    named = drawn.slot in HANDS and drawn.card is not None
    slot = (drawn.slot, drawn.index, drawn.card)
    return named and any(one is not None and (one.slot, one.index, one.card) == slot for one in kept)


def _is_unknown_carried(table: TableState, drawn: Drawn) -> bool:
    """The next round's first card, where one is carried that the shoe has not named yet."""
    unknown = table.carried is not None and table.carried.card is None
    first = (drawn.slot, drawn.index) == ("player", 1) and table.round.phase in (*OPEN, "betting")
    return unknown and first and drawn.card is not None


def _learn_carried(table: TableState, card: Card | None) -> None:
    """The carried card has a name; it was counted unread."""
    table.shoe.forget(None)
    impossible = table.shoe.see(card)
    table.carried = Drawn(card)
    if impossible:
        table.irregular("impossible-card", table.carried, level="warn")


def _is_carried(table: TableState, drawn: Drawn) -> bool:
    """The card that an order carried, announced again as the next round's first: the same cardboard."""
    if table.carried is None or drawn.mode or drawn.card != table.carried.card:
        return False
    between = table.round.phase in (*OPEN, "betting") or table.round.opens_next(drawn)
    return between and (drawn.slot, drawn.index) == ("player", 1)


def _place(table: TableState, drawn: Drawn) -> None:
    if drawn.mode == "setting" and _between_rounds(table):
        return
    if _is_burn(table, drawn):
        _burn(table, drawn)
    elif not waits(table, drawn):
        table.round.fire("card", drawn=drawn)


def _between_rounds(table: TableState) -> bool:
    # Where only cards close a round, a decided one is over. While bets are open is not between rounds.
    return table.round.phase in OPEN or (table.boundaries == "first_card" and table.round.phase == "decided")


def _keep(table: TableState, hold: Irregularity, drawn: Drawn) -> None:
    """A card during a hold: evidence, unless it is the very card that the irregularity is about."""
    card = hold.drawn
    if card is not None and card.awaited and _is_awaited(table, card, drawn):
        table.shoe.forget(None)  # it was counted when the fault came
        card.awaited = False
        if card.fault == "unreadable" and drawn.card:
            card.since = drawn
        else:
            card.card, card.impossible = drawn.card, drawn.impossible
    elif card is not None and hold.code == "unread-card" and drawn.card and _in_due_slot(table, drawn):
        table.shoe.forget(card.read.card)
        card.since = drawn
    else:
        hold.later.append(drawn)


def _is_awaited(table: TableState, card: Drawn, drawn: Drawn) -> bool:
    """The report of the card whose fault came first."""
    if card.fault != "unreadable":
        return True
    anywhere = drawn.slot is None or table.round.due is None
    return (drawn.card is None and anywhere) or _in_due_slot(table, drawn)


def _in_due_slot(table: TableState, drawn: Drawn) -> bool:
    """It names the hand and the index that are due."""
    due = table.round.due
    return due is not None and (drawn.slot, drawn.index) == (due, len(table.round.coup.hands[due]) + 1)


def _card_carried(table: TableState, event: CardCarried) -> None:
    """The shoe's word for a card that it keeps for the next round: the order decides, and means the same."""
    hold, carried = table.hold, table.carried
    if hold:
        if hold.code in ("overdraw", "early-card") and hold.drawn and hold.drawn.card is None:
            table.shoe.forget(None)
            hold.drawn.impossible = table.shoe.see(event.card)
            hold.drawn.card, hold.drawn.awaited = event.card, False
    elif table.round.dealing and table.round.coup.carried == event.card:
        return
    elif carried is None:
        # Nobody ordered it: out of place, and in no hand.
        table.shoe.fire("met")
        impossible = table.shoe.see(event.card)
        _place(table, Drawn(event.card, mode="error", impossible=impossible))
    elif carried.card is None:
        _learn_carried(table, event.card)
    elif carried.card != event.card:
        what = f"the shoe keeps {event.card} for the next round, and {carried.card} is carried"
        table.irregular("card-conflict", Drawn(event.card), detail=what)


# -- the burn ---------------------------------------------------------------------------------------------


def _is_burn(table: TableState, drawn: Drawn) -> bool:
    """The card is of a new pack's burn, or burned between rounds where the shoe says so."""
    if drawn.mode or table.round.phase not in OPEN:
        return False
    if drawn.slot in ("first", "burn"):
        return table.boundaries != "announced" or table.shoe.rounds == 0
    if drawn.slot is not None or not table.shoe.burning or table.ruleset.burn.policy == "none":
        return False
    if table.boundaries == "announced" or _is_reported_twice(table, drawn):
        return True
    due = table.shoe.burn_due()
    # A card whose fault alone is known is taken for a burned one as long as it may be one.
    return drawn.fault is not None if due is None else due > 0


def _burn(table: TableState, drawn: Drawn) -> None:
    if _is_reported_twice(table, drawn):
        table.unread_in_burn = None
        table.shoe.forget(None)
        return
    by_value = table.ruleset.burn.policy == "first-card"
    first = drawn.slot == "first" or (drawn.slot is None and by_value and not table.shoe.first_drawn)
    table.shoe.fire("burned", card=drawn.card, first=first)
    table.unread_in_burn = None if drawn.card else _reported_as(drawn)
    exposed = first and by_value
    if drawn.card is None and table.manual and not exposed:
        return  # it was burned face down, and there was nothing to be read
    if drawn.card is None:
        table.irregular(SHOE_FAULTS[drawn.fault or "unreadable"], drawn, level="warn")
        if first and drawn.slot is None and table.boundaries != "announced":
            # Nobody can tell any more which card ends the burn.
            table.waiting = "burn"
    elif drawn.impossible:
        table.irregular("impossible-card", drawn, level="warn")


def _is_reported_twice(table: TableState, drawn: Drawn) -> bool:
    """A fault and a null card are one card, in either order."""
    return drawn.card is None and table.unread_in_burn not in (None, _reported_as(drawn))


def _reported_as(drawn: Drawn) -> str:
    return "fault" if drawn.fault else "card"


# -- the shoe and other devices ---------------------------------------------------------------------------


def _cut_card_drawn(table: TableState, _: CutCardDrawn) -> None:
    table.shoe.fire("met")
    table.shoe.fire("cut")


def _device_result(table: TableState, event: DeviceResult) -> None:
    if table.hold:
        table.hold.claim = event
    elif table.waiting and table.boundaries == "device" and table.round.phase in OPEN:
        # It ends a round that nobody saw: here is the clean boundary.
        waiting, table.waiting = table.waiting, None
        if waiting in LOST_SIGHT:
            may_have_missed(table, waiting)
    elif table.round.phase in OPEN and table.round.is_told_again(event):
        # The same once more, or the like of a round that nobody saw.
        may_have_missed(table, "lost-frames")
    else:
        table.round.fire("result", result=event)


def _device_fault(table: TableState, event: DeviceFault) -> None:
    if not event.active:
        return
    if event.fault == "order-disclosed":
        table.irregular(event.fault)
    elif role(event) == "shuffler":
        table.irregular("shuffler-fault", detail=f"the {event.device} reports a fault: {event.fault}")
    elif role(event) != "shoe" or table.hold:
        return
    elif event.fault in CARD_FAULTS:
        _card_fault(table, event.fault)
    elif event.fault in SHOE_FAULTS:
        table.irregular(SHOE_FAULTS[event.fault])


def _card_fault(table: TableState, fault: str) -> None:
    """The card is out; what it is may be reported next."""
    # A shoe that calls it an overdraw has it in error mode, outside the game.
    mode: Mode | None = "error" if fault == "overdraw" else None
    drawn = Drawn(None, mode=mode, fault=fault, awaited=True)
    table.shoe.fire("met")
    table.shoe.see(None)
    if _is_burn(table, drawn):
        _burn(table, drawn)
        return
    _place(table, drawn)
    if table.hold is None or table.hold.drawn is not drawn:
        table.shoe.forget(None)


def _device_started(table: TableState, event: DeviceStarted) -> None:
    if role(event) != "shoe":
        return
    if table.in_deal or table.hold or table.shoe.rounds_left is None:
        unheard(table, "device-restarted")
    else:
        # After the cut card it is the next pack; how it was burned is not checked, since nobody loaded it.
        table.load_shoe(None, None, burn_expected=False)


def _shoe_loaded(table: TableState, event: ShoeLoaded) -> None:
    if table.in_deal:
        table.irregular("shoe-opened")
    elif not table.hold:
        table.load_shoe(event.decks, event.pack)


# -- dealer, clock, service -------------------------------------------------------------------------------


def _announcement(trigger: str) -> Callable[[TableState, Any], None]:
    def announced(table: TableState, _: Observation) -> None:
        if table.hold:
            return
        if table.boundaries == "announced" and trigger != "confirm":
            table.waiting = None
            if table.may_open():
                table.shoe.fire("met")
        table.round.fire(trigger)

    return announced


def _supervisor_called(table: TableState, event: SupervisorCalled) -> None:
    said = f"{event.reason}: {event.note}" if event.note else event.reason
    table.irregular(
        "supervisor-called", reason=event.reason, detail=f"the dealer asks for a decision: {said}"
    )


def _timer_expired(table: TableState, event: TimerExpired) -> None:
    if event.timer == "card-overdue" and (event.round, event.hand, event.index) == table.awaited:
        table.irregular("card-overdue")


def _hand_called(table: TableState, event: HandCalled) -> None:
    """All cards of the hand lie open now; Banker's are not called before Player's."""
    coup = table.round.coup
    if table.hold is None and (event.hand == "player" or coup.called["player"] >= 2):
        coup.called[event.hand] = len(coup.hands[event.hand])


HANDLERS: dict[type, Callable[[TableState, Any], None]] = {
    CardDrawn: _card_drawn,
    CardCarried: _card_carried,
    CutCardDrawn: _cut_card_drawn,
    DeviceResult: _device_result,
    DeviceFault: _device_fault,
    DeviceStandby: device_standby,
    FrameRejected: frame_rejected,
    DeviceStarted: _device_started,
    ShoeLoaded: _shoe_loaded,
    LinkLost: link_lost,
    LinkRestored: link_restored,
    SequenceGap: sequence_gap,
    BetsOpened: _announcement("bets_opened"),
    BetsClosed: _announcement("bets_closed"),
    HandCalled: _hand_called,
    ResultConfirmed: _announcement("confirm"),
    SupervisorCalled: _supervisor_called,
    TimerExpired: _timer_expired,
    ServiceStarted: service_started,
    ShuffleStarted: lambda table, event: table.packs.started(event),
    ShuffleFinished: lambda table, event: table.packs.finished(event),
    WagerPlaced: lambda table, event: table.layout.placed(event),
    WagerRemoved: lambda table, event: table.layout.removed(event),
    WagersPaid: lambda table, _: table.layout.paid(),
    VigorishCollected: lambda table, event: table.layout.collected(event),
    Order: remedies.carry_out,
}
