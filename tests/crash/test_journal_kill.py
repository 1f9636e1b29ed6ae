"""The writer killed with SIGKILL: nothing acknowledged is lost or doubled, and the chain holds."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal.audit import verify
from controller.journal.reader import records
from controller.journal.store import POINTS

APPENDER = Path(__file__).with_name("journal_appender.py")
KILLS = 30


def start(path: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(APPENDER), str(path), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(appender: subprocess.Popen[str]) -> int:
    """Wait for the killed process; the last number it acknowledged, 0 when none."""
    out, err = appender.communicate(timeout=60)
    assert (appender.returncode, err) == (-signal.SIGKILL, "")
    return max(map(int, out.split()), default=0)


def whole_appends(path: Path, before: int, acknowledged: int) -> int:
    """The number of the last record: everything holds, nothing acknowledged is missing, no append is in part.

    `before`: of the last record when the killed process began.
    """
    verdict = verify(path)
    assert verdict.ok, verdict.first
    found = list(records(path))
    assert [int(record.body) for record in found] == list(range(1, len(found) + 1))
    assert len(found) >= acknowledged
    assert (len(found) - before) % 10 in (0, 1, 5, 7), "appends have 1, 4, 2, 3 records in turn"
    return len(found)


def test_killed_at_any_instant(tmp_path: Path) -> None:
    """Over and over on one journal: the next start goes on behind what the last one left."""
    path = tmp_path / "journal.db"
    draw = random.Random(54)
    left = 0
    for _ in range(KILLS):
        appender = start(path)
        assert appender.stdout
        for _ in range(draw.randint(1, 60)):
            acknowledged = int(appender.stdout.readline())
        appender.kill()
        acknowledged = max(acknowledged, end(appender))
        assert acknowledged > left
        left = whole_appends(path, left, acknowledged)


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_every_point_of_a_commit(tmp_path: Path, point: str) -> None:
    path = tmp_path / "journal.db"
    left = 0
    for nth in ("1", "2", "5"):
        before = left
        acknowledged = end(start(path, point, nth))
        left = whole_appends(path, before, acknowledged)
        if point in ("begun", "inserted"):
            # What was killed before its commit is not there.
            assert left == (acknowledged or before)


def test_killed_before_its_commit_leaves_no_part_of_a_transaction(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert end(start(path, "inserted", "1")) == 0
    assert whole_appends(path, 0, 0) == 0
    assert end(start(path, "committed", "1")) == 0
    assert whole_appends(path, 0, 0) >= 1
