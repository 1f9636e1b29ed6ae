"""The device's side of any profile: an agenda in time, what the device says, and the commands it hears."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import combinations, count

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from controller.observations import (
    CardDrawn,
    CommandAnswered,
    CutCardDrawn,
    DeviceFault,
    Observation,
    ShoeLoaded,
    ShuffleFinished,
    ShufflerState,
    ShuffleStarted,
)
from drivers.text.codec import Codec
from drivers.text.cutter import Frame, Rejected
from drivers.text.spelling import Value

REFUSED = CommandAnswered(ok=False, code=None)


#: What a simple device does not say, beginning with what it says last.
LEFT_OUT: Mapping[type[Observation], Sequence[str]] = {
    CardDrawn: ("index", "mode", "slot"),
    CutCardDrawn: ("kind",),
    DeviceFault: ("error_mode",),
    CommandAnswered: ("code",),
    ShoeLoaded: ("pack",),
    ShuffleStarted: ("count", "pack"),
    ShuffleFinished: ("missing", "extra", "count", "pack"),
    ShufflerState: ("place", "progress", "count"),
}


class Ways(BaseModel):
    """How a unit writes, where it differs from its profile. `blanks`: how often those around a report come;
    `echo`: how often a card's characters follow its report; `lower`: in lower case; `unended`: without the
    last character.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    blanks: int = Field(default=1, ge=0, le=3)
    echo: int = Field(default=0, ge=0, le=3)
    lower: bool = False
    unended: bool = False


class Write(Struct, frozen=True, kw_only=True):
    """An act: the device sends these bytes, whatever they are."""

    data: bytes


class TextSimulator:
    """Sans-I/O, in the time that `advance` brings. Subclasses put things on the agenda with `plan`."""

    def __init__(self, codec: Codec, ways: Ways | None = None) -> None:
        self.codec = codec
        self.now = 0.0
        self._ways = ways or Ways()
        self._cutter = codec.cutter()
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self._sent: list[bytes] = []
        self._begun = False

    def begin(self) -> None:
        """The first time has come."""

    @property
    def hears(self) -> bool:
        """It is switched on."""
        return True

    def commanded(self, name: str, values: dict[str, Value]) -> CommandAnswered:
        """The host commands something; the answer."""
        return REFUSED

    def plan(self, at: float, act: Callable[[], None]) -> None:
        """`act` happens at that time, or at once if it is past."""
        heappush(self._agenda, (max(at, self.now), next(self._number), act))

    def receive(self, data: bytes, at: float) -> None:
        """Bytes from the host; what is no command of the profile is refused."""
        for piece in self._cutter.feed(data):
            # What is due has happened before, so that it does not matter how bytes come together.
            self._catch_up(at)
            if self.hears:
                heard = self.codec.hear(piece) if isinstance(piece, Frame) else piece
                self.say(REFUSED if isinstance(heard, Rejected) else self.commanded(*heard))

    def advance(self, at: float) -> list[bytes]:
        """Everything sent up to and including `at`, write by write."""
        self._catch_up(at)
        sent, self._sent = self._sent, []
        return sent

    def _catch_up(self, at: float) -> None:
        if not self._begun:
            self._begun, self.now = True, max(self.now, at)
            self.begin()
        while (due := self.next_due()) is not None and due <= at:
            self.now = max(self.now, due)
            self.step(due)
        self.now = max(self.now, at)

    def next_at(self) -> float | None:
        """When it next has something to do; None: only when spoken to, or finished."""
        if not self._begun:
            return 0.0
        return self.now if self._sent else self.next_due()

    def next_due(self) -> float | None:
        """When `step` is next wanted."""
        return self._agenda[0][0] if self._agenda else None

    def step(self, due: float) -> None:
        """What is due now."""
        heappop(self._agenda)[2]()

    def words(self, observation: Observation) -> bytes | None:
        """How the device says it, as fully as the profile can; None: it has no words for it."""
        for said in _less_and_less(observation):
            if (data := self.codec.say(said)) is not None:
                return self._styled(data, said)
        return None

    def say(self, observation: Observation) -> bool:
        """Send it; False: the profile has no words for it."""
        words = self.words(observation)
        if words is not None:
            self.write(words)
        return words is not None

    def dismiss(self) -> None:
        """Nobody is at the device any more."""

    def play(self, acts: Sequence[Observation], at: float) -> list[Observation]:
        """The device reports these, each `at` seconds after the start; what it has no words for."""
        self.dismiss()
        cannot = []
        for act in acts:
            report = replace(act, at=None, device=None)
            if self.words(report) is None:
                cannot.append(act)
            else:
                self.plan(at + (act.at or 0.0), partial(self._tell_host, report))
        return cannot

    def _tell_host(self, observation: Observation) -> None:
        self.say(observation)

    def write(self, data: bytes) -> None:
        """Send these bytes."""
        self._sent.append(data)

    def _styled(self, data: bytes, said: Observation) -> bytes:
        frame = self.codec.profile.frame
        before, after = frame.before.encode(), frame.after.encode()
        body = data.removeprefix(before).removesuffix(after)
        body = body[:-1] if self._ways.unended else body
        body = body.lower() if self._ways.lower else body
        data = before * self._ways.blanks + body + after * self._ways.blanks
        if self._ways.echo and isinstance(said, CardDrawn) and said.card:
            data += self._characters(said.card) * self._ways.echo
        return data

    def _characters(self, card: str) -> bytes:
        written = self.codec.profile.card.written
        return next(text for text, known in written if known == card).encode("latin-1")


def _less_and_less(observation: Observation) -> Iterator[Observation]:
    """The observation, then with less and less of what a simple device does not say."""
    optional = LEFT_OUT.get(type(observation), ())
    for few in range(len(optional) + 1):
        for left_out in combinations(optional, few):
            yield replace(observation, **dict.fromkeys(left_out))
