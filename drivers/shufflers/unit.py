"""How a simulated shuffler behaves, batch or continuous: what it makes of what happens. Knows no bytes."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.cards import Card, pack
from controller.observations import (
    DeviceFault,
    DeviceStarted,
    Observation,
    ShuffleFinished,
    ShufflerState,
    ShuffleStarted,
)
from drivers.packs import pack_name, shuffled
from drivers.shufflers.acts import (
    Act,
    Deal,
    Door,
    Fail,
    Free,
    Insert,
    Jam,
    Power,
    Press,
    Return,
    Take,
)

State = Literal[
    "idle_empty", "loading", "shuffling", "verifying", "ready", "unloading", "dealing",
    "jam", "door_open", "count_error", "composition_error", "fault",
]  # fmt: skip

STEPS = 10  # reports of progress in a shuffle
VERIFYING = 3.0  # seconds
UNLOADING = 5.0
LISTED = 26  # cards named as missing or extra; of more none is

#: What may happen in a state; anything else has no effect.
MAY: Mapping[type[Act], tuple[State, ...]] = {
    Press: ("loading", "ready", "count_error", "composition_error"),
    Take: ("loading", "ready", "dealing", "count_error", "composition_error", "fault"),
    Deal: ("dealing",),
    Return: ("dealing",),
    Jam: ("loading", "shuffling", "unloading", "dealing"),
    Free: ("jam", "fault"),
}
#: What stops it until it is over, and what it goes on with then.
INTERRUPTED: tuple[State, ...] = ("jam", "door_open", "fault")


class Model(BaseModel):
    """What kind of unit. `recognises`: it reads each card, else it only counts. `seconds`: of a shuffle."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    decks: int = Field(default=8, ge=1, le=12)
    recognises: bool = True
    continuous: bool = False
    seconds: float = Field(default=10.0, gt=0)


class ShufflerUnit:
    """`say(observation)` is called for each report, `handed(pack, cards)` for a pack that is taken out.

    `wake`: when it next does something by itself.
    """

    def __init__(
        self,
        model: Model,
        say: Callable[[Observation], None],
        handed: Callable[[str, tuple[Card, ...]], None],
    ) -> None:
        self.state: State = "idle_empty"
        self.wake: float | None = None
        self.cards: tuple[Card, ...] = ()
        self._model = model
        self._say = say
        self._handed = handed
        self.on = True
        self._packs = 0
        self._progress = 0
        self._count: int | None = 0
        self._place: str | None = None
        self._faults: list[str] = []
        self._before: State = "idle_empty"  # what was interrupted

    @property
    def pack(self) -> str:
        """The id of the pack that it shuffled last."""
        return pack_name(self._model.seed, self._packs)

    def may(self, act: Act) -> bool:
        """The act has an effect now."""
        return self.on and self.state in MAY.get(type(act), (self.state,))

    def act(self, act: Act, at: float) -> None:
        """What follows from an act; switched off, nothing but from its switch."""
        if isinstance(act, Power):
            self._switch(act.on)
        elif self.may(act):
            self._act(act, at)

    def report(self) -> None:
        """Say what it is doing."""
        shuffling = self.state == "shuffling"
        self._say(
            ShufflerState(
                state=self.state,
                progress=self._progress if shuffling else None,
                count=self._count,
                place=self._place if self.state == "jam" else None,
            )
        )

    def tick(self, at: float) -> None:
        """The time of `wake` has come."""
        self.wake = None
        match self.state:
            case "shuffling":
                self._progress += 100 // STEPS
                self._go("verifying" if self._progress >= 100 else "shuffling", at)
            case "verifying":
                self._finish(at)
            case "unloading":
                self._empty(at)
            case "jam":
                self._resume(at)

    # -- what happens ------------------------------------------------------------------------------------

    def _act(self, act: Act, at: float) -> None:
        match act:
            case Insert(cards=cards) if self.state == "idle_empty":
                self.cards = tuple(pack(self._model.decks)) if cards is None else cards
                self._count = None
                self._go("loading", at)
            case Insert():
                self._raise("tray-not-empty")
            case Press():
                self._start(at)
            case Take():
                self._go("unloading", at)
            case Deal(count=count):
                self.cards = self.cards[count:]
                self._recount(at)
            case Return(cards=cards):
                self.cards = shuffled(f"{self.pack}/{len(self.cards)}", (*self.cards, *cards))
                self._recount(at)
            case Jam(place=place, after=after):
                self._place = place
                self._interrupt("jam", f"jam-{place}", at)
                self.wake = None if after is None else at + after
            case Door(is_open=True):
                self._interrupt("door_open", "cover-open", at)
            case Door() if self.state == "door_open":
                self._resume(at)
            case Fail(fault=fault):
                self._interrupt("fault", fault, at)
            case Free():
                self._resume(at)

    def _start(self, at: float) -> None:
        self._packs += 1
        self._progress = 0
        self._say(ShuffleStarted(pack=self.pack, count=self._count))
        self._go("shuffling", at)

    def _finish(self, at: float) -> None:
        self.cards = shuffled(self.pack, self.cards)
        self._count = len(self.cards)
        whole, inside = Counter(pack(self._model.decks)), Counter(self.cards)
        missing, extra = sorted((whole - inside).elements()), sorted((inside - whole).elements())
        listed = self._model.recognises and max(len(missing), len(extra)) <= LISTED
        self._say(
            ShuffleFinished(
                pack=self.pack,
                count=self._count,
                missing=missing if listed else None,
                extra=extra if listed else None,
            )
        )
        if self._count != whole.total():
            self._go("count_error", at)
        elif self._model.recognises and (missing or extra):
            self._go("composition_error", at)
        else:
            self._go("dealing" if self._model.continuous else "ready", at)

    def _empty(self, at: float) -> None:
        self._handed(self.pack, self.cards)
        self.cards, self._count = (), 0
        self._go("idle_empty", at)

    def _recount(self, at: float) -> None:
        self._count = len(self.cards)
        self._go("dealing", at)

    def _switch(self, on: bool) -> None:
        self.on, self.wake = on, None
        if not on:
            return
        # What it remembers may be stale: cards that it has not counted since are not known.
        self._faults, self._progress = [], 0
        self._count = None if self.cards else 0
        self.state = "fault" if self.cards else "idle_empty"
        self._say(DeviceStarted())
        if self.cards:
            self._before = "loading"
            self._raise("restart-needed")
        self.report()

    # -- states ------------------------------------------------------------------------------------------

    def _go(self, state: State, at: float) -> None:
        self.state = state
        lasts = {
            "shuffling": self._model.seconds / STEPS,
            "verifying": VERIFYING,
            "unloading": UNLOADING,
        }.get(state)
        self.wake = None if lasts is None else at + lasts
        self.report()

    def _interrupt(self, state: State, fault: str, at: float) -> None:
        if self.state not in INTERRUPTED:
            self._before = self.state
        self._raise(fault)
        self._go(state, at)

    def _raise(self, fault: str) -> None:
        self._faults.append(fault)
        self._say(DeviceFault(fault=fault, active=True))

    def _resume(self, at: float) -> None:
        for fault in self._faults:
            self._say(DeviceFault(fault=fault, active=False))
        self._faults = []
        self._go(self._before, at)
