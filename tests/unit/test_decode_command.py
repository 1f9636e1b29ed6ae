"""`tablectl decode`: files and pipes, bytes and hex, and one clear line for what cannot be read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROUND = "05 31 44 81 B8 03 34 46 05 32 44 91 A5 03 34 31"
COMMAND = [sys.executable, "-m", "controller", "decode", "--protocol"]


def decode(*arguments, data=b"", protocol="angel-eye"):
    return subprocess.run([*COMMAND, protocol, *arguments], input=data, capture_output=True, timeout=60)


def cards(done):
    assert done.returncode == 0, done.stderr
    return [json.loads(line)["card"] for line in done.stdout.splitlines()]


def test_a_file(tmp_path):
    capture = tmp_path / "capture.bin"
    capture.write_bytes(bytes.fromhex(ROUND))
    assert cards(decode(str(capture))) == ["8S", "5C"]


def test_standard_input():
    assert cards(decode("-", data=bytes.fromhex(ROUND))) == ["8S", "5C"]


@pytest.mark.parametrize(
    "text", [ROUND, ROUND.lower(), ROUND.replace(" ", ""), ROUND.replace("05", "\n\t05 ")]
)
def test_hex(text):
    assert cards(decode("--hex", "-", data=text.encode())) == ["8S", "5C"]


def test_type_comes_first_and_rejections_are_no_failure():
    done = decode("-", data=b"noise")
    assert done.returncode == 0
    assert done.stdout == b'{"type":"frame_rejected","reason":"garbage","raw":"6E6F697365"}\n'


def test_a_pipe_is_decoded_as_it_comes():
    with subprocess.Popen(
        [*COMMAND, "angel-eye", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdin.write(bytes.fromhex(ROUND)[:10])
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["card"] == "8S"
        process.stdin.write(bytes.fromhex(ROUND)[10:])
        process.stdin.close()
        assert json.loads(process.stdout.readline())["card"] == "5C"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("05 31\n44 8G", "line 2, column 4"),
        ("05 3", "line 1, column 4"),
        ("0 5", "line 1, column 1"),
        ("05 \xff", "line 1, column 4"),
    ],
)
def test_bad_hex_names_the_place(text, place):
    done = decode("--hex", "-", data=text.encode("latin-1"))
    assert done.returncode == 2
    assert place in done.stderr.decode()
    assert len(done.stderr.splitlines()) == 1


def test_an_unknown_protocol_lists_what_there_is():
    done = decode("-", protocol="walker")
    assert done.returncode == 2
    assert b"angel-eye" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["nowhere.bin", "."])
def test_an_unreadable_file_is_one_clear_line(name, tmp_path):
    done = decode(str(Path(tmp_path, name)))
    assert done.returncode == 2
    assert b"name a readable file" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_empty_capture_says_nothing():
    done = decode("-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
