"""Two campaigns on the table alone: a legal game raises nothing, every departure raises its code at once."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct

from controller import facts
from controller.play.boundaries import Boundaries
from controller.play.departures import KINDS, Departure
from controller.play.house import House
from controller.play.legal import LegalShoe, legal_shoe
from controller.play.table import Table
from controller.rules.outcome import Result
from controller.rules.ruleset import Ruleset


class Setting(NamedTuple):
    """How a shoe tells of its cards. `slots`: it names the hand of each."""

    boundaries: Boundaries
    slots: bool


SETTINGS = (
    Setting("announced", False),
    Setting("announced", True),
    Setting("device", False),
    Setting("device", True),
    Setting("first_card", False),
    Setting("first_card", True),
)


class LegalFigures(Struct, frozen=True):
    """`irregularities`: how often each was raised. `wrong`: shoes decided otherwise than by the rules."""

    shoes: int
    rounds: int
    irregularities: dict[str, int]
    wrong: list[str]


class DepartureFigures(Struct, frozen=True):
    """`tried`: how often each kind. `missed`: what did not raise its code at once, and how to repeat it."""

    tried: dict[str, int]
    missed: list[str]


def legal_rounds(
    rounds: int, seed: int, ruleset: Ruleset, told: Callable[[int], None] = lambda _: None
) -> LegalFigures:
    """Play random legal shoes until at least so many rounds are dealt. `told` hears how many there are."""
    raised: Counter[str] = Counter()
    wrong: list[str] = []
    dealt = shoes = 0
    while dealt < rounds:
        setting = SETTINGS[shoes % len(SETTINGS)]
        name = f"{seed}/{shoes}"
        shoe = _shoe(name, ruleset, setting)
        decided = []
        for fact in _play(shoe):
            if isinstance(fact, facts.IrregularityRaised):
                raised[fact.code] += 1
            if isinstance(fact, facts.RoundDecided):
                decided.append(_result(fact))
        if decided != shoe.rounds:
            wrong.append(f"shoe {name}, {setting}: decided otherwise than by the rules")
        shoes += 1
        dealt += len(shoe.rounds)
        told(dealt)
    return LegalFigures(shoes, dealt, dict(raised), wrong)


def departures(
    trials: int, seed: int, ruleset: Ruleset, told: Callable[[int], None] = lambda _: None
) -> DepartureFigures:
    """So many departures, kind after kind, each from a shoe of its own. `told` hears how many are done."""
    tried: Counter[str] = Counter()
    missed: list[str] = []
    names = list(KINDS)
    at = 0
    while tried.total() < trials:
        kind = names[at % len(names)]
        name = f"{seed}/{at}"
        setting = SETTINGS[(at // len(names)) % len(SETTINGS)]
        at += 1
        shoe = _shoe(name, ruleset, setting)
        departure = KINDS[kind](random.Random(f"{name}/where"), shoe)
        if departure is None:
            continue
        tried[kind] += 1
        if (why := _miss(shoe, departure)) is not None:
            missed.append(f"{kind}, trial {name}, {setting.boundaries}, slots {setting.slots}: {why}")
        told(tried.total())
    return DepartureFigures(dict(tried), missed)


def _miss(shoe: LegalShoe, departure: Departure) -> str | None:
    """Why the code was not the one thing raised, at the observation that proves it; None: it was."""
    table = _table(shoe)
    for at, event in enumerate(departure.events[: departure.at + 1]):
        codes = [fact.code for fact in table.apply(event) if isinstance(fact, facts.IrregularityRaised)]
        expected = [departure.code] if at == departure.at else []
        if codes != expected:
            return f"event {at} raised {codes}, not {expected}"
    return None


def _shoe(name: str, ruleset: Ruleset, setting: Setting) -> LegalShoe:
    chance = random.Random(name)
    decks = chance.randint(ruleset.decks.min, ruleset.decks.max)
    return legal_shoe(chance, ruleset, decks, setting.boundaries, slots=setting.slots)


def _table(shoe: LegalShoe) -> Table:
    return Table(House(shoe.ruleset, shoe.decks, shoe.boundaries))


def _play(shoe: LegalShoe) -> Iterator[facts.Fact]:
    table = _table(shoe)
    for event in shoe.events:
        yield from table.apply(event)


def _result(fact: facts.RoundDecided) -> Result:
    return Result(**{name: getattr(fact, name) for name in Result.__struct_fields__})
