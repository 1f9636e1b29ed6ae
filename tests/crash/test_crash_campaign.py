"""The part of the crash campaign that every change must pass, and the proof that it can fail."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.campaigns import find_campaign
from controller.journal import audit
from controller.journal.record import Tip
from controller.ports import ConfigurationError
from drivers.testing.crashes import shim
from drivers.testing.crashes.campaign import CUTS, crashes, kind_of
from drivers.testing.crashes.judge import NAMED
from drivers.testing.crashes.live_cases import KINDS

CASES = 200

#: The cases wait for real services, and every wait in them has its own limit.
pytestmark = pytest.mark.timeout(600)


def campaign(*options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "controller", "campaign", "crashes", *map(str, options)],
        capture_output=True,
        text=True,
        timeout=500,
    )


def test_nothing_that_was_told_is_lost_and_damage_is_named(tmp_path: Path) -> None:
    """As the command prints it, for another part of the seeds than the README's figures."""
    run = campaign("--cases", CASES, "--seed", 5000, "--keep", tmp_path / "kept", "--json")
    figures = json.loads(run.stdout)
    assert figures["violations"] == []
    assert run.returncode == 0
    assert sum(figures["cases"].values()) == CASES
    assert set(figures["cases"]) == {*CUTS, *KINDS}
    assert figures["identical"] + figures["held"] + figures["refused"] == CASES
    assert figures["identical"] > 0.1 * CASES
    assert figures["refused"] > 0.5 * figures["cases"]["log torn"]
    assert not (tmp_path / "kept").exists()


def test_a_store_that_does_not_sync_is_found_out_and_the_case_can_be_repeated(tmp_path: Path) -> None:
    """A power cut takes what it told; a kill alone takes nothing, so those cases pass."""
    report = crashes(
        cases=30,
        seed=1,
        case=None,
        recording=None,
        keep=tmp_path,
        told=lambda done: None,
        broken=True,
    )
    wrong = report.violations
    assert {one.kind for one in wrong} == {"power cut"}
    assert len(wrong) > 0.5 * report.cases["power cut"]
    assert all("refused: " in one.what or "had been told" in one.what for one in wrong)
    first = wrong[0]
    assert (Path(first.left) / "journal.db").exists()
    again = campaign(*first.again.split()[3:], "--keep", tmp_path / "again")
    assert again.returncode == 1
    assert first.what in again.stdout


def test_damage_outside_the_records_says_where_they_hold() -> None:
    """In the words that a refusal has for it."""
    damage = audit._damage("wrong # of entries in index beginning", None, Tip(265, bytes(32)))
    assert NAMED.search(str(damage))


def test_every_kind_has_its_share() -> None:
    kinds = [kind_of(number) for number in range(5000)]
    assert all(kinds.count(kind) >= 50 for kind in KINDS)
    assert all(kinds.count(kind) >= 500 for kind in CUTS)


def test_without_a_compiler_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"^no C compiler here, .* install gcc and libc6-dev$"):
        shim.build(tmp_path)


def test_it_is_installed() -> None:
    assert find_campaign("crashes") is crashes


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--recording", "x"), "say with --case"),
        (("--recording", "x", "--case", "1"), "no recorded run"),
        (("--cases", "0"), "--cases"),
    ],
)
def test_bad_options_are_one_clear_line(options: tuple[str, ...], says: str) -> None:
    run = campaign(*options)
    assert (run.returncode, run.stdout) == (2, "")
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
