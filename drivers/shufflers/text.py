"""An automated shuffler that a profile describes, and the same shuffler simulated."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict

from controller.cards import Card
from controller.observations import CommandAnswered, Observation, ShufflerState
from drivers.options import checked
from drivers.shufflers.acts import Act, Insert, Offer, PackHandedOver, Power, Press, Take
from drivers.shufflers.unit import Model, ShufflerUnit
from drivers.text.codec import Codec
from drivers.text.driver import TextDriver
from drivers.text.kind import Kind
from drivers.text.simulator import TextSimulator, Ways, Write
from drivers.text.spelling import Value


class ShufflerSettings(BaseModel):
    """`continuous`: it takes cards back during play, so no pack can be counted out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    continuous: bool = False


#: What the attendant does some seconds after the unit came into a state.
ROUTINE: dict[str, tuple[float, Act]] = {
    "idle_empty": (2.0, Insert()),
    "loading": (3.0, Press()),
    "ready": (30.0, Take()),
}
COMMANDS: dict[str, Act] = {"shuffle": Press(), "eject": Take()}


class TextShuffler(TextSimulator):
    """`options` are those of drivers.shufflers.unit.Model. The attendant stops after packs for so many
    `shoes`, and with `keep` leaves each in until the host ejects it; with `attendant=False` only `do` and
    commands move anything. `log` gets the truth, else `truth` collects it. Raises ConfigurationError.
    """

    def __init__(
        self,
        codec: Codec,
        settings: ShufflerSettings | None = None,
        *,
        ways: Ways | None = None,
        attendant: bool = True,
        shoes: int | None = None,
        keep: bool = False,
        log: Callable[[Observation], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(codec, ways)
        #: pack id -> the cards in the order in which they were handed over
        self.packs: dict[str, tuple[Card, ...]] = {}
        self.truth: list[Observation] = []
        self._log = log or self.truth.append
        self._attendant = attendant
        self._shoes = shoes
        self._routine = {state: step for state, step in ROUTINE.items() if state != "ready" or not keep}
        self._seen = ""
        kind = {"continuous": (settings or ShufflerSettings()).continuous}
        model = checked(Model, "shuffler", kind | options)
        self._unit = ShufflerUnit(model, self._tell, self._hand_over)

    @property
    def state(self) -> str:
        """What the unit is doing."""
        return self._unit.state

    def do(self, act: Act | Write, at: float) -> None:
        """Something happens at the shuffler, at that time."""
        self.plan(at, lambda: self._do(act))

    def dismiss(self) -> None:
        """The attendant leaves."""
        self._attendant = False

    def restart(self, at: float) -> None:
        """Its power fails for a moment."""
        self.do(Power(), at)

    def begin(self) -> None:
        if self._attendant:
            self._unit.report()

    def next_due(self) -> float | None:
        times = [super().next_due(), self._unit.wake]
        return min((time for time in times if time is not None), default=None)

    def step(self, due: float) -> None:
        if super().next_due() == due:
            super().step(due)
        else:
            self._unit.tick(due)

    @property
    def hears(self) -> bool:
        return self._unit.on

    def commanded(self, name: str, values: dict[str, Value]) -> CommandAnswered:
        if name == "state":
            self.plan(self.now, self._unit.report)
            return CommandAnswered(ok=True, code=None)
        act = COMMANDS.get(name)
        if act is None or not self._unit.may(act):
            return CommandAnswered(ok=False, code=self.state)
        self.do(act, self.now)
        return CommandAnswered(ok=True, code=None)

    def _do(self, act: Act | Write) -> None:
        if isinstance(act, Write):
            self.write(act.data)
        elif isinstance(act, Offer):
            self.write(self.codec.disclose(f" {' '.join(self._unit.cards)}") or b"")
        else:
            self._unit.act(act, self.now)

    def _tell(self, observation: Observation) -> None:
        self.say(observation)
        if isinstance(observation, ShufflerState) and observation.state != self._seen:
            self._seen = observation.state
            self._attend(observation.state)

    def _attend(self, state: str) -> None:
        if not self._attendant or state not in self._routine:
            return
        after, act = self._routine[state]
        if isinstance(act, Insert) and len(self.packs) == self._shoes:
            return
        self.plan(self.now + after, lambda: self._do(act) if self.state == state else None)

    def _hand_over(self, name: str, cards: tuple[Card, ...]) -> None:
        self.packs[name] = cards
        self._log(PackHandedOver(at=self.now, pack=name, cards=list(cards)))


KIND = Kind(
    settings=lambda codec: ShufflerSettings,
    driver=lambda codec, settings: TextDriver(codec),
    simulator=TextShuffler,
)
