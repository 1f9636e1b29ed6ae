"""What the pages show of the wagers is what the table itself holds, whatever happens."""

from fractions import Fraction

from floors import Screen
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import observations as seen
from controller.cards import DECK
from controller.orders import Event, Order

seats = st.integers(1, 9)
amounts = st.sampled_from(["5", "12.50", "100"])
wagers = st.sampled_from(["player", "banker", "tie", "dragon_7"])
cards = st.sampled_from([card for card in DECK if card[1] == "S"])
hands = st.sampled_from(["player", "banker"])
PLAIN = ["accept", "void_round", "reinstate_round", "burn_card", "close_table", "open_table", "acknowledge"]

events: st.SearchStrategy[Event] = st.one_of(
    st.just(seen.BetsOpened()),
    st.just(seen.BetsClosed()),
    st.just(seen.ResultConfirmed()),
    st.just(seen.WagersPaid()),
    st.builds(seen.CardDrawn, card=cards),
    st.builds(seen.CardDrawn, card=cards),
    st.builds(seen.WagerPlaced, seat=seats, wager=wagers, amount=amounts),
    st.builds(seen.WagerPlaced, seat=seats, wager=wagers, amount=amounts),
    st.builds(seen.WagerRemoved, seat=seats, wager=wagers, amount=st.none() | amounts),
    st.builds(seen.VigorishCollected, seat=seats, amount=amounts),
    st.builds(lambda order: Order(order=order, by="Ann"), st.sampled_from(PLAIN)),
    st.builds(
        lambda hand, index, card: Order(order="correct_card", by="Ann", hand=hand, index=index, card=card),
        hands,
        st.integers(1, 3),
        cards,
    ),
)


placed = st.lists(st.builds(seen.WagerPlaced, seat=seats, wager=wagers, amount=amounts), max_size=3)
#: A round that goes as it should, up to its last card.
rounds = st.builds(
    lambda stakes, drawn: [
        seen.BetsOpened(),
        *stakes,
        seen.BetsClosed(),
        *(seen.CardDrawn(card=card) for card in drawn),
    ],
    placed,
    st.sampled_from(["KS 2S QS 7S 4S", "9S 2S KS 5S", "2S 3S 3H 4S 9H KD"]).map(str.split),
)
stories = st.lists(st.one_of(events.map(lambda event: [event]), rounds), max_size=25)


@settings(max_examples=150)
@given(stories)
def test_stakes_window_vigorish_and_rounds(story: list[list[Event]]) -> None:
    table = Screen("pit")
    for event in (event for events in story for event in events):
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
