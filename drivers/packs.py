"""Packs that simulated shufflers and shoes agree on: the id of a pack is all it takes to order it."""

import random
from collections.abc import Iterable

from controller.cards import DECK, Card

_PLACE = {card: place for place, card in enumerate(DECK)}


def shuffled(name: str, cards: Iterable[Card]) -> tuple[Card, ...]:
    """These cards in the order of the pack of that name, however they lay before."""
    order = sorted(cards, key=_PLACE.__getitem__)
    random.Random(name).shuffle(order)
    return tuple(order)


def pack_name(seed: int, number: int) -> str:
    """The id of a shuffler's or a shoe's pack; `number` counts from 1."""
    return f"{seed}-{number}"
