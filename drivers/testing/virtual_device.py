"""A simulated device at a real terminal or socket, for tests of anybody's host software."""

import asyncio
import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from controller.observations import Observation
from controller.ports import ConfigurationError, Session, Stage, find_driver, find_link
from controller.runtime.clock import Clock
from controller.scenarios import Act, find_scenario, parse_scenario
from controller.scenarios.scenario import SUFFIX
from controller.scenarios.staging import act_out
from drivers.testing.background import SOON, Background


def acts_of(scenario: str) -> Iterable[Act]:
    """The acts of a scenario's text, or of a file by its name. Raises InputError."""
    if scenario.endswith(SUFFIX) and "\n" not in scenario:
        return find_scenario(scenario).acts
    return parse_scenario(scenario, "scenario").acts


class VirtualDevice:
    """`address`: where a link finds it, as pty:/tmp/x/shoe or tcp:127.0.0.1:4001; `path`, or `host` and
    `port`: the same for other programs. `truth`: what really happened at the device.

    Nothing happens at it until `play`, unless it is `dealing` by itself; times are `speed` times as short as
    at a table. `options`: of its driver's simulator. Raises ConfigurationError.
    """

    def __init__(
        self,
        background: Background,
        device: str,
        address: str,
        *,
        dealing: bool = False,
        speed: float = 50.0,
        faults: str = "",
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        spec = find_driver(device)
        link = find_link(address)
        if spec.simulator is None or link.serve is None:
            raise ConfigurationError(f"{device} at {address}: cannot be simulated; use pty: or tcp:")
        self.truth: list[Observation] = []
        self._role = spec.kind
        self._background = background
        self._clock = Clock(speed)
        self._device = spec.simulator(
            spec.settings().model_validate(settings or {}), log=self.truth.append, **options
        )
        self._session: Session | None = None
        serving = link.serve(
            self._device,
            address,
            clock=self._clock,
            wait=dealing,
            ready=self._opened,
            begun=self._begun if dealing else self._alone,
            faults=faults,
        )
        self.address = ""
        self._serving = background.call(lambda: asyncio.ensure_future(serving))
        background.run(self._ready())

    @property
    def path(self) -> Path:
        """The terminal."""
        return Path(self.address.partition(":")[2])

    @property
    def host(self) -> str:
        return self.address.split(":")[1]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def play(self, scenario: str, timeout: float = SOON) -> list[str]:
        """What a scenario (its text, or a file's name) has happen at this device, until all of it has been
        sent. Gives the acts that it cannot do. Raises InputError, TimeoutError.
        """
        acts = list(acts_of(scenario))
        return self._background.run(self._play(acts), timeout)

    def do(self, *acts: Any) -> None:
        """Somebody does something at it now: acts of drivers.shoes.acts or drivers.shufflers.acts."""

        def done() -> None:
            assert self._session is not None
            for act in acts:
                self._device.do(act, self._session.now())  # type: ignore[attr-defined]
            self._session.wake()

        self._background.run(self._beginning())
        self._background.call(done)

    def wait(self, timeout: float = SOON) -> None:
        """Until it has nothing left to do. Raises TimeoutError."""
        self._background.run(self._quiet(), timeout)

    def unplug(self, seconds: float = 1.0) -> None:
        """Take its link away for so many seconds of its clock."""

        def pulled() -> None:
            assert self._session is not None
            self._session.unplug(now := self._session.now(), now + seconds)
            self._session.wake()

        self._background.run(self._beginning())
        self._background.call(pulled)

    def close(self) -> None:
        """Hang up."""

        async def stop() -> None:
            self._serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._serving

        self._background.run(stop())

    # -- in the background ---------------------------------------------------------------------------

    async def _ready(self) -> None:
        while not self.address and not self._serving.done():
            await asyncio.sleep(0.001)
        if self._serving.done():
            self._serving.result()

    def _opened(self, address: str) -> None:
        self.address = address

    def _begun(self, session: Session) -> None:
        self._session = session

    def _alone(self, session: Session) -> None:
        """Switched on, and nobody at it."""
        self._session = session
        if isinstance(self._device, Stage):
            self._device.play([], session.now())

    async def _play(self, acts: Iterable[Act]) -> list[str]:
        if not isinstance(self._device, Stage):
            raise ConfigurationError("this simulated device plays no scenarios")
        await self._beginning()
        assert self._session is not None
        cannot = act_out(acts, self._role, self._device, self._session)
        await self._quiet()
        return [act.text for act in cannot]

    async def _beginning(self) -> None:
        while self._session is None:
            await asyncio.sleep(0.001)

    async def _quiet(self) -> None:
        await self._beginning()
        while (due := self._device.next_at()) is not None:
            await asyncio.sleep(max(0.001, self._clock.real(due - self._clock.now())))
