"""The clients of the latency bench count each card once, however its bytes arrive."""

import pytest

from controller.bench.latency import _Stream

EVENTS = b'1f\r\nid: 7\nevent: card_dealt\ndata: {}\n\nevent: state\ndata: {"card_dealt":0}\n\n\r\n' * 3


@pytest.mark.parametrize("size", [1, 2, 16, 17, 18, 40, 1000])
def test_a_card_in_pieces_is_one_card(size: int) -> None:
    stream = _Stream()
    for at in range(0, len(EVENTS), size):
        stream.take(EVENTS[at : at + size])
    assert len(stream.arrived) == 3
    assert stream.arrived == sorted(stream.arrived)


def test_a_stream_that_ends_is_told() -> None:
    with pytest.raises(EOFError, match="ended"):
        _Stream().take(b"")
