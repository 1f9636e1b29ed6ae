"""The rules a ruleset is made of, as TOML tables: a value, where it is written, how well that is known."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from controller.facts import Source
from controller.rules.drawing import DrawCitations, DrawTable
from controller.rules.kinds import KINDS, LOSE, WagerName

Dealing = Literal["face-up", "player-down", "both-down"]
#: Where in a table, and what is wrong there and what to do.
Objection = tuple[tuple[str | int, ...], str]
StakeOutcome = Literal["win", "lose", "void"]
Rounding = Literal["exact", "up", "down", "nearest"]

#: 13:69F-7.7(c): a round needs at most six cards, so this many lie behind the cut card for each one left.
CARDS_A_ROUND = 6


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Term(Strict):
    """One rule. `source`: verified (the text was read), secondary (a summary), unverified (recalled), derived
    (ours: no text says it).
    """

    citation: str = Field(min_length=1)
    source: Source
    note: str = ""


class Seats(Term):
    max: int = Field(ge=1, le=14)


class Decks(Term):
    min: int = Field(ge=1, le=12)
    max: int = Field(ge=1, le=12)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"min {self.min} is more than max {self.max}; exchange them")
        return self


class Equipment(Term):
    required: bool


class Equipments(Strict):
    shoe: Equipment
    shuffler: Equipment


class Deal(Term):
    """13:69F-7.7(c)1 to 3; `default` where the table does not choose."""

    options: list[Dealing] = Field(min_length=1)
    default: Dealing

    @model_validator(mode="after")
    def _offered(self) -> Self:
        if self.default not in self.options:
            raise ValueError(f"default {self.default!r} is not one of options {self.options}; add it there")
        return self


HandlingCase = Literal["player", "banker", "equal", "nobody"]


class Handling(Term):
    """Who turns face-down cards (13:69F-7.7(d) to (i)). `other_hand`: as (i) allows, a patron on the other
    hand turns a hand that nobody wagered on. `seat_1`: at the dealer's right the seats count up
    counter-clockwise, as (h) goes; at the left they count down.
    """

    by: Literal["highest-wager", "dealer"]
    other_hand: bool = False
    seat_1: Literal["dealer-right", "dealer-left"] = "dealer-right"
    cites: dict[HandlingCase, str] = Field(default_factory=dict)


class DrawCites(Strict):
    """The citations of `drawing.DrawCitations`."""

    deal: str
    natural: str
    player: str
    banker: str
    banker_alone: str
    banker_low: str


class Fallback(Term):
    """Where the text gives no rule: the Banker counts concerned, after a Player draw, and the table used."""

    banker: list[int] = Field(min_length=1)
    table: str


class ThirdCard(Term):
    """`player`: D or S by count 0..9; `banker`: ten rows of eleven, no third card first."""

    player: str = Field(pattern="^[DS]{10}$")
    banker: list[Annotated[str, Field(pattern="^[DS]{11}$")]] = Field(min_length=10, max_length=10)
    cites: DrawCites
    fallback: Fallback | None = None

    def draw_table(self) -> DrawTable:
        return DrawTable(self.player, tuple(self.banker), DrawCitations(**self.cites.model_dump()))


class Burn(Term):
    """`first-card`: as many as the first card's burn value; `fixed`: `count` cards."""

    policy: Literal["none", "first-card", "fixed"]
    count: int | None = Field(default=None, ge=1, le=20)

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if (self.policy == "fixed") != (self.count is not None):
            raise ValueError('policy "fixed" goes with a count, and only it; give both or neither')
        return self


class CutPlace(Term):
    behind: int = Field(ge=1, le=312)


class LastRound(Term):
    rounds_after: int = Field(ge=0, le=20)


class CutCard(Term):
    """`shows`: cutting cards that a shoe may show. `place.behind`: cards behind the one that ends it."""

    shows: Literal[1, 2]
    place: CutPlace
    last_round: LastRound

    @model_validator(mode="after")
    def _enough(self) -> Self:
        need = CARDS_A_ROUND * (1 + self.last_round.rounds_after)
        if self.place.behind < need:
            raise ValueError(
                f"{self.place.behind} cards behind the cut card do not last for the round it comes in and "
                f"{self.last_round.rounds_after} more; set place.behind to at least {need}"
            )
        return self


class Definition(Term):
    text: str


# -- wagers -------------------------------------------------------------------------------------------------


@lru_cache
def ratio(text: str) -> Fraction:
    """`"3:2"` -> 3/2, `"0.54:1"` -> 27/50. Raises ValueError unless positive and exact in decimal money."""
    parts = re.fullmatch(r"(\d{1,6}(?:\.\d{1,4})?):(\d{1,6})", text)
    odds = Fraction(parts[1]) / int(parts[2]) if parts and int(parts[2]) else Fraction(0)
    if odds <= 0:
        raise ValueError(f'{text!r} are no odds; write them as "8:1", or "void" or "lose"')
    rest = odds.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        raise ValueError(f"odds {text!r} cannot be paid exactly in decimal money; use odds that can")
    return odds


@lru_cache
def percent(text: str) -> Fraction:
    """`"5%"` -> 1/20. Raises ValueError."""
    parts = re.fullmatch(r"(\d{1,2}(?:\.\d{1,3})?)%", text)
    if not parts:
        raise ValueError(f'{text!r} is no percentage below 100; write it as "5%"')
    return Fraction(parts[1]) / 100


@lru_cache
def money(text: str) -> Fraction:
    """`"2.50"` -> 5/2. Raises ValueError unless it is a positive decimal of at most four places."""
    if not re.fullmatch(r"\d{1,12}(\.\d{1,4})?", text) or not Fraction(text):
        raise ValueError(f"{text!r} is no amount of money; write a positive decimal such as 25 or 2.50")
    return Fraction(text)


def _odds(text: str) -> str:
    if text not in ("void", LOSE):
        ratio(text)
    return text


def _percentage(text: str) -> str:
    percent(text)
    return text


def _amount(text: str) -> str:
    money(text)
    return text


Odds = Annotated[str, AfterValidator(_odds)]
Percentage = Annotated[str, AfterValidator(_percentage)]
Amount = Annotated[str, AfterValidator(_amount)]


class AlsoOnTies(Term):
    """13:69F-7 wagers (a)1.iii reads as an alternative to a charge on wins: both only `knowingly`."""

    rate: Percentage
    knowingly: bool = False

    @model_validator(mode="after")
    def _known(self) -> Self:
        if not self.knowingly:
            raise ValueError(
                "charges Banker on wins and on ties at once, which 13:69F-7 wagers (a)1.iii reads as "
                "alternatives; remove it, or add `knowingly = true`"
            )
        return self


class Vigorish(Term):
    """`on`: what is charged. A charge on a win is of the winnings, on a tie of the stake. `rounding`: of the
    charge to a multiple of `chip`; `nearest` rounds a half up.
    """

    on: Literal["none", "banker-wins", "every-win", "banker-ties"]
    rate: Percentage = "0%"
    collected: Literal["each-round", "later"] = "each-round"
    rounding: Rounding = "exact"
    chip: Amount | None = None
    also_on_ties: AlsoOnTies | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.on == "none") != (percent(self.rate) == 0):
            raise ValueError('give a rate above 0% with what it is charged on, or on = "none" without a rate')
        if (self.rounding == "exact") != (self.chip is None):
            raise ValueError("rounding needs the chip it rounds to; give both or neither")
        if self.also_on_ties and self.on == "banker-ties":
            raise ValueError("charges ties twice; remove also_on_ties")
        return self


def outcome_of(price: str) -> StakeOutcome:
    """What becomes of the stake at a price of a pay table."""
    return "void" if price == "void" else "lose" if price == LOSE else "win"


class PayTable(Strict):
    """`pays`: odds by the classes of `kinds`; `figures`: where those odds are written."""

    pays: dict[str, Odds]
    figures: Term

    def price(self, kind: str) -> str:
        """Odds, `void` or `lose`, for a class of this wager's results."""
        return LOSE if kind == LOSE else self.pays.get(kind, self.pays.get("win", "void"))

    def objections(self, wager: WagerName) -> Iterator[Objection]:
        """Classes of the wager without a price, and prices it does not know."""
        kind = KINDS[wager]
        for name in kind.must:
            if name not in self.pays:
                yield ("pays",), f"lacks {name}; add its odds"
        for name in self.pays:
            if name not in kind.must + kind.may:
                yield ("pays", name), f"{wager} knows no such result; remove it"


class Wager(PayTable):
    """`cites`: a rule for each class or outcome (`win`, `lose`, `void`). `needs_main_wager`: 13:69F-7 wagers
    (b), a bonus wager only beside one on a hand.
    """

    cites: dict[str, Term]
    needs_main_wager: bool = False

    def cite(self, kind: str) -> Term:
        """The rule behind a class of results."""
        return self.cites.get(kind) or self.cites[outcome_of(self.price(kind))]

    def objections(self, wager: WagerName) -> Iterator[Objection]:
        yield from super().objections(wager)
        classes = (*KINDS[wager].must, *KINDS[wager].may, LOSE)
        for name in self.cites:
            if name not in (*classes, "win", "void"):
                yield ("cites", name), f"{wager} knows no such result; remove it"
        for name in classes:
            if name not in self.cites and outcome_of(self.price(name)) not in self.cites:
                yield ("cites",), f"has no rule for {name}; add one"


class Permitted(Term):
    """The wagers a law knows; `approved`: further ones allowed in writing; `no_vigorish_only`: those that go
    only with a Banker wager void on a dragon 7.
    """

    wagers: list[WagerName]
    approved: list[WagerName] = []
    no_vigorish_only: list[WagerName] = []


class Exclusion(Term):
    wager: WagerName
    beside: list[WagerName] = Field(min_length=1)
