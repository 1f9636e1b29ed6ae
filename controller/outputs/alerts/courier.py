"""Delivery to one target: in order, one at a time, again and again until it is taken. What the target refuses
lets the others pass, and is tried again later.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

import structlog

from controller.outputs.alerts.outbox import Letter
from controller.outputs.patience import Patience, RefusedError

#: Seconds that a target has at a stop to take the message that is under way.
GRACE = 3.0


class Sender(Protocol):
    """How messages get to one target."""

    async def send(self, letter: Letter) -> None:
        """Returns when the target has it. Raises DeliveryError, and RefusedError for this very message."""

    async def close(self) -> None:
        """Release the connection."""


#: Forgets a letter, if its number is given, and gives the target's next behind another. Raises OutboxError.
Take = Callable[[str, int | None, int], Awaitable[Letter | None]]


class Courier:
    """`waiting`: letters in the outbox."""

    def __init__(self, target: str, sender: Sender, take: Take, patience: Patience, waiting: int) -> None:
        self.target = target
        self.waiting = waiting
        self.patience = patience
        #: why a letter was refused that still waits; None: none was
        self.refused: str | None = None
        self._sender = sender
        self._take = take
        self._news = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    def start(self, ended: Callable[[asyncio.Task[None]], None]) -> None:
        """Begin to deliver; `ended` is told when that is over."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"alert {self.target}")
        self._task.add_done_callback(ended)

    @property
    def well(self) -> bool:
        """The last attempt succeeded, and nothing was refused."""
        return self.error is None and self._task is not None and not self._task.done()

    @property
    def error(self) -> str | None:
        """Why something is not delivered."""
        return self.patience.error or self.refused

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
        behind, refused = 0, None
        while True:
            self._news.clear()
            letter = await self.patience.insist(partial(self._take, self.target, done, behind))
            self.waiting -= done is not None
            done = None
            if self._closing:
                return
            if letter is None:
                self.refused = refused
                if not await self._hear_news(None if refused is None else self.patience.longest):
                    behind, refused = 0, None  # what was refused is tried again
                continue
            behind = letter.number
            try:
                await self.patience.insist(partial(self._sender.send, letter))
            except RefusedError as error:
                self.refused = refused = str(error)
                self._log.error("delivery_refused", to=self.target, id=letter.id, error=refused)
            else:
                done = letter.number

    async def _hear_news(self, within: float | None) -> bool:
        """Wait until there is any; whether there was."""
        try:
            async with asyncio.timeout(within):
                return await self._news.wait()
        except TimeoutError:
            return False
