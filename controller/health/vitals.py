"""Counts and health of one service, and the alarm when something has to be mended."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from controller.health.links import Links
from controller.health.metrics import Metrics
from controller.health.watch import GAUGES, Health, Sources
from controller.ports import AnySignal
from controller.rules.terms import Dealing
from controller.views.disclosure import Item


@runtime_checkable
class Alarmed(Protocol):
    """A target that is told what has to be mended: code -> words. All of it, each time."""

    def alarm(self, problems: Mapping[str, str]) -> None: ...


class Vitals:
    """Told what the service does, on the loop."""

    def __init__(self, table: str, dealing: Dealing, journal: Path, sources: Sources) -> None:
        links = Links()
        self._targets = sources.targets
        self.metrics = Metrics(dealing, links, GAUGES, lambda: self.health.read())
        self.health = Health(table, journal, links, sources, lambda: self.metrics.complete)

    def recall(self, item: Item) -> None:
        """Take in what was journalled before this run."""
        self.metrics.recall(item)

    def hear(self, device: str, signal: AnySignal) -> None:
        """What a link says: whether the device is there."""
        self.metrics.hear(device, signal, time.monotonic())

    def take(self, items: Sequence[tuple[int, Item]]) -> None:
        """Count what is durable now."""
        self.metrics.take(item for _, item in items)

    def timed(self, decided: float, durable: float, shown: float) -> None:
        """Seconds from a report's last byte to each of these."""
        self.metrics.measure("table_decision_seconds", decided)
        self.metrics.measure("table_durable_seconds", durable)
        self.metrics.measure("table_shown_seconds", shown)

    def committed(self, seconds: float) -> None:
        """A transaction took so long."""
        self.health.committed()
        self.metrics.measure("table_commit_seconds", seconds)

    def alarm(self) -> None:
        """Tell the targets what has to be mended and is nobody else's alert."""
        problems = {code: problem.words for code, problem in self.health.problems().items() if problem.alarm}
        for target in self._targets():
            if isinstance(target, Alarmed):
                target.alarm(problems)
