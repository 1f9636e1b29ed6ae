"""A driver in a package of its own, installed beside the product, is found by its name."""

import json
import os
import subprocess
import sys

import pytest
from vendor import installed


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return installed(tmp_path_factory.mktemp("site"))


def tablectl(site, *arguments, data=b""):
    return subprocess.run(
        [sys.executable, "-m", "controller", *map(str, arguments)],
        input=data,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(site)},
        timeout=60,
    )


def test_it_decodes(site):
    done = tablectl(site, "decode", "--protocol", "example-shoe", "-", data=b"8S\n??\nTD\nK")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"type": "card_drawn", "card": "8S"},
        {"type": "frame_rejected", "reason": "garbage", "raw": "3F3F0A"},
        {"type": "card_drawn", "card": "TD"},
        {"type": "frame_rejected", "reason": "garbage", "raw": "4B"},
    ]


def test_it_is_simulated_and_read_back(site, tmp_path):
    """Its simulator deals a deck at a thousand times the speed of a table; a plain program reads the port."""
    path, truth = tmp_path / "shoe", tmp_path / "truth"
    simulating = [sys.executable, "-m", "controller", "sim", "example-shoe", "--link", f"pty:{path}"]
    simulating += ["--decks", "1", "--shoes", "1", "--speed", "1000", "--truth", str(truth)]
    with subprocess.Popen(
        simulating, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(site)}
    ) as process:
        assert b"waiting for a host" in process.stderr.readline()
        with path.open("rb", buffering=0) as port:
            heard = b""
            while heard.count(b"\n") < 52:
                heard += port.read(4096)
        assert process.wait(60) == 0
    dealt = [json.loads(line)["card"] for line in truth.read_text().splitlines()]
    assert heard.decode().split() == dealt
    done = tablectl(site, "decode", "--protocol", "example-shoe", "-", data=heard)
    assert [json.loads(line)["card"] for line in done.stdout.splitlines()] == dealt


def test_without_it_the_name_is_unknown(tmp_path):
    done = tablectl(tmp_path, "decode", "--protocol", "example-shoe", "-")
    assert done.returncode == 2
    assert b"angel-eye" in done.stderr
    assert len(done.stderr.splitlines()) == 1
