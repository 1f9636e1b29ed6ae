"""What a supervisor's orders do. An order that does not fit changes nothing and is refused with a reason.

Here: carrying out an order, and the answers to a hold. What changes a whole round is in `changes`.
"""

from __future__ import annotations

from collections.abc import Callable

from controller import facts
from controller.cards import Hand
from controller.orders import Order
from controller.play import changes, keeping
from controller.play.changes import UNHEARD, after_hold
from controller.play.irregularities import Drawn, Irregularity
from controller.play.refusal import Refusal
from controller.play.round import OPEN
from controller.play.state import TableState

_IDENTITY = ("unread-card", "impossible-card", "foreign-card")
#: Orders that may name any irregularity, also beside a hold on another one.
_FREE = ("acknowledge", "annotate")


def carry_out(table: TableState, order: Order) -> None:
    """Do what the order says, or refuse it. It answers the hold, or the irregularity that it names."""
    try:
        _check(table, order)
        ORDERS[order.order](table, order)
    except Refusal as refusal:
        table.emit(facts.OrderRefused(order=order.order, by=order.by, reason=str(refusal)))
        return
    named = table.open.get(order.irregularity) if order.irregularity is not None else None
    if named is not None and named.severity != "stop" and order.order not in _FREE:
        table.resolve(named, order)


def _check(table: TableState, order: Order) -> None:
    number = order.irregularity
    if number is None:
        return
    if order.order == "annotate":
        if not 1 <= number <= table.last_id:
            raise Refusal(f"there was no irregularity {number}")
        return
    if number not in table.open:
        raise Refusal(f"irregularity {number} is not open: decided already, or never raised")
    if table.hold is not None and number != table.hold.id and order.order not in _FREE:
        raise Refusal(f"irregularity {number} does not hold the round")


def _held(table: TableState) -> Irregularity:
    if table.hold is None:
        raise Refusal("nothing is held")
    return table.hold


def _card_of(table: TableState) -> tuple[Irregularity, Drawn]:
    """The hold, and its card as well as it was read."""
    hold = _held(table)
    if hold.drawn is None:
        raise Refusal(f"{hold.code} is not about a card")
    return hold, hold.drawn.read


def _unknown(hold: Irregularity) -> str:
    """Why a card without an identity goes to no hand, and what to do instead."""
    instead = "identify it" if hold.code in _IDENTITY else "state the hands"
    return f"the card was not read; {instead}, or burn it"


def _place(table: TableState, drawn: Drawn) -> None:
    """Deal the card to the slot that is due, opening the round where that card begins it."""
    if table.round.phase in OPEN:
        table.round.fire("opened")
    if table.round.phase == "betting":
        table.round.fire("bets_ended")
    table.waiting = None
    if drawn.impossible:
        table.irregular("impossible-card", drawn)
    else:
        table.round.fire("placed", card=drawn.card)


def _accept(table: TableState, order: Order) -> None:
    hold = _held(table)
    if hold.code == "shoe-exhausted":
        raise Refusal("the shoe is empty; void the round, or state the hands")
    stands = _stands(table, hold)
    if hold.code in UNHEARD and not table.in_deal:
        table.waiting = "void"
    table.resolve(hold, order)
    if stands is not None:
        _place(table, stands)
    if hold.code == "result-mismatch" and hold.round is not None:
        coup = table.round.numbered(hold.round)
        assert coup is not None
        coup.accepted = True
        if coup is table.round.coup:
            table.round.fire("closed")
    after_hold(table, hold.claim)


def _stands(table: TableState, hold: Irregularity) -> Drawn | None:
    """The card that an `accept` deals to the slot that is due; None: the offending card is in no hand."""
    if hold.code not in _IDENTITY or hold.drawn is None:
        return None
    if hold.code == "unread-card":
        stands = hold.drawn.since
    elif hold.drawn.card is None:
        raise Refusal("the shoe gave no reading of the card; identify it")
    else:
        # As read: that the pack holds no more of it has just been accepted.
        stands = Drawn(hold.drawn.card)
    if stands is not None and table.round.due is None:
        raise Refusal("no card is due")
    return stands


def _burn_card(table: TableState, order: Order) -> None:
    hold, drawn = _card_of(table)
    table.emit(facts.CardBurned(card=drawn.card))
    table.resolve(hold, order)
    after_hold(table, hold.claim)


def _carry_card(table: TableState, order: Order) -> None:
    hold, drawn = _card_of(table)
    # A shoe that deals the rounds keeps a card of its own overdraw, and names it when the next one begins.
    named_later = drawn.fault == "overdraw" and table.boundaries == "device"
    if drawn.card is None and not named_later:
        raise Refusal(_unknown(hold))
    if drawn.impossible:
        raise Refusal("the pack holds no more of this card; burn it")
    if table.carried is not None:
        raise Refusal("another card is carried already")
    this_round = hold.code == "early-card" and table.round_open()
    if not this_round and (table.shoe.rounds_left == 0 or table.shoe.phase == "ended"):
        raise Refusal("no further round may follow in this shoe; burn the card")
    table.carried = drawn
    table.resolve(hold, order)
    after_hold(table, hold.claim)


def _move_card(table: TableState, order: Order) -> None:
    hold, drawn = _card_of(table)
    if drawn.card is None:
        raise Refusal(_unknown(hold))
    begins = hold.code == "early-card" and table.round.phase in (*OPEN, "betting")
    if begins and table.carried is not None:
        raise Refusal("another card is carried to Player; burn this one")
    if begins and table.round.phase in OPEN and not table.may_open():
        raise Refusal("no round may open")
    turn: Hand | None = "player" if begins else table.round.due
    if order.to != turn:
        raise Refusal(f"it is {turn}'s turn" if turn else "no card is due")
    table.resolve(hold, order)
    _place(table, drawn)
    after_hold(table, hold.claim)


def _identify_card(table: TableState, order: Order) -> None:
    hold, drawn = _card_of(table)
    if hold.code not in _IDENTITY:
        has = "has an identity; correct it, or" if drawn.card else "is out of place, and no hand's;"
        raise Refusal(f"the card of {hold.code} {has} decide what becomes of it")
    assert order.card is not None
    hand = table.round.due
    if hand is None:
        raise Refusal("no card is due")
    table.shoe.forget(drawn.card)
    impossible = table.shoe.see(order.card)
    table.resolve(hold, order)
    table.round.coup.identified.add((hand, len(table.round.coup.hands[hand]) + 1))
    _place(table, Drawn(order.card, impossible=impossible))
    after_hold(table, hold.claim)


ORDERS: dict[str, Callable[[TableState, Order], None]] = {
    "acknowledge": keeping.acknowledge,
    "accept": _accept,
    "void_round": changes.void_round,
    "reinstate_round": changes.reinstate_round,
    "burn_card": _burn_card,
    "carry_card": _carry_card,
    "move_card": _move_card,
    "identify_card": _identify_card,
    "correct_card": changes.correct_card,
    "resynchronise": changes.resynchronise,
    "annotate": keeping.annotate,
    "open_table": keeping.open_table,
    "close_table": keeping.close_table,
    "new_shoe": keeping.new_shoe,
    "end_shoe": keeping.end_shoe,
}
