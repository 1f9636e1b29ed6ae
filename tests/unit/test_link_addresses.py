"""Link addresses: what each may be, and one clear line for what it may not."""

import pytest

from controller.ports import ConfigurationError, find_link
from drivers.links.address import Address, parse


@pytest.mark.parametrize(
    ("address", "target"),
    [
        (
            "serial:/dev/serial/by-id/usb-FTDI-if00?baud=9600&parity=even&bits=7&stop=2&dtr=off&rts=on",
            Address(
                "serial",
                path="/dev/serial/by-id/usb-FTDI-if00",
                line={"baud": 9600, "parity": "E", "bits": 7, "stop": 2, "dtr": False, "rts": True},
            ),
        ),
        ("serial:/dev/ttyAMA0", Address("serial", path="/dev/ttyAMA0")),
        ("pty:/tmp/shoe", Address("pty", path="/tmp/shoe")),
        ("tcp:192.0.2.10:4001", Address("tcp", host="192.0.2.10", port=4001)),
        ("tcp:[::1]:4001", Address("tcp", host="::1", port=4001)),
        ("memory:", Address("memory")),
    ],
)
def test_good(address, target):
    assert parse(address) == target
    assert find_link(address)


@pytest.mark.parametrize(
    ("address", "remedy"),
    [
        ("serial:/dev/ttyUSB0", "/dev/serial/by-id"),
        ("serial:/dev/ttyACM12?baud=4800", "/dev/serial/by-id"),
        ("serial:COM3", "whole path"),
        ("serial:/dev/ttyAMA0?speed=9600", "there are baud"),
        ("serial:/dev/ttyAMA0?baud=4801", "4800"),
        ("serial:/dev/ttyAMA0?parity=", "none, even, odd"),
        ("pty:", "pty:/tmp/shoe"),
        ("tcp:4001", "tcp:HOST:PORT"),
        ("tcp:host:port", "tcp:HOST:PORT"),
        ("tcp:host:70000", "tcp:HOST:PORT"),
        ("bluetooth:shoe", "serial:"),
        ("/dev/ttyAMA0", "serial:"),
        ("", "serial:"),
    ],
)
def test_bad(address, remedy):
    with pytest.raises(ConfigurationError, match=remedy) as caught:
        find_link(address)
    assert "\n" not in str(caught.value)
    assert repr(address) in str(caught.value)
