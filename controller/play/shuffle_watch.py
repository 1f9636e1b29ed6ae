"""Is this pack shuffled? Watched card by card as a shoe is dealt, so that a game can be stopped in time.

A gambler is set on each way in which cards may lie in order. Before every card he bets that the order goes
on, at the odds of an honest shuffle: the copies of the cards he names among those not yet seen. He is given
another 1 at every card and never takes anything out, so in a shuffled shoe he is expected to hold at most
the number of cards dealt, and the chance that he ever holds `cards / alpha` is at most `alpha` (optional
stopping, as for a Shiryaev-Roberts statistic). That holds for any number of decks, with cards burned and
unread.

False alarms: the alphas add up to 0.85 in 100,000 shoes. Measured with `measure`: none in 100,000 shoes of
eight decks, none in 100,000 of six (seed 1); with thresholds a thousand times lower 29 and 30 shoes in
10,000, where the bound is 85 (seed 2).

Alarm: after at most 15 cards of a new-deck order or of a pack that lies by suit or by rank, after at most ten
of a repeated order (tests/unit/test_shuffle_watch.py). A card costs a few dozen additions, however many came
before.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from controller.cards import DECK, RANKS, SUITS, Card

#: What a gambler stakes of his fortune on the cards he names; the rest covers his being wrong once.
CONFIDENCE = 0.99
WRONG = 1 - CONFIDENCE
#: Chance of a false alarm of one gambler in one shoe; more for the cards of one suit, to tell them in time.
ALPHA = 1e-6
SUIT_ALPHA = 1.5e-6

_KINDS, _STEPS, _SUITS = len(DECK), len(RANKS), len(SUITS)
_NUMBER = {card: RANKS.index(card[0]) * _SUITS + SUITS.index(card[1]) for card in DECK}


class Unseen:
    """The cards of a pack that were not read yet. One that left unread is as unknown as one in the shoe."""

    def __init__(self, decks: int) -> None:
        self.total = decks * _KINDS
        self.card = [decks] * _KINDS
        self.rank = [decks * _SUITS] * _STEPS
        self.suit = [decks * _STEPS] * _SUITS

    def see(self, card: int) -> None:
        """A card was read. One that the pack cannot hold changes nothing."""
        if self.card[card] > 0:
            self.total -= 1
            self.card[card] -= 1
            self.rank[card // _SUITS] -= 1
            self.suit[card % _SUITS] -= 1


def _step(last: int, now: int) -> int:
    """How far the rank went up, 0 to 12; from the king to the ace is one up."""
    return (now // _SUITS - last // _SUITS) % _STEPS


@dataclass(frozen=True)
class Order:
    """A way in which cards may lie. Cards by number, `before` and `last` the two that came last.

    `copies`: how many unseen cards would go on with it. `goes_on`: the card `now` does.
    """

    reason: str
    alpha: float
    copies: Callable[[int, int, Unseen], int]
    goes_on: Callable[[int, int, int], bool]


def _copies(last: int, step: int, unseen: Unseen) -> int:
    return unseen.rank[(last // _SUITS + step) % _STEPS]


def _stay_or(reason: str, step: int) -> Order:
    """The rank stays, or goes up by this step."""
    return Order(
        reason,
        ALPHA,
        lambda _, last, unseen: _copies(last, 0, unseen) + _copies(last, step, unseen),
        lambda _, last, now: _step(last, now) in (0, step),
    )


_UP, _DOWN = 1, _STEPS - 1
ORDERS: tuple[Order, ...] = (
    Order(
        "new-deck order: the ranks of one suit, one after another",
        ALPHA,
        lambda _, last, unseen: unseen.card[(last + 4) % _KINDS] + unseen.card[(last - 4) % _KINDS],
        lambda _, last, now: (now - last) % _KINDS in (4, _KINDS - 4),
    ),
    Order(
        "the ranks go on in equal steps",
        ALPHA,
        lambda before, last, unseen: _copies(last, _step(before, last), unseen),
        lambda before, last, now: _step(last, now) == _step(before, last),
    ),
    _stay_or("the ranks stay or go up by one", _UP),
    _stay_or("the ranks stay or go down by one", _DOWN),
    Order(
        "cards of one suit, one after another",
        SUIT_ALPHA,
        lambda _, last, unseen: unseen.suit[last % _SUITS],
        lambda _, last, now: now % _SUITS == last % _SUITS,
    ),
)


class Echo:
    """Gamblers who bet that cards come in an order that was dealt before: one for each place to read on from.

    `direction`: 1 as they were dealt, -1 backwards. Only the places where the card lies that came now are
    looked at, at most as many as there are copies of it; who was wrong meanwhile pays when he is right again.
    """

    def __init__(self, reason: str, source: Sequence[int | None], direction: int) -> None:
        self.reason = reason
        self._direction = direction
        self._places: defaultdict[int, list[int]] = defaultdict(list)
        self._fortunes: dict[int, tuple[float, int]] = {}
        for place, card in enumerate(source):
            if card is not None:
                self.add(card, place)

    def add(self, card: int, place: int) -> None:
        """The card lies there."""
        self._places[card].append(place)

    def bet(self, card: int, at: int, reads: int, odds: float) -> float:
        """The best fortune after a card, drawn in place `at` as the `reads`-th that was read."""
        fortunes, nothing = self._fortunes, (0.0, reads - 1)
        best = 0.0
        for place in self._places[card]:
            lane = place - self._direction * at
            fortune, last = fortunes.get(lane, nothing)
            fortune = (1.0 + fortune * WRONG ** (reads - last - 1)) * CONFIDENCE * odds
            fortunes[lane] = (fortune, reads)
            if fortune > best:
                best = fortune
        return best


class ShuffleWatch:
    """One shoe. `previous`: what the shoes before it dealt, one after another; None is an unread card.

    `eased`: thresholds are divided by it, for measuring; 1 in play.
    """

    def __init__(self, decks: int, previous: Sequence[Card | None] = (), eased: float = 1.0) -> None:
        #: every card that left this shoe
        self.order: list[Card | None] = []
        cards = decks * _KINDS
        alpha = ALPHA * eased
        self._unseen = Unseen(decks)
        self._reads = 0
        self._before: int | None = None
        self._last: int | None = None
        self._orders = [(order, cards / order.alpha / eased) for order in ORDERS]
        self._fortunes = [0.0] * len(ORDERS)
        # Thresholds: every place in this shoe paired with every one that may be repeated there.
        self._own = Echo("cards of this shoe come again in the same order", (), 1)
        self._echoes = [(self._own, cards * (cards - 1) / 2 / alpha)]
        if previous:
            source = [None if card is None else _NUMBER[card] for card in previous]
            for way, words in ((1, ""), (-1, ", backwards")):
                earlier = Echo(f"the cards come in the order of an earlier shoe{words}", source, way)
                self._echoes.append((earlier, cards * len(source) / alpha))
        self._told: set[str] = set()

    def see(self, card: Card | None) -> str | None:
        """A card left the shoe: why the pack cannot have been shuffled, said once for each reason."""
        at = len(self.order)
        self.order.append(card)
        if card is None:
            # What lies between is unknown, so nobody names the next card.
            self._before = self._last = None
            return None
        number = _NUMBER[card]
        reasons = [*self._in_order(number), *self._repeated(number, at)]
        self._unseen.see(number)
        self._own.add(number, at)
        self._before, self._last = self._last, number
        fresh = [reason for reason in reasons if reason not in self._told]
        self._told.update(fresh)
        return fresh[0] if fresh else None

    def _in_order(self, number: int) -> list[str]:
        last, unseen = self._last, self._unseen
        if last is None:
            return []
        # The first step has none before it that it could equal.
        before = last if self._before is None else self._before
        reasons = []
        for at, (order, enough) in enumerate(self._orders):
            copies = order.copies(before, last, unseen)
            if not 0 < copies < unseen.total:
                continue
            right = order.goes_on(before, last, number)
            factor = CONFIDENCE * unseen.total / copies if right else WRONG
            self._fortunes[at] = (1.0 + self._fortunes[at]) * factor
            if self._fortunes[at] >= enough:
                reasons.append(order.reason)
        return reasons

    def _repeated(self, number: int, at: int) -> list[str]:
        copies = self._unseen.card[number]
        if copies == 0:
            return []
        self._reads += 1
        odds = self._unseen.total / copies
        return [
            echo.reason for echo, enough in self._echoes if echo.bet(number, at, self._reads, odds) >= enough
        ]


def measure(shoes: int, decks: int, seed: int = 1, eased: float = 1.0) -> int:
    """How many of so many shuffled shoes, each following the one before, raise an alarm.

    `eased`: so many times as often as in play at most, to be compared with the bound.
    """
    random = Random(seed)
    pack = list(DECK) * decks
    previous: list[Card | None] = []
    alarms = 0
    for _ in range(shoes):
        random.shuffle(pack)
        watch = ShuffleWatch(decks, previous, eased)
        told = [watch.see(card) for card in pack]
        alarms += any(told)
        previous = watch.order
    return alarms
