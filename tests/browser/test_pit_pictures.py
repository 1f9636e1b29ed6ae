"""The supervisor's page in every state and on every screen: nothing hangs out, nothing is cut off."""

from collections.abc import Awaitable, Callable

import pytest
from pictures import SIZES, keep, out_of_place
from work import MakeWork, Work

from controller.observations import BetsOpened, CardDrawn, DeviceFault, ResultConfirmed, WagerPlaced

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROUNDS = ("2C 9D 3H 7S 4S", "9C KD KH 3S", "KS 2D 2H 2C 4D 3H", "4C 4D 4H 4S", "AC QD 8H 3S", "6C 7D JH QS")


async def _evening(work: Work) -> None:
    """A shoe with some rounds, one of them void."""
    await work.shoe()
    await work.cards("3C 9H 5C 6C")
    for cards in ROUNDS:
        await work.round(cards)
    await work.order("void_round", reason="a player moved his stake")


async def _stop(work: Work) -> None:
    await _evening(work)
    await work.open((2, "player", "100"), (4, "banker", "250"))
    await work.do(WagerPlaced(seat=5, wager="tie", amount="50"))
    await work.cards("9H KD KH 3S 4D")


async def _unread(work: Work) -> None:
    await _evening(work)
    await work.open()
    await work.cards("9H KD")
    await work.do(CardDrawn(card=None))
    await work.page.check("#decide [data-order=identify_card] input")
    await work.page.click("#decide [data-rank='7']")
    await work.page.click("#decide [data-suit=S]")
    await work.page.fill("#decide .reason-field input", "the supervisor read it on the table")


async def _states(work: Work) -> None:
    await _stop(work)
    await work.page.check("#decide [data-order=resynchronise] input")


async def _warning(work: Work) -> None:
    await _evening(work)
    await work.do(DeviceFault(fault="jam", active=True, device="shuffler"))


async def _correct(work: Work) -> None:
    await _evening(work)
    await work.do(BetsOpened())
    await work.open()
    await work.cards("9H KD KH 3S")
    await work.do(ResultConfirmed())
    await work.page.click("#tab-orders")
    await work.page.check("#orders [data-order=correct_card] input")
    await work.page.click("#orders .choice button:has-text('Banker 1')")
    await work.page.click("#orders [data-rank='6']")
    await work.page.click("#orders [data-suit=S]")
    await work.page.wait_for_selector("#orders [data-order=correct_card] .stands")


def _tab(name: str) -> Callable[[Work], Awaitable[None]]:
    async def opened(work: Work) -> None:
        await _stop(work)
        await work.page.click(f"#tab-{name}")

    return opened


#: state -> (what happens, what shows that it is there)
STATES: dict[str, tuple[Callable[[Work], Awaitable[None]], str]] = {
    "table": (_evening, "#live .bead >> nth=4"),
    "stop": (_stop, "#decide .cards tr.raised"),
    "unread-card": (_unread, "#decide .frames, #decide .cards"),
    "hands-stated": (_states, "#decide .hand-places"),
    "block": (_warning, "#decide .heading.block"),
    "correct": (_correct, "#orders [data-order=correct_card] .after"),
    "record": (_tab("record"), "#record .hits"),
    "statistics": (_tab("statistics"), "#statistics .rounds tbody tr"),
    "system": (_tab("system"), "#system dl"),
}
EVERYWHERE = ("stop", "table")
INSIDE = {
    "body > header": "h1, ul, button",
    "#tile": "h2, p, dl",
    "#alerts": "h2",
    "#alerts li button": "b, span, small, time",
    "#tabs": "button",
    ".heading": "h2, p",
    ".option": "b, p, .badge, .chip",
    ".giving": "button, input, label",
    "#live": "section, figure",
    "#live .hand": "h2, .total, .card",
    "#live #call": "strong, span",
    ".evidence": "details",
    ".search": "label, button",
}
APART = "body > header > *, aside > *, #live > *, .giving > *, .search > *, #tabs > *"


@pytest.mark.parametrize("state", STATES)
async def test_every_state(make_work: MakeWork, state: str) -> None:
    happen, shown = STATES[state]
    work = await make_work("/pit", "sue")
    await happen(work)
    await work.page.wait_for_selector(shown)
    for size, (width, height) in SIZES.items():
        await work.page.set_viewport_size({"width": width, "height": height})
        await work.page.wait_for_timeout(300)
        assert await out_of_place(work.page, INSIDE, APART) == [], size
        assert await work.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        if size == "1280x720" or state in EVERYWHERE:
            await keep(work.page, f"pit-{state}" + ("" if size == "1280x720" else f"-{size}"))


@pytest.mark.parametrize("language", ["es", "fr", "zh-Hans", "zh-Hant"])
async def test_every_language_fits(make_work: MakeWork, language: str) -> None:
    work = await make_work("/pit", "sue", language=language)
    await _stop(work)
    await work.page.wait_for_selector("#decide .cards tr.raised")
    assert await work.page.get_attribute("html", "lang") == language
    for size, (width, height) in SIZES.items():
        for tab in ("decide", "orders", "record", "statistics", "system"):
            await work.page.set_viewport_size({"width": width, "height": height})
            await work.page.click(f"#tab-{tab}")
            assert await out_of_place(work.page, INSIDE, APART) == [], (size, tab)
            assert await work.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (size, tab)
    await work.page.set_viewport_size({"width": 1280, "height": 720})
    await work.page.click("#tab-decide")
    await keep(work.page, f"pit-in-{language}")
