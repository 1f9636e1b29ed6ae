"""Whatever one change is made to a journal's records, the audit names the first record that does not hold."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.audit import verify
from controller.journal.errors import JournalError
from controller.journal.reader import records
from controller.journal.record import KINDS, Entry, Tip, chained
from controller.journal.schema import origin_of
from controller.journal.store import Store

COUNT = 12
NUMBERS = st.integers(1, COUNT)
WALL = "2025-03-01T10:00:00.000+00:00"

Row = tuple[int, str, str | None, float | None, str, bytes, bytes]
COLUMNS = {
    "kind": (1, st.sampled_from([*KINDS, "", "facts"])),
    "device": (2, st.none() | st.text("abc-2é", max_size=4)),
    "at": (3, st.none() | st.floats(allow_nan=False, allow_infinity=False).map(lambda at: at + 0.0)),
    "wall": (4, st.text("0123456789:T", max_size=4)),
    "body": (5, st.binary(max_size=8)),
    "hash": (6, st.binary(max_size=33)),
}


class Journal:
    """A closed journal, copied anew for every example."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.original = folder / "original.db"
        self.path = folder / "journal.db"
        store = Store(self.original, "MB-01")
        store.write(
            (Entry(KINDS[n % 5], b'{"n":%d}' % n, "shoe" if n % 2 else None, n / 4 if n % 3 else None), WALL)
            for n in range(1, COUNT + 1)
        )
        store.close()
        with closing(sqlite3.connect(self.original)) as connection:
            self.rows: list[Row] = connection.execute("SELECT * FROM record ORDER BY seq").fetchall()

    def replaced_by(self, rows: list[Row]) -> tuple[int | None, str] | None:
        """The number and the kind of the break when the journal has these rows instead."""
        shutil.copy(self.original, self.path)
        shutil.copy(self.original.with_suffix(".head"), self.path.with_suffix(".head"))
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("DELETE FROM record")
            connection.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            connection.commit()
        first = verify(self.path).first
        return (first.seq, first.what) if first else None


@pytest.fixture(scope="module")
def journal() -> Iterator[Journal]:
    with TemporaryDirectory() as folder:
        yield Journal(Path(folder))


def numbered(rows: list[Row]) -> list[Row]:
    return [(n, *row[1:]) for n, row in enumerate(rows, 1)]


def test_untouched_journal_holds(journal: Journal) -> None:
    assert journal.replaced_by(journal.rows) is None


@given(data=st.data(), seq=NUMBERS, column=st.sampled_from(list(COLUMNS)))
@settings(deadline=None)
def test_changed_field(journal: Journal, data: st.DataObject, seq: int, column: str) -> None:
    place, values = COLUMNS[column]
    old = journal.rows[seq - 1]
    new = data.draw(values.filter(lambda value: value != old[place]))
    rows = [*journal.rows]
    rows[seq - 1] = (*old[:place], new, *old[place + 1 :])
    assert journal.replaced_by(rows) == (seq, "content")


@given(first=NUMBERS, many=st.integers(1, COUNT))
@settings(deadline=None)
def test_records_taken_out(journal: Journal, first: int, many: int) -> None:
    rows = [row for row in journal.rows if not first <= row[0] < first + many]
    assert journal.replaced_by(rows) == (first, "cut" if first + many > COUNT else "missing")


@given(first=NUMBERS, many=st.integers(1, COUNT))
@settings(deadline=None)
def test_records_taken_out_and_the_rest_renumbered(journal: Journal, first: int, many: int) -> None:
    rows = numbered([row for row in journal.rows if not first <= row[0] < first + many])
    found = journal.replaced_by(rows)
    assert found is not None
    assert found[0] == first
    assert found[1] == "cut" if first + many > COUNT else found[1] in ("missing", "content")


@given(seq=NUMBERS, other=st.integers(-(2**63), 2**63 - 1).filter(lambda n: not 1 <= n <= COUNT))
@settings(deadline=None)
def test_record_renumbered(journal: Journal, seq: int, other: int) -> None:
    rows = [(other, *row[1:]) if row[0] == seq else row for row in journal.rows]
    assert journal.replaced_by(rows) == ((other, "extra") if other < 1 else (seq, "number"))


@given(order=st.permutations(range(COUNT)).filter(lambda order: order != sorted(order)))
@settings(deadline=None)
def test_records_in_another_order(journal: Journal, order: list[int]) -> None:
    first = next(n for n, at in enumerate(order) if n != at) + 1
    found = journal.replaced_by(numbered([journal.rows[at] for at in order]))
    assert found is not None
    assert found[0] == first
    assert found[1] in ("order", "extra"), "extra: what was moved forward belongs nowhere any more"


@given(one=NUMBERS, other=NUMBERS)
@settings(deadline=None)
def test_two_records_swapped(journal: Journal, one: int, other: int) -> None:
    rows = [*journal.rows]
    rows[one - 1], rows[other - 1] = rows[other - 1], rows[one - 1]
    assert journal.replaced_by(numbered(rows)) == (None if one == other else (min(one, other), "order"))


@given(seq=NUMBERS, of=NUMBERS, body=st.none() | st.binary(max_size=8))
@settings(deadline=None)
def test_record_put_in(journal: Journal, seq: int, of: int, body: bytes | None) -> None:
    model = journal.rows[of - 1]
    extra = model if body is None else (*model[:5], body, model[6])
    rows = numbered([*journal.rows[: seq - 1], extra, *journal.rows[seq - 1 :]])
    # A copy beside its original: the second of the two is the one that does not hold.
    at = seq + 1 if extra == journal.rows[seq - 1] else seq
    assert journal.replaced_by(rows) == (at, "extra" if at <= COUNT else "content")


@given(seq=st.integers(1, COUNT + 1), body=st.binary(max_size=8), many=st.integers(0, 3))
@settings(deadline=None)
def test_chain_written_anew_from_some_record_on(journal: Journal, seq: int, body: bytes, many: int) -> None:
    """Whoever can compute the hashes is given away by the head."""
    tip = Tip(seq - 1, journal.rows[seq - 2][6]) if seq > 1 else Tip(0, _genesis(journal))
    later = [*journal.rows[seq - 1 :]]
    stamped = [(Entry(row[1], row[5], row[2], row[3]), row[4]) for row in later]
    stamped = [(Entry("fact", body), WALL), *stamped[1:], *[(Entry("fact", b""), WALL)] * many]
    rows = [(r.seq, r.kind, r.device, r.at, r.wall, r.body, r.hash) for r in chained(tip, stamped)]
    found = journal.replaced_by([*journal.rows[: seq - 1], *rows])
    assert found == ((COUNT, "content") if seq <= COUNT else (COUNT + 1, "extra"))


def _genesis(journal: Journal) -> bytes:
    with closing(sqlite3.connect(journal.original)) as connection:
        return origin_of(connection).hash


@given(data=st.data(), size=st.integers(1, 40))
@settings(deadline=None, max_examples=300)
def test_damaged_file_is_refused_or_reads_as_before(journal: Journal, data: st.DataObject, size: int) -> None:
    """Bytes overwritten anywhere in the database file: nothing wrong is ever taken for right."""
    content = journal.original.read_bytes()
    at = data.draw(st.integers(0, len(content) - size))
    spoilt = data.draw(st.binary(min_size=size, max_size=size))
    journal.path.write_bytes(content[:at] + spoilt + content[at + size :])
    shutil.copy(journal.original.with_suffix(".head"), journal.path.with_suffix(".head"))
    try:
        if not verify(journal.path).ok:
            return
    except JournalError as error:
        assert "\n" not in str(error)
        return
    read = [(r.seq, r.kind, r.device, r.at, r.wall, r.body, r.hash) for r in records(journal.path)]
    assert read == journal.rows
