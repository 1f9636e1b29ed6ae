"""What is damaged is told by whoever reads it: nobody waits for ever, and no part is taken for the whole."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.archive import archived, part_path
from controller.journal.audit import verify
from controller.journal.checkpoints import signed_path
from controller.journal.copies import backup, keep_aside, restore
from controller.journal.errors import DamagedError, JournalError
from controller.journal.head import HeadFile, head_path
from controller.journal.reader import connect, records
from controller.journal.record import Entry, Record
from controller.journal.signing import load_signer, load_verifier
from controller.journal.store import Store
from controller.ports import InputError
from controller.report.episodes import decoded
from controller.runtime.heartbeat import Heartbeat
from controller.runtime.replaying import Rederivation, items, recover

WALL = "2026-03-14T20:00:00.000+00:00"
NESTED = b'{"configuration":' + b"[" * 5000


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Twelve records, in files that begin with 1, 4, 8 and 12."""
    path = tmp_path / "state" / "journal.db"
    store = Store(path, "MB-01")
    store.sign_with(load_signer(path.parent, "MB-01", None))
    for number in range(1, 13):
        store.write([(Entry("fact", b"%d" % number), WALL)])
        store.mark()
        if number % 4 == 0:
            store.divide(number, 0)
    store.close()
    return path


def beside(name: str) -> Callable[[Path], Path]:
    """Where that lies, of a journal."""
    return lambda journal: journal.with_name(name)


PUBLIC, LOG, BEAT = map(beside, ("signing.pub", "journal.db-wal", "heartbeat"))


def changed(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


# -- what is no file ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "read"),
    [
        (head_path, lambda path: verify(path)),
        (head_path, lambda path: list(records(path))),
        (head_path, lambda path: HeadFile(head_path(path))),
        (head_path, lambda path: Store(path, "MB-01")),
        (signed_path, lambda path: verify(path, key=load_verifier(PUBLIC(path)))),
        (signed_path, lambda path: backup(path, path.parent.parent / "copy")),
        (PUBLIC, lambda path: load_verifier(PUBLIC(path))),
        (PUBLIC, lambda path: load_signer(path.parent, "MB-01", None)),
        (PUBLIC, lambda path: backup(path, path.parent.parent / "copy")),
        (LOG, lambda path: connect(path)),
        (LOG, lambda path: Store(path, "MB-01")),
        (BEAT, lambda path: Heartbeat(BEAT(path)).open()),
    ],
)  # fmt: skip
def test_nobody_waits_at_a_pipe(
    journal: Path, place: Callable[[Path], Path], read: Callable[[Path], object]
) -> None:
    place(journal).unlink(missing_ok=True)
    os.mkfifo(place(journal))
    with pytest.raises((JournalError, OSError), match="no regular file"):
        read(journal)


# -- records -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 6, 11, 12])
def test_a_record_that_was_changed_is_named_and_not_read(journal: Path, number: int) -> None:
    file = next(path for first, path in [(12, journal), *archived(journal)[::-1]] if first <= number)
    changed(file, f"UPDATE record SET body = x'31' WHERE seq = {number}")
    found = []
    with pytest.raises(DamagedError, match=f"content: record {number}\\b"):
        found.extend(record.seq for record in records(journal))
    assert found == list(range(1, number))
    assert [record.seq for record in records(journal, number)] == list(range(number + 1, 13))


@pytest.mark.parametrize(("gone", "which"), [(4, "4 to 7"), (8, "8 to 11")])
@pytest.mark.parametrize("after", [0, 2, 5])
def test_a_file_of_the_archive_that_is_gone_is_no_gap_in_silence(
    journal: Path, gone: int, which: str, after: int
) -> None:
    part_path(journal, gone).unlink()
    with pytest.raises(DamagedError, match=f"missing: records .* to {which.split()[-1]} are missing"):
        list(records(journal, after))


def test_a_record_that_was_taken_out_is_missed_by_who_begins_behind_it(journal: Path) -> None:
    changed(part_path(journal, 4), "DELETE FROM record WHERE seq = 6")
    with pytest.raises(DamagedError, match="record 6 is missing"):
        list(records(journal, 6))
    assert [record.seq for record in records(journal, 7)] == [8, 9, 10, 11, 12]
    assert list(records(journal, 12)) == list(records(journal, 99)) == []


def test_records_that_lay_in_a_log_that_is_gone_are_missed(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.db"
    store = Store(path, "MB-01")
    store.write([(Entry("fact", b"1"), WALL)])
    store.checkpoint()
    store.write([(Entry("fact", b"2"), WALL)])
    store.mark()
    shutil.copytree(path.parent, left := tmp_path / "left")
    store.close()
    (left / "journal.db-wal").unlink()
    with pytest.raises(DamagedError, match="the head names record 2, the journal ends with 1"):
        list(records(left / "journal.db"))
    with pytest.raises(DamagedError, match="the head names record 2, the journal ends with 1"):
        backup(left / "journal.db", tmp_path / "copy")
    assert not (tmp_path / "copy" / "journal.db").exists()


def test_a_folder_that_was_copied_by_other_means_comes_back_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.db"
    store = Store(path, "MB-01")
    store.write([(Entry("fact", b"1"), WALL)])
    store.mark()
    shutil.copytree(path.parent, tmp_path / "copy")
    store.close()
    assert (tmp_path / "copy" / "journal.db-wal").stat().st_size
    assert restore(tmp_path / "copy", tmp_path / "new").records == 1
    Store(tmp_path / "new" / "journal.db", "MB-01").close()


@pytest.mark.parametrize(
    ("left", "says"),
    [
        (["journal.head"], "the head names record 12, the journal ends with 0"),
        (["archive"], "the archive begins with record 1, the journal behind it is gone"),
        (["journal.db-wal"], "journal.db-wal is there, and the database it belongs to is gone"),
    ],
)
def test_no_new_journal_begins_over_what_is_left_of_another(
    journal: Path, left: list[str], says: str
) -> None:
    """Its first file in the archive would be written over, and its log removed."""
    (journal.parent / "journal.db-wal").write_bytes(b"frames")
    for path in list(journal.parent.iterdir()):
        if path.name not in left and path.is_file():
            path.unlink()
        elif path.name not in left:
            shutil.rmtree(path)
    there = {path: path.read_bytes() for path in journal.parent.rglob("*") if path.is_file()}
    with pytest.raises(DamagedError, match=says):
        Store(journal, "MB-01")
    lock = journal.with_suffix(".lock")
    assert there == {p: p.read_bytes() for p in journal.parent.rglob("*") if p.is_file() and p != lock}
    keep_aside(journal.parent)
    Store(journal, "MB-01").close()


# -- what a record says ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["start", "signal", "input"])
@pytest.mark.parametrize("body", [b"", b"\xff", b"null", NESTED, b'{"type":"zz"}'])
def test_a_record_that_says_nothing_is_named_at_a_start(kind: str, body: bytes) -> None:
    record = Record(1, kind, "shoe", None, WALL, body, b"")  # type: ignore[arg-type]
    with pytest.raises(JournalError, match=r"record 1: \w+ cannot be read: .*keep-aside"):
        recover([record])
    mismatch = Rederivation().take(record)
    assert mismatch and "cannot be read" in mismatch.detail


@pytest.mark.parametrize("kind", ["configuration", "carried"])
def test_what_was_carried_over_and_says_nothing_is_named(kind: str) -> None:
    record = Record(7, kind, None, None, WALL, b"{}", b"")  # type: ignore[arg-type]
    with pytest.raises(JournalError, match="record 7: "):
        recover([record])
        list(items([record], carried=True))
    first = Rederivation().take(record)
    assert first is None or "cannot be read" in first.detail


@pytest.mark.parametrize("wall", ["", "yesterday", "9999-99-99", "2026-03-14T20:00:00"])
def test_a_time_that_is_none_is_named(wall: str) -> None:
    record = Record(5, "fact", None, None, wall, b'{"type":"round_voided","round":1}', b"")
    with pytest.raises(InputError, match="record 5: "):
        list(decoded([record]))


# -- until when the service listened -----------------------------------------------------------------------


def test_a_beat_that_was_damaged_vouches_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "heartbeat"
    heart = Heartbeat(path)
    heart.open()
    assert heart.last() is None
    heart.beat(1234.5)
    assert heart.last() == 1234.5
    data = path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert heart.last() is None
    path.write_bytes(data[:8])
    assert heart.last() is None
    heart.close()
