"""The watch over a shoe's order: told in time when a pack is not shuffled, silent when it is."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import DECK, RANKS, SUITS, Card
from controller.play.shuffle_watch import ALPHA, CONFIDENCE, ORDERS, ShuffleWatch, Unseen, measure


def suits(order: str, descending: str = "") -> list[Card]:
    """A deck suit by suit, each from ace to king or the other way."""
    return [rank + suit for suit in order for rank in (RANKS[::-1] if suit in descending else RANKS)]


def shuffled(cards: list[Card], seed: int) -> list[Card]:
    cards = list(cards)
    Random(seed).shuffle(cards)
    return cards


BY_RANK = [rank + suit for rank in RANKS for suit in SUITS]
STEPS_OF_THREE = [RANKS[3 * place % 13] + "CHSD"[place % 4] for place in range(52)]

#: whole packs of eight decks that nobody shuffled
UNSHUFFLED: dict[str, list[Card]] = {
    "ace to king in every suit": suits("CDHS") * 8,
    "as new decks often come": suits("SDCH", "CH") * 8,
    "as new decks also come": suits("HCDS") * 8,
    "mirrored suits": suits("HCDS", "DS") * 8,
    "each deck by rank": BY_RANK * 8,
    "the pack by rank, suits together": [rank + suit for rank in RANKS for suit in SUITS * 8],
    "the pack by rank, suits mixed": [c for r in RANKS for c in shuffled([r + s for s in SUITS] * 8, 5)],
    "the pack by suit and rank": [rank + suit for suit in SUITS for rank in RANKS for _ in range(8)],
    "ranks in steps of three, suits in turn": STEPS_OF_THREE * 8,
    "two new packs interleaved": [card for card in suits("CDHS") * 4 for _ in range(2)],
}
BY_SUIT = [c for s in SUITS for c in shuffled([r + s for r in RANKS] * 8, 7)]


def alarm(cards: list[Card | None], watch: ShuffleWatch | None = None) -> tuple[int, str]:
    """After how many cards, and why."""
    watch = watch or ShuffleWatch(8)
    for count, card in enumerate(cards, 1):
        if reason := watch.see(card):
            return count, reason
    return len(cards) + 1, ""


# -- told in time -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reversed_", [False, True])
@pytest.mark.parametrize("name", UNSHUFFLED)
def test_an_unshuffled_pack_is_told_within_15_cards_wherever_it_was_cut(name: str, reversed_: bool) -> None:
    pack = UNSHUFFLED[name][::-1] if reversed_ else UNSHUFFLED[name]
    for cut in range(0, 416, 3):
        count, reason = alarm([*pack[cut:], *pack[:cut]])
        assert count <= 15, (cut, reason)


def test_a_pack_by_suit_is_told_within_15_cards_of_the_suit() -> None:
    assert alarm(list(BY_SUIT)) == (15, "cards of one suit, one after another")
    worst = max(alarm([*BY_SUIT[cut:], *BY_SUIT[:cut]])[0] for cut in range(416))
    assert worst == 19  # cut fourteen cards before the next suit


def test_the_reason_names_the_order() -> None:
    assert alarm(list(suits("CDHS")))[1] == "new-deck order: the ranks of one suit, one after another"
    assert alarm(list(BY_RANK))[1] == "the ranks stay or go up by one"
    assert alarm(list(STEPS_OF_THREE))[1] == "the ranks go on in equal steps"


@pytest.mark.parametrize("seed", range(20))
def test_an_order_that_begins_late_is_told_as_soon(seed: int) -> None:
    pack = shuffled(list(DECK) * 8, seed)
    late = [*pack[: 37 + seed], *suits("SDCH", "CH")]
    assert alarm(late)[0] <= 37 + seed + 12


@pytest.mark.parametrize("seed", range(20))
def test_a_sequence_that_was_dealt_before_is_told_within_ten_cards(seed: int) -> None:
    pack = shuffled(list(DECK) * 8, seed)[:200]
    begins = 17 * seed % 140
    count, reason = alarm([*pack, *pack[begins:]])
    assert count <= 200 + 10
    assert reason == "cards of this shoe come again in the same order"


@pytest.mark.parametrize("seed", range(20))
def test_one_deck_order_again_and_again_is_told_in_the_second_deck(seed: int) -> None:
    count, reason = alarm(list(shuffled(list(DECK), seed) * 8))
    assert 52 < count <= 52 + 10
    assert reason == "cards of this shoe come again in the same order"


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("way", [1, -1])
def test_the_order_of_an_earlier_shoe_is_told_within_30_cards(seed: int, way: int) -> None:
    first, second, third = (shuffled(list(DECK) * 8, 100 * seed + n) for n in range(3))
    cut = 23 * seed % 380
    again = [*first[cut:], *first[:cut]][::way]
    count, reason = alarm(list(again), ShuffleWatch(8, [*first, *second]))
    assert count <= 14  # ten, and the cut of the order may lie amid them
    assert reason == f"the cards come in the order of an earlier shoe{', backwards' if way < 0 else ''}"
    assert alarm(list(third), ShuffleWatch(8, [*first, *second]))[1] == ""


def test_the_game_of_41_hands_is_stopped_in_its_first_hands() -> None:
    """Atlantic City, 30 Apr 2012: eight decks, delivered as shuffled, lay in the order of their packing."""
    burned = suits("SDCH", "CH")[:7]
    dealt = (suits("SDCH", "CH") * 8)[7:]
    assert alarm([*burned, *dealt])[0] <= 15
    # The order that repeats is told even where nobody knows what a new deck looks like.
    assert alarm(list(shuffled(list(DECK), 2012) * 8))[0] <= 52 + 10


# -- cards that were not read, or cannot be ----------------------------------------------------------------


def test_unread_cards_delay_the_alarm_and_do_not_break_it() -> None:
    pack: list[Card | None] = list(suits("SDCH") * 8)
    assert alarm([None] * 11 + pack)[0] <= 11 + 15
    pack[4::10] = [None] * len(pack[4::10])
    assert alarm(pack)[0] <= 15
    again: list[Card | None] = list(shuffled(list(DECK), 3) * 8)
    again[9::10] = [None] * len(again[9::10])
    assert alarm(again)[0] <= 52 + 30


@given(st.lists(st.sampled_from([None, *DECK]), max_size=600), st.integers(1, 8))
def test_any_cards_at_all_are_taken(cards: list[Card | None], decks: int) -> None:
    watch = ShuffleWatch(decks, cards[:90])
    for card in cards:
        watch.see(card)
    assert watch.order == cards


def test_each_reason_is_said_once_in_a_shoe() -> None:
    watch = ShuffleWatch(8)
    said = [reason for card in suits("SDCH", "CH") * 8 if (reason := watch.see(card))]
    assert len(said) == len(set(said))
    assert said[0] == "new-deck order: the ranks of one suit, one after another"


# -- no false alarms ----------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(DECK), max_size=60), st.sampled_from(DECK), st.sampled_from(DECK))
def test_a_bet_is_fair(seen: list[Card], before: Card, last: Card) -> None:
    """What a gambler names is exactly what he is paid for, so that he cannot gain on a shuffled pack."""
    unseen = Unseen(3)
    number = {card: RANKS.index(card[0]) * 4 + SUITS.index(card[1]) for card in DECK}
    for card in seen:
        unseen.see(number[card])
    assert sum(unseen.card) == sum(unseen.rank) == sum(unseen.suit) == unseen.total
    for order in ORDERS:
        copies = order.copies(number[before], number[last], unseen)
        named = [n for n in range(52) if order.goes_on(number[before], number[last], n)]
        assert copies == sum(unseen.card[n] for n in named)
        if copies:
            chance = copies / unseen.total
            assert chance * CONFIDENCE / chance + (1 - chance) * (1 - CONFIDENCE) <= 1


def test_the_bounds_add_up_to_less_than_one_false_alarm_in_100_000_shoes() -> None:
    assert sum(order.alpha for order in ORDERS) + 3 * ALPHA < 1e-5


@pytest.mark.parametrize("decks", [6, 8])
def test_random_shoes_raise_nothing(decks: int) -> None:
    assert measure(60, decks) == 0


def test_false_alarms_stay_below_the_bound() -> None:
    """With thresholds ten thousand times lower, at most 8.5 shoes in a hundred."""
    assert measure(200, 6, seed=3, eased=10_000) <= 17
