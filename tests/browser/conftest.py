"""One Chromium for all browser tests, and a table whose board it shows."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from board import Board, MakeBoard
from playing import Play
from playwright.async_api import Browser, async_playwright
from work import MakeWork, Work

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


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


@pytest_asyncio.fixture(loop_scope="session")
async def make_work(chromium: Browser, tmp_path: Path) -> AsyncIterator[MakeWork]:
    """`await make_work("/dealer", "dana", **options)`: the real service, its page, and who is logged in."""
    made: list[Work] = []

    async def make(path: str, name: str | None, size: tuple[int, int] = (1280, 720), **options: Any) -> Work:
        context = await chromium.new_context(viewport={"width": size[0], "height": size[1]})
        work = Work(await context.new_page(), tmp_path / str(len(made)), **options)
        made.append(work)
        await work.serve()
        await work.go(path)
        if name:
            await work.login(name)
        return work

    yield make
    for work in made:
        await work.page.context.close()
        await work.service.stop()
        assert work.faults == []
