"""Delivery to one target: in order, one at a time, again and again until it is taken."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from controller.outputs.alerts.outbox import Letter
from controller.outputs.patience import Patience

#: Seconds that a target has at a stop to take the message that is under way.
GRACE = 3.0


class Sender(Protocol):
    """How messages get to one target."""

    async def send(self, letter: Letter) -> None:
        """Returns when the target has it. Raises DeliveryError."""

    async def close(self) -> None:
        """Release the connection."""


#: Forgets the letter of that number, if any, and gives the target's next. Raises OutboxError.
Take = Callable[[str, int | None], Awaitable[Letter | None]]


class Courier:
    """`waiting`: letters in the outbox."""

    def __init__(self, target: str, sender: Sender, take: Take, patience: Patience, waiting: int) -> None:
        self.target = target
        self.waiting = waiting
        self.patience = patience
        self._sender = sender
        self._take = take
        self._news = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self, ended: Callable[[asyncio.Task[None]], None]) -> None:
        """Begin to deliver; `ended` is told when that is over."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"alert {self.target}")
        self._task.add_done_callback(ended)

    @property
    def well(self) -> bool:
        """The last attempt succeeded."""
        return self.patience.error is None and self._task is not None and not self._task.done()

    def wake(self, added: int) -> None:
        """So many letters were added."""
        self.waiting += added
        self._news.set()

    async def stop(self) -> None:
        """End behind the message that is under way, if its target takes it, and release the target."""
        self._closing = True
        self._news.set()
        if self._task:
            if self.well:
                await asyncio.wait({self._task}, timeout=GRACE)
            self._task.cancel()
            await asyncio.wait({self._task})
        await self._sender.close()

    async def _run(self) -> None:
        done: int | None = None
        while True:
            self._news.clear()
            letter = await self.patience.insist(partial(self._take, self.target, done))
            self.waiting -= done is not None
            done = None
            if self._closing:
                return
            if letter is None:
                await self._news.wait()
                continue
            await self.patience.insist(partial(self._sender.send, letter))
            done = letter.number
