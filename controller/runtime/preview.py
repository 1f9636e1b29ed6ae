"""What an order would change, tried on a copy of the table: the hands and the result before and after."""

from collections.abc import Iterable
from copy import deepcopy
from functools import partial
from typing import Literal

from msgspec import Struct

from controller import facts
from controller.cards import Card, Hand, Outcome
from controller.orders import Order
from controller.play.coup import Coup
from controller.play.house import House
from controller.play.machine import Model
from controller.play.round import OPEN
from controller.play.table import Table
from controller.rules.drawing import total
from controller.rules.outcome import judge

#: `open`: no card of it is out yet; `due`: one is to come.
State = Literal["open", "due", "decided", "confirmed", "void"]


class Lying(Struct, frozen=True, kw_only=True):
    """How a round lies. `due`: whose card comes next. `held`: the code that holds the table then. `carried`:
    the next round's first card. A total is null without cards.
    """

    round: int | None
    state: State
    player: list[Card]
    banker: list[Card]
    player_total: int | None
    banker_total: int | None
    due: Hand | None
    winner: Outcome | None
    held: str | None
    carried: Card | None


class Preview(Struct, frozen=True, kw_only=True):
    """`refused`: why the order would not be carried out; then nothing changes. `burned`: the cards it burns.

    `settled`: the stakes that it settles.
    """

    before: Lying
    after: Lying
    burned: list[Card | None]
    settled: list[facts.WagerSettled]
    refused: str | None


def twin(table: Table) -> Table:
    """A table in the same state that shares nothing with it that can change.

    Not `deepcopy`: the machines' guards and actions are bound to their own table.
    """
    fresh = Table(House(table.ruleset))
    pairs: list[tuple[object, object]] = [(table, fresh)]
    pairs += [(part, getattr(fresh, name)) for name, part in vars(table).items() if isinstance(part, Model)]
    memo: dict[int, object] = {id(old): new for old, new in pairs}
    memo |= {id(law): law for law in (table.ruleset, table.pack)}
    for old, new in pairs:
        for name, value in vars(old).items():
            # What the machine put there is its own.
            if not isinstance(value, Model | partial):
                setattr(new, name, deepcopy(value, memo))
    return fresh


def preview(table: Table, order: Order) -> Preview:
    """What the order would do. The table is used up: give it a `twin`."""
    about = table.hold.round if table.hold is not None else None
    standing = table.round.coup.number
    before = {coup.number: _lying(table, coup) for coup in _rounds(table)}
    concluded = table.apply(order)
    number = next((n for fact in concluded if (n := getattr(fact, "round", None)) is not None), about)
    after = next((c for c in _rounds(table) if c.number == number), table.round.coup)
    refusals = [fact.reason for fact in concluded if isinstance(fact, facts.OrderRefused)]
    now = _lying(table, after)
    return Preview(
        before=before.get(after.number, before[standing]),
        after=now,
        burned=[fact.card for fact in concluded if isinstance(fact, facts.CardBurned)],
        settled=[fact for fact in concluded if isinstance(fact, facts.WagerSettled)],
        refused="; ".join(refusals) or None,
    )


def _rounds(table: Table) -> Iterable[Coup]:
    return [coup for coup in (table.round.coup, table.round.before) if coup is not None]


def _lying(table: Table, coup: Coup) -> Lying:
    player, banker = coup.hands["player"], coup.hands["banker"]
    state, due, winner = _standing(table, coup)
    return Lying(
        round=coup.number or None,
        state=state,
        player=list(player),
        banker=list(banker),
        player_total=total(player) if player else None,
        banker_total=total(banker) if banker else None,
        due=due,
        winner=winner,
        held=table.hold.code if table.hold is not None else None,
        carried=table.carried.card if table.carried is not None else None,
    )


def _standing(table: Table, coup: Coup) -> tuple[State, Hand | None, Outcome | None]:
    if coup.voided:
        return "void", None, None
    due = coup.due(table.draw)
    if due is None:
        winner = judge(coup.hands["player"], coup.hands["banker"]).winner
        return "confirmed" if coup.closed else "decided", None, winner
    if coup is table.round.coup and table.round.phase in (*OPEN, "betting"):
        return "open", None, None
    return "due", due, None
