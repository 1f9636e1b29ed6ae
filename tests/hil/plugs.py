"""For tests at real ports: a link that keeps its signals, a pty that can be pulled out, open descriptors."""

import asyncio
import contextlib
import fcntl
import gc
import os
import struct
import tty
from pathlib import Path

from controller.ports import Lost, Received, Restored
from controller.runtime.clock import Clock
from drivers.links import open_link

QUICK = (0.01, 0.02, 0.05, 0.1)  # the real back-off, divided by a hundred
TIOCGEXCL = 0x80045440  # of which termios has no name
SOON = 20.0  # seconds that something awaited may take on a busy machine


class Ear:
    """Collects a link's signals and lets a test wait for them."""

    def __init__(self, address, *, back_off=QUICK, clock=None, **line):
        self.link = open_link(address, clock=clock or Clock(), back_off=back_off, **line)
        self.signals = []
        self._news = asyncio.Event()

    def __call__(self, signal):
        self.signals.append(signal)
        self._news.set()

    async def __aenter__(self):
        self.link.open(self)
        return self

    async def __aexit__(self, *_):
        await self.link.close()

    async def until(self, condition):
        async with asyncio.timeout(SOON):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def count(self, kind):
        return sum(isinstance(signal, kind) for signal in self.signals)

    async def troubled(self):
        """Why the first try to open failed."""
        async with asyncio.timeout(SOON):
            while self.link.problem in (None, "not opened yet"):
                await asyncio.sleep(0.001)
        return self.link.problem

    @property
    def received(self):
        return b"".join(signal.data for signal in self.signals if isinstance(signal, Received))

    async def restored(self, times=1):
        await self.until(lambda: self.count(Restored) >= times)

    async def lost(self, times=1):
        await self.until(lambda: self.count(Lost) >= times)

    async def heard(self, data):
        await self.until(lambda: self.received.endswith(data))


class Plug:
    """A terminal behind a stable path, as an adapter behind its by-id name."""

    def __init__(self, path: Path):
        self.path = path

    def insert(self):
        self.master, terminal = os.openpty()
        tty.setraw(terminal)
        fresh = self.path.with_suffix(".new")
        fresh.symlink_to(os.ttyname(terminal))
        fresh.replace(self.path)
        os.close(terminal)

    def pull(self):
        self.path.unlink()
        os.close(self.master)


def descriptors():
    """How many files this process has open, without those of tests before that nothing holds any more."""
    gc.collect()
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


def claimed(path):
    """Whether the terminal at `path`, which this process has open, is marked exclusive (TIOCEXCL)."""
    name = str(path.resolve())
    fd = next(int(fd) for fd in os.listdir("/proc/self/fd") if _leads_to(fd, name))  # noqa: PTH208
    return struct.unpack("i", fcntl.ioctl(fd, TIOCGEXCL, bytes(4)))[0] == 1


def _leads_to(fd, name):
    with contextlib.suppress(FileNotFoundError):
        return str(Path(f"/proc/self/fd/{fd}").readlink()) == name
    return False
