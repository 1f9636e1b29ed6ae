"""A scenario, read from its text: the house, then the acts in time with what must follow from them."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from controller.orders import Event
from controller.play.boundaries import Boundaries, infer_boundaries
from controller.ports import ConfigurationError, InputError
from controller.rules.shipped import read_law
from controller.rules.terms import Dealing
from controller.scenarios.acts import Act, parse_act
from controller.scenarios.expectations import Expectation, parse_expectation
from controller.scenarios.forms import Mistake

SUFFIX = ".deal"
SECOND = 1.0  # from one act to the next
FOLDER = "scenarios"
DEFAULT_RULESET = "nj-mini-baccarat"

_COMMENT = re.compile(r"(^|\s)#.*")
_JOINED = re.compile(r',\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')
Shuffling = Literal["by-hand", "by-shuffler", "continuous"]
_CHOICES = {
    "boundaries": get_args(Boundaries),
    "dealing": get_args(Dealing),
    "shuffling": get_args(Shuffling),
}
#: Setting -> its folder in config/, and what a file of it is called.
_LAW = {"ruleset": ("rulesets", "ruleset"), "remedies": ("remedies", "remedy pack")}


class Line(Struct, frozen=True, kw_only=True):
    """`expects`: what must follow from its acts; of a line without acts, from those of the line before it."""

    number: int
    text: str
    acts: tuple[Act, ...] = ()
    expects: tuple[Expectation, ...] = ()


class Scenario(Struct, frozen=True, kw_only=True):
    """`title`: the comment at the top. `ruleset`, `remedies`: a shipped name or a path; None: not stated."""

    origin: str
    title: str
    lines: tuple[Line, ...]
    ruleset: str | None = None
    remedies: str | None = None
    boundaries: Boundaries = "announced"
    dealing: Dealing = "face-up"
    shuffling: Shuffling = "by-hand"
    decks: int = 8

    @property
    def acts(self) -> Iterator[Act]:
        """Every act, in order."""
        return (act for line in self.lines for act in line.acts)


def shipped_scenarios() -> list[str]:
    """The names of the scenarios that ship, sorted."""
    names = (item.name for item in (files("config") / FOLDER).iterdir())
    return sorted(name for name in names if name.endswith(SUFFIX))


def find_scenario(name: str) -> Scenario:
    """The scenario in a file, else the one that ships under that name. Raises InputError."""
    path = Path(name)
    if not path.exists() and name in shipped_scenarios():
        return parse_scenario((files("config") / FOLDER / name).read_text("utf-8"), name)
    try:
        return parse_scenario(path.read_text("utf-8"), name, path.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{name}: {reason}; name a readable file, or a scenario that ships") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: not UTF-8 text; save it as UTF-8") from None


def parse_scenario(text: str, origin: str, folder: Path | None = None) -> Scenario:
    """The scenario of a text; its own ruleset is a path from `folder`. Raises InputError, one line for each
    fault.
    """
    return _Reader(origin, folder or Path()).read(text)


class _Reader:
    def __init__(self, origin: str, folder: Path) -> None:
        self._origin = origin
        self._folder = folder
        self._settings: dict[str, str] = {}
        self._lines: list[Line] = []
        self._at = 0.0

    def read(self, text: str) -> Scenario:
        faults = []
        for number, line in enumerate(text.splitlines(), 1):
            said = _COMMENT.sub("", line).strip()
            try:
                if said:
                    self._line(number, said)
            except Mistake as mistake:
                faults.append(f"{self._origin}, line {number}: {mistake}")
        if faults:
            raise InputError("\n".join(faults))
        events: list[Event] = [act.event for line in self._lines for act in line.acts]
        settings = {"boundaries": infer_boundaries(events), **self._settings}
        return Scenario(origin=self._origin, title=_title(text), lines=tuple(self._lines), **settings)  # type: ignore[arg-type]

    def _line(self, number: int, said: str) -> None:
        word, _, rest = said.partition(" ")
        if word in (*_LAW, *_CHOICES, "decks"):
            self._set(word, rest.strip())
        elif word == "pause":
            self._at += _seconds(rest)
        elif word == "expect":
            self._expect(number, said, rest)
        else:
            acts, arrow, expected = said.partition("->")
            parsed = tuple(act for text in acts.split(";") for act in self._acts(text.strip()))
            expects = _expectations(expected) if arrow else ()
            self._lines.append(Line(number=number, text=said, acts=parsed, expects=expects))

    def _acts(self, text: str) -> Iterator[Act]:
        if not text:
            raise Mistake("an act is missing; write it, or take the `;` or `->` away")
        for act in parse_act(text):
            yield replace(act, event=replace(act.event, at=self._at))
            self._at += SECOND

    def _expect(self, number: int, said: str, rest: str) -> None:
        if not self._lines:
            raise Mistake("nothing has happened yet; write the acts first")
        self._lines.append(Line(number=number, text=said, expects=_expectations(rest)))

    def _set(self, name: str, value: str) -> None:
        if self._lines:
            raise Mistake(f"{name} is of the house; write it above the first act")
        if name in self._settings:
            raise Mistake(f"{name} is set twice; take one away")
        if name in _CHOICES and value not in _CHOICES[name]:
            raise Mistake(f"{name} {value!r}: write one of {', '.join(_CHOICES[name])}")
        if name == "decks":
            if not value.isascii() or not value.isdigit() or not 1 <= int(value) <= 12:
                raise Mistake(f"decks {value!r}: write a number from 1 to 12")
            self._settings[name] = int(value)  # type: ignore[assignment]
            return
        if name in _LAW:
            value = str(self._folder / value) if value.endswith(".toml") else value
            try:
                read_law(*_LAW[name], value)
            except ConfigurationError as error:
                raise Mistake(str(error)) from None
        self._settings[name] = value


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86400:
        raise Mistake(f"pause {text!r}: write the seconds, as pause 5")
    return seconds


def _expectations(text: str) -> tuple[Expectation, ...]:
    return tuple(parse_expectation(one.strip()) for one in _JOINED.split(text.strip()))


def _title(text: str) -> str:
    """The comment at the top, as one text."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").strip())
    return " ".join(lines)
