"""A simulated Angel Eye shoe: the device's side of the wire, a pack, and a dealer who pulls its cards."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.observations import DeviceStarted, Observation, SequenceGap
from drivers.shoes.acts import Act, Item, Power, Skip
from drivers.shoes.angel_eye.codec import (
    FROM_HOST,
    Ack,
    Checksum,
    Command,
    Decoder,
    Frame,
    Nak,
    Rejected,
    Report,
)
from drivers.shoes.angel_eye.meaning import spell
from drivers.shoes.angel_eye.settings import Settings
from drivers.shoes.angel_eye.unit import Unit, Ways
from drivers.shoes.dealer import Dealer, house
from drivers.shoes.hands import Hands
from drivers.shoes.stage import Stage

ON_THE_WIRE = 0.06  # seconds that three copies of the longest report take at 4800 baud

#: Why bytes from the host are refused, as the codes of a NAK.
REFUSED = {"checksum": 0x02, "overflow": 0x03, "payload": 0x11}
BUSY = 0x21


class Line(BaseModel):
    """How reports are sent. `spacing`: seconds between copies. `wrap`: what follows 9; sources disagree, and
    also whether a start (`S`) advances the number.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    spacing: float = Field(default=0.05, ge=0, le=1)
    first: int = Field(default=1, ge=0, le=9)
    wrap: Literal[0, 1] = 0
    start_advances: bool = True


class Answers(BaseModel):
    """How commands are answered. `after`: seconds. `times`: answers to each (0: none). `refuse`: the code
    that every command is refused with; `busy`: how many are refused as busy before that.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    after: float = Field(default=0.0, ge=0, le=60)
    times: int = Field(default=1, ge=0, le=3)
    refuse: int | None = Field(default=None, ge=0, le=255)
    busy: int = Field(default=0, ge=0)


class Numbering:
    """The sequence character of each report."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._next = line.first

    def take(self, start: bool) -> str:
        number = self._next
        if self._line.start_advances or not start:
            self._next = self._line.wrap if number == 9 else number + 1
        return str(number)

    def restart(self) -> None:
        self._next = self._line.first


class AngelEyeSimulator(Stage):
    """Sans-I/O, in the time that `advance` brings; a dealer begins with the first one.

    `options` are those of drivers.shoes.dealer.House; with `dealer=False` only `do` moves anything. `ways`:
    the unit's. `log` gets the truth about what happened, else `truth` collects it. Raises ConfigurationError.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        line: Line | None = None,
        answers: Answers | None = None,
        ways: Ways | None = None,
        dealer: bool = True,
        log: Callable[[Observation], None] | None = None,
        **options: Any,
    ) -> None:
        self.truth: list[Observation] = []
        settings = settings or Settings()
        self._house = house(**options)
        self._copies = settings.copies
        self._checksum: Checksum = settings.command_checksum
        self._line = line or Line()
        self._numbering = Numbering(self._line)
        self._decoder = Decoder(FROM_HOST)
        self._answers = answers or Answers()
        self._busy = self._answers.busy
        self._unit = Unit(self._say, burns=self._house.burn, ways=ways)
        self._hands = Hands(
            self._act, Dealer(self._house).deal() if dealer else None, log or self.truth.append
        )
        self._writes: list[tuple[float, int, bytes]] = []
        self._order = count()
        self._free_at = 0.0
        self._now = 0.0

    def do(self, act: Act, at: float) -> None:
        """Somebody does something at the shoe, at that time."""
        self._hands.do(act, at)

    def has_words_for(self, report: Observation) -> bool:
        """The shoe can report this, or show that a report is missing."""
        try:
            return isinstance(report, SequenceGap) or bool(spell(report))
        except ValueError:
            return False

    @property
    def locked(self) -> bool:
        """No card can be pulled for a game."""
        return self._unit.locked

    def restart(self, at: float) -> None:
        """Its power fails for a moment."""
        self.do(Power(), at)

    def receive(self, data: bytes, at: float) -> None:
        """Bytes from the host; commands are answered at once."""
        self._now = max(self._now, at)
        for frame in self._decoder.feed(data):
            self._hear(frame)

    def advance(self, at: float) -> list[bytes]:
        """Everything sent up to and including `at`, write by write."""
        self._hands.begin(at)
        sent: list[bytes] = []
        while (due := self.next_at()) is not None and due <= at:
            self._now = max(self._now, due)
            if self._writes and self._writes[0][0] == due:
                sent.append(heappop(self._writes)[2])
            elif self._unit.wake == due:
                self._unit.tick(due)
            else:
                self._hands.perform()
        self._now = max(self._now, at)
        return sent

    def next_at(self) -> float | None:
        """When it next has something to do; None: only when spoken to, or finished."""
        times = [self._hands.next_at(), self._unit.wake, self._writes[0][0] if self._writes else None]
        return min((time for time in times if time is not None), default=None)

    def _act(self, act: Act, item: Item, at: float) -> None:
        if isinstance(act, Skip):
            self._numbering.take(start=False)
        else:
            self._unit.act(act, item, at)

    def _say(self, observation: Observation, number: int, at: float) -> None:
        start = isinstance(observation, DeviceStarted)
        if start:
            self._numbering.restart()
        code, payload = spell(observation, number)
        report = Report(self._numbering.take(start), code, payload)
        first = max(at, self._free_at)
        self._free_at = first + max(self._copies * self._line.spacing, ON_THE_WIRE)
        for copy in range(self._copies):
            self._send(report.raw, first + copy * self._line.spacing)

    def _send(self, data: bytes, at: float) -> None:
        heappush(self._writes, (at, next(self._order), data))

    def _hear(self, frame: Frame) -> None:
        if isinstance(frame, Command):
            refusal = self._refusal(frame)
            if refusal is None:
                # The answer comes before what the command leads to.
                self._answer(Ack().raw)
                self._unit.obey(frame.type, frame.data, self._now + self._answers.after)
            else:
                self._answer(Nak(refusal).raw)
        elif isinstance(frame, Rejected) and frame.reason in REFUSED:
            self._answer(Nak(REFUSED[frame.reason]).raw)

    def _refusal(self, command: Command) -> int | None:
        """The code that refuses the command; None: it is obeyed."""
        if command.checksum != self._checksum:
            return REFUSED["checksum"]
        if self._busy:
            self._busy -= 1
            return BUSY
        if self._answers.refuse is not None:
            return self._answers.refuse
        return self._unit.refusal(command.type, command.data)

    def _answer(self, data: bytes) -> None:
        for _ in range(self._answers.times):
            self._send(data, self._now + self._answers.after)
