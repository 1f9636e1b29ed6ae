"""Records of a journal through the core again: to recover, to audit, and to tell what they say."""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

import msgspec

from controller.facts import AnyFact
from controller.journal.audit import Mismatch
from controller.journal.errors import JournalError
from controller.journal.record import Entry, Record
from controller.orders import Event
from controller.runtime.carried import Carried
from controller.runtime.core import INPUTS, Core, Inputs
from controller.runtime.identity import software_version
from controller.views.disclosure import Item

_events = msgspec.json.Decoder(Event)
_facts = msgspec.json.Decoder(AnyFact)


#: What a record raises that this software has not written.
SENSELESS = (msgspec.MsgspecError, LookupError, ValueError, RecursionError)


@contextmanager
def understood(record: Record) -> Iterator[None]:
    """What it says is taken in. Raises JournalError where it says nothing that this software knows."""
    try:
        yield
    except SENSELESS as error:
        remedy = "ask `tablectl audit` who wrote it; `tablectl keep-aside` lets a new journal begin"
        raise JournalError(f"record {record.seq}: {record.kind} cannot be read: {error}; {remedy}") from None


def recover(records: Iterable[Record]) -> Core:
    """The core as it was behind the last record. Raises JournalError."""
    core, rest = _beginning(iter(records))
    for record in rest:
        if record.kind in INPUTS:
            with understood(record):
                core.repeat(record)
    return core


def _beginning(records: Iterator[Record]) -> tuple[Core, Iterator[Record]]:
    """The core to begin with, and the records from there: all, or those behind what was carried over where
    what was before it is kept elsewhere.
    """
    first = next(records, None)
    if first is None or first.seq == 1:
        return Core(), records if first is None else chain([first], records)
    inputs = None
    for record in chain([first], records):
        with understood(record):
            if record.kind == "configuration":
                inputs = msgspec.json.decode(record.body, type=Inputs)
            if record.kind == "carried" and inputs is not None:
                return Core.resumed(inputs, msgspec.json.decode(record.body, type=Carried)), records
    return Core(), records


class Rederivation:
    """Derives records anew, one by one; from the middle on, those behind what was carried over."""

    def __init__(self) -> None:
        self._core: Core | None = None
        self._expected: deque[Entry] = deque()
        self._inputs: Inputs | None = None
        self._seq = 0

    def take(self, record: Record) -> Mismatch | None:
        """The next record, if it does not follow from the inputs before it."""
        self._seq = record.seq
        got = Entry(record.kind, record.body, record.device, record.at)
        try:
            if self._core is None and not self._begins(record):
                return None
        except SENSELESS as error:
            return self._mismatch(record.seq, f"{_words(got)} cannot be read: {error}")
        assert self._core is not None
        if self._expected:
            if (wanted := self._expected.popleft()) == got:
                return None
            return self._mismatch(
                record.seq, f"the inputs give {_words(wanted)}, and {_words(got)} is recorded"
            )
        if record.kind not in INPUTS:
            return self._mismatch(record.seq, f"{_words(got)} follows from no input")
        try:
            self._expected.extend(self._core.repeat(record).entries[1:])
        except SENSELESS as error:
            return self._mismatch(record.seq, f"{_words(got)} cannot be read: {error}")
        return None

    def _mismatch(self, seq: int, detail: str) -> Mismatch:
        """Another version of this software may have concluded something else."""
        recorded = self._core.inputs.version if self._core and self._core.inputs else None
        here = software_version()
        if recorded not in (None, here):
            detail += f" (recorded by {recorded}; this is {here})"
        return Mismatch(seq, detail)

    def _begins(self, record: Record) -> bool:
        """There is a core that this record can be asked of."""
        if record.seq == 1:
            self._core = Core()
            return True
        if record.kind == "configuration":
            self._inputs = msgspec.json.decode(record.body, type=Inputs)
        if record.kind == "carried" and self._inputs is not None:
            self._core = Core.resumed(self._inputs, msgspec.json.decode(record.body, type=Carried))
        return False

    def end(self) -> Mismatch | None:
        """What should have followed the last record."""
        if not self._expected:
            return None
        return self._mismatch(self._seq + 1, f"{_words(self._expected[0])} is missing at the end")


def _words(entry: Entry) -> str:
    body = entry.body if len(entry.body) <= 120 else entry.body[:120] + b"..."
    return f"{entry.kind} {body.decode('utf-8', 'replace')}"


def items(records: Iterable[Record], *, carried: bool = False) -> Iterator[tuple[int, Item]]:
    """What the records say: observations, orders and facts with their numbers. `carried`: also what was
    carried over, for those who read no further back. Raises JournalError.
    """
    for record in records:
        with understood(record):
            said = list(_said(record, carried))
        for item in said:
            yield record.seq, item


def _said(record: Record, carried: bool) -> Iterator[Item]:
    if record.kind == "carried" and carried:
        yield from msgspec.json.decode(record.body, type=Carried).standing()
    if record.kind in ("observation", "input"):
        yield _events.decode(record.body)
    elif record.kind == "fact":
        yield _facts.decode(record.body)
