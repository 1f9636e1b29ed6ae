"""A process to be killed: the real service, and a supervisor who voids every round that is held.

    python supervised_service.py TABLE.TOML

Prints each item when it is durable, as every output is told it: its number and its JSON. SIGTERM ends it.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

import msgspec

from controller.config import load_configuration
from controller.facts import IrregularityRaised, IrregularityResolved
from controller.journal.reader import records
from controller.orders import Order, OrderName
from controller.runtime import log
from controller.runtime.replaying import items
from controller.runtime.service import Service
from controller.views.disclosure import Item

ANSWERS: dict[str, OrderName] = {"stop": "void_round", "block": "acknowledge"}


class Supervisor:
    """Answers what is open, each once; also what was raised before a predecessor was killed."""

    def __init__(self, config: Path) -> None:
        self.service = Service(load_configuration(config), watch=self.watch)
        self.open: dict[int, IrregularityRaised] = {}

    def watch(self, seq: int, item: Item) -> None:
        os.write(1, b"%d %s\n" % (seq, msgspec.json.encode(item)))
        self.see(item)
        self.answer()

    def see(self, item: Item) -> None:
        if isinstance(item, IrregularityRaised):
            self.open[item.id] = item
        elif isinstance(item, IrregularityResolved):
            self.open.pop(item.id, None)

    def answer(self) -> None:
        for irregularity in list(self.open.values()):
            if order := ANSWERS.get(irregularity.severity):
                del self.open[irregularity.id]
                self.service.enter(Order(order=order, by="pit", irregularity=irregularity.id))

    async def work(self) -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        if self.service.path.exists():
            for _, item in items(records(self.service.path)):
                self.see(item)
        await self.service.start()
        self.answer()
        await stop.wait()
        await self.service.stop()


if __name__ == "__main__":
    log.set_up(level="error")
    asyncio.run(Supervisor(Path(sys.argv[1])).work())
