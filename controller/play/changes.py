"""Orders that change a whole round: void, reinstate, correct a card, state the hands anew.

A round may be changed until the next round's first card. Nothing is erased: every change is a new fact.
"""

from __future__ import annotations

from collections import Counter

from controller import facts
from controller.cards import HANDS, Card
from controller.observations import DeviceResult
from controller.orders import Order
from controller.play.coup import Coup, Hands, dealt_by_rule
from controller.play.irregularities import Drawn, Irregularity
from controller.play.refusal import Refusal
from controller.play.round import OPEN
from controller.play.state import TableState

#: After a void for one of these the shoe may go on with the voided round: wait for the next one's first card.
UNHEARD = ("link-lost", "device-restarted", "lost-frames")


def after_hold(table: TableState, claim: DeviceResult | None = None) -> None:
    """What is still to be answered once a hold is over: a surplus card, then the shoe's result.

    `claim`: the shoe's result that came during the hold.
    """
    if table.hold is not None:
        return
    if table.surplus:
        number, drawn = table.surplus.pop(0)
        table.irregular("overdraw", drawn, number=number)
        return
    if claim is not None and table.round.phase == "decided":
        table.round.fire("result", result=claim)
        return
    for coup in (table.round.coup, table.round.before):
        if coup is not None and coup.mismatched(table.draw):
            table.irregular("result-mismatch", number=coup.number)
            return


def _changeable(table: TableState) -> Coup:
    """The round that may still be changed: the present one, or until its first card the one before."""
    for coup in (table.round.coup, table.round.before):
        if coup is not None and coup.dealt:
            return coup
    raise Refusal("no round may be changed any more")


def _remove(table: TableState, coup: Coup, cards: list[Drawn]) -> None:
    """Tell, from the last one on, that cards of the hands lie there no more."""
    for drawn in reversed(cards):
        assert drawn.card and drawn.index and (drawn.slot == "player" or drawn.slot == "banker")
        table.emit(facts.CardRemoved(round=coup.number, hand=drawn.slot, index=drawn.index, card=drawn.card))


def _resume(table: TableState, coup: Coup) -> None:
    """Go on where a changed round's cards put it; the betting of the round after it gives way if need be."""
    round_ = table.round
    goes_on = coup.due(table.draw) is not None
    if goes_on:
        coup.closed = False
    if coup is not round_.coup:
        if not goes_on:
            return
        _withdraw(table)
        round_.recall()
    if goes_on:
        table.shoe.fire("resumed")
    round_.fire("derived")
    if len(coup.dealt) >= 4 or coup.decided:
        round_.call()


def _forget_surplus(table: TableState, coup: Coup) -> None:
    table.surplus = [(number, drawn) for number, drawn in table.surplus if number != coup.number]


def _withdraw(table: TableState) -> None:
    """The open round had no card, and will be opened again; what holds it holds the one before."""
    round_, hold = table.round, table.hold
    assert round_.before is not None
    if hold is not None and hold.round == round_.coup.number:
        hold.round = round_.before.number
    if round_.phase not in OPEN:
        round_.fire("withdrawn")


# -- void and reinstate -----------------------------------------------------------------------------------


def void_round(table: TableState, order: Order) -> None:
    """The round is void; its cards stay counted."""
    hold = table.hold
    unheard = hold is not None and (hold.code in UNHEARD or hold.unheard)
    coup = _voidable(table, hold or table.open.get(order.irregularity or 0), unheard)
    if coup is table.round.coup:
        table.round.fire("voided")
    elif coup is not None:
        coup.voided = True
        table.emit(facts.RoundVoided(round=coup.number))
    if coup is not None:
        coup.voided_for = hold
        _forget_surplus(table, coup)
    if unheard:
        table.waiting = "void"
    if hold is not None:
        table.resolve(hold, order)
    after_hold(table)


def _voidable(table: TableState, about: Irregularity | None, unheard: bool) -> Coup | None:
    """The round that a void means: that of the hold, or of the irregularity named, else the open one, else
    the last one. None: the hold is about one that nobody saw.
    """
    if about is not None and about.round is None:
        if unheard:
            return None
        raise Refusal(f"{about.code} is about no round; decide what becomes of the card, or acknowledge")
    if about is not None and about.round is not None:
        found = None if about.past else table.round.numbered(about.round)
        if found is None:
            raise Refusal(f"round {about.round} may not be changed any more")
        coup = found
    else:
        coup = _changeable(table) if table.round.phase in OPEN else table.round.coup
    if coup.voided:
        raise Refusal(f"round {coup.number} is void already")
    return coup


def reinstate_round(table: TableState, _: Order) -> None:
    """Take a void back; what held the round holds it again, since nothing else has answered it."""
    if table.hold is not None:
        raise Refusal("the round is held; answer the irregularity first")
    coup = _changeable(table)
    if not coup.voided:
        raise Refusal(f"round {coup.number} is not void")
    coup.voided = False
    table.emit(facts.RoundReinstated(round=coup.number))
    table.waiting = None
    _resume(table, coup)
    complete = coup.due(table.draw) is None
    if complete and coup is table.round.before and not coup.closed:
        # The next round's bets are open, and that confirms it.
        coup.closed = True
        table.emit(facts.RoundConfirmed(round=coup.number))
    if coup.voided_for is not None:
        _hold_again(table, coup, coup.voided_for)
        coup.voided_for = None
    after_hold(table, coup.claim if coup is table.round.coup else None)


def _hold_again(table: TableState, coup: Coup, was: Irregularity) -> None:
    assert was.raised is not None
    table.irregular(was.code, was.drawn, level="stop", number=coup.number, detail=was.raised.detail)
    hold = table.hold
    assert hold is not None
    hold.later, hold.claim, hold.unheard = was.later, was.claim, was.unheard


# -- correct a card ---------------------------------------------------------------------------------------


def correct_card(table: TableState, order: Order) -> None:
    """A misread card gets its right identity, and everything is derived again."""
    assert order.hand is not None and order.index is not None and order.card is not None
    coup = _changeable(table)
    if coup.voided:
        raise Refusal(f"round {coup.number} is void; reinstate it first")
    cards = coup.hands[order.hand]
    if order.index > len(cards):
        raise Refusal(f"{order.hand} has no card {order.index}")
    # The slot holds one piece of cardboard, whatever names were reported for it.
    names = [cards[order.index - 1], *_conflicting(table, order)]
    if names == [order.card]:
        raise Refusal(f"{order.hand} {order.index} is {order.card} already")
    for name in names:
        table.shoe.forget(name)
    if table.shoe.see(order.card):
        table.shoe.forget(order.card)
        for name in names:
            table.shoe.see(name)
        raise Refusal(f"the pack holds no more {order.card}")
    cards[order.index - 1] = order.card
    table.emit(facts.CardDealt(round=coup.number, hand=order.hand, index=order.index, card=order.card))
    if len(names) > 1 and table.hold is not None:
        table.resolve(table.hold, order)
    _derive(table, coup, order)


def _conflicting(table: TableState, order: Order) -> list[Card | None]:
    """What the held `card-conflict` reported for the very slot that is corrected."""
    hold = table.hold
    if hold is None or hold.code != "card-conflict" or hold.drawn is None:
        return []
    same = (hold.drawn.slot, hold.drawn.index) == (order.hand, order.index)
    return [hold.drawn.card] if same else []


def _derive(table: TableState, coup: Coup, order: Order) -> None:
    """Everything that follows from a changed hand: the decision, a card due, a surplus, the shoe's claim."""
    surplus = coup.trim(table.draw)
    _remove(table, coup, surplus)
    coup.accepted = False
    _resume(table, coup)
    complete = coup.due(table.draw) is None
    if complete:
        table.emit(coup.decision())
    hold = table.hold
    agrees = complete and coup.claim is not None and not coup.disagrees(coup.claim)
    answered = {"underdraw": complete, "result-mismatch": agrees or not complete}
    if hold is not None and hold.round == coup.number and answered.get(hold.code, False):
        table.resolve(hold, order)
        if agrees and hold.code == "result-mismatch" and coup is table.round.coup:
            table.round.fire("closed")
    table.surplus += [(coup.number, drawn) for drawn in surplus]
    after_hold(table, coup.claim if coup is table.round.coup else None)


# -- state the hands anew ---------------------------------------------------------------------------------


def resynchronise(table: TableState, order: Order) -> None:
    """Both hands as they lie on the table; two empty lists: no round is open."""
    assert order.player is not None and order.banker is not None
    stated: Hands = {"player": list(order.player), "banker": list(order.banker)}
    if dealt_by_rule(stated, table.draw) != stated:
        raise Refusal("by the rules the hands cannot lie so; leave out the card that is out of place")
    if not order.player and not order.banker:
        _clear(table, order)
        return
    round_, hold = table.round, table.hold
    if round_.phase in OPEN and not table.may_open():
        raise Refusal("no round may open")
    # A carried card was to be the first of this very round: either it lies there, or it is out of it.
    takes_carried = table.carried is not None and round_.phase in (*OPEN, "betting", "player_1")
    loose = [hold.drawn, *hold.later] if hold else []
    loose += [table.carried] if takes_carried else []
    dealt: Hands = {"player": [], "banker": []} if round_.phase in OPEN else round_.coup.hands
    _recount(table, dealt, stated, [d.read for d in loose if d is not None])
    if takes_carried:
        table.carried = None
    if round_.phase in OPEN:
        table.shoe.fire("met")
        round_.fire("opened")
    if round_.phase == "betting":
        round_.fire("bets_ended")
    coup = round_.coup
    for hand in HANDS:
        lie = enumerate(coup.hands[hand], 1)
        _remove(table, coup, [Drawn(card, hand, at) for at, card in lie if at > len(stated[hand])])
        for at, card in enumerate(stated[hand], 1):
            if stated[hand][:at] != coup.hands[hand][:at]:
                table.emit(facts.CardDealt(round=coup.number, hand=hand, index=at, card=card))
    changed = coup.hands != stated
    coup.hands, round_.before = stated, None
    table.waiting = None
    _forget_surplus(table, coup)
    if hold is not None:
        table.resolve(hold, order)
    if changed or not coup.decided:
        _derive(table, coup, order)
    after_hold(table, hold.claim if hold else None)


def _recount(table: TableState, dealt: Hands, stated: Hands, loose: list[Drawn]) -> None:
    """The inventory follows the statement. Raises Refusal where the pack does not hold such cards.

    `loose`: cards seen that lie in no hand. A stated card that was never reported is, in this order, what a
    misread slot really holds, an unread card, or one that went by unheard.
    """
    were, are = (Counter(h["player"] + h["banker"]) for h in (dealt, stated))
    new = are - were - Counter(d.card for d in loose if d.card)
    slots = [pair for hand in HANDS for pair in zip(dealt[hand], stated[hand], strict=False)]
    misread = list((Counter(old for old, now in slots if old != now) & (were - are)).elements())
    wrong = [*misread, *(d.card for d in loose if d.card is None)][: new.total()]
    for card, copies in new.items():
        if table.shoe.seen[card] - wrong.count(card) + copies > table.shoe.copies:
            raise Refusal(f"the pack holds no more {card}")
    for name in wrong:
        table.shoe.forget(name)
    for card in new.elements():
        table.shoe.see(card)


def _clear(table: TableState, order: Order) -> None:
    """Nothing lies on the table: an undecided round is void, a decision stands, no round is open."""
    hold = table.hold
    if hold is not None:
        table.resolve(hold, order)
        coup = table.round.numbered(hold.round) if hold.round is not None else None
        if coup is not None and hold.code == "result-mismatch":
            coup.accepted = True
    if table.round.phase == "decided":
        table.round.fire("closed")
    elif table.round.phase not in OPEN:
        table.round.fire("voided")
    table.surplus.clear()
    table.waiting = None
    table.carried = None
    after_hold(table)
