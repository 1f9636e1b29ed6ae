"""What can go wrong on a device's line, as data; written `drop=0.01,corrupt/byte=0.001,hang@40`.

A *copy* is one write of the device, a *report* all the copies of one, a *byte* a byte of a copy. Each kind
has levels; the first is meant where none is written. `=RATE` is a probability for each of them, `@N` means
the N-th alone.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal, NamedTuple

from controller.ports import ConfigurationError

Level = Literal["byte", "copy", "report"]

#: Kind -> the levels it has.
KINDS: Mapping[str, tuple[Level, ...]] = {
    "drop": ("copy", "report", "byte"),  # it never comes
    "double": ("copy", "report", "byte"),  # it comes twice
    "corrupt": ("copy", "report", "byte"),  # one bit is another, or the byte one that means something
    "delay": ("copy", "report"),  # it comes late
    "split": ("copy", "report"),  # in two reads
    "join": ("copy",),  # in one read with what follows
    "shuffle": ("copy",),  # behind what follows
    "noise": ("copy", "byte"),  # other bytes come before it
    "repeat": ("copy", "report"),  # its last characters come again
    "cut": ("copy", "report"),  # its end never comes
    "hang": ("report",),  # nothing comes for a while, then all of it at once
    "mute": ("report",),  # nothing comes for a while, and it is lost
    "garble": ("report",),  # as at a wrong speed for a while: other bytes come
    "unplug": ("report",),  # the link goes away for a while
    "reboot": ("report",),  # the device's power fails for a moment
}

#: Seconds from and to.
LATE, APART, PAUSE = (0.05, 1.5), (0.001, 0.4), (0.5, 25.0)
#: Bytes that mean something on one line or another: STX, ETX, ENQ, ACK, NAK, LF, CR.
CONTROL = b"\x02\x03\x05\x06\x15\n\r"

#: Bytes and how many seconds later than the device wrote them.
Pieces = list[tuple[float, bytes]]


class Fault(NamedTuple):
    """`nth`: the unit it happens to, from 1; None: each, with probability `rate`."""

    kind: str
    level: Level
    rate: float = 0.0
    nth: int | None = None

    def strikes(self, number: int, random: Random) -> bool:
        """Whether it happens to the unit of that number."""
        return random.random() < self.rate if self.nth is None else number == self.nth

    def __str__(self) -> str:
        return f"{self.kind}/{self.level}"


def parse_faults(text: str) -> tuple[Fault, ...]:
    """The faults of an option. Raises ConfigurationError."""
    return tuple(_fault(part.strip()) for part in text.split(",") if part.strip())


def _fault(text: str) -> Fault:
    name, sign, value = text.partition("@" if "@" in text else "=")
    kind, _, level = name.partition("/")
    if kind not in KINDS:
        raise _wrong(text, f"no such fault; there are {', '.join(KINDS)}")
    if level and level not in KINDS[kind]:
        raise _wrong(text, f"{kind} is per {' or '.join(KINDS[kind])}")
    where = next((one for one in KINDS[kind] if one == level), KINDS[kind][0])
    if sign == "@":
        if not value.isascii() or not value.isdigit() or not int(value):
            raise _wrong(text, f"write {name}@N, N counting from 1")
        return Fault(kind, where, nth=int(value))
    try:
        rate = float(value)
    except ValueError:
        raise _wrong(text, f"write {name}=RATE, as {name}=0.01, or {name}@N") from None
    if not 0 <= rate <= 1:
        raise _wrong(text, "a rate is from 0 to 1")
    return Fault(kind, where, rate)


def _wrong(text: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(f"faults: {text!r}: {remedy}")


# -- what they do to a byte, and to a copy -----------------------------------------------------------------


def spoil(random: Random, byte: int) -> int:
    """Another byte: one bit differs, or it is one that means something."""
    if random.random() < 0.25:
        return random.choice([control for control in CONTROL if control != byte])
    return byte ^ 1 << random.randrange(8)


def _noise(random: Random) -> bytes:
    return random.randbytes(random.randint(1, 12))


def _corrupt(random: Random, pieces: Pieces) -> Pieces:
    return [(late, _spoilt(random, data)) for late, data in pieces]


def _spoilt(random: Random, data: bytes) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([spoil(random, data[at])]) + data[at + 1 :]


def _double(random: Random, pieces: Pieces) -> Pieces:
    return [*pieces, *((late + random.uniform(*APART), data) for late, data in pieces)]


def _delay(random: Random, pieces: Pieces) -> Pieces:
    more = random.uniform(*LATE)
    return [(late + more, data) for late, data in pieces]


def _split(random: Random, pieces: Pieces) -> Pieces:
    parts: Pieces = []
    for late, data in pieces:
        at = random.randint(0, len(data))
        parts += [(late, data[:at]), (late + random.uniform(*APART), data[at:])]
    return parts


def _repeat(random: Random, pieces: Pieces) -> Pieces:
    return [(late, data + data[-random.randint(1, 3) :] * random.randint(1, 2)) for late, data in pieces]


def _cut(random: Random, pieces: Pieces) -> Pieces:
    return [(late, data[: random.randrange(len(data))] if data else data) for late, data in pieces]


#: Kinds that need to know nothing but the byte.
TO_A_BYTE: Mapping[str, Callable[[Random, int], bytes]] = {
    "drop": lambda _, byte: b"",
    "double": lambda _, byte: bytes([byte, byte]),
    "corrupt": lambda random, byte: bytes([spoil(random, byte)]),
    "noise": lambda random, byte: _noise(random) + bytes([byte]),
}
#: Kinds that need to know nothing but the copy.
TO_A_COPY: Mapping[str, Callable[[Random, Pieces], Pieces]] = {
    "drop": lambda _, pieces: [],
    "double": _double,
    "corrupt": _corrupt,
    "delay": _delay,
    "split": _split,
    "noise": lambda random, pieces: [(late, _noise(random) + data) for late, data in pieces],
    "repeat": _repeat,
    "cut": _cut,
}
