"""The small disk and the clock of the crash campaign are real ones, and what is missing for them is said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.ports import ConfigurationError
from drivers.testing.crashes import clock
from drivers.testing.crashes.campaign import crashes

#: Mounts are this process's own from then on, so it is one that ends.
FILLED = """
import os, sys
from pathlib import Path
from controller.journal.errors import JournalError
from controller.journal.record import Entry
from controller.journal.store import Store
from drivers.testing.crashes.small_disk import SIZE, fill, free, small_disk

def write():
    try:
        store.write([(Entry("fact", b"x" * 20_000), "now")])
        store.mark()
    except JournalError as error:
        print(error)

state = Path(sys.argv[1])
with small_disk(state):
    store = Store(state / "journal.db", "MB-01")
    write()
    fill(state, 8192)
    write()
    print(os.statvfs(state).f_blocks * os.statvfs(state).f_frsize == SIZE, os.stat(state).st_dev)
    free(state)
    write()
    print(store.tip.seq)
    store.close()
"""

JUMPED = """
import os, sys, time
from pathlib import Path
from drivers.testing.crashes import clock

def hours(wall, steady):
    print(round((time.time() - wall) / 3600), round((time.monotonic() - steady) / 3600))

began = time.time(), time.monotonic()
if not os.fork():
    clock.own(Path(sys.argv[1]))
    for ahead in (0, -86400, 3600):
        clock.jump(ahead)
        hours(*began)
    os._exit(0)
os.wait()
hours(*began)
"""


def run(script: str, place: Path, **settings: str) -> list[str]:
    command = [sys.executable, "-uc", script, str(place)]
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_small_disk_that_is_full_refuses_and_takes_again(tmp_path: Path) -> None:
    refused, of_its_own, count = run(FILLED, tmp_path / "state")
    assert "free space on this disk" in refused or "the space left on it" in refused
    size, device = of_its_own.split()
    assert size == "True" and int(device) != tmp_path.stat().st_dev
    assert count == "2"
    assert list((tmp_path / "state").iterdir()) == []


def test_a_clock_jumps_while_a_process_runs_and_the_time_that_counts_does_not(tmp_path: Path) -> None:
    preloaded = clock.SETTINGS | {"LD_PRELOAD": str(clock.library())}
    assert run(JUMPED, tmp_path / "clock", **preloaded) == ["0 0", "-24 0", "1 0", "0 0"]


@pytest.mark.parametrize(("made", "says"), [(False, "^no libfaketime here, .* install"), (True, "not move")])
def test_without_a_clock_that_moves_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: bool, says: str
) -> None:
    if made:
        (tmp_path / clock.NAME).parent.mkdir()
        (tmp_path / clock.NAME).write_bytes(b"no library")
    monkeypatch.setattr(clock, "FOLDERS", (str(tmp_path),))
    with pytest.raises(ConfigurationError, match=says):
        crashes(cases=1, seed=0, case=None, recording=None, keep=tmp_path, told=lambda done: None)


def test_without_a_right_to_mount_it_says_so_before_any_case() -> None:
    """As in a container that may make no namespaces."""
    script = """
import sys
from unittest.mock import patch
from controller.ports import ConfigurationError
from drivers.testing.crashes import small_disk
from pathlib import Path
with patch.object(small_disk, "_libc") as libc:
    libc.unshare.return_value = -1
    try:
        with small_disk.small_disk(Path(sys.argv[1])):
            pass
    except ConfigurationError as error:
        print(error)
"""
    (said,) = run(script, Path("/nowhere"))
    assert said.startswith("this campaign may not have mounts of its own here: ")
    assert "as root, or allow user namespaces" in said
