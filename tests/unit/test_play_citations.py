"""What an irregularity cites: the law that is in force at this table, and nothing where that says nothing."""

import pytest

from controller import facts
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    DeviceResult,
    ResultConfirmed,
    WagerPlaced,
)
from controller.orders import Order
from controller.play.answers import answers
from controller.play.house import House
from controller.play.table import Table
from controller.rules.remedies import load_pack
from controller.rules.ruleset import load_ruleset

FOUR = "9H KD KH 3S"  # Player has a natural
EARLY = (CardDrawn(card="2C"),)
OVERDRAW = (BetsOpened(), BetsClosed(), *(CardDrawn(card=card) for card in f"{FOUR} 4D".split()))
UNREAD = (BetsOpened(), BetsClosed(), CardDrawn(card=None))
LATE = (BetsOpened(), BetsClosed(), WagerPlaced(seat=1, wager="player", amount="25"))
OPEN = (BetsOpened(), BetsClosed())
#: Player has five, so Player's third card is due
FIVE = (*OPEN, *(CardDrawn(card=card) for card in ["2C", "2D", "3H", "KS"]))
FIRST_FOUR = (*OPEN, CardDrawn(card="2C"), CardDrawn(card="9H", slot="player", index=2))
THIRD = (*FIVE, CardDrawn(card="9H", slot="banker", index=3))
UNDERDRAW = (*FIVE, ResultConfirmed())
MISMATCH = (
    *OPEN,
    *(CardDrawn(card=card) for card in FOUR.split()),
    DeviceResult(winner="tie", player_pair=False, banker_pair=False, forced_quit=False),
)


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
        ("nj-mini-baccarat", OVERDRAW, "overdraw", "N.J.A.C. 13:69F-7.9(a)"),
        ("nj-mini-baccarat", FIRST_FOUR, "wrong-slot", "N.J.A.C. 13:69F-7.7(c)"),
        ("nj-mini-baccarat", THIRD, "wrong-slot", "N.J.A.C. 13:69F-7.9(b), Table 1"),
        ("nj-mini-baccarat", UNDERDRAW, "underdraw", "N.J.A.C. 13:69F-7.9(b), Table 1"),
        ("nj-mini-baccarat", MISMATCH, "result-mismatch", "N.J.A.C. 13:69F-7 wagers (a)1 to 3"),
        ("nj-mini-baccarat", LATE, "late-wager", "N.J.A.C. 13:69F-7 wagers (d), (e)"),
        ("nj-casino-night-mini-baccarat", OVERDRAW, "overdraw", "N.J.A.C. 13:47-20.28(e)1"),
        ("nj-casino-night-baccarat", THIRD, "wrong-slot", "N.J.A.C. 13:47-20.20(e)2"),
        ("nj-casino-night-mini-baccarat", EARLY, "early-card", None),
        ("macau", EARLY, "early-card", None),
        ("macau", OVERDRAW, "overdraw", "Macau, official regulation of baccarat (article not read)"),
        ("macau", LATE, "late-wager", None),
        ("france", EARLY, "early-card", "France, order of 14 May 2007 art. 55-14"),
        ("france", OVERDRAW, "overdraw", "France, order of 14 May 2007 art. 55-14"),
        ("france", UNREAD, "unread-card", None),
        ("pennsylvania-ez", EARLY, "early-card", "58 Pa. Code 627a.8(b)"),
        ("pennsylvania-ez", OVERDRAW, "overdraw", "58 Pa. Code 631a.11(a)"),
        ("pennsylvania-ez", LATE, "late-wager", None),
    ],
)
def test_it_is_the_law_in_force(ruleset, events, code, citation):
    assert cited(ruleset, events) == (code, citation)


@pytest.mark.parametrize("ruleset", ["macau", "france", "pennsylvania-ez", "nj-casino-night-mini-baccarat"])
def test_without_a_pack_no_other_law_is_cited(ruleset):
    law = load_ruleset(ruleset)
    assert cited(ruleset, OVERDRAW, pack=False) == ("overdraw", law.draw.cites.natural)
    assert cited(ruleset, EARLY, pack=False) == ("early-card", None)


def test_a_surplus_card_of_the_round_before_is_judged_by_that_round():
    """While the next round's bets are open: its own hands are empty, and no card of them is due."""
    rules = load_ruleset("nj-mini-baccarat")
    table = Table(House(rules, pack=load_pack(rules.remedies, answers())))
    for event in (*FIVE, CardDrawn(card="4S"), CardDrawn(card="5D"), ResultConfirmed(), BetsOpened()):
        table.apply(event)
    natural = Order(order="correct_card", by="A", confirmed_by="B", hand="player", index=1, card="6C")
    (raised,) = [f for f in table.apply(natural) if isinstance(f, facts.IrregularityRaised)]
    assert (raised.code, raised.round, raised.citation) == ("overdraw", 1, "N.J.A.C. 13:69F-7.9(a)")
