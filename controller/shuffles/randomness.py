"""Three chi-squared tests of shuffled packs, over the orders in which shoes were dealt.

Does every card come early as often as late (positions)? Do cards that belong together in a new deck follow
one another oftener than by chance (adjacency)? Do cards that were neighbours in the shoe before still lie
near one another, as after too few riffles (riffle)?
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import ceil, sqrt

from msgspec import Struct

from controller.cards import DECK, RANKS, Card
from controller.shuffles.chi_squared import critical, survival

LEVEL = 0.95
#: Parts of a shoe in which a card can lie; the last one includes what was not dealt.
PARTS = 8
#: How far apart former neighbours are looked for.
LAGS = 8
#: The smallest count that may be expected in a cell of a chi-squared test.
EXPECTED = 5.0
#: Shoes needed for that, where each part of a shoe has room for every card once.
NEEDED = 5


@dataclass
class Dealt:
    """A shoe as it was dealt; None: a card that was not read. `decks` 0: nobody said how many."""

    shoe: int
    decks: int
    pack: str | None
    journal: str = ""
    order: list[Card | None] = field(default_factory=list)

    @property
    def cards(self) -> int:
        return self.decks * len(DECK)

    @property
    def read(self) -> int:
        return sum(card is not None for card in self.order)


class ChiSquared(Struct, frozen=True, kw_only=True):
    """`p`: the chance of so large a statistic if every order is equally likely. `adjusted`: for more tests.

    `needed`: shoes for the distribution to hold. `unseen`: the excess (0.3 is 30 percent) of `unseen_of` that
    would be missed half of the time.
    """

    name: str
    asks: str
    statistic: float
    freedom: int
    p: float
    needed: int
    adjusted: float = 1.0
    unseen: float | None = None
    unseen_of: str | None = None


def _test(name: str, asks: str, statistic: float, freedom: int, needed: int, **more: object) -> ChiSquared:
    p = survival(statistic, freedom)
    return ChiSquared(
        name=name,
        asks=asks,
        statistic=round(statistic, 3),
        freedom=freedom,
        p=p,
        adjusted=p,
        needed=needed,
        **more,  # type: ignore[arg-type]
    )


def _missed(freedom: int) -> float:
    """The noncentrality at which the test at LEVEL fails half of the time: its median lies near there."""
    return critical(LEVEL, freedom) - freedom + 2 / 3


# -- positions ----------------------------------------------------------------------------------------------


def positions(shoes: Sequence[Dealt]) -> ChiSquared | None:
    """Card by part of the shoe. The pack is known, so the last part is what the other parts leave of it."""
    if not shoes:
        return None
    found: Counter[tuple[int, Card]] = Counter()
    for shoe in shoes:
        places = range(shoe.cards * (PARTS - 1) // PARTS)
        found.update(
            (at * PARTS // shoe.cards, card)
            for at, card in zip(places, shoe.order, strict=False)
            if card is not None
        )
    sizes = [sum(found[part, card] for card in DECK) for part in range(PARTS - 1)]
    # A part that few shoes came to is left to the rest.
    parts = [part for part, size in enumerate(sizes) if size >= max(sizes) / 2]
    decks = sum(shoe.decks for shoe in shoes)
    columns = [[found[part, card] for card in DECK] for part in parts]
    columns.append([decks - sum(found[part, card] for part in parts) for card in DECK])
    expected = [sum(column) / len(DECK) for column in columns]
    squares = sum(
        (count - mean) ** 2 / mean for column, mean in zip(columns, expected, strict=True) for count in column
    )
    # Drawn without replacement: a table whose margins are given varies by N / (N - 1) more.
    squares *= 1 - len(shoes) / (decks * len(DECK))
    return _test(
        "positions",
        "does every card come early as often as late?",
        squares,
        (len(DECK) - 1) * (len(columns) - 1),
        ceil(EXPECTED * len(shoes) / min(expected)),
    )


# -- adjacency ----------------------------------------------------------------------------------------------

_RELATIONS = ("same card", "next in suit", "same rank", "next rank", "same suit", "other")


@cache
def _relation(first: Card, second: Card) -> str:
    """What two cards have to do with each other; the ace lies next to the king."""
    suited = first[1] == second[1]
    step = (RANKS.index(second[0]) - RANKS.index(first[0])) % len(RANKS)
    if step == 0:
        return "same card" if suited else "same rank"
    if step in (1, len(RANKS) - 1):
        return "next in suit" if suited else "next rank"
    return "same suit" if suited else "other"


@cache
def _chances(decks: int) -> dict[str, float]:
    """How likely each relation is between neighbours of a shuffled pack."""
    chances = dict.fromkeys(_RELATIONS, 0.0)
    for card in DECK:
        chances[_relation(DECK[0], card)] += (decks - (card == DECK[0])) / (decks * len(DECK) - 1)
    return chances


def _neighbours(shoe: Dealt, lag: int = 1) -> Iterator[tuple[Card, Card]]:
    """Cards that lie so far apart, both read."""
    for first, second in zip(shoe.order, shoe.order[lag:], strict=False):
        if first is not None and second is not None:
            yield first, second


def adjacency(shoes: Sequence[Dealt]) -> ChiSquared | None:
    """Neighbours by what they have to do with each other."""
    found: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    for shoe in shoes:
        related = [_relation(*pair) for pair in _neighbours(shoe)]
        found.update(related)
        for relation, chance in _chances(shoe.decks).items():
            expected[relation] += chance * len(related)  # type: ignore[assignment]
    possible = [relation for relation in _RELATIONS if expected[relation] > 0]
    if not possible:
        return None
    freedom = len(possible) - 1
    return _test(
        "adjacency",
        "do cards follow one another as they do in a new deck?",
        sum((found[relation] - expected[relation]) ** 2 / expected[relation] for relation in possible),
        freedom,
        ceil(EXPECTED * len(shoes) / min(expected[relation] for relation in possible)),
        unseen=round(sqrt(_missed(freedom) / expected["next in suit"]), 3),
        unseen_of="neighbours of one suit and next rank",
    )


# -- riffle -------------------------------------------------------------------------------------------------


def riffle(shoes: Sequence[Dealt]) -> ChiSquared | None:
    """How often neighbours of the shoe before lie within eight places of each other, either way round.

    The shoe before is the last one of the same pack, where packs are named. A sum over places, compared with
    its mean and variance for a shuffled pack, for each of the eight distances.
    """
    found, mean, variance = [0.0] * LAGS, [0.0] * LAGS, [0.0] * LAGS
    compared = 0
    latest: dict[tuple[str, str | None], Dealt] = {}
    for shoe in shoes:
        key = (shoe.journal, shoe.pack)
        before, latest[key] = latest.get(key), shoe
        if before is None or before.decks != shoe.decks:
            continue
        compared += 1
        beside: Counter[tuple[Card, Card]] = Counter()
        for first, second in pairwise(before.order):
            if first is not None and second is not None:
                beside[first, second] += 1
                beside[second, first] += 1
        each = shoe.decks / shoe.cards
        apart, same = each * shoe.decks / (shoe.cards - 1), each * (shoe.decks - 1) / (shoe.cards - 1)
        chance = {pair: same if pair[0] == pair[1] else apart for pair in beside}
        average = sum(count * chance[pair] for pair, count in beside.items())
        square = sum(count**2 * chance[pair] for pair, count in beside.items())
        for at in range(LAGS):
            pairs = list(_neighbours(shoe, at + 1))
            found[at] += sum(beside[pair] for pair in pairs)
            mean[at] += average * len(pairs)
            variance[at] += (square - average**2) * len(pairs)
    if not compared:
        return None
    return _test(
        "riffle",
        "do the neighbours of the shoe before still lie near one another?",
        sum((f - m) ** 2 / v for f, m, v in zip(found, mean, variance, strict=True)),
        LAGS,
        NEEDED,
        unseen=round(sqrt(_missed(LAGS) * variance[0]) / mean[0], 3),
        unseen_of="former neighbours that are neighbours again",
    )


TESTS: tuple[Callable[[Sequence[Dealt]], ChiSquared | None], ...] = (positions, adjacency, riffle)
