"""The host's side of a device that a profile describes: signals in, observations out. Sans-I/O."""

from typing import Any, Literal

from msgspec.structs import replace

from controller.observations import (
    CommandAnswered,
    CommandSent,
    CommandSettled,
    FrameRejected,
    LinkLost,
    LinkRestored,
    Observation,
)
from controller.ports import AnySignal, Commanded, Ended, Lost, Received, Restored, Resumed, Silence
from drivers.text.codec import Codec
from drivers.text.cutter import Frame, Rejected
from drivers.text.discretion import masked

PATIENCE = 1.0  # seconds of silence that end garbage and an unfinished frame
ANSWER_WITHIN = 3.0  # seconds from a command

Outcome = Literal["accepted", "refused", "unanswered", "withheld"]


class TextDriver:
    """Nothing is ever suppressed as a copy: two equal reports are two cards. A report that went by unheard
    cannot be seen, so a restart of the service is a lost link.
    """

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self._cutter = codec.cutter()
        self._echo = b""
        self._down = False
        self._deadline: float | None = None
        self._command: Commanded | None = None  # unanswered yet
        self._outgoing = bytearray()

    def apply(self, signal: AnySignal) -> list[Observation]:
        """What the signal means. Never raises for any bytes."""
        seen = self._understand(signal)
        return [replace(one, at=signal.at) for one in seen] if signal.at is not None else seen

    def redact(self, signal: AnySignal) -> AnySignal:
        """The signal as it may be recorded, asked before it is applied."""
        if not isinstance(signal, Received) or not self.codec.discreet:
            return signal
        cutter = self._cutter.fork()
        if self._is_over(signal.at):
            cutter.end()
        return replace(signal, data=masked(self.codec, cutter, signal.data))

    def deadline(self) -> float | None:
        """When what is held, or a command, ends by itself, in link time; None: neither is there."""
        times = [self._deadline, self._answer_by]
        return min((time for time in times if time is not None), default=None)

    def outgoing(self) -> bytes:
        """Bytes for the device, given once."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def memory(self) -> dict[str, Any] | None:
        """All that it knows; None inside a frame, or while a command is out."""
        if self._cutter.held or self._command is not None:
            return None
        return {"down": self._down, "echo": self._echo.decode("latin-1")}

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that."""
        self._down = memory["down"]
        self._echo = memory["echo"].encode("latin-1")

    def _understand(self, signal: AnySignal) -> list[Observation]:
        match signal:
            case Received(at=at):
                redacted = self.redact(signal)
                assert isinstance(redacted, Received)
                return self._expire(at) + self._receive(redacted.data, at)
            case Silence(at=at):
                return self._expire(at)
            case Commanded():
                return self._expire(signal.at) + self._send(signal)
            case Lost() | Resumed():
                return self._abandon() + self._settle("unanswered", "the link was lost") + self._lose()
            case Restored():
                return self._restore()
            case Ended():
                return self._abandon()

    def _receive(self, data: bytes, at: float | None) -> list[Observation]:
        pieces = self._cutter.feed(data)
        self._deadline = at + PATIENCE if at is not None and self._cutter.held else None
        return [o for piece in pieces for o in self._piece(piece)]

    def _piece(self, piece: Frame | Rejected) -> list[Observation]:
        echo, self._echo = self._echo, b""
        if isinstance(piece, Rejected):
            is_echo = piece.reason == "garbage" and echo and piece.raw == echo
            return [] if is_echo else [FrameRejected(reason=piece.reason, raw=piece.raw.hex().upper())]
        found = self.codec.read(piece)
        if isinstance(found, Rejected):
            return self._piece(found)
        observation, reading = found
        self._echo = reading.characters.get(self.codec.profile.frame.echo, "").encode("latin-1")
        return [] if observation is None else [observation, *self._answered(observation)]

    def _is_over(self, at: float | None) -> bool:
        return at is not None and self._deadline is not None and at >= self._deadline

    def _expire(self, at: float | None) -> list[Observation]:
        late = at is not None and self._answer_by is not None and at >= self._answer_by
        ended = self._abandon() if self._is_over(at) else []
        return ended + (self._settle("unanswered", "no answer within 3 s") if late else [])

    def _abandon(self) -> list[Observation]:
        self._deadline = None
        return [o for piece in self._cutter.end() for o in self._piece(piece)]

    # -- the link ------------------------------------------------------------------------------------

    def _lose(self) -> list[Observation]:
        self._echo = b""
        self._outgoing.clear()
        if self._down:
            return []
        self._down = True
        return [LinkLost()]

    def _restore(self) -> list[Observation]:
        if not self._down:
            return []
        self._down = False
        return [LinkRestored()]

    # -- commands ------------------------------------------------------------------------------------

    @property
    def _answer_by(self) -> float | None:
        return None if self._command is None or self._command.at is None else self._command.at + ANSWER_WITHIN

    def _send(self, wanted: Commanded) -> list[Observation]:
        frame = self.codec.command(wanted.command, {})
        refusal = self._refusal(frame) or self.objection(wanted.command)
        if frame is None or refusal:
            return [_settled(wanted, "withheld", None, refusal)]
        self._command = wanted
        self._outgoing += frame
        return [CommandSent(command=wanted.command, by=wanted.by)]

    def objection(self, command: str) -> str | None:
        """Why this kind of device may not be told so now; None: nothing is against it."""
        return None

    def _refusal(self, frame: bytes | None) -> str | None:
        if frame is None:
            return f"its commands are {', '.join(self.codec.orders) or 'none'}"
        if self._down:
            return "the device is not connected"
        return "the command before it is not answered yet" if self._command else None

    def _answered(self, observation: Observation) -> list[Observation]:
        """An answer settles the command that is out; one to nobody's command settles nothing."""
        if not isinstance(observation, CommandAnswered):
            return []
        if observation.ok:
            return self._settle("accepted", None)
        return self._settle("refused", "the device refused it", observation.code)

    def _settle(self, outcome: Outcome, reason: str | None, code: str | None = None) -> list[Observation]:
        wanted, self._command = self._command, None
        return [_settled(wanted, outcome, code, reason)] if wanted else []


def _settled(wanted: Commanded, outcome: Outcome, code: str | None, reason: str | None) -> CommandSettled:
    return CommandSettled(command=wanted.command, by=wanted.by, outcome=outcome, code=code, reason=reason)
