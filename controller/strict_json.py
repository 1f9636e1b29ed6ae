"""JSON that says each thing once: a line that names two cards for one is not taken for the last of them."""

import json
from typing import TypeVar

import msgspec

T = TypeVar("T")


def decode(data: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """Raises msgspec.DecodeError, also where an object gives a field twice."""
    value = decoder.decode(data)
    # As text: what kind of number each is was judged above.
    json.loads(data, object_pairs_hook=_once, parse_int=str, parse_float=str)
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise msgspec.ValidationError(f"Object gives the field `{twice}` more than once")
    return fields
