"""A dealing shoe that a profile describes, and the same shoe simulated."""

from collections.abc import Callable
from functools import partial
from typing import Any

from controller.observations import (
    CardDrawn,
    CommandAnswered,
    CutCardDrawn,
    DeviceFault,
    DeviceStarted,
    Observation,
)
from controller.ports import AnySignal
from drivers.shoes.acts import CUT, Act, Blur, Clear, Fail, Item, Power, Pull, Say
from drivers.shoes.angel_eye.commands import COMMANDS
from drivers.shoes.angel_eye.unit import Unit
from drivers.shoes.dealer import Dealer, house
from drivers.shoes.errors import Errors
from drivers.shoes.hands import Hands
from drivers.shoes.stage import Stage
from drivers.text.codec import Codec
from drivers.text.driver import TextDriver
from drivers.text.kind import Kind, Settings
from drivers.text.simulator import TextSimulator, Ways, Write
from drivers.text.spelling import Value

BOOT = 0.5  # seconds from power to the first report


class TextShoeDriver(TextDriver):
    """Knows what the shoe has reported to be wrong, and gives no command that this forbids."""

    def __init__(self, codec: Codec) -> None:
        super().__init__(codec)
        self._errors = Errors()

    def apply(self, signal: AnySignal) -> list[Observation]:
        """What the signal means. Never raises for any bytes."""
        seen = super().apply(signal)
        for one in seen:
            self._errors.notice(one)
        return seen

    def objection(self, command: str) -> str | None:
        return self._errors.objection(command)

    def memory(self) -> dict[str, Any] | None:
        """All that it knows; None inside a frame, or while a command is out."""
        memory = super().memory()
        return None if memory is None else memory | {"errors": self._errors.memory()}

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that."""
        super().remember(memory)
        self._errors.remember(memory.get("errors", {}))


class BareUnit:
    """A shoe that knows no rules: it says every card that passes, and what goes wrong."""

    def __init__(self, say: Callable[[Observation, int, float], None]) -> None:
        self.wake: float | None = None
        self._say = say
        self._on = False
        self._blurred = False
        self._fault: str | None = None

    def act(self, act: Act, item: Item, at: float) -> None:
        """What the shoe notices of an act; switched off, nothing but its switch."""
        match act:
            case Power(on=on):
                self._on, self.wake = False, at + BOOT if on else None
            case _ if not self._on:
                pass
            case Blur():
                self._blurred = True
            case Say(observation=observation):
                self._say(observation, 0, at)
            case Pull() if item == CUT:
                self._say(CutCardDrawn(), 0, at)
            case Pull(slot=slot, index=index) if item is not None:
                card, self._blurred = None if self._blurred else item, False
                # Bare: not to which hand, only whether it is in the mode for burning.
                self._say(CardDrawn(card=card, slot=slot if index is None else None), 0, at)
            case Fail(fault=fault):
                self._fault = fault
                self._say(DeviceFault(fault=fault, active=True), 0, at)
            case Clear() if self._fault:
                self._say(DeviceFault(fault=self._fault, active=False), 0, at)
                self._fault = None

    def tick(self, at: float) -> None:
        """The time of `wake` has come."""
        self._on, self.wake, self._fault = True, None, None
        self._say(DeviceStarted(), 0, at)


class TextShoe(Stage, TextSimulator):
    """`options` are those of drivers.shoes.dealer.House; with `dealer=False` only `do` moves anything. `log`
    gets the truth about what happened, else `truth` collects it. Raises ConfigurationError.
    """

    def __init__(
        self,
        codec: Codec,
        settings: Settings | None = None,
        *,
        ways: Ways | None = None,
        dealer: bool = True,
        log: Callable[[Observation], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(codec, ways)
        self.truth: list[Observation] = []
        self._house = house(**options)
        self._unit = Unit(self._tell, burns=self._house.burn) if codec.slots else BareUnit(self._tell)
        dealing = Dealer(self._house).deal() if dealer else None
        self._hands = Hands(self._unit.act, dealing, log or self.truth.append)

    def do(self, act: Act | Write, at: float) -> None:
        """Somebody does something at the shoe, at that time."""
        if isinstance(act, Write):
            data = act.data
            self.plan(at, lambda: self.write(data))
        else:
            self._hands.do(act, at)

    def has_words_for(self, report: Observation) -> bool:
        """The profile has words for it."""
        return self.words(report) is not None

    def restart(self, at: float) -> None:
        """Its power fails for a moment."""
        self.do(Power(), at)

    def begin(self) -> None:
        self._hands.begin(self.now)

    def next_due(self) -> float | None:
        times = [super().next_due(), self._hands.next_at(), self._unit.wake]
        return min((time for time in times if time is not None), default=None)

    def step(self, due: float) -> None:
        if super().next_due() == due:
            super().step(due)
        elif self._unit.wake == due:
            self._unit.tick(due)
        else:
            self._hands.perform()

    def commanded(self, name: str, values: dict[str, Value]) -> CommandAnswered:
        if name not in COMMANDS or isinstance(self._unit, BareUnit):
            return super().commanded(name, values)
        kind, data = COMMANDS[name]
        refusal = self._unit.refusal(kind, data)
        if refusal is not None:
            return CommandAnswered(ok=False, code=f"{refusal:02X}")
        self.plan(self.now, partial(self._unit.obey, kind, data, self.now))
        return CommandAnswered(ok=True, code=None)

    def _tell(self, observation: Observation, number: int, at: float) -> None:
        self.say(observation)


KIND = Kind(
    settings=lambda codec: Settings,
    driver=lambda codec, settings: TextShoeDriver(codec),
    simulator=TextShoe,
)
