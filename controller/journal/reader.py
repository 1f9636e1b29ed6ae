"""Reading a journal, also while its writer runs: a second, read-only connection, one short read a page.

A long read would keep the write-ahead log from being checkpointed, so no read stays open between pages.
"""

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from types import NoneType

from controller.journal.archive import Part, archived
from controller.journal.check import Chain, cut_behind, explain
from controller.journal.errors import DamagedError, JournalError, NoJournalError, sqlite_fault
from controller.journal.head import KeptHead, head_path, read_head
from controller.journal.record import Kind, Record, Tip
from controller.journal.schema import origin_of, path_of, version_of

PAGE = 500
_FIELDS = "seq, kind, device, at, wall, body, hash"
#: The term of the index `beginning`, said so that SQLite may use it.
_BEGINNING = " AND kind IN ('start', 'configuration', 'carried')"

#: The fields' types as SQLite gives them; a damaged page can give anything.
_TYPES = {(int, str, device, at, str, bytes, bytes) for device in (str, NoneType) for at in (float, NoneType)}

Source = Path | sqlite3.Connection


def locate(path: Path) -> Path:
    """The database of a journal named by itself or by the state folder it lies in."""
    return path / "journal.db" if path.is_dir() else path


def connect(path: Path) -> sqlite3.Connection:
    """A read-only connection. Raises JournalError for what is no journal or cannot be read."""
    if not path.exists():
        raise JournalError(f"{path}: no such file; name a journal.db or the folder it lies in")
    if not path.is_file():
        # SQLite would wait for ever for somebody to write into a pipe.
        raise NoJournalError(path, "no regular file, no journal")
    log = path.with_name(path.name + "-wal")
    check_log(log)
    try:
        return _connect(path, "mode=ro")
    except sqlite3.OperationalError as error:
        sealed = error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))
        if not sealed or (log.exists() and log.stat().st_size):
            raise sqlite_fault(path, error) from None
    except sqlite3.Error as error:
        raise sqlite_fault(path, error) from None
    try:
        # A closed journal on read-only media: nobody can write, and SQLite need not share anything.
        return _connect(path, "immutable=1")
    except sqlite3.Error as error:
        raise sqlite_fault(path, error) from None


def check_log(log: Path) -> None:
    """SQLite reads a journal without its last records where its log is a pipe. Raises DamagedError."""
    if log.exists() and not log.is_file():
        raise DamagedError(log, "no regular file, no write-ahead log")


def _connect(path: Path, how: str) -> sqlite3.Connection:
    # Where a reading ended early, another thread may be the one that lets go of it.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None, check_same_thread=False
    )
    # A name spoilt on the disk must still be readable, to be hashed and found changed.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        if version_of(connection, path) == 0:
            raise NoJournalError(path, "an empty file, no journal")
    except (JournalError, sqlite3.Error):
        connection.close()
        raise
    return connection


def records(source: Source, after: float = 0) -> Iterator[Record]:
    """Every record numbered above `after`, in order, as far as the journal went when each page was read. Of a
    journal named by its path also those in its archive, and each only while the chain holds: what was changed
    or is missing must not be taken for what happened.

    Raises JournalError, naming the record that could not be read or does not hold.
    """
    if isinstance(source, Path):
        yield from _from_all_files(source, after)
        return
    query = f"SELECT {_FIELDS} FROM record WHERE seq > ? ORDER BY seq LIMIT {PAGE}"
    while True:
        page, fault = _page(source, query, after)
        # What was read before the fault still counts, so that the fault is placed to the record.
        yield from page
        if fault:
            raise fault
        if not page:
            return
        after = page[-1].seq


def _from_all_files(journal: Path, after: float) -> Iterator[Record]:
    """The archive's first. While they are read more may move there, so a gap is looked into."""
    head = _head(journal)
    tip: Tip | None = None
    while True:
        with closing(connect(journal)) as connection:
            origin = origin_of(connection)
            part, end = _archived(journal, after, origin.seq + 1)
            if part is None:
                chain = Chain(tip or _tip(connection, after, origin))
                yield from chain.follow(records(connection, chain.tip.seq))
                if not chain.held and begin_of(connection) == origin.seq + 1:
                    raise _broken(journal, connection, chain.tip)
                if chain.held and (gone := cut_behind(head, chain.tip)):
                    raise DamagedError(journal, str(gone))
                if chain.held:
                    return
                tip = chain.tip  # what lies behind it was archived meanwhile
        if part is not None:
            tip = yield from _from_part(part, end, tip, after)
        after = max(after, tip.seq) if tip else after


def _from_part(part: Path, end: int, tip: Tip | None, after: float) -> Generator[Record, None, Tip]:
    """The records of an archived file up to `end`, behind `tip` where one was read; its last one."""
    with closing(connect(part)) as connection:
        chain = Chain(tip or _tip(connection, after, origin_of(connection)))
        yield from chain.follow(records(connection, chain.tip.seq))
        if not chain.held:
            raise _broken(part, connection, chain.tip)
    if chain.tip.seq < end:
        raise DamagedError(
            part, f"missing: records {chain.tip.seq + 1} to {end} are missing behind this file's"
        )
    return chain.tip


def _head(journal: Path) -> KeptHead:
    try:
        return read_head(head_path(journal))
    except OSError as error:
        raise JournalError(f"{head_path(journal)}: {error.strerror}; check its permissions") from None


def _tip(connection: sqlite3.Connection, after: float, origin: Tip) -> Tip:
    """What the records above `after` are chained to: the last up to there, or what the file begins behind."""
    query = f"SELECT {_FIELDS} FROM record WHERE seq <= ? ORDER BY seq DESC LIMIT 1"
    found = _one(connection, query, int(after))
    return Tip(found.seq, found.hash) if found else origin


def _broken(path: Path, connection: sqlite3.Connection, tip: Tip) -> DamagedError:
    return DamagedError(path, str(explain(tip, records(connection, tip.seq))))


def _archived(journal: Path, after: float, begins: int) -> tuple[Path | None, int]:
    """The archived file to read on in behind `after`, and the last number in it. None: none is."""
    if after + 1 >= begins:
        return None, 0
    firsts = [*archived(journal, begins), Part(begins, journal)]
    for part, following in pairwise(firsts):
        if following.first > after + 1:
            return part.path, following.first - 1
    return None, 0


def begin_of(connection: sqlite3.Connection) -> int:
    """The number of the first record of this file. Raises JournalError."""
    return origin_of(connection).seq + 1


def beginning_of(journal: Path, seq: int) -> int:
    """The record behind which the shoe of record `seq` begins: the last one before its start was concluded,
    or the one that the file begins behind. Raises JournalError.
    """
    with closing(connect(journal)) as connection:
        part = _archived(journal, seq - 1, begin_of(connection))[0]
        if part is None:
            return _beginning_of(connection, seq)
    with closing(connect(part)) as connection:
        return _beginning_of(connection, seq)


def _beginning_of(connection: sqlite3.Connection, seq: int) -> int:
    query = f"SELECT {_FIELDS} FROM record WHERE kind = 'configuration'{_BEGINNING} AND seq <= ?"
    # A shoe's start is followed by the configuration that it is dealt by.
    found = _one(connection, f"{query} ORDER BY seq DESC LIMIT 1", seq + 1)
    return found.seq - 2 if found else begin_of(connection) - 1


def last(source: Source, kind: Kind | None = None) -> Record | None:
    """The newest record, or the newest of one kind. Raises JournalError."""
    if isinstance(source, Path):
        with closing(connect(source)) as connection:
            return last(connection, kind)
    where = "" if kind is None else "WHERE kind = ?"
    if kind in ("start", "configuration", "carried"):
        where += _BEGINNING
    query = f"SELECT {_FIELDS} FROM record {where} ORDER BY seq DESC LIMIT 1"
    return _one(source, query, *([] if kind is None else [kind]))


def kind_of(connection: sqlite3.Connection, kind: Kind) -> Iterator[Record]:
    """The records of a kind that begins something, in order. Raises JournalError."""
    query = f"SELECT {_FIELDS} FROM record WHERE kind = ?{_BEGINNING} ORDER BY seq"
    found, fault = _page(connection, query, kind)
    yield from found
    if fault:
        raise fault


def cause_of(connection: sqlite3.Connection, seq: int) -> Record | None:
    """The newest report or order before a record. Raises JournalError."""
    query = f"SELECT {_FIELDS} FROM record WHERE kind IN ('observation', 'input') AND seq < ?"
    return _one(connection, f"{query} ORDER BY seq DESC LIMIT 1", seq)


def record_at(connection: sqlite3.Connection, seq: int) -> Record | None:
    """The record of this number. Raises JournalError."""
    return _one(connection, f"SELECT {_FIELDS} FROM record WHERE seq = ?", seq)


def _one(connection: sqlite3.Connection, query: str, *values: object) -> Record | None:
    found, fault = _page(connection, query, *values)
    if fault:
        raise fault
    return found[0] if found else None


def _page(
    connection: sqlite3.Connection, query: str, *values: object
) -> tuple[list[Record], JournalError | None]:
    """The records found, and the fault that ended the reading, if one did."""
    page: list[Record] = []
    try:
        for row in connection.execute(query, values):
            if tuple(map(type, row)) not in _TYPES:
                return page, DamagedError(path_of(connection), f"record {row[0]}: a field of another type")
            page.append(Record(*row))
    except sqlite3.Error as error:
        place = f"behind record {page[-1].seq}: " if page else ""
        return page, sqlite_fault(path_of(connection), error, place)
    return page, None
