"""A display of one line of text that a profile describes, and the same display simulated. Lamps are one too:
their text names those that are lit.
"""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from controller.observations import LinkRestored, Observation
from controller.views.view import TableState
from drivers.displays.moments import TEXTS, caption, fault_in, samples
from drivers.options import checked
from drivers.text.codec import Codec
from drivers.text.cutter import Frame
from drivers.text.driver import TextDriver
from drivers.text.fields import TextField
from drivers.text.kind import Kind
from drivers.text.simulator import TextSimulator, Ways
from drivers.text.spelling import Value


class DisplaySettings(BaseModel):
    """`texts`: what is shown at a moment, in place of the profile's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    texts: dict[str, str] = Field(default_factory=dict)

    @field_validator("texts")
    @classmethod
    def _can_be_shown(cls, texts: dict[str, str]) -> dict[str, str]:
        for name, text in texts.items():
            if found := fault_in(name, text):
                raise ValueError(found)
        return texts


def settings(codec: Codec) -> type[DisplaySettings]:
    """The settings of a display that can show just this."""

    class Showable(DisplaySettings):
        @field_validator("texts")
        @classmethod
        def _each(cls, texts: dict[str, str]) -> dict[str, str]:
            for name, text in texts.items():
                if found := unshowable(codec, name, text):
                    raise ValueError(found)
            return texts

    return Showable


def unshowable(codec: Codec, name: str, text: str) -> str | None:
    """Why the text of a moment cannot be shown, as the rest of a sentence; None: it can."""
    for sample in samples(text):
        frame = drawn(codec, sample)
        pieces = codec.cutter().feed(frame) if frame else []
        heard = [codec.hear(piece) if isinstance(piece, Frame) else piece for piece in pieces]
        if heard != [("show", {"text": _cut(codec, sample)})]:
            return f"the display cannot show {sample!r}; write {name!r} with the characters that it has"
    return None


def drawn(codec: Codec, text: str) -> bytes | None:
    """What shows the text, cut to the length that the display takes; None: it cannot."""
    return codec.command("show", {"text": _cut(codec, text)})


def _cut(codec: Codec, text: str) -> str:
    (slot,) = (slot for slot in codec.commands["show"].slots if slot.property)
    field = codec.profile.field.get(slot.field)
    return text[: field.most] if isinstance(field, TextField) else text


class Shown(Observation, frozen=True):
    """The truth about a simulated display: what people read on it."""

    text: str


class TextDisplay(TextDriver):
    """Sends what is to be shown whenever that changes, and again when the display may have forgotten it."""

    def __init__(self, codec: Codec, settings: DisplaySettings) -> None:
        super().__init__(codec)
        self._texts: dict[str, str] = {**TEXTS, **codec.profile.show, **settings.texts}
        self._picture = b""
        self._reached = False

    def memory(self) -> dict[str, Any] | None:
        """All that it knows; what it shows is told anew at a start."""
        memory = super().memory()
        return None if memory is None else memory | {"reached": self._reached}

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that."""
        super().remember(memory)
        self._reached = memory["reached"]

    def show(self, state: TableState) -> None:
        """What the board audience may see now."""
        picture = drawn(self.codec, caption(state, self._texts)) or b""
        if picture != self._picture:
            self._picture = picture
            self._outgoing = bytearray(picture)

    def _restore(self) -> list[Observation]:
        self._outgoing = bytearray(self._picture)
        first, self._reached = not self._reached, True
        # A display says nothing by itself: that its port opened is all that is ever known of it.
        return super()._restore() or ([LinkRestored()] if first else [])


class Nothing(BaseModel):
    """A display does nothing by itself. `seed`: has no effect."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0


class TextScreen(TextSimulator):
    """`log` gets what is shown, else `truth` collects it. Raises ConfigurationError."""

    def __init__(
        self,
        codec: Codec,
        settings: DisplaySettings | None = None,
        *,
        ways: Ways | None = None,
        log: Callable[[Observation], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(codec, ways)
        checked(Nothing, "display", options)
        self.truth: list[Observation] = []
        self._log = log or self.truth.append

    def commanded(self, name: str, values: dict[str, Value]) -> Any:
        self._log(Shown(at=self.now, text=str(values.get("text", ""))))
        return super().commanded(name, values)


KIND = Kind(settings=settings, driver=TextDisplay, simulator=TextScreen)
