"""The demonstration's porter: carries each verified pack from the shuffler to the shoe, and says so."""

import asyncio
from asyncio.subprocess import Process
from pathlib import Path

import msgspec

from controller import facts
from controller.observations import ShuffleFinished, ShufflerState
from controller.orders import Order
from controller.ports import CommandError
from controller.runtime.service import Service
from controller.views.disclosure import Item

SHUFFLER = "shuffler"
BY = "dealer"
AGAIN = 5.0  # seconds until a pack that could not be had is asked for again


class Porter:
    """`watch` takes every durable item. `truth`: the file in which the simulated shuffler writes the packs
    taken out of it, one a line; the shoe's process is given that line.
    """

    def __init__(self, truth: Path) -> None:
        self._truth = truth
        self._shoe_empty, self._ready, self._taken_out = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._shoe_empty.set()
        self._pack: str | None = None

    def watch(self, item: Item) -> None:
        """Take in a durable item."""
        match item:
            case facts.ShoeEnded():
                self._shoe_empty.set()
            case ShuffleFinished():
                self._pack = item.pack
            case ShufflerState(state="ready"):
                self._ready.set()
            case ShufflerState(state=state):
                self._ready.clear()
                if state == "idle_empty":
                    self._taken_out.set()

    async def carry(self, service: Service, shoe: Process) -> None:
        """Bring every pack that the shoe needs, until cancelled."""
        assert shoe.stdin is not None
        while True:
            await self._shoe_empty.wait()
            await self._ready.wait()
            self._taken_out.clear()
            if not await _eject(service):
                await asyncio.sleep(service.clock.real(AGAIN))
                continue
            await self._taken_out.wait()
            self._shoe_empty.clear()
            decks = service.config.shoe.decks
            await service.decide(
                Order(order="new_shoe", by=BY, reason="a new pack", decks=decks, pack=self._pack)
            )
            shoe.stdin.write(self._handed_over())

    def _handed_over(self) -> bytes:
        lines = self._truth.read_bytes().splitlines(keepends=True)
        return next(line for line in reversed(lines) if msgspec.json.decode(line)["pack"] == self._pack)


async def _eject(service: Service) -> bool:
    """The pack is on its way out; not while the table is held."""
    try:
        settled = await service.command(SHUFFLER, "eject", BY)
    except CommandError:
        return False
    return settled.outcome == "accepted"
