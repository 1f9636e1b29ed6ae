"""Lamps on the pins of a Raspberry Pi, with gpiozero's mock pins."""

import asyncio

import pytest
from gpiozero import GPIOZeroError

from controller.ports import ConfigurationError, Lost, Restored, find_link
from controller.runtime.clock import Clock
from drivers.displays.gpio import GpioLink, open_link, parse

ADDRESS = "gpio:mock?player=17&banker=27&tie=22&call=23"
PINS = {"player": 17, "banker": 27, "tie": 22, "call": 23}


async def opened(address=ADDRESS, **options):
    signals = []
    link = open_link(address, clock=Clock(), **options)
    link.open(signals.append)
    return link, signals


def lit(link):
    """The lamps whose pin is high."""
    return [name for name, pin in PINS.items() if link.factory.pin(pin).state]


async def test_a_line_names_the_lamps_that_are_lit():
    link, signals = await opened()
    assert [type(signal) for signal in signals] == [Restored]
    assert lit(link) == []
    for line, lamps in (
        ("player", ["player"]),
        ("tie call", ["tie", "call"]),
        ("off", []),
        ("banker", ["banker"]),
    ):
        assert link.write(f"{line}\r\n".encode())
        assert lit(link) == lamps
    await link.close()


async def test_a_line_may_come_in_parts_and_the_last_one_counts():
    link, _ = await opened()
    link.write(b"pla")
    assert lit(link) == []
    link.write(b"yer\r\nbanker\r\nti")
    assert lit(link) == ["banker"]
    link.write(b"e\r\n")
    assert lit(link) == ["tie"]
    link.write(b"x" * 10_000)
    assert lit(link) == ["tie"]
    await link.close()


async def test_lamps_that_light_when_their_pin_is_low():
    link, _ = await opened(f"{ADDRESS}&active=low")
    link.write(b"player\n")
    assert lit(link) == ["banker", "tie", "call"]
    await link.close()


async def test_closing_puts_the_lamps_out_and_gives_the_pins_back():
    link, _ = await opened()
    link.write(b"call\n")
    pin = link.factory.pin(23)
    await link.close()
    assert pin.function == "input"
    assert link.lamps == {}
    assert link.write(b"call\n") is False
    again, signals = await opened()
    assert len(signals) == 1
    await again.close()


async def test_without_the_library_of_the_pi_it_keeps_trying():
    link, signals = await opened("gpio:lgpio?player=17", back_off=(0.001,))
    assert signals == []
    assert link.write(b"player\n") is False
    assert link.problem
    await asyncio.sleep(0)
    await link.close()


async def test_pins_that_fail_are_a_lost_link_and_are_taken_again():
    link, signals = await opened(back_off=(0.001,))
    broken = link.factory.pin(17)

    def fail(_state):
        raise GPIOZeroError("the pin is gone")

    broken._set_state = fail
    assert link.write(b"player\n") is False
    assert [type(signal) for signal in signals] == [Restored, Lost]
    async with asyncio.timeout(20):
        while len(signals) < 3:
            await asyncio.sleep(0.001)
    assert link.write(b"player\n")
    assert lit(link) == ["player"]
    await link.close()


@pytest.mark.parametrize(
    ("address", "remedy"),
    [
        ("gpio:", "name the pin factory, lgpio or mock"),
        ("gpio:rpi?player=17", "name the pin factory"),
        ("gpio:mock", "a pin of its own"),
        ("gpio:mock?player=17&tie=17", "a pin of its own"),
        ("gpio:mock?winner=17", "no lamp 'winner'; there are player, banker, tie, call"),
        ("gpio:mock?player=1", "from 2 to 27, not '1'"),
        ("gpio:mock?player=", "from 2 to 27"),
        ("gpio:mock?player=x", "from 2 to 27"),
        ("gpio:mock?player=17&active=on", "high or low"),
    ],
)
def test_an_impossible_address_is_one_clear_line(address, remedy):
    with pytest.raises(ConfigurationError, match=remedy):
        find_link(address)


def test_an_address():
    assert parse(ADDRESS) == ("mock", True, PINS)
    assert isinstance(find_link(ADDRESS).open(ADDRESS, clock=Clock(), baud=9600), GpioLink)
