"""The Alpha sign protocol (BetaBrite and others) on the wire, both roles, sans-I/O.

Five NUL, SOH, type, address; then STX, command, data, and with a checksum ETX and four hex digits (the
16-bit sum from STX to ETX); EOT. Source: Adaptive Micro Systems, Alpha Sign Communications Protocol
(9708-8061).
"""

import re
from dataclasses import dataclass
from typing import Literal

WAKE = bytes(5)  # the sign finds the speed by these
SOH, STX, ETX, EOT, ESC, COLOUR = 0x01, 0x02, 0x03, 0x04, 0x1B, 0x1C
WRITE_TEXT = "A"
MAX_PACKET = 1024  # bytes; a longer one is given up

Colour = Literal["red", "green", "amber"]
Mode = Literal["rotate", "hold", "flash"]
COLOURS: dict[Colour, str] = {"red": "1", "green": "2", "amber": "3"}
MODES: dict[Mode, str] = {"rotate": "a", "hold": "b", "flash": "c"}
MIDDLE_LINE = " "  # the position that signs of one line have

_PACKET = re.compile(
    rb"\x01(?P<type>[\x20-\x7e])(?P<address>[0-9A-F?]{2})"
    rb"(?P<block>\x02A(?P<label>[\x20-\x7e])(?:\x1b(?P<position>[\x20-\x7e])(?P<mode>[a-c]))?"
    rb"(?:\x1c(?P<colour>[1-3]))?(?P<text>[\x20-\x7e]*)\x03?)(?P<check>(?<=\x03)[0-9A-F]{4})?\x04"
)


@dataclass(frozen=True)
class Text:
    """A sign's text file. `type`: `Z` is every kind of sign; `address`: `00` is all. `label`: the file."""

    text: str
    colour: Colour = "red"
    mode: Mode = "hold"
    type: str = "Z"
    address: str = "00"
    label: str = "A"

    def packet(self, with_checksum: bool = True) -> bytes:
        """What writes it into the sign."""
        body = f"{WRITE_TEXT}{self.label}{chr(ESC)}{MIDDLE_LINE}{MODES[self.mode]}"
        body += f"{chr(COLOUR)}{COLOURS[self.colour]}{self.text}"
        block = bytes([STX]) + body.encode("ascii")
        if with_checksum:
            block += bytes([ETX])
            block += b"%04X" % (sum(block) & 0xFFFF)
        head = WAKE + bytes([SOH]) + (self.type + self.address).encode("ascii")
        return head + block + bytes([EOT])


class Decoder:
    """What a sign makes of its line: the texts written to it; anything else is passed over."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[Text]:
        """The texts that these bytes complete."""
        texts: list[Text] = []
        for byte in data:
            if byte == SOH:
                self._held.clear()
            if byte == SOH or self._held:
                self._held.append(byte)
            if byte == EOT:
                text = _read(bytes(self._held))
                texts += [text] if text else []
            if byte == EOT or len(self._held) > MAX_PACKET:
                self._held.clear()
        return texts


def _read(packet: bytes) -> Text | None:
    found = _PACKET.fullmatch(packet)
    if not found or (found["check"] and found["check"] != b"%04X" % (sum(found["block"]) & 0xFFFF)):
        return None
    colours = {code: name for name, code in COLOURS.items()}
    modes = {code: name for name, code in MODES.items()}
    return Text(
        text=found["text"].decode("ascii"),
        colour=colours[(found["colour"] or b"1").decode()],
        mode=modes[(found["mode"] or b"a").decode()],
        type=found["type"].decode("ascii"),
        address=found["address"].decode("ascii"),
        label=found["label"].decode("ascii"),
    )
