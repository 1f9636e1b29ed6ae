"""Bytes that nobody should send: seeded, from what devices really say."""

import random
from collections.abc import Callable, Mapping, Sequence

SHORT = 400  # bytes of most inputs
LONG = 32_768  # bytes without an end
#: What formats are fond of: marks, ends, brackets, signs, bytes at the edges.
FOND = (
    b"\x00", b"\x01", b"\x02", b"\x03", b"\x04", b"\x05", b"\x06", b"\x15", b"\x1b", b"\r", b"\n", b"\r\n",
    b" ", b"\t", b"\x7f", b"\x80", b"\xff", b"[", b"]", b"<", b">", b"{", b"}", b"(", b"*", b"#", b":", b"?",
    b"+", b"-", b"0", b"9", b"A", b"F", b"Z", b"\xc3", b"\xe2\x80\xae", b"%s", b"%n", b"\\", b"\x05" * 3,
)  # fmt: skip

Corpora = Sequence[bytes]  # what this target hears, first; then what the others do
Make = Callable[[random.Random, Corpora], bytes]


def _random(rng: random.Random, _: Corpora) -> bytes:
    return rng.randbytes(rng.randrange(SHORT))


def _piece(rng: random.Random, corpus: bytes, most: int = SHORT) -> bytes:
    begin = rng.randrange(max(1, len(corpus)))
    return corpus[begin : begin + rng.randrange(1, most)]


def _heard(rng: random.Random, corpora: Corpora) -> bytes:
    return _piece(rng, corpora[0])


def _mutated(rng: random.Random, corpora: Corpora) -> bytes:
    data = bytearray(_piece(rng, corpora[0]))
    for _ in range(rng.randrange(1, 8)):
        place = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0 if place < len(data):
                data[place] ^= 1 << rng.randrange(8)
            case 1 if place < len(data):
                data[place] = rng.randrange(256)
            case 2:
                data[place:place] = rng.choice(FOND) * rng.randrange(1, 5)
            case 3:
                del data[place : place + rng.randrange(1, 9)]
            case _:
                data[place:place] = data[max(0, place - rng.randrange(1, 40)) : place]
    return bytes(data)


def _truncated(rng: random.Random, corpora: Corpora) -> bytes:
    """Beginnings of frames, over and over."""
    return b"".join(_piece(rng, corpora[0], 24) for _ in range(rng.randrange(2, 20)))


def _joined(rng: random.Random, corpora: Corpora) -> bytes:
    """As where two devices share a line, or a port was mixed up."""
    return b"".join(_piece(rng, rng.choice(corpora), 60) for _ in range(rng.randrange(2, 10)))


def _marks(rng: random.Random, corpora: Corpora) -> bytes:
    own = bytes(sorted(set(corpora[0]))) or b"\x00"
    parts = (rng.choice(FOND) if rng.random() < 0.3 else bytes([rng.choice(own)]) for _ in range(SHORT))
    return b"".join(parts)[: rng.randrange(1, SHORT)]


def _endless(rng: random.Random, corpora: Corpora) -> bytes:
    """A frame that begins and never ends, or one mark without end."""
    unit = rng.choice([_piece(rng, corpora[0], 12), rng.choice(FOND), bytes([rng.randrange(256)])])
    head = _piece(rng, corpora[0], 12)
    return (head + unit * (LONG // len(unit) + 1))[:LONG]


#: kind -> (how often, how made)
KINDS: Mapping[str, tuple[int, Make]] = {
    "random": (20, _random),
    "heard": (10, _heard),
    "mutated": (35, _mutated),
    "truncated": (15, _truncated),
    "joined": (10, _joined),
    "marks": (19, _marks),
    "endless": (1, _endless),
}


def make(rng: random.Random, corpora: Corpora) -> tuple[str, bytes]:
    """(kind, bytes) of the next input."""
    (kind,) = rng.choices(list(KINDS), [often for often, _ in KINDS.values()])
    return kind, KINDS[kind][1](rng, corpora)


def cut(rng: random.Random, data: bytes) -> list[bytes]:
    """The same bytes in other reads: byte by byte, or anyhow."""
    if rng.random() < 0.2 and len(data) < SHORT:
        return [data[place : place + 1] for place in range(len(data))]
    cuts = sorted(rng.choices(range(len(data) + 1), k=rng.randint(1, 12)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True) if a < b]
