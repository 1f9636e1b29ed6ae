"""What a command does where a standard stream is closed, full, failing, or where nobody reads on."""

import os
import sys
from pathlib import Path

import pytest

from controller.cli import main

#: One command for each way in which results are written: tables, help, plain text, JSON lines as they come.
WRITING = ["rules", "demo --help", "roads {capture}", "decode --protocol angel-eye {capture}"]
READING = ["roads", "replay", "decode --protocol angel-eye", "decode --hex --protocol angel-eye"]


@pytest.fixture
def ended(monkeypatch, capfd, tmp_path):
    """Runs a command; its exit code and what it says on standard error."""
    (tmp_path / "capture").write_bytes(b"BPT " * 9)

    def run(words):
        words = words.format(capture=tmp_path / "capture").split()
        monkeypatch.setattr(sys, "argv", ["tablectl", *words])
        with pytest.raises(SystemExit) as exit_:
            main()
        return exit_.value.code or 0, capfd.readouterr().err

    return run


@pytest.mark.parametrize("words", WRITING)
@pytest.mark.parametrize(
    ("place", "says"),
    [
        (None, "standard output is closed; send it to a file, a pipe or a terminal"),
        ("/dev/full", "standard output: no space left on device; send it elsewhere"),
    ],
)
def test_results_that_nobody_takes(words, place, says, ended, monkeypatch):
    if place is None:
        monkeypatch.setattr(sys, "stdout", None)
        assert ended(words) == (2, f"tablectl: {says}\n")
        return
    with Path(place).open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert ended(words) == (2, f"tablectl: {says}\n")


@pytest.mark.parametrize("words", WRITING)
def test_nobody_reads_on(words, ended, monkeypatch):
    """As with `tablectl rules | head -1`: silent, and no code that means something else."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert ended(words) == (141, "")


@pytest.mark.parametrize("words", READING)
def test_standard_input_is_closed(words, ended, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert ended(f"{words} -") == (2, "tablectl: -: standard input is closed; name a readable file\n")


@pytest.mark.parametrize("words", READING)
def test_a_file_that_opens_and_cannot_be_read(words, ended):
    line = "tablectl: /proc/self/mem: input/output error; name a readable file, or - for stdin\n"
    assert ended(f"{words} /proc/self/mem") == (2, line)


def test_messages_that_nobody_takes_change_no_exit_code(ended, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert ended("replay /nowhere")[0] == 2
