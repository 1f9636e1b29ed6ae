"""A link with its device's end in the same process, for tests and runs in virtual time."""

from collections.abc import Callable

from controller.ports import AnySignal, Lost, Received, Restored
from controller.runtime.clock import Clock


class MemoryLink:
    """The device's end is `deliver`, `unplug`, `plug` and `take`. Signals come at once, without a loop."""

    def __init__(self, clock: Clock, address: str = "memory:") -> None:
        self.address = address
        self._clock = clock
        self._listener: Callable[[AnySignal], None] | None = None
        self._plugged = True
        self._written = bytearray()

    def open(self, listener: Callable[[AnySignal], None]) -> None:
        self._listener = listener
        if self._plugged:
            listener(Restored(at=self._clock.now()))

    def write(self, data: bytes) -> bool:
        if self._listener is None or not self._plugged:
            return False
        self._written += data
        return True

    async def close(self) -> None:
        self._listener = None

    def deliver(self, data: bytes) -> None:
        """Bytes from the device; nobody hears them while it is unplugged."""
        if self._plugged and self._listener:
            self._listener(Received(at=self._clock.now(), data=data))

    def unplug(self) -> None:
        """The port goes away."""
        if self._plugged and self._listener:
            self._listener(Lost(at=self._clock.now()))
        self._plugged = False

    def plug(self) -> None:
        """The port is there again."""
        if not self._plugged and self._listener:
            self._listener(Restored(at=self._clock.now()))
        self._plugged = True

    def take(self) -> bytes:
        """What the host has written since the last call."""
        data = bytes(self._written)
        self._written.clear()
        return data
