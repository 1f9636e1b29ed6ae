"""Invariants of the roads on arbitrary shoes, streaky ones among them."""

from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

from controller.roads import HEIGHT, Roads, Round, Tail, draw

DERIVED = {"big_eye": 1, "small": 2, "cockroach": 3}

_round = st.builds(
    Round,
    outcome=st.sampled_from(("banker", "player", "tie")),
    banker_pair=st.booleans(),
    player_pair=st.booleans(),
    natural=st.booleans(),
)
_streak = st.tuples(_round, st.integers(1, 14)).map(lambda pair: [pair[0]] * pair[1])
shoes = st.one_of(
    st.lists(_round, max_size=90),
    st.lists(_streak, max_size=14).map(lambda streaks: [r for streak in streaks for r in streak]),
)
tails = st.sampled_from(("redrop", "right"))


def drawn(roads: Roads) -> dict[str, list[tuple[object, ...]]]:
    """Place and colour of every cell, without the ties."""
    cells = {"big_road": [(c.row, c.col, c.outcome) for c in roads.big_road]}
    return {**cells, **{road: [(c.row, c.col, c.mark) for c in getattr(roads, road)] for road in DERIVED}}


def streaks(rounds: list[Round]) -> list[int]:
    return [len(list(run)) for _, run in groupby(r.outcome for r in rounds if r.outcome != "tie")]


@given(shoes)
def test_marks_are_the_cells_from_the_start_cell_on(rounds: list[Round]) -> None:
    depths = streaks(rounds)
    roads = draw(rounds)
    for road, k in DERIVED.items():
        # From the second row of column k, or the first row of column k + 1.
        without = sum(depths[:k]) + 1
        assert len(getattr(roads, road)) == max(0, sum(depths) - without)


@given(shoes, _round, tails)
def test_adding_a_round_moves_nothing(rounds: list[Round], added: Round, tail: Tail) -> None:
    before, after = draw(rounds, tail), draw([*rounds, added], tail)
    assert after.bead_plate[:-1] == before.bead_plate
    for road, cells in drawn(before).items():
        assert drawn(after)[road][: len(cells)] == cells
    raised = [new.ties - old.ties for old, new in zip(before.big_road, after.big_road, strict=False)]
    assert sum(raised) == (added.outcome == "tie" and bool(before.big_road))


@given(shoes)
def test_ask_answers_are_opposite_and_come_true(rounds: list[Round]) -> None:
    roads = draw(rounds)
    for road in DERIVED:
        answers = {getattr(roads.ask.banker, road), getattr(roads.ask.player, road)}
        assert answers in ({None}, {"red", "blue"})
        for side in ("banker", "player"):
            after = getattr(draw([*rounds, Round(outcome=side)]), road)
            new = [c.mark for c in after[len(getattr(roads, road)) :]]
            said = getattr(getattr(roads.ask, side), road)
            assert new == ([] if said is None else [said])


@given(shoes, tails)
def test_ties_change_no_position_colour_or_answer(rounds: list[Round], tail: Tail) -> None:
    roads, without = draw(rounds, tail), draw([r for r in rounds if r.outcome != "tie"], tail)
    assert drawn(roads) == drawn(without)
    assert roads.ask == without.ask


@given(shoes, tails)
def test_swapping_the_sides_changes_no_mark_and_no_position(rounds: list[Round], tail: Tail) -> None:
    other = {"banker": "player", "player": "banker", "tie": "tie"}
    roads = draw(rounds, tail)
    swapped = draw([Round(outcome=other[r.outcome]) for r in rounds], tail)  # type: ignore[arg-type]
    for road in DERIVED:
        assert getattr(roads, road) == getattr(swapped, road)
    assert [(c.row, c.col) for c in roads.big_road] == [(c.row, c.col) for c in swapped.big_road]


@given(shoes, tails)
def test_no_two_cells_share_a_place(rounds: list[Round], tail: Tail) -> None:
    roads = draw(rounds, tail)
    for road in ("bead_plate", "big_road", *DERIVED):
        cells = [(c.row, c.col) for c in getattr(roads, road)]
        assert len(set(cells)) == len(cells)
        assert all(0 <= row < HEIGHT and col >= 0 for row, col in cells)


@given(shoes)
def test_sums(rounds: list[Round]) -> None:
    roads = draw(rounds)
    count = roads.statistics
    assert sum(c.ties for c in roads.big_road) + roads.pending_ties == count.tie
    assert len(roads.big_road) == count.banker + count.player
    assert count.banker + count.player + count.tie == count.rounds == len(roads.bead_plate)


@given(shoes, tails)
def test_a_streak_steps_down_or_right_and_starts_in_row_0(rounds: list[Round], tail: Tail) -> None:
    for cells in drawn(draw(rounds, tail)).values():
        if cells:
            assert cells[0][:2] == (0, 0)
        for (row, col, kind), (next_row, next_col, next_kind) in pairwise(cells):
            if kind == next_kind:
                step = (int(str(next_row)) - int(str(row)), int(str(next_col)) - int(str(col)))
                assert step in ((1, 0), (0, 1))
            else:
                assert next_row == 0


@given(shoes)
def test_both_tails_give_the_same_colours_in_the_same_order(rounds: list[Round]) -> None:
    redrop, right = drawn(draw(rounds, "redrop")), drawn(draw(rounds, "right"))
    for road, cells in redrop.items():
        assert [c[2] for c in cells] == [c[2] for c in right[road]]
