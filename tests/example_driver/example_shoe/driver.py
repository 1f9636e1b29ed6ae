"""The host's side: lines to observations."""

from controller.observations import CardDrawn, FrameRejected, LinkLost, LinkRestored, Observation
from controller.ports import AnySignal, Commanded, Ended, Lost, Received, Restored, Resumed, Silence
from example_shoe.codec import Decoder


class ExampleDriver:
    def __init__(self) -> None:
        self._decoder = Decoder()
        self._down = False

    def apply(self, signal: AnySignal) -> list[Observation]:
        at = signal.at
        match signal:
            case Received(data=data):
                return [self._observe(read, at) for read in self._decoder.feed(data)]
            case Lost() | Resumed():
                self._down = True
                return [*self._end(at), LinkLost(at=at)]
            case Restored() if self._down:
                self._down = False
                return [LinkRestored(at=at)]
            case Ended():
                return self._end(at)
            case Restored() | Silence() | Commanded():
                return []

    def deadline(self) -> float | None:
        return None

    def outgoing(self) -> bytes:
        return b""

    def _end(self, at: float | None) -> list[Observation]:
        return [self._observe(read, at) for read in self._decoder.end()]

    @staticmethod
    def _observe(read: str | bytes, at: float | None) -> Observation:
        if isinstance(read, str):
            return CardDrawn(at=at, card=read)
        return FrameRejected(at=at, reason="garbage", raw=read.hex().upper())
