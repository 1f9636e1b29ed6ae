"""The part of the campaign that every change must pass: seeded shoes over bad lines, some at terminals."""

import json
import subprocess
import sys

import pytest

from controller.campaigns import find_campaign
from controller.ports import ConfigurationError
from drivers.testing.campaign import report
from drivers.testing.cases import WORST, case
from drivers.testing.trial import virtual

SHOES = 30


@pytest.fixture(scope="module")
def figures():
    """As the command prints them, for another part of the seeds than the README's figures."""
    options = ["--json", "--shoes", str(SHOES), "--ptys", "6", "--seed", "5000"]
    run = subprocess.run(
        [sys.executable, "-m", "controller", "campaign", "devices", *options],
        capture_output=True,
        timeout=240,
    )
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def test_nothing_was_silently_wrong(figures):
    assert figures["silent"] == []


def test_every_shoe_was_dealt_and_every_round_is_accounted_for(figures):
    assert (figures["shoes"], figures["ptys"]) == (SHOES + 6, 6)
    assert figures["rounds"] == figures["clean"] + figures["held"] + figures["missed"]
    assert figures["rounds"] > 60 * SHOES


def test_there_were_faults_most_were_mended_and_some_were_told(figures):
    assert sum(figures["faults"].values()) > 50 * SHOES
    assert figures["clean"] > 0.6 * figures["rounds"]
    assert figures["irregularities"]["lost-frames"] > 0


def test_a_seed_repeats_its_shoe():
    assert virtual(case(11, (6,))) == virtual(case(11, (6,)))


@pytest.mark.parametrize("seed", [0, 1])
def test_a_good_line_raises_nothing(seed):
    good = report([virtual(case(seed, (8,), {}))])
    assert (good.irregularities, good.held, good.missed, good.silent) == ({}, 0, 0, [])
    assert good.clean > 60


@pytest.mark.parametrize("fault", WORST)
def test_each_fault_alone_at_its_worst(fault):
    alone = report([virtual(case(3, (1,), {fault: min(1.0, 2 * WORST[fault])}))])
    assert alone.silent == []
    assert set(alone.faults) <= {
        fault if "/" in fault else f"{fault}/{level}" for level in ("copy", "report")
    }


def test_no_such_campaign():
    with pytest.raises(ConfigurationError, match="installed: codecs, crashes, days, devices"):
        find_campaign("none")


def test_nothing_to_do_is_one_clear_line():
    run = subprocess.run(
        [sys.executable, "-m", "controller", "campaign", "devices", "--shoes", "0", "--ptys", "0"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1
