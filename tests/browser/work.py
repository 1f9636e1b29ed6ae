"""The real service of a table, and a page at which somebody works, as the tests use them."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import ConsoleMessage, Page

from controller import facts
from controller.config import parse_configuration
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    ResultConfirmed,
    ShoeLoaded,
    WagerPlaced,
)
from controller.orders import Event, Order
from controller.people import People
from controller.runtime.service import Service

PINS = {
    "dana": ("dealer", "1111"),
    "sue": ("supervisor", "2222"),
    "sam": ("supervisor", "3333"),
    "eve": ("engineer", "4444"),
}
CONFIG = """
[table]
id = "MB-01"
name = "{called}"
ruleset = "{ruleset}"
boundaries = "{boundaries}"
dealing = "{dealing}"
[shoe]
{shoe}
[web]
listen = "127.0.0.1:{port}"
without_login = [{without}]
[board]
language = "{language}"
"""
#: A shoe that is never plugged in: whatever comes from it, the test says.
#: x
SILENT = 'driver = "angel-eye"\nlink = "pty:{folder}/shoe"'
MANUAL = 'driver = "manual"'


class Work:
    """`faults`: what the page complained about."""

    def __init__(self, page: Page, folder: Path, **options: Any) -> None:
        self.page = page
        self.folder = folder
        self.options = {
            "ruleset": "nj-mini-baccarat",
            "boundaries": "announced",
            "dealing": "face-up",
            "shoe": SILENT.format(folder=folder),
            "without": "",
            "language": "en",
            "port": 0,
            "called": "Mini-Baccarat 1",
        } | options
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._listen)
        people = People(folder / "state")
        for name, (role, pin) in PINS.items():
            people.add(name, role, pin)

    def _listen(self, message: ConsoleMessage) -> None:
        # A server that is away or refuses is no fault of the page; breaking its own policy is.
        if "Content Security Policy" in message.text:
            self.faults.append(message.text)

    async def serve(self) -> None:
        """Start the service (again)."""
        config = parse_configuration(CONFIG.format(**self.options), "table.toml", self.folder)
        self.service = Service(config)
        await self.service.start()
        self.options["port"] = self.service.port

    async def go(self, path: str) -> None:
        await self.page.goto(f"http://127.0.0.1:{self.service.port}{path}")

    async def login(self, name: str) -> None:
        """By the keys of a keyboard."""
        await self.page.wait_for_selector("#login[open]")
        await self.page.fill("#login-name", name)
        await self.page.fill("#login-pin", PINS[name][1])
        await self.page.press("#login-pin", "Enter")
        await self.page.wait_for_selector("#login:not([open])", state="attached")

    async def do(self, *events: Event) -> list[facts.Fact]:
        """What happens at the table, durable when it returns."""
        return [fact for event in events for fact in await self.service.decide(event)]

    async def shoe(self, decks: int = 8) -> None:
        await self.do(ShoeLoaded(decks=decks))

    async def cards(self, text: str) -> list[facts.Fact]:
        return await self.do(*(CardDrawn(card=card) for card in text.split()))

    async def open(self, *stakes: tuple[int, str, str]) -> None:
        """Bets opened, stakes placed, bets closed."""
        await self.do(
            BetsOpened(),
            *(WagerPlaced(seat=seat, wager=wager, amount=amount) for seat, wager, amount in stakes),
            BetsClosed(),
        )

    async def round(self, cards: str) -> None:
        await self.open()
        await self.cards(cards)
        await self.do(ResultConfirmed())

    async def order(self, name: str, **fields: Any) -> list[facts.Fact]:
        return await self.do(Order(order=name, by="sue", **fields))  # type: ignore[arg-type]

    async def says(self, words: str) -> None:
        """Wait for the dealer's sentence."""
        await self.page.wait_for_selector(f"#now strong:text-is('{words}')")

    def button(self, name: str) -> Any:
        return self.page.locator(f"[data-name={name}]")


MakeWork = Callable[..., Awaitable[Work]]
