"""Shoes that are dealt by the rules, as a table is told of them: random, seeded, and known in advance.

Used to show that a legal game raises nothing, and as the ground on which departures are tried.
"""

import random
from dataclasses import dataclass, field

from controller.cards import Card, Hand, pack
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CutCardDrawn,
    DeviceResult,
    ResultConfirmed,
    ShoeLoaded,
    Slot,
)
from controller.orders import Event
from controller.play.boundaries import Boundaries
from controller.rules.drawing import due
from controller.rules.outcome import Result, judge
from controller.rules.ruleset import Ruleset, burn_value


@dataclass(frozen=True)
class Step:
    """One event, and how things stand before it. `round`: 0 before the first one is opened.

    `phase`: `burn`, `betting` (until bets are closed), `dealing` (until the last card), `decided`.
    """

    event: Event
    round: int
    phase: str
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    @property
    def hands(self) -> dict[Hand, tuple[Card, ...]]:
        return {"player": self.player, "banker": self.banker}


@dataclass
class LegalShoe:
    """`rounds`: what must be decided, in order. `rest`: cards that never left the shoe."""

    ruleset: Ruleset
    decks: int
    boundaries: Boundaries
    slots: bool
    steps: list[Step] = field(default_factory=list)
    rounds: list[Result] = field(default_factory=list)
    rest: list[Card] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        return [step.event for step in self.steps]


def legal_shoe(
    chance: random.Random,
    ruleset: Ruleset,
    decks: int = 8,
    boundaries: Boundaries = "announced",
    *,
    slots: bool = True,
    rounds: int | None = None,
    cut: bool = True,
) -> LegalShoe:
    """A shoe from its pack to its last round, or to so many `rounds`; without a cut card to its end.

    `slots`: the shoe names the hand of each card.
    """
    shoe = LegalShoe(ruleset, decks, boundaries, slots)
    cards = list(pack(decks))
    chance.shuffle(cards)
    _Dealer(shoe, cards, cut).deal(rounds)
    shoe.rest = cards[::-1]
    return shoe


class _Dealer:
    """Deals `cards` from the end of the list."""

    def __init__(self, shoe: LegalShoe, cards: list[Card], cut: bool) -> None:
        self.shoe = shoe
        self.cards = cards
        self.cut_behind = shoe.ruleset.cut_card.place.behind if cut else -1
        #: rounds that may still begin; None: the cut card has not come
        self.left: int | None = None
        self.round = 0
        self.hands: dict[Hand, list[Card]] = {"player": [], "banker": []}
        self.phase = "burn"

    def deal(self, rounds: int | None) -> None:
        self._tell(ShoeLoaded(decks=self.shoe.decks))
        self._burn()
        while self.left != 0 and self.round != rounds and len(self.cards) >= 6:
            self._deal_round()

    def _tell(self, event: Event) -> None:
        player, banker = self.hands.values()
        self.shoe.steps.append(Step(event, self.round, self.phase, tuple(player), tuple(banker)))

    def _draw(self, slot: Slot | None, index: int | None = None) -> Card:
        if len(self.cards) == self.cut_behind:
            self.cut_behind = -1
            inside = any(self.hands.values())
            self.left = self.shoe.ruleset.rounds_after_cut_card if inside else 0
            self._tell(CutCardDrawn())
        card = self.cards.pop()
        named = self.shoe.slots
        self._tell(CardDrawn(card=card, slot=slot if named else None, index=index if named else None))
        return card

    def _burn(self) -> None:
        policy = self.shoe.ruleset.burn
        count = policy.count or 0
        if policy.policy == "first-card":
            count = burn_value(self._draw("first"))
        for _ in range(count):
            self._draw("burn")

    def _deal_round(self) -> None:
        announced = self.shoe.boundaries == "announced"
        self.round += 1
        self.left = None if self.left is None else self.left - 1
        self.phase = "betting"
        if announced:
            self._tell(BetsOpened())
            self._tell(BetsClosed())
        self.phase = "dealing"
        draw = self.shoe.ruleset.draw
        while (hand := due(self.hands["player"], self.hands["banker"], draw).hand) is not None:
            self.hands[hand].append(self._draw(hand, len(self.hands[hand]) + 1))
        self.phase = "decided"
        result = judge(self.hands["player"], self.hands["banker"])
        self.shoe.rounds.append(result)
        if self.shoe.boundaries == "device" or (announced and self.shoe.slots):
            self._tell(claim(result))
        if announced:
            self._tell(ResultConfirmed())
        self.hands = {"player": [], "banker": []}


def claim(result: Result) -> DeviceResult:
    """What a shoe that knows the rules reports."""
    return DeviceResult(
        winner=result.winner,
        player_pair=result.player_pair,
        banker_pair=result.banker_pair,
        forced_quit=False,
    )
