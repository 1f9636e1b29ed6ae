"""axe-core finds no serious fault on any page, in any state, in either theme."""

from pathlib import Path
from typing import Any

import pytest
from board import MakeBoard
from playing import Play
from playwright.async_api import Page
from work import MANUAL, MakeWork

from controller.observations import BetsOpened, CutCardDrawn, ResultConfirmed, WagerPlaced
from controller.outputs.web.assets import theme

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE = (Path(__file__).parents[1] / "data" / "axe" / "axe.min.js").read_text("utf-8")
SERIOUS = ("serious", "critical")
BY_HAND = {"shoe": MANUAL, "ruleset": "nj-casino-night-mini-baccarat"}


async def serious(page: Page) -> list[str]:
    """Rule, impact and place of each serious fault, once nothing moves."""
    await page.evaluate(
        "Promise.all(document.getAnimations().filter(a => a.effect.getTiming().iterations !== Infinity)"
        ".map(a => a.finished.catch(() => {})))"
    )
    await page.evaluate(AXE)
    found: dict[str, Any] = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']} {node.get('failureSummary', '')}"
        for violation in found["violations"]
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("name", ["felt", "pearl"])
async def test_the_board(make_board: MakeBoard, name: str) -> None:
    play = Play()
    play.shoe(40)
    board = await make_board(play, style=theme(name))
    board.do(BetsOpened())
    await board.says("Place your bets")
    assert await serious(board.page) == []
    board.open()
    board.cards("KS 2D 2H 2C 4D")
    await board.says("Banker draws")
    assert await serious(board.page) == []
    board.cards("3H")
    board.do(CutCardDrawn())
    await board.says("Banker wins")
    assert await serious(board.page) == []
    board.cards("AS")
    await board.says("Please wait")
    assert await serious(board.page) == []


async def test_the_dealers_page(make_work: MakeWork) -> None:
    work = await make_work("/dealer", None)
    await work.page.wait_for_selector("#login[open]")
    assert await serious(work.page) == []
    await work.login("dana")
    await work.do(BetsOpened(), WagerPlaced(seat=1, wager="banker", amount="100"))
    await work.says("Bets are open")
    assert await serious(work.page) == []
    await work.open()
    await work.cards("KS 2D 2H 2C 4D 3H")
    await work.says("Banker wins")
    assert await serious(work.page) == []
    await work.cards("5C")
    await work.says("Stop")
    assert await serious(work.page) == []


@pytest.mark.parametrize("dialog", ["supervisor_called", "wagers", "shoe\\.change", "help"])
async def test_the_dealers_dialogs(make_work: MakeWork, dialog: str) -> None:
    work = await make_work("/dealer", "dana", **BY_HAND)
    await work.open()
    await work.says("Card to Player")
    assert await serious(work.page) == []
    await work.button(dialog).click()
    await work.page.wait_for_selector("dialog[open]")
    assert await serious(work.page) == []


async def test_the_supervisors_page(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.shoe()
    await work.cards("3C 9D 8D 8C")
    await work.round("2C 9D 3H 7S 4S")
    await work.page.wait_for_selector("#live .bead")
    assert await serious(work.page) == []
    await work.open((2, "player", "100"))
    await work.do(WagerPlaced(seat=5, wager="tie", amount="50"))
    await work.cards("9H KD KH 3S 4D")
    await work.page.wait_for_selector("#decide .cards tr.raised")
    for order in ("resynchronise", "correct_card", "burn_card"):
        await work.page.check(f"#decide [data-order={order}] input")
        assert await serious(work.page) == []
    await work.order("burn_card")
    await work.do(ResultConfirmed())
    for tab in ("orders", "record", "statistics", "system"):
        await work.page.click(f"#tab-{tab}")
        await work.page.wait_for_selector(f"#{tab} >> :is(table, fieldset, dl) >> nth=0")
        assert await serious(work.page) == []
