"""People at a simulated shoe: what a scenario has them do, and what each key does. In virtual time."""

import pytest
from text_devices import codec_of, play

from controller.observations import (
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    LockChanged,
    SequenceGap,
)
from controller.ports import Keyed, Stage
from controller.rules.drawing import due
from controller.scenarios import parse_scenario
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator
from drivers.shoes.text import TextShoe
from drivers.text.driver import TextDriver

CLAIM = {"player_pair": False, "banker_pair": False, "forced_quit": False}


def angel_eye(**options):
    return AngelEyeSimulator(**options), AngelEyeDriver()


def bee_tek(**options):
    codec = codec_of("bee-tek-a")
    return TextShoe(codec, **options), TextDriver(codec)


def plain(seen):
    return [type(one)(**{f: getattr(one, f) for f in one.__struct_fields__ if f != "at"}) for one in seen]


def acted(text, made=angel_eye):
    """What a host observes of a scenario's acts at the shoe."""
    shoe, driver = made()
    cannot = shoe.play([act.event for act in parse_scenario(text, "x.deal").acts], 0.0)
    return plain(play(shoe, driver)), cannot


def dealt(card, slot=None, index=None, mode=None):
    return CardDrawn(card=card, slot=slot, index=index, mode=mode)


@pytest.mark.parametrize("made", [angel_eye, bee_tek])
def test_a_simulated_shoe_is_played_by_others(made):
    shoe, _ = made()
    assert isinstance(shoe, Stage)
    assert isinstance(shoe, Keyed)


def test_it_is_switched_on_before_the_first_act_and_has_no_dealer():
    seen, cannot = acted("card 2C")
    assert (seen, cannot) == ([DeviceStarted(), DeviceStandby(), dealt("2C", "player", 1)], [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("shoe loaded 8 ; card AC ; card 2D ; card 3C", ["AC first", "2D burn", "3C player 1"]),
        ("card 2C ; card 9D to player 2", ["2C player 1", "9D player 2"]),
        ("card 2C ; card 3C to player 1 ; card 9D", ["2C player 1", "3C player 1", "9D banker 1"]),
        (
            "cards 2C KD 4H ; card 5C to banker 3",
            ["2C player 1", "KD banker 1", "4H player 2", "5C banker 3"],
        ),
    ],
)
def test_cards_go_where_the_shoe_or_the_scenario_says(text, said):
    seen, _ = acted(text)
    cards = [one for one in seen if isinstance(one, CardDrawn)]
    assert [f"{one.card} {one.slot}{f' {one.index}' if one.index else ''}" for one in cards] == said


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("cut card", CutCardDrawn()),
        ("unread card", DeviceFault(fault="unreadable", active=True, error_mode=False)),
        ("fault draw-timeout", DeviceFault(fault="draw-timeout", active=True, error_mode=False)),
        ("fault draw-timeout ; fault draw-timeout cleared", DeviceFault(fault="draw-timeout", active=False)),
        ("locked", LockChanged(locked=True)),
        ("locked ; card 2C", dealt("2C", mode="lock")),
        ("restart", DeviceStandby()),
        ("card 2C ; reports missing ; card 9D", dealt("9D", "banker", 1)),
    ],
)
def test_what_happens_at_the_shoe(text, last):
    seen, cannot = acted(text)
    assert (seen[-1], cannot) == (last, [])


def test_a_missing_report_shows_with_the_next_one():
    seen, _ = acted("card 2C ; reports missing ; card 9D")
    assert [type(one) for one in seen[-3:]] == [CardDrawn, SequenceGap, CardDrawn]


@pytest.mark.parametrize("winner", ["player", "banker", "tie"])
def test_a_result_is_what_the_scenario_says(winner):
    seen, _ = acted(f"cards 9C KD KH QS ; result {winner}")
    assert seen[-2:] == [DeviceResult(winner=winner, **CLAIM), DeviceStandby()]


def test_without_one_in_the_scenario_the_shoe_says_its_own():
    seen, _ = acted("cards 9C KD KH QS")
    assert seen[-2:] == [DeviceResult(winner="player", **CLAIM), DeviceStandby()]


def test_a_card_too_many_is_kept_where_the_scenario_says_that_it_is_carried():
    seen, _ = acted(
        "cards 9C KD KH QS ; fault overdraw ; fault overdraw cleared ; result player ; carried 3C to player 1"
    )
    assert seen[-5:] == [
        DeviceFault(fault="overdraw", active=True, error_mode=True),
        DeviceFault(fault="overdraw", active=False),
        DeviceResult(winner="player", **CLAIM),
        DeviceStandby(),
        CardCarried(card="3C", slot="player", index=1),
    ]


def test_what_it_has_no_words_for_is_not_done():
    seen, cannot = acted("card 2C ; fault jam ; card 9D")
    assert plain(cannot) == [DeviceFault(fault="jam", active=True)]
    assert seen[-1] == dealt("9D", "banker", 1)


def test_a_shoe_that_only_says_cards():
    seen, cannot = acted("card 2C ; unread card ; cut card ; result tie", bee_tek)
    assert seen == [dealt("2C"), dealt(None)]
    assert plain(cannot) == [DeviceResult(winner="tie", **CLAIM)]


# -- the keyboard -----------------------------------------------------------------------------------------


def pressed(keys, made=angel_eye, pause=10.0, **options):
    """What a host observes of keys that are pressed one after the other."""
    shoe, driver = made(seed=3, **options)
    seen, at = play(shoe, driver, until=0.0), 1.0
    for key in keys:
        shoe.press(key, at)
        seen += play(shoe, driver, until=at + pause)
        at += pause
    return plain(seen), shoe


def kinds(seen):
    return [one.slot for one in seen if isinstance(one, CardDrawn)]


def test_the_next_card_keeps_to_procedure():
    seen, _ = pressed(" " * 30)
    cards = [one for one in seen if isinstance(one, CardDrawn)]
    assert len(cards) == 30
    assert cards[0].slot == "first"
    hands = {"player": [], "banker": []}
    for one in [one for one in seen if isinstance(one, CardDrawn | DeviceResult)]:
        if isinstance(one, DeviceResult):
            assert due(hands["player"], hands["banker"]).hand is None
            hands = {"player": [], "banker": []}
        elif one.slot in hands:
            hands[one.slot].append(one.card)
    assert not any(isinstance(one, DeviceFault) for one in seen)


def test_hasty_keys_are_no_overdraw():
    seen, _ = pressed(" " * 40, pause=0.05, burn=False)
    assert not any(isinstance(one, DeviceFault) for one in seen)


def test_an_overdraw_and_a_card_that_is_kept():
    seen, shoe = pressed("o", burn=False)
    assert seen[-1] == DeviceFault(fault="overdraw", active=True, error_mode=True)
    extra = [one.card for one in shoe.truth if isinstance(one, CardDrawn)][-1]
    seen, shoe = pressed("ok   ", burn=False)
    carried = seen.index(CardCarried(card=extra, slot="player", index=1))
    # The kept card is the round's first: the dealer goes on with Banker's.
    after = [(one.slot, one.index) for one in seen[carried:] if isinstance(one, CardDrawn)]
    assert after[:3] == [("banker", 1), ("player", 2), ("banker", 2)]


def test_an_overdraw_long_after_a_round_is_one_of_the_next():
    seen, _ = pressed("    o", burn=False)
    faults = [one for one in seen if isinstance(one, DeviceFault)]
    assert faults == [DeviceFault(fault="overdraw", active=True, error_mode=True)]


@pytest.mark.parametrize(
    ("key", "last"),
    [
        ("u", DeviceFault(fault="unreadable", active=True, error_mode=False)),
        ("c", CutCardDrawn()),
        ("f", DeviceFault(fault="draw-timeout", active=True, error_mode=True)),
        ("fe", DeviceFault(fault="draw-timeout", active=False)),
        ("l", LockChanged(locked=True)),
        ("ll", LockChanged(locked=False)),
        ("r", DeviceStandby()),
    ],
)
def test_keys(key, last):
    seen, _ = pressed(" " + key, burn=False)
    assert seen[-1] == last


def test_a_key_that_means_nothing_has_no_effect():
    assert pressed(" ", burn=False)[0] == pressed(" z", burn=False)[0]


def test_the_dealer_leaves_at_the_first_key():
    shoe, driver = angel_eye(seed=3)
    before = play(shoe, driver, until=60.0)
    assert len(kinds(before)) > 3
    shoe.press(" ", 60.0)
    assert len(kinds(play(shoe, driver, until=10_000.0))) == 1


def test_a_pack_that_is_dealt_out_is_followed_by_another():
    seen, _ = pressed(" " * 70, decks=1, burn=False, pause=5.0)
    assert sum(isinstance(one, DeviceStarted) for one in seen) >= 2
    assert not any(isinstance(one, DeviceFault) for one in seen)


def test_a_shoe_without_a_word_for_an_overdraw_invents_no_card_for_it():
    seen, cannot = acted("card 9C ; card KD\nfault overdraw", bee_tek)
    assert [one.card for one in seen if isinstance(one, CardDrawn)] == ["9C", "KD"]
    assert [one.fault for one in cannot] == ["overdraw"]
