"""Settlement of every wager, case by case, and the configurations that are refused."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from controller.ports import ConfigurationError
from controller.rules.explanation import explain
from controller.rules.outcome import Result, judge
from controller.rules.ruleset import Ruleset, load_ruleset, parse_ruleset
from controller.rules.terms import money, percent, ratio
from controller.rules.wagers import amount_text, house_gain, refusal, settle

VECTORS = json.loads((Path(__file__).parents[1] / "data/rules/wagers.json").read_text())
CASES = VECTORS["cases"]

RULESETS = {
    "nj-vigorish-5": ["nj-mini-baccarat"],
    "nj-vigorish-25-on-ties": ["nj-mini-baccarat-tie-vigorish"],
    "nj-no-vigorish": ["nj-mini-baccarat-no-vigorish"],
    "casino-night": ["nj-casino-night-mini-baccarat", "nj-casino-night-baccarat"],
    "macau": ["macau"],
    "macau-no-commission": ["macau-no-commission"],
    "france": ["france"],
    "pa-ez": ["pennsylvania-ez"],
}


def result_of(case: dict[str, Any], ruleset: Ruleset) -> Result:
    """The case's result; cards out of place leave the shoe too, and change nothing."""
    told = explain(case["cards"] + case.get("out_of_place", []), ruleset.draw)
    assert told.surplus == case.get("out_of_place", [])
    assert told.result is not None
    return told.result


@pytest.mark.parametrize(
    ("case", "name"),
    [
        pytest.param(case, name, id=f"{case['id']}-{name}")
        for case in CASES
        for name in RULESETS[case["variant"]]
    ],
)
def test_case(case: dict[str, Any], name: str) -> None:
    ruleset = load_ruleset(name)
    settled = settle(ruleset, result_of(case, ruleset), case["wager"], case["amount"], seat=3)
    for field in ("wager", "amount", "outcome", "pays", "vigorish"):
        assert getattr(settled, field) == case[field], field
    assert settled.seat == 3
    if "pays_status" in case and case["id"] != "W69":
        assert ruleset.wagers[case["wager"]].figures.source == case["pays_status"]
    if case["id"] != "W61":
        cited = case["citation"].replace("13:47-20.20", "13:47-20.28")
        assert settled.citation.replace("13:47-20.20", "13:47-20.28").removeprefix("N.J.A.C. ") == cited


def test_w61_and_w69_say_what_is_not_known() -> None:
    """Whether a dragon 7 must win, and of what a tie's five percent is taken, is in texts not available."""
    assert load_ruleset("nj-mini-baccarat-no-vigorish").definitions["dragon_7"].source == "unverified"
    assert "(derived)" in load_ruleset("nj-casino-night-baccarat").vigorish.note


# -- refused configurations -------------------------------------------------------------------------------

EXTRA = """
[wagers.{name}]
figures = {{ citation = "a house's own", source = "secondary" }}
[wagers.{name}.pays]
{pays}
[wagers.{name}.cites]
win = {{ citation = "a house's own", source = "secondary" }}
lose = {{ citation = "a house's own", source = "secondary" }}
{tie}
"""
BONUS = "\n".join(['natural = "1:1"', 'natural_tie = "void"', *(f'by_{n} = "1:1"' for n in range(4, 10))])


def offered(name: str) -> str:
    bonus = name.endswith("bonus")
    void = 'void = { citation = "a house\'s own", source = "secondary" }'
    return EXTRA.format(name=name, pays=BONUS if bonus else 'win = "2:1"', tie=void if bonus else "")


def with_tie_charge(text: str, knowingly: str) -> str:
    table = '[vigorish.also_on_ties]\nrate = "25%"\ncitation = "(a)1.iii"\nsource = "derived"'
    return text.replace("[vigorish]", f"{table}\n{knowingly}\n\n[vigorish]")


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: case["id"])
def test_refused_configuration(case: dict[str, Any]) -> None:
    ruleset = load_ruleset(RULESETS[case["variant"]][0])
    text = ruleset.text
    for name in case.get("offered", []):
        if name not in ruleset.wagers:
            text += offered(name)
    if "also" in case:
        text = with_tie_charge(text, "")
    with pytest.raises(ConfigurationError) as refused:
        parse_ruleset(text, "house.toml")
    faults = str(refused.value).splitlines()
    assert all(line.startswith("house.toml:") for line in faults)
    reason = {
        "X6": "is not permitted (N.J.A.C. 13:69F-7 wagers (b))",
        "X7": "only with the no-vigorish variation",
        "X8": "charges Banker on wins and on ties at once",
    }.get(case["id"], "(N.J.A.C. 13:69F-7 wagers (a)6.iii)")
    assert reason in faults[0]


def test_both_charges_knowingly() -> None:
    text = load_ruleset("nj-mini-baccarat").text
    ruleset = parse_ruleset(with_tie_charge(text, "knowingly = true"), "house.toml")
    tie, win = judge(["6C", "KH"], ["6D", "TS"]), judge(["6C", "KH"], ["7D", "TS"])
    assert settle(ruleset, tie, "banker", "100").vigorish == "25.00"
    assert settle(ruleset, win, "banker", "100").vigorish == "5.00"
    assert settle(ruleset, tie, "player", "100").vigorish == "0.00"


def test_an_approved_wager_is_offered() -> None:
    text = load_ruleset("nj-mini-baccarat").text.replace("approved = []", 'approved = ["player_pair"]')
    ruleset = parse_ruleset(text + offered("player_pair"), "house.toml")
    assert settle(ruleset, judge(["6C", "6H"], ["7D", "TS"]), "player_pair", "10").pays == "20.00"


# -- wagers that no shipped ruleset offers ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "player", "banker", "outcome"),
    [
        ("super_6", "5C KH", "6D TS", "win"),
        ("super_6", "6C KH", "6D TS", "lose"),
        ("super_6", "7C KH", "6D TS", "lose"),
        ("small", "6C KH", "6D TS", "win"),
        ("small", "6C KH", "5D TS AC", "lose"),
        ("big", "6C KH", "6D TS", "lose"),
        ("big", "6C KH", "5D TS AC", "win"),
        ("big", "2C 3H 7C", "2D 3S AD", "win"),
    ],
)
def test_further_wagers(name: str, player: str, banker: str, outcome: str) -> None:
    text = load_ruleset("macau").text.replace("approved = []", f'approved = ["{name}"]')
    ruleset = parse_ruleset(text + offered(name), "house.toml")
    settled = settle(ruleset, judge(player.split(), banker.split()), name, "10")
    assert (settled.outcome, settled.pays) == (outcome, "20.00" if outcome == "win" else "0.00")


# -- money ------------------------------------------------------------------------------------------------

BANKER_WINS = judge(["6C", "KH"], ["7D", "TS"])


@pytest.mark.parametrize(
    ("rounding", "amount", "vigorish"),
    [
        ("exact", "15", "0.75"),
        ("up", "15", "1.00"),
        ("down", "15", "0.50"),
        ("nearest", "15", "1.00"),
        ("nearest", "14", "0.50"),
        ("nearest", "1", "0.00"),
        ("up", "1", "0.50"),
        ("up", "10", "0.50"),
        ("exact", "0.01", "0.0005"),
        ("exact", "33.3333", "1.666665"),
    ],
)
def test_vigorish_is_rounded_to_a_chip_as_the_ruleset_says(rounding: str, amount: str, vigorish: str) -> None:
    chip = "" if rounding == "exact" else '\nchip = "0.50"'
    text = load_ruleset("nj-mini-baccarat").text
    ruleset = parse_ruleset(
        text.replace('rounding = "exact"', f'rounding = "{rounding}"{chip}'), "house.toml"
    )
    assert settle(ruleset, BANKER_WINS, "banker", amount).vigorish == vigorish


def test_money_is_exact() -> None:
    assert money("0.1") + money("0.2") == money("0.3")
    assert (ratio("3:2"), ratio("0.54:1"), percent("5%")) == (
        Fraction(3, 2),
        Fraction(27, 50),
        Fraction(1, 20),
    )
    assert [amount_text(Fraction(n, 1000)) for n in (0, 5, 50, 1500, 1234567)] == [
        "0.00",
        "0.005",
        "0.05",
        "1.50",
        "1234.567",
    ]


@pytest.mark.parametrize(
    "amount", ["0", "0.00", "-5", "+5", "1e3", "", " 5", "5,00", "NaN", "1.23456", "9" * 13]
)
def test_an_amount_that_is_none_is_refused(amount: str) -> None:
    ruleset = load_ruleset("nj-mini-baccarat")
    assert "no amount of money" in (refusal(ruleset, "player", amount) or "")
    with pytest.raises(ValueError, match="no amount of money"):
        settle(ruleset, BANKER_WINS, "player", amount)


def test_a_wager_not_offered_is_refused() -> None:
    assert "offers no wager 'dragon_7'; it offers banker, player" in str(
        refusal(load_ruleset("nj-mini-baccarat"), "dragon_7", "5")
    )
    assert refusal(load_ruleset("nj-mini-baccarat"), "nonsense", "5")
    assert refusal(load_ruleset("nj-mini-baccarat"), "player", "5") is None


def test_a_bonus_wager_may_need_one_on_a_hand() -> None:
    text = load_ruleset("nj-mini-baccarat").text.replace(
        "needs_main_wager = false", "needs_main_wager = true"
    )
    ruleset = parse_ruleset(text, "house.toml")
    told = str(refusal(ruleset, "player_bonus", "5", beside=["tie"]))
    assert told == "player_bonus needs a Banker or Player wager beside it (N.J.A.C. 13:69F-7 wagers (b))"
    assert refusal(ruleset, "player_bonus", "5", beside=["banker"]) is None
    assert refusal(load_ruleset("nj-mini-baccarat"), "player_bonus", "5", beside=[]) is None


def test_house_gain_counts_stakes_payoffs_and_vigorish() -> None:
    ruleset = load_ruleset("nj-mini-baccarat")
    bets = [("banker", "100"), ("player", "40"), ("tie", "5")]
    assert house_gain(settle(ruleset, BANKER_WINS, *bet) for bet in bets) == -100 + 5 + 40 + 5
