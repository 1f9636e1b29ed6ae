"""Angel Eye II-EX on the wire, both roles, sans-I/O: bytes to frames and frames to bytes.

RS-232, 4800 8N1. A report is ENQ, sequence, code, payload, ETX and two hex digits of checksum; a command is
STX, `OP`, type, data, ETX and checksum; an answer is ACK, or NAK and one code byte. Every byte fed comes
back in exactly one frame (`raw`), in order. Public source: keepcodings/AngelEye.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from operator import xor
from typing import Literal

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15

MAX_FRAME = 128  # bytes a frame may have without its ETX
MAX_GARBAGE = 4096  # bytes of one rejection of garbage; a longer run is reported in parts
CHECK = 2  # hex digits behind the ETX

Checksum = Literal["with-stx", "without-stx"]
Reason = Literal["checksum", "payload", "overflow", "garbage", "unknown"]


@dataclass(frozen=True, slots=True)
class Report:
    """Shoe to host, intact. `sequence` and `code`: one character, or empty where a frame had no room."""

    sequence: str
    code: str
    payload: bytes = b""

    @property
    def raw(self) -> bytes:
        body = (self.sequence + self.code).encode("latin-1") + self.payload + bytes([ETX])
        return bytes([ENQ]) + body + _bcc(body)


@dataclass(frozen=True, slots=True)
class Ack:
    raw = bytes([ACK])


@dataclass(frozen=True, slots=True)
class Nak:
    code: int

    @property
    def raw(self) -> bytes:
        return bytes([NAK, self.code])


@dataclass(frozen=True, slots=True)
class Reply:
    """An intact STX frame from the shoe: the answer to a read command, of which we send none."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Command:
    """Host to shoe: two letters, two digits. Sources disagree which bytes its checksum covers."""

    type: str
    data: str
    checksum: Checksum = "with-stx"

    @property
    def raw(self) -> bytes:
        body = f"OP{self.type}{self.data}".encode("ascii") + bytes([ETX])
        start = bytes([STX])
        return start + body + _bcc(start + body if self.checksum == "with-stx" else body)


@dataclass(frozen=True, slots=True)
class Rejected:
    """Bytes that are no frame, kept as they came."""

    reason: Reason
    raw: bytes


Frame = Report | Ack | Nak | Reply | Command | Rejected


def _bcc(covered: bytes) -> bytes:
    return b"%02X" % reduce(xor, covered, 0)


def _report(raw: bytes) -> Frame:
    if _bcc(raw[1:-CHECK]) != raw[-CHECK:]:
        return Rejected("checksum", raw)
    content = raw[1 : -CHECK - 1]
    return Report(content[:1].decode("latin-1"), content[1:2].decode("latin-1"), content[2:])


def _checksum_of(raw: bytes) -> Checksum | None:
    """Which rule the checksum of an STX frame fits."""
    check = raw[-CHECK:]
    if _bcc(raw[:-CHECK]) == check:
        return "with-stx"
    return "without-stx" if _bcc(raw[1:-CHECK]) == check else None


def _reply(raw: bytes) -> Frame:
    return Reply(raw) if _checksum_of(raw) else Rejected("checksum", raw)


def _command(raw: bytes) -> Frame:
    checksum = _checksum_of(raw)
    if checksum is None:
        return Rejected("checksum", raw)
    match = re.fullmatch(rb"OP([A-Z]{2})([0-9]{2})", raw[1 : -CHECK - 1])
    if match is None:
        return Rejected("payload", raw)
    return Command(match[1].decode(), match[2].decode(), checksum)


def _unexpected(raw: bytes) -> Frame:
    return Rejected("unknown", raw)


Readers = Mapping[int, Callable[[bytes], Frame]]

#: What a complete frame is, by its start byte: as the host reads the shoe, and as the shoe reads the host.
FROM_SHOE: Readers = {ENQ: _report, STX: _reply}
FROM_HOST: Readers = {ENQ: _unexpected, STX: _command}


class State(Enum):
    OUTSIDE = "outside a frame; what is held is garbage"
    NAKKED = "behind a NAK: the next byte is its code, whatever it is"
    BODY = "inside a frame, before its ETX"
    CHECK = "behind the ETX, the checksum is due"


class Decoder:
    """Cuts a stream into frames, the same however it is cut into reads. Holds at most `MAX_GARBAGE` bytes.

    Inside a frame a start byte restarts it there, and ACK and NAK are bytes like others, so that a spoilt
    report forges no answer. A rejected frame is not searched again.
    """

    def __init__(self, readers: Readers = FROM_SHOE) -> None:
        self._readers = readers
        self._held = bytearray()
        self._state = State.OUTSIDE
        self._due = 0

    @property
    def held(self) -> int:
        """Bytes taken and not yet part of a frame."""
        return len(self._held)

    @property
    def unfinished(self) -> bool:
        """Inside a frame, or behind a NAK: the rest must come soon."""
        return self._state is not State.OUTSIDE

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete, as early as that is certain."""
        frames: list[Frame] = []
        for byte in data:
            self._take(byte, frames)
        return frames

    def end(self) -> list[Frame]:
        """Nothing more belongs to what is held: one garbage, if anything is."""
        return [Rejected("garbage", self._release())] if self._held else []

    def _take(self, byte: int, frames: list[Frame]) -> None:
        if self._state is State.NAKKED:
            self._release()
            frames.append(Nak(byte))
        elif byte in self._readers:
            frames += self.end()
            self._hold(byte, State.BODY)
        elif self._state is State.OUTSIDE:
            self._outside(byte, frames)
        elif self._state is State.BODY:
            self._held.append(byte)
            if byte == ETX:
                self._state, self._due = State.CHECK, CHECK
            elif len(self._held) > MAX_FRAME:
                frames.append(Rejected("overflow", self._release()))
        else:
            self._held.append(byte)
            self._due -= 1
            if not self._due:
                read = self._readers[self._held[0]]
                frames.append(read(self._release()))

    def _outside(self, byte: int, frames: list[Frame]) -> None:
        if byte == ACK:
            frames += self.end()
            frames.append(Ack())
        elif byte == NAK:
            frames += self.end()
            self._hold(byte, State.NAKKED)
        else:
            self._held.append(byte)
            if len(self._held) == MAX_GARBAGE:
                frames += self.end()

    def _hold(self, byte: int, state: State) -> None:
        self._held.append(byte)
        self._state = state

    def _release(self) -> bytes:
        raw = bytes(self._held)
        self._held.clear()
        self._state = State.OUTSIDE
        return raw
