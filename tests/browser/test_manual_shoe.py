"""A whole shoe at a table without a device, from the dealer's page and with nothing but keys."""

import asyncio

import pytest
from playwright.async_api import Route
from work import MANUAL, PINS, MakeWork, Work

from controller import facts
from controller.journal.audit import verify
from controller.journal.reader import connect, records
from controller.runtime.replaying import Rederivation, items

pytestmark = pytest.mark.asyncio(loop_scope="session")

BY_HAND = {"shoe": MANUAL, "ruleset": "nj-casino-night-mini-baccarat"}
#: What a keypad has for a rank and a suit.
KEYS = {"A": "1", "T": "0", "J": ".", "Q": "..", "K": "..."} | dict(zip("CDHS", "1234", strict=True))


class Keys:
    """Somebody at a keyboard."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.page = work.page

    async def press(self, keys: str | list[str]) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def enter(self, says: str) -> None:
        await self.page.keyboard.press("Enter")
        await self.work.says(says)

    async def hold(self, says: str) -> None:
        """Enter, for as long as it takes."""
        await self.page.keyboard.down("Enter")
        await self.work.says(says)
        await self.page.keyboard.up("Enter")

    async def key_in(self, card: str) -> None:
        await self.press("".join(KEYS.get(part, part) for part in card))

    async def cards(self, cards: str) -> None:
        for card in cards.split():
            await self.key_in(card)
            await self.page.keyboard.press("Enter")
            await self.page.wait_for_selector(".deal .chosen:empty", state="attached")

    async def bets(self, says: str = "Card to Player") -> None:
        await self.enter("Bets are open")
        await self.enter(says)

    async def finish(self, says: str = "Open the bets") -> None:
        """The result is confirmed, and the wagers are paid."""
        await self.page.wait_for_selector("[data-name=result_confirmed].next")
        await self.page.keyboard.down("Enter")
        await self.page.wait_for_selector("[data-name=wagers_paid].next")
        await self.page.keyboard.up("Enter")
        await self.enter(says)

    async def new_shoe(self) -> None:
        """By the button and its dialog, which Tab reaches."""
        await self._tab_to("[data-name='shoe.change']")
        await self.press(["Enter"])
        await self.page.wait_for_selector("#shoes[open]")
        await self._tab_to("#shoes .main")
        await self.hold("Burn: first card")

    async def _tab_to(self, selector: str) -> None:
        for _ in range(60):
            await self.page.keyboard.press("Tab")
            if await self.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(selector)


async def decide(work: Work, order: str, reason: str) -> None:
    """The supervisor, at another screen and by keys as well."""
    browser = work.page.context.browser
    assert browser is not None
    page = await browser.new_page()
    await page.goto(f"http://127.0.0.1:{work.service.port}/pit")
    await page.wait_for_selector("#login[open]")
    for words in ("sue", PINS["sue"][1]):
        await page.keyboard.type(words)
        await page.keyboard.press("Tab" if words == "sue" else "Enter")
    choice = f"#decide [data-order={order}] input"
    await page.wait_for_selector(choice)
    await page.focus(choice)
    await page.keyboard.press("Space")
    await page.focus("#decide .reason-field input")
    await page.keyboard.type(reason)
    await page.focus("#decide .giving .main")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#alerts h2:text-is('Nothing is open')")
    await page.close()


async def test_a_whole_shoe_by_keys(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", **BY_HAND)
    keys = Keys(work)
    await work.says("Open the bets")
    await keys.new_shoe()
    # The first card lies open and says how many are burned face down.
    await keys.cards("3C")
    for says in ("Burn 2 more", "Burn 1 more", "Open the bets"):
        await keys.press("+")
        await work.says(says)

    await keys.bets()
    await keys.cards("9C QD TH 5S")
    await work.says("Player wins")
    await keys.finish()

    # A mis-keyed card is taken back before it is dealt.
    await keys.bets()
    await keys.key_in("9D")
    await keys.page.wait_for_selector(".deal:enabled")
    await keys.press(["Backspace"])
    await keys.page.wait_for_selector(".deal:disabled")
    await keys.cards("2C 9D 3H 7S")
    await work.says("Player draws")
    # The dealer calls the supervisor: the round is held, decided, and goes on.
    await keys.press("/")
    await keys.page.wait_for_selector("#reasons[open]")
    await keys.press("1")
    await work.says("Stop")
    assert not await keys.page.locator("#pad").is_visible()
    await decide(work, "accept", "nobody else saw it")
    await work.says("Player draws")
    await keys.cards("4H")
    await work.says("Player wins")
    # One that lies on the table under a wrong name is corrected by the supervisor, before the next round.
    await work.order("correct_card", hand="player", index=3, card="3D", confirmed_by="sam")
    await work.says("Player wins")
    await keys.finish()

    # The cut card inside a round: that one is played, and one more.
    await keys.bets()
    await keys.cards("KC 8D")
    await keys.press("-")
    await keys.page.wait_for_selector("#notice:text('Cut card')")
    await keys.cards("QC JD")
    await work.says("Banker wins")
    await keys.finish()
    await keys.bets()
    await keys.page.wait_for_selector("#notice:text('Last round')")
    await keys.cards("9S 2H KS 4C")
    await work.says("Player wins")
    await keys.finish("End of the shoe")

    await work.service.stop()
    verdict = verify(work.service.path, Rederivation())
    assert verdict.ok, verdict.first
    with connect(work.service.path) as journal:
        told = [item for _, item in items(records(journal))]
    await work.serve()
    assert [fact.code for fact in told if isinstance(fact, facts.IrregularityRaised)] == ["supervisor-called"]
    decided = [fact for fact in told if isinstance(fact, facts.RoundDecided)]
    assert [(fact.round, fact.winner, fact.corrected) for fact in decided] == [
        (1, "player", False),
        (2, "player", False),
        (2, "player", True),
        (3, "banker", False),
        (4, "player", False),
    ]
    assert [fact.card for fact in told if isinstance(fact, facts.CardBurned)] == ["3C", None, None, None]
    (ended,) = [fact for fact in told if isinstance(fact, facts.ShoeEnded)]
    assert (ended.rounds, ended.cards_seen) == (4, 4 + 4 + 5 + 4 + 4)


async def dealt(work: Work) -> list[str]:
    cards: list[str] = await work.page.locator(".hand [data-card]").evaluate_all(
        "cards => cards.map(card => card.dataset.card)"
    )
    return sorted(cards)


async def test_who_keys_faster_than_the_table_answers_loses_nothing(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", **BY_HAND)
    keys = Keys(work)

    async def slowly(route: Route) -> None:
        await asyncio.sleep(0.3)
        await route.continue_()

    await work.says("Open the bets")
    await keys.new_shoe()
    await work.page.route("**/api/announce", slowly)
    await keys.key_in("3C")
    await keys.press(["Enter", "+", "+", "+"])
    await work.says("Open the bets")
    await keys.bets()
    for card in ("9C", "QD", "TH", "5S"):
        await keys.key_in(card)
        await work.page.keyboard.press("Enter")
    await work.says("Player wins")
    hands = work.service._core.table.round.coup.hands
    assert (hands["player"], hands["banker"]) == (["9C", "TH"], ["QD", "5S"])


async def test_a_card_that_was_not_taken_is_put_back_and_none_goes_after_it(make_work: MakeWork) -> None:
    work = await make_work("/dealer", "dana", **BY_HAND)
    keys = Keys(work)
    await work.says("Open the bets")
    await keys.bets()
    await work.page.route("**/api/announce", lambda route: route.abort())
    await keys.key_in("9C")
    await work.page.keyboard.press("Enter")
    await work.page.wait_for_selector("#toast.refused")
    await work.page.wait_for_selector(".deal:enabled .card")
    assert await dealt(work) == []
    await work.page.unroute("**/api/announce")
    await work.page.keyboard.press("Enter")
    await work.says("Card to Banker")
    assert await dealt(work) == ["9C"]
