"""Everything that an object holds, as plain values that can be compared."""

from dataclasses import fields, is_dataclass
from typing import Any

import msgspec

#: what leads out of an object, back to its owner, or says only that it has been told something
OUTSIDE = ("context", "_facts", "follow_up", "fresh")


def freeze(value: Any) -> Any:
    """Nested tuples and strings; functions and whatever the machines add are left out."""
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    if isinstance(value, dict):
        return ("dict", *sorted(((freeze(k), freeze(v)) for k, v in value.items() if v != 0), key=repr))
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    if isinstance(value, set | frozenset):
        return tuple(sorted((freeze(item) for item in value), key=repr))
    if isinstance(value, msgspec.Struct):
        return (type(value).__name__, *(freeze(getattr(value, name)) for name in value.__struct_fields__))
    if is_dataclass(value):
        return (type(value).__name__, *(freeze(getattr(value, f.name)) for f in fields(value)))
    kept = (
        {k: v for k, v in vars(value).items() if k not in OUTSIDE and not callable(v)} if _ours(value) else {}
    )
    return (type(value).__name__, *((name, freeze(item)) for name, item in sorted(kept.items())))


def _ours(value: Any) -> bool:
    return type(value).__module__.startswith("controller.play")
