"""One profile on the wire, both roles, sans-I/O: frames to observations or commands, and back."""

import re
from collections.abc import Mapping

from controller.observations import DeviceFault, Observation
from drivers.text.checksums import checksum
from drivers.text.cutter import Cutter, Frame, Rejected
from drivers.text.fields import BUILT_IN
from drivers.text.patterns import Pattern, Reading, Slot
from drivers.text.phrase import Phrase
from drivers.text.profile import ORDER, Profile
from drivers.text.spelling import Run, Spelling, Value

DISCLOSED = DeviceFault(fault="order-disclosed", active=True)


class Codec:
    """Raises PatternError for a profile that `drivers.text.check` objects to."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._frame = profile.frame
        self._check = profile.checksum
        self._behind = self._check.behind if self._check else 0
        self._fields = {**BUILT_IN, **profile.field}
        messages = {name: (section, self.pattern(section.text)) for name, section in profile.message.items()}
        self.phrases = [
            Phrase(name, section, pattern)
            for name, (section, pattern) in messages.items()
            if section.means != ORDER
        ]
        self._orders = {
            name: pattern for name, (section, pattern) in messages.items() if section.means == ORDER
        }
        self.commands = {name: self.pattern(section.text) for name, section in profile.command.items()}
        #: what it sends is masked before it is kept
        self.discreet = profile.device.kind == "shuffler"
        self._watched = [self._with_check(phrase.pattern) for phrase in self.phrases]

    def pattern(self, text: str) -> Pattern:
        """A pattern with this profile's fields. Raises PatternError."""
        defaults = {name: field.default for name, field in self._fields.items()}
        return Pattern(text, self._spelling, defaults, self._frame.any_case)

    def cutter(self) -> Cutter:
        """A new one for this profile's frames, whoever sends them."""
        return Cutter(self._frame, self._behind, bool(self._check and self._check.spelling == "bytes"))

    @property
    def slots(self) -> bool:
        """It names the hand of each card."""
        return any(phrase.names_hands for phrase in self.phrases)

    @property
    def results(self) -> bool:
        """It reports a result of its own."""
        return any(phrase.section.means == "device_result" for phrase in self.phrases)

    # -- host ----------------------------------------------------------------------------------------

    def read(self, frame: Frame) -> tuple[Observation | None, Reading] | Rejected:
        """What a device's frame means (None: nothing) and says."""
        if self._is_order(frame):
            return DISCLOSED, Reading()
        text = self._checked(frame)
        if text is None:
            return Rejected("checksum", frame.raw)
        found = next((found for phrase in self.phrases if (found := phrase.read(text))), None)
        if found is not None:
            return found
        misfit = any(p.section.misfit == "payload" and p.pattern.is_headed(text) for p in self.phrases)
        return Rejected("payload" if misfit else "unknown", frame.raw)

    def command(self, name: str, values: Mapping[str, Value]) -> bytes | None:
        """The frame of a command; None: the profile has none of that name with just these values."""
        pattern = self.commands.get(name)
        text = pattern.spell(values) if pattern else None
        return None if text is None else self.framed(text)

    @property
    def orders(self) -> tuple[str, ...]:
        """The commands that need nothing but their name."""
        return tuple(name for name in self.commands if self.command(name, {}) is not None)

    def may_begin(self, content: bytes) -> bool:
        """So far this may become a frame that the profile knows and that is no order of undealt cards."""
        text = content.decode("latin-1")
        return any(pattern.begins(text) for pattern in (*self._orders.values(), *self._watched))

    # -- device --------------------------------------------------------------------------------------

    def say(self, observation: Observation) -> bytes | None:
        """What a device sends to say this; None: it has no word for it."""
        texts = (phrase.spell(observation) for phrase in self.phrases)
        text = next((text for text in texts if text is not None), None)
        return None if text is None else self.around(self.framed(text))

    def hear(self, frame: Frame) -> tuple[str, dict[str, Value]] | Rejected:
        """Which command a host's frame is, with its values."""
        text = self._checked(frame)
        if text is None:
            return Rejected("checksum", frame.raw)
        for name, pattern in self.commands.items():
            if reading := pattern.read(text):
                return name, reading.values
        return Rejected("unknown", frame.raw)

    def disclose(self, cards: str) -> bytes | None:
        """What a device sends that offers an order of undealt cards; None: this one cannot."""
        return next(iter(self.disclosures(cards).values()), None)

    def disclosures(self, cards: str) -> dict[str, bytes]:
        """The same for each message that begins one."""
        texts = {name: self._frame.closed(order.head + cards) for name, order in self._orders.items()}
        return {name: self.around(self.framed(text)) for name, text in texts.items()}

    def around(self, frame: bytes) -> bytes:
        """A frame with the blanks that a device sends before and behind it."""
        return self._frame.before.encode() + frame + self._frame.after.encode()

    # -- frames --------------------------------------------------------------------------------------

    def _is_order(self, frame: Frame) -> bool:
        text = frame.content.decode("latin-1")
        return any(order.is_headed(text) for order in self._orders.values())

    def _checked(self, frame: Frame) -> str | None:
        """The content without its checksum; None: that does not fit."""
        text = frame.content.decode("latin-1")
        if self._check is None:
            return text
        tail = len(self._check.separator) + self._check.digits
        if self._behind:
            content, check = text, frame.check.decode("latin-1")
        else:
            cut = max(0, len(text) - tail)
            content, check = text[:cut], text[cut:]
        if not content or not check.startswith(self._check.separator) or len(check) < tail:
            return None
        fits = self._check.fits(self._sum(content, self._end(frame)), check[-self._check.digits :])
        return content if fits else None

    def passes(self, ended: Frame, byte: int) -> bool:
        """It goes on with what must stand behind the end of this frame."""
        assert self._check is not None
        value = self._sum(ended.content.decode("latin-1"), self._end(ended))
        due = (self._check.separator + self._check.spelled(value))[len(ended.check) :]
        given = chr(byte).upper() if self._check.spelling == "hex" else chr(byte)
        return due.startswith(given)

    def framed(self, content: str) -> bytes:
        """The frame of a message's text, whoever sends it."""
        start, content, end = self._frame.wrap(content)
        if self._check is None:
            return f"{start}{content}{end}".encode("latin-1")
        check = self._check.separator + self._check.spelled(self._sum(content, end))
        text = f"{start}{content}{end}{check}" if self._behind else f"{start}{content}{check}{end}"
        return text.encode("latin-1")

    def _end(self, frame: Frame) -> str:
        """How the frame's end is spelled."""
        before = len(self._frame.wrap("")[0]) + len(frame.content)
        return frame.raw[before : len(frame.raw) - len(frame.check)].decode("latin-1")

    def _sum(self, content: str, end: str) -> int:
        assert self._check is not None
        start, separator = self._frame.wrap("")[0], self._check.separator
        parts = {"start": start, "content": content, "separator": separator, "end": end}
        covered = "".join(parts[part] for part in self._check.covers)
        return checksum(self._check.kind, covered.encode("latin-1"))

    # -- patterns ------------------------------------------------------------------------------------

    def _spelling(self, name: str, stop: str) -> Spelling | None:
        field = self._fields.get(name)
        return None if field is None else field.spelling(self.profile.card, self._frame.any_case, stop)

    def _with_check(self, pattern: Pattern) -> Pattern:
        """The pattern with the checksum that stands behind it before the frame's end."""
        if self._check is None or self._behind:
            return pattern
        tail = Slot("", "", _digits(self._check.digits))
        return pattern.followed_by(self._check.separator, tail)


def _digits(count: int) -> Spelling:
    return Run(
        re.compile(f"[0-9A-Fa-f]{{{count}}}"),
        re.compile(f"[0-9A-Fa-f]{{0,{count}}}"),
        lambda text: text,
        lambda value: str(value),
        [],
    )
