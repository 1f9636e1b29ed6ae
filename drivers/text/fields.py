"""The fields that a profile describes: numbers, choices, texts, amounts and cards, each as data."""

import re
from abc import abstractmethod
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from controller.cards import RANKS, SUITS, Card
from drivers.text.section import Section, is_table, is_words, like, spelled
from drivers.text.spelling import Lookup, Nullable, Run, Series, Spelling, Value

LONGEST = 18  # digits of a number
Words = str | list[str]
#: What stands for some of the ranks or suits.
Spelled = Annotated[
    dict[str, Words],
    like(lambda value: is_table(value, is_words), 'a table of texts, as { T = "10" } or { T = ["T", "10"] }'),
]
#: What stands for what in a choice.
Options = Annotated[
    list[str] | dict[str, str | int | bool],
    like(
        lambda value: bool(value) and (is_table(value) or (isinstance(value, list) and is_words(value))),
        'words, as ["on", "off"], or a table, as { Y = true }',
    ),
]


class Numbers(Section):
    """Cards counted from `first`, in the order of `suits` and within each of `ranks`; with `by` = "rank" suit
    by suit within each rank. `digits`: exactly so many, with leading zeros.
    """

    first: int = Field(default=1, ge=0, le=1000)
    suits: str = SUITS
    ranks: str = RANKS
    by: Literal["suit", "rank"] = "suit"
    digits: int = Field(default=1, ge=1, le=4)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for name, given, all_of_them in (("suits", self.suits, SUITS), ("ranks", self.ranks, RANKS)):
            if sorted(given) != sorted(all_of_them):
                raise ValueError(f"{name} must have each of {all_of_them} once, not {given!r}")
        return self

    @property
    def written(self) -> list[tuple[str, Card]]:
        """Each card and its number."""
        cards = [rank + suit for suit in self.suits for rank in self.ranks]
        if self.by == "rank":
            cards = [rank + suit for rank in self.ranks for suit in self.suits]
        return [(f"{number:0{self.digits}d}", card) for number, card in enumerate(cards, self.first)]


class CardSpelling(Section):
    """How a card is written. `ranks`, `suits`: what stands for each where it is not its own letter; of a list
    the first is sent, and each is understood. `numbers`: each card is a number instead.
    """

    order: Literal["rank-suit", "suit-rank"] = "rank-suit"
    ranks: Spelled = Field(default_factory=dict)
    suits: Spelled = Field(default_factory=dict)
    numbers: Numbers | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.numbers and (self.ranks or self.suits):
            raise ValueError("numbers stand for whole cards; remove ranks and suits, or numbers")
        return self

    @field_validator("ranks")
    @classmethod
    def _known_ranks(cls, given: dict[str, Words]) -> dict[str, Words]:
        return _known(given, RANKS)

    @field_validator("suits")
    @classmethod
    def _known_suits(cls, given: dict[str, Words]) -> dict[str, Words]:
        return _known(given, SUITS)

    @cached_property
    def written(self) -> list[tuple[str, Card]]:
        """Every spelling of every card, of each card the one that is sent first."""
        if self.numbers:
            return self.numbers.written
        return [
            (r + s if self.order == "rank-suit" else s + r, rank + suit)
            for suit in SUITS
            for rank in RANKS
            for r in _spellings(self.ranks, rank)
            for s in _spellings(self.suits, suit)
        ]

    def clash(self, any_case: bool) -> str | None:
        """Two cards that are written alike, in words; None: each can be told from every other."""
        seen: dict[str, Card] = {}
        for text, card in self.written:
            first = seen.setdefault(text.lower() if any_case else text, card)
            if first != card:
                return f"{first} and {card} are both written {text!r}"
        return None


def _known(given: dict[str, Words], names: str) -> dict[str, Words]:
    for name, text in given.items():
        if len(name) != 1 or name not in names:
            raise ValueError(f"{name!r} is none of {', '.join(names)}")
        if not text or not all(text):
            raise ValueError(f"{name!r} is spelled by nothing; write how the device spells it")
    return given


def _spellings(given: Mapping[str, Words], name: str) -> list[str]:
    spelled = given.get(name, name)
    return [spelled] if isinstance(spelled, str) else spelled


class _Field(Section):
    """`null`: how "not known" is written; empty: it never is. `default`: what is sent where nothing of ours
    belongs.
    """

    null: str = ""
    default: str = ""

    def spelling(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        """How its values are written; `stop`: the text that follows it in a message."""
        known = self.known(cards, any_case, stop)
        return Nullable(known, self.null, any_case) if self.null else known

    @abstractmethod
    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        """The same without "not known"."""


class NumberField(_Field):
    """`digits`: exactly so many, with leading zeros. `names`: words that stand for numbers; `other`: the word
    for any other number, as `code-{}` (decimal). With neither the value is the number.
    """

    kind: Literal["number"]
    base: Literal[10, 16] = 10
    digits: int | None = Field(default=None, ge=1, le=LONGEST)
    names: dict[str, int] = Field(default_factory=dict)
    other: Annotated[str, spelled(r"|[^{}]*\{\}[^{}]*", "a text with {} in it, as code-{}")] = ""

    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        one = "[0-9]" if self.base == 10 else "[0-9A-F]"
        most = self.digits or LONGEST
        whole = "" if self.digits else f"(?!{one})"
        flags = re.IGNORECASE if any_case else re.NOFLAG
        return Run(
            re.compile(f"{one}{{{self.digits or 1},{most}}}{whole}", flags),
            re.compile(f"{one}{{0,{most}}}", flags),
            lambda text: self._named(int(text, self.base)),
            self._written,
            self._samples(),
        )

    @property
    def _is_plain(self) -> bool:
        return not self.names and not self.other

    def _samples(self) -> list[Value]:
        if self._is_plain:
            return [1, 2]
        free = next(n for n in range(1, len(self.names) + 2) if n not in self.names.values())
        return [*self.names, *([self.other.format(free)] if self.other else [])]

    def _named(self, number: int) -> Value:
        if self._is_plain:
            return number
        named = next((name for name, n in self.names.items() if n == number), None)
        return named or (self.other.format(number) if self.other else None)

    def _written(self, value: Value) -> str | None:
        number = value if type(value) is int and self._is_plain else self._number(value)
        if number is None or number < 0 or self._named(number) != value:
            return None
        return f"{number:0{self.digits or 1}{'d' if self.base == 10 else 'X'}}"

    def _number(self, value: Value) -> int | None:
        if isinstance(value, str) and value in self.names:
            return self.names[value]
        before, _, after = self.other.partition("{}")
        inner = re.fullmatch(f"{re.escape(before)}([0-9]{{1,{LONGEST}}}){re.escape(after)}", str(value))
        return int(inner[1]) if self.other and inner else None


class ChoiceField(_Field):
    """`options`: words that stand for themselves, or a table from what is written to what it means."""

    kind: Literal["choice"]
    options: Options

    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        if isinstance(self.options, dict):
            return Lookup(list(self.options.items()), any_case)
        return Lookup([(word, word) for word in self.options], any_case)


class TextField(_Field):
    """Printable text up to what follows. `characters`: only these. `any_byte`: also what cannot be printed.
    `contains`: words it must have in it.
    """

    kind: Literal["text"]
    characters: str = ""
    any_byte: bool = False
    contains: str = ""
    least: int = Field(default=0, ge=0, le=1024)
    most: int = Field(default=64, ge=1, le=1024)

    @model_validator(mode="after")
    def _least_first(self) -> Self:
        if self.least > self.most:
            raise ValueError(f"least is {self.least} and most is {self.most}; mend one of them")
        return self

    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        some = r"[\x00-\xff]" if self.any_byte else r"[\x20-\x7e]"
        one = f"[{re.escape(self.characters)}]" if self.characters else some
        one = f"(?:(?!{re.escape(stop)}){one})" if stop else one
        flags = re.IGNORECASE if any_case else re.NOFLAG
        wanted = re.compile(re.escape(self.contains), flags)
        return Run(
            re.compile(f"{one}{{{self.least},{self.most}}}(?!{one})", flags),
            re.compile(f"{one}{{0,{self.most}}}", flags),
            lambda text: text if wanted.search(text) else None,
            lambda value: value if isinstance(value, str) and wanted.search(value) else None,
            [self.default or self.contains or self._first(stop) * max(1, self.least)],
        )

    def _first(self, stop: str) -> str:
        """A character that it may have."""
        return next((one for one in self.characters or "ab" if one != stop[:1]), "a")


class WordsField(_Field):
    """One or more of `words`, with a blank between them."""

    kind: Literal["words"]
    words: list[Annotated[str, spelled(r"[\x21-\x7e]+", "a word without blanks")]] = Field(min_length=1)

    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        one = "|".join(re.escape(word) for word in sorted(self.words, key=len, reverse=True))
        some = re.escape("".join(sorted({" ", *"".join(self.words)})))
        flags = re.IGNORECASE if any_case else re.NOFLAG
        return Run(
            re.compile(f"(?:{one})(?: (?:{one}))*", flags),
            re.compile(f"[{some}]*", flags),
            lambda text: text,
            lambda value: value if isinstance(value, str) else None,
            [*self.words, " ".join(self.words)],
        )


class MoneyField(_Field):
    """An amount as a decimal string. `decimals`: the last so many digits are behind a point that is not
    written; without it the point is. `digits`: exactly so many, with leading zeros.
    """

    kind: Literal["money"]
    decimals: int | None = Field(default=None, ge=0, le=4)
    digits: int | None = Field(default=None, ge=1, le=12)

    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        count = f"{{{self.digits or 1},{self.digits or 12}}}"
        point = r"(?:\.[0-9]{1,4})?" if self.decimals is None else ""
        whole = "" if self.digits and not point else "(?![0-9.])"
        return Run(
            re.compile(f"[0-9]{count}{point}{whole}"),
            re.compile(r"[0-9]{0,12}" + (r"(?:\.[0-9]{0,4})?" if point else "")),
            self._meant,
            self._written,
            [self._meant("5" if self.decimals is None else f"5{'0' * self.decimals}")],
        )

    def _meant(self, text: str) -> Value:
        return text if self.decimals is None else f"{Decimal(text).scaleb(-self.decimals):f}"

    def _written(self, value: Value) -> str | None:
        try:
            amount = Decimal(str(value))
        except InvalidOperation:
            return None
        if self.decimals is None:
            return str(value)
        units = amount.scaleb(self.decimals)
        return f"{int(units):0{self.digits or 1}d}" if units == int(units) >= 0 else None


class CardField(_Field):
    """One card, as `[card]` says."""

    kind: Literal["card"]

    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        return Lookup(list(cards.written), any_case)


class CardsField(_Field):
    """Cards with `separator` between them, at most `most`; `none`: how "no card" is written."""

    kind: Literal["cards"]
    separator: str = Field(default=",", min_length=1)
    none: str = Field(min_length=1)
    most: int = Field(default=20, ge=1, le=52)

    def known(self, cards: CardSpelling, any_case: bool, stop: str = "") -> Spelling:
        return Series(Lookup(list(cards.written), any_case), self.separator, self.none, self.most, any_case)


AnyField = NumberField | ChoiceField | TextField | WordsField | MoneyField | CardField | CardsField
FieldSection = Annotated[AnyField, Field(discriminator="kind")]
#: In every profile without being described.
BUILT_IN: Mapping[str, AnyField] = {"card": CardField(kind="card")}
