"""A table, its server, and its board in a browser, as the tests read it."""

from collections.abc import Awaitable, Callable
from typing import Any

from playing import Play
from playwright.async_api import ConsoleMessage, Page

from controller.observations import CardDrawn
from controller.orders import Event
from controller.outputs.web.server import WebServer
from controller.views.view import Limit, TableInfo

LIMITS = (
    Limit(wager="player", min=25, max=5000),
    Limit(wager="banker", min=25, max=5000),
    Limit(wager="tie", min=5, max=500),
    Limit(wager="dragon_7", min=5, max=250),
    Limit(wager="panda_8", min=5, max=250),
)


class Board:
    """A table, its server, and the board's page; `faults`: what the page complained about."""

    def __init__(self, page: Page, play: Play, **info: Any) -> None:
        self.page = page
        self.play = play
        self.style: bytes | None = info.pop("style", None)
        self.info = TableInfo(id="MB-01", name="Mini-Baccarat 1", **{"limits": LIMITS, **info})
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.port = 0
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._listen)

    def _listen(self, message: ConsoleMessage) -> None:
        # A server that is away is no fault of the page; breaking its own policy is.
        if "Content Security Policy" in message.text:
            self.faults.append(message.text)

    async def serve(self) -> None:
        """Start the server (again), with all that happened so far."""
        self.server = WebServer(
            self.info, history=lambda _after: self.play.items, health=lambda: (True, {}), style=self.style
        )
        self.server.publish(self.play.items)
        self.port = await self.server.start("127.0.0.1", self.port)

    async def show(self, query: str = "") -> None:
        """Load the page, and wait until it shows the table."""
        await self.page.goto(f"http://127.0.0.1:{self.port}/{query}")
        await self.page.wait_for_selector("h1:text('Mini-Baccarat 1')")

    def do(self, *events: Event) -> None:
        self.server.publish(self.play.do(*events))

    def open(self) -> None:
        self.server.publish(self.play.open())

    def cards(self, text: str) -> None:
        self.do(*(CardDrawn(card=card) for card in text.split()))

    async def says(self, words: str, reason: str = "") -> None:
        """Wait for the words between the hands."""
        await self.page.wait_for_selector(f"#call strong:text-is('{words}')")
        if reason:
            await self.page.wait_for_selector(f'#call span:text-is("{reason}")')

    async def hand(self, hand: str) -> tuple[list[str], str]:
        """The cards that lie in a hand (`down`: face down) and the count beside them."""
        slots = self.page.locator(f"#{hand} .slot:not(:empty)")
        shown = await slots.evaluate_all("slots => slots.map(slot => slot.dataset.shows)")
        return shown, await self.page.locator(f"#{hand} .total").inner_text()

    async def road(self, name: str) -> str:
        """The letters of a road, in play order."""
        return "".join(await self.page.locator(f"#{name} text.bead, #{name} text.small").all_text_contents())

    async def count(self, name: str) -> str:
        return await self.page.locator(f"[data-count={name}]").inner_text()


MakeBoard = Callable[..., Awaitable[Board]]
