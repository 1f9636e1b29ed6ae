"""USB addresses: `usb:1209:0100?serial=...&in=0x81&out=0x02&interface=0&mode=bulk`, where only
the two numbers are needed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

IDENTITY = re.compile(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})")

#: What each setting may be in an address; a serial number may be any text.
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "in": {f"0x{number:02x}": number for number in range(0x81, 0x90)},
    "out": {f"0x{number:02x}": number for number in range(0x01, 0x10)},
    "interface": {str(number): number for number in range(32)},
    "mode": {"bulk": "bulk", "interrupt": "interrupt"},
}
FIELDS = {"in": "endpoint_in", "out": "endpoint_out"}


@dataclass(frozen=True)
class UsbTarget:
    """Which device, and which way into it. None: the only one there is, as its descriptors say."""

    vendor: int
    product: int
    serial: str | None = None
    endpoint_in: int | None = None
    endpoint_out: int | None = None
    interface: int = 0
    mode: str | None = None

    @property
    def name(self) -> str:
        """As `lsusb` writes it."""
        return f"{self.vendor:04x}:{self.product:04x}"


def parse_usb(rest: str) -> UsbTarget:
    """What follows `usb:`. Raises ValueError with the remedy."""
    identity, _, query = rest.partition("?")
    found = IDENTITY.fullmatch(identity)
    if not found:
        raise ValueError("name vendor and product as `lsusb` does, as usb:1209:0100")
    chosen: dict[str, Any] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name == "serial":
            if not value:
                raise ValueError("serial= needs the serial number that `lsusb -v` calls iSerial")
            chosen[name] = value
            continue
        if name not in SETTINGS:
            raise ValueError(f"no USB setting {name!r}; there are serial, {', '.join(SETTINGS)}")
        choices = SETTINGS[name]
        if value.lower() not in choices:
            first, *_, last = choices
            between = f"one of {', '.join(choices)}" if len(choices) < 5 else f"{first} to {last}"
            raise ValueError(f"{name} is {between}, not {value!r}")
        chosen[FIELDS.get(name, name)] = choices[value.lower()]
    return UsbTarget(int(found[1], 16), int(found[2], 16), **chosen)
