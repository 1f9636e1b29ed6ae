"""Angel Eye II-EX: recorded frames decode the same however they are cut, and encode back."""

import json
import random
from pathlib import Path

import msgspec
import pytest

from controller.observations import FrameRejected
from controller.ports import Ended, Received, observe
from drivers.shoes.angel_eye.codec import (
    FROM_HOST,
    MAX_GARBAGE,
    Ack,
    Command,
    Decoder,
    Nak,
    Rejected,
    Reply,
    Report,
)
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.meaning import read, spell

CASES = json.loads((Path(__file__).parents[1] / "data/wire/angel_eye.json").read_text())
STREAMS = [case for case in CASES if "hex" in case]


def named(cases):
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def plain(observations):
    """As JSON, without the time."""
    decoded = msgspec.json.decode(msgspec.json.encode(observations))
    return [{k: v for k, v in one.items() if k != "at"} for one in decoded]


def decode(reads):
    return plain(observe(AngelEyeDriver(), [*(Received(data=data) for data in reads), Ended()]))


def test_the_recorded_cases_are_all_there():
    assert len(CASES) == 98
    assert len(STREAMS) == 88


@named(STREAMS)
def test_whole(case):
    assert decode([bytes.fromhex(case["hex"])]) == case["observations"]


@named(STREAMS)
def test_byte_by_byte(case):
    assert decode([bytes([byte]) for byte in bytes.fromhex(case["hex"])]) == case["observations"]


@named(STREAMS)
def test_in_random_chunks(case):
    data = bytes.fromhex(case["hex"])
    rng = random.Random(case["name"])
    for _ in range(10):
        cuts = sorted(rng.choices(range(len(data) + 1), k=rng.randint(1, 12)))
        reads = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        assert decode(reads) == case["observations"]


@named([case for case in CASES if "chunks" in case])
def test_each_observation_is_out_as_early_as_it_is_certain(case):
    driver = AngelEyeDriver()
    seen = []
    for chunk, emitted in zip(case["chunks"], case["emitted"], strict=True):
        seen += driver.apply(Received(data=bytes.fromhex(chunk)))
        assert len(seen) == emitted
    assert plain(seen + driver.apply(Ended())) == case["observations"]


@named([case for case in CASES if "timed" in case])
def test_copies_are_told_by_time(case):
    signals = [Received(at=at, data=bytes.fromhex(data)) for at, data in case["timed"]]
    seen = observe(AngelEyeDriver(), signals)
    assert plain(seen) == case["observations"]
    assert all(one.at in [signal.at for signal in signals] for one in seen)


@named([case for case in CASES if "command" in case])
def test_commands_encode_under_either_checksum_and_decode_on_the_shoe_s_side(case):
    for checksum, key in (("with-stx", "bcc_with_stx"), ("without-stx", "bcc_without_stx")):
        command = Command(case["command"]["type"], case["command"]["data"], checksum)
        raw = bytes.fromhex(case[key])
        assert command.raw == raw
        assert Decoder(FROM_HOST).feed(raw) == [command]


@named(STREAMS)
def test_every_byte_comes_back_in_one_frame(case):
    data = bytes.fromhex(case["hex"])
    decoder = Decoder()
    frames = decoder.feed(data) + decoder.end()
    assert b"".join(frame.raw for frame in frames) == data


@named(STREAMS)
def test_undamaged_reports_encode_to_their_own_bytes(case):
    for frame in Decoder().feed(bytes.fromhex(case["hex"])):
        if not isinstance(frame, Report):
            continue
        meaning = read(frame)
        if isinstance(meaning, str):
            continue
        # A draw number that means nothing (outside a game, burned) is not part of the observation.
        code, payload = spell(meaning, number=frame.payload[0] & 15 if frame.payload else 0)
        assert read(Report(frame.sequence, code, payload)) == meaning
        if frame.code in "DdRSPCELe":
            assert (code, payload) == (frame.code, frame.payload)


def test_the_shoe_s_side_refuses_what_is_no_command():
    bad = Command("LK", "01").raw[:-1] + b"0"
    odd = b"\x02OPLOCK\x03" + b"5F"
    report = Report("1", "P").raw
    assert [type(f) for f in Decoder(FROM_HOST).feed(b"\x06\x15\x02")] == [Ack, Nak]
    assert Decoder(FROM_HOST).feed(bad) == [Rejected("checksum", bad)]
    assert Decoder(FROM_HOST).feed(report) == [Rejected("unknown", report)]
    assert Decoder(FROM_HOST).feed(odd)[0].reason in ("checksum", "payload")


def test_a_reply_is_whole_under_either_checksum():
    for checksum in ("with-stx", "without-stx"):
        raw = Command("LK", "01", checksum).raw
        assert Decoder().feed(raw) == [Reply(raw)]


def test_wrong_speed_is_garbage_in_bounded_parts():
    noise = b"\x80\xfe" * (MAX_GARBAGE + 50)
    decoder = Decoder()
    frames = decoder.feed(noise) + decoder.end()
    assert [len(frame.raw) for frame in frames] == [MAX_GARBAGE, MAX_GARBAGE, 100]
    assert {frame.reason for frame in frames} == {"garbage"}


def test_an_etx_as_the_129th_byte_is_in_time():
    body = b"1" * 127 + b"\x03"
    frames = Decoder().feed(b"\x05" + body + b"%02X" % (ord("1") ^ 3))
    assert len(frames) == 1
    assert isinstance(frames[0], Report)


def test_a_frame_with_no_room_for_a_code_is_one_bad_payload():
    signals = [Received(data=b"\x05\x03" + b"03"), Ended()]
    assert observe(AngelEyeDriver(), signals) == [FrameRejected(reason="payload", raw="05033033")]
