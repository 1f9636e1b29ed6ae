"""What an irregularity cites: the law that is in force at this table, and nothing where that says nothing."""

import pytest

from controller import facts
from controller.observations import BetsClosed, BetsOpened, CardDrawn, WagerPlaced
from controller.play.answers import answers
from controller.play.table import House, Table
from controller.rules.remedies import load_pack
from controller.rules.ruleset import load_ruleset

FOUR = "9H KD KH 3S"  # Player has a natural
EARLY = (CardDrawn(card="2C"),)
OVERDRAW = (BetsOpened(), BetsClosed(), *(CardDrawn(card=card) for card in f"{FOUR} 4D".split()))
UNREAD = (BetsOpened(), BetsClosed(), CardDrawn(card=None))
LATE = (BetsOpened(), BetsClosed(), WagerPlaced(seat=1, wager="player", amount="25"))


def cited(ruleset, events, pack=True):
    """The code that is raised, and what it cites."""
    rules = load_ruleset(ruleset)
    house = House(rules, pack=load_pack(rules.remedies, answers()) if pack else None)
    table = Table(house)
    (raised,) = [
        fact for one in events for fact in table.apply(one) if isinstance(fact, facts.IrregularityRaised)
    ]
    return raised.code, raised.citation


@pytest.mark.parametrize(
    ("ruleset", "events", "code", "citation"),
    [
        ("nj-mini-baccarat", EARLY, "early-card", "N.J.A.C. 13:69F-7.7(b)"),
        ("nj-mini-baccarat", OVERDRAW, "overdraw", "N.J.A.C. 13:69F-7.9"),
        ("nj-mini-baccarat", LATE, "late-wager", "N.J.A.C. 13:69F-7 wagers (d), (e)"),
        (
            "nj-casino-night-mini-baccarat",
            OVERDRAW,
            "overdraw",
            "N.J.A.C. 13:47-20.28(e)1, 13:47-20.20(e)1",
        ),
        ("nj-casino-night-mini-baccarat", EARLY, "early-card", None),
        ("macau", EARLY, "early-card", None),
        ("macau", OVERDRAW, "overdraw", None),
        ("macau", LATE, "late-wager", None),
        ("france", EARLY, "early-card", "France, order of 14 May 2007 art. 55-14"),
        ("france", OVERDRAW, "overdraw", "France, order of 14 May 2007 art. 55-14"),
        ("france", UNREAD, "unread-card", None),
        ("pennsylvania-ez", EARLY, "early-card", "58 Pa. Code 627a.8(b)"),
        ("pennsylvania-ez", OVERDRAW, "overdraw", "58 Pa. Code 627a.13 (text not available)"),
        ("pennsylvania-ez", LATE, "late-wager", None),
    ],
)
def test_it_is_the_law_in_force(ruleset, events, code, citation):
    assert cited(ruleset, events) == (code, citation)


@pytest.mark.parametrize("ruleset", ["macau", "france", "pennsylvania-ez", "nj-casino-night-mini-baccarat"])
def test_without_a_pack_no_other_law_is_cited(ruleset):
    assert cited(ruleset, OVERDRAW, pack=False) == ("overdraw", None)
