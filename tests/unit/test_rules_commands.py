"""`tablectl explain`, `odds` and `rules`, as a person and as a program call them."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.play.answers import answers
from controller.rules.remedies import load_pack
from controller.rules.ruleset import load_ruleset, ruleset_names

EDGES = json.loads((Path(__file__).parents[1] / "data/rules/house_edges.json").read_text())


@pytest.fixture
def tablectl(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """Runs a command in this process: exit code, standard output, standard error."""

    def run(line: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["tablectl", *line.split()])
        try:
            main()
            code = 0
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = capfd.readouterr()
        return code, out, err

    return run


def test_explain_tells_each_card(tablectl: Any) -> None:
    code, out, err = tablectl("explain 2C 9D 3H 7S 4S --json")
    stays = "N.J.A.C. 13:69F-7.9(c), Table 2: banker 6, third card 4 stays"
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "steps": [
            {"card": "2C", "hand": "player", "index": 1},
            {"card": "9D", "hand": "banker", "index": 1},
            {"card": "3H", "hand": "player", "index": 2},
            {
                "card": "7S",
                "hand": "banker",
                "index": 2,
                "due": "player",
                "citation": "N.J.A.C. 13:69F-7.9(b), Table 1",
            },
            {"card": "4S", "hand": "player", "index": 3, "due": None, "citation": stays},
        ],
        "due": None,
        "citation": stays,
        "surplus": [],
        "result": {
            "type": "round_decided",
            "round": 1,
            "winner": "player",
            "player_cards": ["2C", "3H", "4S"],
            "banker_cards": ["9D", "7S"],
            "player_total": 9,
            "banker_total": 6,
            "natural": False,
            "cards": 5,
            "player_pair": False,
            "banker_pair": False,
            "dragon_7": False,
            "panda_8": False,
            "corrected": False,
        },
        "wagers": [],
    }


def test_explain_before_the_round_is_decided(tablectl: Any) -> None:
    code, out, _ = tablectl("explain 2C 9D --bets player=5 --json")
    told = json.loads(out)
    assert code == 0
    assert (told["due"], told["citation"]) == ("player", "N.J.A.C. 13:69F-7.7(c)")
    assert told["result"] is None
    assert told["wagers"] == []


def test_explain_lists_cards_that_nobody_was_owed(tablectl: Any) -> None:
    code, out, _ = tablectl("explain 9C KD KH 2S 4D 5C --bets cards_4=10,cards_5=10 --json")
    told = json.loads(out)
    assert code == 3
    assert told["surplus"] == ["4D", "5C"]
    assert len(told["steps"]) == told["result"]["cards"] == 4
    assert [wager["outcome"] for wager in told["wagers"]] == ["win", "lose"]


def test_explain_settles_wagers(tablectl: Any) -> None:
    code, out, _ = tablectl("explain 6C 7D TH KS --bets player=100,banker=50,tie=5 --json")
    told = json.loads(out)["wagers"]
    assert code == 0
    assert told[1] == {
        "type": "wager_settled",
        "seat": None,
        "wager": "banker",
        "amount": "50.00",
        "outcome": "win",
        "pays": "50.00",
        "vigorish": "2.50",
        "citation": "N.J.A.C. 13:69F-7 wagers (a)1.i",
    }
    assert [(one["wager"], one["outcome"]) for one in told] == [
        ("player", "lose"),
        ("banker", "win"),
        ("tie", "lose"),
    ]


def test_explain_for_a_person(tablectl: Any) -> None:
    code, out, _ = tablectl("explain 9C KD KH 2S 4D --bets player=100,tie=5")
    assert code == 3
    assert "Player wins: Player 9, Banker 2; 4 cards, natural." in out
    assert "Nobody was owed: 4D." in out
    assert "N.J.A.C. 13:69F-7 wagers (a)2.i" in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "explain 9C 1X",
            "card 2: '1X' is no card; write a rank A 2..9 T J Q K and a suit C D H S, as in TD",
        ),
        ("explain 10D", "card 1: '10D' is no card"),
        ("explain td", "card 1: 'td' is no card"),
        ("explain 9C --bets foo=5", "--bets: foo: nj-mini-baccarat offers no wager 'foo'; it offers banker"),
        ("explain 9C --bets dragon_7=5", "offers no wager 'dragon_7'"),
        ("explain 9C --bets player=-5", "'-5' is no amount of money; write a positive decimal"),
        ("explain 9C --bets player=x", "'x' is no amount of money"),
        ("explain 9C --bets player", "'player' has no amount; write it as player=100"),
        ("explain 9C --bets tie=1,tie=2", "tie stands there twice"),
        ("explain 9C --ruleset nowhere", "no ruleset named 'nowhere'; name one of france"),
        ("rules --ruleset none.toml", "none.toml: no such file or directory; name a readable ruleset file"),
        ("odds --ruleset nowhere", "no ruleset named 'nowhere'"),
        ("rules --remedies nowhere", "no remedy pack named 'nowhere'; name one of france"),
        (
            "rules --remedies none.toml",
            "none.toml: no such file or directory; name a readable remedy pack",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_2(tablectl: Any, line: str, says: str) -> None:
    code, out, err = tablectl(line)
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("tablectl: ") and err.count("\n") == 1


@pytest.mark.parametrize("decks", [0, 13])
def test_odds_of_an_impossible_pack(tablectl: Any, decks: int) -> None:
    code, out, err = tablectl(f"odds --decks {decks}")
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_odds_for_a_program(tablectl: Any) -> None:
    code, out, _ = tablectl("odds --decks 8 --json")
    told = json.loads(out)
    assert code == 0
    assert (told["decks"], told["total"]) == (8, 4998398275503360)
    assert (told["player"], told["banker"], told["tie"]) == (
        2230518282592256,
        2292252566437888,
        475627426473216,
    )
    assert told["wagers"]["banker"]["pays"] == "1:1 less 5%"
    assert list(told["wagers"]) == list(load_ruleset("nj-mini-baccarat").wagers)
    edges = {**told["variants"], **told["wagers"]}
    assert {name: one["house_edge"] for name, one in edges.items()} == {
        name: edge["8"] for name, edge in EDGES.items()
    }


def test_odds_follow_the_ruleset(tablectl: Any) -> None:
    told = json.loads(tablectl("odds --decks 6 --ruleset macau-no-commission --json")[1])
    half = EDGES["banker_win_with_6_pays_half"]["6"]
    assert told["wagers"]["banker"]["house_edge"] == half
    assert told["variants"]["banker"]["house_edge"] == EDGES["banker"]["6"]
    assert told["wagers"]["banker"]["pays"] == "1:1, win with 6 1:2"


def test_odds_for_a_person(tablectl: Any) -> None:
    code, out, _ = tablectl("odds --decks 6")
    assert code == 0
    assert "6 decks, 878,869,206,895,680 ordered sequences of six cards" in out
    assert "1.055849%" in out


@pytest.mark.parametrize("name", ruleset_names())
def test_rules_for_a_program(tablectl: Any, name: str) -> None:
    code, out, _ = tablectl(f"rules --ruleset {name} --json")
    told = json.loads(out)
    law = load_ruleset(name)
    assert code == 0
    assert (told["ruleset"], told["remedies"]) == (name, law.remedies)
    assert told["third_card"]["player"] == list("DDDDDDSSSS")
    assert [len(row) for row in told["third_card"]["banker"]] == [11] * 10
    assert told["third_card"]["banker"][6] == list("SSSSSSSDDSS")
    assert told["burn"]["policy"] == law.burn.policy
    assert told["cut_card"]["last_round"]["rounds_after"] == law.rounds_after_cut_card
    assert list(told["wagers"]) == list(law.wagers)
    pack = load_pack(law.remedies, answers())
    assert [row["code"] for row in told["irregularities"]] == [
        code for code, rules in pack.irregularities.items() for _ in rules
    ]
    assert all(row["citation"] and row["source"] for row in told["irregularities"])
    assert told["unverified"] == law.unverified + pack.unverified
    assert told["second_person"]["orders"] == pack.second_person.orders


@pytest.mark.parametrize("name", ruleset_names())
def test_rules_for_a_person(tablectl: Any, name: str) -> None:
    code, out, _ = tablectl(f"rules --ruleset {name}")
    law = load_ruleset(name)
    pack = load_pack(law.remedies, answers())
    assert code == 0
    for text in (law.title, law.remedies, *law.wagers, "Player, by count", "Banker, by Player's third card"):
        assert text in out
    unverified = law.unverified + pack.unverified
    assert ("not approved for play" in out) is bool(unverified)
    assert all(irregularity in out for irregularity in pack.irregularities)
    for one in unverified:
        assert one["rule"] in out
    if law.third_card.fallback:
        assert "the text gives no rule for a bank on 3 to 7 after the player has drawn" in out


def test_rules_with_other_remedies(tablectl: Any) -> None:
    told = json.loads(tablectl("rules --remedies spain-melilla --json")[1])
    first = told["irregularities"][0]
    assert (told["ruleset"], told["remedies"]) == ("nj-mini-baccarat", "spain-melilla")
    assert (first["code"], first["order"], first["allow"]) == ("early-card", "move_card", ["burn_card"])
