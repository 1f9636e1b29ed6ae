"""The automated shuffler: what the unit does, what its protocol says of it, and the packs it hands over."""

import pytest
from text_devices import codec, codec_of, play

from controller.cards import DECK, pack
from controller.observations import (
    CardDrawn,
    CommandSettled,
    DeviceFault,
    DeviceStarted,
    ShuffleFinished,
    ShufflerState,
    ShuffleStarted,
)
from controller.ports import Commanded, ConfigurationError, Restored, find_driver
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator
from drivers.shufflers.acts import (
    Deal,
    Door,
    Fail,
    Free,
    Insert,
    Jam,
    PackHandedOver,
    Power,
    Press,
    Return,
    Take,
)
from drivers.shufflers.text import ShufflerSettings, TextShuffler
from drivers.text.driver import TextDriver

OPEN = codec_of("open-shuffler")
WHOLE = tuple(pack(1))


def shuffler(*acts, settings=None, **options):
    """A unit of one deck to which the acts happen, twenty seconds apart."""
    ways = {"decks": 1, "seconds": 10.0, "seed": 5, "attendant": False} | options
    made = TextShuffler(OPEN, settings, **ways)
    for number, act in enumerate(acts):
        made.do(act, 20.0 * number)
    return made


def heard(made, *kinds, until=None):
    seen = play(made, TextDriver(OPEN), until)
    return [one for one in seen if not kinds or isinstance(one, kinds)]


def states(made):
    """The states in order, without repetition."""
    told = [one.state for one in heard(made, ShufflerState)]
    return [state for number, state in enumerate(told) if number == 0 or state != told[number - 1]]


def finished(*acts, **options):
    (one,) = heard(shuffler(*acts, **options), ShuffleFinished)
    return one.count, one.missing, one.extra


def test_a_batch_from_putting_in_to_taking_out():
    made = shuffler(Insert(), Press(), Take())
    seen = heard(made)
    assert [type(one) for one in seen if not isinstance(one, ShufflerState)] == [
        ShuffleStarted,
        ShuffleFinished,
    ]
    told = [one for one in seen if isinstance(one, ShufflerState)]
    assert [one.progress for one in told if one.state == "shuffling"] == list(range(0, 100, 10))
    assert [(one.state, one.count) for one in told if one.state != "shuffling"] == [
        ("loading", None),
        ("verifying", None),
        ("ready", 52),
        ("unloading", 52),
        ("idle_empty", 0),
    ]
    assert seen[1] == ShuffleStarted(at=20.0, pack="5-1", count=None)
    assert made.truth == [PackHandedOver(at=45.0, pack="5-1", cards=list(made.packs["5-1"]))]


def test_the_pack_is_whole_and_in_another_order():
    made = shuffler(Insert(), Press(), Take())
    heard(made)
    cards = made.packs["5-1"]
    assert sorted(cards) == sorted(DECK)
    assert cards != DECK


def test_the_simulated_shoe_deals_the_very_pack():
    made = TextShuffler(OPEN, seed=9, shoes=2)
    heard(made)
    shoe = AngelEyeSimulator(seed=9, shoes=2)
    while (due := shoe.next_at()) is not None:
        shoe.advance(due)
    assert list(made.packs) == ["9-1", "9-2"]
    loads = [one.pack for one in shoe.truth if hasattr(one, "pack")]
    assert loads == ["9-1", "9-2"]
    boundary = next(n for n, one in enumerate(shoe.truth) if getattr(one, "pack", None) == "9-2")
    for name, part in (("9-1", shoe.truth[:boundary]), ("9-2", shoe.truth[boundary:])):
        cards = tuple(one.card for one in part if isinstance(one, CardDrawn))
        assert cards == made.packs[name][: len(cards)]
        assert len(cards) > 390


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (WHOLE, (52, [], [])),
        (WHOLE[1:], (51, ["AC"], [])),
        ((*WHOLE, "TD"), (53, [], ["TD"])),
        ((*WHOLE[1:], "TD"), (52, ["AC"], ["TD"])),
        (WHOLE[:20], (20, None, None)),
        ((), (0, None, None)),
    ],
)
def test_a_unit_that_recognises_cards(cards, said):
    assert finished(Insert(cards=cards), Press()) == said


def test_a_unit_that_only_counts_cannot_see_a_stray_card():
    assert finished(Insert(cards=(*WHOLE[1:], "TD")), Press(), recognises=False) == (52, None, None)
    assert states(shuffler(Insert(cards=(*WHOLE[1:], "TD")), Press(), recognises=False))[-1] == "ready"


@pytest.mark.parametrize(
    ("cards", "state"),
    [(WHOLE[1:], "count_error"), ((*WHOLE, "TD"), "count_error"), ((*WHOLE[1:], "TD"), "composition_error")],
)
def test_a_wrong_pack_is_not_ready(cards, state):
    assert states(shuffler(Insert(cards=cards), Press()))[-1] == state


def test_what_is_handed_over_short_is_dealt_short():
    made = shuffler(Insert(cards=WHOLE[1:]), Press(), Take())
    heard(made)
    assert len(made.packs["5-1"]) == 51


def test_a_jam_that_clears_by_itself_is_told_all_the_same():
    made = shuffler(Insert(), Press())
    made.do(Jam(place="exit", after=3.0), 24.5)
    seen = heard(made)
    assert [(one.fault, one.active, one.at) for one in seen if isinstance(one, DeviceFault)] == [
        ("jam-exit", True, 24.5),
        ("jam-exit", False, 27.5),
    ]
    assert [one.place for one in seen if getattr(one, "state", "") == "jam"] == ["exit"]
    assert seen[-1].state == "ready"


def test_a_jam_that_needs_a_person():
    made = shuffler(Insert(), Press())
    made.do(Jam(), 24.5)
    assert states(made) == ["loading", "shuffling", "jam"]
    made.do(Free(), 500.0)
    assert states(made) == ["shuffling", "verifying", "ready"]


def test_the_door():
    made = shuffler(Insert(), Press())
    made.do(Door(is_open=True), 22.5)
    made.do(Press(), 23.0)
    made.do(Door(is_open=False), 30.0)
    assert states(made) == ["loading", "shuffling", "door_open", "shuffling", "verifying", "ready"]


@pytest.mark.parametrize(
    "fault",
    [
        "jam-tray", "jam-entry", "jam-exit", "tray-not-empty", "empty", "not-enough-cards", "tray-empty",
        "wrong-orientation", "pick-up-cards", "cover-open", "recognition", "duplicate-card", "missing-card",
        "foreign-card", "homing", "alignment", "motor", "sensor", "memory", "restart-needed",
    ],
)  # fmt: skip
def test_every_fault_on_demand(fault):
    made = shuffler(Insert(), Fail(fault=fault), Free())
    told = [(one.fault, one.active) for one in heard(made, DeviceFault)]
    assert told == [(fault, True), (fault, False)]


def test_a_second_pack_is_not_taken():
    told = heard(shuffler(Insert(), Insert()), DeviceFault)
    assert [one.fault for one in told] == ["tray-not-empty"]


def test_a_power_cut_in_mid_shuffle_leaves_cards_that_nobody_has_counted():
    made = shuffler(Insert(), Press())
    made.do(Power(on=False), 24.5)
    made.do(Press(), 25.0)
    made.do(Power(), 30.0)
    made.do(Free(), 40.0)
    made.do(Press(), 50.0)
    seen = heard(made)
    off = [one for one in seen if 24.5 < one.at < 30.0]
    assert off == []
    assert [type(one) for one in seen if one.at == 30.0] == [DeviceStarted, DeviceFault, ShufflerState]
    after = [one for one in seen if one.at >= 30.0]
    assert after[1].fault == "restart-needed"
    assert after[2].count is None
    assert [one.pack for one in after if isinstance(one, ShuffleFinished)] == ["5-2"]


def test_switched_off_it_answers_nothing():
    made = shuffler(Power(on=False))
    made.advance(1.0)
    made.receive(OPEN.command("state", {}), 2.0)
    assert made.next_at() is None


def test_a_continuous_unit_takes_cards_back():
    made = shuffler(
        Insert(), Press(), Deal(count=5), Return(cards=("4S",)), settings=ShufflerSettings(continuous=True)
    )
    told = [(one.state, one.count) for one in heard(made, ShufflerState)]
    assert told[-3:] == [("dealing", 52), ("dealing", 47), ("dealing", 48)]


def test_the_attendant_changes_packs_until_told_otherwise():
    made = TextShuffler(OPEN, decks=1, seconds=10.0, shoes=3)
    heard(made)
    assert list(made.packs) == ["0-1", "0-2", "0-3"]
    assert made.state == "idle_empty"


@pytest.mark.parametrize("options", [{"decks": 0}, {"seconds": 0}, {"rounds": 3}])
def test_impossible_options_are_one_clear_line(options):
    with pytest.raises(ConfigurationError, match=f"simulated shuffler: {next(iter(options))}"):
        TextShuffler(OPEN, **options)


# -- commands ---------------------------------------------------------------------------------------------


def told_to(made, command, at):
    """What becomes of a command at that time."""
    host = TextDriver(OPEN)
    host.apply(Restored(at=0.0))
    seen = play(made, host, until=at)
    seen += host.apply(Commanded(at=at, command=command, by="eng"))
    made.receive(host.outgoing(), at)
    seen += play(made, host)
    return [one for one in seen if one.at >= at]


def test_it_shuffles_when_it_is_told():
    seen = told_to(shuffler(Insert()), "shuffle", 5.0)
    assert [one.outcome for one in seen if isinstance(one, CommandSettled)] == ["accepted"]
    assert any(isinstance(one, ShuffleFinished) for one in seen)


def test_it_says_why_it_does_not():
    seen = told_to(shuffler(), "eject", 5.0)
    (settled,) = [one for one in seen if isinstance(one, CommandSettled)]
    assert (settled.outcome, settled.code) == ("refused", "idle_empty")


def test_it_says_what_it_does_when_it_is_asked():
    seen = told_to(shuffler(Insert(), Press()), "state", 23.5)
    told = [one for one in seen if one.at == 23.5]
    assert [one.state for one in told if isinstance(one, ShufflerState)] == ["shuffling"]
    assert [one.outcome for one in told if isinstance(one, CommandSettled)] == ["accepted"]


def test_what_is_no_command_is_refused():
    made = shuffler()
    made.advance(0.0)
    made.receive(b":DO DANCE#0000\r\n" + OPEN.framed("DO DANCE"), 1.0)
    assert made.advance(1.0) == [OPEN.framed("NO ?")] * 2


def test_the_driver_lists_what_it_can_do():
    assert find_driver("open-shuffler").commands == ("shuffle", "eject", "state")


def test_a_house_s_own_words():
    own = codec(
        'extends = "open-shuffler"\n[message.begin]\ntext = "GO {pack:id}"\nmeans = "shuffle_started"\n'
    )
    made = TextShuffler(own, decks=1, seconds=10.0, attendant=False)
    made.do(Insert(), 0.0)
    made.do(Press(), 1.0)
    seen = play(made, TextDriver(own))
    assert ShuffleStarted(at=1.0, pack="0-1") in seen
