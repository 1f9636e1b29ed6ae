"""Opening a journal's files: what is set, what is refused, and how an old one is lifted."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import reader
from controller.journal.audit import verify
from controller.journal.errors import DamagedError, HeldError, JournalError
from controller.journal.head import HeadFile
from controller.journal.record import Entry, Tip
from controller.journal.schema import APPLICATION_ID, SCHEMA
from controller.journal.store import Store

VERSION_1 = Path(__file__).parents[1] / "data/journal/version-1.sql"
VERSION_1_TIP = Tip(5, bytes.fromhex("584ffc0b81e5ec0f097582b1ac79ce9cdae1f45ee93960f64605047b8a190ed4"))
WALL = "2025-03-01T10:00:00.000+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.db"


def fill(path: Path, *bodies: bytes) -> None:
    store = Store(path, "MB-01")
    for body in bodies:
        store.write([(Entry("fact", body), WALL)])
        store.mark()
    store.close()


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def old_journal(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1.read_text())
    head = HeadFile(path.with_suffix(".head"))
    head.seal(VERSION_1_TIP, closed=True)
    head.close()


def refusal(path: Path, table: str = "MB-01") -> str:
    with pytest.raises(JournalError) as caught:
        Store(path, table)
    message = str(caught.value)
    assert message.startswith(str(path.parent))
    assert "\n" not in message
    return message


# -- settings -----------------------------------------------------------------------------------------------


def test_every_commit_is_synchronised_in_full(path: Path) -> None:
    store = Store(path, "MB-01")
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


def test_file_says_what_it_is(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert dict(connection.execute("SELECT * FROM meta")) == {"schema": str(SCHEMA), "table": "MB-01"}


def test_records_go_on_behind_the_last_after_a_reopening(path: Path) -> None:
    fill(path, b"1", b"2")
    fill(path, b"3")
    assert [(record.seq, record.body) for record in reader.records(path)] == [(1, b"1"), (2, b"2"), (3, b"3")]
    assert verify(path).ok


def test_failed_transaction_leaves_nothing_and_can_be_given_again(path: Path) -> None:
    refusing = True

    def at_point(point: str) -> None:
        if refusing and point == "inserted":
            raise sqlite3.OperationalError("disk I/O error")

    store = Store(path, "MB-01", at_point)
    stamped = [(Entry("input", b"1"), WALL), (Entry("fact", b"2"), WALL)]
    with pytest.raises(JournalError, match="disk I/O error"):
        store.write(stamped)
    assert list(reader.records(path)) == []
    refusing = False
    store.write(stamped)
    assert [record.body for record in reader.records(path)] == [b"1", b"2"]
    store.close()


# -- the write-ahead log ------------------------------------------------------------------------------------


def test_checkpoint_truncates_the_log_also_while_somebody_reads(path: Path) -> None:
    store = Store(path, "MB-01")
    log = path.with_name("journal.db-wal")
    body = bytes(1000)
    store.write([(Entry("fact", body), WALL)] * (2 * reader.PAGE))
    slow = reader.records(path)
    next(slow)
    assert log.stat().st_size > 0
    assert store.checkpoint()
    assert log.stat().st_size == 0
    assert sum(1 for _ in slow) == 2 * reader.PAGE - 1
    store.close()


def test_log_stays_bounded_between_checkpoints(path: Path) -> None:
    store = Store(path, "MB-01")
    for _ in range(40):
        store.write([(Entry("fact", bytes(10_000)), WALL)] * 50)
    assert path.with_name("journal.db-wal").stat().st_size < 6_000_000 < path.stat().st_size
    store.close()


def test_reader_that_stands_in_the_way_delays_a_checkpoint(path: Path) -> None:
    store = Store(path, "MB-01")
    store.write([(Entry("fact", b"1"), WALL)])
    with closing(reader.connect(path)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT * FROM record").fetchone()
        assert not store.checkpoint()
    assert store.checkpoint()
    store.close()


# -- who may have it ----------------------------------------------------------------------------------------


def test_journal_held_by_another_process_is_named_with_it(path: Path) -> None:
    fill(path)
    hold = f"import sys; from pathlib import Path; from controller.journal.store import Store; \
store = Store(Path({str(path)!r}), 'MB-01'); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout and holder.stdout.readline() == "held\n"
        with pytest.raises(HeldError, match=rf"journal.lock: .* held by process {holder.pid}; end it"):
            Store(path, "MB-01")
        holder.communicate()
    Store(path, "MB-01").close()


def test_holder_gives_the_journal_free_when_its_opening_failed(path: Path) -> None:
    fill(path)
    for _ in range(3):
        assert "not of MB-02" in refusal(path, "MB-02")
    Store(path, "MB-01").close()


def test_another_tables_journal_is_refused(path: Path) -> None:
    fill(path)
    assert refusal(path, "MB-02").endswith("of table MB-01, not of MB-02; give each its own state")


# -- what is no journal -------------------------------------------------------------------------------------


def test_file_that_is_no_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"seat,wager\n" * 1000)
    assert refusal(path).endswith("restore a backup or begin a new journal")


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    edit(path, "CREATE TABLE record (seq)")
    before = path.read_bytes()
    assert "another program's database" in refusal(path)
    assert path.read_bytes() == before


def test_newer_journal_is_refused(path: Path) -> None:
    fill(path)
    edit(path, "PRAGMA user_version = 99")
    assert refusal(path).endswith(
        f"schema version 99, this software reads 1 to {SCHEMA}; update the software"
    )


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    assert "file exists; check its disk and permissions" in refusal(tmp_path / "state" / "journal.db")


# -- damage -------------------------------------------------------------------------------------------------


def test_damaged_record_is_named_with_what_to_do(path: Path) -> None:
    fill(path, b"1", b"2", b"3")
    edit(path, "UPDATE record SET body = X'00' WHERE seq = 2")
    with pytest.raises(DamagedError, match=r"journal.db: content: record 2 .* begin a new journal"):
        Store(path, "MB-01")


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        ("DELETE FROM record WHERE seq = 3", "cut: the tail is cut: the head names record 3"),
        ("DELETE FROM record", "cut: the tail is cut: the head names record 3, the journal ends with 0"),
        ("CREATE TRIGGER x AFTER INSERT ON record BEGIN SELECT 1; END", "file: trigger x does not belong"),
        ("DROP INDEX beginning", "file: index beginning is missing"),
        ("UPDATE meta SET value = 'MB-02' WHERE key = 'table'", "content: record 1, or the"),
    ],
)
def test_damage_is_refused(path: Path, tamper: str, message: str) -> None:
    fill(path, b"1", b"2", b"3")
    edit(path, tamper)
    assert message in refusal(path)


@pytest.mark.parametrize(
    ("content", "state"), [(None, "missing"), (b"", "damaged"), (bytes(8192), "damaged")]
)
def test_journal_without_its_head_is_refused(path: Path, content: bytes | None, state: str) -> None:
    fill(path, b"1")
    head = path.with_suffix(".head")
    head.unlink()
    if content is not None:
        head.write_bytes(content)
    assert f"head: the head's file is {state}" in refusal(path)


def test_head_without_its_journal_is_refused(path: Path) -> None:
    fill(path, b"1")
    path.unlink()
    assert "cut: the tail is cut" in refusal(path)


def test_page_overwritten_on_the_disk_is_refused(path: Path) -> None:
    fill(path, *[bytes(1000)] * 50)
    data = bytearray(path.read_bytes())
    data[20_000:24_000] = b"\xa5" * 4000
    path.write_bytes(data)
    assert "file: " in refusal(path)


def test_creation_cut_short_by_a_power_cut_is_made_good(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    path.with_suffix(".head").write_bytes(b" " * 1000)
    fill(path, b"1")
    assert verify(path).ok


def test_only_the_tail_is_checked_at_a_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(path, b"1", b"2", b"3", b"4")
    edit(path, "UPDATE record SET body = X'00' WHERE seq = 1")
    monkeypatch.setattr("controller.journal.store.TAIL", 2)
    Store(path, "MB-01").close()
    assert "record 1" in str(verify(path).first)


# -- old journals -------------------------------------------------------------------------------------------


def test_old_journal_is_read_audited_and_lifted(path: Path) -> None:
    old_journal(path)
    assert verify(path).kinds == {"start": 1, "configuration": 1, "signal": 1, "input": 1, "fact": 1}
    before = list(reader.records(path))
    fill(path, b"6")
    assert list(reader.records(path))[:5] == before
    assert verify(path).ok
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert dict(connection.execute("SELECT * FROM meta")) == {"schema": "1", "table": "MB-01"}


def test_damaged_old_journal_is_not_lifted(path: Path) -> None:
    old_journal(path)
    edit(path, "UPDATE record SET kind = 'input' WHERE seq = 3")
    assert "content: record 3" in refusal(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_last_shoe_is_found_by_the_index(path: Path) -> None:
    old_journal(path)
    fill(path)
    found = reader.last(path, "configuration")
    assert found is not None and found.seq == 2
    with closing(reader.connect(path)) as connection:
        seen: list[str] = []
        connection.set_trace_callback(seen.append)
        reader.last(connection, "configuration")
        plan = connection.execute("EXPLAIN QUERY PLAN " + seen[0]).fetchall()
    assert "USING INDEX beginning" in plan[0][3]
