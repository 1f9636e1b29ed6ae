"""Alerts and broker: what is told outside the house, at least once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from controller.config import Configuration
from controller.runtime.clock import Clock
from controller.runtime.configured import table_info_of
from controller.views.disclosure import Item

History = Callable[[int], Iterator[tuple[int, Item]]]


class Outward(Protocol):
    """Something outside that is told what is durable, at least once."""

    @property
    def caught_up_to(self) -> int | None:
        """The journal number behind which it must be told everything at a start; None: it asks by itself, or
        only wants to know what stands.
        """

    def publish(self, batch: Sequence[tuple[int, Item]]) -> None: ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    def health(self) -> Mapping[str, object]: ...


def targets(config: Configuration, tip: int, clock: Clock, history: History) -> Iterator[Outward]:
    """Those that are configured; each keeps on its own what it has told. `tip`: the journal's last number."""
    info = table_info_of(config)
    if config.alert:
        from controller.outputs.alerts.alerts import Alerts

        yield Alerts(config.alert, info, config.state, config.folder, tip, clock)
    if config.broker is not None:
        from controller.outputs.broker import Broker

        yield Broker(config.broker, info, config.state, config.folder, tip, history)
