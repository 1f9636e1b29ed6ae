"""Cards and hands as they are written everywhere: rank then suit, two characters."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

RANKS = "A23456789TJQK"
SUITS = "CDHS"

#: Rank `A 2..9 T J Q K`, suit `C D H S`: `TD` is the ten of diamonds.
Card = Annotated[str, msgspec.Meta(pattern=f"^[{RANKS}][{SUITS}]$")]
Hand = Literal["player", "banker"]
Outcome = Literal["player", "banker", "tie"]

HANDS: tuple[Hand, Hand] = ("player", "banker")
DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_KNOWN = frozenset(DECK)


def is_card(text: object) -> bool:
    """True when `text` is one of the 52 card names."""
    return text in _KNOWN


def pack(decks: int) -> Iterator[Card]:
    """The cards of a new pack, deck by deck."""
    for _ in range(decks):
        yield from DECK
