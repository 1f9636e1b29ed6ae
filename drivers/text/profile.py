"""What a device profile holds: a line- or tag-based device described as data, one TOML file each."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from drivers.text.checksums import bits
from drivers.text.cutter import LineFrame, TagFrame
from drivers.text.fields import CardSpelling, FieldSection
from drivers.text.section import Section, is_table, like, spelled

#: A message may mean one of its kind's observations, or one of these.
NOTHING = "nothing"  # understood, and of no consequence
ORDER = "order_disclosed"  # begins an order of undealt cards: what follows is discarded before it is kept
#: The character that stands for one that must not be kept.
MASK = "\x1a"

Part = Literal["start", "content", "separator", "end"]
ChecksumSpelling = Literal["hex-upper", "hex-lower", "hex", "decimal", "bytes"]
#: Characters of a checksum of 8 and of 16 bits.
WIDTHS: Mapping[ChecksumSpelling, tuple[int, int]] = {
    "hex-upper": (2, 4),
    "hex-lower": (2, 4),
    "hex": (2, 4),
    "decimal": (3, 5),
    "bytes": (1, 2),
}


class DeviceSection(Section):
    """`title`: what the device is, in a few words; `source`: where its protocol is described."""

    kind: Literal["shoe", "shuffler", "display", "sensor"]
    title: str = Field(min_length=1, max_length=80)
    source: str = ""


class LineSection(Section):
    """How the serial port is set where its address does not say."""

    baud: Literal[1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200] = 9600
    bits: Literal[7, 8] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stop: Literal[1, 2] = 1
    dtr: bool | None = None
    rts: bool | None = None

    def serial(self) -> dict[str, Any]:
        """As links take it."""
        line = {**self.model_dump(), "parity": self.parity[0].upper()}
        return {name: value for name, value in line.items() if value is not None}


class ChecksumSection(Section):
    """`covers`: the parts of a frame it is computed over, in the order in which they are sent. `separator`:
    stands straight before it. `place`: before the frame's end or behind it. `spelling`: in digits, or the
    bytes themselves. `order`: which byte of two comes first.
    """

    kind: str
    covers: list[Part] = Field(default=["content"], min_length=1)
    spelling: ChecksumSpelling = "hex-upper"
    order: Literal["high-first", "low-first"] = "high-first"
    separator: Annotated[str, spelled(r"[\x20-\x7e]{0,4}", "up to four printable ASCII characters")] = ""
    place: Literal["before-end", "behind-end"] = "before-end"

    @property
    def digits(self) -> int:
        """Characters that it takes, without the separator."""
        return WIDTHS[self.spelling][bits(self.kind) == 16]

    @property
    def behind(self) -> int:
        """Characters behind the frame's end."""
        return len(self.separator) + self.digits if self.place == "behind-end" else 0

    def spelled(self, value: int) -> str:
        """The value as it is sent."""
        if self.order == "low-first":
            value = value >> 8 | value << 8 & 0xFF00
        if self.spelling == "bytes":
            return value.to_bytes(self.digits, "big").decode("latin-1")
        if self.spelling == "decimal":
            return f"{value:0{self.digits}d}"
        return f"{value:0{self.digits}{'x' if self.spelling == 'hex-lower' else 'X'}}"

    def fits(self, value: int, text: str) -> bool:
        """`text` spells the value."""
        return self.spelled(value) == (text.upper() if self.spelling == "hex" else text)


class MessageSection(Section):
    """What a device says. `means`: the observation it becomes; `set`: properties that it always has.

    `misfit`: why a text that begins like it and does not fit is rejected.
    """

    text: str = Field(min_length=1)
    means: str
    set: Annotated[dict[str, str | int | bool], like(is_table, 'a table, as { slot = "burn" }')] = Field(
        default_factory=dict
    )
    misfit: Literal["payload", "unknown"] = "payload"


class CommandSection(Section):
    """What a host says."""

    text: str = Field(min_length=1)


class Profile(Section):
    """A whole profile. Order counts in `message`: a text is what the first that fits says it is."""

    device: DeviceSection
    link: LineSection = LineSection()
    frame: LineFrame | TagFrame = Field(discriminator="grammar")
    checksum: ChecksumSection | None = None
    card: CardSpelling = CardSpelling()
    field: dict[str, FieldSection] = Field(default_factory=dict)
    message: dict[str, MessageSection] = Field(default_factory=dict)
    command: dict[str, CommandSection] = Field(default_factory=dict)
    show: dict[str, str] = Field(default_factory=dict)
