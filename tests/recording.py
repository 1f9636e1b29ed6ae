"""A journal as the service writes it: what goes in, what follows from it, second by second."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import structs

from controller.journal.record import Entry
from controller.journal.store import Store
from controller.orders import Event
from controller.play.round import Boundaries
from controller.ports import AnySignal
from controller.rules.ruleset import load_ruleset
from controller.runtime.core import Core, Derived, Device, Inputs

BEGAN = datetime(2026, 3, 14, 20, 0, tzinfo=UTC)


class Recording:
    """A journal at `path`; a second passes with every input. `devices`: names and drivers."""

    def __init__(
        self,
        path: Path,
        boundaries: Boundaries = "announced",
        ruleset: str = "nj-mini-baccarat",
        decks: int = 8,
        **devices: str,
    ) -> None:
        self.path = path
        self.core = Core()
        self._store = Store(path, "MB-01")
        self._now = BEGAN
        self._stamped: list[tuple[Entry, str]] = []
        self._keep(self.core.begin(inputs(boundaries, ruleset, decks, devices)))

    def enter(self, *events: Event) -> None:
        """Announcements, orders, observations that come without a device."""
        for event in events:
            self._keep(self.core.enter(event))

    def hear(self, device: str, *signals: AnySignal) -> None:
        """What a link says."""
        for signal in signals:
            self._keep(self.core.hear(device, signal))

    def update(self, version: str) -> None:
        """The service starts again, with other software."""
        assert self.core.inputs is not None
        self._keep(self.core.begin(structs.replace(self.core.inputs, version=version)))

    def wait(self, seconds: float) -> None:
        """Nothing happens for a while."""
        self._now += timedelta(seconds=seconds)

    def close(self) -> Path:
        """Write and seal the journal; its path."""
        self._store.write(self._stamped)
        self._store.close()
        return self.path

    def _keep(self, derived: Derived) -> None:
        wall = self._now.isoformat(timespec="milliseconds")
        self._stamped += [(entry, wall) for entry in derived.entries]
        self._now += timedelta(seconds=1)


def inputs(boundaries: Boundaries, ruleset: str, decks: int, devices: dict[str, str]) -> Inputs:
    """What a service journals when it starts."""
    law = load_ruleset(ruleset)
    configuration: dict[str, Any] = {"table": {"id": "MB-01", "name": "Mini-Baccarat 1"}}
    return Inputs(
        version="1.0",
        boot="test",
        speed=1.0,
        boundaries=boundaries,
        decks=decks,
        dealing="face-up",
        seats=7,
        wagers=list(law.wagers),
        ruleset=law.text,
        configuration=configuration,
        devices=[Device(name=name, driver=driver, settings={}) for name, driver in devices.items()],
    )
