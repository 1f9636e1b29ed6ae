"""A USB device as a Link: bulk or interrupt endpoints, found by vendor, product and serial number."""

import asyncio
from collections.abc import Callable
from functools import partial

from controller.ports import AnySignal, Lost
from controller.runtime.clock import Clock
from drivers.links.usb_address import UsbTarget
from drivers.links.usb_thread import OWNER, Keeper, News, Outbox

#: Real seconds between two looks for a device that is down (field failure 28).
RETRY = 1.0


class UsbLink:
    """Finds the device, reads it, notices its loss and finds it again, until closed.

    Signals come on the event loop, with the times at which the reading thread had them. `problem`: why the
    device is not open, for a person; None while it is. `losses`: how often it went away (field failure 30).
    """

    def __init__(self, address: str, target: UsbTarget, clock: Clock, retry: float = RETRY) -> None:
        self.address = address
        self.problem: str | None = "not opened yet"
        self.losses = 0
        self._new_keeper = partial(Keeper, target, clock, retry, self._post)
        self._keeper: Keeper | None = None
        self._listener: Callable[[AnySignal], None] = lambda _: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._released = asyncio.Event()
        self._outbox: Outbox | None = None

    def open(self, listener: Callable[[AnySignal], None]) -> None:
        """Start looking for the device; the signals come on the running loop."""
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._released.clear()
        self._keeper = self._new_keeper()
        OWNER.add(self._keeper)

    def write(self, data: bytes) -> bool:
        """Queue bytes as one transfer; False when the device is away, cannot be written or takes nothing."""
        return self._outbox is not None and self._outbox.put(data)

    async def close(self) -> None:
        """Release the device, in the thread that reads it; no signal after this returns."""
        if self._keeper is None:
            return
        OWNER.remove(self._keeper)
        await self._released.wait()
        OWNER.join()
        self._keeper = self._outbox = None

    def _post(self, news: News | None) -> None:
        """Called in the owner's thread."""
        assert self._loop and self._keeper
        try:
            self._loop.call_soon_threadsafe(self._hear, news)
        except RuntimeError:
            # The loop is closed, and whoever listened is gone with it.
            OWNER.remove(self._keeper)

    def _hear(self, news: News | None) -> None:
        if news is None:
            self._released.set()
            return
        self.problem, self._outbox = news.problem, news.outbox
        self.losses += isinstance(news.signal, Lost)
        if news.signal:
            self._listener(news.signal)
