"""The thread that owns all USB traffic, and what it does for each device.

Two threads that read two devices can hang each other, and a handle closed under a reader is undefined
(field failures 26, 27): so one thread finds, opens, reads, writes and closes, device after device.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from controller.ports import AnySignal, Lost, Received, Restored
from controller.runtime.clock import Clock
from drivers.links.usb_address import UsbTarget
from drivers.links.usb_device import UsbDevice, UsbDeviceError, open_device

ALONE_MS = 200  # a transfer's time-out; on a read it is the normal idle (field failure 25)
SHARED_MS = 20  # the same where several devices wait for their turn
PAUSE = 1.0  # seconds; the longest sleep, in which the end of the program is noticed
MAX_UNSENT = 65536  # bytes waiting for a device that does not take them
STUCK = 3.0  # seconds without taking any; what is given so late may do harm, so the device is lost


class Outbox:
    """What is to be written in one opening of a device; filled by one thread, emptied by another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._writes: deque[bytes] = deque()
        self._size = 0

    def put(self, data: bytes) -> bool:
        """Queue one write; False when there is no room."""
        with self._lock:
            if self._size + len(data) > MAX_UNSENT:
                return False
            if data:
                self._writes.append(data)
                self._size += len(data)
            return True

    def first(self) -> bytes:
        """What to write next; empty when there is nothing."""
        with self._lock:
            return self._writes[0] if self._writes else b""

    def sent(self, count: int) -> None:
        """So many bytes of the first are written."""
        with self._lock:
            self._size -= count
            if rest := self._writes.popleft()[count:]:
                self._writes.appendleft(rest)


@dataclass(frozen=True)
class News:
    """`problem` and `outbox` are as they stand from now on; `signal` is for the listener."""

    signal: AnySignal | None = None
    problem: str | None = None
    outbox: Outbox | None = None


class Keeper:
    """Keeps one device open: finds it, reads and writes it, drops it on any error and finds it again.

    `tell` gets the news, and at the very end None. `retry`: real seconds from one try to the next.
    """

    def __init__(
        self,
        target: UsbTarget,
        clock: Clock,
        retry: float,
        tell: Callable[[News | None], None],
    ) -> None:
        self.tell = tell
        self.stopping = False
        self.device: UsbDevice | None = None
        self._target = target
        self._clock = clock
        self._retry = retry
        self._outbox = Outbox()
        self._next_try = 0.0
        self._stalled = False
        self._stuck_since: float | None = None  # since when it takes nothing of what waits

    def turn(self, now: float, wait: int) -> float:
        """Do the next thing, with at most `wait` milliseconds for a transfer; seconds until the next turn."""
        if self.device is None and now < self._next_try:
            return self._next_try - now
        try:
            if self.device is None:
                self._open()
            else:
                self._write(self.device, wait, now)
                self._read(self.device, wait)
        except UsbDeviceError as trouble:
            self._stalled = trouble.stalled
            self._next_try = now + self._retry
            # The object of a device that failed is of no use any more (field failure 29).
            self._drop(str(trouble))
            return self._retry
        return 0.0

    def close(self) -> None:
        """Release the device."""
        if self.device:
            self.device.close()
            self.device = None

    def abandon(self) -> None:
        """The thread dies of a fault of ours: nobody must believe that the device is still heard."""
        self._tell_lost("a fault in the USB link: restart the service")
        try:
            self.close()
        finally:
            self.tell(None)

    def _open(self) -> None:
        self.device = open_device(self._target, self._stalled)
        self._stalled = False
        self._outbox, self._stuck_since = Outbox(), None
        self._tell(Restored(at=self._clock.now()))

    def _read(self, device: UsbDevice, wait: int) -> None:
        if data := device.read(wait):
            self._tell(Received(at=self._clock.now(), data=data))

    def _write(self, device: UsbDevice, wait: int, now: float) -> None:
        while data := self._outbox.first():
            count = device.write(data, wait)
            self._outbox.sent(count)
            if count:
                self._stuck_since = None
            if count < len(data):
                self._stuck_since = now if self._stuck_since is None else self._stuck_since
                if now - self._stuck_since >= STUCK:
                    raise UsbDeviceError(f"it has taken nothing for {STUCK:g} s: switch it off and on")
                return

    def _tell(self, signal: AnySignal) -> None:
        writable = self.device is not None and self.device.writable
        self.tell(News(signal, outbox=self._outbox if writable else None))

    def _drop(self, reason: str) -> None:
        self._tell_lost(reason)
        self.close()

    def _tell_lost(self, reason: str) -> None:
        lost = Lost(at=self._clock.now()) if self.device else None
        self.tell(News(lost, problem=reason))


class Owner:
    """The thread, which lives as long as it has a keeper to serve and the program runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._keepers: list[Keeper] = []
        self._thread: threading.Thread | None = None
        self._last: threading.Thread | None = None

    def add(self, keeper: Keeper) -> None:
        """Serve it from now on."""
        with self._lock:
            self._keepers.append(keeper)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="usb")
                self._thread.start()
        self._news.set()

    def remove(self, keeper: Keeper) -> None:
        """Close it soon; it is told when that is done."""
        keeper.stopping = True
        self._news.set()

    def join(self) -> None:
        """Wait for the thread that has nothing left to do; takes no time."""
        with self._lock:
            thread, self._last = self._last, None
        if thread:
            thread.join()

    def _run(self) -> None:
        try:
            while keepers := self._served():
                wait = SHARED_MS if sum(keeper.device is not None for keeper in keepers) > 1 else ALONE_MS
                pause = min(keeper.turn(time.monotonic(), wait) for keeper in keepers)
                if pause:
                    self._news.wait(min(pause, PAUSE))
        except BaseException:
            # Nobody foresaw this: it is reported as any thread's, and nobody goes on believing us.
            with self._lock:
                for keeper in self._keepers:
                    keeper.abandon()
                self._keepers, self._last, self._thread = [], self._thread, None
            raise

    def _served(self) -> list[Keeper]:
        """Those to serve, after closing those that stop; where none stay, the thread is over."""
        # Cleared first, so that a call while we look is not slept through.
        self._news.clear()
        ending = not threading.main_thread().is_alive()
        going = [keeper for keeper in list(self._keepers) if keeper.stopping or ending]
        for keeper in going:
            keeper.close()
        with self._lock:
            self._keepers = [keeper for keeper in self._keepers if keeper not in going]
            if not self._keepers:
                self._last, self._thread = self._thread, None
            staying = list(self._keepers)
        for keeper in going:
            keeper.tell(None)
        return staying


OWNER = Owner()
