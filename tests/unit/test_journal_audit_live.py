"""The audit of a journal that goes on and is divided while it is read: no false alarm."""

from pathlib import Path

import pytest

from controller.journal.archive import part_path
from controller.journal.audit import Mismatch, verify
from controller.journal.record import Entry, Record
from controller.journal.signing import load_verifier
from controller.journal.store import Store
from controller.runtime.signature import signer_of

WALL = "2026-03-14T20:00:00.000+00:00"


class Going:
    """A journal in which more is written, and which is divided, when the audit comes to one of `at`."""

    def __init__(self, folder: Path, at: tuple[int, ...]) -> None:
        self.path = folder / "journal.db"
        self.store = Store(self.path, "MB-01")
        self.store.sign_with(signer_of(folder, "MB-01"))
        self.at = at
        self.taken: list[int] = []

    def write(self, count: int) -> None:
        for _ in range(count):
            self.store.write([(Entry("fact", b"%d" % (self.store.tip.seq + 1)), WALL)])
            self.store.mark()

    def divide(self) -> None:
        self.store.divide(self.store.tip.seq, 0)

    def take(self, record: Record) -> Mismatch | None:
        self.taken.append(record.seq)
        if record.seq in self.at:
            self.write(4)
            self.divide()
            self.write(1)
        return None

    def end(self) -> Mismatch | None:
        return None


@pytest.mark.parametrize("at", [(2,), (9,), (2, 9), (4, 7), (1, 2, 3), (3, 10, 12)])
def test_an_audit_reads_on_behind_what_was_divided_meanwhile(tmp_path: Path, at: tuple[int, ...]) -> None:
    going = Going(tmp_path, at)
    going.write(5)
    going.divide()
    going.write(5)
    verdict = verify(going.path, going, load_verifier(tmp_path / "signing.pub"))
    assert (verdict.first, verdict.begins) == (None, 1)
    assert going.taken == list(range(1, verdict.records + 1))
    going.store.close()


def test_a_file_that_is_gone_is_missing_also_while_the_table_goes_on(tmp_path: Path) -> None:
    going = Going(tmp_path, (2,))
    for _ in range(3):
        going.write(5)
        going.divide()
    part_path(going.path, 5).unlink()
    found = verify(going.path, going).first
    assert found is not None
    assert (found.what, found.seq) == ("missing", 5)
    going.store.close()
