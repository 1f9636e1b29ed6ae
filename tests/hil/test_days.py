"""The long run, short: what it watches stays as it is; and what would be wrong is said."""

from collections import Counter
from pathlib import Path

import pytest

from drivers.testing import days as long_run
from drivers.testing.days import Look


@pytest.mark.timeout(120)
def test_an_hour_of_play_leaves_memory_descriptors_and_journal_as_they_were() -> None:
    over: list[float] = []
    report = long_run.days(days=0.03, speed=200, seed=3, told=over.append)
    assert report.wrong == []
    assert report.rounds > 30
    assert report.fed > 0
    assert over == sorted(over)


class Fed(long_run._Watchdog):
    """A watchdog that was fed at these times."""

    def __init__(self, *times: float) -> None:
        self.ready, *self.fed, self.ended = times


def judged(tmp_path: Path, looks: list[Look], watchdog: Fed, code: int = 0) -> list[str]:
    return long_run._judged(tmp_path, 1, 1, looks, watchdog, code, b"a\nlast word", Counter()).wrong


def test_each_thing_that_may_not_be_is_named(tmp_path: Path) -> None:
    grown = [Look((60 + n) << 20, 20 + n // 10, n << 20) for n in range(40)]
    wrong = judged(tmp_path, grown, Fed(0.0, 5.0, 16.0, 20.0), code=70)
    assert [what.split(" ")[0] for what in wrong] == [
        "the", "the", "memory", "descriptors", "the", "audit:",
    ]  # fmt: skip
    assert "ended with 70: a\nlast word" in wrong[0]
    assert "not fed for 11.0 s" in wrong[1]
    assert "the journal had 39.0 MiB" in wrong[4]


def test_steady_figures_are_not_wrong(tmp_path: Path) -> None:
    steady = [Look(60 << 20, 20, 5 << 20)] * 40
    assert judged(tmp_path, steady, Fed(0.0, 5.0, 10.0, 15.0)) == ["audit: None"]
