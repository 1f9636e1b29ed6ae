"""Reading arguments and writing results, the same way for every command."""

import sys
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from controller.ports import InputError


def read_bytes(name: str) -> bytes:
    """A file's content; `-` is standard input. Raises InputError."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(
            f"{name}: {(error.strerror or str(error)).lower()}; name a readable file, or - for stdin"
        ) from None


def open_lines(name: str) -> BinaryIO:
    """A file opened for reading line by line; `-` is standard input. Raises InputError."""
    if name == "-":
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise InputError(
            f"{name}: {(error.strerror or str(error)).lower()}; name a readable file, or - for stdin"
        ) from None


def write_json(value: Any) -> None:
    """One JSON document, or one JSON line, on standard output."""
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def write_text(text: str) -> None:
    """Text for a person on standard output."""
    sys.stdout.write(text + "\n")


def flush() -> None:
    """Hand on what was written, for the next program in a pipe."""
    sys.stdout.flush()


def note(text: str) -> None:
    """A message for a person, beside the results: on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
