"""What a supervisor's orders do. An order that does not fit changes nothing and is refused with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller import facts
from controller.cards import HANDS, Card, Hand
from controller.orders import Order
from controller.play.irregularities import Drawn, Irregularity
from controller.play.round import OPEN, Coup
from controller.rules.drawing import due

if TYPE_CHECKING:
    from controller.play.table import Table

_IDENTITY = ("unread-card", "impossible-card", "foreign-card")
#: After a void for one of these the shoe may go on with the voided round: wait for the next one's first card.
_UNHEARD = ("link-lost", "device-restarted", "lost-frames")


class Refusal(Exception):  # noqa: N818 - it is the answer, not a failure
    """Why an order does not fit the situation."""


def carry_out(table: Table, order: Order) -> None:
    """Do what the order says, or refuse it."""
    try:
        if order.irregularity is not None and order.irregularity not in table.open:
            raise Refusal(f"irregularity {order.irregularity} is not open")
        ORDERS[order.order](table, order)
    except Refusal as refusal:
        table.emit(facts.OrderRefused(order=order.order, by=order.by, reason=str(refusal)))


# -- helpers ----------------------------------------------------------------------------------------------


def _held(table: Table, order: Order) -> Irregularity:
    """The hold that the order answers."""
    if table.hold is None:
        raise Refusal("nothing is held")
    if order.irregularity not in (None, table.hold.id):
        raise Refusal(f"irregularity {order.irregularity} does not hold the round")
    return table.hold


def _card_of(table: Table, order: Order) -> tuple[Irregularity, Drawn]:
    hold = _held(table, order)
    if hold.drawn is None:
        raise Refusal(f"{hold.code} is not about a card")
    return hold, hold.drawn


def _after(table: Table, hold: Irregularity) -> None:
    """The hold is over: the next surplus card needs an answer, or the result given meanwhile counts."""
    if table.hold is not None:
        return
    if table.surplus:
        table.irregular("overdraw", table.surplus.pop(0), number=hold.round)
    elif hold.claim is not None and table.round.phase == "decided":
        table.round.fire("result", result=hold.claim)


def _place(table: Table, drawn: Drawn) -> None:
    """Deal the card to the slot that is due, opening the round where that card begins it."""
    if table.round.phase in OPEN:
        if not table.may_open():
            raise Refusal("no round may open")
        table.round.fire("opened")
    if table.round.phase == "betting":
        table.round.fire("bets_ended")
    table.waiting = None
    if drawn.impossible:
        table.irregular("impossible-card", drawn)
    else:
        table.round.fire("placed", card=drawn.card)


def _correctable(table: Table) -> Coup:
    """The round that may still be changed: the present one, or until its first card the one before."""
    for coup in (table.round.coup, table.round.before):
        if coup is not None and coup.dealt:
            return coup
    raise Refusal("no round may be changed any more")


# -- answers to a hold ------------------------------------------------------------------------------------


def _accept(table: Table, order: Order) -> None:
    hold = _held(table, order)
    drawn = hold.drawn
    stands: Card | None = None
    if drawn is not None and hold.code in _IDENTITY:
        stands = drawn.since if hold.code == "unread-card" else drawn.card
        if stands is None and hold.code != "unread-card":
            raise Refusal("the shoe gave no reading of the card; identify it")
    if stands is not None and table.round.due is None:
        raise Refusal("no card is due")
    if hold.code in _UNHEARD and not table.round.dealing:
        table.waiting = "void"
    table.resolve(hold, order)
    if stands is not None:
        _place(table, Drawn(stands))
    if hold.code == "result-mismatch":
        table.round.fire("closed")
    _after(table, hold)


def _burn_card(table: Table, order: Order) -> None:
    hold, drawn = _card_of(table, order)
    table.emit(facts.CardBurned(card=drawn.card))
    table.resolve(hold, order)
    _after(table, hold)


def _carry_card(table: Table, order: Order) -> None:
    hold, drawn = _card_of(table, order)
    if drawn.card is None:
        raise Refusal("the card has no identity; identify it or burn it")
    if drawn.impossible:
        raise Refusal("the pack holds no more of this card; burn it")
    if table.carried is not None:
        raise Refusal("another card is carried already")
    left = table.shoe.rounds_left
    this_round = hold.code == "early-card" and table.round_open()
    if not this_round and (left == 0 or table.shoe.phase == "ended"):
        raise Refusal("no further round may follow in this shoe; burn the card")
    table.carried = drawn
    table.resolve(hold, order)
    _after(table, hold)


def _move_card(table: Table, order: Order) -> None:
    hold, drawn = _card_of(table, order)
    if drawn.card is None:
        raise Refusal("the card has no identity; identify it or burn it")
    begins = hold.code == "early-card" and table.round.phase in (*OPEN, "betting")
    turn: Hand | None = "player" if begins else table.round.due
    if begins and table.carried is not None:
        turn = "banker"
    if order.to != turn:
        raise Refusal(f"it is {turn}'s turn" if turn else "no card is due")
    if begins and table.carried is not None:
        raise Refusal("another card is carried to Player; burn this one")
    if begins and table.round.phase in OPEN and not table.may_open():
        raise Refusal("no round may open")
    table.resolve(hold, order)
    _place(table, drawn)
    _after(table, hold)


def _identify_card(table: Table, order: Order) -> None:
    hold, drawn = _card_of(table, order)
    if hold.code not in _IDENTITY:
        raise Refusal(f"the card of {hold.code} has an identity; correct it, or decide what becomes of it")
    assert order.card is not None
    hand = table.round.due
    if hand is None:
        raise Refusal("no card is due")
    table.shoe.forget(drawn.since or drawn.card)
    impossible = table.shoe.see(order.card)
    table.resolve(hold, order)
    table.round.coup.identified.add((hand, len(table.round.coup.hands[hand]) + 1))
    _place(table, Drawn(order.card, impossible=impossible))
    _after(table, hold)


# -- orders about a whole round ---------------------------------------------------------------------------


def _void_round(table: Table, order: Order) -> None:
    hold = table.hold
    if hold is not None and order.irregularity not in (None, hold.id):
        raise Refusal(f"irregularity {order.irregularity} does not hold the round")
    if hold is not None and hold.code in _UNHEARD:
        table.waiting = "void"
        if table.round.phase in OPEN:
            table.resolve(hold, order)
            return
    coup = _voidable(table, hold)
    if coup is table.round.coup:
        table.round.fire("voided")
    else:
        coup.voided = True
        table.emit(facts.RoundVoided(round=coup.number))
    table.surplus.clear()
    if hold is not None:
        table.resolve(hold, order)


def _voidable(table: Table, hold: Irregularity | None) -> Coup:
    """The round that a void means: the held one, else the present one, else the one before."""
    round_ = table.round
    if hold is not None and round_.before is not None and hold.round == round_.before.number:
        return round_.before
    if hold is not None and hold.round is None:
        raise Refusal("no round is open; burn the card, carry it, or accept")
    empty = round_.phase not in OPEN and not round_.coup.dealt
    if empty and (hold is not None or round_.before is None or round_.before.voided):
        return round_.coup
    coup = _correctable(table)
    if coup.voided:
        raise Refusal(f"round {coup.number} is void already")
    return coup


def _reinstate_round(table: Table, order: Order) -> None:
    if table.hold is not None:
        raise Refusal("the round is held; answer the irregularity first")
    coup = _correctable(table)
    if not coup.voided:
        raise Refusal(f"round {coup.number} is not void")
    coup.voided = False
    table.emit(facts.RoundReinstated(round=coup.number))
    table.waiting = None
    _resume(table, coup)


def _resume(table: Table, coup: Coup) -> None:
    """Go on where a changed round's cards put it; the betting of the round after it gives way if need be."""
    hand = due(coup.hands["player"], coup.hands["banker"], table.draw).hand
    if hand is not None:
        coup.closed = False
    if coup is not table.round.coup:
        if hand is None:
            return
        table.round.recall()
        table.shoe.fire("recalled")
    table.round.fire("derived")
    if len(coup.dealt) >= 4:
        table.round.call()


def _correct_card(table: Table, order: Order) -> None:
    assert order.hand is not None and order.index is not None and order.card is not None
    coup = _correctable(table)
    if coup.voided:
        raise Refusal(f"round {coup.number} is void; reinstate it first")
    cards = coup.hands[order.hand]
    if order.index > len(cards):
        raise Refusal(f"{order.hand} has no card {order.index}")
    hold = table.hold
    if hold is not None and order.irregularity not in (None, hold.id):
        raise Refusal(f"irregularity {order.irregularity} does not hold the round")
    conflict = None
    if hold is not None and hold.code == "card-conflict" and hold.drawn is not None:
        conflict = hold.drawn if (hold.drawn.slot, hold.drawn.index) == (order.hand, order.index) else None
    # The slot holds one piece of cardboard, whatever names were reported for it.
    wrong = [cards[order.index - 1], *([conflict.card] if conflict else [])]
    for name in wrong:
        table.shoe.forget(name)
    if table.shoe.see(order.card):
        table.shoe.forget(order.card)
        for name in wrong:
            table.shoe.see(name)
        raise Refusal(f"the pack holds no more {order.card}")
    cards[order.index - 1] = order.card
    table.emit(facts.CardDealt(round=coup.number, hand=order.hand, index=order.index, card=order.card))
    if conflict is not None and hold is not None:
        table.resolve(hold, order)
    _derive(table, coup, order)


def _derive(table: Table, coup: Coup, order: Order) -> None:
    """Everything that follows from a changed hand: the decision, a card due, a surplus, the shoe's claim."""
    surplus = _take_surplus(table, coup)
    _resume(table, coup)
    complete = due(coup.hands["player"], coup.hands["banker"], table.draw).hand is None
    if complete:
        corrected, coup.decided = coup.decided, True
        table.emit(coup.decision(corrected))
    hold = table.hold
    agrees = complete and coup.claim is not None and not coup.disagrees(coup.claim)
    settled = {"underdraw": complete, "result-mismatch": agrees or not complete}
    if hold is not None and settled.get(hold.code, False):
        table.resolve(hold, order)
        if agrees and coup is table.round.coup:
            table.round.fire("closed")
    table.surplus += surplus
    if table.hold is None and table.surplus:
        table.irregular("overdraw", table.surplus.pop(0), number=coup.number)
    elif table.hold is None and complete and coup.claim is not None and coup.disagrees(coup.claim):
        table.irregular("result-mismatch", number=coup.number)


def _take_surplus(table: Table, coup: Coup) -> list[Drawn]:
    """Cards that the hands, dealt again in order, do not need; they are in no hand any more."""
    kept: dict[Hand, list[Card]] = {"player": [], "banker": []}
    while (hand := due(kept["player"], kept["banker"], table.draw).hand) is not None:
        at = len(kept[hand])
        if at >= len(coup.hands[hand]):
            break
        kept[hand].append(coup.hands[hand][at])
    surplus = [
        Drawn(c, hand, i + 1)
        for hand in HANDS
        for i, c in enumerate(coup.hands[hand])
        if i >= len(kept[hand])
    ]
    coup.hands = kept
    return surplus


def _resynchronise(table: Table, order: Order) -> None:
    assert order.player is not None and order.banker is not None
    hold = table.hold
    if hold is not None and order.irregularity not in (None, hold.id):
        raise Refusal(f"irregularity {order.irregularity} does not hold the round")
    stated: dict[Hand, list[Card]] = {"player": list(order.player), "banker": list(order.banker)}
    if _take_surplus(table, Coup(hands={h: list(c) for h, c in stated.items()})):
        raise Refusal("by the rules the hands cannot lie so; leave out the card that is out of place")
    if not order.player and not order.banker:
        _clear(table, order)
        return
    round_ = table.round
    if round_.phase in OPEN:
        if not table.may_open():
            raise Refusal("no round may open")
        round_.fire("opened")
    if round_.phase == "betting":
        round_.fire("bets_ended")
    coup = round_.coup
    round_.before = None
    _recount(table, coup, stated, hold)
    for hand in HANDS:
        for at, card in enumerate(stated[hand]):
            if stated[hand][: at + 1] != coup.hands[hand][: at + 1]:
                table.emit(facts.CardDealt(round=coup.number, hand=hand, index=at + 1, card=card))
    changed = coup.hands != stated
    coup.hands = stated
    table.waiting = None
    table.surplus.clear()
    if hold is not None:
        table.resolve(hold, order)
    if changed or not coup.decided:
        _derive(table, coup, order)
    if hold is not None:
        _after(table, hold)


def _clear(table: Table, order: Order) -> None:
    """Nothing lies on the table: an undecided round is void, a decision stands, no round is open."""
    hold = table.hold
    if hold is not None:
        table.resolve(hold, order)
    if table.round.phase == "decided":
        table.round.fire("closed")
    elif table.round.phase not in OPEN:
        table.round.fire("voided")
    table.surplus.clear()
    table.waiting = None
    table.carried = None


def _recount(table: Table, coup: Coup, stated: dict[Hand, list[Card]], hold: Irregularity | None) -> None:
    """The inventory follows the statement: cards never reported are seen now, misread ones never were."""
    before = Counter(coup.dealt)
    now = Counter(stated["player"] + stated["banker"])
    loose = [d for d in ([hold.drawn, *hold.later] if hold else []) if d is not None]
    reported = Counter(d.card for d in loose if d.card is not None)
    new = now - before
    unread = sum(1 for d in loose if d.card is None)
    for card in (before - now).elements():
        table.shoe.forget(card)
    for card in (new - reported).elements():
        table.shoe.see(card)
        if unread:
            unread -= 1
            table.shoe.forget(None)


# -- between rounds, and remarks --------------------------------------------------------------------------


def _acknowledge(table: Table, order: Order) -> None:
    open_ = [i for i in table.open.values() if i.severity != "stop"]
    if order.irregularity is not None:
        open_ = [i for i in open_ if i.id == order.irregularity]
        if not open_:
            raise Refusal("a stop is not acknowledged; decide it")
    if not open_:
        raise Refusal("a stop is not acknowledged; decide it" if table.open else "nothing is open")
    table.resolve(min(open_, key=lambda i: (i.severity != "block", i.id)), order)


def _between_rounds(table: Table) -> None:
    if table.hold is not None:
        raise Refusal("the round is held; answer the irregularity first")
    unfinished = table.boundaries == "announced" and table.round.phase == "decided"
    if unfinished or table.round.dealing:
        raise Refusal("a round is open; it must be finished or void first")


def _open_table(table: Table, _: Order) -> None:
    _between_rounds(table)
    table.is_open = True


def _close_table(table: Table, _: Order) -> None:
    _between_rounds(table)
    table.is_open = False


def _new_shoe(table: Table, order: Order) -> None:
    _between_rounds(table)
    table.load_shoe(order.decks, order.pack)


def _end_shoe(table: Table, order: Order) -> None:
    _between_rounds(table)
    table.finish_round()
    table.shoe.fire("taken_out", remaining=order.remaining)
    table.carried = None


def _annotate(table: Table, order: Order) -> None:
    """A remark; the order itself is the record."""


ORDERS: dict[str, Callable[[Table, Order], None]] = {
    "acknowledge": _acknowledge,
    "accept": _accept,
    "void_round": _void_round,
    "reinstate_round": _reinstate_round,
    "burn_card": _burn_card,
    "carry_card": _carry_card,
    "move_card": _move_card,
    "identify_card": _identify_card,
    "correct_card": _correct_card,
    "resynchronise": _resynchronise,
    "annotate": _annotate,
    "open_table": _open_table,
    "close_table": _close_table,
    "new_shoe": _new_shoe,
    "end_shoe": _end_shoe,
}
