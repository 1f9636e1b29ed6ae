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


def _key(value: Value) -> tuple[str, str]:
    return type(value).__name__, str(value)


class Lookup:
    """Words that stand for values; of the words for one value the first is sent, and each is understood."""

    def __init__(self, words: Sequence[tuple[str, Value]], any_case: bool = False) -> None:
        self._fold: Callable[[str], str] = str.lower if any_case else str
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

    def __init__(self, one: Lookup, separator: str, none: str, most: int) -> None:
        self._one, self._separator, self._none, self._most = one, separator, none, most
        first, second, *_ = map(str, one.samples)
        self.samples = [[], [first], [first, second]]

    def take(self, text: str, at: int) -> Taken | None:
        if text.startswith(self._none, at):
            return [], at + len(self._none)
        values: list[str] = []
        while found := self._one.take(text, at):
            values.append(str(found[0]))
            at = found[1]
            if not text.startswith(self._separator, at):
                return (values, at) if len(values) <= self._most else None
            at += len(self._separator)
        return None

    def begins(self, rest: str) -> bool:
        *before, last = rest.split(self._separator)
        whole = all(self._is_whole(word) for word in before)
        return self._none.startswith(rest) or (len(before) < self._most and whole and self._one.begins(last))

    def _is_whole(self, word: str) -> bool:
        found = self._one.take(word, 0)
        return found is not None and found[1] == len(word)

    def spell(self, value: Value) -> str | None:
        if not isinstance(value, list) or len(value) > self._most:
            return None
        words = [self._one.spell(one) for one in value]
        return None if None in words else self._separator.join(map(str, words)) or self._none


class Nullable:
    """A spelling in which `null` stands for "not known"."""

    def __init__(self, other: Spelling, null: str) -> None:
        self._other, self._null = other, null
        self.samples: Sequence[Value] = [*other.samples, None]

    def take(self, text: str, at: int) -> Taken | None:
        return (None, at + len(self._null)) if text.startswith(self._null, at) else self._other.take(text, at)

    def begins(self, rest: str) -> bool:
        return self._null.startswith(rest) or self._other.begins(rest)

    def spell(self, value: Value) -> str | None:
        return self._null if value is None else self._other.spell(value)
