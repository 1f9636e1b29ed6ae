"""Copies of a whole journal: made while it is written, checked, brought back; a damaged one moved away."""

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from controller.journal.archive import FOLDER as ARCHIVE
from controller.journal.archive import archived, folder_of
from controller.journal.audit import Verdict, verify
from controller.journal.check import against_head
from controller.journal.checkpoints import read_signed, signed_path
from controller.journal.disk import hand_over, read_whole, sync_file, sync_folder, write_whole
from controller.journal.errors import DamagedError, HeldError, JournalError, sqlite_fault
from controller.journal.head import Head, HeadFile, head_path, read_head
from controller.journal.reader import connect, last, record_at, records
from controller.journal.record import Tip
from controller.journal.schema import description, origin_of

#: What lies beside a journal and belongs to the table: name -> mode. The private key stays where it is.
BESIDE = {"signing.pub": 0o644, "people.json": 0o600}
#: What is moved away, in this order: without its head no journal is opened, so none is gone on with in part.
_OWN = ("journal.head", "journal.db-wal", "journal.db-shm", "journal.signed", ARCHIVE, "journal.db")


def backup(journal: Path, folder: Path) -> Verdict:
    """Copy the journal at a path, its archive and its people into a folder, and check the copy. Files of the
    archive that are there already are not copied again. The table may go on meanwhile.

    Raises JournalError.
    """
    if folder.resolve().is_relative_to(journal.parent.resolve()):
        raise JournalError(f"{folder}: lies in what is to be copied; name a folder on another disk")
    copy = folder / "journal.db"
    with _typed(folder), closing(connect(journal)) as source:
        folder.mkdir(parents=True, exist_ok=True)
        _check_owner(copy, description(source).get("table"))
        _check_behind(copy, journal)
        with TemporaryDirectory(prefix=".copying-", dir=folder) as place:
            new = Path(place) / copy.name
            # First, so that the copy has every record that was signed, and one at least was.
            _copy_signed(journal, new)
            begins = _copy_live(source, journal, new)
            # An older copy that holds is worth more than a newer one that does not.
            if copy.exists() and (found := verify(new)).first:
                raise JournalError(f"{journal}: {found.first}; the older copy in {folder} was left as it was")
            # Whatever is not in the copy is in the archive by now.
            for part in archived(journal, begins):
                _copy_part(part.path, folder_of(copy) / part.path.name)
            # Last, so that until then the older copy is whole.
            for path in (head_path(new), signed_path(new), new):
                path.replace(folder / path.name)
        _copy_beside(journal.parent, folder)
        sync_folder(folder)
    return verify(copy)


def restore(folder: Path, state: Path) -> Verdict:
    """Bring a copy back into a state folder without a journal, and check it there. Raises JournalError."""
    copy, journal = folder / "journal.db", state / "journal.db"
    found = verify(copy)
    if not found.ok:
        raise JournalError(f"{copy}: {found.first}; restore another copy")
    with _typed(state):
        state.mkdir(parents=True, exist_ok=True)
        with _unused(state):
            there = [name for name in _OWN if name != ARCHIVE and (state / name).exists()]
            if there or archived(journal):
                # Also of what is left of one: its log would be taken for this one's.
                what = state / (there or [ARCHIVE])[-1]
                raise JournalError(f"{what}: is there; move it away first: tablectl keep-aside {state}")
            for part in archived(copy):
                _copy_part(part.path, folder_of(journal) / part.path.name)
            if signed_path(copy).exists():
                _copy_file(signed_path(copy), signed_path(journal))
            _copy_beside(folder, state)
            with TemporaryDirectory(prefix=".copying-", dir=state) as place, closing(connect(copy)) as source:
                new = Path(place) / journal.name
                # With what is in its log, too, where it was copied by other means.
                _copy_live(source, copy, new)
                # Last, so that one which is there is whole.
                for path in (head_path(new), new):
                    path.replace(state / path.name)
                    hand_over(state / path.name)
            sync_folder(state)
    return verify(journal)


def keep_aside(state: Path) -> Path:
    """Move a journal and its archive into a folder of their own, so that a new one can begin; that folder.

    Raises JournalError.
    """
    there = [state / name for name in _OWN if (state / name).exists()]
    if not there:
        raise JournalError(f"{state}: no journal here; name a table's state folder")
    with _typed(state), _unused(state):
        aside = state / f"aside-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        aside.mkdir()
        hand_over(aside)
        for path in there:
            path.rename(aside / path.name)
        sync_folder(aside)
        sync_folder(state)
    return aside


@contextmanager
def _typed(place: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise sqlite_fault(place, error) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise JournalError(f"{error.filename or place}: {reason}; check its disk and permissions") from None


@contextmanager
def _unused(state: Path) -> Iterator[None]:
    """No service has the journal of this folder open, nor can open it meanwhile."""
    path = state / "journal.lock"
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        hand_over(path)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise HeldError(f"{state}: a service has this journal open; stop it first") from None
    finally:
        os.close(lock)


def _check_owner(copy: Path, table: str | None) -> None:
    if not copy.exists():
        return
    with closing(connect(copy)) as connection:
        owner = description(connection).get("table")
    if owner != table:
        raise JournalError(f"{copy}: a copy of table {owner}'s journal, not {table}'s; name another folder")


def _check_behind(copy: Path, journal: Path) -> None:
    """An older copy is of what this journal goes on behind: nothing else may be written over."""
    if not copy.exists():
        return
    with closing(connect(copy)) as connection:
        newest = last(connection)
        tip = Tip(newest.seq, newest.hash) if newest else origin_of(connection)
    here = next(records(journal, tip.seq - 1), None) if tip.seq else None
    # One that begins later had its first files removed, and cannot tell.
    if tip.seq and (here is None or (here.seq == tip.seq and here.hash != tip.hash)):
        what = f"record {tip.seq} of this copy is not in {journal}"
        raise JournalError(f"{copy}: {what}: a copy of another journal; name another folder")


def _copy_live(source: sqlite3.Connection, journal: Path, copy: Path) -> int:
    """The journal's own file, as it is at one instant; the number of its first record.

    Raises DamagedError where its head says that this is not all: the copy's own would vouch for it.
    """
    before = read_head(head_path(journal))
    with closing(sqlite3.connect(copy, isolation_level=None)) as target:
        source.backup(target)
        # One file, readable on any medium.
        target.execute("PRAGMA journal_mode = DELETE")
        newest = last(target)
        tip = Tip(newest.seq, newest.hash) if newest else origin_of(target)
        origin = origin_of(target)
        at_head = record_at(target, before.seq) if isinstance(before, Head) else None
    # Where the journal was divided meanwhile, what the head named is in the archive by now.
    if not isinstance(before, Head) or before.seq >= origin.seq:
        hash_at_head = at_head.hash if at_head else origin.hash
        if wrong := against_head(before, read_head(head_path(journal)), tip, hash_at_head, origin.seq):
            raise DamagedError(journal, str(wrong))
    sync_file(copy)
    head = HeadFile(head_path(copy))
    try:
        head.seal(tip, closed=True)
    finally:
        head.close()
    return origin.seq + 1


def _copy_part(source: Path, target: Path) -> None:
    """A file of the archive with what lies beside it; one that is there with the same end is left."""
    heads = [read_whole(path) if path.exists() else b"" for path in (head_path(source), head_path(target))]
    if target.exists() and heads[0] == heads[1]:
        return
    target.parent.mkdir(exist_ok=True)
    hand_over(target.parent)
    for path in (head_path(source), signed_path(source), source):
        if path.exists():
            _copy_file(path, target.parent / path.name)
    sync_folder(target.parent)


def _copy_signed(journal: Path, copy: Path) -> None:
    """The checkpoints as they are now."""
    kept = read_signed(signed_path(journal)).checkpoints
    write_whole(signed_path(copy), b"".join(msgspec.json.encode(c) + b"\n" for c in kept), 0o644)


def _copy_beside(source: Path, target: Path) -> None:
    for name, mode in BESIDE.items():
        if (source / name).exists() and (source / name).resolve() != (target / name).resolve():
            write_whole(target / name, read_whole(source / name), mode)


def _copy_file(source: Path, target: Path) -> None:
    """All of it or nothing, on the disk."""
    part = target.with_name(target.name + ".part")
    shutil.copyfile(source, part)
    sync_file(part)
    hand_over(part)
    part.replace(target)
