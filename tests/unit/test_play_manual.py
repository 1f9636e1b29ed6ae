"""A table whose cards are entered by hand: what is burned face down was never there to be read."""

import pytest
from msgspec.structs import replace
from virtual import inputs

from controller import facts
from controller.observations import BetsClosed, BetsOpened, CardDrawn, ShoeLoaded
from controller.play.house import House
from controller.play.table import Table
from controller.rules.ruleset import load_ruleset, parse_ruleset
from controller.runtime.core import Core

RULES = load_ruleset("nj-casino-night-mini-baccarat")
FIXED = parse_ruleset(RULES.text.replace('policy = "first-card"', 'policy = "fixed"\ncount = 3'), "test")
DOWN = CardDrawn(card=None, slot="burn")


def raised(*events, manual=True, rules=RULES):
    """The codes of what was irregular; bets are opened at the end."""
    table = Table(House(rules, manual=manual))
    told = [fact for event in (ShoeLoaded(decks=8), *events, BetsOpened()) for fact in table.apply(event)]
    assert any(isinstance(fact, facts.RoundOpened) for fact in told)
    return [fact.code for fact in told if isinstance(fact, facts.IrregularityRaised)]


def test_a_burn_face_down_is_no_irregularity_and_is_counted():
    assert raised(CardDrawn(card="3C"), DOWN, DOWN, DOWN) == []
    assert raised(CardDrawn(card="3C"), DOWN, DOWN) == ["burn-mismatch"]
    assert raised(CardDrawn(card="3C"), DOWN, DOWN, DOWN, DOWN) == ["burn-mismatch"]


def test_the_first_card_is_exposed_so_it_can_be_read():
    assert raised(CardDrawn(card=None, slot="first")) == ["unread-card"]
    assert raised(CardDrawn(card=None)) == ["unread-card"]


def test_where_a_fixed_number_is_burned_none_is_exposed():
    assert raised(DOWN, DOWN, DOWN, rules=FIXED) == []


def test_a_shoe_that_reads_its_cards_has_to_read_these_as_well():
    assert raised(CardDrawn(card="2C"), DOWN, DOWN, manual=False) == ["unread-card"] * 2


def test_a_card_of_a_round_that_nobody_names_is_one():
    table = Table(House(RULES, manual=True))
    told = [
        fact for event in (BetsOpened(), BetsClosed(), CardDrawn(card=None)) for fact in table.apply(event)
    ]
    assert [fact.code for fact in told if isinstance(fact, facts.IrregularityRaised)] == ["unread-card"]


@pytest.mark.parametrize("manual", [False, True])
def test_a_journal_keeps_it_and_one_that_does_not_name_it_means_a_shoe(manual):
    (entry,) = Core().begin(replace(inputs(), manual=manual)).entries
    assert (b'"manual"' in entry.body) == manual
