"""The host's end of a simulated shoe: the real driver, core and table, without a journal or pages."""

from collections.abc import Callable
from typing import Any, TypeVar

from controller import facts
from controller.observations import Observation, ServiceStarted
from controller.orders import Order
from controller.ports import AnySignal
from controller.rules.ruleset import load_ruleset
from controller.runtime.core import SHOE, Core, Derived, Device, Inputs

RULESET = "nj-mini-baccarat"

Said = TypeVar("Said", bound=facts.Fact)


class TableEnd:
    """`write` takes the bytes for the shoe. `said`: every fact in order; `seen`: every observation."""

    def __init__(
        self,
        write: Callable[[bytes], object],
        driver: str,
        settings: dict[str, Any],
        decks: int,
        at: float,
        *,
        commands: bool = True,
        lock_on_hold: bool = False,
    ) -> None:
        self.said: list[facts.Fact] = []
        self.seen: list[Observation] = []
        self.core = Core()
        self._write = write
        self._take(
            self.core.begin(
                Inputs(
                    version="-",
                    boot="-",
                    speed=1.0,
                    boundaries="device",
                    decks=decks,
                    dealing="face-up",
                    seats=7,
                    wagers=[],
                    ruleset=load_ruleset(RULESET).text,
                    configuration={},
                    devices=[Device(name=SHOE, driver=driver, settings=settings)],
                    commands=commands,
                    lock_on_hold=lock_on_hold,
                )
            )
        )
        self.core.enter(ServiceStarted(at=at, version="-"))
        self.enter(Order(at=at, order="new_shoe", by="dealer", decks=decks))

    def hear(self, signal: AnySignal) -> None:
        """What a link or its clock says."""
        self._take(self.core.hear(SHOE, signal))

    def enter(self, order: Order) -> None:
        """What a person orders."""
        self._take(self.core.enter(order))

    def said_as(self, kind: type[Said]) -> list[Said]:
        """The facts of one kind, in order."""
        return [fact for fact in self.said if isinstance(fact, kind)]

    def deadline(self) -> float | None:
        """When the driver wants to hear of silence."""
        return self.core.drivers[SHOE].deadline()

    def _take(self, derived: Derived) -> None:
        for _, item in derived.items:
            if isinstance(item, facts.Fact):
                self.said.append(item)
            elif isinstance(item, Observation):
                self.seen.append(item)
        if data := self.core.drivers[SHOE].outgoing():
            self._write(data)
