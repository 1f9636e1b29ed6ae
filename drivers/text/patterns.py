"""Messages as patterns: `[Game]<Card:{card}>` reads and writes the same text.

In a pattern `{card}` is the property `card` written as the field `card`; `{fault:alarm}` the property `fault`
written as the field `alarm`; `{:words}` the field `words`, which means nothing. `{{` and `}}` are braces.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from drivers.text.spelling import Spelling, Value

PLACEHOLDER = re.compile(r"\{([a-z_]*)(?::([a-z][a-z0-9_]*))?\}")
_PIECE = re.compile(r"(\{\{|\}\}|\{[^{}]*\}|[{}])")

#: field name and the literal behind it -> its spelling; None: there is no such field.
Spellings = Callable[[str, str], Spelling | None]


@dataclass(frozen=True)
class Slot:
    """A placeholder; `property` empty: it means nothing, and `default` is sent."""

    property: str
    field: str
    spelling: Spelling
    default: str = ""


@dataclass(frozen=True)
class Reading:
    """What a text says: the value of each property, and the characters of each field."""

    values: dict[str, Value] = field(default_factory=dict)
    characters: dict[str, str] = field(default_factory=dict)


class PatternError(ValueError):
    """What is wrong with a pattern, as the rest of a sentence."""


class Pattern:
    """A compiled pattern. Raises PatternError."""

    def __init__(
        self, text: str, spellings: Spellings, defaults: Mapping[str, str], any_case: bool = False
    ) -> None:
        self._fold: Callable[[str], str] = str.lower if any_case else str
        self._parts: Sequence[str | Slot] = _compile(text, spellings, defaults)
        self.slots = [part for part in self._parts if isinstance(part, Slot)]

    def followed_by(self, *parts: str | Slot) -> "Pattern":
        """The same with more behind it."""
        other = copy(self)
        other._parts = [*self._parts, *parts]
        return other

    @property
    def head(self) -> str:
        """The literal that it begins with."""
        first = self._parts[0] if self._parts else ""
        return first if isinstance(first, str) else ""

    def is_headed(self, text: str) -> bool:
        """The text begins like this pattern."""
        return bool(self.head) and self._fold(text).startswith(self._fold(self.head))

    def read(self, text: str) -> Reading | None:
        """What the text says; None: it does not fit."""
        reading, at = Reading(), 0
        for part in self._parts:
            found = self._take(part, text, at)
            if found is None:
                return None
            value, end = found
            if isinstance(part, Slot):
                reading.characters[part.field] = text[at:end]
                if part.property:
                    reading.values[part.property] = value
            at = end
        return reading if at == len(text) else None

    def begins(self, text: str) -> bool:
        """The whole of `text` may be the beginning of one that fits."""
        at = 0
        for part in self._parts:
            # Also where a value stands there: it may go on.
            if at == len(text) or self._begins(part, text[at:]):
                return True
            found = self._take(part, text, at)
            if found is None:
                return False
            at = found[1]
        return at == len(text)

    def spell(self, values: Mapping[str, Value]) -> str | None:
        """The text that says these values; None: it cannot say just these."""
        if set(values) != {slot.property for slot in self.slots if slot.property}:
            return None
        texts = [part if isinstance(part, str) else self._written(part, values) for part in self._parts]
        return None if None in texts else "".join(map(str, texts))

    @staticmethod
    def _written(slot: Slot, values: Mapping[str, Value]) -> str | None:
        return slot.spelling.spell(values[slot.property]) if slot.property else slot.default

    def _take(self, part: "str | Slot", text: str, at: int) -> tuple[Value, int] | None:
        if isinstance(part, Slot):
            return part.spelling.take(text, at)
        fits = self._fold(text[at : at + len(part)]) == self._fold(part)
        return (None, at + len(part)) if fits else None

    def _begins(self, part: "str | Slot", rest: str) -> bool:
        if isinstance(part, Slot):
            return part.spelling.begins(rest)
        return self._fold(part).startswith(self._fold(rest))


def _compile(text: str, spellings: Spellings, defaults: Mapping[str, str]) -> Sequence[str | Slot]:
    pieces = [piece for piece in _PIECE.split(text) if piece]
    raw = [_literal(piece) for piece in pieces]
    parts: list[str | Slot] = []
    for at, piece in enumerate(pieces):
        literal = raw[at]
        if literal is None:
            following = "".join(_until_slot(raw[at + 1 :]))
            parts.append(_slot(piece, following, spellings, defaults))
        elif parts and isinstance(parts[-1], str):
            parts[-1] += literal
        else:
            parts.append(literal)
    for name in (properties := [part.property for part in parts if isinstance(part, Slot) and part.property]):
        if properties.count(name) > 1:
            raise PatternError(f"says {name!r} twice; say it once")
    return parts


def _literal(piece: str) -> str | None:
    if piece in ("{{", "}}"):
        return piece[0]
    if piece in ("{", "}"):
        raise PatternError(f"has a lone {piece!r}; write {piece * 2!r} for the character itself")
    return None if piece.startswith("{") else piece


def _until_slot(raw: Sequence[str | None]) -> list[str]:
    literals: list[str] = []
    for piece in raw:
        if piece is None:
            break
        literals.append(piece)
    return literals


def _slot(piece: str, following: str, spellings: Spellings, defaults: Mapping[str, str]) -> Slot:
    match = PLACEHOLDER.fullmatch(piece)
    name = match and (match[2] or match[1])
    if not match or not name:
        raise PatternError(
            f"has {piece}; write {{property}}, {{property:field}} or {{:field}}, in lower case"
        )
    spelling = spellings(name, following)
    if spelling is None:
        raise PatternError(f"has {piece}, and there is no [field.{name}]; describe it")
    default = defaults.get(name, "")
    if not default and spelling.take("", 0) is None:
        default = next((text for v in spelling.samples if (text := spelling.spell(v)) is not None), "")
    return Slot(match[1], name, spelling, default)
