"""A remedy pack: how its rules are tried, what waits for a person's word, how a faulty one is refused."""

import re

import pytest

from controller.facts import Remedy
from controller.play.answers import answers
from controller.play.irregularities import CODES, offered
from controller.ports import ConfigurationError
from controller.rules.drawing import NEW_JERSEY
from controller.rules.remedies import CODES as KNOWN
from controller.rules.remedies import cited, load_pack, pack_names, parse_pack, propose
from controller.rules.ruleset import load_ruleset, ruleset_names
from controller.rules.situations import COMPUTED, OPPOSITE, TOLD, situation

HEAD = """
name = "house"
title = "A house"
law = "its own"
call = ["floor"]
[second_person]
orders = ["identify_card"]
citation = "c"
source = "derived"
"""


def rule(code: str, *lines: str) -> str:
    return "\n".join(
        (f"[[irregularities.{code}]]", *lines, 'says = "s"', 'citation = "c"', 'source = "derived"', "")
    )


def house(*rules: str) -> object:
    return parse_pack(HEAD + "".join(rules), "house.toml", answers())


def proposals(told: list[Remedy]) -> list[tuple[str, list[str]]]:
    return [(remedy.order, remedy.given) for remedy in told if remedy.proposed]


# -- situations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "banker", "wanted"),
    [
        ("", "", "first-card first-four"),
        ("2C", "", "in-round first-four"),
        ("2C 3D", "9C", "in-round first-four"),
        ("2C 3D", "5C KD", "in-round player-draws"),
        ("2C 4D", "5C KD", "in-round player-stays banker-draws"),
        ("2C 4D", "6C KD", "in-round player-stays nothing-due"),
        ("2C 3D KC", "5C KD", "in-round nothing-due"),
        ("2C 3D 5H", "5C KD", "in-round banker-draws"),
        ("9C KD", "5C KD", "in-round player-stays natural nothing-due"),
        ("2C 3D", "8C KD", "in-round natural nothing-due"),
    ],
)
def test_the_situation_follows_from_the_hands(player: str, banker: str, wanted: str) -> None:
    hands = {"player": player.split(), "banker": banker.split()}
    assert situation(hands, NEW_JERSEY) == set(wanted.split())  # type: ignore[arg-type]


def test_the_rest_of_the_situation_is_handed_in() -> None:
    told = situation(
        {"player": [], "banker": []},
        NEW_JERSEY,
        held=True,
        to="banker",
        last_coup=True,
        reason="stuck-card",
        told=["face-seen"],
    )
    assert told == {
        *(
            "first-card",
            "first-four",
            "held",
            "to-banker",
            "last-coup",
            "stuck-card",
            "face-seen",
        )
    }
    assert "other" not in situation({"player": [], "banker": []}, NEW_JERSEY, reason="other")


def test_told_words_come_in_pairs() -> None:
    assert OPPOSITE["face-seen"] == "face-unseen"
    assert OPPOSITE["no-spare"] == "spare"
    assert all(OPPOSITE[OPPOSITE[word]] == word for word in TOLD)
    assert not set(COMPUTED) & set(TOLD)


# -- rules --------------------------------------------------------------------------------------------------


def test_both_fates_are_proposed_until_the_supervisor_has_said_which_holds() -> None:
    pack = load_pack("new-jersey", answers())
    where = situation({"player": ["9C", "KD"], "banker": ["5C", "KD"]}, NEW_JERSEY, held=True)
    told = propose(pack, "overdraw", where, offered("overdraw", "stop"))
    assert proposals(told) == [("carry_card", ["face-unseen"]), ("burn_card", ["face-seen"])]
    assert [remedy.order for remedy in told[2:]] == [
        order for order in CODES["overdraw"].orders if order not in ("carry_card", "burn_card")
    ]
    assert all(remedy.citation is None and remedy.source == "derived" for remedy in told[2:])
    assert proposals(propose(pack, "overdraw", where | {"face-seen"}, offered("overdraw", "stop"))) == [
        ("burn_card", [])
    ]


def test_a_rule_below_one_that_waits_holds_only_if_that_does_not() -> None:
    pack = load_pack("new-south-wales", answers())
    told = propose(pack, "shuffler-fault", frozenset({"in-round"}), offered("shuffler-fault", "block"))
    assert proposals(told) == [
        ("void_round", ["harm"]),
        ("acknowledge", ["no-harm", "spare", "undamaged"]),
        ("acknowledge", ["no-harm", "spare", "damaged"]),
    ]


def test_where_no_rule_is_known_the_lawful_orders_are_offered_and_none_proposed() -> None:
    pack = load_pack("new-york", answers())
    told = propose(pack, "overdraw", frozenset({"held", "nothing-due"}), offered("overdraw", "stop"))
    assert [remedy.order for remedy in told] == list(CODES["overdraw"].orders)
    assert not any(remedy.proposed for remedy in told)
    assert cited(pack, "overdraw", frozenset()) is None


def test_an_order_that_is_not_lawful_now_is_not_proposed() -> None:
    """`shoe-opened` may hold a round or not; what holds is answered otherwise than what does not."""
    pack = house(rule("jam", 'order = "end_shoe"'))
    held = propose(pack, "jam", frozenset({"held", "in-round"}), offered("jam", "stop"))  # type: ignore[arg-type]
    free = propose(pack, "jam", frozenset(), offered("jam", "warn"))  # type: ignore[arg-type]
    assert proposals(held) == []
    assert [(remedy.order, remedy.proposed) for remedy in free] == [
        ("end_shoe", True),
        ("acknowledge", False),
    ]


def test_orders_that_two_people_must_give_are_marked() -> None:
    pack = load_pack("new-jersey", answers())
    told = propose(pack, "unread-card", frozenset({"held"}), offered("unread-card", "stop"))
    assert {remedy.order for remedy in told if remedy.second} == {"identify_card", "resynchronise"}


def test_what_a_rule_cites() -> None:
    pack = load_pack("france", answers())
    assert cited(pack, "overdraw", frozenset({"held"})) == "France, order of 14 May 2007 art. 55-14"


# -- files --------------------------------------------------------------------------------------------------


def test_every_ruleset_names_a_pack_that_ships() -> None:
    assert {load_ruleset(name).remedies for name in ruleset_names()} <= set(pack_names())


def test_the_vocabulary_has_every_code_that_is_raised() -> None:
    assert set(CODES) <= set(KNOWN)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (rule("overdrow"), "house.toml:10: irregularities.overdrow: should be 'early-card'"),
        (rule("overdraw", 'order = "burn"'), "house.toml:11: irregularities.overdraw.0.order: should be"),
        (
            rule("overdraw", 'ordr = "burn_card"'),
            "house.toml:11: irregularities.overdraw.0.ordr: is not a key",
        ),
        (
            rule("overdraw", 'order = "end_shoe"'),
            "house.toml:11: irregularities.overdraw.0.order: end_shoe does not answer overdraw; name one of",
        ),
        (
            rule("late-wager", 'allow = ["burn_card"]'),
            "house.toml:11: irregularities.late-wager.0.allow: burn_card does not answer late-wager",
        ),
        (
            rule("overdraw", 'order = "burn_card"', 'allow = ["burn_card"]'),
            "house.toml:12: irregularities.overdraw.0.allow: burn_card is the rule's own order; remove",
        ),
        (
            rule("overdraw", 'when = ["face-seen", "harm"]'),
            "house.toml:11: irregularities.overdraw.0.when: has face-seen and harm; a person says one word",
        ),
        (
            rule("overdraw") + rule("overdraw", 'when = ["natural"]'),
            "house.toml:14: irregularities.overdraw.1: stands behind a rule without `when`",
        ),
        (
            "[[irregularities.overdraw]]\n",
            "house.toml:10: irregularities.overdraw.0.says: is missing; add it",
        ),
        ("[people]\nboss = {}\n", "house.toml:11: people.boss: should be 'floor', 'pit'"),
        ("x = 1 1\n", "house.toml:10: not TOML"),
    ],
)
def test_a_faulty_pack_is_refused_with_line_and_remedy(text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(says)):
        house(text)


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        house(rule("overdraw", 'order = "end_shoe"'), rule("underdraw", 'order = "burn_card"'))
    assert str(caught.value).count("\n") == 1
