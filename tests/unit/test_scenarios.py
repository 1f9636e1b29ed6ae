"""Every scenario that ships, played at a table: all it expects comes, and nothing irregular beside it."""

import re
from pathlib import Path

import pytest

from controller.orders import ORDER_FIELDS, Order
from controller.play.irregularities import CODES
from controller.play.table import Table
from controller.scenarios import find_scenario, shipped_scenarios
from controller.scenarios.expectations import Raised
from controller.scenarios.play import house_of, play

SHIPPED = shipped_scenarios()
SCENARIOS = [find_scenario(name) for name in SHIPPED]
FOLDER = Path(__file__).parents[2] / "config" / "scenarios"


@pytest.mark.parametrize("name", SHIPPED)
def test_what_must_follow_follows(name):
    scenario = find_scenario(name)
    for played in play(scenario, Table(house_of(scenario))):
        assert played.unmet == []
        assert played.unforeseen == [], played.line.text


@pytest.mark.parametrize("scenario", SCENARIOS, ids=SHIPPED)
def test_it_says_what_it_shows_and_expects_something(scenario):
    assert scenario.title
    assert any(line.expects for line in scenario.lines)


def test_every_order_is_given_in_one():
    given = {act.event.order for one in SCENARIOS for act in one.acts if isinstance(act.event, Order)}
    assert given == set(ORDER_FIELDS)


def test_every_irregularity_is_raised_in_one():
    expected = [e for one in SCENARIOS for line in one.lines for e in line.expects]
    assert {one.code for one in expected if isinstance(one, Raised)} == set(CODES)


def test_every_situation_has_one():
    """S01 to S24: the situations in which the texts of the jurisdictions were read."""
    texts = [(FOLDER / name).read_text() for name in SHIPPED]
    told = {number for text in texts for number in re.findall(r"S(\d\d)\b", text)}
    assert told == {f"{number:02}" for number in range(1, 25)}


@pytest.mark.parametrize("boundaries", ["announced", "device"])
def test_rounds_are_closed_in_more_than_one_way(boundaries):
    assert any(scenario.boundaries == boundaries for scenario in SCENARIOS)
