"""The controller's table with a device's driver, without journal and pages: for tests of drivers."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from controller.facts import Fact, IrregularityRaised
from controller.observations import Observation
from controller.orders import Event
from controller.play.answers import answers
from controller.play.boundaries import Boundaries
from controller.play.table import Table
from controller.ports import AnySignal, Link, Received, Silence, find_driver, find_link
from controller.rules.remedies import load_pack
from controller.rules.ruleset import load_ruleset
from controller.rules.terms import Dealing
from controller.runtime.clock import Clock
from controller.runtime.core import SHOE, Core, Derived, Device, Inputs
from drivers.testing.background import SOON, Background
from drivers.testing.virtual_device import acts_of


class VirtualTable:
    """`facts`: what it concluded so far; `observations`: what it was told. `sent`: bytes that the driver has
    for a device while no link is connected.

    `boundaries`: None: the device's results where it reports any, else the dealer's announcements.
    `commands`: the shoe may be told what to do. `settings`: the driver's own. Raises ConfigurationError.
    """

    def __init__(
        self,
        background: Background,
        driver: str,
        *,
        ruleset: str = "nj-mini-baccarat",
        remedies: str | None = None,
        boundaries: Boundaries | None = None,
        dealing: Dealing = "face-up",
        decks: int = 8,
        commands: bool = False,
        settings: dict[str, Any] | None = None,
        speed: float = 50.0,
    ) -> None:
        self.facts: list[Fact] = []
        self.observations: list[Observation] = []
        self.sent = b""
        spec, rules = find_driver(driver), load_ruleset(ruleset)
        self._name = SHOE if spec.kind == "shoe" else spec.kind
        self._serial = spec.serial
        self._background = background
        self._clock = Clock(speed)
        self._link: Link | None = None
        self._silence: asyncio.TimerHandle | None = None
        self._news = threading.Condition(threading.RLock())
        self._core = Core()
        self._core.begin(
            Inputs(
                version="-",
                boot="-",
                speed=speed,
                boundaries=boundaries or ("device" if spec.results else "announced"),
                decks=decks,
                dealing=dealing,
                seats=rules.seats.max,
                wagers=[],
                ruleset=rules.text,
                configuration={},
                devices=[Device(name=self._name, driver=driver, settings=settings or {})],
                commands=commands,
                remedies=load_pack(remedies or rules.remedies, answers()).text,
            )
        )

    @property
    def state(self) -> Table:
        """Where round, shoe and table stand."""
        return self._core.table

    @property
    def due(self) -> str | None:
        """The hand whose card is due."""
        return self.state.round.due

    @property
    def irregularities(self) -> list[str]:
        """The codes raised so far, in order."""
        return [fact.code for fact in self.facts if isinstance(fact, IrregularityRaised)]

    # -- without a link ------------------------------------------------------------------------------

    def hear(self, data: bytes) -> list[Fact]:
        """Bytes from the device; the facts that they make."""
        return self.signal(Received(at=self._clock.now(), data=data))

    def signal(self, signal: AnySignal) -> list[Fact]:
        """What a link says; the facts that it makes."""
        return self._take(lambda: self._core.hear(self._name, signal))

    def do(self, scenario: str) -> list[Fact]:
        """What people do, in a scenario's words: `bets opened ; bets closed`; the facts that it makes. What
        the device would report is its own business and left out. Raises InputError.
        """
        return [
            fact
            for act in acts_of(scenario)
            if act.by in ("dealer", "supervisor", "clock")
            for fact in self.enter(act.event)
        ]

    def enter(self, event: Event) -> list[Fact]:
        """An announcement, an order, or any other observation; the facts that it makes."""
        return self._take(lambda: self._core.enter(event))

    def deadline(self) -> float | None:
        """When the driver wants to hear of silence, in the time of its signals."""
        return self._core.drivers[self._name].deadline()

    # -- at a link -----------------------------------------------------------------------------------

    def connect(self, address: str) -> None:
        """Listen to the device there, as the service does, until `close`. Raises ConfigurationError."""
        opens = find_link(address).open

        def opened() -> None:
            self._link = opens(address, clock=self._clock, **self._serial)
            self._link.open(self._listen)

        self._background.call(opened)

    def until(self, condition: Callable[["VirtualTable"], object], timeout: float = SOON) -> None:
        """Wait for it. Raises TimeoutError."""
        with self._news:
            if not self._news.wait_for(lambda: condition(self), timeout):
                raise TimeoutError(f"not within {timeout:g} s; facts: {self.facts[-5:]}")

    def close(self) -> None:
        """Let go of the link."""
        if self._link is not None:
            self._background.run(self._link.close())
        if self._silence is not None:
            self._background.call(self._silence.cancel)

    def _listen(self, signal: AnySignal) -> None:
        self.signal(signal)
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if (deadline := self.deadline()) is not None:
            pause = self._clock.real(max(0.0, deadline - self._clock.now()))
            hush = lambda: self._listen(Silence(at=self._clock.now()))  # noqa: E731
            self._silence = self._background.loop.call_later(pause, hush)

    def _take(self, derive: Callable[[], Derived]) -> list[Fact]:
        with self._news:
            items = [item for _, item in derive().items]
            said = [item for item in items if isinstance(item, Fact)]
            self.facts += said
            self.observations += [item for item in items if isinstance(item, Observation)]
            data = self._core.drivers[self._name].outgoing()
            if data and self._link is not None:
                link = self._link
                self._background.loop.call_soon_threadsafe(lambda: link.write(data))
            else:
                self.sent += data
            self._news.notify_all()
        return said
