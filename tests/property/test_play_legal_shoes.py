"""Legal games through the machines: nothing is raised, and every round is decided as by the pure rules."""

import pytest

from controller.play.proof import SETTINGS, departures, legal_rounds
from controller.rules.ruleset import load_ruleset, ruleset_names


def test_thousands_of_legal_rounds_raise_nothing_and_are_judged_by_the_rules() -> None:
    figures = legal_rounds(9000, 20, load_ruleset("nj-mini-baccarat"))
    assert figures.irregularities == {}
    assert figures.wrong == []
    assert figures.shoes > 10 * len(SETTINGS)


@pytest.mark.parametrize("name", ruleset_names())
def test_legal_rounds_of_every_ruleset(name: str) -> None:
    figures = legal_rounds(80 * len(SETTINGS), 3, load_ruleset(name))
    assert (figures.irregularities, figures.wrong) == ({}, [])


def test_every_departure_raises_its_code_at_the_first_observation_that_proves_it() -> None:
    figures = departures(250, 7, load_ruleset("nj-mini-baccarat"))
    assert figures.missed == []
