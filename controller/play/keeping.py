"""Orders that keep the table: between rounds, acknowledgements, and remarks."""

from __future__ import annotations

from controller.orders import Order
from controller.play.refusal import Refusal
from controller.play.round import OPEN
from controller.play.state import TableState


def acknowledge(table: TableState, order: Order) -> None:
    """End a block or a warn: the one named, else the oldest block, else the oldest warn."""
    open_ = [i for i in table.open.values() if i.severity != "stop"]
    if order.irregularity is not None:
        open_ = [i for i in open_ if i.id == order.irregularity]
    if not open_:
        raise Refusal("a stop is not acknowledged; decide it" if table.open else "nothing is open")
    table.resolve(min(open_, key=lambda i: (i.severity != "block", i.id)), order)


def annotate(table: TableState, order: Order) -> None:
    """A remark; the order itself is the record."""


def _between_rounds(table: TableState) -> None:
    """Raises Refusal while a round is held or open; a decided one must be confirmed where the dealer does."""
    # Wagers may lie on a round with bets open: the stricter reading of "between rounds".
    round_ = table.round
    if table.hold is not None:
        raise Refusal("the round is held; answer the irregularity first")
    decided = round_.phase == "decided" and table.boundaries != "announced"
    if not decided and round_.phase not in OPEN:
        raise Refusal(f"round {round_.coup.number} is open; it must be finished or void first")


def open_table(table: TableState, _: Order) -> None:
    """Rounds may open."""
    _between_rounds(table)
    table.is_open = True


def close_table(table: TableState, _: Order) -> None:
    """No round opens."""
    _between_rounds(table)
    table.is_open = False


def new_shoe(table: TableState, order: Order) -> None:
    """A new pack is in the shoe."""
    _between_rounds(table)
    table.load_shoe(order.decks, order.pack)


def end_shoe(table: TableState, order: Order) -> None:
    """The shoe is taken out; `remaining`: the cards that a person counted in it."""
    _between_rounds(table)
    if table.shoe.phase == "empty":
        raise Refusal("no shoe is in play")
    table.finish_round()
    table.shoe.fire("taken_out", remaining=order.remaining)
