"""The dealer's page in every state and on every screen: nothing hangs out, nothing is cut off."""

from collections.abc import Awaitable, Callable

import pytest
from pictures import SIZES, keep, out_of_place
from work import MANUAL, MakeWork, Work

from controller.observations import (
    BetsClosed,
    BetsOpened,
    CutCardDrawn,
    DeviceFault,
    FrameRejected,
    ResultConfirmed,
    WagerPlaced,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

BY_HAND = {"shoe": MANUAL, "ruleset": "nj-casino-night-mini-baccarat"}
STAKES = [
    WagerPlaced(seat=seat, wager=wager, amount=amount)
    for seat, wager, amount in (
        (1, "player", "100"),
        (1, "tie", "10"),
        (2, "banker", "250"),
        (3, "banker", "25"),
        (3, "player_bonus", "5"),
        (5, "player", "50"),
        (7, "banker", "1500"),
        (7, "tie", "100"),
    )
]


async def _deal(work: Work, cards: str) -> None:
    await work.do(BetsOpened(), *STAKES, BetsClosed())
    await work.cards(cards)


async def _burn(work: Work) -> None:
    await work.shoe()
    await work.cards("5C 9D")


async def _betting(work: Work) -> None:
    await work.do(BetsOpened(), *STAKES)


async def _settled(work: Work) -> None:
    await _deal(work, "KS 2D 2H 2C 4D 3H")
    await work.do(CutCardDrawn(), ResultConfirmed())


async def _full(work: Work) -> None:
    """Every seat has four stakes, and commission to pay."""
    wagers = {"banker": "1250", "player": "75.50", "tie": "25", "player_bonus": "15"}
    stakes = [
        WagerPlaced(seat=seat, wager=wager, amount=amount)
        for seat in range(1, 8)
        for wager, amount in wagers.items()
    ]
    await work.do(BetsOpened(), *stakes, BetsClosed())
    await work.cards("KS 2D 2H 2C 4D 3H")
    await work.do(ResultConfirmed())


async def _last(work: Work) -> None:
    await _settled(work)
    await work.open()


async def _chosen(work: Work) -> None:
    await _deal(work, "9C 2D")
    await work.page.click("[data-rank=T]")
    await work.page.click("[data-suit=H]")


async def _void(work: Work) -> None:
    await _deal(work, "9C 2D")
    await work.order("void_round")


Happen = Callable[[Work], Awaitable[object]]
#: state -> (the table, what happens, the sentence)
STATES: dict[str, tuple[dict[str, str], Happen, str]] = {
    "burn": ({}, _burn, "Burn 4 more"),
    "betting": ({}, _betting, "Bets are open"),
    "due": ({}, lambda work: _deal(work, "2C 9D 3H"), "Card to Banker"),
    "draws": ({}, lambda work: _deal(work, "KC QD 3H 5S 7D"), "Banker draws"),
    "decided": ({}, lambda work: _deal(work, "KS 2D 2H 2C 4D 3H"), "Banker wins"),
    "settled": ({}, _settled, "Banker wins"),
    "every-seat": ({}, _full, "Banker wins"),
    "last-round": ({}, _last, "Card to Player"),
    "stop": ({}, lambda work: _deal(work, "9C KD KH 3S 4D"), "Stop"),
    "void": ({}, _void, "Round void"),
    "closed": ({}, lambda work: work.order("close_table"), "Table closed"),
    "face-down": ({"dealing": "both-down"}, lambda work: _deal(work, "9C 2D KH 3S"), "Call Player"),
    "by-hand": (BY_HAND, _chosen, "Card to Player"),
    "device": ({"boundaries": "device"}, lambda work: work.shoe(), "Burn: first card"),
}
EVERYWHERE = ("settled", "stop", "by-hand")

INSIDE = {
    "html": "body > header, body > main, body > section, body > nav",
    ".hand": "h2, .total, .card",
    "#now": "strong, span, small, li",
    "header": "h1, p, ul, button",
    "#floor": "#guide, #pad, #more button",
    "#pad": "button",
    "#guide": "li",
    "#buttons": "button",
    "#buttons button": "span, small, kbd",
    ".deal": "span, kbd, .chosen",
}
APART = "main > *, #floor > *, #pad > *, #buttons > *, header > *"


@pytest.mark.parametrize("state", STATES)
async def test_every_state(make_work: MakeWork, state: str) -> None:
    table, happen, words = STATES[state]
    work = await make_work("/dealer", "dana", **table)
    await work.says("Ready" if state == "device" else "Open the bets")
    await happen(work)
    for size, (width, height) in SIZES.items():
        await work.page.set_viewport_size({"width": width, "height": height})
        await work.says(words)
        assert await out_of_place(work.page, INSIDE, APART) == [], size
        if size == "1280x720" or state in EVERYWHERE:
            await keep(work.page, f"dealer-{state}" + ("" if size == "1280x720" else f"-{size}"))


async def test_a_long_name_and_many_faults_leave_the_buttons_where_they_are(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", called="Salon privé Grande Duchesse Charlotte, table 128 bis")
    await _deal(work, "9C KD KH 3S 4D")
    devices = ("shuffler", "shuffler-2", "sign", "lamps", "sensor")
    await work.do(*(DeviceFault(fault="jam", active=True, device=device) for device in devices))
    await work.do(CutCardDrawn(), *(FrameRejected(reason="garbage", raw="00") for _ in range(9)))
    await work.says("Stop")
    for width, height in SIZES.values():
        await work.page.set_viewport_size({"width": width, "height": height})
        assert await out_of_place(work.page, INSIDE, APART) == []
        box = await work.page.locator("#name").bounding_box()
        assert box is not None and box["width"] > 60


@pytest.mark.parametrize("dialog", ["login", "reasons", "wagers", "shoes", "help"])
async def test_every_dialog(make_work: MakeWork, dialog: str) -> None:
    work = await make_work("/dealer", None if dialog == "login" else "dana", **BY_HAND)
    if dialog != "login":
        await work.says("Open the bets")
        opener = {"reasons": "supervisor_called", "shoes": "shoe\\.change"}.get(dialog, dialog)
        await work.button(opener).click()
    await work.page.wait_for_selector(f"#{dialog}[open]")
    for width, height in SIZES.values():
        await work.page.set_viewport_size({"width": width, "height": height})
        inside = {"html": f"#{dialog}", f"#{dialog}": f"#{dialog} *"}
        assert await out_of_place(work.page, inside, f"#{dialog} button, #{dialog} input") == []
    await work.page.set_viewport_size({"width": 1280, "height": 720})
    await keep(work.page, f"dealer-{dialog}")


@pytest.mark.parametrize("language", ["es", "fr", "zh-Hans", "zh-Hant"])
async def test_every_language_fits(make_work: MakeWork, language: str) -> None:
    work = await make_work("/dealer", "dana", language=language, dealing="both-down")
    await work.page.wait_for_selector("#now strong")
    for happen in (_betting, lambda work: _deal(work, "9C 2D KH 3S"), lambda work: work.cards("4D")):
        await happen(work)
        for width, height in SIZES.values():
            await work.page.set_viewport_size({"width": width, "height": height})
            assert await out_of_place(work.page, INSIDE, APART) == []
    await work.page.set_viewport_size({"width": 1280, "height": 720})
    await keep(work.page, f"dealer-in-{language}")
