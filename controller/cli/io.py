"""Reading arguments and writing results, the same way for every command."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from controller.ports import ControllerError, InputError

#: What a shell says of a program that ended because nobody read on: 128 and SIGPIPE.
NOBODY_READS = 141


class OutputError(ControllerError):
    """Standard output takes nothing."""


@contextmanager
def reading(name: str) -> Iterator[BufferedReader]:
    """A file open for reading; `-` is standard input. Raises InputError, also where the reading fails."""
    if name == "-" and sys.stdin is None:
        raise InputError("-: standard input is closed; name a readable file")
    try:
        with cast(BufferedReader, sys.stdin.buffer) if name == "-" else Path(name).open("rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"{name}: {_reason(error)}; name a readable file, or - for stdin") from None


def read_bytes(name: str) -> bytes:
    """A file's content; `-` is standard input. Raises InputError."""
    with reading(name) as stream:
        return stream.read()


def write_json(value: Any) -> None:
    """One JSON document, or one JSON line, on standard output. Raises OutputError."""
    with output() as out:
        out.write(msgspec.json.encode(value) + b"\n")


def write_text(text: str) -> None:
    """Text for a person on standard output. Raises OutputError."""
    with output():
        sys.stdout.write(text + "\n")


def flush() -> None:
    """Hand on what was written, for the next program in a pipe. Raises OutputError."""
    if sys.stdout is not None:
        with output():
            sys.stdout.flush()


@contextmanager
def output() -> Iterator[BinaryIO]:
    """Standard output. Raises OutputError; ends the program where nobody reads on."""
    if sys.stdout is None:
        raise OutputError("standard output is closed; send it to a file, a pipe or a terminal")
    try:
        yield sys.stdout.buffer
    except BrokenPipeError:
        _let_go()
        raise SystemExit(NOBODY_READS) from None
    except OSError as error:
        _let_go()
        raise OutputError(f"standard output: {_reason(error)}; send it elsewhere") from None


@contextmanager
def help_asked() -> Iterator[None]:
    """Where nothing but help is written, by the library that draws it. Raises OutputError."""
    try:
        with output():
            yield
    except SystemExit as ended:
        # So that library answers a pipe that nobody reads.
        raise SystemExit(NOBODY_READS if ended.code == 1 else ended.code) from None


def _let_go() -> None:
    """What is left in the buffers goes nowhere, or the interpreter's last flush would fail as well."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def note(text: str) -> None:
    """A message for a person, beside the results: on standard error, as long as that is there."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(text + "\n")
            sys.stderr.flush()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
