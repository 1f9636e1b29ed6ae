"""Who won, and what else follows from two finished hands."""

import pytest

from controller.facts import RoundDecided
from controller.rules.outcome import Result, judge


def told(player: str, banker: str) -> Result:
    return judge(player.split(), banker.split())


@pytest.mark.parametrize(
    ("player", "banker", "winner", "counts"),
    [
        ("6C TH", "7D KS", "banker", (6, 7)),
        ("9C KH", "8D TS", "player", (9, 8)),
        ("8C KH", "8D TS", "tie", (8, 8)),
        ("9C KH", "9D TS", "tie", (9, 9)),
        ("2C 3H 9D", "2D 4S", "banker", (4, 6)),
        ("KC QH JD", "KD QS JC", "tie", (0, 0)),
    ],
)
def test_the_higher_count_wins(player: str, banker: str, winner: str, counts: tuple[int, int]) -> None:
    result = told(player, banker)
    assert (result.winner, (result.player_total, result.banker_total)) == (winner, counts)


@pytest.mark.parametrize(
    ("player", "banker", "natural"),
    [
        ("8C KH", "2D KS", True),
        ("2D KS", "9C KH", True),
        ("7C KH", "7D KS", False),
        ("3C 2H 4D", "2D KS 7C", False),
    ],
)
def test_a_natural_is_made_by_two_cards(player: str, banker: str, natural: bool) -> None:
    assert told(player, banker).natural is natural


@pytest.mark.parametrize(
    ("cards", "pair"),
    [
        ("2C 2H", True),
        ("2C 2C", True),
        ("JC QC", False),
        ("TC KC", False),
        ("TC TS", True),
        ("2C KH 2D", False),
    ],
)
def test_a_pair_is_of_rank_on_two_cards(cards: str, pair: bool) -> None:
    assert told(cards, "9D KS").player_pair is pair
    assert told("9D KS", cards).banker_pair is pair


def test_dragon_7_and_panda_8() -> None:
    assert told("2C KH 2D", "2D 3S 2C").dragon_7
    assert not told("6C KH", "7D KS").dragon_7
    assert not told("2C KH 5D", "2D 3S 2C").dragon_7
    assert told("3C 2H 3S", "TD 7S").panda_8
    assert not told("8C KH", "TD 7S").panda_8
    assert not told("3C 2H 3S", "4D KS 4C").panda_8


def test_the_result_is_a_decided_rounds() -> None:
    result = told("2C 3H 4S", "9D 7S")
    names = set(RoundDecided.__struct_fields__) - {"round", "corrected"}
    assert names == set(Result.__struct_fields__)
    assert (result.cards, result.player_cards, result.banker_cards) == (5, ["2C", "3H", "4S"], ["9D", "7S"])
