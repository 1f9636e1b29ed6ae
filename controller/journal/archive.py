"""Where the finished shoes of a journal are kept: a folder beside it, a file of its own for each division.

Every file is a closed journal: its chain begins behind the last record of the one before, and the journal
itself goes on behind the newest. A file is whole when it has its name: it is written under another one.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from controller.journal.checkpoints import signed_path
from controller.journal.disk import sync_folder
from controller.journal.errors import JournalError
from controller.journal.head import HeadFile, head_path
from controller.journal.record import Tip
from controller.journal.schema import begin_behind, description, migrate, origin_of

FOLDER = "archive"
_NAME = re.compile(r"journal-([0-9]{12})\.db")
_FIELDS = "seq, kind, device, at, wall, body, hash"


class Part(NamedTuple):
    """A file and the number of the first record in it."""

    first: int
    path: Path


def folder_of(journal: Path) -> Path:
    """The archive of the journal at this path."""
    return journal.parent / FOLDER


def archived(journal: Path, before: int | None = None) -> list[Part]:
    """The files of a journal's archive, in order; only those that begin before a record, where one is given:
    what a journal begins behind. Raises JournalError: it cannot be listed.
    """
    try:
        names = [path.name for path in folder_of(journal).iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise JournalError(f"{folder_of(journal)}: {reason}; check its permissions") from None
    found = [(match, name) for name in names if (match := _NAME.fullmatch(name))]
    parts = sorted(Part(int(match[1]), folder_of(journal) / name) for match, name in found)
    return [part for part in parts if before is None or part.first < before]


def part_path(journal: Path, first: int) -> Path:
    """Where the archived file that begins with record `first` lies."""
    return folder_of(journal) / f"journal-{first:012}.db"


def store_part(source: sqlite3.Connection, journal: Path, first: int) -> Tip:
    """Copy the records before `first` into a file of the archive, on the disk; the last one as a tip.

    Done again after a power cut it makes the same file. Raises OSError, sqlite3.Error.
    """
    origin = origin_of(source)
    folder = folder_of(journal)
    folder.mkdir(exist_ok=True)
    path = part_path(journal, origin.seq + 1)
    part = path.with_suffix(".part")
    for leftover in (part, part.with_name(part.name + "-journal")):
        leftover.unlink(missing_ok=True)
    with closing(sqlite3.connect(part, isolation_level=None)) as target:
        target.text_factory = source.text_factory
        target.execute("PRAGMA journal_mode = MEMORY")
        target.execute("PRAGMA synchronous = FULL")
        target.execute("BEGIN IMMEDIATE")
        migrate(target, 0)
        target.executemany("INSERT INTO meta VALUES (?, ?)", description(source).items())
        rows = source.execute(f"SELECT {_FIELDS} FROM record WHERE seq < ? ORDER BY seq", (first,))
        target.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        target.execute("COMMIT")
        tip = Tip(*target.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone())
    head = HeadFile(head_path(path))
    try:
        head.seal(tip, closed=True)
    finally:
        head.close()
    part.replace(path)
    sync_folder(folder)
    sync_folder(folder.parent)
    return tip


def drop_archived(connection: sqlite3.Connection, first: int, tip: Tip) -> None:
    """Take the records before `first` out of a journal, all at once. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM record WHERE seq < ?", (first,))
    begin_behind(connection, tip)
    connection.execute("COMMIT")


def prune(journal: Path, keep: int, begins: int) -> Iterator[Path]:
    """Remove the oldest files of the archive, so that `keep` are left of those before record `begins`, the
    journal's first: another's file must not stand for one of them. Each when it is gone.

    By number and never by date: a clock that jumps must not cost the record. Raises OSError.
    """
    parts = archived(journal, begins)
    for part in parts[: max(0, len(parts) - keep)]:
        part.path.unlink()
        for beside in (head_path(part.path), signed_path(part.path)):
            beside.unlink(missing_ok=True)
        yield part.path
