"""What the shim notes of a real journal is what the journal does to its files."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from controller.journal.reader import records
from controller.journal.store import Store
from drivers.testing.crashes import shim
from drivers.testing.crashes.disk import Disk, operations, put

WRITER = """
import os, sys
from pathlib import Path
from controller.journal.errors import JournalError
from controller.journal.record import Entry
from controller.journal.store import Store
from drivers.testing.crashes import shim

state, log = map(Path, sys.argv[1:3])
shim.watch(state, log)
store = Store(state / "journal.db", "MB-01")
def write(count):
    store.write([(Entry("fact", b"x" * 3000), "now")] * count)
    store.mark()
    shim.said(f"+{store.tip.seq}")
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shim.build(tmp_path_factory.mktemp("shim"))


def run(library: Path, folder: Path, acts: str) -> tuple[str, Disk]:
    log = folder / "disk.log"
    done = subprocess.run(
        [sys.executable, "-c", WRITER + acts, str(folder / "state"), str(log)],
        env=os.environ | {"LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    disk = Disk()
    disk.do(operations(log.read_bytes()))
    return done.stdout, disk


@pytest.mark.parametrize("end", ["store.close()", "os._exit(0)"], ids=["closed", "killed"])
def test_the_log_gives_the_very_files(library: Path, tmp_path: Path, end: str) -> None:
    _, disk = run(
        library, tmp_path, f"write(2)\nstore.checkpoint()\nwrite(3)\nstore.divide(3, 0)\nwrite(1)\n{end}"
    )
    state = tmp_path / "state"
    files = {
        str(file.relative_to(state)): file.read_bytes() if file.is_file() else None
        for file in state.rglob("*")
        if not file.name.endswith("-shm")
    }
    assert disk.left(Random(0), 1) == files
    assert disk.said == ["+2", "+5", "+6"]


def test_what_was_told_was_synced(library: Path, tmp_path: Path) -> None:
    """Back to the last sync, each record is still there."""
    _, disk = run(library, tmp_path, "write(2)\nos._exit(0)")
    left = disk.left(Random(0), 0)
    assert b"x" * 3000 in (left["journal.db-wal"] or b"")


def test_a_sync_fails_so_often(library: Path, tmp_path: Path) -> None:
    acts = """
write(1)
shim.syncs(0, 1)
for _ in range(2):
    try:
        write(1)
    except JournalError as error:
        print("refused")
    print(store.tip.seq)
"""
    said, _ = run(library, tmp_path, acts)
    assert said.split() == ["refused", "1", "2"]


def test_a_commit_whose_sync_failed_before_a_kill_costs_nothing_that_is_told_later(
    library: Path, tmp_path: Path
) -> None:
    """The next service reads it from the system's memory; no later sync brings it to the disk."""
    failing = "write(1)\nshim.syncs(0, 1)\ntry:\n    write(1)\nexcept JournalError:\n    os._exit(0)"
    run(library, tmp_path, failing)
    said, disk = run(library, tmp_path, "write(1)\nprint(store.tip.seq)\nos._exit(0)")
    for seed in range(20):
        left = tmp_path / f"left-{seed}"
        put(left, disk.left(Random(seed)))
        Store(left / "journal.db", "MB-01").close()
        assert len(list(records(left / "journal.db"))) == int(said)
