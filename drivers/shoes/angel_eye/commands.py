"""Commands to an Angel Eye shoe: which may be sent, what became of each. Deterministic, sans-I/O.

Public source: keepcodings/AngelEye. A shoe's answer names no command: one that comes after its time is taken
for the answer to whatever is outstanding then. What the shoe reports (`lock_changed`, a fault cleared) is the
truth; an answer is only a promise.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller.observations import CommandAnswered, CommandSent, CommandSettled, Observation
from drivers.shoes.angel_eye.codec import Checksum, Command
from drivers.shoes.errors import Errors

#: Command -> type and data on the wire.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "lock": ("LK", "02"),
    "unlock": ("LK", "01"),
    "clear": ("EC", "00"),
    "keep": ("EC", "01"),
    "discard": ("EC", "02"),
    "confirm": ("GP", "00"),
}

ANSWER_WITHIN = 3.0  # seconds
BREATH = 1.0  # seconds before a command is given once more to a shoe that was busy

#: Why a shoe refuses, by the code of its NAK.
REFUSALS: Mapping[str, str] = {
    "01": "the shoe heard an overrun, a framing or a parity error",
    "02": "the shoe found the checksum wrong",
    "03": "the shoe missed the end of the command",
    "11": "the shoe found the command's format or length wrong",
    "12": "the shoe has no such address",
    "13": "the shoe does not take this command now",
    "14": "the shoe knows no such type of command",
    "21": "the shoe is busy",
    "22": "the shoe is writing its memory",
    "FF": "the shoe gives no reason",
}
BAD_CHECKSUM = "02"
#: Refusals that pass by themselves.
PASSING = frozenset(("01", "03", "21", "22"))
#: A second one of these does no harm; a second EC or GP could answer the next error or game.
REPEATABLE = frozenset(("lock", "unlock"))
MOST = 2  # times that one of them is sent

Outcome = Literal["accepted", "refused", "unanswered", "withheld"]


@dataclass
class _Outstanding:
    """`due`: when the time for the answer is over, or for `again`, when it is to be sent again."""

    command: str
    by: str
    due: float | None = None
    sent: int = 0
    again: bool = False


class Commands:
    """At most one is outstanding. `deadline`: when `expire` is wanted, in link time."""

    def __init__(self, checksum: Checksum) -> None:
        self._checksum = checksum
        self._outstanding: _Outstanding | None = None
        self._errors = Errors()
        self._outgoing = bytearray()

    @property
    def deadline(self) -> float | None:
        return self._outstanding.due if self._outstanding else None

    def outgoing(self) -> bytes:
        """Bytes for the shoe, given once."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def give(self, command: str, by: str, at: float | None, connected: bool) -> list[Observation]:
        """Send the command, or say why not."""
        if reason := self._objection(command, connected):
            return [_settled(command, by, "withheld", reason)]
        self._outstanding = _Outstanding(command, by)
        self._send(self._outstanding, at)
        return [CommandSent(command=command, by=by)]

    def answered(self, answer: CommandAnswered, at: float | None) -> list[Observation]:
        """What the answer settles: nothing, where none is awaited (it is somebody else's, or late)."""
        given = self._outstanding
        if given is None or given.again:
            return []
        if answer.ok:
            return self._settle("accepted")
        if answer.code in PASSING and self._may_repeat(given) and at is not None:
            given.again, given.due = True, at + BREATH
            return []
        return self._settle("refused", self._refusal(answer.code or ""), answer.code)

    def expire(self, at: float | None) -> list[Observation]:
        """Time has passed: it is given once more where that does no harm, else it stays unanswered."""
        given = self._outstanding
        if given is None or given.due is None or at is None or at < given.due:
            return []
        if given.again or self._may_repeat(given):
            self._send(given, at)
            return []
        return self._settle("unanswered", f"no answer within {ANSWER_WITHIN:g} s; look at the shoe")

    def lose(self) -> list[Observation]:
        """No answer can come any more: the link is gone, or was not listened to."""
        if self._outstanding is None:
            return []
        self._outgoing.clear()
        return self._settle("unanswered", "the link was lost before an answer came; look at the shoe")

    def notice(self, report: Observation) -> None:
        """What a report says about errors."""
        self._errors.notice(report)

    def memory(self) -> dict[str, bool] | None:
        """The errors it knows of; None while a command is out."""
        return self._errors.memory() if self._outstanding is None else None

    def remember(self, faults: Mapping[str, bool]) -> None:
        """Know those."""
        self._errors.remember(faults)

    # -- helpers ---------------------------------------------------------------------------------------

    def _objection(self, command: str, connected: bool) -> str | None:
        """Why the command may not be sent now."""
        if command not in COMMANDS:
            return f"no such command; there are {', '.join(COMMANDS)}"
        if not connected:
            return "the shoe is not connected"
        if self._outstanding is not None:
            return f"{self._outstanding.command} has not been answered yet"
        return self._errors.objection(command)

    def _send(self, given: _Outstanding, at: float | None) -> None:
        given.sent += 1
        given.again = False
        given.due = None if at is None else at + ANSWER_WITHIN
        kind, data = COMMANDS[given.command]
        self._outgoing += Command(kind, data, self._checksum).raw

    @staticmethod
    def _may_repeat(given: _Outstanding) -> bool:
        return given.command in REPEATABLE and given.sent < MOST

    def _refusal(self, code: str) -> str:
        reason = REFUSALS.get(code, f"the shoe's refusal {code} is not known")
        if code != BAD_CHECKSUM:
            return reason
        other = "without-stx" if self._checksum == "with-stx" else "with-stx"
        return f'{reason}; if it always does, set command_checksum = "{other}"'

    def _settle(
        self, outcome: Outcome, reason: str | None = None, code: str | None = None
    ) -> list[Observation]:
        given, self._outstanding = self._outstanding, None
        assert given is not None
        return [_settled(given.command, given.by, outcome, reason, code)]


def _settled(
    command: str, by: str, outcome: Outcome, reason: str | None, code: str | None = None
) -> CommandSettled:
    return CommandSettled(command=command, by=by, outcome=outcome, code=code, reason=reason)
