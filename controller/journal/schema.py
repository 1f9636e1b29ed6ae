"""The layout of a journal file, version by version, so that an old journal still opens."""

import sqlite3
from contextlib import closing
from pathlib import Path

from controller.journal.errors import DamagedError, JournalError, sqlite_fault
from controller.journal.record import Tip, genesis

#: "BACC", in the header of every journal: tells it from any other SQLite file.
APPLICATION_ID = 0x42414343

#: Step n lifts a file of version n to version n + 1; version 0 is an empty file. Only ever append a step, and
#: never touch a record in one: the chain is over what was written.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE TABLE record (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, device TEXT, at REAL,"
        " wall TEXT NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL) STRICT",
        f"PRAGMA application_id = {APPLICATION_ID}",
    ),
    # Recovery begins at the last shoe's start: found without reading the shoe. Partial, so facts pay nothing.
    ("CREATE INDEX beginning ON record (kind, seq) WHERE kind IN ('start', 'configuration')",),
    # A journal may be divided, and what is kept then begins with what was carried over.
    (
        "DROP INDEX beginning",
        "CREATE INDEX beginning ON record (kind, seq) WHERE kind IN ('start', 'configuration', 'carried')",
    ),
)
SCHEMA = len(MIGRATIONS)

_OBJECTS = "SELECT type, name, sql FROM sqlite_master ORDER BY type DESC, name"


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The file's schema version, 0 when it is empty.

    Raises JournalError for a file that is no journal, damaged, or newer than this software; sqlite3.Error.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    try:
        empty = not connection.execute(_OBJECTS).fetchall()
    except UnicodeDecodeError:
        # The damage stands in SQLite's own message about it.
        raise DamagedError(path, "malformed database schema") from None
    if (application, version) == (0, 0) and empty:
        return 0
    if application != APPLICATION_ID:
        raise JournalError(f"{path}: not a journal but another program's database; name a journal.db")
    if not 1 <= version <= SCHEMA:
        raise JournalError(
            f"{path}: schema version {version}, this software reads 1 to {SCHEMA}; update the software"
        )
    return int(version)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Lift the file from `version` to SCHEMA, inside the caller's transaction."""
    for step, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {step}")


def deviations(connection: sqlite3.Connection, version: int) -> list[str]:
    """How the file's tables, indices, triggers and views differ from those of `version`."""
    with closing(sqlite3.connect(":memory:")) as model:
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                model.execute(statement)
        wanted = {(kind, name): sql for kind, name, sql in model.execute(_OBJECTS)}
    found = {(kind, name): sql for kind, name, sql in connection.execute(_OBJECTS)}
    return (
        [f"{kind} {name} is missing" for kind, name in wanted if (kind, name) not in found]
        + [f"{kind} {name} does not belong there" for kind, name in found if (kind, name) not in wanted]
        + [f"{k} {n} was altered" for (k, n), sql in found.items() if wanted.get((k, n), sql) != sql]
    )


def describe(connection: sqlite3.Connection, table: str) -> None:
    """Write a new journal's description; it never changes afterwards, it is the chain's genesis."""
    rows = {"schema": str(SCHEMA), "table": table}
    connection.executemany("INSERT INTO meta VALUES (?, ?)", rows.items())


def begin_behind(connection: sqlite3.Connection, tip: Tip) -> None:
    """Note where the records of a divided journal begin, inside the caller's transaction."""
    rows = {"after": str(tip.seq), "previous": tip.hash.hex()}
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows.items())


def description(connection: sqlite3.Connection) -> dict[str, str]:
    """The journal's description: `schema` it was begun in, `table` it belongs to; of one that was divided
    `after` which record this file begins, and the hash of that, `previous`. Raises JournalError.
    """
    try:
        rows = connection.execute("SELECT key, value FROM meta").fetchall()
    except sqlite3.Error as error:
        if error.sqlite_errorname == "SQLITE_ERROR":  # the table or a column is gone
            raise DamagedError(path_of(connection), f"the journal's description: {error}") from None
        raise sqlite_fault(path_of(connection), error, "the journal's description: ") from None
    return {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}


def origin_of(connection: sqlite3.Connection) -> Tip:
    """What the chain of this file begins behind: the genesis, or the last record of the file before.

    Raises JournalError.
    """
    meta = description(connection)
    if "after" not in meta:
        return Tip(0, genesis(meta))
    try:
        return Tip(int(meta["after"]), bytes.fromhex(meta.get("previous", "")))
    except ValueError:
        raise DamagedError(path_of(connection), "the journal's description was changed") from None


def path_of(connection: sqlite3.Connection) -> Path:
    """The file that a connection is to."""
    return Path(connection.execute("PRAGMA database_list").fetchone()[2])
