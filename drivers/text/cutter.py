"""Cuts a stream of text into frames, lines or tags, the same however it is cut into reads. Sans-I/O."""

from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import Field

from drivers.text.section import Section, spelled

BLANKS = b" \t\r\n"  # between frames they mean nothing
MAX_GARBAGE = 4096  # bytes of one rejection of garbage; a longer run is reported in parts


class _Frame(Section):
    """`most`: characters that a frame may have without its end. `any_case`: A and a are the same letter.

    `before`, `after`: what a device sends around a frame, which means nothing. `echo`: the field whose
    characters the device may repeat once behind a frame, to be passed over.
    """

    most: int = Field(default=128, ge=8, le=1024)
    any_case: bool = False
    before: Annotated[str, spelled(r"[ \t\r\n]*", "blanks")] = ""
    after: Annotated[str, spelled(r"[ \t\r\n]*", "blanks")] = ""
    echo: str = ""


class LineFrame(_Frame):
    """`start`: the character that begins a line; empty: any that is no blank. `end`: what ends one, the
    spelling that is sent first.
    """

    grammar: Literal["line"]
    start: Annotated[str, spelled(r"[\x01-\x7e]?", "one ASCII character, or none")] = ""
    end: list[str] = Field(default=["\r\n", "\n"], min_length=1)

    @property
    def marks(self) -> bytes:
        """The characters that frames are told by."""
        return (self.start + "".join(self.end)).encode("latin-1")

    def begins(self, byte: int) -> bool:
        return byte == ord(self.start) if self.start else byte not in BLANKS

    def restarts(self, held: bytes, byte: int) -> bool:
        return bool(self.start) and byte == ord(self.start)

    def content(self, held: bytes) -> tuple[int, int] | None:
        """Where the content of a whole frame lies; None: it is not whole."""
        for end in sorted(self.end, key=len, reverse=True):
            if held.endswith(end.encode("latin-1")):
                return len(self.start), max(len(held) - len(end), len(self.start))
        return None

    def wrap(self, content: str) -> tuple[str, str, str]:
        """What stands before, in and behind a frame's content."""
        return self.start, content, self.end[0]

    def closed(self, content: str) -> str:
        """The content with its last bracket."""
        return content


Brackets = Annotated[str, spelled(r"[\x21-\x7e]{2}", "two brackets, the one that opens first")]


class TagFrame(_Frame):
    """A body in brackets, with a tag in other brackets straight before it, or bare."""

    grammar: Literal["tags"]
    tag: Brackets = "[]"
    body: Brackets = "<>"

    @property
    def marks(self) -> bytes:
        return (self.tag + self.body).encode("latin-1")

    def begins(self, byte: int) -> bool:
        return byte in (ord(self.tag[0]), ord(self.body[0]))

    def restarts(self, held: bytes, byte: int) -> bool:
        return self.begins(byte) and not (byte == ord(self.body[0]) and self._tag_length(held) == len(held))

    def content(self, held: bytes) -> tuple[int, int] | None:
        body = self._tag_length(held)
        closed = held.endswith(self.body[1].encode("latin-1"))
        return (0, len(held)) if closed and held[body : body + 1] == self.body[0].encode("latin-1") else None

    def wrap(self, content: str) -> tuple[str, str, str]:
        return "", content, ""

    def closed(self, content: str) -> str:
        return content if content.endswith(self.body[1]) else content + self.body[1]

    def _tag_length(self, held: bytes) -> int:
        """The length of the whole tag that `held` begins with; 0: none."""
        if held[:1] != self.tag[0].encode("latin-1"):
            return 0
        return held.find(self.tag[1].encode("latin-1")) + 1


class Grammar(Protocol):
    """What the cutter asks of a frame section."""

    @property
    def most(self) -> int: ...

    def begins(self, byte: int) -> bool: ...

    def restarts(self, held: bytes, byte: int) -> bool: ...

    def content(self, held: bytes) -> tuple[int, int] | None: ...


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole frame; `check`: the characters of a checksum behind its end."""

    raw: bytes
    content: bytes
    check: bytes = b""


@dataclass(frozen=True, slots=True)
class Rejected:
    """Bytes that are no frame, kept as they came."""

    reason: Literal["checksum", "payload", "overflow", "garbage", "unknown"]
    raw: bytes


class Cutter:
    """`behind`: characters of a checksum behind a frame's end; `any_byte`: each may be anything. Holds at
    most `MAX_GARBAGE` bytes.

    A frame's first character inside an unfinished frame restarts it there; what is abandoned is garbage. A
    run of other text between frames is one garbage, from its first to its last character that is no blank.
    """

    def __init__(self, grammar: Grammar, behind: int = 0, any_byte: bool = False) -> None:
        self._grammar = grammar
        self._behind = behind
        self._any_byte = any_byte
        self._held = bytearray()
        self._ended = 0  # the length of the frame without what stands behind its end; 0: that has not come
        self.inside = False  # a frame

    @property
    def held(self) -> bytes:
        """Taken, and not yet part of anything."""
        return bytes(self._held)

    def fork(self) -> "Cutter":
        """Another one in the same place of the stream."""
        other = Cutter(self._grammar, self._behind, self._any_byte)
        other._held, other._ended, other.inside = bytearray(self._held), self._ended, self.inside
        return other

    def feed(self, data: bytes) -> list[Frame | Rejected]:
        """What these bytes complete, as early as that is certain."""
        pieces: list[Frame | Rejected] = []
        for byte in data:
            self._take(byte, pieces)
        return pieces

    def end(self) -> list[Frame | Rejected]:
        """Nothing more belongs to what is held: one garbage, if anything is."""
        raw = self._release()
        return [Rejected("garbage", raw)] if raw else []

    @property
    def ended(self) -> Frame | None:
        """The frame that is held but for the rest of its checksum; None: its end has not come."""
        return self._frame() if self._ended else None

    def _take(self, byte: int, pieces: list[Frame | Rejected]) -> None:
        if self.inside:
            self._inside(byte, pieces)
        elif self._grammar.begins(byte):
            self._begin(byte, pieces)
        elif self._held or byte not in BLANKS:
            self._held.append(byte)
            if len(self._held) == MAX_GARBAGE:
                pieces += self.end()

    def _begin(self, byte: int, pieces: list[Frame | Rejected]) -> None:
        pieces += self.end()
        self.inside = True
        self._hold(byte, pieces)

    def _inside(self, byte: int, pieces: list[Frame | Rejected]) -> None:
        may_restart = not (self._ended and self._any_byte)
        if may_restart and self._grammar.restarts(bytes(self._held), byte):
            self._begin(byte, pieces)
        else:
            self._hold(byte, pieces)

    def _hold(self, byte: int, pieces: list[Frame | Rejected]) -> None:
        self._held.append(byte)
        if not self._ended and self._grammar.content(bytes(self._held)):
            self._ended = len(self._held)
        if self._ended and len(self._held) == self._ended + self._behind:
            pieces.append(self._frame())
            self._release()
        elif not self._ended and len(self._held) > self._grammar.most:
            pieces.append(Rejected("overflow", self._release()))

    def _frame(self) -> Frame:
        held = bytes(self._held)
        whole = held[: self._ended]
        start, end = self._grammar.content(whole) or (0, 0)
        return Frame(held, whole[start:end], held[self._ended :])

    def _release(self) -> bytes:
        held = bytes(self._held)
        raw = held if self.inside else held.rstrip(BLANKS)
        self._held.clear()
        self._ended, self.inside = 0, False
        return raw
