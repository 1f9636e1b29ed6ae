"""One Chromium for all browser tests, and a table whose board it shows."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest_asyncio
from playing import Play
from playwright.async_api import Browser, Page, async_playwright

from controller.observations import CardDrawn
from controller.orders import Event
from controller.outputs.web.server import WebServer
from controller.view import TableInfo

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


class Board:
    """A table, its server, and the board's page; `faults`: what the page complained about."""

    def __init__(self, page: Page, play: Play, **info: Any) -> None:
        self.page = page
        self.play = play
        self.info = TableInfo(id="MB-01", name="Mini-Baccarat 1", **info)
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.port = 0
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    async def serve(self) -> None:
        """Start the server (again), with all that happened so far."""
        self.server = WebServer(
            self.info, history=lambda _after: self.play.items, health=lambda: (True, {}), open_views={"board"}
        )
        self.server.publish(self.play.items)
        self.port = await self.server.start("127.0.0.1", self.port)

    async def show(self) -> None:
        """Load the page, and wait until it shows the table."""
        await self.page.goto(f"http://127.0.0.1:{self.port}/")
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


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    assert path, "no Chromium: install the distribution's package `chromium`"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def make_board(chromium: Browser) -> AsyncIterator[MakeBoard]:
    """`await make_board(play=..., size=(1920, 1080), **TableInfo)`: a board, served and shown."""
    made: list[Board] = []

    async def make(play: Play | None = None, size: tuple[int, int] = (1280, 720), **info: Any) -> Board:
        page = await chromium.new_page(viewport={"width": size[0], "height": size[1]})
        board = Board(page, play or Play(), **info)
        made.append(board)
        await board.serve()
        await board.show()
        return board

    yield make
    for board in made:
        await board.page.close()
        await board.server.stop()
        assert board.faults == []
