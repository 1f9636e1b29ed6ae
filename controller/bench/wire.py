"""A shoe's reports written to a terminal by another process, which keeps when each was written."""

import multiprocessing
import os
import time
import tty
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection

from controller.observations import CardDrawn
from controller.ports import Received, find_driver

DRIVER = "angel-eye"
#: Seconds between two reports: idle enough that each is handled alone.
PACE = 0.005


@dataclass(frozen=True)
class Report:
    """One report as it is written, and whether it is about a card of a hand."""

    data: bytes
    deals: bool


def reports(cards: int) -> list[Report]:
    """A simulated shoe's reports, one copy of each, until so many cards went to the hands."""
    spec = find_driver(DRIVER)
    settings = spec.settings()(copies=1)
    driver = spec.driver(settings)
    assert spec.simulator is not None
    simulator = spec.simulator(settings, seed=1)
    found: list[Report] = []
    at: float | None = 0.0
    while at is not None and sum(r.deals for r in found) < cards:
        for data in simulator.advance(at):
            seen = driver.apply(Received(at=at, data=data))
            deals = any(isinstance(o, CardDrawn) and o.slot in ("player", "banker") for o in seen)
            found.append(Report(data, deals))
        at = simulator.next_at()
    return found


class Terminal:
    """A terminal whose other end a process of its own writes to. `path`: what to open."""

    def __init__(self) -> None:
        self._master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)

    def write(self, frames: list[bytes], pace: float = PACE) -> Callable[[], list[float]]:
        """Start writing. The answer waits for the end and gives the time of each write."""
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        writer = context.Process(target=_write, args=(self._master, frames, pace, theirs), daemon=True)
        writer.start()
        theirs.close()

        def times() -> list[float]:
            found: list[float] = ours.recv()
            writer.join()
            return found

        return times

    def close(self) -> None:
        os.close(self._master)
        os.close(self.slave)


def _write(master: int, frames: list[bytes], pace: float, result: Connection) -> None:
    times = []
    due = time.monotonic()
    for frame in frames:
        due += pace
        time.sleep(max(0.0, due - time.monotonic()))
        times.append(time.monotonic())
        os.write(master, frame)
    result.send(times)
