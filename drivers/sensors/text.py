"""A layout that senses wagers, as a profile describes it, and the same layout simulated."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from controller.observations import DeviceStarted, Observation, WagerPlaced, WagerRemoved
from drivers.options import checked
from drivers.text.codec import Codec
from drivers.text.driver import TextDriver
from drivers.text.kind import Kind, Settings
from drivers.text.simulator import TextSimulator, Ways, Write

#: What a simulated player puts down; the small ones are rare.
WAGERS = ("banker", "player", "banker", "player", "banker", "player", "tie")
CHIPS = ("5", "10", "25", "100")


class Crowd(BaseModel):
    """The simulated players. `window`: seconds in which they bet; `play`: until their chips are gone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    seats: int = Field(default=7, ge=1, le=14)
    rounds: int | None = Field(default=None, ge=1)
    window: float = Field(default=10.0, gt=0)
    play: float = Field(default=20.0, gt=0)


class TextLayout(TextSimulator):
    """`options` are those of Crowd; with `players=False` only `do` moves anything. `log` gets the truth, else
    `truth` collects it. Raises ConfigurationError.
    """

    def __init__(
        self,
        codec: Codec,
        settings: Settings | None = None,
        *,
        ways: Ways | None = None,
        players: bool = True,
        log: Callable[[Observation], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(codec, ways)
        self.truth: list[Observation] = []
        self._log = log or self.truth.append
        self._crowd = checked(Crowd, "layout", options)
        self._players = players
        self._random = random.Random(self._crowd.seed)
        self._round = 0

    def do(self, act: Observation | Write, at: float) -> None:
        """Chips are put down or taken (`wager_placed`, `wager_removed`), or bytes sent, at that time."""
        self.plan(at, partial(self._do, act))

    def dismiss(self) -> None:
        """The players leave."""
        self._players = False

    def begin(self) -> None:
        self.do(DeviceStarted(), self.now)
        if self._players:
            self.plan(self.now, self._bet)

    def _do(self, act: Observation | Write) -> None:
        if isinstance(act, Write):
            self.write(act.data)
        elif self.say(act) and not isinstance(act, DeviceStarted):
            self._log(replace(act, at=self.now))

    def _bet(self) -> None:
        """One round's wagers, each in one or more chips, and their end."""
        crowd, pick = self._crowd, self._random
        for seat in range(1, crowd.seats + 1):
            for wager in sorted({pick.choice(WAGERS) for _ in range(pick.randint(0, 2))}):
                for _ in range(pick.randint(1, 3)):
                    placed = WagerPlaced(seat=seat, wager=wager, amount=pick.choice(CHIPS))
                    self.do(placed, self.now + pick.uniform(0, crowd.window))
                self.do(WagerRemoved(seat=seat, wager=wager), self.now + crowd.window + crowd.play)
        self._round += 1
        if self._round != crowd.rounds:
            self.plan(self.now + crowd.window + crowd.play + 1, self._bet)


KIND = Kind(
    settings=lambda codec: Settings,
    driver=lambda codec, settings: TextDriver(codec),
    simulator=TextLayout,
)
