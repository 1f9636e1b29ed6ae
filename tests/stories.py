"""Stories of a table for hypothesis: whole rounds, single reports, orders that fit and orders that do not."""

from hypothesis import strategies as st

from controller import observations as seen
from controller.cards import DECK
from controller.orders import Event, Order

seats = st.integers(1, 9)
amounts = st.sampled_from(["5", "12.50", "100"])
wagers = st.sampled_from(["player", "banker", "tie", "dragon_7"])
spades = st.sampled_from([card for card in DECK if card[1] == "S"])
hands = st.sampled_from(["player", "banker"])
indexes = st.integers(1, 3)
_PLAIN = [
    "accept",
    "void_round",
    "reinstate_round",
    "burn_card",
    "carry_card",
    "close_table",
    "open_table",
    "acknowledge",
    "end_shoe",
]

orders: st.SearchStrategy[Order] = st.one_of(
    st.builds(lambda order: Order(order=order, by="Ann"), st.sampled_from(_PLAIN)),
    st.builds(lambda order: Order(order=order, by="Ann"), st.sampled_from(_PLAIN)),
    st.builds(lambda to: Order(order="move_card", by="Ann", to=to), hands),
    st.builds(lambda card: Order(order="identify_card", by="Ann", card=card), spades),
    st.builds(
        lambda hand, index, card: Order(order="correct_card", by="Ann", hand=hand, index=index, card=card),
        hands,
        indexes,
        spades,
    ),
    st.builds(
        lambda player, banker: Order(order="resynchronise", by="Ann", player=player, banker=banker),
        st.lists(spades, max_size=3),
        st.lists(spades, max_size=3),
    ),
    st.builds(lambda decks: Order(order="new_shoe", by="Ann", decks=decks), st.sampled_from([6, 8])),
)
placed = st.builds(seen.WagerPlaced, seat=seats, wager=wagers, amount=amounts)
events: st.SearchStrategy[Event] = st.one_of(
    st.just(seen.BetsOpened()),
    st.just(seen.BetsClosed()),
    st.just(seen.ResultConfirmed()),
    st.just(seen.WagersPaid()),
    st.just(seen.CutCardDrawn()),
    st.builds(seen.CardDrawn, card=spades | st.none()),
    st.builds(seen.CardDrawn, card=spades, slot=hands, index=indexes),
    placed,
    st.builds(seen.WagerRemoved, seat=seats, wager=wagers, amount=st.none() | amounts),
    st.builds(seen.VigorishCollected, seat=seats, amount=amounts),
    st.builds(
        lambda winner: seen.DeviceResult(
            winner=winner, player_pair=False, banker_pair=False, forced_quit=False
        ),
        st.sampled_from(["player", "banker", "tie"]),
    ),
    orders,
)
#: A round that goes as it should, up to its last card.
rounds = st.builds(
    lambda stakes, drawn: [
        seen.BetsOpened(),
        *stakes,
        seen.BetsClosed(),
        *(seen.CardDrawn(card=card) for card in drawn.split()),
    ],
    st.lists(placed, max_size=3),
    st.sampled_from(["KS 2S QS 7S 4S", "9S 2S KS 5S", "2S 3S 3H 4S 9H KD"]),
)
stories = st.lists(st.one_of(events.map(lambda event: [event]), rounds), max_size=25).map(
    lambda parts: [event for part in parts for event in part]
)
