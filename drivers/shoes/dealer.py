"""A simulated dealer who keeps the house's procedure: loads, burns, deals by the rules, changes the pack."""

import random
from collections.abc import Generator
from itertools import count
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from controller.cards import Card, pack
from controller.ports import ConfigurationError
from controller.rules.drawing import POINTS, due
from controller.rules.outcome import judge
from drivers.packs import pack_name, shuffled
from drivers.shoes.acts import CUT, Act, Fetch, Item, Load, Power, Pull, RoundDealt, Settle, Step

MOST = 6  # cards of a round
FIRST_PAUSE = 3.0  # seconds from switching on to the first card


class House(BaseModel):
    """`cut_at`: cards behind the cut card. `shoes`, `rounds`: stop after so many; None: never.

    Pauses in seconds, each stretched at random by up to `jitter` of itself. `cards`: the order of the first
    pack instead of a shuffle. `brought`: no pack but those that are brought, which are waited for. The same
    seed deals the same cards at the same times.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    decks: int = Field(default=8, ge=1, le=12)
    cards: tuple[Card, ...] | None = None
    brought: bool = False
    burn: bool = True
    cut_at: int = Field(default=14, ge=0)
    rounds_after: int = Field(default=1, ge=0, le=9)
    shoes: int | None = Field(default=None, ge=1)
    rounds: int | None = Field(default=None, ge=1)
    card_pause: float = Field(default=1.0, gt=0)
    round_pause: float = Field(default=5.0, ge=2)
    pack_pause: float = Field(default=20.0, ge=2)
    jitter: float = Field(default=0.25, ge=0, le=2)

    @model_validator(mode="after")
    def _enough_behind_the_cut(self) -> Self:
        if self.cut_at < (least := MOST * (1 + self.rounds_after)):
            raise ValueError(
                f"{self.cut_at} cards behind the cut card are too few for the round it comes in "
                f"and {self.rounds_after} more; cut at least {least} from the end"
            )
        return self


def house(**options: Any) -> House:
    """A House from options. Raises ConfigurationError that names the option."""
    try:
        return House(**options)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"simulated dealer: {f'{where}: ' if where else ''}{first['msg']}") from None


class _Empty(Exception):  # noqa: N818
    """Nothing came out of the shoe."""


Dealing = Generator[Step, Item, None]


class Dealer:
    """`deal` yields the steps; each `Pull` is answered with the item that came out."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._random = random.Random(house.seed)
        self._rounds = 0
        self._left: int | None = None  # rounds after the present one; None before the cut card

    def deal(self) -> Dealing:
        """Shoe after shoe, until the house's limits or until no card comes."""
        try:
            for shoe in count(1):
                yield from self._shoe(shoe)
                if shoe == self._house.shoes or self._rounds == self._house.rounds:
                    return
                yield self._step(self._house.pack_pause, Power(on=False))
        except _Empty:
            return

    def _shoe(self, shoe: int) -> Dealing:
        self._left = None
        yield self._step(1.0, self._load(shoe))
        yield self._step(1.0, Power())
        if self._house.burn:
            yield from self._burn()
        for number in count(1):
            yield from self._round(shoe, number)
            self._rounds += 1
            if self._left == 0 or self._rounds == self._house.rounds:
                return
            if self._left is not None:
                self._left -= 1

    def _load(self, shoe: int) -> Load | Fetch:
        if self._house.brought:
            return Fetch(decks=self._house.decks, cut_at=self._house.cut_at)
        given = self._house.cards if shoe == 1 else None
        name = pack_name(self._house.seed, shoe)
        return Load(
            cards=given or shuffled(name, pack(self._house.decks)),
            decks=self._house.decks,
            cut_at=self._house.cut_at,
            pack=name,
        )

    def _burn(self) -> Dealing:
        """The first card is exposed; its value, ten for court cards, is the number burned after it."""
        first = yield from self._pull(FIRST_PAUSE, Pull(slot="first"))
        for _ in range(POINTS[first] or 10):
            yield from self._pull(self._house.card_pause, Pull(slot="burn"))

    def _round(self, shoe: int, number: int) -> Dealing:
        hands: dict[str, list[Card]] = {"player": [], "banker": []}
        pause = self._house.round_pause
        while hand := due(hands["player"], hands["banker"]).hand:
            pull = Pull(slot=hand, index=len(hands[hand]) + 1)
            card = yield from self._pull(pause, pull, hands["player"])
            hands[hand].append(card)
            pause = self._house.card_pause
        result = judge(hands["player"], hands["banker"])
        dealt = RoundDealt(
            shoe=shoe,
            round=number,
            winner=result.winner,
            player_cards=result.player_cards,
            banker_cards=result.banker_cards,
        )
        yield self._step(self._house.card_pause, Settle(dealt=dealt))

    def _pull(self, pause: float, pull: Pull, begun: list[Card] | None = None) -> Generator[Step, Item, Card]:
        """The card, after laying a cut card aside. `begun`: the round has cards already."""
        item = yield self._step(pause, pull)
        if item == CUT:
            # In place of a round's first card: the round that begins is the last.
            self._left = self._house.rounds_after if begun else 0
            item = yield self._step(self._house.card_pause, pull)
        if item is None:
            raise _Empty
        return item

    def _step(self, pause: float, act: Act) -> Step:
        return Step(pause * (1 + self._random.uniform(0, self._house.jitter)), act)
