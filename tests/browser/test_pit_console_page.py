"""The console's page: what stands out, what leads where, and that it goes on by itself."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec import structs
from pictures import keep, out_of_place
from pit_desk import MANUAL, PIN, Felt, PitDesk, write_key
from playwright.async_api import Browser, Page
from test_accessibility import serious
from work import SILENT

from controller.observations import BetsClosed, BetsOpened, DeviceFault, WagerPlaced

pytestmark = pytest.mark.asyncio(loop_scope="session")

INSIDE = {"#tables > li > a": "h2, .badge, p, .open, .devices", "header": "h1, p, button", "#alarms": "a"}
COUNT_TONES = """() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.tones += 1; return start.apply(this, at); };
}"""
APART = "#tables > li > a, #tables > li > a > *"


class Desk(PitDesk):
    """With the page that shows it."""

    page: Page
    faults: list[str]

    async def names(self) -> list[str]:
        """The tables, as they stand on the page."""
        return await self.page.locator("#tables h2").all_inner_texts()

    async def shows(self, number: int, selector: str) -> None:
        await self.page.wait_for_selector(f"[data-table=table-{number}] {selector}")


MakeDesk = Callable[..., Awaitable[Desk]]


@pytest_asyncio.fixture(loop_scope="session")
async def make_desk(chromium: Browser, tmp_path: Path) -> AsyncIterator[MakeDesk]:
    """`await make_desk(6)`: so many tables, the console, and a supervisor at its page."""
    made: list[Desk] = []

    async def make(
        count: int, size: tuple[int, int] = (1280, 720), language: str = "en", more: str = ""
    ) -> Desk:
        felts = [
            Felt(tmp_path, number, SILENT.format(folder=tmp_path) if number == 1 else MANUAL)
            for number in range(1, count + 1)
        ]
        for felt in felts:
            await felt.serve()
        desk = Desk(tmp_path, felts, language, more)
        made.append(desk)
        await desk.serve()
        await desk.all_heard()
        context = await chromium.new_context(viewport={"width": size[0], "height": size[1]})
        desk.page, desk.faults = await context.new_page(), []
        desk.page.on("pageerror", lambda error: desk.faults.append(str(error)))
        desk.page.on(
            "console", lambda m: desk.faults.append(m.text) if "Content Security" in m.text else None
        )
        await desk.page.goto(f"http://127.0.0.1:{desk.port}/")
        await desk.page.wait_for_selector("#login[open]")
        assert await serious(desk.page) == []
        await desk.page.fill("#login-name", "sue")
        await desk.page.fill("#login-pin", PIN)
        await desk.page.press("#login-pin", "Enter")
        await desk.page.wait_for_selector(f"#tables > li >> nth={count - 1}")
        return desk

    yield make
    for desk in made:
        await desk.page.context.close()
        await desk.stop()
        assert desk.faults == []


async def six_states(desk: Desk) -> None:
    """Draws, held, blocked, warned, closed, gone."""
    draws, held, blocked, warned, closed, gone = desk.felts
    await draws.open("2C 9D 3H 7S")
    await held.open("9H KD KH 3S 4D")
    await blocked.do(DeviceFault(fault="jam", active=True, device="shuffler"))
    await warned.do(BetsOpened(), BetsClosed(), WagerPlaced(seat=1, wager="tie", amount="5"))
    await closed.order("close_table", reason="break")
    await gone.stop()
    await desk.shows(6, ".lost")
    await desk.shows(5, ".shut")
    for number, place in ((2, "held"), (3, "blocked"), (4, "warned")):
        await desk.shows(number, f".{place}")


@pytest.mark.parametrize(
    ("size", "theme", "name"),
    [((1920, 1080), "felt", "pit-many"), ((1280, 720), "pearl", "pit-many-pearl-1280x720")],
)
async def test_six_tables_in_six_states(
    make_desk: MakeDesk, size: tuple[int, int], theme: str, name: str
) -> None:
    desk = await make_desk(6, size, more=f'theme = "{theme}"')
    await six_states(desk)
    assert await desk.names() == [f"Table {number}" for number in (2, 3, 4, 6, 1, 5)]
    page = desk.page
    said = [await page.locator(f"[data-table=table-{n}] .badge").inner_text() for n in (2, 3, 4, 6, 1, 5)]
    assert said == ["Held", "Open", "Open", "Not reachable", "Open", "Closed"]
    assert await page.locator("[data-table=table-1] .what").inner_text() == "Player draws"
    where = await page.locator("[data-table=table-1] .where").inner_text()
    assert where == "Shoe 1 \u00b7 Round 1"
    assert await page.locator("[data-table=table-2] .open b").inner_text() == "A card too many"
    assert re.fullmatch(r"\d+ s", await page.locator("[data-table=table-2] .open time").inner_text())
    # The newest first.
    newest = await page.locator("#alarms b").all_inner_texts()
    assert newest == ["Table 6", "Table 4", "Table 3", "Table 2"]
    assert await page.title() == "(4) Pit 1"
    assert await page.get_attribute("#icon", "href") == "/icon-alert.svg"
    assert await page.inner_text("#summary") == "6 tables \u00b7 1 held \u00b7 1 blocked \u00b7 1 not heard"
    assert await out_of_place(page, INSIDE, APART) == []
    assert await serious(page) == []
    await keep(page, name)
    # Answered: back to its place by name, and the page is quiet.
    await desk.felts[1].order("burn_card", reason="as seen")
    await desk.shows(2, ".quiet")
    assert await page.title() == "(3) Pit 1"


async def test_a_click_leads_to_the_tables_own_page(make_desk: MakeDesk) -> None:
    desk = await make_desk(2)
    await desk.felts[1].open("9H KD KH 3S 4D")
    await desk.page.wait_for_selector("#alarms .stop")
    for selector in ("#alarms .stop", "[data-table=table-2] a"):
        async with desk.page.context.expect_page() as opening:
            await desk.page.click(selector)
        opened = await opening.value
        assert opened.url == f"http://127.0.0.1:{desk.felts[1].port}/pit"
        await opened.wait_for_selector("#login[open] h1:text-is('Table 2 · Pit')")
        await opened.close()


async def test_a_hold_sounds_until_the_sound_is_off(make_desk: MakeDesk) -> None:
    desk = await make_desk(2)
    await desk.page.evaluate(COUNT_TONES)
    await desk.felts[0].open("9H KD KH 3S 4D")
    await desk.page.wait_for_function("() => window.tones === 2")
    await desk.page.click("#sound")
    await desk.felts[1].do(DeviceFault(fault="jam", active=True, device="shuffler"))
    await desk.shows(2, ".blocked")
    assert await desk.page.evaluate("window.tones") == 2
    await desk.page.reload()
    await desk.page.wait_for_selector("#sound[aria-pressed=false]")


async def test_ages_are_right_where_the_clock_of_the_screen_is_wrong(make_desk: MakeDesk) -> None:
    desk = await make_desk(1)
    await desk.page.add_init_script("const told = Date.now; Date.now = () => told() + 86_400_000")
    await desk.page.reload()
    await desk.felts[0].open("9H KD KH 3S 4D")
    await desk.page.wait_for_selector("#alarms time:text-matches('^[0-9] s$')")


async def test_by_keys_and_ears(make_desk: MakeDesk) -> None:
    desk = await make_desk(3)
    page = desk.page
    await page.focus("[data-table=table-3] a")
    await desk.felts[2].open("9H KD KH 3S 4D")
    await desk.shows(3, ".held")
    assert await desk.names() == ["Table 3", "Table 1", "Table 2"]
    # The tile that moved still has the focus, and a screen reader has been told.
    assert await page.evaluate("document.activeElement.parentElement.dataset.table") == "table-3"
    assert await page.inner_text("#newest") == "Table 3: A card too many, round held"
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.parentElement.dataset.table") == "table-1"


async def test_it_goes_on_by_itself(make_desk: MakeDesk) -> None:
    desk = await make_desk(2)
    await desk.server.stop()
    await desk.page.wait_for_selector("#stale:not([hidden])")
    await desk.felts[0].open("9H KD KH 3S 4D")
    await desk.serve()
    # Sessions end with the server.
    await desk.page.wait_for_selector("#login[open]")
    await desk.page.fill("#login-pin", PIN)
    await desk.page.press("#login-pin", "Enter")
    await desk.shows(1, ".held")
    await desk.page.wait_for_selector("#stale", state="hidden")
    assert (await desk.page.inner_text("#alarms time")).startswith("over ")


async def test_a_wrong_key_is_shown(make_desk: MakeDesk) -> None:
    desk = await make_desk(1)
    write_key(desk.felts[0].folder / "pit.key")
    await desk.felts[0].stop()
    await desk.felts[0].serve()
    await desk.shows(1, ".refused .badge:text-is('Key refused')")
    assert "it refuses the key in 1.key" in await desk.page.inner_text("#alarms a span")


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
async def test_a_pit_of_forty(make_desk: MakeDesk, size: tuple[int, int]) -> None:
    """Forty tables from two: what counts here is their number."""
    desk = await make_desk(2, size)
    draws, held = desk.felts
    await draws.open("2C 9D 3H 7S")
    await held.open("9H KD KH 3S 4D")
    await desk.shows(1, ".what:text-is('Player draws')")
    await desk.shows(2, ".held")
    one, other = desk.glance(1), desk.glance(2)
    desk.server.glances = lambda: {  # type: ignore[method-assign]
        f"table-{number}": structs.replace(one if number % 10 else other, name=f"Mini-Baccarat {number}")
        for number in range(1, 41)
    }
    await desk.page.reload()
    await desk.page.wait_for_selector("#tables > li >> nth=39")
    names = await desk.names()
    assert names == [f"Mini-Baccarat {n}" for n in (*range(10, 41, 10), *(m for m in range(1, 41) if m % 10))]
    assert await out_of_place(desk.page, INSIDE | {"main": "a"}, APART) == []
    assert await serious(desk.page) == []
    await keep(desk.page, f"pit-forty-{size[0]}x{size[1]}")


async def test_in_another_language(make_desk: MakeDesk) -> None:
    desk = await make_desk(1, language="zh-Hant")
    await desk.felts[0].open("9H KD KH 3S 4D")
    await desk.shows(1, ".badge:text-is('暫停')")
    await desk.page.goto(f"http://127.0.0.1:{desk.port}/?lang=fr")
    await desk.shows(1, ".badge:text-is('Suspendue')")
    assert await serious(desk.page) == []
