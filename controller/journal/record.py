"""One record of the journal, and the hash that chains it to the record before."""

import math
import struct
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

from msgspec import Struct

#: `start`: a service start, with configuration, ruleset text, software version and boot id.
#: `configuration`: the same inputs again, at the start of each shoe. `signal`: what a link told a driver.
#: `observation`: what the driver made of it. `input`: an announcement, order or timer that entered.
#: `fact`: what the controller concluded. `carried`: all that it still knew when a new pack was in the shoe.
Kind = Literal["start", "configuration", "signal", "observation", "input", "fact", "carried"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_FIXED = struct.Struct(">32sq?d")
_LENGTH = struct.Struct(">q")


def now() -> str:
    """The wall time, RFC 3339: an attribute for people, never an order (field failure 58)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Tip(NamedTuple):
    """The end of a chain: the last record's number and hash; number 0 and the genesis when there is none."""

    seq: int
    hash: bytes


class Entry(Struct, frozen=True):
    """What is appended. `body`: canonical JSON, kept byte for byte. `at`: seconds of the link's clock.

    Raises ValueError for what could not be read back as it was written.
    """

    kind: Kind
    body: bytes
    device: str | None = None
    at: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"a record's kind is one of {', '.join(KINDS)}, not {self.kind!r}")
        if self.at is not None and not math.isfinite(self.at):
            raise ValueError(f"a record's time is a finite number, not {self.at!r}")
        if self.device is not None and not self.device.isascii():
            raise ValueError(f"a device's name is ASCII, not {self.device!r}")


class Record(Struct, frozen=True):
    """An entry with its number (from 1, without gaps), its wall time (RFC 3339) and its hash (32 bytes)."""

    seq: int
    kind: Kind
    device: str | None
    at: float | None
    wall: str
    body: bytes
    hash: bytes

    def digest_after(self, previous: bytes, seq: int | None = None) -> bytes:
        """The hash this record must have behind one whose hash is `previous`; `seq`: were that its number."""
        number = self.seq if seq is None else seq
        return digest(previous, number, self.kind, self.device, self.at, self.wall, self.body)


def digest(
    previous: bytes, seq: int, kind: str, device: str | None, at: float | None, wall: str, body: bytes
) -> bytes:
    """SHA-256 over the previous hash and every field: fixed-size parts, then each part behind its length."""
    # SQLite stores -0.0 as 0.0, so the sum makes them the same here too.
    parts = [_FIXED.pack(previous, seq, at is not None, (at or 0.0) + 0.0)]
    for text in (kind, device, wall):
        parts += _sized(None if text is None else text.encode("utf-8", "surrogateescape"))
    parts += _sized(body)
    return sha256(b"".join(parts)).digest()


def genesis(meta: Mapping[str, str]) -> bytes:
    """What stands for the previous hash of record 1: the journal's own description, written once."""
    parts = [b"table-controller journal\n"]
    for item in sorted(meta.items()):
        for text in item:
            parts += _sized(text.encode("utf-8", "surrogateescape"))
    return sha256(b"".join(parts)).digest()


def chained(tip: Tip, stamped: Iterable[tuple[Entry, str]]) -> list[Record]:
    """The records that entries, each with its wall time, become behind `tip`."""
    records = []
    seq, last = tip
    for entry, wall in stamped:
        seq += 1
        last = digest(last, seq, entry.kind, entry.device, entry.at, wall, entry.body)
        records.append(Record(seq, entry.kind, entry.device, entry.at, wall, entry.body, last))
    return records


def _sized(data: bytes | None) -> tuple[bytes, bytes]:
    """A part behind its length; -1 for no part at all."""
    return (_LENGTH.pack(-1), b"") if data is None else (_LENGTH.pack(len(data)), data)
