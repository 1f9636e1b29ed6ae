"""`tablectl replay FILE.deal`: the facts, what does not come as it says, and the exit code."""

import json
import subprocess
import sys

import pytest


def replay(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "controller", "replay", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=cwd,
    )


@pytest.mark.parametrize(("name", "code"), [("law-natural.deal", 0), ("irregular-link-lost.deal", 3)])
def test_a_scenario_that_ships_is_found_from_any_folder(name, code, tmp_path):
    done = replay(name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    assert "round_decided" in {json.loads(line)["type"] for line in done.stdout.splitlines()}


def test_what_does_not_come_is_named_with_its_line(tmp_path):
    file = tmp_path / "mine.deal"
    file.write_text("bets opened ; bets closed\ncard 2C -> due player\n")
    done = replay(file)
    assert done.returncode == 1
    assert done.stderr == f"{file}, line 2: expected due player, and banker is due\n"
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()][-1] == "card_dealt"


def test_a_scenario_that_cannot_be_read_is_one_line_for_each_fault(tmp_path):
    file = tmp_path / "mine.deal"
    file.write_text("card 1Z\n")
    done = replay(file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tablectl: {file}, line 1: '1Z': a card is ")
    assert len(done.stderr.splitlines()) == 1


def test_it_plays_by_the_ruleset_that_is_given_where_it_names_none(tmp_path):
    file = tmp_path / "mine.deal"
    file.write_text("bets opened\nwager 1 player_pair 10 -> no wager_refused\n")
    assert replay(file, "--ruleset", "macau").returncode == 0
    assert replay(file).returncode == 1
