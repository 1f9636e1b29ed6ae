"""Values, counts, the two draw tables and the traps in reading them."""

import json
from itertools import product
from pathlib import Path

import pytest

from controller.cards import DECK
from controller.rules.drawing import NEW_JERSEY, POINTS, DrawTable, due, total
from controller.rules.ruleset import burn_value, load_ruleset, ruleset_names

TABLES = json.loads((Path(__file__).parents[1] / "data/rules/draw_table.json").read_text())

#: A card of each value, and one more so that no test hangs on a suit or on a rank of value 0.
CARD = ["KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S"]


def hand(*values: int) -> list[str]:
    return [CARD[value] for value in values]


def two(count: int) -> list[str]:
    """Two cards that count so much."""
    return hand(0, count)


# -- values -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suit", "CDHS")
def test_every_rank_has_its_value(suit: str) -> None:
    values = [POINTS[rank + suit] for rank in "A23456789TJQK"]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("cards", "count"),
    [("AC 2D 4H", 7), ("AC 2D 9H", 2), ("7C 3D", 0), ("9C 9D 9H", 7), ("KC QD JH", 0), ("", 0)],
)
def test_the_count_is_the_last_digit(cards: str, count: int) -> None:
    assert total(cards.split()) == count


def test_burn_values_are_another_scale() -> None:
    assert [burn_value(rank + "D") for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert sum(burn_value(card) for card in DECK) * 13 == 85 * len(DECK)


# -- the tables -------------------------------------------------------------------------------------------


def test_player_table() -> None:
    assert list(NEW_JERSEY.player) == TABLES["player"]


@pytest.mark.parametrize(("row", "column"), list(product(range(10), range(11))))
def test_banker_cell(row: int, column: int) -> None:
    assert TABLES["columns"] == ["none", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert NEW_JERSEY.banker[row][column] == TABLES["banker"][row][column]


@pytest.mark.parametrize("name", ruleset_names())
def test_every_shipped_ruleset_draws_alike(name: str) -> None:
    draw = load_ruleset(name).draw
    assert (draw.player, draw.banker) == (NEW_JERSEY.player, NEW_JERSEY.banker)


def test_number_of_draws_in_each_row() -> None:
    assert [row.count("D") for row in NEW_JERSEY.banker] == [11, 11, 11, 10, 7, 5, 2, 0, 0, 0]


# -- four cards, all of them ------------------------------------------------------------------------------


def test_every_four_card_start() -> None:
    """DRW-1: after four cards nobody, Player, or with Player standing Banker is due."""
    for p1, b1, p2, b2 in product(range(10), repeat=4):
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        if player >= 8 or banker >= 8:
            expected = None
        elif player <= 5:
            expected = "player"
        else:
            expected = "banker" if banker <= 5 else None
        assert due(hand(p1, p2), hand(b1, b2)).hand == expected, (p1, b1, p2, b2)


@pytest.mark.parametrize(("row", "third"), list(product(range(8), [None, *range(10)])))
def test_every_reachable_cell_decides(row: int, third: int | None) -> None:
    """DRW-6: the 88 cells, as the cards lead there."""
    player = two(6) if third is None else [*two(5), CARD[third]]
    letter = TABLES["banker"][row][0 if third is None else third + 1]
    assert due(player, two(row)).hand == ("banker" if letter == "D" else None)


# -- the sentences ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "banker", "hand_due", "citation"),
    [
        ("", "", "player", "N.J.A.C. 13:69F-7.7(c)"),
        ("2C", "", "banker", "N.J.A.C. 13:69F-7.7(c)"),
        ("2C", "9D", "player", "N.J.A.C. 13:69F-7.7(c)"),
        ("2C 3H", "9D", "banker", "N.J.A.C. 13:69F-7.7(c)"),
        ("9C KH", "KD 2S", None, "N.J.A.C. 13:69F-7.9(a)"),
        ("2C 3H", "9D 7S", "player", "N.J.A.C. 13:69F-7.9(b), Table 1"),
        ("2C 3H 4S", "9D 7S", None, "N.J.A.C. 13:69F-7.9(c), Table 2: banker 6, third card 4 stays"),
        ("2C 3H 6S", "9D 7S", "banker", "N.J.A.C. 13:69F-7.9(c), Table 2: banker 6, third card 6 draws"),
        ("7C KH", "KD 5S", "banker", "N.J.A.C. 13:69F-7.9(c), Table 2: banker 5, no third card draws"),
        ("7C KH", "KD 6S", None, "N.J.A.C. 13:69F-7.9(c), Table 2: banker 6, no third card stays"),
        ("7C KH", "KD 5S 2C", None, "N.J.A.C. 13:69F-7.9(c), Table 2: both hands are complete"),
    ],
)
def test_each_decision_is_cited(player: str, banker: str, hand_due: str | None, citation: str) -> None:
    told = due(player.split(), banker.split())
    assert (told.hand, told.citation) == (hand_due, citation)


def test_a_ruleset_brings_its_own_citations() -> None:
    draw = load_ruleset("nj-casino-night-mini-baccarat").draw
    law = "N.J.A.C. 13:47-20.28"
    assert due(two(9), two(0), draw).citation == f"{law}(e)1"
    assert due(two(5), two(0), draw).citation == f"{law}(e)2"
    assert due(two(6), two(5), draw).citation.startswith(f"{law}(e)3.i:")
    assert due([*two(5), "KC"], two(2), draw).citation.startswith(f"{law}(e)3.ii:")
    filled = due([*two(5), "KC"], two(3), draw).citation
    assert filled.startswith("N.J.A.C. 13:69F-7.9(c), Table 2, fallback")


# -- traps in the printed tables --------------------------------------------------------------------------


def test_trap_1_the_none_column_is_not_lost() -> None:
    assert {len(row) for row in NEW_JERSEY.banker} == {11}
    assert [row[0] for row in NEW_JERSEY.banker] == list("DDDDDDSSSS")


@pytest.mark.parametrize(("row", "letter"), [(0, "D"), (2, "D"), (7, "S"), (9, "S")])
def test_trap_2_captions_hold_for_the_rows_beside_them(row: int, letter: str) -> None:
    assert NEW_JERSEY.banker[row] == letter * 11


def test_trap_3_the_column_is_the_third_card_not_the_new_count() -> None:
    player = ["2C", "3D", "9H"]
    assert total(player) == 4
    assert due(player, two(4)).hand is None


@pytest.mark.parametrize("rank", "TJQK")
def test_trap_4_ten_and_court_cards_are_column_0(rank: str) -> None:
    player = ["2C", "3D", rank + "H"]
    assert [due(player, two(row)).hand for row in (3, 4)] == ["banker", None]
    assert "third card 0" in due(player, two(4)).citation


@pytest.mark.parametrize(("player", "row"), list(product((6, 7), range(8))))
def test_trap_5_banker_alone_draws_to_five(player: int, row: int) -> None:
    assert due(two(player), two(row)).hand == ("banker" if row <= 5 else None)


@pytest.mark.parametrize("name", ruleset_names())
@pytest.mark.parametrize(("player", "banker"), [(5, 8), (5, 9), (0, 8), (9, 0), (8, 5)])
def test_trap_6_a_natural_comes_before_the_players_draw(name: str, player: int, banker: int) -> None:
    draw = load_ruleset(name).draw
    told = due(two(player), two(banker), draw)
    assert (told.hand, told.citation) == (None, draw.cites.natural)


@pytest.mark.parametrize("count", [8, 9])
def test_trap_7_eight_and_nine_are_naturals_not_a_decision(count: int) -> None:
    assert due(two(count), two(0)).citation == "N.J.A.C. 13:69F-7.9(a)"


def test_trap_8_the_row_stays_the_count_on_two_cards() -> None:
    banker = ["2D", "3S", "9C"]
    assert total(banker) == 4
    assert due(["2C", "3H", "4S"], banker).hand is None


def test_trap_9_header_of_third_card_values() -> None:
    """7.9(g)'s own example: Banker 5, third card 4 draws."""
    assert NEW_JERSEY.banker_draws(5, 4)
    assert not NEW_JERSEY.banker_draws(5, 3)


def test_trap_10_the_table_is_not_best_play() -> None:
    assert not NEW_JERSEY.banker_draws(6, None)
    assert not NEW_JERSEY.banker_draws(4, 1)


def test_a_third_card_never_makes_a_natural() -> None:
    assert due(["2C", "KH", "7D"], ["KC", "3D"]).hand == "banker"


def test_no_more_than_six_cards() -> None:
    for player, banker in product(range(8), repeat=2):
        assert due([*two(player), "KC"], [*two(banker), "KC"]).hand is None


def test_a_table_is_data() -> None:
    never = DrawTable("S" * 10, ("S" * 11,) * 10)
    assert due(two(0), two(0), never).hand is None
