"""The road rules one by one, as literal small shoes; each known wrong variant fails one of them."""

import pytest

from controller.ports import InputError
from controller.roads import Answer, Round, draw, parse


def places(text: str, tail: str = "redrop") -> list[tuple[int, int]]:
    return [(c.row, c.col) for c in draw(parse(text), tail).big_road]  # type: ignore[arg-type]


def marks(text: str, road: str) -> str:
    return " ".join(c.mark for c in getattr(draw(parse(text)), road))


# -- tokens -----------------------------------------------------------------------------------------------


def test_touching_and_separated_tokens_are_the_same_shoe() -> None:
    assert parse("B Pb Tn BB") == parse("BPbTnBB") == parse("B\tPb\r\nTn\nB B\n")


def test_flags_in_any_order() -> None:
    want = [Round(outcome="tie", banker_pair=True, player_pair=True, natural=True)]
    assert parse("Tbpn") == parse("Tnpb") == parse("Tpbn") == want


def test_case_tells_one_round_from_two() -> None:
    assert len(parse("Bb")) == 1
    assert len(parse("BB")) == 2


@pytest.mark.parametrize(
    ("text", "position", "char"),
    [
        ("B xP", 3, "'x'"),
        ("B bP", 3, "'b'"),
        ("bB", 1, "'b'"),
        ("Bnbn", 4, "'n'"),
        ("B,P", 2, "','"),
        ("B\u00a0P", 2, r"'\xa0'"),
        ("BP\x00", 3, r"'\x00'"),
        ("Bt", 2, "'t'"),
    ],
)
def test_unreadable_input_names_position_and_character(text: str, position: int, char: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text)
    assert f"position {position}: {char}" in str(error.value)
    assert "\n" not in str(error.value)


# -- big road ---------------------------------------------------------------------------------------------


def test_empty_shoe_has_empty_roads_and_counters() -> None:
    roads = draw([])
    assert not (roads.bead_plate or roads.big_road or roads.big_eye or roads.small or roads.cockroach)
    assert roads.ask.banker == roads.ask.player == Answer(None, None, None)
    assert roads.statistics.rounds == roads.pending_ties == 0


def test_seventh_of_a_streak_turns_right_and_the_next_starts_beside_its_first_cell() -> None:
    assert places("BBBBBBB P") == [*((row, 0) for row in range(6)), (5, 1), (0, 1)]


def test_a_collision_turns_the_streak_which_drops_again_where_it_can() -> None:
    down = [(row, 1) for row in range(5)]
    assert places("B" * 9 + "P" * 10)[9:] == [*down, (4, 2), (4, 3), (4, 4), (5, 4), (5, 5)]
    assert places("B" * 9 + "P" * 10, "right")[9:] == [*down, (4, 2), (4, 3), (4, 4), (4, 5), (4, 6)]


def test_a_streak_never_walks_into_an_older_tail_of_its_own_side() -> None:
    down = [(row, 2) for row in range(5)]
    assert places("B" * 9 + "P" + "B" * 8)[10:] == [*down, (4, 3), (4, 4), (5, 4)]
    assert places("B" * 9 + "P" + "B" * 8, "right")[10:] == [*down, (4, 3), (4, 4), (4, 5)]


def test_a_streak_whose_row_0_is_taken_starts_in_the_next_free_column() -> None:
    text = "".join("BP"[i % 2] * (12 - i) for i in range(6)) + "BP"
    cells = places(text)
    row_0 = [col for row, col in cells if row == 0]
    assert len(set(cells)) == len(cells) == len(text)
    assert row_0 == sorted(row_0)


def test_ties_are_counted_on_the_result_before_them_and_split_no_streak() -> None:
    road = draw(parse("B T T B P T")).big_road
    assert [(c.row, c.col, c.ties) for c in road] == [(0, 0, 2), (1, 0, 0), (0, 1, 1)]


def test_leading_ties_wait_for_the_first_cell_and_join_those_after_it() -> None:
    assert draw(parse("T T")).pending_ties == 2
    roads = draw(parse("T T B T"))
    assert [(c.row, c.col, c.ties) for c in roads.big_road] == [(0, 0, 3)]
    assert roads.pending_ties == 0


def test_pairs_on_a_tie_are_counted_and_beaded_but_not_on_the_big_road() -> None:
    roads = draw(parse("B Tbp Pp"))
    assert [(c.banker_pair, c.player_pair) for c in roads.bead_plate] == [
        (False, False),
        (True, True),
        (False, True),
    ]
    assert [(c.banker_pair, c.player_pair) for c in roads.big_road] == [(False, False), (False, True)]
    assert (roads.statistics.banker_pair, roads.statistics.player_pair) == (1, 2)


# -- derived roads ----------------------------------------------------------------------------------------


def test_the_worked_example() -> None:
    shoe = "B B P P P B P B B"
    assert marks(shoe, "big_eye") == "red blue blue blue red blue"
    assert marks(shoe, "small") == "blue blue blue"
    assert marks(shoe, "cockroach") == "blue red"


def test_both_empty_is_red() -> None:
    assert marks("B P P P", "big_eye") == "blue red"


def test_going_down_beside_the_first_column_counts() -> None:
    assert marks("B B P P", "big_eye") == "red"


def test_a_tail_is_depth_and_not_columns() -> None:
    assert marks("B" * 9 + "P" * 9, "big_eye") == " ".join(["red"] * 8)


@pytest.mark.parametrize(
    ("road", "shoe"), [("big_eye", "B PP"), ("small", "B P BB"), ("cockroach", "B P B PP")]
)
def test_first_possible_mark_is_the_second_row(road: str, shoe: str) -> None:
    assert len(marks(shoe, road).split()) == 1
    assert marks(shoe[:-1], road) == ""


@pytest.mark.parametrize(
    ("road", "shoe"), [("big_eye", "B P B"), ("small", "B P B P"), ("cockroach", "B P B P B")]
)
def test_or_the_first_row_of_the_next_column(road: str, shoe: str) -> None:
    assert marks(shoe, road) == "red"
    assert marks(shoe[:-1], road) == ""


def test_counters() -> None:
    count = draw(parse("Bbn P T Tpn Bbp")).statistics
    assert (count.rounds, count.banker, count.player, count.tie) == (5, 2, 1, 2)
    assert (count.banker_pair, count.player_pair, count.natural) == (2, 2, 2)
