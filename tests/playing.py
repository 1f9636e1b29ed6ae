"""A table whose observations, orders and facts are numbered as the journal would number them."""

import random

from controller.cards import pack
from controller.observations import BetsClosed, BetsOpened, CardDrawn, ResultConfirmed, ShoeLoaded
from controller.orders import Event
from controller.play.house import House
from controller.play.round import Boundaries
from controller.play.table import Table
from controller.rules.ruleset import burn_value, load_ruleset
from controller.rules.terms import Dealing
from controller.views.disclosure import Item

RULES = load_ruleset("nj-mini-baccarat")


class Play:
    """`items`: everything so far, in order."""

    def __init__(self, boundaries: Boundaries = "announced", dealing: Dealing = "face-up") -> None:
        self.table = Table(House(RULES, boundaries=boundaries, dealing=dealing))
        self.items: list[tuple[int, Item]] = []

    def do(self, *events: Event) -> list[tuple[int, Item]]:
        """Apply events; the items that they make, which are the last of `items`."""
        before = len(self.items)
        for event in events:
            for item in (event, *self.table.apply(event)):
                self.items.append((len(self.items) + 1, item))
        return self.items[before:]

    def open(self) -> list[tuple[int, Item]]:
        """A round, up to "no more bets"."""
        return self.do(BetsOpened(), BetsClosed())

    def cards(self, text: str) -> list[tuple[int, Item]]:
        """Cards leave the shoe: `2C 9D`."""
        return self.do(*(CardDrawn(card=card) for card in text.split()))

    def shoe(self, rounds: int, seed: int = 5) -> None:
        """A new shoe of eight shuffled decks, burned, and so many rounds of it."""
        drawn = list(pack(8))
        random.Random(seed).shuffle(drawn)
        self.do(ShoeLoaded(decks=8))
        first, *burned = (drawn.pop() for _ in range(1 + burn_value(drawn[-1])))
        self.cards(" ".join((first, *burned)))
        for _ in range(rounds):
            self.open()
            while self.table.round.due:
                self.cards(drawn.pop())
            self.do(ResultConfirmed())
