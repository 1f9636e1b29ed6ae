"""The dealer's page: a round announced, dealt and read from it, by touch, by keys, and with cards by hand."""

import pytest
from work import MANUAL, MakeWork, Work

from controller.cards import Hand
from controller.journal.audit import verify
from controller.observations import BetsClosed, BetsOpened, CardDrawn
from controller.runtime.replaying import Rederivation

pytestmark = pytest.mark.asyncio(loop_scope="session")

BY_HAND = {"shoe": MANUAL, "ruleset": "nj-casino-night-mini-baccarat"}


async def hold(work: Work, name: str, ms: int = 2200) -> None:
    """Press a button for so long."""
    box = await work.button(name).bounding_box()
    await work.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await work.page.mouse.down()
    await work.page.wait_for_timeout(ms)
    await work.page.mouse.up()


async def enabled(work: Work) -> list[str]:
    """The announcements that can be made now."""
    found: list[str] = await work.page.locator("#buttons button:enabled").evaluate_all(
        "buttons => buttons.map(button => button.dataset.name)"
    )
    return found


async def total(work: Work, hand: str) -> str:
    return await work.page.locator(f"#{hand} .total").inner_text()


async def test_a_round_by_touch(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.says("Open the bets")
    assert await enabled(work) == ["bets_opened", "supervisor_called"]
    await work.button("bets_opened").click()
    await work.says("Bets are open")
    await work.button("bets_closed").click()
    await work.says("Card to Player")
    assert await work.page.locator(".slot.due").count() == 1
    await work.cards("2C 9D 3H 7S")
    await work.says("Player draws")
    assert await work.page.locator("#now small").inner_text() == "N.J.A.C. 13:69F-7.9(b), Table 1"
    assert await enabled(work) == ["supervisor_called"]
    await work.cards("4S")
    await work.says("Player wins")
    assert (await total(work, "player"), await total(work, "banker")) == ("9", "6")
    # A touch does not confirm.
    await work.button("result_confirmed").click()
    await hold(work, "result_confirmed", 500)
    assert "result_confirmed" in await enabled(work)
    await hold(work, "result_confirmed")
    await work.page.wait_for_selector("[data-name=wagers_paid].next")
    await work.button("wagers_paid").click()
    await work.says("Open the bets")


async def test_a_round_with_nothing_but_a_numeric_keypad(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", **BY_HAND)
    press = work.page.keyboard.press

    async def card(*keys: str) -> None:
        for key in keys:
            await press(key)
        await press("Enter")
        await work.page.wait_for_selector(".deal:disabled", state="attached")

    await work.says("Open the bets")
    await press("Enter")
    await work.says("Bets are open")
    await press("Enter")
    await work.says("Card to Player")
    await card("9", "1")  # nine of clubs
    await work.says("Card to Banker")
    await card(".", ".", "2")  # queen of diamonds
    await work.says("Card to Player")
    await card("0", "3")  # ten of hearts
    await work.says("Card to Banker")
    await card("5", "4")  # five of spades
    await work.says("Player wins")
    assert await work.page.locator(".hand [data-card]").evaluate_all("c => c.map(c => c.dataset.card)") == [
        "9C",
        "TH",
        "QD",
        "5S",
    ]
    await work.page.keyboard.down("Enter")
    await work.page.wait_for_selector("[data-name=wagers_paid].next")
    await work.page.keyboard.up("Enter")
    await press("Enter")
    await work.says("Open the bets")
    await work.service.stop()
    verdict = verify(work.service.path, Rederivation())
    assert verdict.ok, verdict.first
    await work.serve()


async def test_cards_by_touch_with_the_same_holds(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", **BY_HAND)
    await work.do(BetsOpened(), BetsClosed())
    for rank, suit in ("9C", "2D", "KH", "3S"):
        await work.page.click(f"[data-rank='{rank}']")
        await work.page.click(f"[data-suit='{suit}']")
        await work.page.click(".deal:enabled")
    await work.says("Player wins")
    # Nothing more is due, so the pad is gone; the supervisor must look at what was drawn all the same.
    assert not await work.page.locator("#pad").is_visible()
    await work.cards("4D")
    await work.says("Stop")
    assert await work.page.locator("#now span").inner_text() == "Leave the cards. Supervisor called."
    assert await enabled(work) == ["supervisor_called"]
    await work.order("burn_card")
    await work.says("Player wins")


async def test_face_down_nothing_is_shown_before_its_time(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", dealing="both-down")
    await work.open((3, "player", "100"), (5, "player", "100"), (2, "banker", "25"))
    await work.cards("9C 2D KH 3S")
    await work.says("Call Player")
    handlers = await work.page.locator(".handler").all_inner_texts()
    assert handlers == ["Seat 3", "Seat 2"]
    assert await work.page.locator(".back").count() == 4
    assert "data-card" not in await work.page.content()
    await work.page.keyboard.press("+")
    await work.says("Call Banker")
    assert (await total(work, "player"), await total(work, "banker")) == ("9", "")
    await work.page.keyboard.press("-")
    await work.says("Player wins")


async def test_wagers_are_entered_settled_and_paid(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.do(BetsOpened())
    await work.page.keyboard.press("*")
    dialog = work.page.locator("#wagers")
    await dialog.locator("[data-value='4']").click()
    await dialog.locator("[data-value=banker]").click()
    for _ in range(2):
        await dialog.locator(".chip:text-is('+25')").click()
    await dialog.locator("text='Place'").click()
    await work.page.wait_for_selector("#wagers .lies li:text-is('Banker 50')")
    await work.page.fill("#wager-amount", "10")
    await dialog.locator("text='Take back'").click()
    await work.page.wait_for_selector("#wagers .lies li:text-is('Banker 40')")
    # A verbal wager needs the supervisor beside the dealer.
    await work.page.select_option("#wager-kind", "verbal")
    await work.page.fill("#wager-amount", "60")
    await dialog.locator("text='Place'").click()
    await work.page.wait_for_selector("#toast:text('second')")
    await work.page.fill("#wager-second", "sue")
    await work.page.fill("#wager-pin", "2222")
    await dialog.locator("text='Place'").click()
    await work.page.wait_for_selector("#wagers .lies li:text-is('Banker 100')")
    await work.page.keyboard.press("Escape")
    await work.page.wait_for_selector("#guide b:text-is('Seat 4')")
    await work.do(BetsClosed())
    await work.cards("KS 2D 2H 2C 4D 3H")
    await hold(work, "result_confirmed")
    await work.page.wait_for_selector("#guide .win")
    assert await work.page.locator("#guide li").all_inner_texts() == [
        "Seat 4\nBanker 100 · pay 100 · 5 vigorish"
    ]


async def test_the_supervisor_is_called_with_a_reason(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.open()
    await work.cards("9C")
    await work.page.keyboard.press("/")
    await work.page.fill("#reason-note", "fell off the table")
    await work.page.click("[data-reason=dropped-card]")
    await work.says("Stop")
    assert await work.page.locator("#now small").inner_text() == "Supervisor called"


async def test_a_new_shoe_is_held_and_the_burn_is_counted(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.button("shoe.change".replace(".", "\\.")).click()
    await work.page.locator("#shoes .main").first.click()  # a touch does nothing
    box = await work.page.locator("#shoes .main").first.bounding_box()
    assert box is not None
    await work.page.mouse.move(box["x"] + 20, box["y"] + 20)
    await work.page.mouse.down()
    await work.says("Burn: first card")
    await work.page.mouse.up()
    await work.cards("3C 9D")
    await work.says("Burn 2 more")
    assert await work.page.locator("#now span").inner_text() == "1 of 3 burned"
    await work.cards("8D 8C")
    await work.says("Open the bets")


async def test_a_blocked_table_opens_no_round(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.order("close_table")
    await work.says("Table closed")
    assert await enabled(work) == ["supervisor_called"]
    await work.order("open_table")
    await work.says("Open the bets")


async def test_where_the_shoe_closes_rounds_little_is_to_be_announced(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", boundaries="device")
    await work.says("Ready")
    assert await enabled(work) == ["supervisor_called"]
    for at, card in enumerate(("9C", "2D", "KH", "3S")):
        hand: Hand = "banker" if at % 2 else "player"
        await work.do(CardDrawn(card=card, slot=hand, index=1 + at // 2))
    await work.says("Player wins")


async def test_the_dealers_page_speaks_the_tables_language(make_work: MakeWork) -> None:
    for language, words in (("es", "Abra las apuestas"), ("zh-Hant", "開始下注")):
        work = await make_work("/dealer", "dana", language=language)
        await work.says(words)
