"""The journal's files as the service holds them: lock, database and head, opened, checked and written.

One thread at a time. A commit has returned only when its records are on the disk (WAL, `synchronous=FULL`).
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from msgspec.structs import astuple

from controller.journal.archive import archived, drop_archived, part_path, prune, store_part
from controller.journal.audit import examine
from controller.journal.checkpoints import SignedFile, Signs
from controller.journal.disk import sync_file, sync_folder
from controller.journal.errors import DamagedError, HeldError, JournalError, NoJournalError, sqlite_fault
from controller.journal.head import Head, HeadFile, head_path, read_head
from controller.journal.reader import check_log
from controller.journal.record import Entry, Tip, chained
from controller.journal.schema import SCHEMA, describe, description, migrate, origin_of, version_of

#: So many of the last records are checked at a start, a few shoes; the whole is for `tablectl audit`.
TAIL = 20_000
#: Seconds to wait for another process's lock on the database before the fault is reported.
BUSY = 0.1
FULL = 2
#: What SQLite keeps of the file in memory: a journal is only added to at its end.
CACHE_KIB = 256

#: Seconds of play after which the journal's end is signed again.
SIGN_AFTER = 60.0

#: The places in a commit, a checkpoint and a division at which a test may stall, fail or kill.
POINTS = ("begun", "inserted", "committed", "marked", "checkpointed", "archived", "divided")


def _pass(point: str) -> None:
    """Nothing happens at any point."""


class Store:
    """The open journal of one table. Raises JournalError: held, damaged, not this table's, or unreadable."""

    def __init__(self, path: Path, table: str, at_point: Callable[[str], None] = _pass) -> None:
        self.path = path
        self._at_point = at_point
        self._signed: SignedFile | None = None
        self._sign_at = 0.0
        with ExitStack() as undo:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                lock = _lock(path.with_suffix(".lock"))
                undo.callback(os.close, lock)
                sound = self._look(table)
                self._connection = self._open(table, undo, sound)
                self._head = HeadFile(head_path(path))
                undo.callback(self._head.close)
                self._head.seal(self.tip)
                sync_folder(path.parent)
            except OSError as error:
                raise self._os_fault(error) from None
            except sqlite3.Error as error:
                fault = sqlite_fault(path, error)
                # Nothing else has this name: it was one.
                raise DamagedError(path, fault.what) if isinstance(fault, NoJournalError) else fault from None
            self._release = undo.pop_all()

    def _open(self, table: str, undo: ExitStack, sound: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=BUSY, check_same_thread=False)
        undo.callback(connection.close)
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        version = version_of(connection, self.path)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        connection.execute(f"PRAGMA synchronous = {FULL}")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        # Both are read back: the second is the connection's own and never stored (field failure 55).
        (level,) = connection.execute("PRAGMA synchronous").fetchone()
        if (mode, level) != ("wal", FULL):
            raise JournalError(
                f"{self.path}: opened with journal mode {mode}, synchronous {level} instead of wal, {FULL}; "
                "put the journal on a local disk"
            )
        if version == 0:
            _lift(connection, version, table)
        if not sound:
            self._check(connection, table)
        if 0 < version < SCHEMA:
            _lift(connection, version, table)
        # A commit that failed to sync before a kill was read from memory; nothing may follow it in the log.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        log = self.path.with_name(self.path.name + "-wal")
        if log.exists():
            sync_file(log)
        self.tip = _tip(connection)
        return connection

    def _look(self, table: str) -> bool:
        """Whether the journal was found sound, without a right to write: a damaged one stays as it was found,
        where the last connection to close would fold the log into it. False: there is none yet.
        """
        if not self.path.exists():
            self._be_first()
            return False
        if not self.path.is_file():
            # SQLite would wait for ever for somebody to write into a pipe.
            raise DamagedError(self.path, "no regular file, no journal")
        check_log(self.path.with_name(self.path.name + "-wal"))
        with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)) as reader:
            reader.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            try:
                version = version_of(reader, self.path)
            except sqlite3.OperationalError as error:
                if not error.sqlite_errorname.startswith("SQLITE_READONLY"):
                    raise
                return False  # its creation was cut off: there is no record yet
            if version:
                self._check(reader, table)
            else:
                self._be_first()
        return bool(version)

    def _be_first(self) -> None:
        """A new journal would be taken for what is left of another, and SQLite would remove its log."""
        head, parts = read_head(head_path(self.path)), archived(self.path)
        log = self.path.with_name(self.path.name + "-wal")
        if isinstance(head, Head) and head.seq:
            what = f"cut: the tail is cut: the head names record {head.seq}, the journal ends with 0"
        elif parts:
            what = f"missing: the archive begins with record {parts[0].first}, the journal behind it is gone"
        elif not self.path.exists() and log.exists() and log.stat().st_size:
            what = f"missing: {log.name} is there, and the database it belongs to is gone"
        else:
            return
        raise DamagedError(self.path, what)

    def _check(self, connection: sqlite3.Connection, table: str) -> None:
        verdict = examine(connection, self.path, tail=TAIL)
        if verdict.first:
            raise DamagedError(self.path, str(verdict.first))
        owner = description(connection).get("table")
        if owner != table:
            raise JournalError(
                f"{self.path}: the journal of table {owner}, not of {table}; give each its own state"
            )

    def sign_with(self, signer: Signs) -> None:
        """Sign the end of the journal from now on. Raises JournalError."""
        try:
            self._signed = SignedFile(self.path, signer)
        except OSError as error:
            raise self._os_fault(error) from None
        self._sign()

    def _sign(self) -> None:
        if self._signed is None or not self.tip.seq:
            return  # the first record is signed as soon as it is there
        self._sign_at = time.monotonic() + SIGN_AFTER
        try:
            self._signed.add(self.tip)
        except OSError as error:
            raise self._os_fault(error) from None

    def write(self, stamped: Iterable[tuple[Entry, str]]) -> None:
        """Append entries, each with its wall time, in one transaction. JournalError: nothing was."""
        records = chained(self.tip, stamped)
        if not records:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._at_point("begun")
            self._connection.executemany(
                "INSERT INTO record (seq, kind, device, at, wall, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
                map(astuple, records),
            )
            self._at_point("inserted")
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            raise sqlite_fault(self.path, error) from None
        self.tip = Tip(records[-1].seq, records[-1].hash)
        self._at_point("committed")

    def mark(self) -> None:
        """Bring the head up to the last commit. Raises JournalError."""
        try:
            self._head.write(self.tip)
        except OSError as error:
            raise self._os_fault(error) from None
        self._at_point("marked")
        if time.monotonic() >= self._sign_at:
            self._sign()

    def checkpoint(self) -> bool:
        """Move the write-ahead log into the database, truncate it, and put the head on the disk.

        False when a reader stood in the way: the next time does it. Raises JournalError.
        """
        try:
            (busy, _, _) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._at_point("checkpointed")
            self._head.seal(self.tip)
        except sqlite3.Error as error:
            raise sqlite_fault(self.path, error) from None
        except OSError as error:
            raise self._os_fault(error) from None
        self._sign()
        return not busy

    def divide(self, first: int, keep: int) -> list[Path]:
        """Move the records before `first` into the archive, and leave `keep` files there (0: all of them);
        those that were removed.

        Power may fail anywhere: a record is taken out only when its copy is on the disk. Raises JournalError.
        """
        try:
            begins = origin_of(self._connection).seq + 1
            if first <= begins:
                return []
            tip = store_part(self._connection, self.path, first)
            if self._signed is not None:
                self._signed.part(part_path(self.path, begins), tip)
            self._at_point("archived")
            # A head that is behind would name a record that is no longer here.
            self._head.seal(self.tip)
            drop_archived(self._connection, first, tip)
            if self._signed is not None:
                self._signed.begin_anew(self.tip)
            self._at_point("divided")
            self.checkpoint()
            return list(prune(self.path, keep, first)) if keep else []
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            raise sqlite_fault(self.path, error) from None
        except OSError as error:
            raise self._os_fault(error) from None

    def close(self) -> None:
        """Checkpoint, close the head and release the files, also when that fails. Raises JournalError."""
        with self._release:
            self.checkpoint()
            try:
                self._head.seal(self.tip, closed=True)
            except OSError as error:
                raise self._os_fault(error) from None

    def _os_fault(self, error: OSError) -> JournalError:
        place = error.filename or self.path
        return JournalError(
            f"{place}: {(error.strerror or str(error)).lower()}; check its disk and permissions"
        )


def _tip(connection: sqlite3.Connection) -> Tip:
    row = connection.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
    return Tip(*row) if row else origin_of(connection)


def _lift(connection: sqlite3.Connection, version: int, table: str) -> None:
    """Bring the file to this software's schema, a new one with its description, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    migrate(connection, version)
    if version == 0:
        describe(connection, table)
    connection.execute("COMMIT")


def _lock(path: Path) -> int:
    """A descriptor that holds the lock until it is closed. Raises HeldError, OSError."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise HeldError(
            f"{path}: the journal is held by process {holder}; end it, or give this table another state"
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock
