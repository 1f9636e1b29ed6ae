"""What a message says: one JSON object, the same in every attempt to deliver it."""

from datetime import UTC, datetime
from hashlib import blake2b
from textwrap import shorten

import msgspec
from msgspec import Struct

from controller.facts import Fact, IrregularityRaised, IrregularityResolved
from controller.outputs.alerts.cases import Case, HealthState, Kind, Note
from controller.outputs.alerts.outbox import Letter
from controller.outputs.alerts.settings import Level
from controller.views.disclosure import DeviceState, PleaseWait
from controller.views.view import TableInfo

_encode = msgspec.json.Encoder().encode
#: Characters of what a person said that go into a sentence, which may become a short message; `fact` has all.
SAID = 160


class Message(Struct, frozen=True, kw_only=True):
    """`id`: the same in every attempt, another for every message. `incident`: the same in all of one case.

    Neither tells how much the journal holds, which could give away a card that lies face down.
    `times`: how many irregularities; `ids`: the newest. `open_s`: seconds since the first.
    `fact`: as the audience may see it.
    """

    id: str
    incident: str
    table: str
    kind: Kind
    level: Level
    code: str
    at: str
    open_s: float
    times: int
    ids: list[int]
    title: str
    text: str
    fact: msgspec.Raw


def compose(note: Note, table: TableInfo, key: bytes, now: float, wall: float) -> Letter:
    """The message for a note, made at `now` of the cases' clock and `wall` (Unix seconds).

    `key`: makes the names of messages this outbox's own.
    """
    case = note.case
    message = Message(
        id=_name(key, case, note.target, note.kind, note.times),
        incident=_name(key, case),
        table=table.id,
        kind=note.kind,
        level=case.level,
        code=case.code,
        at=datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds"),
        open_s=round(now - case.since, 3),
        times=max(1, case.count),
        ids=case.ids,
        title=f"{table.name}: {'answered' if note.kind == 'resolved' else case.level}",
        text=f"{table.id}: {_sentence(note, now - case.since)}",
        fact=msgspec.Raw(_encode(note.fact)),
    )
    return Letter(0, note.target, message.id, _encode(message))


def _name(key: bytes, case: Case, *parts: object) -> str:
    named = [case.audience, case.level, case.code, case.opened, *parts]
    return blake2b(_encode(named), key=key, digest_size=16).hexdigest()


def _sentence(note: Note, waited: float) -> str:
    said = _what(note.fact, note.case.code)
    match note.kind:
        case "escalated" | "repeated":
            many = f", {note.case.count} times" if note.case.count > 1 else ""
            return f"{said}{many} (nobody has answered for {_span(waited)})"
        case "withdrawn":
            return f"{said} (withdrawn: the table has another journal now)"
    return said


def _what(fact: Fact, code: str) -> str:
    match fact:
        case IrregularityRaised():
            place = f" (round {fact.round})" if fact.round is not None else ""
            return f"{fact.code}: {_short(fact.detail)}{place}"
        case IrregularityResolved():
            why = f": {_short(fact.reason)}" if fact.reason else ""
            return f"{code}: {fact.remedy} by {fact.by}{why}"
        case DeviceState(state="lost"):
            return f"{fact.device} is lost"
        case DeviceState(state="ok"):
            return f"{fact.device} is well again"
        case DeviceState():
            return f"{fact.device} reports a fault{f': {fact.fault}' if fact.fault else ''}"
        case HealthState():
            return f"{fact.code} is well again" if fact.well else fact.words
        case PleaseWait(wait=True):
            return "please wait"
    return "play goes on"


def _short(said: str) -> str:
    return shorten(said, SAID, placeholder=" ...")


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{round(seconds)} seconds"
    return f"{round(seconds / 60)} minutes" if seconds < 7200 else f"{round(seconds / 3600)} hours"
