"""Backup while a journal is written, restore, a damaged one moved away, and readers who may only read."""

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import main
from controller.journal import copies
from controller.journal.audit import verify
from controller.journal.copies import backup, keep_aside, restore
from controller.journal.errors import DamagedError, HeldError, JournalError
from controller.journal.reader import records
from controller.journal.record import Entry
from controller.journal.signing import load_verifier
from controller.journal.store import Store
from controller.people import People
from controller.runtime.signature import signer_of

WALL = "2026-03-14T20:00:00.000+00:00"


class Writing:
    """A journal that is open and written on; every fifth record divides it."""

    def __init__(self, folder: Path, table: str = "MB-01") -> None:
        self.path = folder / "journal.db"
        self.store = Store(self.path, table)
        self.store.sign_with(signer_of(folder, table))

    def write(self, count: int) -> "Writing":
        for _ in range(count):
            number = self.store.tip.seq + 1
            self.store.write([(Entry("fact", b"%d" % number), WALL)])
            self.store.mark()
            if number % 5 == 0:
                self.store.divide(number, 0)
        return self


@pytest.fixture
def state(tmp_path: Path) -> Path:
    People(tmp_path / "state").add("ann", "supervisor", "4711")
    return tmp_path / "state"


def bodies(path: Path) -> list[int]:
    return [int(record.body) for record in records(path)]


def test_a_copy_is_made_while_the_journal_is_written_and_goes_on(state: Path, tmp_path: Path) -> None:
    writing = Writing(state).write(13)
    copy = tmp_path / "disk" / "copy"
    verdict = backup(writing.path, copy)
    assert (verdict.first, verdict.records, verdict.files) == (None, 13, 3)
    assert verify(copy / "journal.db", None, load_verifier(copy / "signing.pub")).signed
    inodes = {path.name: path.stat().st_ino for path in (copy / "archive").glob("*.db")}
    writing.write(10)
    verdict = backup(writing.path, copy)
    assert (verdict.first, verdict.records, verdict.files) == (None, 23, 5)
    # What was copied is not copied again.
    assert {name: (copy / "archive" / name).stat().st_ino for name in inodes} == inodes
    assert not (copy / "signing.key").exists()
    assert not [path for path in copy.rglob("*") if path.suffix in (".part", ".new")]
    writing.store.close()


def test_a_copy_comes_back_and_is_written_on(state: Path, tmp_path: Path) -> None:
    writing = Writing(state).write(13)
    backup(writing.path, tmp_path / "copy")
    writing.store.close()
    back = tmp_path / "back"
    assert restore(tmp_path / "copy", back).ok
    assert People(back).check("ann", "4711")
    assert (back / "people.json").stat().st_mode & 0o777 == 0o600
    again = Writing(back).write(3)
    again.store.close()
    # Another machine has another key; what the old one signed is still vouched for.
    assert (back / "signing.key").read_bytes() != (state / "signing.key").read_bytes()
    verdict = verify(back / "journal.db", None, load_verifier(back / "signing.pub"))
    assert (verdict.first, verdict.signed) == (None, 16)
    assert not verify(back / "journal.db", None, load_verifier(state / "signing.pub")).ok
    assert bodies(back / "journal.db") == list(range(1, 17))
    assert verify(back / "journal.db").ok


def test_what_must_not_be_overwritten_is_refused(state: Path, tmp_path: Path) -> None:
    writing = Writing(state).write(7)
    copy = tmp_path / "copy"
    backup(writing.path, copy)
    with pytest.raises(HeldError, match="stop it first"):
        restore(copy, state)
    with pytest.raises(JournalError, match="lies in what is to be copied"):
        backup(writing.path, state / "copy")
    writing.store.close()
    with pytest.raises(JournalError, match=r"is there; move it away first: tablectl keep-aside"):
        restore(copy, state)
    other = Writing(tmp_path / "other", "MB-02").write(2)
    with pytest.raises(JournalError, match="a copy of table MB-01's journal, not MB-02's"):
        backup(other.path, copy)
    other.store.close()
    data = (copy / "journal.db").read_bytes()
    (copy / "journal.db").write_bytes(data.replace(WALL.encode(), b"2025" + WALL.encode()[4:]))

    with pytest.raises(JournalError, match="restore another copy"):
        restore(copy, tmp_path / "new")


def test_a_damaged_journal_is_moved_away_and_a_new_one_begins(state: Path) -> None:
    writing = Writing(state).write(8)
    with pytest.raises(HeldError, match="stop it first"):
        keep_aside(state)
    writing.store.close()
    data = writing.path.read_bytes()
    writing.path.write_bytes(data.replace(WALL.encode(), b"2025" + WALL.encode()[4:]))
    with pytest.raises(DamagedError, match=r"record 5 .*tablectl keep-aside"):
        Store(writing.path, "MB-01")
    aside = keep_aside(state)
    kept = verify(aside / "journal.db").first
    assert kept is not None and kept.what == "content"
    kept_records = records(aside / "journal.db")
    assert [next(kept_records).seq for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(DamagedError, match="record 5 is not as it was written"):
        next(kept_records)
    fresh = Writing(state).write(2)
    fresh.store.close()
    assert verify(state / "journal.db").records == 2
    assert People(state).check("ann", "4711")


def test_one_that_was_moved_away_in_part_is_not_written_on(state: Path) -> None:
    writing = Writing(state).write(3)
    writing.store.close()
    (state / "journal.head").rename(state / "moved")
    with pytest.raises(DamagedError, match="the head's file is missing"):
        Store(writing.path, "MB-01")


def test_somebody_who_may_only_read_audits_and_exports_while_the_table_plays(tmp_path: Path) -> None:
    """As nobody, from whom every file is kept but for reading."""
    state = tmp_path / "state"
    writing = Writing(state).write(12)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    code = (
        "import os, sys\n"
        "from controller.journal.audit import verify\n"
        "from controller.journal.reader import records\n"
        "from pathlib import Path\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "path = Path(sys.argv[1])\n"
        "print(verify(path).records, len(list(records(path))), os.access(path.parent, os.W_OK))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(writing.path)], capture_output=True, text=True)
    assert run.stdout.split() == ["12", "12", "False"], run.stderr
    writing.store.close()
    run = subprocess.run([sys.executable, "-c", code, str(writing.path)], capture_output=True, text=True)
    assert run.stdout.split() == ["12", "12", "False"], run.stderr


def test_what_root_makes_in_another_user_s_folder_is_that_user_s(state: Path, tmp_path: Path) -> None:
    """Or the service could not open it any more."""
    Writing(state).write(7).store.close()
    backup(state / "journal.db", tmp_path / "copy")
    back = tmp_path / "back"
    back.mkdir()
    os.chown(back, 65534, 65534)
    restore(tmp_path / "copy", back)
    People(back).add("sue", "supervisor", "4712")
    assert {path.stat().st_uid for path in back.rglob("*")} == {65534}
    aside = keep_aside(back)
    assert {path.stat().st_uid for path in aside.rglob("*")} == {65534}


def test_looking_for_a_journal_where_none_is_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal here"):
        keep_aside(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_first_record_is_signed_at_once(state: Path) -> None:
    writing = Writing(state).write(1)
    verdict = verify(writing.path, None, load_verifier(state / "signing.pub"))
    assert (verdict.first, verdict.signed) == (None, 1)
    writing.store.close()


Capture = pytest.CaptureFixture[str]


def run(patch: pytest.MonkeyPatch, capture: Capture, *arguments: object) -> tuple[int, str, str]:
    patch.setattr(sys, "argv", ["tablectl", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capture.readouterr()
    return int(ended.value.code or 0), out, err


def test_the_commands(state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    writing = Writing(state).write(6)
    copy, back = tmp_path / "copy", tmp_path / "back"
    code, out, _ = run(monkeypatch, capsys, "backup", state, copy)
    assert (code, out) == (0, f"{copy}: 6 records in 2 files, checked\n")
    code, out, _ = run(monkeypatch, capsys, "restore", copy, back, "--json")
    assert (code, json.loads(out)) == (
        0,
        {"folder": str(back), "ok": True, "records": 6, "files": 2, "first": None},
    )
    code, out, _ = run(monkeypatch, capsys, "export", back)
    lines = [json.loads(line) for line in out.splitlines()]
    assert [(line["seq"], line["body"]) for line in lines] == [(n, n) for n in range(1, 7)]
    code, out, _ = run(monkeypatch, capsys, "keep-aside", back)
    assert code == 0 and "the next start begins a new one" in out
    writing.store.close()
    for wrong in (
        ("backup", tmp_path / "none", copy),
        ("backup", state, "/dev/null/copy"),
        ("restore", tmp_path / "none", back),
        ("keep-aside", tmp_path / "none"),
        ("keep-aside", copy / "archive"),
        ("export", os.devnull),
    ):
        code, out, err = run(monkeypatch, capsys, *wrong)
        assert (code, out, err.count("\n")) == (2, "", 1), wrong


def test_a_copy_is_not_written_over_with_another_journal_of_the_table(state: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    first = Writing(state).write(13)
    backup(first.path, copy)
    first.store.close()
    keep_aside(state)
    for count in (3, 20):
        new = Writing(state)
        new.store.write([(Entry("fact", b"0"), WALL)])
        new.write(count)
        with pytest.raises(JournalError, match=r"record 13 .* a copy of another journal"):
            backup(new.path, copy)
        new.store.close()
    assert bodies(copy / "journal.db") == list(range(1, 14))
    assert verify(copy / "journal.db").ok


def test_a_copy_that_holds_is_not_written_over_with_a_damaged_journal(state: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    writing = Writing(state).write(13)
    backup(writing.path, copy)
    writing.write(4).store.close()
    with sqlite3.connect(writing.path) as other:
        other.execute("UPDATE record SET body = x'39' WHERE seq = 17")
    with pytest.raises(JournalError, match=r"record 17 .* the older copy in .* was left as it was"):
        backup(writing.path, copy)
    assert verify(copy / "journal.db").records == 13


def test_until_a_copy_is_whole_the_older_one_is(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    writing = Writing(state).write(13)
    backup(writing.path, copy)
    writing.write(10)

    def full(source: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    with monkeypatch.context() as patch:
        patch.setattr("controller.journal.copies.shutil.copyfile", full)
        with pytest.raises(JournalError, match="no space left on device"):
            backup(writing.path, copy)
    assert verify(copy / "journal.db").records == 13
    assert not [path for path in copy.iterdir() if path.name.startswith(".")]
    assert backup(writing.path, copy).records == 23
    writing.store.close()


@pytest.mark.parametrize("left", ["journal.db-wal", "journal.head", "journal.signed"])
def test_nothing_is_restored_beside_what_is_left_of_a_journal(state: Path, tmp_path: Path, left: str) -> None:
    writing = Writing(state).write(13)
    backup(writing.path, tmp_path / "copy")
    writing.store.close()
    back = tmp_path / "back"
    back.mkdir()
    (back / left).write_bytes(b"left")
    with pytest.raises(JournalError, match=f"{left}: is there; move it away first: tablectl keep-aside"):
        restore(tmp_path / "copy", back)
    keep_aside(back)
    assert restore(tmp_path / "copy", back).ok


def test_a_copy_made_while_the_journal_was_divided_is_signed(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, copy = Writing(state).write(13), tmp_path / "copy"
    live = copies._copy_live

    def then_divided(source: sqlite3.Connection, journal: Path, to: Path) -> int:
        begins = live(source, journal, to)
        writing.write(7)
        return begins

    monkeypatch.setattr(copies, "_copy_live", then_divided)
    assert backup(writing.path, copy).records == 13
    assert verify(copy / "journal.db", None, load_verifier(copy / "signing.pub")).ok
    writing.store.close()
