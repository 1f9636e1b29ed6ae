"""The host's side of an Angel Eye shoe: signals of the link in, observations out. Deterministic, sans-I/O."""

from typing import Any

from msgspec.structs import replace

from controller.observations import (
    CommandAnswered,
    DeviceStarted,
    FrameRejected,
    LinkLost,
    LinkRestored,
    Observation,
)
from controller.ports import AnySignal, Commanded, Ended, Lost, Received, Restored, Resumed, Silence
from drivers.shoes.angel_eye.codec import Ack, Command, Decoder, Frame, Nak, Rejected, Reply, Report
from drivers.shoes.angel_eye.commands import Commands
from drivers.shoes.angel_eye.meaning import read
from drivers.shoes.angel_eye.memory import Copies, Sequence
from drivers.shoes.angel_eye.settings import Settings

PATIENCE = 1.0  # seconds: silence that ends garbage, and how long a frame may stay unfinished


class AngelEyeDriver:
    """Knows copies, sequence and what a report means; knows nothing of baccarat.

    The memory of copies and sequence survives a restart of the service (`Resumed`). A lost link clears it; a
    restart after more than `resume_within` seconds counts as one, but copies may have waited to be read.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._decoder = Decoder()
        self._copies = Copies(self._settings.duplicate_window)
        self._sequence = Sequence()
        self._commands = Commands(self._settings.command_checksum)
        self._down = False
        self._latest: float | None = None  # time of the latest signal
        self._deaf_since: float | None = None  # when nobody listened any more, until the port is open again
        self._deadline: float | None = None
        self._outgoing = bytearray()

    def apply(self, signal: AnySignal) -> list[Observation]:
        """What the signal means. Never raises for any bytes."""
        observations = self._understand(signal)
        if signal.at is None:
            return observations
        self._latest = signal.at
        return [replace(observation, at=signal.at) for observation in observations]

    def deadline(self) -> float | None:
        """When what is held ends by itself or an answer is overdue, in link time; None: neither."""
        return min((t for t in (self._deadline, self._commands.deadline) if t is not None), default=None)

    def outgoing(self) -> bytes:
        """Bytes for the shoe, given once."""
        data = bytes(self._outgoing) + self._commands.outgoing()
        self._outgoing.clear()
        return data

    def memory(self) -> dict[str, Any] | None:
        """All that it knows; None inside a frame, or while a command is out."""
        commands = self._commands.memory()
        if self._decoder.held or commands is None:
            return None
        return {
            "copies": self._copies.memory(),
            "sequence": self._sequence.memory(),
            "errors": commands,
            "down": self._down,
            "latest": self._latest,
            "deaf_since": self._deaf_since,
        }

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that."""
        self._copies.remember(memory["copies"])
        self._sequence.remember(memory["sequence"])
        self._commands.remember(memory["errors"])
        self._down, self._latest = memory["down"], memory["latest"]
        self._deaf_since = memory["deaf_since"]

    def _understand(self, signal: AnySignal) -> list[Observation]:
        match signal:
            case Received(at=at, data=data):
                return self._expire(at) + self._receive(data, at)
            case Silence(at=at):
                return self._expire(at)
            case Lost():
                self._copies.clear()
                self._deaf_since = None
                return self._abandon() + self._commands.lose() + self._lose()
            case Restored(at=at):
                return self._restore(at)
            case Resumed(at=at, heard=heard):
                return self._abandon() + self._commands.lose() + self._resume(at, heard)
            case Ended():
                return self._abandon()
            case Commanded(at=at, command=command, by=by):
                return self._expire(at) + self._commands.give(command, by, at, not self._down)

    # -- bytes --------------------------------------------------------------------------------------------

    def _receive(self, data: bytes, at: float | None) -> list[Observation]:
        was_unfinished = self._decoder.unfinished
        frames = self._decoder.feed(data)
        observations = [o for frame in frames for o in self._frame(frame, at)]
        if at is None or not self._decoder.held:
            self._deadline = None
        elif frames or not was_unfinished:
            # What is held began in this read, or is garbage that goes on.
            self._deadline = at + PATIENCE
        return observations

    def _frame(self, frame: Frame, at: float | None) -> list[Observation]:
        match frame:
            case Report():
                return self._report(frame, at)
            case Ack():
                return self._answer(CommandAnswered(ok=True, code=None), at)
            case Nak(code=code):
                return self._answer(CommandAnswered(ok=False, code=f"{code:02X}"), at)
            case Rejected(reason=reason, raw=raw):
                return [FrameRejected(reason=reason, raw=_hex(raw))]
            case Reply(raw=raw) | Command(raw=raw):
                return [FrameRejected(reason="unknown", raw=_hex(raw))]

    def _answer(self, answer: CommandAnswered, at: float | None) -> list[Observation]:
        return [answer, *self._commands.answered(answer, at)]

    def _report(self, report: Report, at: float | None) -> list[Observation]:
        if self._settings.acknowledge:
            self._outgoing += Ack.raw
        if self._copies.seen(report, at):
            return []
        meaning = read(report)
        if not isinstance(meaning, str):
            self._commands.notice(meaning)
        if isinstance(meaning, DeviceStarted):
            self._sequence.forget()
            return [meaning]
        gap = self._sequence.gap(report.sequence)
        if isinstance(meaning, str):
            meaning = FrameRejected(reason=meaning, raw=_hex(report.raw))
        return [gap, meaning] if gap else [meaning]

    def _expire(self, at: float | None) -> list[Observation]:
        overdue = self._commands.expire(at)
        if at is None or self._deadline is None or at < self._deadline:
            return overdue
        return overdue + self._abandon()

    def _abandon(self) -> list[Observation]:
        self._deadline = None
        return [o for frame in self._decoder.end() for o in self._frame(frame, None)]

    # -- the link -----------------------------------------------------------------------------------------

    def _lose(self) -> list[Observation]:
        self._sequence.forget()
        if self._down:
            return []
        self._down = True
        return [LinkLost()]

    def _resume(self, at: float | None, heard: float | None) -> list[Observation]:
        if self._deaf_since is None:
            # Without word of it, nobody knows whether silence was heard or missed.
            self._deaf_since = self._latest if heard is None else max(heard, self._latest or heard)
        return self._check_absence(at)

    def _restore(self, at: float | None) -> list[Observation]:
        # Only now is it known how long nobody listened.
        observations = self._check_absence(at)
        if self._deaf_since is not None and at is not None:
            self._copies.postpone(self._deaf_since, at)
        self._deaf_since = None
        if self._down:
            self._down = False
            observations.append(LinkRestored())
        return observations

    def _check_absence(self, at: float | None) -> list[Observation]:
        """Short enough that no ten reports went by? A clock that went backwards measures nothing."""
        since = self._deaf_since
        if since is None or (at is not None and 0 <= at - since <= self._settings.resume_within):
            return []
        return self._lose()


def _hex(raw: bytes) -> str:
    return raw.hex().upper()
