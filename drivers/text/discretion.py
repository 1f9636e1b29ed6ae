"""Keeps an order of undealt cards out of every record: what such a device sends is masked before it is kept.

Only the bytes of frames that its profile knows pass; in an order, an unknown frame and garbage each character
is replaced by SUB (1A). Masking leaves frames where they are, so that a masked stream reads as the first did,
and masking it again changes nothing.
"""

from drivers.text.check import MASK
from drivers.text.codec import Codec
from drivers.text.cutter import BLANKS, Cutter


def masked(codec: Codec, cutter: Cutter, data: bytes) -> bytes:
    """`data` as it may be kept; `cutter`, in its place of the stream, is fed with it."""
    plain = BLANKS + codec.profile.frame.marks
    kept = bytearray()
    for byte in data:
        kept.append(byte if byte in plain or _passes(codec, cutter, byte) else ord(MASK))
        cutter.feed(bytes(kept[-1:]))
    return bytes(kept)


def _passes(codec: Codec, cutter: Cutter, byte: int) -> bool:
    if not cutter.inside:
        return False
    start = len(codec.profile.frame.wrap("")[0])
    return cutter.content is not None or codec.may_begin(cutter.held[start:] + bytes([byte]))
