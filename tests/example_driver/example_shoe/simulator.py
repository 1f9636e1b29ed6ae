"""The shoe's side: a shuffled pack, one card after the other."""

import random
from collections.abc import Callable

from controller.cards import pack
from controller.observations import CardDrawn, Observation
from example_shoe.codec import encode


class ExampleSimulator:
    """`shoes`: packs to deal, one where nothing is said; `rounds` means nothing to this shoe."""

    def __init__(
        self,
        pause: float,
        *,
        seed: int = 0,
        decks: int = 8,
        shoes: int = 1,
        rounds: int | None = None,
        log: Callable[[Observation], None] | None = None,
    ) -> None:
        self._cards = [card for _ in range(shoes) for card in pack(decks)]
        random.Random(seed).shuffle(self._cards)
        self._pause = pause
        self._log = log
        self._next = 0.0

    def receive(self, data: bytes, at: float) -> None:
        """It takes no commands."""

    def advance(self, at: float) -> list[bytes]:
        sent = []
        while self._cards and self._next <= at:
            card = self._cards.pop()
            sent.append(encode(card))
            self._next = (self._next or at) + self._pause
            if self._log:
                self._log(CardDrawn(at=at, card=card))
        return sent

    def next_at(self) -> float | None:
        return self._next if self._cards else None
