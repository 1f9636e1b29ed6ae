"""The check of a whole journal by anybody who can read it.

Seen: every change of a record's content, order or number, every record put in or taken out, a cut tail, a
head that is gone, changed tables, and damage that SQLite can see.

Not seen, because nobody holds a secret here: a chain written anew from some record to its end with a head to
match; a tail cut with the head set back; the last commit, when its head had not reached the disk; records
added with a right hash to a journal that was not closed. A signed head will close all of these.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from controller.journal.check import Break, Chain, against_head, explain
from controller.journal.errors import DamagedError, JournalError, sqlite_fault
from controller.journal.head import Head, head_path, read_head
from controller.journal.reader import connect, last, record_at, records
from controller.journal.record import Record, Tip
from controller.journal.schema import deviations, genesis_of, version_of


class Mismatch(Struct, frozen=True):
    """Record `seq` is not what the inputs before it give."""

    seq: int
    detail: str


#: Takes the journal's records in order and yields what does not follow from its inputs, each as soon as seen.
Rederive = Callable[[Iterable[Record]], Iterator[Mismatch]]


class Verdict(Struct, frozen=True, kw_only=True):
    """`records`: how many hold, from the first on; `kinds`: of which kinds. `first`: what does not hold, if
    anything. `behind`: by how many records the head is behind, after a power cut or while the service runs.
    """

    records: int
    kinds: dict[str, int]
    behind: int
    first: Break | None

    @property
    def ok(self) -> bool:
        """True when everything holds."""
        return self.first is None


def verify(path: Path, rederive: Rederive | None = None) -> Verdict:
    """The verdict on the journal at `path`, whole. Raises JournalError for what is no journal at all."""
    try:
        connection = connect(path)
    except DamagedError as error:
        return _unreadable(error)
    with closing(connection):
        return examine(connection, path, rederive=rederive)


def examine(
    connection: sqlite3.Connection, path: Path, *, tail: int | None = None, rederive: Rederive | None = None
) -> Verdict:
    """The verdict on an open journal: file, head, and its records or the last `tail` of them.

    Raises JournalError when the file cannot be read for a reason that is not damage.
    """
    try:
        return _examine(connection, path, tail, rederive)
    except DamagedError as error:
        return _unreadable(error)
    except sqlite3.Error as error:
        fault = sqlite_fault(path, error)
        if isinstance(fault, DamagedError):
            return _unreadable(fault)
        raise fault from None
    except OSError as error:
        raise JournalError(f"{head_path(path)}: {error.strerror}; check its permissions") from None


def _unreadable(error: DamagedError) -> Verdict:
    return Verdict(records=0, kinds={}, behind=0, first=Break(None, "file", error.what))


def _examine(
    connection: sqlite3.Connection, path: Path, tail: int | None, rederive: Rederive | None
) -> Verdict:
    before = read_head(head_path(path))
    # A changed layout may hide or alter records, so nothing that is read through it counts.
    if found := deviations(connection, version_of(connection, path)):
        return Verdict(records=0, kinds={}, behind=0, first=Break(None, "file", found[0]))
    fault = _fault(connection)
    start = _start(connection, tail)
    chain = Chain(start)
    kinds: Counter[str] = Counter()
    first = _first_break(connection, chain, kinds, rederive)
    if fault:
        first = Break(first.seq if first else None, "file", fault)
    elif first is None or _ended_early(first, chain):
        # A tail cut amid what follows from one input is a cut tail all the same.
        kept = record_at(connection, before.seq) if isinstance(before, Head) else None
        at_head = kept.hash if kept else genesis_of(connection)
        first = against_head(before, read_head(head_path(path)), chain.tip, at_head) or first
    behind = max(0, chain.tip.seq - before.seq) if isinstance(before, Head) else 0
    return Verdict(records=chain.tip.seq - start.seq, kinds=dict(kinds), behind=behind, first=first)


def _ended_early(first: Break, chain: Chain) -> bool:
    """Nothing is wrong but that the inputs give more than is recorded."""
    return first.what == "fact" and first.seq == chain.tip.seq + 1


def _fault(connection: sqlite3.Connection) -> str | None:
    """The first damage that SQLite itself sees."""
    try:
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if not error.sqlite_errorname.startswith("SQLITE_CORRUPT"):
            raise
        return str(error)
    return None if found == "ok" else " ".join(str(found).split())


def _start(connection: sqlite3.Connection, tail: int | None) -> Tip:
    """Where the check begins: behind the record before the tail, else at the genesis."""
    newest = last(connection) if tail else None
    before = record_at(connection, newest.seq - tail) if newest and tail and newest.seq > tail else None
    return Tip(before.seq, before.hash) if before else Tip(0, genesis_of(connection))


def _first_break(
    connection: sqlite3.Connection, chain: Chain, kinds: Counter[str], rederive: Rederive | None
) -> Break | None:
    def counted() -> Iterator[Record]:
        for record in chain.follow(records(connection, chain.tip.seq or -math.inf)):
            kinds[record.kind] += 1
            yield record

    sound = counted()
    try:
        for mismatch in rederive(sound) if rederive else ():
            # Behind a break in the chain the records only seem to end.
            if chain.held:
                return Break(mismatch.seq, "fact", mismatch.detail)
            break
        for _ in sound:
            pass
        if chain.held:
            return None
        return explain(chain.tip, records(connection, chain.tip.seq or -math.inf))
    except DamagedError as error:
        return Break(chain.tip.seq + 1, "file", error.what)
