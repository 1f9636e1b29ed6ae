"""The head: number and hash of the last record, kept in a file of its own so that a cut tail shows.

Two slots, a page apart, written in turn: a write torn by a power cut leaves the other slot whole. Written
after each commit and synchronised only when it is sealed, so after a power cut the journal may be ahead of
its head, never behind: behind means that the tail was cut. A closed head allows neither.
"""

import errno
import os
from hashlib import sha256
from pathlib import Path
from typing import Literal

from msgspec import Struct

from controller.journal.disk import be_regular, read_whole
from controller.journal.record import Tip

SLOT = 4096
_LINE = 20 + 1 + 20 + 1 + 64 + 1 + 6 + 1 + 16 + 1


class Head(Struct, frozen=True):
    """`turn` counts the writes; `closed`: nothing may follow until the journal is opened again."""

    turn: int
    seq: int
    hash: bytes
    closed: bool

    def line(self) -> bytes:
        """The head as it stands in its slot: one line of text, always of the same length."""
        state = "closed" if self.closed else "open  "
        text = f"{self.turn:020} {self.seq:020} {self.hash.hex()} {state} "
        return (text + sha256(text.encode()).hexdigest()[:16] + "\n").encode()


#: What is found where a head should be.
KeptHead = Head | Literal["missing", "damaged"]


def parse(line: bytes) -> Head | None:
    """The head that `line` is; None when one byte of it is wrong."""
    try:
        turn, seq, digest, state, _ = line.decode("ascii").split()
        head = Head(int(turn), int(seq), bytes.fromhex(digest), state == "closed")
    except ValueError:
        return None
    return head if head.line() == line else None


def newest(data: bytes) -> Head | None:
    """The head in a file's content; None when neither slot holds one."""
    slots = [parse(data[at : at + _LINE]) for at in (0, SLOT)]
    return max((head for head in slots if head), key=lambda head: head.turn, default=None)


def head_path(journal: Path) -> Path:
    """Where the head of a journal lies."""
    return journal.with_suffix(".head")


def read_head(path: Path) -> KeptHead:
    """The head kept at `path`. Raises OSError."""
    try:
        data = read_whole(path)
    except FileNotFoundError:
        return "missing"
    return newest(data) or "damaged"


class HeadFile:
    """The open head of a running service. Every method raises OSError."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            be_regular(self._fd, path)
        except OSError:
            os.close(self._fd)
            raise
        data = os.pread(self._fd, 2 * SLOT, 0)
        found = newest(data)
        self._turn = found.turn if found else 0
        if len(data) < 2 * SLOT:
            # Allocated now, so that a full disk later cannot refuse a head.
            os.pwrite(self._fd, b" " * (2 * SLOT - len(data)), len(data))

    def write(self, tip: Tip, *, closed: bool = False) -> None:
        """Write the head into the next slot; it reaches the disk when the system pleases."""
        self._turn += 1
        line = Head(self._turn, tip.seq, tip.hash, closed).line()
        if os.pwrite(self._fd, line, (self._turn % 2) * SLOT) != len(line):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def seal(self, tip: Tip, *, closed: bool = False) -> None:
        """Write the head into both slots, each on the disk before the next, so that no older one is left."""
        for _ in range(2):
            self.write(tip, closed=closed)
            os.fsync(self._fd)

    def close(self) -> None:
        """Release the file."""
        os.close(self._fd)
