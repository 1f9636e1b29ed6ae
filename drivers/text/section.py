"""What the parts of a profile are made of: closed sections, and values that say what they must be."""

import re
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Section(BaseModel):
    """A part of a profile: unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def like(fits: Callable[[Any], bool], what: str) -> BeforeValidator:
    """A value that fits; `what` says which do, as the rest of "should be"."""

    def check(value: Any) -> Any:
        if not fits(value):
            raise ValueError(f"should be {what}, not {value!r}")
        return value

    return BeforeValidator(check)


def spelled(pattern: str, what: str) -> BeforeValidator:
    """A text of that pattern."""
    return like(lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None, what)


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | bool)


def is_table(value: Any, fits: Callable[[Any], bool] = _is_plain) -> bool:
    """A table of values that fit; by default a text, a number, true or false."""
    return isinstance(value, dict) and all(map(fits, value.values()))


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_words(value: Any) -> bool:
    """One text or several."""
    return is_text(value) or (isinstance(value, list) and all(map(is_text, value)))
