"""Lines of plain words as data: a form such as `card {card} [to {slot} [{index}]]` reads a line, or fails to.

`{name}` is one word, `{name,}` words joined by commas (`none`: no words), `{name...}` the rest of the line;
what stands in brackets may be missing.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

_PARTS = re.compile(r"\{(\w+)(,|\.\.\.)?\}|(\s*\[)|(\])|(\s+)|([^\s{}\[\]]+)")
_WORD = r"\S+"

#: What a field may be, for the messages.
MEANT: Mapping[str, str] = {
    "card": "a card is its rank A 2..9 T J Q K and its suit C D H S, as TD",
    "player": "cards are written 2C,TD or none",
    "banker": "cards are written 2C,TD or none",
    "missing": "cards are written 2C,TD or none",
    "extra": "cards are written 2C,TD or none",
    "hand": "a hand is player or banker",
    "to": "a hand is player or banker",
    "slot": "a card goes to player, banker, first or burn",
    "index": "a hand has the cards 1 to 3",
    "decks": "a shoe has 1 to 12 decks",
    "winner": "the winner is player, banker or tie",
    "mode": "a shoe's modes are lock, error and setting",
    "reason": "the reason is exposed-card, stuck-card, dropped-card, player-touched or other",
    "seat": "seats are 1 to 14",
    "amount": "money is a number, as 25 or 12.50",
    "kind": "a wager is chips, verbal or match_play",
    "state": "the states are those of shuffler_state, as ready or door_open",
}


class Mistake(Exception):  # noqa: N818 - whoever knows the line makes an error of it
    """What is wrong and what to write instead."""


@cache
def _pattern(form: str) -> re.Pattern[str]:
    made = []
    for part in _PARTS.finditer(form):
        name, many, opens, closes, blank, word = part.groups()
        if name:
            made.append(f"(?P<{name}>{'.+' if many == '...' else _WORD})")
        else:
            made.append(r"(?:\s+" if opens else ")?" if closes else r"\s+" if blank else re.escape(word))
    # A blank before a bracket is part of what may be missing; at the very beginning there is none.
    return re.compile("".join(made))


@cache
def _lists(form: str) -> frozenset[str]:
    return frozenset(name for name, many, *_ in _PARTS.findall(form) if many == ",")


def read(form: str, text: str) -> dict[str, str | list[str]] | None:
    """The words of `text` by their names; None: it does not have this form."""
    found = _pattern(form).fullmatch(text)
    if found is None:
        return None
    words = {name: word for name, word in found.groupdict().items() if word is not None}
    return {name: split(word) if name in _lists(form) else word for name, word in words.items()}


def split(words: str) -> list[str]:
    """Words joined by commas; `none` is no word."""
    return [] if words == "none" else words.split(",")


def make(kind: type[Struct], words: Mapping[str, Any]) -> Any:
    """The struct with these fields, read from their words. Raises Mistake."""
    types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    return kind(**{name: value(kind, name, types[name], word) for name, word in words.items()})


def value(kind: type[Struct], name: str, type_: Any, word: Any) -> Any:
    """A field's value, read from its word. Raises Mistake."""
    try:
        return msgspec.convert(word, type_, strict=False)
    except msgspec.ValidationError as error:
        written = ",".join(word) if isinstance(word, list) else word
        raise Mistake(f"{written!r}: {MEANT.get(name, f'{name}: {error}')}") from None


def written(form: str) -> str:
    """The form as a person writes it: `card CARD [to SLOT [INDEX]]`."""
    return re.sub(r"\{(\w+)(?:,|(\.\.\.))?\}", lambda m: m[1].upper() + (m[2] or ""), form)
