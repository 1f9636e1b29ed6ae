"""Whole simulated shoes in virtual time: what the driver observes is what the dealer dealt."""

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import pack
from controller.observations import CardDrawn, CutCardDrawn, DeviceResult, DeviceStandby, DeviceStarted
from controller.ports import Received
from drivers.shoes.acts import RoundDealt
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.settings import Settings
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator, Line

lines = st.builds(
    Line,
    spacing=st.sampled_from([0.0, 0.02, 0.05, 0.1]),
    first=st.integers(0, 9),
    wrap=st.sampled_from([0, 1]),
    start_advances=st.booleans(),
)


def deal(shoe, settings):
    driver, seen = AngelEyeDriver(settings), []
    while (due := shoe.next_at()) is not None:
        for data in shoe.advance(due):
            seen += driver.apply(Received(at=due, data=data))
    return seen


def told(one):
    return one.card, one.slot, one.index


@settings(max_examples=60)
@given(
    st.integers(0, 2**32),
    st.integers(1, 8),
    lines,
    st.integers(1, 4),
    st.sampled_from([0.05, 0.3, 1.0]),
    st.integers(0, 2),
)
def test_what_is_observed_is_what_was_dealt(seed, decks, line, copies, pause, after):
    ways = Settings(copies=copies)
    shoe = AngelEyeSimulator(
        ways, line=line, seed=seed, decks=decks, shoes=2, card_pause=pause, rounds_after=after, cut_at=20
    )
    seen = deal(shoe, ways)
    assert {type(one) for one in seen} <= {
        CardDrawn,
        CutCardDrawn,
        DeviceResult,
        DeviceStandby,
        DeviceStarted,
    }
    truth = [one for one in shoe.truth if isinstance(one, (CardDrawn, CutCardDrawn, DeviceStarted))]
    heard = [one for one in seen if isinstance(one, (CardDrawn, CutCardDrawn, DeviceStarted))]
    assert [type(one) for one in heard] == [type(one) for one in truth]
    cards = [told(one) for one in heard if isinstance(one, CardDrawn)]
    assert cards == [told(one) for one in truth if isinstance(one, CardDrawn)]
    rounds = [one for one in shoe.truth if isinstance(one, RoundDealt)]
    claims = [one for one in seen if isinstance(one, DeviceResult)]
    assert [one.winner for one in claims] == [one.winner for one in rounds]


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_a_shoe_deals_each_card_of_its_pack_at_most_once(seed, decks):
    shoe = AngelEyeSimulator(seed=seed, decks=decks, shoes=1)
    deal(shoe, Settings())
    left = list(pack(decks))
    for one in shoe.truth:
        if isinstance(one, CardDrawn):
            left.remove(one.card)
    assert 14 - 12 <= len(left) <= 14


@given(st.integers(0, 2**32))
def test_the_same_seed_deals_the_same_shoe(seed):
    one, other = (AngelEyeSimulator(seed=seed, rounds=10) for _ in range(2))
    assert deal(one, Settings()) == deal(other, Settings())
    assert one.truth == other.truth
