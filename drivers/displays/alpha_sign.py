"""An LED message sign on a serial line with the Alpha protocol (BetaBrite and others), real and simulated."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import Field

from controller.observations import FrameRejected, LinkLost, LinkRestored, Observation
from controller.ports import AnySignal, Driver, DriverSpec, Lost, Received, Restored, Resumed, Simulator
from controller.views.view import TableState
from drivers.displays.alpha import Colour, Decoder, Text
from drivers.displays.moments import TEXTS, Moment, caption, moment
from drivers.displays.text import DisplaySettings, Nothing, Shown
from drivers.options import checked

COLOURS: Mapping[Moment, Colour] = {"betting": "green", "player": "amber", "banker": "red", "tie": "green"}


class SignSettings(DisplaySettings):
    """`type`, `address`: of the sign, by default any. `label`: the text file that is written. `width`:
    characters that stand still; a longer text rotates. `checksum`: send one.
    """

    type: str = Field(default="Z", pattern=r"^[\x21-\x7e]$")
    address: str = Field(default="00", pattern=r"^[0-9A-F?]{2}$")
    label: str = Field(default="A", pattern=r"^[\x20-\x7e]$")
    width: int = Field(default=14, ge=4, le=200)
    checksum: bool = True


class AlphaSign:
    """Sends what is to be shown whenever that changes, and again when the sign may have forgotten it."""

    def __init__(self, settings: SignSettings) -> None:
        self._settings = settings
        self._texts: dict[str, str] = {**TEXTS, **settings.texts}
        self._down: bool | None = None  # None: it was never reached
        self._picture = b""
        self._outgoing = b""

    def apply(self, signal: AnySignal) -> list[Observation]:
        """What the signal means. A sign is asked nothing, so whatever it says is a rejection."""
        match signal:
            case Received(data=data):
                return [FrameRejected(at=signal.at, reason="unknown", raw=data.hex().upper())]
            case Lost() | Resumed() if not self._down:
                self._down = True
                return [LinkLost(at=signal.at)]
            case Restored():
                self._outgoing = self._picture
                # A sign says nothing by itself: that its port opened is all that is ever known of it.
                was_up, self._down = self._down is False, False
                return [] if was_up else [LinkRestored(at=signal.at)]
        return []

    def deadline(self) -> float | None:
        """It waits for nothing."""
        return None

    def outgoing(self) -> bytes:
        """Bytes for the sign, given once."""
        data, self._outgoing = self._outgoing, b""
        return data

    def memory(self) -> dict[str, Any]:
        """All that it knows; what it shows is told anew at a start."""
        return {"down": self._down}

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that."""
        self._down = memory["down"]

    def show(self, state: TableState) -> None:
        """What the board audience may see now."""
        text = caption(state, self._texts)
        picture = Text(
            text=text,
            colour=COLOURS.get(moment(state), "amber"),
            mode="hold" if len(text) <= self._settings.width else "rotate",
            type=self._settings.type,
            address=self._settings.address,
            label=self._settings.label,
        ).packet(self._settings.checksum)
        if picture != self._picture:
            self._picture = self._outgoing = picture


class AlphaSignSimulator:
    """`log` gets what is shown, else `truth` collects it. Raises ConfigurationError."""

    def __init__(
        self,
        settings: SignSettings | None = None,
        *,
        log: Callable[[Observation], None] | None = None,
        **options: Any,
    ) -> None:
        checked(Nothing, "sign", options)
        self.truth: list[Observation] = []
        self._log = log or self.truth.append
        self._decoder = Decoder()

    def receive(self, data: bytes, at: float) -> None:
        """Bytes from the host."""
        for text in self._decoder.feed(data):
            self._log(Shown(at=at, text=text.text))

    def advance(self, at: float) -> list[bytes]:
        """A sign says nothing."""
        return []

    def next_at(self) -> float | None:
        """It does nothing by itself."""
        return None


def _driver(settings: Any) -> Driver:
    return AlphaSign(settings)


def _simulator(settings: Any, **options: Any) -> Simulator:
    return AlphaSignSimulator(settings, **options)


SPEC = DriverSpec(
    kind="display",
    settings=lambda: SignSettings,
    driver=_driver,
    simulator=_simulator,
    serial={"baud": 9600, "bits": 7, "parity": "E", "stop": 1},
)
