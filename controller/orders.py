"""A supervisor's orders: what each one carries, checked where it enters."""

from typing import Annotated, Literal

from msgspec import Meta, ValidationError

from controller.cards import Card, Hand
from controller.observations import AnyObservation, Decks, Index, Observation

OrderName = Literal[
    "acknowledge",
    "accept",
    "void_round",
    "reinstate_round",
    "burn_card",
    "carry_card",
    "move_card",
    "identify_card",
    "correct_card",
    "resynchronise",
    "annotate",
    "open_table",
    "close_table",
    "new_shoe",
    "end_shoe",
]

#: order -> (fields it must carry, fields it may carry), beside `by`, `reason`, `confirmed_by`, `irregularity`
ORDER_FIELDS: dict[OrderName, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "acknowledge": ((), ()),
    "accept": ((), ()),
    "void_round": ((), ()),
    "reinstate_round": ((), ()),
    "burn_card": ((), ()),
    "carry_card": ((), ()),
    "move_card": (("to",), ()),
    "identify_card": (("card",), ()),
    "correct_card": (("hand", "index", "card"), ()),
    "resynchronise": (("player", "banker"), ()),
    "annotate": ((), ("round",)),
    "open_table": ((), ()),
    "close_table": ((), ()),
    "new_shoe": (("decks",), ("pack",)),
    "end_shoe": ((), ("remaining",)),
}

_OWN = ("card", "hand", "index", "to", "player", "banker", "decks", "pack", "remaining", "round")


class Order(Observation, frozen=True):
    """`by` ordered `order`, for `reason`; `irregularity`: the id it answers, absent: the open one."""

    order: OrderName
    by: Annotated[str, Meta(min_length=1)]
    confirmed_by: str | None = None
    reason: str = ""
    irregularity: int | None = None
    card: Card | None = None
    hand: Hand | None = None
    index: Index | None = None
    to: Hand | None = None
    player: list[Card] | None = None
    banker: list[Card] | None = None
    decks: Decks | None = None
    pack: str | None = None
    remaining: Annotated[int, Meta(ge=0)] | None = None
    round: int | None = None

    def __post_init__(self) -> None:
        must, may = ORDER_FIELDS[self.order]
        for field in must:
            if getattr(self, field) is None:
                raise ValidationError(f"order {self.order} needs the field `{field}`")
        for field in _OWN:
            if field not in must and field not in may and getattr(self, field) is not None:
                raise ValidationError(f"order {self.order} has no field `{field}`")


#: Everything the table takes in.
Event = AnyObservation | Order
