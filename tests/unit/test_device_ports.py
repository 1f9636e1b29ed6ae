"""Two devices at one port are a fault of the configuration, however the port is called."""

import pytest

from controller.config import parse_configuration
from controller.ports import ConfigurationError

TABLE = '[table]\nid = "T"\nname = "T"\n[shoe]\ndriver = "bee-tek-a"\nlink = "{shoe}"\n'
LINE = '[[display]]\ndriver = "line-display"\nlink = "{sign}"\n'


def found(shoe, sign, folder):
    try:
        parse_configuration(TABLE.format(shoe=shoe) + LINE.format(sign=sign), "table.toml", folder)
    except ConfigurationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("shoe", "sign", "held"),
    [
        ("serial:/dev/serial/by-id/a?baud=9600", "serial:/dev/serial/by-id/a", "/dev/serial/by-id/a"),
        ("tcp:Server:4001", "tcp:server:4001", "server port 4001"),
        (
            "usb:1209:0100?serial=A&in=0x81",
            "usb:1209:0100?serial=A&mode=bulk",
            "USB device 1209:0100 A interface 0",
        ),
    ],
)
def test_one_port_for_two(shoe, sign, held, tmp_path):
    assert found(shoe, sign, tmp_path) == (
        f"table.toml:9: display.0.link: {held} is that of shoe as well; give each device its own"
    )


def test_one_port_by_two_names(tmp_path):
    (tmp_path / "by-id").symlink_to(tmp_path / "port")
    (tmp_path / "by-path").symlink_to(tmp_path / "port")
    said = found(f"serial:{tmp_path}/by-id", f"pty:{tmp_path}/by-path", tmp_path)
    assert said.endswith(f"display.0.link: {tmp_path}/port is that of shoe as well; give each device its own")


@pytest.mark.parametrize(
    ("shoe", "sign"),
    [
        ("memory:", "memory:"),
        ("tcp:server:4001", "tcp:server:4002"),
        ("usb:1209:0100?serial=A", "usb:1209:0100?serial=B"),
        ("usb:1209:0100?interface=0", "usb:1209:0100?interface=1"),
    ],
)
def test_ports_that_are_two(shoe, sign, tmp_path):
    assert found(shoe, sign, tmp_path) == ""


def test_one_pin_for_two_lamps(tmp_path):
    text = TABLE.format(shoe="memory:")
    for query in ("call=5", "call=6&tie=5"):
        text += f'[[display]]\ndriver = "lamps"\nlink = "gpio:mock?{query}"\n'
    with pytest.raises(ConfigurationError, match=r"display.1.link: pin 5 is that of lamps as well"):
        parse_configuration(text, "table.toml", tmp_path)
