"""Who works at a page: login, refusal, expiry, a server that comes back, a record that is late."""

import pytest
from pictures import out_of_place, too_small
from work import MANUAL, MakeWork, Work

from controller.outputs.web import sessions

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def reason(work: Work, words: str) -> None:
    await work.page.wait_for_selector(f"#login .reason:text('{words}')", timeout=20_000)


async def test_a_wrong_pin_is_told(make_work: MakeWork) -> None:
    work = await make_work("/dealer", None)
    await reason(work, "Log in to work at this table")
    await work.page.fill("#login-name", "dana")
    await work.page.fill("#login-pin", "9999")
    await work.page.press("#login-pin", "Enter")
    await reason(work, "name or PIN is wrong")
    assert await work.page.locator("#now strong").count() == 0
    await work.login("dana")
    await work.says("Open the bets")


async def test_a_dealer_has_no_business_in_the_pit(make_work: MakeWork) -> None:
    work = await make_work("/pit", None)
    await work.page.wait_for_selector("#login[open]")
    await work.page.fill("#login-name", "dana")
    await work.page.fill("#login-pin", "1111")
    await work.page.press("#login-pin", "Enter")
    await reason(work, "not for the role dealer")


async def test_an_ended_session_is_said_and_the_view_comes_back(
    make_work: MakeWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = await make_work("/dealer", "dana")
    await work.says("Open the bets")
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "IDLE", -1.0)
        await reason(work, "Your session has ended")
    await work.open()
    await work.login("dana")
    await work.says("Card to Player")


async def test_a_server_that_comes_back_asks_who_is_there(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.open()
    await work.says("Card to Player")
    await work.page.evaluate("window.notReloaded = true")
    await work.service.stop()
    await work.page.wait_for_selector("#stale", state="visible")
    assert await out_of_place(work.page, {}, "#stale, #buttons > *, #now") == []
    await work.serve()
    await reason(work, "Your session has ended")
    await work.login("dana")
    await work.says("Card to Player")
    assert not await work.page.locator("#stale").is_visible()
    assert await work.page.evaluate("window.notReloaded")


async def test_a_view_without_login_asks_only_before_something_is_done(make_work: MakeWork) -> None:
    work = await make_work("/dealer", None, without='"dealer"')
    await work.says("Open the bets")
    await work.button("bets_opened").click()
    await reason(work, "Log in to work at this table")
    await work.page.click("#login >> text='Back'")
    await work.says("Open the bets")
    await work.button("bets_opened").click()
    await work.login("dana")
    await work.button("bets_opened").click()
    await work.says("Bets are open")


async def test_logging_out_hides_the_table(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.says("Open the bets")
    await work.page.click("#who")
    await work.page.wait_for_selector("#login[open]")
    assert await work.page.locator("#login-name").input_value() == ""
    assert await work.page.locator("#login .names button").all_inner_texts() == ["dana"]


async def test_no_pin_stays_for_who_comes_next(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.says("Open the bets")
    await work.button("wagers").click()
    await work.page.select_option("#wager-kind", "verbal")
    await work.page.fill("#wager-second", "sue")
    await work.page.fill("#wager-pin", "2222")
    await work.page.keyboard.press("Escape")
    await work.page.click("#who")
    await work.page.wait_for_selector("#login[open]")
    assert await work.page.input_value("#wager-pin", timeout=0) == ""
    assert await work.page.input_value("#wager-second", timeout=0) == "sue"


async def test_a_late_record_is_said(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana")
    await work.says("Open the bets")
    assert not await work.page.locator("#late").is_visible()
    health, work.service._web._health = work.service._web._health, lambda: (False, {})
    await work.page.wait_for_selector("#late", state="visible")
    work.service._web._health = health
    await work.page.wait_for_selector("#late", state="hidden")


async def test_a_screen_without_keys_has_its_own(make_work: MakeWork) -> None:
    work = await make_work("/dealer", None, shoe=MANUAL, ruleset="nj-casino-night-mini-baccarat")
    context = await work.page.context.browser.new_context(  # type: ignore[union-attr]
        has_touch=True, viewport={"width": 800, "height": 480}
    )
    page = await context.new_page()
    await page.goto(work.page.url)
    await page.wait_for_selector("#login[open]")
    for letter in "dana":
        await page.click(f"#login .keys >> text='{letter}'")
    assert await too_small(page) == []
    await page.tap("#login-pin")
    for _ in range(4):
        await page.click("#login .keys >> text='1'")
    await page.click("#login .main")
    await page.wait_for_selector("#now strong:text-is('Open the bets')")
    await work.open()
    await page.wait_for_selector("#pad [data-rank=K]")
    assert await too_small(page) == []
    for opener in ("supervisor_called", "wagers", "shoe\\.change", "help"):
        await page.tap(f"[data-name={opener}]")
        await page.wait_for_selector("dialog[open]")
        assert await too_small(page) == []
        assert (
            await out_of_place(page, {"html": "dialog[open]"}, "dialog[open] button, dialog[open] input")
            == []
        )
        await page.keyboard.press("Escape")
    await context.close()
