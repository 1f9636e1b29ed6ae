"""The layout that senses wagers: what it says adds up to what lies there."""

from collections import Counter
from fractions import Fraction

import pytest
from text_devices import codec, codec_of, plain, play

from controller.observations import DeviceStarted, WagerPlaced, WagerRemoved
from controller.ports import ConfigurationError, Received, observe
from drivers.sensors.text import TextLayout
from drivers.text.driver import TextDriver
from drivers.text.simulator import Write

OPEN = codec_of("open-bet-sensor")


def read(*texts):
    data = b"".join(OPEN.framed(text) for text in texts)
    return plain(observe(TextDriver(OPEN), [Received(data=data)]))


def test_what_the_layout_says():
    assert read("PUT 3 banker 25", "OFF 3 banker 2.50", "OFF 14 tie ALL", "FAULT antenna ON") == [
        {"type": "wager_placed", "seat": 3, "wager": "banker", "amount": "25"},
        {"type": "wager_removed", "seat": 3, "wager": "banker", "amount": "2.50"},
        {"type": "wager_removed", "seat": 14, "wager": "tie"},
        {"type": "device_fault", "fault": "antenna", "active": True},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "PUT 0 banker 5",
        "PUT 15 banker 5",
        "PUT 3 horse 5",
        "PUT 3 banker -5",
        "PUT 3 banker ALL",
        "PUT 3 tie",
    ],
)
def test_an_impossible_wager_is_rejected_and_never_guessed(text):
    assert [one["reason"] for one in read(text)] == ["payload"]


def test_a_layout_that_counts_in_cents_and_numbers_its_spots():
    own = codec(
        'extends = "open-bet-sensor"\n'
        '[field.wager]\nkind = "choice"\noptions = { 1 = "player", 2 = "banker" }\n'
        '[field.amount]\nkind = "money"\ndecimals = 2\n'
    )
    seen = observe(TextDriver(own), [Received(data=own.framed("PUT 3 2 2550"))])
    assert seen == [WagerPlaced(seat=3, wager="banker", amount="25.50")]


def test_chips_on_one_spot_add_up_and_the_spot_is_empty_afterwards():
    made = TextLayout(OPEN, seed=4, rounds=5)
    seen = play(made, TextDriver(OPEN))
    assert isinstance(seen[0], DeviceStarted)
    assert seen[1:] == made.truth
    stakes = Counter()
    for one in made.truth:
        spot = (one.seat, one.wager)
        if isinstance(one, WagerPlaced):
            stakes[spot] += Fraction(one.amount)
        else:
            assert stakes.pop(spot) > 0
    assert not stakes
    spots = [(one.seat, one.wager) for one in made.truth if isinstance(one, WagerPlaced)]
    assert len(spots) > len(set(spots)) > 5


def test_nobody_bets_when_no_player_is_there():
    made = TextLayout(OPEN, players=False)
    made.do(WagerPlaced(seat=1, wager="tie", amount="5"), 2.0)
    made.do(WagerRemoved(seat=1, wager="tie"), 3.0)
    made.do(Write(data=b"noise\r\n:"), 4.0)
    seen = play(made, TextDriver(OPEN))
    assert [type(one).__name__ for one in seen] == [
        "DeviceStarted",
        "WagerPlaced",
        "WagerRemoved",
        "FrameRejected",
        "FrameRejected",
    ]


def test_the_same_seed_bets_the_same():
    one, other = (play(TextLayout(OPEN, seed=4, rounds=3), TextDriver(OPEN)) for _ in range(2))
    assert one == other


def test_impossible_options_are_one_clear_line():
    with pytest.raises(ConfigurationError, match="simulated layout: seats"):
        TextLayout(OPEN, seats=15)
