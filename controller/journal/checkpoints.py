"""Checkpoints of a journal, signed with the table's own key, a line of JSON each beside its file.

The chain shows what was changed by somebody who could not compute it anew; a signature also what was changed
by somebody who could, but did not have the key. A tail that was cut together with its checkpoints shows only
against a checkpoint that was kept elsewhere.
"""

import os
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct

from controller.journal.disk import be_regular, read_whole, write_whole
from controller.journal.record import Tip

_CONTEXT = b"table-controller checkpoint\n"


class Checkpoint(Struct, frozen=True, kw_only=True):
    """The journal of `table` had record `seq` with this hash (hexadecimal) when it was signed; `wall`: when
    that was. `signature`: base64, over all the rest.
    """

    table: str
    seq: int
    hash: str
    wall: str
    signature: str = ""

    def signed(self) -> bytes:
        """What the signature is over."""
        return _CONTEXT + msgspec.json.encode(msgspec.structs.replace(self, signature=""))


class Signed(NamedTuple):
    """The checkpoints beside a file. `unreadable`: lines that are none; a torn last one does not count."""

    checkpoints: list[Checkpoint]
    unreadable: int


def signed_path(journal: Path) -> Path:
    """Where the checkpoints of a journal, or of a file of its archive, lie."""
    return journal.with_suffix(".signed")


def read_signed(path: Path) -> Signed:
    """The checkpoints at a path; none where there is no such file. Raises OSError."""
    try:
        return parse_signed(read_whole(path))
    except FileNotFoundError:
        return Signed([], 0)


def parse_signed(data: bytes) -> Signed:
    """The checkpoints in a file's content."""
    lines = data.splitlines(keepends=True)
    whole = [line for line in lines if line.endswith(b"\n")]
    found = [checkpoint for line in whole if (checkpoint := _decode(line)) is not None]
    return Signed(found, len(whole) - len(found))


def _decode(line: bytes) -> Checkpoint | None:
    try:
        return msgspec.json.decode(line, type=Checkpoint)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class Signs(Protocol):
    """Whoever has a table's private key."""

    def sign(self, tip: Tip) -> bytes:
        """The line for a journal that ends with this record."""


class SignedFile:
    """The checkpoints beside a journal, as the service writes them. Every method raises OSError."""

    def __init__(self, journal: Path, signer: Signs) -> None:
        path = self._path = signed_path(journal)
        self._signer = signer
        self.seq = max((checkpoint.seq for checkpoint in read_signed(path).checkpoints), default=0)

    def add(self, tip: Tip) -> None:
        """Sign the end of the journal, unless that was done."""
        if tip.seq == self.seq:
            return
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            be_regular(fd, self._path)
            os.ftruncate(fd, _whole(os.pread(fd, os.fstat(fd).st_size, 0)))
            os.write(fd, self._signer.sign(tip))
            os.fsync(fd)
        finally:
            os.close(fd)
        self.seq = tip.seq

    def part(self, path: Path, tip: Tip) -> None:
        """Sign the end of a file of the archive."""
        write_whole(signed_path(path), self._signer.sign(tip), 0o644)

    def begin_anew(self, tip: Tip) -> None:
        """What was signed so far is of records that are archived; this is the end of the journal."""
        write_whole(self._path, self._signer.sign(tip), 0o644)
        self.seq = tip.seq


def _whole(data: bytes) -> int:
    """How many bytes the whole lines have; a torn one is behind them."""
    return data.rfind(b"\n") + 1
