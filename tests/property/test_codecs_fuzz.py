"""The campaign of the codecs: a small part of it finds nothing, and it does find what it looks for."""

import json
import random
import subprocess
import sys

import pytest

from controller.cli.campaign import codec_words
from controller.observations import CardDrawn, FrameRejected
from controller.ports import Received, driver_names
from drivers.testing import codecs
from drivers.testing.mutations import KINDS, LONG, cut, make

INPUTS = 1000


def test_a_small_part_finds_nothing_and_leaves_nobody_out() -> None:
    report = codecs.report([codecs.attempt(number) for number in range(INPUTS)])
    assert report.faults == []
    assert report.inputs == INPUTS
    assert report.bytes > INPUTS * 100
    assert set(report.targets) == {target.name for target in codecs.targets()}
    assert {target.driver for target in codecs.targets()} == {*driver_names(), *codecs.PROFILES}
    assert sum(target.device for target in codecs.targets()) >= 12
    assert set(report.kinds) == set(KINDS)
    assert 0 < report.held < codecs.HELD
    assert report.understood > INPUTS
    assert codec_words(report).splitlines()[-1] == "faults: 0"


def test_the_command_gives_the_figures_and_can_repeat_an_input() -> None:
    words = (
        sys.executable,
        "-m",
        "controller",
        "campaign",
        "codecs",
        "--inputs",
        "3",
        "--seed",
        "41",
        "--json",
    )
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["inputs"], report["faults"]) == (3, [])
    alone = [codecs.attempt(number) for number in (41, 42, 43)]
    assert report["bytes"] == sum(one.size for one in alone)


class Broken:
    """A driver with every fault that is looked for, each when its byte comes."""

    runs = 0

    def __init__(self) -> None:
        self.kept = bytearray()
        Broken.runs += 1

    def apply(self, signal):
        if not isinstance(signal, Received):
            return []
        data = signal.data
        if data[:1] == b"r":
            raise ValueError("a bad byte")
        if data[:1] == b"h":
            self.kept += data
        return {
            b"s": [CardDrawn(card="2C")] * len(data),
            b"c": [CardDrawn(card="2C")],
            b"n": [CardDrawn(card="2C")] * (Broken.runs > 1),
            b"u": [CardDrawn(card="XX")],
            b"m": [FrameRejected(reason="garbage", raw=(data * 2).hex().upper())],
        }.get(data[:1], [])

    def deadline(self):
        return None

    def outgoing(self):
        return b""


@pytest.mark.parametrize(
    ("data", "kind", "says"),
    [
        (b"rest", "random", "raised ValueError: a bad byte at "),
        (b"ccc", "random", "is understood otherwise in other reads"),
        (b"n", "random", "is understood otherwise again"),
        (b"m", "random", "more bytes are rejected than came"),
        (b"h" * 500_000, "endless", "bytes are held"),
    ],
)
def test_each_fault_is_found(data: bytes, kind: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Broken, "runs", 0)
    real = codecs.find_driver("bee-tek-a")
    broken = type(real)(kind="shoe", settings=real.settings, driver=lambda _: Broken())
    monkeypatch.setattr(codecs, "_spec", lambda _: broken)
    monkeypatch.setattr(codecs, "targets", lambda: (codecs.Target("broken", "bee-tek-a", {}, False),))
    monkeypatch.setattr(codecs, "_corpora", lambda _: [b"x"])
    monkeypatch.setattr(codecs, "make", lambda *_: (kind, data))
    faults = codecs.attempt(7).faults
    assert any(says in fault for fault in faults), faults


def test_inputs_are_as_their_kinds_say() -> None:
    rng = random.Random(1)
    corpora = [b":PUT 1 player 25#AAAA\r\n" * 20, b"*0D03D7\r\n" * 20]
    sizes = {kind: [len(how(rng, corpora)) for _ in range(50)] for kind, (_, how) in KINDS.items()}
    assert set(sizes["endless"]) == {LONG}
    assert max(size for kind, found in sizes.items() if kind != "endless" for size in found) < 2000
    assert all(KINDS["heard"][1](rng, corpora) in corpora[0] for _ in range(50))
    assert make(random.Random(5), corpora) == make(random.Random(5), corpora)


def test_cuts_are_the_same_bytes() -> None:
    rng = random.Random(2)
    for size in range(200):
        data = rng.randbytes(size)
        reads = cut(rng, data)
        assert b"".join(reads) == data
        assert all(reads)
