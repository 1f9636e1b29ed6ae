"""The outbox on the disk: what is still to be delivered, and the state of the cases, in one transaction.

The journal is the truth: this file can always be begun anew from it. SQLite, WAL, `synchronous=FULL`. One
thread at a time.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from controller.ports import ControllerError

#: "BACO", in the header of every outbox.
APPLICATION_ID = 0x4241434F
SCHEMA = 1
FULL = 2
BUSY = 0.1

#: The places in a write and after a delivery at which a test may kill or fail.
POINTS = ("begun", "inserted", "committed", "forgotten")

_CREATE = (
    "CREATE TABLE state (only INTEGER PRIMARY KEY CHECK (only = 1), body BLOB NOT NULL) STRICT",
    "CREATE TABLE letter (number INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, id TEXT NOT NULL,"
    " body BLOB NOT NULL) STRICT",
    "CREATE INDEX line ON letter (target, number)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA}",
)


class OutboxError(ControllerError):
    """The outbox cannot be opened, read or written now."""


class Letter(NamedTuple):
    """A message for a target. `number`: its place in the outbox, 0 before it is there."""

    number: int
    target: str
    id: str
    body: bytes


def _pass(point: str) -> None:
    """Nothing happens at any point."""


class Outbox:
    """`state`: as written last; None in a new file. `damaged`: where an unreadable file was put aside."""

    def __init__(self, path: Path, at_point: Callable[[str], None] = _pass) -> None:
        self.path = path
        self.damaged: Path | None = None
        self._at_point = at_point
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = _open(path)
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                    raise
                self.damaged = _put_aside(path)
                self._connection = _open(path)
            row = self._connection.execute("SELECT body FROM state").fetchone()
        except OSError as error:
            raise OutboxError(f"{path}: {(error.strerror or str(error)).lower()}; {_REMEDY}") from None
        except sqlite3.Error as error:
            raise self._fault(error) from None
        self.state: bytes | None = row and row[0]

    def write(self, letters: Sequence[Letter], state: bytes) -> None:
        """Add letters behind those that wait, and the state that goes with them. OutboxError: neither."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._at_point("begun")
            self._connection.executemany(
                "INSERT INTO letter (target, id, body) VALUES (?, ?, ?)", [letter[1:] for letter in letters]
            )
            self._connection.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (state,))
            self._at_point("inserted")
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            raise self._fault(error) from None
        self._at_point("committed")

    def next(self, target: str, done: int | None = None, behind: int = 0) -> Letter | None:
        """Forget the letter `done`, which was delivered, and give the target's next behind that number.

        Raises OutboxError.
        """
        try:
            if done is not None:
                self._connection.execute("DELETE FROM letter WHERE number = ?", (done,))
                self._at_point("forgotten")
            row = self._connection.execute(
                "SELECT number, target, id, body FROM letter WHERE target = ? AND number > ?"
                " ORDER BY number LIMIT 1",
                (target, behind),
            ).fetchone()
        except sqlite3.Error as error:
            raise self._fault(error) from None
        return row and Letter(*row)

    def waiting(self) -> dict[str, int]:
        """How many letters wait for each target. Raises OutboxError."""
        try:
            return dict(
                self._connection.execute("SELECT target, count(*) FROM letter GROUP BY target").fetchall()
            )
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def drop(self, target: str) -> None:
        """Forget what waits for a target that is no longer configured. Raises OutboxError."""
        try:
            self._connection.execute("DELETE FROM letter WHERE target = ?", (target,))
        except sqlite3.Error as error:
            raise self._fault(error) from None

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def _fault(self, error: sqlite3.Error) -> OutboxError:
        return OutboxError(f"{self.path}: {error}; {_REMEDY}")


_REMEDY = "check this disk, the space left on it and the permissions of the file and its folder"


def _open(path: Path) -> sqlite3.Connection:
    """Raises OutboxError, sqlite3.Error."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY, check_same_thread=False)
    # A text spoilt on the disk must still be readable; what it stands in is delivered to nobody.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        _prepare(connection, path)
    except UnicodeDecodeError:
        # The damage stands in SQLite's own message about it.
        connection.close()
        raise _corrupt("malformed database schema") from None
    except (OutboxError, sqlite3.Error):
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    (fault,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if fault != "ok":
        raise _corrupt(fault)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) != (0, 0) and application != APPLICATION_ID:
        raise OutboxError(f"{path}: not an outbox but another program's database; move it away")
    if version > SCHEMA:
        raise OutboxError(
            f"{path}: schema version {version}, this software has {SCHEMA}; update the software"
        )
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.execute(f"PRAGMA synchronous = {FULL}")
    # Read back: the level is the connection's own and never stored (field failure 55).
    (level,) = connection.execute("PRAGMA synchronous").fetchone()
    if (mode, level) != ("wal", FULL):
        raise OutboxError(f"{path}: journal mode {mode}, synchronous {level}; put the state on a local disk")
    if version == 0:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _CREATE:
            connection.execute(statement)
        connection.execute("COMMIT")


def _corrupt(what: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(what)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _put_aside(path: Path) -> Path:
    """Keep the damaged file, with its log, under another name."""
    aside = path.with_name(path.name + ".damaged")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(aside.with_name(aside.name + suffix))
    return aside
