"""Keeps an order of undealt cards out of every record: what such a device sends is masked before it is kept.

Only the bytes of frames that its profile knows pass, and of a checksum behind a frame's end those that fit;
in an order, an unknown frame and garbage each character is replaced by SUB (1A). Masking leaves frames where
they are, so that a masked stream reads as the first did, and masking it again changes nothing.
"""

from drivers.text.codec import Codec
from drivers.text.cutter import BLANKS, Cutter
from drivers.text.profile import MASK

SUB = ord(MASK)
NUL = 0  # for a wrong byte of a checksum whose right one is SUB


def masked(codec: Codec, cutter: Cutter, data: bytes) -> bytes:
    """`data` as it may be kept; `cutter`, in its place of the stream, is fed with it."""
    plain = BLANKS + codec.profile.frame.marks
    kept = bytearray()
    for byte in data:
        kept.append(_kept(codec, cutter, byte, plain))
        cutter.feed(bytes(kept[-1:]))
    return bytes(kept)


def _kept(codec: Codec, cutter: Cutter, byte: int, plain: bytes) -> int:
    if byte in plain:
        return byte
    if ended := cutter.ended:
        mask = NUL if codec.passes(ended, SUB) else SUB
        return byte if codec.passes(ended, byte) else mask
    frame = codec.profile.frame
    if not (cutter.inside or frame.begins(byte)):
        return SUB
    # A line without a first character of its own begins with its content.
    content = cutter.held[len(frame.wrap("")[0]) :] if cutter.inside else b""
    return byte if codec.may_begin(content + bytes([byte])) else SUB
