"""An order tried on a copy does what it then does at the table, and the table never knows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import Play
from stories import orders, stories

from controller.orders import Event, Order
from controller.play.boundaries import Boundaries
from controller.runtime.preview import preview, twin


@pytest.mark.parametrize("boundaries", ["announced", "device", "first_card"])
@settings(max_examples=80)
@given(stories, st.lists(orders, min_size=1, max_size=3), stories)
def test_a_twin_does_the_same_and_shares_nothing(
    boundaries: Boundaries, story: list[Event], tried: list[Order], then: list[Event]
) -> None:
    table = Play(boundaries).table
    for event in story:
        table.apply(event)
    copy, used = twin(table), twin(table)
    for order in tried:
        preview(used, order)
    # The copy shows what the table was; what was tried on the other one has left no trace.
    for event in [*tried, *then]:
        assert table.apply(event) == copy.apply(event)
