"""The board's line to its server: what it says when it is cut, and how it comes back by itself."""

import pytest
from aiohttp import web
from board import Board, MakeBoard

from controller.observations import ResultConfirmed

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def stale(board: Board, yes: bool) -> None:
    await board.page.wait_for_selector("#stale", state="visible" if yes else "hidden", timeout=20_000)


async def test_everything_comes_from_the_table_itself(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("2C 9D")
    await board.page.wait_for_selector("[data-card='9D']")
    assert {url.split("/")[2] for url in board.requests} == {f"127.0.0.1:{board.port}"}


async def test_a_server_that_comes_back_finds_its_board(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("2C 9D")
    await board.page.wait_for_selector("[data-card='9D']")
    await board.page.evaluate("window.notReloaded = true")
    await board.server.stop()
    await stale(board, True)
    # Cards came while nobody could show them.
    board.play.cards("3H 7S")
    await board.serve()
    await board.says("Player draws")
    await stale(board, False)
    board.cards("4S")
    board.do(ResultConfirmed())
    await board.page.wait_for_selector("#bead_plate text.bead")
    assert await board.page.evaluate("window.notReloaded")


async def test_silence_of_three_seconds_is_shown(make_board: MakeBoard) -> None:
    board = await make_board()
    await board.page.clock.install()
    await board.show()
    await board.says("Welcome")
    await board.page.context.set_offline(True)
    await board.server.stop()
    await board.page.clock.run_for(2000)
    assert not await board.page.locator("#stale").is_visible()
    await board.page.clock.run_for(1000)
    assert await board.page.locator("#stale").is_visible()
    await board.page.context.set_offline(False)
    await board.serve()


async def test_a_refusal_does_not_end_it(make_board: MakeBoard) -> None:
    """An answer that is no stream closes an EventSource for good; the page makes another."""
    board = await make_board()
    await board.server.stop()
    refused = 0

    async def refuse(_: web.Request) -> web.Response:
        nonlocal refused
        refused += 1
        return web.Response(status=500)

    app = web.Application()
    app.router.add_get("/events", refuse)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", board.port).start()
    async with board.page.expect_response(lambda answer: answer.status == 500):
        pass
    async with board.page.expect_response(lambda answer: answer.status == 500):
        pass
    await runner.cleanup()
    assert refused >= 2
    board.play.open()
    await board.serve()
    await board.says("No more bets")
    await stale(board, False)
