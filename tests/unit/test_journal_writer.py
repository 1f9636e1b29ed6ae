"""The writer thread: order, grouping, durable before acknowledged, and a disk that stalls or refuses."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue
from threading import Event
from types import SimpleNamespace

import pytest

from controller.journal import reader
from controller.journal.audit import verify
from controller.journal.errors import JournalError
from controller.journal.record import Entry
from controller.journal.store import Store
from controller.journal.writer import Writer

Acknowledged = Queue[tuple[int, int]]


def fact(number: int) -> Entry:
    return Entry("fact", b"%d" % number)


class Disk:
    """Stands at the points of every commit: counts, and stalls or refuses when told to."""

    def __init__(self) -> None:
        self.commits = 0
        self.entered = Event()
        self.gate = Event()
        self.gate.set()
        self.checkpointed = Event()
        self.refusal: str | None = None

    def at_point(self, point: str) -> None:
        if point == "inserted":
            self.entered.set()
            assert self.gate.wait(60)
            if self.refusal:
                raise sqlite3.OperationalError(self.refusal)
        self.commits += point == "committed"
        if point == "checkpointed":
            self.checkpointed.set()


class Bench:
    """A writer whose callbacks run in its own thread and leave what they were told in queues."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.disk = Disk()
        self.done: Acknowledged = Queue()
        self.failures: Queue[str] = Queue()
        self.store = Store(path, "MB-01", self.disk.at_point)
        self.writer = Writer(
            self.store, lambda call: call(), lambda error: self.failures.put(str(error)), lambda: "2025-03-01"
        )

    def append(self, *numbers: int) -> int:
        return self.writer.append([fact(n) for n in numbers], lambda *span: self.done.put(span))

    def acknowledged(self) -> tuple[int, int]:
        return self.done.get(timeout=60)

    def bodies(self) -> list[int]:
        return [int(record.body) for record in reader.records(self.path)]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path / "journal.db")
    yield bench
    bench.disk.gate.set()
    bench.disk.refusal = None
    bench.writer.close()
    assert verify(bench.path).ok


# -- order, grouping, durability --------------------------------------------------------------------------


def test_numbers_are_known_at_once_and_acknowledged_in_order(bench: Bench) -> None:
    assert [bench.append(1, 2), bench.append(3), bench.append(4, 5, 6)] == [1, 3, 4]
    assert [bench.acknowledged() for _ in range(3)] == [(1, 2), (3, 3), (4, 6)]
    assert bench.bodies() == [1, 2, 3, 4, 5, 6]


def test_each_transaction_is_timed_behind_what_it_acknowledges(tmp_path: Path) -> None:
    said: Queue[object] = Queue()
    store = Store(tmp_path / "journal.db", "MB-01")
    writer = Writer(store, lambda call: call(), said.put, timed=said.put)
    for number in (1, 2):
        writer.append([fact(number)], lambda *span: said.put(span))
        assert said.get(timeout=60) == (number, number)
        took = said.get(timeout=60)
        assert isinstance(took, float)
        assert took > 0
    writer.close()


def test_what_waits_becomes_one_transaction(bench: Bench) -> None:
    bench.disk.gate.clear()
    bench.append(1)
    assert bench.disk.entered.wait(60)
    for number in range(2, 102):
        bench.append(number)
    bench.disk.gate.set()
    assert [bench.acknowledged() for _ in range(101)] == [(n, n) for n in range(1, 102)]
    assert bench.disk.commits == 2
    assert bench.bodies() == list(range(1, 102))


def test_another_connection_sees_what_is_acknowledged_and_not_before(tmp_path: Path) -> None:
    seen: Queue[int] = Queue()
    path = tmp_path / "journal.db"

    def count() -> int:
        with closing(sqlite3.connect(path)) as connection:
            return int(connection.execute("SELECT count(*) FROM record").fetchone()[0])

    def at_point(point: str) -> None:
        if point in ("inserted", "committed"):
            seen.put(count())

    writer = Writer(Store(path, "MB-01", at_point), lambda call: call(), pytest.fail)
    writer.append([fact(1), fact(2)], lambda *span: seen.put(count()))
    assert [seen.get(timeout=60) for _ in range(3)] == [0, 2, 2]
    writer.close()


def test_head_is_up_to_date_when_acknowledged(bench: Bench) -> None:
    heads: Queue[tuple[int, bool]] = Queue()

    def look(first: int, last: int) -> None:
        verdict = verify(bench.path)
        heads.put((verdict.behind, verdict.ok))

    bench.writer.append([fact(1)], look)
    assert heads.get(timeout=60) == (0, True)


def test_an_append_without_entries_waits_for_those_before(bench: Bench) -> None:
    bench.disk.gate.clear()
    bench.append(1, 2)
    assert bench.append() == 3
    assert bench.done.empty()
    bench.disk.gate.set()
    assert [bench.acknowledged(), bench.acknowledged()] == [(1, 2), (3, 2)]


def test_fields_and_wall_time_are_kept(bench: Bench) -> None:
    bench.writer.append([Entry("signal", b'{"a":1}', "shoe", 2.25)], lambda *span: bench.done.put(span))
    bench.acknowledged()
    (record,) = reader.records(bench.path)
    assert (record.seq, record.kind, record.device, record.at) == (1, "signal", "shoe", 2.25)
    assert (record.wall, record.body) == ("2025-03-01", b'{"a":1}')


# -- a slow disk ------------------------------------------------------------------------------------------


async def test_stalled_commit_stops_neither_appends_nor_the_loop(tmp_path: Path) -> None:
    disk = Disk()
    loop = asyncio.get_running_loop()
    done: asyncio.Queue[int] = asyncio.Queue()
    writer = Writer(
        Store(tmp_path / "journal.db", "MB-01", disk.at_point), loop.call_soon_threadsafe, pytest.fail
    )
    disk.gate.clear()
    loop.call_later(0.3, disk.gate.set)
    # Only the loop can end the stall: were it stopped by one of these, nothing would come back.
    for number in range(50):
        writer.append([fact(number)], lambda first, last: done.put_nowait(last))
        await asyncio.sleep(0)
    assert disk.entered.wait(60)
    assert not disk.gate.is_set()
    assert writer.lag() > 0
    assert [await done.get() for _ in range(50)] == list(range(1, 51))
    assert writer.lag() == 0
    assert disk.commits <= 2
    await asyncio.to_thread(writer.close)


def test_lag_is_that_of_the_oldest_entry_that_waits(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 103.0, 107.5])
    bench.disk.gate.clear()
    monkeypatch.setattr("controller.journal.writer.time", SimpleNamespace(monotonic=lambda: next(times)))
    bench.append(1)
    bench.append(2)
    assert bench.writer.lag() == 7.5
    monkeypatch.undo()
    bench.disk.gate.set()
    bench.acknowledged()
    bench.acknowledged()
    assert bench.writer.lag() == 0


# -- a disk that refuses ----------------------------------------------------------------------------------


def test_refused_entries_are_reported_once_kept_and_written_when_the_disk_gives_in(bench: Bench) -> None:
    bench.disk.refusal = "disk I/O error"
    bench.append(1, 2)
    assert "journal.db: disk I/O error" in bench.failures.get(timeout=60)
    assert bench.writer.state == "failing"
    assert str(bench.writer.error).startswith(str(bench.path))
    bench.append(3)
    bench.disk.entered.clear()
    assert bench.disk.entered.wait(60), "it is tried again"
    assert bench.done.empty()
    assert bench.bodies() == []
    bench.disk.refusal = None
    assert [bench.acknowledged(), bench.acknowledged()] == [(1, 2), (3, 3)]
    assert bench.failures.empty()
    assert (bench.writer.state, bench.writer.error) == ("writing", None)
    assert bench.bodies() == [1, 2, 3]


def test_another_fault_in_the_same_spell_is_reported_too(bench: Bench) -> None:
    bench.disk.refusal = "disk I/O error"
    bench.append(1)
    assert "disk I/O error" in bench.failures.get(timeout=60)
    bench.disk.refusal = "something else"
    assert "something else" in bench.failures.get(timeout=60)


def test_full_database_goes_on_when_there_is_room_again(bench: Bench) -> None:
    bench.append(1)
    bench.acknowledged()
    pages = bench.store._connection.execute("PRAGMA max_page_count = 1").fetchone()
    assert pages[0] < 20
    bench.writer.append([Entry("fact", b"2" * 100_000)], lambda *span: bench.done.put(span))
    assert bench.failures.get(timeout=60).endswith("database or disk is full; free space on this disk")
    bench.append(3)
    assert bench.done.empty()
    bench.store._connection.execute("PRAGMA max_page_count = 1000000")
    assert [bench.acknowledged(), bench.acknowledged()] == [(2, 2), (3, 3)]
    assert bench.failures.empty()


def test_database_locked_by_somebody_else_is_waited_for(bench: Bench) -> None:
    with closing(sqlite3.connect(bench.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        bench.append(1)
        assert "database is locked; end the other program" in bench.failures.get(timeout=60)
        other.execute("ROLLBACK")
    assert bench.acknowledged() == (1, 1)


def test_head_that_cannot_be_written_holds_nothing_back(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(bench.store._head, "write", refuse)
    bench.append(1)
    assert bench.acknowledged() == (1, 1)
    assert "input/output error" in bench.failures.get(timeout=60)
    assert bench.writer.state == "failing"
    assert verify(bench.path).behind == 1
    monkeypatch.undo()
    bench.append(2)
    assert bench.acknowledged() == (2, 2)
    assert verify(bench.path).behind == 0


# -- checkpoints and the end ------------------------------------------------------------------------------


def test_checkpoint_empties_the_log_behind_what_was_queued(bench: Bench) -> None:
    log = bench.path.with_name("journal.db-wal")
    bench.disk.gate.clear()
    bench.append(1)
    bench.writer.checkpoint()
    assert not bench.disk.checkpointed.is_set()
    bench.disk.gate.set()
    assert bench.disk.checkpointed.wait(60)
    assert log.stat().st_size == 0
    assert bench.bodies() == [1]


def test_close_writes_everything_and_is_final(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "journal.db")
    for number in range(1, 201):
        bench.append(number)
    bench.writer.close()
    bench.writer.close()
    assert bench.writer.state == "closed"
    assert bench.done.qsize() == 200
    assert not bench.path.with_name("journal.db-wal").exists()
    with pytest.raises(JournalError, match="is closed; nothing can be appended"):
        bench.append(1)


def test_close_says_how_many_entries_the_disk_never_took(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "journal.db")
    bench.disk.refusal = "disk I/O error"
    bench.append(1, 2)
    bench.append(3)
    with pytest.raises(JournalError, match=r"disk I/O error; .*; 3 entries were never written"):
        bench.writer.close()
    assert bench.writer.state == "failing"
    assert bench.done.empty()
    assert verify(bench.path).ok
    Store(bench.path, "MB-01").close()


def test_callbacks_come_through_the_scheduler(tmp_path: Path) -> None:
    calls: Queue[Callable[[], None]] = Queue()
    done: list[tuple[int, int]] = []
    writer = Writer(Store(tmp_path / "journal.db", "MB-01"), calls.put, pytest.fail)
    writer.append([fact(1)], lambda *span: done.append(span))
    call = calls.get(timeout=60)
    assert done == []
    call()
    assert done == [(1, 1)]
    writer.close()
