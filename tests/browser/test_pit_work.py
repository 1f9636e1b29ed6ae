"""The supervisor's page: alerts, evidence, decisions, corrections, the record; and play going on."""

import csv
from pathlib import Path

import pytest
from work import MakeWork, Work

from controller.journal.audit import verify
from controller.observations import (
    BetsOpened,
    CardDrawn,
    DeviceFault,
    ResultConfirmed,
    SupervisorCalled,
    WagerPlaced,
)
from controller.runtime.replaying import Rederivation

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: A browser that plays nothing before it is asked to; how a test looks at a page counts as a touch.
BLOCKED = """
const Real = AudioContext;
window.AudioContext = class extends Real {
  asked = false;
  get state() { return this.asked ? super.state : "suspended"; }
  async resume() {
    await super.resume();
    this.asked = true;
    this.dispatchEvent(new Event("statechange"));
  }
};
"""
#: From now on, `window.tones` counts what is played.
COUNT_TONES = """(() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { window.tones += 1; return start.call(this, at); };
})()"""


async def choose(work: Work, order: str, panel: str = "decide") -> None:
    await work.page.check(f"#{panel} [data-order={order}] input")


async def carry_out(work: Work, reason: str | None = None, panel: str = "decide") -> None:
    if reason is not None:
        await work.page.fill(f"#{panel} .reason-field input", reason)
    await work.page.click(f"#{panel} .giving .main")


async def second(work: Work, name: str, pin: str, panel: str = "decide") -> None:
    await work.page.fill(f"#{panel} .second label:nth-of-type(1) input", name)
    await work.page.fill(f"#{panel} .second label:nth-of-type(2) input", pin)


async def pick(work: Work, card: str, panel: str = "decide") -> None:
    await work.page.click(f"#{panel} [data-rank='{card[0]}']")
    await work.page.click(f"#{panel} [data-suit='{card[1]}']")


async def alerts(work: Work, count: int) -> None:
    words = f"{count} open" if count else "Nothing is open"
    await work.page.wait_for_selector(f"#alerts h2:text-is('{words}')")


async def after(work: Work, order: str) -> str:
    """What an order would do."""
    place = work.page.locator(f"[data-order={order}] .after, [data-order={order}] .refused").first
    await place.wait_for()
    return " ".join((await place.inner_text()).split())


async def tones(work: Work, count: int) -> None:
    """So many were played."""
    for _ in range(100):
        if await work.page.evaluate("window.tones") == count:
            return
        await work.page.wait_for_timeout(50)
    raise AssertionError(await work.page.evaluate("window.tones"))


async def test_a_hold_is_decided_and_play_goes_on(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await alerts(work, 0)
    assert await work.page.title() == "Mini-Baccarat 1 · Pit"
    await work.open((3, "player", "100"))
    await work.cards("9H KD KH 3S 4D")
    await work.page.wait_for_selector("#alerts .stop b:text('A card too many')")
    assert await work.page.title() == "(1) Mini-Baccarat 1 · Pit"
    assert await work.page.get_attribute("#icon", "href") == "/icon-alert.svg"
    # The evidence: every card in order, the one in question marked.
    await work.page.wait_for_selector("#decide .cards tr.raised")
    assert await work.page.locator("#decide .cards tbody tr").count() == 5
    raised = await work.page.locator("#decide .cards tr.raised td").all_inner_texts()
    assert raised[2:] == ["no card", "not said", "held"]
    # Proposals first, each with what it would do; nothing is chosen while they depend on what was seen.
    orders = await work.page.locator("#decide .option").evaluate_all("o => o.map(o => o.dataset.order)")
    assert orders[:2] == ["carry_card", "burn_card"]
    assert await work.page.locator("#decide .given").count() == 2
    assert await work.page.locator("#decide input:checked").count() == 0
    assert "Burned: 4♦" in (await after(work, "burn_card")).replace("\ufe0e", "")
    assert "Stakes returned: 1" in await after(work, "void_round")
    await choose(work, "burn_card")
    await carry_out(work)  # a reason is asked for
    assert work.service._core.table.hold is not None
    await carry_out(work, "everybody saw it")
    await alerts(work, 0)
    await work.page.wait_for_selector("#live", state="visible")
    await work.do(ResultConfirmed())
    await work.round("2C 9D 3H 7S 4S")
    await work.page.wait_for_selector("#live .bead >> nth=1")
    await work.service.stop()
    verdict = verify(work.service.path, Rederivation())
    assert verdict.ok, verdict.first
    await work.serve()


async def test_what_another_decided_meanwhile_is_said(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.open()
    await work.cards("9H KD KH 3S 4D")
    await work.page.wait_for_selector("#decide .option")
    await choose(work, "carry_card")
    await work.page.fill("#decide .reason-field input", "nobody saw it")
    await work.order("burn_card")
    await work.page.wait_for_selector("#toast:text('by somebody else')")
    await alerts(work, 0)


async def test_many_alerts_leave_the_decision_in_reach(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue", size=(800, 480))
    await work.open()
    await work.do(*(WagerPlaced(seat=1, wager="tie", amount="5") for _ in range(30)))
    await work.cards("9H KD KH 3S 4D")
    await alerts(work, 31)
    box = await work.page.locator("#decide .heading").bounding_box()
    assert box is not None and box["y"] < 480
    assert await work.page.locator("#alerts li").first.get_by_text("A card too many").is_visible()


async def test_an_unread_card_is_named_by_two(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.open()
    await work.cards("9H")
    await work.do(CardDrawn(card=None))
    await work.page.wait_for_selector("#alerts .stop")
    await choose(work, "identify_card")
    await pick(work, "KD")
    await carry_out(work, "read from the table")
    await work.page.wait_for_selector("#toast.refused:text('second person')")
    await second(work, "sue", "2222")
    await carry_out(work)
    await work.page.wait_for_selector("#toast.refused:text('another one')")
    await second(work, "sam", "3333")
    await carry_out(work)
    await alerts(work, 0)
    assert work.service._core.table.round.coup.hands["banker"] == ["KD"]


async def test_a_stop_comes_before_a_warning_unless_somebody_is_writing(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.open()
    await work.do(WagerPlaced(seat=1, wager="tie", amount="5"))
    await work.page.wait_for_selector("#decide h2:text-is('Late wager')")
    await work.cards("9H KD KH 3S 4D")
    await work.page.wait_for_selector("#decide h2:text-is('A card too many')")
    await choose(work, "burn_card")
    await carry_out(work, "as seen")
    await work.page.wait_for_selector("#decide h2:text-is('Late wager')")
    await work.page.fill("#decide .reason-field input", "the player was told")
    await work.cards("5D")
    await work.page.wait_for_selector("#alerts .stop")
    assert await work.page.locator("#decide .heading h2").inner_text() == "Late wager"
    await carry_out(work)
    await work.page.wait_for_selector("#decide h2:text-is('A card too many')")


async def test_warnings_and_blocks_are_acknowledged(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.do(DeviceFault(fault="jam", active=True, device="shuffler"))
    await work.page.wait_for_selector("#alerts .block")
    await work.page.wait_for_selector("#decide [data-order=acknowledge] input")
    await choose(work, "acknowledge")
    await carry_out(work)
    await alerts(work, 0)


async def test_a_misread_card_is_corrected_without_a_hold(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.round("9H KD KH 3S")
    await work.do(BetsOpened())
    await work.page.click("#tab-orders")
    await choose(work, "correct_card", "orders")
    await work.page.click("#orders .choice button:has-text('Banker 1')")
    await pick(work, "6S", "orders")
    await work.page.wait_for_selector("#orders [data-order=correct_card] .stands:text('Tie')")
    await second(work, "sam", "3333", "orders")
    await carry_out(work, "the shoe misread it", "orders")
    await work.page.wait_for_selector("#toast.done")
    await work.page.click("#tab-decide")
    await work.page.wait_for_selector("#bead_plate .bead:text-is('T')")


async def test_hands_are_stated_anew(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.open()
    await work.cards("9H KD")
    await work.do(SupervisorCalled(reason="dropped-card"))
    await work.page.wait_for_selector("#alerts .stop")
    await choose(work, "resynchronise")
    await work.page.click("#decide [data-place=player-2]")
    for card in ("KH", "3S"):
        await pick(work, card)
    await work.page.wait_for_selector("#decide [data-order=resynchronise] .stands:text('Player wins')")
    await second(work, "sam", "3333")
    await carry_out(work, "as they lie on the table")
    await alerts(work, 0)
    await work.page.wait_for_selector("#live #call strong:text-is('Player wins')")


async def test_a_shoe_is_changed_by_holding_the_button(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.page.click("#tab-orders")
    await choose(work, "new_shoe", "orders")
    button = work.page.locator("#orders .giving .main")
    await button.click()
    assert work.service._core.table.shoe.number == 0
    await button.hover()
    await work.page.mouse.down()
    await work.page.wait_for_selector("#tile .where:text('Shoe 1')")
    await work.page.mouse.up()


async def test_the_record_is_searched_and_exported(make_work: MakeWork, tmp_path: Path) -> None:
    work = await make_work("/pit", "sue")
    await work.shoe()
    await work.cards("3C 9D 8D 8C")
    await work.round("9H KD KH 3S")
    await work.round("2C 9D 3H 7S 4S")
    await work.page.click("#tab-record")
    form = work.page.locator("#record form")
    await form.locator("select").first.select_option("KH")
    await form.locator(".main").click()
    rows = work.page.locator("#record .hits tbody tr:not(.said)")
    await work.page.wait_for_selector("#record .hits tbody:not(:has(tr:nth-child(7)))")
    texts = [" ".join(text.split()).replace("\ufe0e", "") for text in await rows.all_inner_texts()]
    assert [text.split(" ", 3)[3].rpartition(" Show the record")[0] for text in texts] == [
        "Player wins, Player 9, Banker 3, natural",
        "K♥ is Player 2",
        "K♥ leaves the shoe",
    ]
    await rows.first.locator("button").click()
    assert '"type": "round_decided"' in await work.page.locator("#record .said pre").first.inner_text()
    await form.locator("input").first.fill("1")
    await form.locator(".main").click()
    await work.page.wait_for_selector("#record a[href*='shoe=1']")
    async with work.page.expect_download() as download:
        await work.page.click("#record .exports a:text-is('CSV')")
    path = tmp_path / "rounds.csv"
    await (await download.value).save_as(path)
    lines = list(csv.DictReader(path.read_text().splitlines()))
    assert [line["player"] for line in lines] == ["9H KH", "2C 3H 4S"]


async def test_statistics_and_devices(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.shoe()
    await work.cards("3C 9D 8D 8C")
    await work.round("9H KD KH 3S")
    await work.page.click("#tab-statistics")
    await work.page.wait_for_selector("#statistics .rounds tbody tr")
    facts = " ".join((await work.page.locator("#statistics dl").inner_text()).split())
    assert "Cards seen 8" in facts
    assert "Cards left 408" in facts
    await work.page.click("#tab-system")
    await work.page.wait_for_selector("#system dd:text-is('nj-mini-baccarat')")
    assert "angel-eye" in await work.page.locator("#system table").inner_text()


async def test_the_sound_of_an_alert_can_be_switched_off(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.page.evaluate(COUNT_TONES)
    await work.open()
    await work.cards("9H KD KH 3S 4D")
    await tones(work, 2)
    await work.page.click("#sound")
    assert await work.page.get_attribute("#sound", "aria-pressed") == "false"
    await work.do(WagerPlaced(seat=1, wager="tie", amount="5"))
    await work.order("burn_card")  # now the late wager is told as well
    await alerts(work, 1)
    await tones(work, 2)
    await work.page.reload()
    await work.page.wait_for_selector("#sound[aria-pressed=false]")


async def test_a_sound_that_the_browser_blocks_is_said(make_work: MakeWork) -> None:
    work = await make_work("/pit", "sue")
    await work.page.wait_for_selector("#sound[aria-pressed=true]:text-is('Sound on')")
    await work.open()
    await work.cards("9H KD KH 3S 4D")
    page = work.page
    await page.add_init_script(COUNT_TONES)
    await page.add_init_script(BLOCKED)
    await page.reload()
    await page.wait_for_selector("#sound[aria-pressed=false]:text('blocked')")
    assert await page.evaluate("window.tones") == 0
    await page.click("#sound")
    await page.wait_for_selector("#sound[aria-pressed=true]:text-is('Sound on')")
    await page.wait_for_function("window.tones >= 2")  # what is open is told now


async def test_an_engineer_looks_and_orders_nothing(make_work: MakeWork) -> None:
    work = await make_work("/pit", "eve")
    await work.do(DeviceFault(fault="jam", active=True, device="shuffler"))
    await work.page.wait_for_selector("#decide [data-order=acknowledge] input")
    await choose(work, "acknowledge")
    await carry_out(work)
    await work.page.wait_for_selector("#toast.refused:text('orders of the engineer: none')")
    await alerts(work, 1)
