"""What lies in a journal's archive or beside its checkpoints and is neither: none of it costs a record."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.journal.archive import archived, folder_of
from controller.journal.audit import verify
from controller.journal.checkpoints import parse_signed
from controller.journal.copies import keep_aside
from controller.journal.errors import DamagedError, NoJournalError
from controller.journal.reader import connect, records
from controller.journal.record import Entry
from controller.journal.store import Store

WALL = "2026-03-14T20:00:00.000+00:00"


def divided(path: Path, keep: int = 0, *, stranger: str | None = None) -> Path:
    """A journal of twelve records, of which each fourth divides it."""
    store = Store(path, "MB-01")
    for number in range(1, 13):
        store.write([(Entry("fact", b"%d" % number), WALL)])
        if number % 4 == 0:
            if stranger is not None and number == 12:
                (folder_of(path) / stranger).write_bytes(b"a stranger's")
            store.divide(number, keep)
    store.close()
    return path


@pytest.mark.parametrize("name", ["journal-000000009999.db", "journal-00000000000\u0669.db", "journal-1.db"])
def test_a_strange_file_does_not_stand_for_a_shoe_that_is_to_be_kept(tmp_path: Path, name: str) -> None:
    path = divided(tmp_path / "journal.db", keep=2, stranger=name)
    assert [part.first for part in archived(path, 12)] == [4, 8]
    assert (folder_of(path) / name).read_bytes() == b"a stranger's"
    assert verify(path).ok
    assert [record.seq for record in records(path)] == list(range(4, 13))


@pytest.mark.parametrize("damage", [b"", b"overwritten" * 900])
def test_a_file_of_the_archive_that_is_no_journal_any_more_is_a_break(tmp_path: Path, damage: bytes) -> None:
    path = divided(tmp_path / "journal.db")
    archived(path)[1].path.write_bytes(damage)
    verdict = verify(path)
    assert verdict.first is not None
    assert (verdict.first.what, verdict.records) == ("file", 3)


def test_a_pipe_or_a_folder_with_the_name_of_an_archived_file_is_a_break(tmp_path: Path) -> None:
    path = divided(tmp_path / "journal.db")
    part = archived(path)[1].path
    part.unlink()
    os.mkfifo(part)
    assert not verify(path).ok
    with pytest.raises(NoJournalError, match="no regular file"):
        connect(part)
    part.unlink()
    part.mkdir()
    assert not verify(path).ok


def test_a_line_nested_without_end_is_no_checkpoint() -> None:
    line = b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    assert parse_signed(line) == ([], 1)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.write_bytes(b"overwritten" * 900)])
def test_what_has_the_journals_name_and_is_none_is_to_be_moved_away(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    path = divided(tmp_path / "journal.db")
    path.unlink()
    make(path)
    with pytest.raises(DamagedError, match="keep-aside"):
        Store(path, "MB-01")
    keep_aside(tmp_path)
    Store(path, "MB-01").close()
