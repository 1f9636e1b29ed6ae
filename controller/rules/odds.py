"""Exact probabilities: every round that a full pack can deal, counted in whole numbers."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import prod
from typing import NamedTuple

from controller.cards import Card
from controller.rules.drawing import DRAWS, NATURAL, NEW_JERSEY, DrawTable
from controller.rules.kinds import KINDS, LOSE, WagerName
from controller.rules.outcome import Result, is_natural, judge

VALUES = range(10)


class Ending(NamedTuple):
    """Counts of the two hands when the round is over, and their numbers of cards."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int


class Start(NamedTuple):
    """Counts of the two hands on two cards."""

    player: int
    banker: int


@dataclass(frozen=True)
class Odds:
    """Unit of all counts: ordered sequences of six cards without replacement from a full pack, `total` of
    them; cards that a round does not need are drawn all the same.
    """

    decks: int
    total: int
    cells: dict[tuple[Start, Ending], int]

    @cached_property
    def results(self) -> list[tuple[Result, int]]:
        """A result for each way a round can end (its pairs say nothing), and its count."""
        endings: dict[Ending, int] = defaultdict(int)
        for (_, ending), count in self.cells.items():
            endings[ending] += count
        return [
            (judge(_hand(end.player, end.player_cards), _hand(end.banker, end.banker_cards)), count)
            for end, count in endings.items()
        ]

    @cached_property
    def pairs(self) -> dict[str, int]:
        """Pairs by combinatorics: ranks, not values, make them. `identical`: one hand's, rank and suit."""
        size, rank = 52 * self.decks, 4 * self.decks
        two, later = rank * (rank - 1), _falling(size, 6) // _falling(size, 4)
        one = 13 * two * _falling(size - 2, 2) * later
        both = (13 * two * (rank - 2) * (rank - 3) + 13 * 12 * two * two) * later
        identical = 52 * self.decks * (self.decks - 1) * _falling(size - 2, 2) * later
        return {"one": one, "both": both, "identical": identical}

    def count(self, event: Callable[[Result], bool]) -> int:
        """In how many sequences an event of the point counts comes true."""
        return sum(count for result, count in self.results if event(result))

    def classes(self, wager: WagerName) -> dict[str, int]:
        """How often each class of a wager's results comes."""
        if wager in ("player_pair", "banker_pair"):
            return {"win": self.pairs["one"], "lose": self.total - self.pairs["one"]}
        found: dict[str, int] = defaultdict(int)
        for result, count in self.results:
            found[KINDS[wager].classify(result)] += count
        return dict(found)


def enumerate_rounds(decks: int, table: DrawTable = NEW_JERSEY) -> Odds:
    """Counts every round of a full pack of 1 to 12 decks played by `table`."""
    pack = [16 * decks] + [4 * decks] * 9
    size = 52 * decks
    cells: dict[tuple[Start, Ending], int] = defaultdict(int)
    for player, banker in product(combinations_with_replacement(VALUES, 2), repeat=2):
        left, ways = pack.copy(), (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        for value in (*player, *banker):
            ways *= left[value]
            left[value] -= 1
        start = Start(sum(player) % 10, sum(banker) % 10)
        for ending, count in _finish(start, left, size - 4, table):
            cells[start, ending] += ways * count
    return Odds(decks, _falling(size, 6), dict(cells))


def _finish(start: Start, left: list[int], size: int, table: DrawTable) -> Iterator[tuple[Ending, int]]:
    """The endings of a four-card start and in how many ways the last two cards lead there."""
    player, banker = start
    if max(start) >= NATURAL:
        yield Ending(player, banker, 2, 2), size * (size - 1)
    elif table.player[player] != DRAWS:
        if not table.banker_draws(banker, None):
            yield Ending(player, banker, 2, 2), size * (size - 1)
            return
        for card in VALUES:
            yield Ending(player, (banker + card) % 10, 2, 3), left[card] * (size - 1)
    else:
        for third in VALUES:
            count, ways = (player + third) % 10, left[third]
            if not table.banker_draws(banker, third):
                yield Ending(count, banker, 3, 2), ways * (size - 1)
                continue
            for card in VALUES:
                yield Ending(count, (banker + card) % 10, 3, 3), ways * (left[card] - (card == third))


def _hand(count: int, cards: int) -> list[Card]:
    """A hand with a count on so many cards, and no pair."""
    return [*("KC", "QC")[: cards - 1], f"{'JA23456789'[count]}D"]


def _falling(n: int, k: int) -> int:
    """n (n-1) ... (n-k+1): the ordered ways to draw k of n cards."""
    return prod(range(n - k + 1, n + 1))


_SIX = KINDS["lucky_6"].classify

EVENTS: dict[str, Callable[[Result], bool]] = {
    "player": lambda r: r.winner == "player",
    "banker": lambda r: r.winner == "banker",
    "tie": lambda r: r.winner == "tie",
    "player_natural": lambda r: is_natural(r.player_cards),
    "banker_natural": lambda r: is_natural(r.banker_cards),
    "both_natural": lambda r: is_natural(r.player_cards) and is_natural(r.banker_cards),
    "any_natural": lambda r: r.natural,
    "cards_4": lambda r: r.cards == 4,
    "cards_5": lambda r: r.cards == 5,
    "cards_6": lambda r: r.cards == 6,
    "cards_5_player_drew": lambda r: r.cards == 5 and len(r.player_cards) == 3,
    "cards_5_banker_drew": lambda r: r.cards == 5 and len(r.banker_cards) == 3,
    "dragon_7": lambda r: r.dragon_7,
    "panda_8": lambda r: r.panda_8,
    "lucky_6": lambda r: _SIX(r) != LOSE,
    "lucky_6_two_cards": lambda r: _SIX(r) == "two_cards",
    "lucky_6_three_cards": lambda r: _SIX(r) == "three_cards",
}


def event_counts(odds: Odds) -> dict[str, int]:
    """The counts that people ask for, by name."""
    one, both, identical = odds.pairs["one"], odds.pairs["both"], odds.pairs["identical"]
    return {
        **{name: odds.count(test) for name, test in EVENTS.items()},
        "player_pair": one,
        "banker_pair": one,
        "both_pairs": both,
        "either_pair": 2 * one - both,
        "player_identical_pair": identical,
        "banker_identical_pair": identical,
    }
