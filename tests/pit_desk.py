"""A pit of real tables and the console in front of them, in one process."""

import asyncio
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp

from controller.config import parse_configuration
from controller.observations import BetsClosed, BetsOpened, CardDrawn
from controller.orders import Event, Order
from controller.outputs.pit.glance import Glance
from controller.outputs.pit.server import PitServer
from controller.outputs.pit.settings import load_pit
from controller.people import People
from controller.runtime.service import Service

TABLE = """
[table]
id = "MB-{number:02}"
name = "Table {number}"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
{shoe}
[web]
listen = "127.0.0.1:{port}"
pit_key_file = "pit.key"
{more}
"""
PIT = """
[pit]
name = "Pit 1"
listen = "127.0.0.1:{port}"
language = "{language}"
{more}
"""
MANUAL = 'driver = "manual"'
PIN = "2222"


def write_key(path: Path, key: str | None = None) -> str:
    """A file that holds a key; the key."""
    path.touch(mode=0o600)
    key = key or secrets.token_urlsafe(24)
    path.write_text(key + "\n")
    return key


class Felt:
    """One table, numbered from 1."""

    def __init__(self, folder: Path, number: int, shoe: str = MANUAL, more: str = "") -> None:
        self.folder = folder / f"table-{number}"
        self.folder.mkdir()
        self.key = write_key(self.folder / "pit.key")
        self.number, self.shoe, self.more, self.port = number, shoe, more, 0
        self.running = False
        People(self.folder / "state").add("sue", "supervisor", PIN)

    async def serve(self) -> None:
        """Start its service (again, at the same port)."""
        text = TABLE.format(number=self.number, port=self.port, shoe=self.shoe, more=self.more)
        self.service = Service(parse_configuration(text, "table.toml", self.folder))
        await self.service.start()
        self.port, self.running = self.service.port, True

    async def stop(self) -> None:
        """End its service, if it runs."""
        if self.running:
            self.running = False
            await self.service.stop()

    async def do(self, *events: Event) -> None:
        """What happens at the table, durable when it returns."""
        for event in events:
            await self.service.decide(event)

    async def open(self, cards: str = "") -> None:
        """A round as far as its cards go; a fifth or sixth that is not due holds it."""
        await self.do(BetsOpened(), BetsClosed(), *(CardDrawn(card=card) for card in cards.split()))

    async def order(self, name: str, **fields: Any) -> None:
        await self.do(Order(order=name, by="sue", **fields))  # type: ignore[arg-type]


class PitDesk:
    """The tables and their console. `more`: lines of `[pit]`."""

    def __init__(self, folder: Path, felts: list[Felt], language: str = "en", more: str = "") -> None:
        self.later = 0.0  # seconds by which its clock is ahead
        self.folder = folder / "desk"
        self.folder.mkdir()
        self.felts = felts
        self.language, self.more, self.port, self.scheme = language, more, 0, "http"
        for felt in felts:
            write_key(self.folder / f"{felt.number}.key", felt.key)
        people = People(self.folder / "pit-state")
        people.add("sue", "supervisor", PIN)
        people.add("dana", "dealer", PIN)

    async def serve(self) -> None:
        """Start the console (again)."""
        rows = [
            f'[[table]]\nurl = "{self.scheme}://127.0.0.1:{felt.port}"\nkey_file = "{felt.number}.key"\n'
            + ('ca_file = "../pit.ca"\n' if self.scheme == "https" else "")
            for felt in self.felts
        ]
        text = PIT.format(port=self.port, language=self.language, more=self.more) + "".join(rows)
        self.path = self.folder / "pit.toml"
        self.path.write_text(text)
        self.server = PitServer(load_pit(self.path), lambda: time.monotonic() + self.later)
        await self.server.start()
        self.port = self.server.port

    def glance(self, number: int) -> Glance:
        """What it shows of a table."""
        return self.server.glances()[f"table-{number}"]

    async def until(self, number: int, which: Callable[[Glance], bool], seconds: float = 20.0) -> Glance:
        """Wait until it shows that of a table."""
        try:
            async with asyncio.timeout(seconds):
                while not which(self.glance(number)):
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(self.glance(number)) from None
        return self.glance(number)

    async def all_heard(self) -> None:
        for felt in self.felts:
            await self.until(felt.number, lambda glance: glance.reach == "up")

    async def stop(self) -> None:
        """The console and every table that runs."""
        await self.server.stop()
        for felt in self.felts:
            await felt.stop()


async def log_in(http: aiohttp.ClientSession, base: str, name: str = "sue") -> int:
    """The status of the answer."""
    async with http.post(f"{base}/api/login", json={"name": name, "pin": PIN}) as answer:
        return answer.status
