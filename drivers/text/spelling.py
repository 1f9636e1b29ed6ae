"""How values stand in text, for reading and for writing. Everything is read greedily and once, so that no
message can make reading slow.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

Value = str | int | bool | list[str] | None
Taken = tuple[Value, int]


class Spelling(Protocol):
    """How the values of one field are written."""

    @property
    def samples(self) -> Sequence[Value]:
        """Some of the values."""

    def take(self, text: str, at: int) -> Taken | None:
        """The value that stands there and where it ends; None: there is none."""

    def begins(self, rest: str) -> bool:
        """The whole of `rest` may be the beginning of a value."""

    def spell(self, value: Value) -> str | None:
        """The value as it is sent; None: it cannot be."""


def is_whole(spelling: Spelling, text: str) -> bool:
    """All of the text is one value."""
    found = spelling.take(text, 0)
    return found is not None and found[1] == len(text)


def _folding(any_case: bool) -> Callable[[str], str]:
    return str.lower if any_case else str


def _key(value: Value) -> tuple[str, str]:
    return type(value).__name__, str(value)


class Lookup:
    """Words that stand for values; of the words for one value the first is sent, and each is understood."""

    def __init__(self, words: Sequence[tuple[str, Value]], any_case: bool = False) -> None:
        self._fold = _folding(any_case)
        self._values = {self._fold(word): value for word, value in words}
        self._longest_first = sorted(self._values, key=len, reverse=True)
        self._sent = {_key(value): word for word, value in reversed(words)}
        self.samples = list({_key(value): value for _, value in words}.values())

    def take(self, text: str, at: int) -> Taken | None:
        text = self._fold(text)
        word = next((word for word in self._longest_first if text.startswith(word, at)), None)
        return None if word is None else (self._values[word], at + len(word))

    def begins(self, rest: str) -> bool:
        return any(word.startswith(self._fold(rest)) for word in self._longest_first)

    def spell(self, value: Value) -> str | None:
        return self._sent.get(_key(value))


@dataclass
class Run:
    """Characters that fit `pattern`; `partial` fits every beginning of them. `meaning` and `writing` turn
    them into the value and back, or into None where there is none.
    """

    pattern: re.Pattern[str]
    partial: re.Pattern[str]
    meaning: Callable[[str], Value]
    writing: Callable[[Value], str | None]
    samples: Sequence[Value]

    def take(self, text: str, at: int) -> Taken | None:
        found = self.pattern.match(text, at)
        value = self.meaning(found[0]) if found else None
        return (value, found.end()) if found and value is not None else None

    def begins(self, rest: str) -> bool:
        return self.partial.fullmatch(rest) is not None

    def spell(self, value: Value) -> str | None:
        text = self.writing(value)
        return text if text is not None and self.pattern.fullmatch(text) else None


class Series:
    """Words of a lookup with `separator` between them, at most `most`; `none` where there is not one."""

    samples: Sequence[Value]

    def __init__(self, one: Lookup, separator: str, none: str, most: int, any_case: bool = False) -> None:
        self._one, self._separator, self._none, self._most = one, separator, none, most
        self._fold = _folding(any_case)
        first, *others = map(str, one.samples)
        self.samples = [[], *([first, other][:most] for other in others), [first] * most]

    def take(self, text: str, at: int) -> Taken | None:
        values: list[Value] = []
        end = at
        while found := self._one.take(text, end):
            values.append(found[0])
            end = found[1]
            if not text.startswith(self._separator, end):
                return (list(map(str, values)), end) if len(values) <= self._most else None
            end += len(self._separator)
        is_none = not values and _stands(self._none, text, at, self._fold)
        return ([], at + len(self._none)) if is_none else None

    def begins(self, rest: str) -> bool:
        *before, last = rest.split(self._separator)
        whole = all(is_whole(self._one, word) for word in before)
        none = self._fold(self._none).startswith(self._fold(rest))
        return none or (len(before) < self._most and whole and self._begins_one(last))

    def _begins_one(self, last: str) -> bool:
        """A value, or a whole one and the beginning of the separator."""
        parts = ((last[:cut], last[cut:]) for cut in range(1, len(last)))
        return self._one.begins(last) or any(
            self._separator.startswith(rest) and is_whole(self._one, word) for word, rest in parts
        )

    def spell(self, value: Value) -> str | None:
        if not isinstance(value, list) or len(value) > self._most:
            return None
        words = [self._one.spell(one) for one in value]
        return None if None in words else self._separator.join(map(str, words)) or self._none


class Nullable:
    """A spelling in which `null` stands for "not known", where no longer value stands."""

    def __init__(self, other: Spelling, null: str, any_case: bool = False) -> None:
        self._other, self._null, self._fold = other, null, _folding(any_case)
        self.samples: Sequence[Value] = [*other.samples, None]

    def take(self, text: str, at: int) -> Taken | None:
        known = self._other.take(text, at)
        is_null = _stands(self._null, text, at, self._fold)
        end = at + len(self._null)
        return (None, end) if is_null and (known is None or known[1] <= end) else known

    def begins(self, rest: str) -> bool:
        return self._fold(self._null).startswith(self._fold(rest)) or self._other.begins(rest)

    def spell(self, value: Value) -> str | None:
        if value is None:
            return self._null
        text = self._other.spell(value)
        # What would be read as "not known" cannot be said.
        return None if text is not None and self._fold(text) == self._fold(self._null) else text


def _stands(word: str, text: str, at: int, fold: Callable[[str], str]) -> bool:
    return fold(text[at : at + len(word)]) == fold(word)
