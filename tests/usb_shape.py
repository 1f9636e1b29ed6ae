"""The shape of a USB device for tests: one configuration, one interface, one endpoint each way."""

import struct
from dataclasses import dataclass

BULK, INTERRUPT = 2, 3  # as in an endpoint's bmAttributes

CONFIGURATION = 1
STRINGS = 3  # a table of languages, the product's name, the serial number
ENGLISH = 0x0409


@dataclass(frozen=True)
class Shape:
    """`packet`: the most bytes of one packet; `out`: 0 where the host cannot write."""

    vendor: int = 0x1209
    product: int = 0x0100
    serial: str = "AE-0042"
    mode: int = BULK
    into: int = 0x81
    out: int = 0x02
    interface: int = 0
    packet: int = 64
    bus: int = 1
    address: int = 5
    port: int = 1

    @property
    def strings(self):
        """The string descriptors, by number."""
        texts = {1: "Dealing shoe", 2: self.serial}
        table = struct.pack("<BBH", 4, STRINGS, ENGLISH)
        return {0: table} | {number: _string(text) for number, text in texts.items() if text}

    def endpoints(self):
        """Their addresses."""
        return [address for address in (self.into, self.out) if address]

    def descriptors(self):
        """The device's descriptor and its configuration's, as the kernel shows them."""
        ends = b"".join(
            struct.pack("<BBBBHB", 7, 5, address, self.mode, self.packet, 10) for address in self.endpoints()
        )
        interface = struct.pack("<9B", 9, 4, self.interface, 0, len(self.endpoints()), 0xFF, 0, 0, 0) + ends
        configuration = struct.pack("<BBHBBBBB", 9, 2, 9 + len(interface), 1, CONFIGURATION, 0, 0x80, 50)
        numbers = (0, 1, 2 if self.serial else 0, 1)  # manufacturer, product, serial number, configurations
        device = struct.pack(
            "<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, self.vendor, self.product, 0x0100, *numbers
        )
        return device + configuration + interface


def _string(text):
    data = text.encode("utf-16-le")
    return bytes([2 + len(data), STRINGS]) + data
