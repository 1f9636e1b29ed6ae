"""Angel Eye II-EX under any bytes whatever: nothing raises, nothing is lost, nothing grows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.observations import FrameRejected, Observation
from controller.ports import Ended, Lost, Received, Restored, Resumed, Silence
from drivers.shoes.angel_eye.codec import (
    FROM_HOST,
    FROM_SHOE,
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
from drivers.shoes.angel_eye.meaning import read

FRAMES = (Report, Ack, Nak, Reply, Command, Rejected)

reports = st.builds(
    Report,
    st.sampled_from("0123456789AZ"),
    st.sampled_from("SPDdRCGEeLMX"),
    st.binary(max_size=6).map(lambda payload: bytes(byte | 0x80 for byte in payload)),
)
#: Bytes that mean something, so that a stream is more than garbage.
marks = st.sampled_from([b"\x02", b"\x03", b"\x05", b"\x06", b"\x15", b"\x05" + b"x" * 128])
pieces = st.one_of(reports.map(lambda report: report.raw), marks, st.binary(max_size=8))


@st.composite
def streams(draw):
    """Reports, marks and noise, some bytes spoilt, cut into reads."""
    data = bytearray(b"".join(draw(st.lists(pieces, max_size=12))))
    if data:
        for place, bits in draw(
            st.lists(st.tuples(st.integers(0, len(data) - 1), st.integers(1, 255)), max_size=3)
        ):
            data[place] ^= bits
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=6)))
    return [bytes(data[a:b]) for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


@settings(max_examples=10_000)
@given(streams(), st.sampled_from([FROM_SHOE, FROM_HOST]))
def test_any_stream_comes_back_whole_as_typed_frames(reads, readers):
    decoder, frames = Decoder(readers), []
    for data in reads:
        frames += decoder.feed(data)
        assert decoder.held < MAX_GARBAGE
    frames += decoder.end()
    assert b"".join(frame.raw for frame in frames) == b"".join(reads)
    assert all(isinstance(frame, FRAMES) for frame in frames)
    assert decoder.held == 0
    assert frames == [*(whole := Decoder(readers)).feed(b"".join(reads)), *whole.end()]


def signals_of(reads):
    times = st.floats(0, 2)
    breaks = st.sampled_from([Silence, Lost, Restored, Resumed])
    return st.lists(st.one_of(st.sampled_from(reads), breaks), max_size=12).flatmap(
        lambda happenings: st.tuples(
            st.just(happenings),
            st.lists(times, min_size=len(happenings), max_size=len(happenings)),
        )
    )


@settings(max_examples=2_000)
@given(streams().flatmap(signals_of))
def test_the_driver_raises_for_nothing_and_observes_the_same_again(script):
    happenings, pauses = script
    first, again = AngelEyeDriver(), AngelEyeDriver()
    at = 0.0
    for happening, pause in zip(happenings, pauses, strict=True):
        at += pause
        signal = Received(at=at, data=happening) if isinstance(happening, bytes) else happening(at=at)
        seen = first.apply(signal)
        assert all(isinstance(one, Observation) and one.at == at for one in seen)
        assert again.apply(signal) == seen
        assert first.deadline() == again.deadline()


@settings(max_examples=2_000)
@given(streams())
def test_rejections_intact_reports_and_answers_are_the_whole_stream(reads):
    driver, observed = AngelEyeDriver(), []
    for data in reads:
        observed += driver.apply(Received(data=data))
    observed += driver.apply(Ended())
    rejected = sum(len(one.raw) // 2 for one in observed if isinstance(one, FrameRejected))
    frames = [*(decoder := Decoder()).feed(b"".join(reads)), *decoder.end()]
    kept, copies = 0, 0
    last, run = None, 0
    for frame in frames:
        if isinstance(frame, (Ack, Nak)):
            kept += len(frame.raw)
        elif isinstance(frame, Report):
            run = run % 3 + 1 if frame == last else 1
            last = frame
            if run > 1:
                copies += len(frame.raw)
            elif not isinstance(read(frame), str):
                kept += len(frame.raw)
    assert rejected + kept + copies == sum(map(len, reads))
