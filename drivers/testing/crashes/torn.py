"""Damage to the end of a write-ahead log, as a bad card does it: more than a power cut may do."""

import struct
from random import Random

HEADER, FRAME_HEADER = 32, 24
SECTOR = 512
#: So many of the last frames are in reach.
LAST = 12


def sound(log: bytes) -> list[int]:
    """Where each frame that counts begins: those of the header's own turn, in one piece. None: no log."""
    if len(log) < HEADER:
        return []
    size = FRAME_HEADER + int(struct.unpack_from(">I", log, 8)[0])
    frames = []
    for at in range(HEADER, len(log) - size + 1, size):
        if log[at + 8 : at + 16] != log[16:24]:
            break
        frames.append(at)
    return frames


def tear(log: bytes, draw: Random) -> bytes:
    """The log, cut off or garbled somewhere in its last commits."""
    frames = sound(log)
    if not frames:
        return log
    size = FRAME_HEADER + int(struct.unpack_from(">I", log, 8)[0])
    end = frames[-1] + size
    frame = draw.choice(frames[-LAST:])
    anywhere = draw.randrange(frames[-LAST:][0], end)
    match draw.choice(("cut", "cut at a frame", "cut at a page", "garble", "flip", "blank", "header")):
        case "cut":
            return log[:anywhere]
        case "cut at a frame":
            return log[:frame]
        case "cut at a page":
            return log[: frame + FRAME_HEADER]
        case "garble":
            return _over(log, anywhere, draw.randbytes(draw.randint(1, 600)))
        case "flip":
            return _over(log, anywhere, bytes([log[anywhere] ^ 1 << draw.randrange(8)]))
        case "blank":
            return _over(log, anywhere // SECTOR * SECTOR, bytes(SECTOR))
        case _:
            return _over(log, draw.randrange(HEADER), draw.randbytes(4))


def _over(log: bytes, at: int, data: bytes) -> bytes:
    return (log[:at] + data + log[at + len(data) :])[: len(log)]
