"""Captured bytes as they come: raw, or written as hex."""

import re
from collections.abc import Iterator
from io import BufferedReader

from controller.cli.io import reading
from controller.ports import InputError

CHUNK = 65536

_HEX_LINE = re.compile(rb"\s*(?:[0-9A-Fa-f]{2}\s*)*")


def chunks(name: str, as_hex: bool = False) -> Iterator[bytes]:
    """A capture file, or `-` for standard input, piece by piece as it can be read. Raises InputError."""
    with reading(name) as stream:
        if as_hex:
            yield from _hex(name, stream)
            return
        while data := stream.read1(CHUNK):
            yield data


def _hex(name: str, stream: BufferedReader) -> Iterator[bytes]:
    for number, line in enumerate(stream, 1):
        good = _HEX_LINE.match(line)
        end = good.end() if good else 0
        if end < len(line):
            found = line[end : end + 2].decode("ascii", "replace").strip()
            raise InputError(
                f"{name}: line {number}, column {end + 1}: {found!r} is not a byte; "
                "write two hex digits for each, blanks between bytes are allowed"
            )
        yield bytes.fromhex(line.decode("ascii"))
