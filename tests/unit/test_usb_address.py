"""USB addresses: what each may be, and one clear line for what it may not."""

import pytest

from controller.ports import ConfigurationError, find_link
from drivers.links.address import Address, parse
from drivers.links.usb_address import UsbTarget


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("usb:1209:0100", UsbTarget(0x1209, 0x0100)),
        ("usb:04D8:f00d?serial=AE-0042", UsbTarget(0x04D8, 0xF00D, serial="AE-0042")),
        ("usb:1209:0100?serial=a%26b%20c", UsbTarget(0x1209, 0x0100, serial="a&b c")),
        (
            "usb:1209:0100?in=0x8F&out=0x0f&interface=3&mode=interrupt",
            UsbTarget(0x1209, 0x0100, endpoint_in=0x8F, endpoint_out=0x0F, interface=3, mode="interrupt"),
        ),
        ("usb:1209:0100?mode=bulk", UsbTarget(0x1209, 0x0100, mode="bulk")),
    ],
)
def test_good(address, target):
    assert parse(address) == Address("usb", usb=target)
    assert find_link(address)


@pytest.mark.parametrize(
    ("address", "remedy"),
    [
        ("usb:", "usb:1209:0100"),
        ("usb:1209", "usb:1209:0100"),
        ("usb:1209:100", "as `lsusb` does"),
        ("usb:0x1209:0x0100", "as `lsusb` does"),
        ("usb:/dev/bus/usb/001/005", "as `lsusb` does"),
        ("usb:1209:0100?baud=4800", "there are serial, in, out, interface, mode"),
        ("usb:1209:0100?serial=", "iSerial"),
        ("usb:1209:0100?in=0x01", "0x81 to 0x8f"),
        ("usb:1209:0100?in=", "0x81 to 0x8f"),
        ("usb:1209:0100?out=0x81", "0x01 to 0x0f"),
        ("usb:1209:0100?interface=32", "0 to 31"),
        ("usb:1209:0100?mode=isochronous", "one of bulk, interrupt"),
    ],
)
def test_bad(address, remedy):
    with pytest.raises(ConfigurationError, match=remedy) as caught:
        find_link(address)
    assert "\n" not in str(caught.value)
    assert repr(address) in str(caught.value)
