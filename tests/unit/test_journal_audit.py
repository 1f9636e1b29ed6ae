"""What the audit says of each kind of tampering, and the command that says it."""

import json
import os
import re
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from virtual import Life, dealt

from controller.cli import main
from controller.journal.audit import Mismatch, Verdict, verify
from controller.journal.errors import JournalError
from controller.journal.reader import last, records
from controller.journal.record import Entry, Record, Tip, chained
from controller.journal.schema import origin_of
from controller.journal.store import Store

WALL = "2025-03-01T10:00:00.000+00:00"
ENTRIES = [
    Entry("start", b'{"version":"0.1.0"}'),
    Entry("configuration", b'{"ruleset":"nj-mini-baccarat"}'),
    Entry("signal", b'{"signal":"received","data":"AgM="}', "shoe", 12.5),
    Entry("input", b'{"type":"card_drawn","card":"9D"}', "shoe", 12.5),
    Entry("fact", b'{"type":"round_opened","round":1}'),
    Entry("input", b'{"type":"card_drawn","card":"2C"}', "shoe", 13.5),
    Entry("fact", b'{"type":"round_opened","round":2}'),
    Entry("fact", b'{"type":"round_confirmed","round":2}'),
]
LAST = len(ENTRIES)
#: Moves the records behind number 4 by one, without two ever having the same number.
SHIFT_UP = "UPDATE record SET seq = -seq WHERE seq > 3; UPDATE record SET seq = 1 - seq WHERE seq < 0"
SHIFT_DOWN = "UPDATE record SET seq = -seq WHERE seq > 4; UPDATE record SET seq = -1 - seq WHERE seq < 0"
COPY = "INSERT INTO record SELECT {0}, kind, device, at, wall, body, hash FROM record WHERE seq = {1}"


def swap(one: int, other: int) -> str:
    return (
        f"UPDATE record SET seq = -1 WHERE seq = {one}; UPDATE record SET seq = {one} WHERE seq = {other};"
        f"UPDATE record SET seq = {other} WHERE seq = -1"
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    store = Store(path, "MB-01")
    for entry in ENTRIES:
        store.write([(entry, WALL)])
        store.mark()
    store.close()
    return path


def edit(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.commit()


def test_sound_journal(path: Path) -> None:
    kinds = {"start": 1, "configuration": 1, "signal": 1, "input": 2, "fact": 3}
    assert verify(path) == Verdict(records=LAST, kinds=kinds, behind=0, first=None)


@pytest.mark.parametrize(
    ("script", "seq", "what", "detail"),
    [
        ("UPDATE record SET body = X'7B7D' WHERE seq = 4", 4, "content", "record 4 is not as it was written"),
        (
            "UPDATE record SET hash = zeroblob(32) WHERE seq = 4",
            4,
            "content",
            "record 4: its hash was changed",
        ),
        ("UPDATE record SET seq = 40 WHERE seq = 4", 4, "number", "record 4 was given the number 40"),
        ("UPDATE record SET seq = 40 WHERE seq = 8", 8, "number", "record 8 was given the number 40"),
        (swap(4, 5), 4, "order", "record 4 changed places: what belongs there now stands at 5"),
        (swap(4, 7), 4, "order", "record 4 changed places: what belongs there now stands at 7"),
        ("DELETE FROM record WHERE seq = 4", 4, "missing", "record 4 is missing"),
        ("DELETE FROM record WHERE seq BETWEEN 4 AND 6", 4, "missing", "records 4 to 6 are missing"),
        (
            f"DELETE FROM record WHERE seq = 4; {SHIFT_DOWN}",
            4,
            "missing",
            "record 4 was taken out and the records behind it renumbered",
        ),
        (
            f"{SHIFT_UP}; {COPY.format(4, 7)}",
            4,
            "extra",
            "record 4 was put in and the records behind it renumbered",
        ),
        (COPY.format(0, 4), 0, "extra", "record 0 stands before the first"),
        (COPY.format(-(2**63), 4), -(2**63), "extra", f"record {-(2**63)} stands before the first"),
        (COPY.format(9, 4), 9, "content", "record 9 is not as it was written"),
        (COPY.format(2**63 - 1, 4), 9, "missing", f"records 9 to {2**63 - 2} are missing"),
        (
            "DELETE FROM record WHERE seq > 6",
            7,
            "cut",
            "the tail is cut: the head names record 8, the journal ends with 6",
        ),
        (
            "DELETE FROM record",
            1,
            "cut",
            "the tail is cut: the head names record 8, the journal ends with 0",
        ),
        (
            "UPDATE meta SET value = 'MB-02' WHERE key = 'table'",
            1,
            "content",
            "record 1, or the journal's description, is not as it was written",
        ),
        ("CREATE VIEW v AS SELECT 1", None, "file", "view v does not belong there"),
        ("ALTER TABLE record ADD COLUMN note TEXT", None, "file", "table record was altered"),
        ("DROP TABLE record", None, "file", "table record is missing"),
    ],
)
def test_tampering_is_named(path: Path, script: str, seq: int | None, what: str, detail: str) -> None:
    edit(path, script)
    first = verify(path).first
    assert first is not None
    assert (first.seq, first.what, first.detail) == (seq, what, detail)


def append_with_right_hash(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        seq, digest = connection.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
        (record,) = chained(Tip(seq, digest), [(Entry("fact", b"{}"), WALL)])
        row = (record.seq, record.kind, None, None, record.wall, record.body, record.hash)
        connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        connection.commit()


def test_record_added_with_a_right_hash_to_a_closed_journal_is_named(path: Path) -> None:
    append_with_right_hash(path)
    assert str(verify(path).first) == "extra: record 9 was added after the journal was closed"


def test_chain_written_anew_without_its_head_is_named(path: Path) -> None:
    entries = [(entry, WALL) for entry in ENTRIES]
    entries[3] = (Entry("input", b'{"type":"card_drawn","card":"9C"}', "shoe", 12.5), WALL)
    with closing(sqlite3.connect(path)) as connection:
        for record in chained(origin_of(connection), entries):
            connection.execute(
                "UPDATE record SET body = ?, hash = ? WHERE seq = ?", (record.body, record.hash, record.seq)
            )
        connection.commit()
    first = verify(path).first
    assert first is not None
    assert (first.seq, first.what) == (8, "content")
    assert "the chain was written anew" in first.detail


def test_description_of_an_empty_journal_is_under_its_head_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    Store(path, "MB-01").close()
    edit(path, "UPDATE meta SET value = 'MB-02' WHERE key = 'table'")
    assert str(verify(path).first) == "content: the journal's description was changed"


@pytest.mark.parametrize(("content", "state"), [(None, "missing"), (b"spoilt", "damaged")])
def test_head_that_is_gone_or_spoilt_is_named(path: Path, content: bytes | None, state: str) -> None:
    path.with_suffix(".head").unlink()
    if content:
        path.with_suffix(".head").write_bytes(content)
    assert str(verify(path).first) == f"head: the head's file is {state}"


def test_damage_is_placed_to_the_record_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store = Store(path, "MB-01")
    store.write([(Entry("fact", b"%04d" % n * 250), WALL) for n in range(1, 2001)])
    store.mark()
    store.close()
    data = path.read_bytes()
    page = data.index(b"1700" * 250) // 4096 * 4096
    path.write_bytes(data[:page] + bytes(4096) + data[page + 4096 :])
    verdict = verify(path)
    assert verdict.first is not None
    assert verdict.first.what == "file"
    assert verdict.first.seq is not None
    assert 1695 < verdict.first.seq <= 1700
    assert verdict.records == verdict.first.seq - 1


def test_damage_outside_the_records_is_named_with_how_far_they_hold(tmp_path: Path) -> None:
    """An index that lost its entries, as a log that was torn during a checkpoint leaves it."""
    path = tmp_path / "journal.db"
    store = Store(path, "MB-01")
    store.write([(Entry("start", b"{}"), WALL), (Entry("fact", b"{}"), WALL)])
    store.mark()
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'beginning'").fetchone()
    data = bytearray(path.read_bytes())
    entries = (root - 1) * 4096 + 3
    assert data[entries : entries + 2] == b"\0\1"
    data[entries : entries + 2] = b"\0\0"
    path.write_bytes(data)
    assert re.fullmatch("file: .+; the records hold up to the last, 2", str(verify(path).first))


# -- beside a running service ------------------------------------------------------------------------------


def test_journal_can_be_audited_and_read_while_it_is_written(path: Path) -> None:
    store = Store(path, "MB-01")
    for n in range(9, 600):
        store.write([(Entry("fact", b"%d" % n), WALL)])
        if n % 100 == 0:
            assert verify(path).behind == 1
            found = last(path)
            assert found is not None and found.seq == n
        store.mark()
    assert verify(path).ok
    assert [record.seq for record in records(path, after=597)] == [598, 599]
    store.close()


def test_reading_picks_up_what_is_written_meanwhile(path: Path) -> None:
    store = Store(path, "MB-01")
    reading = records(path, after=6)
    assert next(reading).seq == 7
    store.write([(Entry("fact", b"{}"), WALL)])
    assert [record.seq for record in reading] == [8, 9]
    store.close()


def test_closed_journal_can_be_audited_where_nothing_can_be_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = Store(folder / "journal.db", "MB-01")
        store.write([(Entry("fact", b"{}"), WALL)])
        store.close()
        folder.chmod(0o555)
        child = os.fork()
        if child == 0:
            held = 0
            try:
                # Root may write anywhere, so the audit is nobody's.
                if os.getuid() == 0:
                    os.setuid(65534)
                held = verify(folder / "journal.db").records
            finally:
                os._exit(0 if held == 1 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert sorted(path.name for path in folder.iterdir()) == [
            "journal.db",
            "journal.head",
            "journal.lock",
        ]
        folder.chmod(0o755)


# -- re-derivation -----------------------------------------------------------------------------------------


class RefuseNines:
    def take(self, record: Record) -> Mismatch | None:
        nine = b"9D" in record.body
        return Mismatch(record.seq, f"record {record.seq}: nines are not dealt here") if nine else None

    def end(self) -> Mismatch | None:
        return None


class ExpectTen:
    def __init__(self) -> None:
        self.count = 0

    def take(self, record: Record) -> Mismatch | None:
        self.count += 1
        return None

    def end(self) -> Mismatch | None:
        return Mismatch(self.count + 1, "too few") if self.count < 10 else None


def test_first_mismatch_is_the_verdict(path: Path) -> None:
    verdict = verify(path, RefuseNines())
    assert str(verdict.first) == "fact: record 4: nines are not dealt here"
    edit(path, "UPDATE record SET body = X'7B7D' WHERE seq = 6")
    assert str(verify(path, RefuseNines()).first) == "fact: record 4: nines are not dealt here"
    edit(path, "UPDATE record SET body = X'7B7D' WHERE seq = 2")
    assert str(verify(path, RefuseNines()).first) == "content: record 2 is not as it was written"


def test_break_in_the_chain_is_not_taken_for_the_end(path: Path) -> None:
    assert str(verify(path, ExpectTen()).first) == "fact: too few"
    edit(path, "UPDATE record SET body = X'7B7D' WHERE seq = 6")
    assert str(verify(path, ExpectTen()).first) == "content: record 6 is not as it was written"


# -- the command -------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["tablectl", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A journal whose facts follow from its inputs: two rounds."""
    path = tmp_path / "journal.db"
    life = Life()
    life.hear(*dealt(rounds=2))
    store = Store(path, "MB-01")
    store.write((entry, WALL) for entry in life.entries)
    store.close()
    return path


def test_command_on_a_sound_journal(
    played: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    kinds = Counter(record.kind for record in records(played))
    assert run(monkeypatch, "audit", played) == 0
    assert capfd.readouterr().out == f"ok: {kinds.total()} records, 2 rounds, head matches\n"
    assert run(monkeypatch, "audit", played.parent, "--json") == 0
    assert json.loads(capfd.readouterr().out) == {
        "journal": str(played),
        "ok": True,
        "records": kinds.total(),
        "kinds": kinds,
        "rounds": 2,
        "behind": 0,
        "begins": 1,
        "files": 1,
        "signed": None,
        "first": None,
    }


def test_command_on_a_journal_ahead_of_its_head(
    played: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    store = Store(played, "MB-01")
    store.write([(Entry("signal", b'{"signal":"silence"}', "shoe"), WALL)])
    assert run(monkeypatch, "audit", played) == 0
    told = f"ok: {store.tip.seq} records, 2 rounds, head 1 behind, as after a power cut\n"
    assert capfd.readouterr().out == told
    store._release.close()


def test_command_names_the_first_break(
    played: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    edit(played, "UPDATE record SET body = X'7B7D' WHERE seq = 4")
    assert run(monkeypatch, "audit", played) == 1
    out = capfd.readouterr().out
    assert out == "broken: content: record 4 is not as it was written (3 records hold before it)\n"
    assert run(monkeypatch, "audit", played, "--json") == 1
    first = json.loads(capfd.readouterr().out)["first"]
    assert first == {"seq": 4, "what": "content", "detail": "record 4 is not as it was written"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file; name a journal.db or the folder it lies in"),
        (b"", "an empty file, no journal; name a journal.db"),
        (b"seat,wager\n" * 500, "file is not a database; name a journal.db"),
    ],
)
def test_command_on_what_is_no_journal(
    tmp_path: Path,
    content: bytes | None,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "journal.db"
    if content is not None:
        path.write_bytes(content)
    assert run(monkeypatch, "audit", tmp_path) == 2
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", f"tablectl: {path}: {message}\n")


def test_database_of_another_program_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    edit(path, "CREATE TABLE record (seq)")
    with pytest.raises(JournalError, match="another program's database"):
        verify(path)
