"""Who is to be told of what, and when: routing, quiet repeats and escalation. No I/O, no clock.

A *case* is something open that one audience knows of: an irregularity, and more of the same code while it is
open; a device that is lost or faulty; something at the table's computer that must be mended; for the public
board, that it must wait. It ends when all of it is answered.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from controller.facts import Fact, IrregularityRaised, IrregularityResolved
from controller.outputs.alerts.settings import AlertSection, Level
from controller.views.disclosure import Audience, DeviceState, PleaseWait

#: `escalated`: the first word to a target of what others were told and nobody answered. `withdrawn`: the
#: journal that told of the case is no longer the table's.
Kind = Literal["raised", "escalated", "repeated", "resolved", "withdrawn"]


class HealthState(Fact, frozen=True):
    """Something must be mended, or no longer. Not journalled: it may be the journal."""

    code: str
    well: bool
    words: str


Opening = IrregularityRaised | PleaseWait | DeviceState | HealthState

#: The facts that open or close a case.
CONCERNS = (IrregularityRaised, IrregularityResolved, PleaseWait, DeviceState)
#: So many of a case's irregularities are remembered by number; all are counted.
LISTED = 100
#: What the board's case is called: to it a hold is nothing but that.
PLEASE_WAIT = "please-wait"


class Told(Struct):
    """What a target knows of a case: told `times` times, last at `at`, when it was `of` irregularities."""

    times: int
    at: float
    of: int


class Case(Struct):
    """`code`: of the irregularity or the trouble, or the device's name. `opened`: journal number, or of
    trouble the wall time in milliseconds: it makes the case another than any before. `fact`: the newest.

    `count`: how many irregularities it is; `ids`: the newest of them; `open`: those that nobody has answered.
    """

    audience: Audience
    level: Level
    code: str
    opened: int
    since: float
    fact: Opening
    count: int
    ids: list[int]
    open: list[int]
    told: dict[str, Told]

    def shift(self, seconds: float) -> None:
        """Move its times, for a clock that started anew."""
        self.since += seconds
        for told in self.told.values():
            told.at += seconds


class Note(NamedTuple):
    """A target is to be told. `fact`: what there is to say. `times`: how often it was told of the case."""

    target: str
    kind: Kind
    case: Case
    fact: Fact
    times: int


class Cases:
    """The open cases of one table, and the targets that are told of them."""

    def __init__(self, targets: Sequence[AlertSection], cases: Iterable[Case] = ()) -> None:
        self._targets = targets
        self._open = {(case.audience, case.level, case.code): case for case in cases}

    @property
    def open(self) -> list[Case]:
        """Everything that waits for an answer."""
        return list(self._open.values())

    def see(self, audience: Audience, seq: int, fact: Fact, now: float) -> list[Note]:
        """Take in what an audience was told at journal number `seq`; whom to tell of an answer."""
        match fact:
            case IrregularityRaised():
                case = self._case(audience, fact.severity, fact.code, seq, now, fact)
                if fact.id in case.open:
                    return []  # a journal that was divided says it again
                case.count += 1
                case.ids = [*case.ids, fact.id][-LISTED:]
                case.open.append(fact.id)
            case IrregularityResolved():
                return self._answered(audience, fact)
            case PleaseWait(wait=True) if audience == "board":
                self._case(audience, "stop", PLEASE_WAIT, seq, now, fact)
            case PleaseWait(wait=False) if audience == "board":
                return self._close(audience, "stop", PLEASE_WAIT, fact)
            case DeviceState() if _is_well(fact):
                return self._close(audience, "device", fact.device, fact)
            case DeviceState():
                self._case(audience, "device", fact.device, seq, now, fact)
            case HealthState(well=True):
                return self._close(audience, "health", fact.code, fact)
            case HealthState():
                self._case(audience, "health", fact.code, seq, now, fact)
        return []

    def due(self, now: float) -> list[Note]:
        """Whom to tell by now; they count as told."""
        return [
            self._tell(case, target, now)
            for case in self._open.values()
            for target in self._targets
            if (at := _due(case, target)) is not None and at <= now
        ]

    def next(self) -> float | None:
        """When somebody is to be told next, if nothing happens before."""
        return min(self._waits(), default=None)

    def withdraw(self) -> list[Note]:
        """Forget every case; whom to tell."""
        cases, self._open = self.open, {}
        return [note for case in cases for note in self._last_word(case, "withdrawn", case.fact)]

    def _waits(self) -> Iterator[float]:
        for case in self._open.values():
            for target in self._targets:
                if (at := _due(case, target)) is not None:
                    yield at

    def _case(self, audience: Audience, level: Level, code: str, seq: int, now: float, fact: Opening) -> Case:
        """The case that a fact belongs to, with the fact as its newest."""
        fresh = Case(audience, level, code, seq, now, fact, 0, [], [], {})
        case = self._open.setdefault((audience, level, code), fresh)
        case.fact = fact
        return case

    def _answered(self, audience: Audience, fact: IrregularityResolved) -> list[Note]:
        case = next((c for c in self._open.values() if c.audience == audience and fact.id in c.open), None)
        if case is None:
            return []
        case.open.remove(fact.id)
        return [] if case.open else self._close(audience, case.level, case.code, fact)

    def _close(self, audience: Audience, level: Level, code: str, fact: Fact) -> list[Note]:
        case = self._open.pop((audience, level, code), None)
        return [] if case is None else self._last_word(case, "resolved", fact)

    def _last_word(self, case: Case, kind: Kind, fact: Fact) -> list[Note]:
        return [
            Note(target.target, kind, case, fact, told.times)
            for target in self._targets
            if target.answers and (told := case.told.get(target.target))
        ]

    def _tell(self, case: Case, target: AlertSection, now: float) -> Note:
        before = case.told.get(target.target)
        others = any(told.at < now or told.times > 1 for told in case.told.values())
        kind: Kind = "repeated" if before else "escalated" if others else "raised"
        times = before.times + 1 if before else 1
        case.told[target.target] = Told(times, now, case.count)
        return Note(target.target, kind, case, case.fact, times)


def _is_well(device: DeviceState) -> bool:
    """Or its fault is an irregularity, and is told as such: only that it is lost concerns the device."""
    told = device.device.split("-")[0] in ("shoe", "shuffler")
    return device.state == "ok" or (device.state == "fault" and told)


def _due(case: Case, target: AlertSection) -> float | None:
    """When the target is to be told of the case next; None: not unless something happens."""
    delay = target.tell.get(case.level)
    if target.audience != case.audience or delay is None:
        return None
    told = case.told.get(target.target)
    if told is None:
        return case.since + delay
    waits = [target.repeat[case.level]] if case.level in target.repeat else []
    if case.count > told.of:
        waits.append(target.quiet)
    return told.at + min(waits) if waits else None
