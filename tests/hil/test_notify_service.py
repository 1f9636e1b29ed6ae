"""The whole service under a manager's socket: ready, fed, silent while something stands, fed again."""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from controller.config import parse_configuration
from controller.journal.store import Store
from controller.observations import ShoeLoaded
from controller.runtime import notify
from controller.runtime.notify import Notifier
from controller.runtime.service import Service

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
{shoe}
[web]
listen = "127.0.0.1:0"
"""
MANUAL = 'driver = "manual"'
#: Nothing is there, and nobody listens at the other.
PLUGGED_OUT = 'driver = "angel-eye"\nlink = "serial:/dev/serial/by-id/nothing?baud=4800"'
#: Seconds of the watchdog, and those after which a standstill is a fault, all shorter than at a table.
WATCHDOG, LATE, LAG = 1.0, 0.5, 0.5
SOON = 30.0


class Disk:
    """Stalls every commit while `moves` is not set."""

    def __init__(self) -> None:
        self.moves = threading.Event()
        self.moves.set()

    def at_point(self, point: str) -> None:
        if point == "inserted":
            assert self.moves.wait(SOON)


class Table:
    def __init__(self, folder: Path, shoe: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.socket.bind(str(folder / "notify"))
        self.disk = Disk()
        environment = {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": f"{WATCHDOG * 1e6:.0f}"}
        self.service = Service(
            parse_configuration(CONFIG.format(shoe=shoe), "table.toml", folder),
            open_store=partial(Store, at_point=self.disk.at_point),
            notifier=Notifier(environment),
        )

    async def hear(self, wanted: Callable[[str], bool]) -> list[str]:
        """All that is said up to the first line that is wanted."""
        loop, said = asyncio.get_running_loop(), list[str]()
        async with asyncio.timeout(SOON):
            while True:
                for line in (await loop.sock_recv(self.socket, 4096)).decode().splitlines():
                    said.append(line)
                    if wanted(line):
                        return said

    async def hear_fed(self, times: int) -> list[str]:
        return [line for _ in range(times) for line in await self.hear("WATCHDOG=1".__eq__)]

    async def hear_status(self, begins: str) -> list[str]:
        return await self.hear(lambda line: line.startswith(f"STATUS={begins}"))


@asynccontextmanager
async def at_work(folder: Path, shoe: str = MANUAL) -> AsyncIterator[Table]:
    table = Table(folder, shoe)
    await table.service.start()
    try:
        yield table
    finally:
        table.disk.moves.set()
        await table.service.stop()
        table.socket.close()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "LATE", LATE)
    monkeypatch.setattr(notify, "LAG", LAG)


async def test_it_is_ready_when_it_has_started_and_then_fed(tmp_path: Path) -> None:
    async with at_work(tmp_path) as table:
        await table.hear("READY=1".__eq__)
        began = time.monotonic()
        await table.hear_fed(4)
        # Four in a row are 1.5 s of them at the least: at half of the watchdog's time, not more often.
        assert time.monotonic() - began > 3 * WATCHDOG / 2 - 0.5


async def test_a_port_that_is_not_there_keeps_nothing_from_being_ready(tmp_path: Path) -> None:
    async with at_work(tmp_path, PLUGGED_OUT) as table:
        await table.hear("READY=1".__eq__)
        said = await table.hear_status("shoe: no such device")
        assert "READY=1" not in said


async def test_it_is_silent_while_the_disk_stands_and_fed_when_it_moves(tmp_path: Path) -> None:
    async with at_work(tmp_path) as table:
        await table.hear_fed(1)
        table.disk.moves.clear()
        table.service.enter(ShoeLoaded(decks=8))
        await table.hear_status("the journal has not moved for")
        # Longer than the watchdog waits: a manager would end it now.
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.5 * WATCHDOG):
                await table.hear_fed(1)
        table.disk.moves.set()
        said = await table.hear_fed(1)
        assert said[-2] == "STATUS=the table is at work"


async def test_it_is_silent_while_the_loop_stands_and_fed_when_it_runs(tmp_path: Path) -> None:
    async with at_work(tmp_path) as table:
        await table.hear_fed(1)
        asyncio.get_running_loop().call_soon(time.sleep, 1.5)
        said = await table.hear_status("the event loop is late by")
        assert "WATCHDOG=1" not in said
        assert table.service.loop_watch.worst >= 1.0
        await table.hear_status("the table is at work")
        await table.hear_fed(1)


async def test_what_was_recorded_is_read_with_time_asked_for(tmp_path: Path) -> None:
    async with at_work(tmp_path) as table:
        table.service.enter(ShoeLoaded(decks=8))
        await table.hear("READY=1".__eq__)
    (tmp_path / "notify").unlink()
    async with at_work(tmp_path) as table:
        said = await table.hear("READY=1".__eq__)
        assert "EXTEND_TIMEOUT_USEC=30000000" in said


async def test_a_stop_is_announced(tmp_path: Path) -> None:
    table = Table(tmp_path, MANUAL)
    await table.service.start()
    await table.hear("READY=1".__eq__)
    await table.service.stop()
    await table.hear("STOPPING=1".__eq__)
    table.socket.close()
