"""The simulated Angel Eye: numbering, copies, lock, overdraw, commands, a shoe's life. In virtual time."""

import pytest

from controller.cards import pack
from controller.observations import (
    CardCarried,
    CardDrawn,
    CommandAnswered,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    LockChanged,
    ShoeLoaded,
)
from controller.ports import ConfigurationError, Received
from drivers.shoes.acts import CUT, Clear, Fail, Key, Load, Power, Pull, RoundDealt
from drivers.shoes.angel_eye.codec import Command, Decoder, Report
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.settings import Settings
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator, Line


class Bench:
    """A shoe driven by hand, and what a host makes of its bytes."""

    def __init__(self, settings=None, **options):
        self.shoe = AngelEyeSimulator(settings, dealer=False, **options)
        self.driver = AngelEyeDriver(settings)
        self.writes = []
        self.at = 0.0

    def run(self, seconds=5.0):
        """What is observed in the next seconds."""
        self.at += seconds
        seen = []
        while (due := self.shoe.next_at()) is not None and due <= self.at:
            for data in self.shoe.advance(due):
                self.writes.append((due, data))
                seen += self.driver.apply(Received(at=due, data=data))
        self.shoe.advance(self.at)
        return [type(one)(**{f: getattr(one, f) for f in one.__struct_fields__ if f != "at"}) for one in seen]

    def do(self, *acts):
        """Acts two seconds apart, and what is observed until the last has settled."""
        for number, act in enumerate(acts):
            self.shoe.do(act, self.at + 2 * number)
        return self.run(2 * len(acts) + 3)

    def command(self, kind, data, checksum="with-stx"):
        self.shoe.receive(Command(kind, data, checksum).raw, self.at)
        return self.run()


def pulls(*items):
    return [Pull(item=item) for item in items]


def in_play(settings=None, **options):
    """A shoe that is switched on, between rounds."""
    bench = Bench(settings, **options)
    assert bench.do(Power()) == [DeviceStarted(), DeviceStandby()]
    return bench


def numbers(writes):
    frames = [Decoder().feed(data)[0] for _, data in writes]
    return "".join(f.sequence for f in frames if isinstance(f, Report))


def dealt(card, slot, index):
    return CardDrawn(card=card, slot=slot, index=index)


def result(winner, player_pair=False, banker_pair=False):
    return DeviceResult(winner=winner, player_pair=player_pair, banker_pair=banker_pair, forced_quit=False)


# -- reports ----------------------------------------------------------------------------------------------


def test_a_round_names_hands_claims_a_result_and_stands_by():
    seen = in_play().do(*pulls("8S", "5C", "KS", "5D", "3H"))
    assert seen == [
        dealt("8S", "player", 1),
        dealt("5C", "banker", 1),
        dealt("KS", "player", 2),
        dealt("5D", "banker", 2),
        result("player", banker_pair=True),
        DeviceStandby(),
        dealt("3H", "player", 1),
    ]


def test_every_report_is_sent_in_three_copies_spaced_in_time():
    bench = in_play()
    bench.writes.clear()
    bench.do(Pull(item="8S"))
    assert [round(at - bench.writes[0][0], 6) for at, _ in bench.writes] == [0, 0.05, 0.1]
    assert len({data for _, data in bench.writes}) == 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Line(), "123456789012"),
        (Line(wrap=1), "123456789123"),
        (Line(start_advances=False), "112345678901"),
        (Line(first=0), "012345678901"),
    ],
)
def test_numbering(line, expected):
    bench = in_play(Settings(copies=1), line=line)
    bench.do(*[act for _ in range(5) for act in (Key(locked=True), Key(locked=False))])
    assert numbers(bench.writes) == expected


def test_a_reset_begins_the_numbers_again_and_forgets_the_hand():
    bench = in_play(Settings(copies=1))
    bench.do(*pulls("8S", "5C"))
    assert bench.do(Power(), Pull(item="KH")) == [
        DeviceStarted(),
        DeviceStandby(),
        dealt("KH", "player", 1),
    ]
    assert numbers(bench.writes) == "1234" + "123"


def test_switched_off_it_notices_nothing():
    assert in_play().do(Power(on=False), *pulls("8S", CUT)) == []


def test_a_new_pack_is_burned_by_its_first_card():
    bench = Bench()
    cards = ("3D", "KH", "2C", "AS", *list(pack(1))[:20])
    seen = bench.do(Load(cards=cards, decks=1, cut_at=5), Power(), Pull(), Pull(), Pull(), Pull(), Pull())
    assert seen[2:] == [
        CardDrawn(card="3D", slot="first"),
        CardDrawn(card="KH", slot="burn"),
        CardDrawn(card="2C", slot="burn"),
        CardDrawn(card="AS", slot="burn"),
        dealt(cards[4], "player", 1),
    ]


# -- lock, errors, commands -------------------------------------------------------------------------------


def test_a_card_pulled_while_locked_belongs_to_no_game():
    assert in_play().do(Key(locked=True), Pull(item="8S"), Key(locked=False), Pull(item="5C")) == [
        LockChanged(locked=True),
        CardDrawn(card="8S", mode="lock"),
        LockChanged(locked=False),
        dealt("5C", "player", 1),
    ]


def test_a_card_too_many_stops_the_game_until_it_is_kept():
    bench = in_play()
    bench.shoe.do(Pull(item="JH"), bench.at + 6.1)  # before the result is out
    seen = bench.do(*pulls("8S", "5C", "KS", "5D"))
    assert seen[4:] == [DeviceFault(fault="overdraw", active=True, error_mode=True)]
    assert bench.command("EC", "00") == [CommandAnswered(ok=False, code="13")]
    assert bench.command("EC", "01") == [
        CommandAnswered(ok=True, code=None),
        DeviceFault(fault="overdraw", active=False),
        result("player", banker_pair=True),
        DeviceStandby(),
        CardCarried(card="JH", slot="player", index=1),
    ]
    assert bench.do(Pull(item="2C")) == [dealt("2C", "banker", 1)]


def test_a_card_too_many_may_be_discarded():
    bench = in_play()
    bench.shoe.do(Pull(item="JH"), bench.at + 6.1)
    bench.do(*pulls("8S", "5C", "KS", "5D"))
    assert bench.command("EC", "02")[-1] == DeviceStandby()
    assert bench.do(Pull(item="2C")) == [dealt("2C", "player", 1)]


def test_an_error_is_cleared_by_command_or_by_the_button():
    bench = in_play()
    raised = DeviceFault(fault="unreadable", active=True, error_mode=True)
    cleared = DeviceFault(fault="unreadable", active=False)
    assert bench.do(Fail(fault="unreadable"), Pull(item="8S"), Clear()) == [
        raised,
        CardDrawn(card="8S", mode="error"),
        cleared,
    ]
    assert bench.do(Fail(fault="unreadable")) == [raised]
    assert bench.command("LK", "02") == [CommandAnswered(ok=False, code="13")]
    assert bench.command("EC", "00") == [CommandAnswered(ok=True, code=None), cleared]
    assert bench.command("EC", "00") == [CommandAnswered(ok=False, code="13")]


def test_commands():
    bench = in_play()
    yes = CommandAnswered(ok=True, code=None)
    assert bench.command("LK", "02") == [yes, LockChanged(locked=True)]
    assert bench.command("LK", "01") == [yes, LockChanged(locked=False)]
    assert bench.command("GP", "00") == [yes]
    assert bench.command("XX", "00") == [CommandAnswered(ok=False, code="14")]
    assert bench.command("LK", "09") == [CommandAnswered(ok=False, code="11")]


@pytest.mark.parametrize("mine", ["with-stx", "without-stx"])
def test_the_other_checksum_is_refused(mine):
    other = {"with-stx": "without-stx", "without-stx": "with-stx"}[mine]
    bench = in_play(Settings(command_checksum=mine))
    assert bench.command("GP", "00", other) == [CommandAnswered(ok=False, code="02")]
    assert bench.command("GP", "00", mine) == [CommandAnswered(ok=True, code=None)]


# -- a shoe's life ----------------------------------------------------------------------------------------


def run_out(shoe):
    driver, seen = AngelEyeDriver(), []
    while (due := shoe.next_at()) is not None:
        for data in shoe.advance(due):
            seen += driver.apply(Received(at=due, data=data))
    return seen


def test_a_dealer_begins_when_time_does():
    shoe = AngelEyeSimulator(shoes=1)
    shoe.advance(5000.0)
    assert shoe.truth == []
    assert shoe.next_at() > 5000.0


def test_a_pack_in_a_given_order_and_the_cut_card_in_a_hand():
    cards = tuple(pack(1))  # clubs, diamonds, hearts, spades, each from ace to king
    shoe = AngelEyeSimulator(cards=cards, decks=1, cut_at=50, shoes=1, rounds_after=1, burn=False)
    seen = run_out(shoe)
    assert shoe.truth[0] == ShoeLoaded(at=shoe.truth[0].at, decks=1, pack="0-1")
    kinds = [type(one) for one in shoe.truth if isinstance(one, (CardDrawn, CutCardDrawn, RoundDealt))]
    assert kinds[:3] == [CardDrawn, CardDrawn, CutCardDrawn]
    rounds = [one for one in shoe.truth if isinstance(one, RoundDealt)]
    assert [(one.shoe, one.round) for one in rounds] == [(1, 1), (1, 2)]
    assert rounds[0].player_cards == ["AC", "3C", "5C"]
    assert [one.card for one in seen if isinstance(one, CardDrawn)] == [
        one.card for one in shoe.truth if isinstance(one, CardDrawn)
    ]


def test_a_cut_card_in_place_of_a_first_card_leaves_one_round():
    cards = tuple(pack(1))
    # The first round takes five cards, AC to 5C; the cut card lies behind them.
    shoe = AngelEyeSimulator(cards=cards, decks=1, cut_at=47, shoes=1, burn=False)
    run_out(shoe)
    cut = [isinstance(one, CutCardDrawn) for one in shoe.truth].index(True)
    assert [type(one) for one in shoe.truth[:cut]].count(RoundDealt) == 1
    assert [type(one) for one in shoe.truth[cut:]].count(RoundDealt) == 1


def test_rounds_go_on_in_the_next_shoe():
    shoe = AngelEyeSimulator(decks=1, rounds=12)
    seen = run_out(shoe)
    rounds = [one for one in shoe.truth if isinstance(one, RoundDealt)]
    assert len(rounds) == 12
    assert rounds[-1].shoe > 1
    assert [type(one) for one in seen].count(DeviceStarted) == rounds[-1].shoe


@pytest.mark.parametrize(
    ("option", "word"),
    [({"decks": 99}, "decks"), ({"cut_at": 3}, "cut"), ({"shoe": 1}, "shoe"), ({"rounds": 0}, "rounds")],
)
def test_an_impossible_dealer_is_one_clear_line(option, word):
    with pytest.raises(ConfigurationError, match=word) as caught:
        AngelEyeSimulator(**option)
    assert "\n" not in str(caught.value)
