"""The shipped rulesets, and how a faulty one is refused."""

import re
from pathlib import Path

import pytest

from controller.ports import ConfigurationError
from controller.rules.kinds import KINDS
from controller.rules.ruleset import load_ruleset, parse_ruleset, ruleset_names

NAMES = [
    "france",
    "macau",
    "macau-no-commission",
    "nj-casino-night-baccarat",
    "nj-casino-night-mini-baccarat",
    "nj-mini-baccarat",
    "nj-mini-baccarat-no-vigorish",
    "nj-mini-baccarat-tie-vigorish",
    "pennsylvania-ez",
]
BASE = load_ruleset("nj-mini-baccarat")


def test_the_nine_rulesets_ship() -> None:
    assert ruleset_names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_ruleset_is_complete(name: str) -> None:
    ruleset = load_ruleset(name)
    assert ruleset.name == name
    assert ruleset.text.startswith("# ")
    assert {"banker", "player", "tie"} <= set(ruleset.wagers)
    assert all(term.citation for term in ruleset.terms.values())
    for place, term in ruleset.terms.items():
        assert ruleset.citation(place) == term.citation
        if "not available" in term.citation or "not read" in term.citation:
            assert term.source in ("unverified", "derived", "secondary"), place


@pytest.mark.parametrize("name", NAMES)
def test_enough_cards_lie_behind_the_cut_card(name: str) -> None:
    cut = load_ruleset(name).cut_card
    assert cut.place.behind >= 6 * (1 + cut.last_round.rounds_after)


@pytest.mark.parametrize(
    ("name", "seats", "decks", "burn", "behind", "after", "cut_cards"),
    [
        ("nj-mini-baccarat", 7, (6, 8), "first-card", 14, 1, 1),
        ("nj-casino-night-mini-baccarat", 7, (6, 12), "first-card", 14, 1, 2),
        ("nj-casino-night-baccarat", 14, (6, 12), "first-card", 14, 1, 2),
        ("macau", 14, (6, 12), "first-card", 12, 1, 1),
        ("france", 14, (6, 6), "first-card", 10, 0, 1),
        ("pennsylvania-ez", 7, (6, 8), "first-card", 14, 1, 1),
    ],
)
def test_table_and_shoe(
    name: str, seats: int, decks: tuple[int, int], burn: str, behind: int, after: int, cut_cards: int
) -> None:
    ruleset = load_ruleset(name)
    assert (ruleset.seats.max, (ruleset.decks.min, ruleset.decks.max)) == (seats, decks)
    assert (ruleset.burn.policy, ruleset.cut_card.place.behind) == (burn, behind)
    assert (ruleset.rounds_after_cut_card, ruleset.cut_cards) == (after, cut_cards)


def test_what_new_jersey_leaves_unverified() -> None:
    found = {one["rule"] for one in BASE.unverified}
    assert {"burn", "cut_card.last_round", "vigorish", "wagers.tie.figures"} <= found
    assert not {"third_card", "deal", "handling"} & found
    assert not any(".cites." in rule for rule in found)


@pytest.mark.parametrize("name", ["nj-casino-night-mini-baccarat", "nj-casino-night-baccarat"])
def test_a_casino_night_names_its_fallback(name: str) -> None:
    fallback = load_ruleset(name).third_card.fallback
    assert fallback is not None
    assert fallback.banker == [3, 4, 5, 6, 7]
    assert fallback.table == "N.J.A.C. 13:69F-7.9(c), Table 2"
    assert "fallback" in load_ruleset(name).draw.cites.banker


def test_every_wager_of_the_vocabulary_has_a_kind() -> None:
    assert len(KINDS) == 16


# -- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ('policy = "first-card"', 'policy = "first-crad"', "burn.policy", "should be 'none', 'first-card'"),
        ('policy = "first-card"', 'policy = "fixed"', "burn", "goes with a count"),
        ("max = 7\n", "", "seats.max", "is missing"),
        ("max = 7\n", "max = 15\n", "seats.max", "less than or equal to 14, not 15"),
        ("max = 7\n", 'max = "7"\n', "seats.max", "whole number, not '7'"),
        ("min = 6", "min = 9", "decks", "min 9 is more than max 8"),
        ("max = 7\n", "max = 7\nmin = 1\n", "seats.min", "not a key known here"),
        ('"DSSDDDDDDSS"', '"DSSDDDDDDS"', "third_card.banker.4", "should match pattern"),
        ("behind = 14", "behind = 11", "cut_card", "set place.behind to at least 12"),
        ("rounds_after = 1", "rounds_after = 2", "cut_card", "set place.behind to at least 18"),
        ('default = "face-up"', 'default = "up"', "deal.default", "should be 'face-up'"),
        ('rate = "5%"', 'rate = "5"', "vigorish.rate", "no percentage"),
        ('rate = "5%"', 'rate = "0%"', "vigorish", "a rate above 0%"),
        ('rounding = "exact"', 'rounding = "up"', "vigorish", "needs the chip"),
        ('{ win = "8:1" }', '{ win = "8" }', "wagers.tie.pays.win", "are no odds"),
        ('{ win = "8:1" }', '{ win = "0:1" }', "wagers.tie.pays.win", "are no odds"),
        ('{ win = "8:1" }', '{ win = "-8:1" }', "wagers.tie.pays.win", "are no odds"),
        ('{ win = "8:1" }', '{ win = "1:3" }', "wagers.tie.pays.win", "cannot be paid exactly"),
        ('{ win = "8:1" }', '{ wim = "8:1" }', "wagers.tie.pays", "lacks win"),
        ('by_9 = "30:1"', "", "wagers.player_bonus.pays", "lacks by_9"),
        ("[wagers.cards_4]", "[wagers.cards_7]", "wagers.cards_7", "should be 'banker', 'player'"),
        ('source = "unverified"', 'source = "sure"', "seats.source", "should be 'verified'"),
        ('name = "nj-mini-baccarat"', 'name = "NJ"', "name", "should match pattern"),
    ],
)
def test_a_faulty_ruleset_names_line_and_key(old: str, new: str, place: str, says: str) -> None:
    assert old in BASE.text
    with pytest.raises(ConfigurationError) as refused:
        parse_ruleset(BASE.text.replace(old, new, 1), "house.toml")
    first = str(refused.value).splitlines()[0]
    found = re.match(r"house\.toml:(\d+): ([^:]+): (.+)", first)
    assert found
    assert found[2] == place
    assert says in found[3]
    key = place.split(".")[-1]
    line = BASE.text.replace(old, new, 1).splitlines()[int(found[1]) - 1]
    assert key in line or place.split(".")[-2] in line or '"DSSDDDDDDS"' in line


def test_every_fault_is_told_at_once() -> None:
    text = BASE.text.replace("max = 7", "max = 70").replace("behind = 14", "behind = 0")
    with pytest.raises(ConfigurationError) as refused:
        parse_ruleset(text, "house.toml")
    assert len(str(refused.value).splitlines()) == 2


def test_a_missing_citation_rule_is_a_fault() -> None:
    text = re.sub(r"\nlose = \{[^}]+\(a\)3[^}]+\}", "", BASE.text)
    with pytest.raises(ConfigurationError, match=r"wagers\.tie\.cites: has no rule for lose; add one"):
        parse_ruleset(text, "house.toml")


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(ConfigurationError, match="no ruleset named 'nj'; name one of france, macau,"):
        load_ruleset("nj")


def test_a_ruleset_of_the_house_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(BASE.text.replace('name = "nj-mini-baccarat"', 'name = "house"'))
    assert load_ruleset(str(path)).name == "house"
    with pytest.raises(ConfigurationError, match=r"none\.toml: no such file"):
        load_ruleset(str(tmp_path / "none.toml"))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        load_ruleset(str(path))


@pytest.mark.parametrize("name", ruleset_names())
def test_only_texts_that_speak_of_cards_face_down_are_named_for_it(name: str) -> None:
    """13:69F-7.7(c) and 58 Pa. Code 627a.8; the others have the order of the cards and no more."""
    read = load_ruleset(name).deal.source == "verified"
    assert read == name.startswith(("nj-mini-baccarat", "pennsylvania"))
