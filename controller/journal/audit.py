"""The check of a whole journal, with the archive beside it, by anybody who can read it.

Seen: every change of a record's content, order or number, every record put in or taken out, a cut tail, a
head that is gone, changed tables, and damage that SQLite can see.

Not seen without the table's public key, because nobody holds a secret then: a chain written anew from some
record to its end with a head to match; a tail cut with the head set back; records added with a right hash to
a journal that was not closed. The signed checkpoints show all of these up to the last one, but for a tail
that was cut together with its checkpoints: a checkpoint or a copy that is kept elsewhere shows that. The
records behind the last checkpoint, a minute of play at most, are held by the chain alone.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from msgspec import Struct, structs

from controller.journal.archive import archived
from controller.journal.check import Break, Chain, against_head, against_signed, explain, unjoined
from controller.journal.checkpoints import Checkpoint, Signed, read_signed, signed_path
from controller.journal.errors import DamagedError, JournalError, NoJournalError, sqlite_fault
from controller.journal.head import Head, head_path, read_head
from controller.journal.reader import begin_of, connect, last, record_at, records
from controller.journal.record import Record, Tip
from controller.journal.schema import description, deviations, origin_of, version_of


class Mismatch(Struct, frozen=True):
    """Record `seq` is not what the inputs before it give."""

    seq: int
    detail: str


class Key(Protocol):
    """A table's public key."""

    def holds(self, checkpoint: Checkpoint) -> bool:
        """The table has signed it."""


class Follower(Protocol):
    """Derives a journal's records anew, in order, from the first that is there."""

    def take(self, record: Record) -> Mismatch | None:
        """The next record, if it does not follow from the inputs before it."""

    def end(self) -> Mismatch | None:
        """What should have followed the last record."""


class Verdict(Struct, frozen=True, kw_only=True):
    """`records`: how many hold, from `begins` on; `kinds`: of which kinds; `files`: in how many. `first`:
    what does not hold, if anything. `behind`: by how many records the head is behind, after a power cut or
    while the service runs. `begins` is 1 unless what was before was removed, or this is a file by itself.
    """

    records: int
    kinds: dict[str, int]
    behind: int
    first: Break | None
    begins: int = 1
    files: int = 1
    #: the last record that was signed for; None: no key was given
    signed: int | None = None

    @property
    def ok(self) -> bool:
        """True when everything holds."""
        return self.first is None


def verify(
    path: Path,
    follower: Follower | None = None,
    key: Key | None = None,
    elsewhere: Sequence[Checkpoint] = (),
) -> Verdict:
    """The verdict on the journal at `path` with its archive. `elsewhere`: checkpoints that were kept apart.

    Raises JournalError for what is no journal.
    """
    total: Verdict | None = None
    tip: Tip | None = None
    for part, is_last in _parts(path):
        try:
            connection = connect(part)
        except (DamagedError, NoJournalError) as error:
            if is_last and isinstance(error, NoJournalError):
                raise
            verdict, end = _unreadable(error), tip
        else:
            with closing(connection):
                # Signed before it is read, and all of it read as it is at one instant: a table may go on.
                beside = _beside(part) if key else None
                connection.execute("BEGIN")
                verdict, end = _judge(connection, part, None, follower, tip, is_last)
                if key and beside and verdict.ok and end:
                    verdict = _vouched(connection, verdict, end, key, beside, elsewhere, is_last)
        whole = verdict if total is None else _joined(total, verdict)
        if is_last and verdict.first and verdict.first.what == "missing" and not verdict.records:
            continue  # unless what is missing was archived meanwhile, there is no more to come
        total = whole
        if is_last or not total.ok:
            break
        tip = end
    return whole


def _beside(path: Path) -> Signed:
    try:
        return read_signed(signed_path(path))
    except OSError as error:
        raise JournalError(f"{signed_path(path)}: {error.strerror}; check its permissions") from None


def _vouched(
    connection: sqlite3.Connection,
    verdict: Verdict,
    tip: Tip,
    key: Key,
    beside: Signed,
    elsewhere: Sequence[Checkpoint],
    is_last: bool,
) -> Verdict:
    """The verdict on a file that holds, with its signatures."""
    origin = origin_of(connection)
    kept = [c for c in elsewhere if c.seq > origin.seq and (is_last or c.seq <= tip.seq)]

    def hash_of(seq: int) -> bytes | None:
        found = record_at(connection, seq)
        return found.hash if found else origin.hash if seq == origin.seq else None

    if not beside.checkpoints and not is_last:
        return verdict  # what is signed later vouches for all before it
    table = description(connection).get("table", "")
    signed = Signed([*beside.checkpoints, *kept], beside.unreadable)
    first = against_signed(signed, key.holds, table, origin, tip, hash_of)
    return structs.replace(
        verdict, first=first, signed=max((c.seq for c in signed.checkpoints), default=None)
    )


def _parts(path: Path) -> Iterator[tuple[Path, bool]]:
    """The files to read in order, and whether each is the last; those that are archived while these are
    read, and the last again, are given when the last was. One that was archived, and not yet taken out of the
    journal when power failed, is passed over: its records are all in the journal.
    """
    read, given = -1, False
    while True:
        begins: int | None = None
        try:
            with closing(connect(path)) as connection:
                begins = begin_of(connection)
        except DamagedError:
            pass  # it is judged in its turn
        more = [part for part in archived(path, begins) if part.first > read]
        for part in more:
            yield part.path, False
            read = part.first
        if given and not more:
            return
        yield path, True
        given = True


def _joined(total: Verdict, more: Verdict) -> Verdict:
    return Verdict(
        records=total.records + more.records,
        kinds=dict(Counter(total.kinds) + Counter(more.kinds)),
        behind=more.behind,
        first=more.first,
        begins=total.begins,
        files=total.files + 1,
        signed=more.signed,
    )


def examine(connection: sqlite3.Connection, path: Path, *, tail: int | None = None) -> Verdict:
    """The verdict on an open journal: file, head, and its records or the last `tail` of them.

    Raises JournalError when the file cannot be read for a reason that is not damage.
    """
    return _judge(connection, path, tail, None, None, True)[0]


def _judge(
    connection: sqlite3.Connection,
    path: Path,
    tail: int | None,
    follower: Follower | None,
    before: Tip | None,
    is_last: bool,
) -> tuple[Verdict, Tip | None]:
    """`before`: the end of the file before this one; None: there is none. Gives the end of this one, too."""
    try:
        return _examine(connection, path, tail, follower, before, is_last)
    except DamagedError as error:
        return _unreadable(error), None
    except sqlite3.Error as error:
        fault = sqlite_fault(path, error)
        if isinstance(fault, DamagedError):
            return _unreadable(fault), None
        raise fault from None
    except OSError as error:
        raise JournalError(f"{head_path(path)}: {error.strerror}; check its permissions") from None


def _unreadable(error: DamagedError | NoJournalError) -> Verdict:
    return _broken(Break(None, "file", error.what))


def _broken(first: Break) -> Verdict:
    return Verdict(records=0, kinds={}, behind=0, first=first)


def _examine(
    connection: sqlite3.Connection,
    path: Path,
    tail: int | None,
    follower: Follower | None,
    joint: Tip | None,
    is_last: bool,
) -> tuple[Verdict, Tip | None]:
    before = read_head(head_path(path))
    # A changed layout may hide or alter records, so nothing that is read through it counts.
    if found := deviations(connection, version_of(connection, path)):
        return _broken(Break(None, "file", found[0])), None
    fault = _fault(connection)
    origin = origin_of(connection)
    if joint is not None and joint != origin:
        return _broken(unjoined(joint, origin)), None
    start = _start(connection, tail, origin)
    chain = Chain(start)
    kinds: Counter[str] = Counter()
    first = _first_break(connection, chain, kinds, follower, origin, is_last)
    if fault:
        first = _damage(fault, first, chain.tip)
    elif first is None or _ended_early(first, chain):
        # A tail cut amid what follows from one input is a cut tail all the same.
        kept = record_at(connection, before.seq) if isinstance(before, Head) else None
        at_head = kept.hash if kept else origin.hash
        first = against_head(before, read_head(head_path(path)), chain.tip, at_head, origin.seq) or first
    behind = max(0, chain.tip.seq - before.seq) if isinstance(before, Head) else 0
    verdict = Verdict(
        records=chain.tip.seq - start.seq,
        kinds=dict(kinds),
        behind=behind,
        first=first,
        begins=origin.seq + 1,
    )
    return verdict, chain.tip


def _damage(fault: str, first: Break | None, tip: Tip) -> Break:
    """Damage that SQLite sees, and how far the records hold all the same."""
    if first is None or first.seq is None:
        return Break(None, "file", f"{fault}; the records hold up to the last, {tip.seq}")
    return Break(first.seq, "file", f"{fault}; record {first.seq} is the first that does not hold")


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


def _start(connection: sqlite3.Connection, tail: int | None, origin: Tip) -> Tip:
    """Where the check begins: behind the record before the tail, else at the origin."""
    newest = last(connection) if tail else None
    before = record_at(connection, newest.seq - tail) if newest and tail else None
    return Tip(before.seq, before.hash) if before else origin


def _first_break(
    connection: sqlite3.Connection,
    chain: Chain,
    kinds: Counter[str],
    follower: Follower | None,
    origin: Tip,
    is_last: bool,
) -> Break | None:
    def behind_tip() -> Iterator[Record]:
        # From the very beginning, so that a record put in before the first is found.
        return records(connection, -math.inf if chain.tip == origin else chain.tip.seq)

    try:
        for record in chain.follow(behind_tip()):
            kinds[record.kind] += 1
            if follower and (mismatch := follower.take(record)):
                return Break(mismatch.seq, "fact", mismatch.detail)
        if not chain.held:
            return explain(chain.tip, behind_tip())
        if follower and is_last and (mismatch := follower.end()):
            return Break(mismatch.seq, "fact", mismatch.detail)
    except DamagedError as error:
        return Break(chain.tip.seq + 1, "file", error.what)
    return None
