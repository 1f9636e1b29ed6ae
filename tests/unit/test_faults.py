"""Faults on a simulated device's line: how they are written, what each does, and that a seed repeats them."""

from random import Random

import pytest

from controller.observations import CardDrawn, LockChanged
from controller.ports import ConfigurationError, Received
from drivers.shoes.acts import Power, Pull
from drivers.shoes.angel_eye.codec import Command
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator
from drivers.testing.faults import CONTROL, KINDS, PAUSE, Fault, parse_faults, spoil
from drivers.testing.faulty import Faulty


class Talker:
    """A device that writes `report-N` in copies 50 ms apart, every two seconds, and keeps what it hears."""

    def __init__(self, reports=10, copies=3):
        self._due = [(2.0 * n + 0.05 * c, b"report-%02d" % n) for n in range(reports) for c in range(copies)]
        self.heard = []
        self.restarts = []

    def receive(self, data, at):
        self.heard.append((at, data))

    def restart(self, at):
        self.restarts.append(at)

    def advance(self, at):
        sent = [data for due, data in self._due if due <= at]
        self._due = [(due, data) for due, data in self._due if due > at]
        return sent

    def next_at(self):
        return self._due[0][0] if self._due else None


class Deaf(Talker):
    restart = None


def run(device):
    """(time, bytes) of everything that arrives, and when the link went and came."""
    arrived, plugs, there = [], [], True
    device.advance(0.0)
    while (due := device.next_at()) is not None:
        arrived += [(due, data) for data in device.advance(due)]
        if device.plugged != there:
            there = device.plugged
            plugs.append((due, there))
    return arrived, plugs


def arrivals(faults, seed=1, **options):
    device = Faulty(Talker(**options), parse_faults(faults), seed)
    # What is due at the very start is taken by the first advance.
    first = device.advance(0.0)
    arrived, _ = run(device)
    return [(0.0, data) for data in first] + arrived, device


def whole(arrived):
    return [data for _, data in arrived]


ALL = [b"report-%02d" % n for n in range(10) for _ in range(3)]


# -- how they are written -----------------------------------------------------------------------------------


def test_rates_levels_and_numbers():
    assert parse_faults("drop=0.01, corrupt/byte=0.005,hang@40,") == (
        Fault("drop", "copy", 0.01),
        Fault("corrupt", "byte", 0.005),
        Fault("hang", "report", nth=40),
    )
    assert parse_faults("") == ()


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("dorp=0.1", "there are drop, double"),
        ("drop", "write drop=RATE"),
        ("drop=often", "write drop=RATE"),
        ("drop=1.5", "from 0 to 1"),
        ("drop=nan", "from 0 to 1"),
        ("hang/byte=0.1", "hang is per report"),
        ("drop@0", "counting from 1"),
        ("drop@x", "drop@N"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(text, remedy):
    with pytest.raises(ConfigurationError, match=remedy) as caught:
        parse_faults(text)
    assert "\n" not in str(caught.value)


def test_a_device_without_a_switch_cannot_reboot():
    with pytest.raises(ConfigurationError, match="cannot reboot"):
        Faulty(Deaf(), parse_faults("reboot=0.1"))


# -- what they do -------------------------------------------------------------------------------------------


def test_no_fault_changes_nothing():
    arrived, device = arrivals("")
    assert whole(arrived) == ALL
    assert not device.injected


@pytest.mark.parametrize("faults", [f"{k}/{level}=1" for k, levels in KINDS.items() for level in levels])
def test_every_kind_at_every_level_does_something_and_ends(faults):
    arrived, device = arrivals(faults)
    assert device.injected[faults.removesuffix("=1")] > 0
    assert arrived != [(at, data) for at, data in arrivals("")[0]] or device._simulator.restarts


@pytest.mark.parametrize("faults", [f"{k}/{level}=0.3" for k, levels in KINDS.items() for level in levels])
def test_the_same_seed_does_the_same(faults):
    (one, first), (other, second) = arrivals(faults, seed=7), arrivals(faults, seed=7)
    assert (one, first.injected) == (other, second.injected)


def test_a_copy_by_its_number():
    assert whole(arrivals("drop@2")[0]) == ALL[:1] + ALL[2:]
    assert whole(arrivals("double@2")[0]).count(b"report-00") == 4


def test_a_report_with_all_its_copies():
    assert whole(arrivals("drop/report@3")[0]) == ALL[:6] + ALL[9:]
    spoilt = whole(arrivals("corrupt/report@3")[0])
    assert spoilt[:6] + spoilt[9:] == ALL[:6] + ALL[9:]
    assert b"report-02" not in spoilt


def test_a_byte_by_its_number():
    assert whole(arrivals("drop/byte@1")[0])[0] == b"eport-00"
    assert whole(arrivals("double/byte@1")[0])[0] == b"rreport-00"


def test_a_spoilt_byte_is_another_one_and_may_be_any_bit_or_a_byte_that_means_something():
    made = {spoil(Random(seed), 0x44) for seed in range(300)}
    assert made == {0x44 ^ 1 << bit for bit in range(8)} | set(CONTROL)


def test_split_bytes_arrive_all_in_order():
    arrived, _ = arrivals("split=1")
    assert len(arrived) > len(ALL)
    assert b"".join(whole(arrived)) == b"".join(ALL)


def test_joined_copies_come_in_one_read():
    arrived, _ = arrivals("join@3", copies=3)
    assert b"report-00report-01" in whole(arrived)


def test_a_shuffled_copy_comes_behind_the_next_report():
    arrived, _ = arrivals("shuffle@2", copies=1, reports=4)
    assert whole(arrived) == [b"report-00", b"report-02", b"report-01", b"report-03"]


def test_what_waits_for_the_next_write_does_not_wait_for_ever():
    arrived, _ = arrivals("shuffle@3", copies=3, reports=1)
    assert whole(arrived) == [b"report-00"] * 3


def test_repeated_characters():
    first = whole(arrivals("repeat@1")[0])[0]
    assert first.startswith(b"report-00") and first[9:] in (b"0", b"00", b"-00", b"0000", b"-00-00")


def test_a_hang_holds_everything_back_and_then_it_comes_at_once():
    arrived, _ = arrivals("hang@3")
    assert whole(arrived) == ALL
    held = [at for at, data in arrived if data == b"report-02"]
    assert 4.0 + PAUSE[0] <= held[0] <= 4.0 + PAUSE[1]
    assert len(set(held)) == 1


def test_what_is_said_while_mute_is_lost():
    arrived, _ = arrivals("mute@3")
    assert whole(arrived)[:6] == ALL[:6]
    assert whole(arrived) == ALL[:6] + ALL[len(ALL) - len(arrived) + 6 :]


def test_a_garbled_line_brings_as_many_other_bytes():
    arrived, _ = arrivals("garble@3")
    assert len(b"".join(whole(arrived))) == len(b"".join(ALL))
    assert b"report-02" not in whole(arrived)


def test_an_unplugged_link_goes_and_comes_back():
    device = Faulty(Talker(), parse_faults("unplug@3"), 1)
    device.advance(0.0)
    arrived, plugs = run(device)
    assert [there for _, there in plugs] == [False, True]
    gone, back = (at for at, _ in plugs)
    assert gone == 4.0
    assert all(not gone <= at < back for at, _ in arrived)
    device = Faulty(Talker(), parse_faults("unplug@1"), 1)
    device.advance(0.0)
    device.receive(b"lock", 0.1)
    assert device._simulator.heard == []


def test_a_reboot_is_the_devices_own():
    _, device = arrivals("reboot@4")
    assert device._simulator.restarts == [6.0]


# -- on the way to the device -------------------------------------------------------------------------------


def test_bytes_for_the_device_meet_faults_as_well():
    for faults, heard in (("", [(1.0, b"lock")]), ("drop@1", [])):
        device = Faulty(Talker(reports=0), parse_faults(faults))
        device.advance(0.0)
        device.receive(b"lock", 1.0)
        assert device._simulator.heard == heard


def test_a_delayed_command_arrives_later():
    device = Faulty(Talker(reports=0), parse_faults("delay@1"))
    device.advance(0.0)
    device.receive(b"lock", 1.0)
    assert device._simulator.heard == []
    device.advance(device.next_at())
    ((at, data),) = device._simulator.heard
    assert data == b"lock" and at > 1.0


# -- around the simulated shoe ------------------------------------------------------------------------------


def test_a_shoe_at_a_bad_line_is_heard_as_long_as_one_copy_is_good():
    shoe = AngelEyeSimulator(dealer=False)
    device, driver, seen = Faulty(shoe, parse_faults("corrupt@1,drop@2,noise@3")), AngelEyeDriver(), []
    shoe.do(Power(), 0.0)
    for second, card in enumerate(("8S", "5C"), 2):
        shoe.do(Pull(item=card), float(second))
    device.advance(0.0)
    while (due := device.next_at()) is not None:
        for data in device.advance(due):
            seen += driver.apply(Received(at=due, data=data))
    assert [one.card for one in seen if isinstance(one, CardDrawn)] == ["8S", "5C"]


def test_commands_reach_it():
    shoe = AngelEyeSimulator(dealer=False)
    device, driver, seen = Faulty(shoe), AngelEyeDriver(), []
    shoe.do(Power(), 0.0)
    device.advance(2.0)
    device.receive(Command("LK", "02").raw, 2.0)
    for data in device.advance(3.0):
        seen += driver.apply(Received(at=3.0, data=data))
    assert any(isinstance(one, LockChanged) for one in seen)
