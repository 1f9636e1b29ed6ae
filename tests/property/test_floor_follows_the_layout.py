"""What the pages show of the wagers is what the table itself holds, whatever happens."""

from fractions import Fraction

from floors import Screen
from hypothesis import given, settings
from stories import stories

from controller.orders import Event


@settings(max_examples=150)
@given(stories)
def test_stakes_window_vigorish_and_what_is_due(story: list[Event]) -> None:
    table = Screen("pit")
    for event in story:
        table.do(event)
        layout, floor = table.table.layout, table.now
        window = {"decided": "closed"}.get(layout.window, layout.window)
        assert (floor.window, floor.open) == (window, table.table.is_open)
        lies = layout.placing if window == "open" else layout.slip.stakes if layout.slip else {}
        assert {(s.seat, s.wager): Fraction(s.amount) for s in floor.stakes} == {
            (spot.seat, spot.wager): stake for spot, stake in lies.items()
        }
        assert {seat: Fraction(amount) for seat, amount in floor.owed.items()} == layout.owed
        if floor.due and table.table.hold is None:
            assert floor.due.hand == table.table.round.due
