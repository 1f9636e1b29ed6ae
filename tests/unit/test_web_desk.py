"""What people may do over HTTP: log in, announce, order; and what is refused."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from controller import facts
from controller.observations import CardDrawn
from controller.orders import Event, Order
from controller.outputs.web.desk import Desk
from controller.outputs.web.entrance import BODY
from controller.outputs.web.openapi import COOKIE
from controller.outputs.web.server import WebServer
from controller.outputs.web.throttle import PACES
from controller.people import People
from controller.play.house import House
from controller.play.table import Table
from controller.rules.ruleset import load_ruleset
from controller.views.view import TableInfo

PINS = {"dan": "1111", "sue": "2222", "sam": "3333", "eva": "4444"}
ROLES = {"dan": "dealer", "sue": "supervisor", "sam": "supervisor", "eva": "engineer"}


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    for name, pin in PINS.items():
        People(folder).add(name, ROLES[name], pin)
    return folder


class Site:
    """A server with a real table behind it, and a browser's worth of client."""

    def __init__(self, folder: Path) -> None:
        self.now = 1000.0
        self.table = Table(House(load_ruleset("nj-mini-baccarat")))
        self.entered: list[Event] = []
        self.seq = 0
        self.needs_second: Callable[[Order], bool] = lambda _order: False
        desk = Desk(
            People(folder), self.enter, lambda: self.now, lambda order: self.needs_second(order), manual=False
        )
        info = TableInfo(id="T", name="T")
        self.server = WebServer(info, history=lambda _: (), health=lambda: (True, {}), desk=desk)

    async def enter(self, event: Event) -> Sequence[facts.Fact]:
        self.entered.append(event)
        concluded = self.table.apply(event)
        for item in (event, *concluded):
            self.seq += 1
            self.server.publish([(self.seq, item)])
        return concluded

    async def start(self) -> None:
        self.base = f"http://127.0.0.1:{await self.server.start('127.0.0.1', 0)}"
        self.client = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def post(self, path: str, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        async with self.client.post(self.base + path, json=body, headers=headers) as answer:
            return answer.status, await answer.json()

    async def login(self, name: str, pin: str | None = None) -> tuple[int, dict[str, Any]]:
        return await self.post("/api/login", {"name": name, "pin": pin or PINS[name]})

    async def stop(self) -> None:
        await self.client.close()
        await self.server.stop()


@pytest.fixture
async def site(people: Path) -> AsyncIterator[Site]:
    site = Site(people)
    await site.start()
    yield site
    await site.stop()


async def hold(site: Site) -> None:
    """A card before bets are closed."""
    await site.enter(msgspec.convert({"type": "bets_opened"}, Event))
    await site.enter(CardDrawn(card="7C"))
    assert site.table.hold is not None


async def test_nothing_is_done_without_a_login(site: Site) -> None:
    assert await site.post("/api/announce", {"type": "bets_opened"}) == (401, {"refused": "log in first"})
    assert (await site.post("/api/order", {"order": "accept"}))[0] == 401
    assert site.entered == []


async def test_a_login_is_a_cookie_that_no_script_can_read(site: Site) -> None:
    async with site.client.post(site.base + "/api/login", json={"name": "dan", "pin": "1111"}) as answer:
        assert await answer.json() == {"name": "dan", "role": "dealer"}
        cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    async with site.client.get(site.base + "/api/session") as answer:
        assert await answer.json() == {"name": "dan", "role": "dealer"}


async def test_a_session_has_a_new_token_at_every_login(site: Site) -> None:
    await site.login("dan")
    first = site.client.cookie_jar.filter_cookies(aiohttp.client.URL(site.base))[COOKIE].value
    await site.login("dan")
    second = site.client.cookie_jar.filter_cookies(aiohttp.client.URL(site.base))[COOKIE].value
    assert first != second
    async with site.client.get(site.base + "/api/session", cookies={COOKIE: first}) as answer:
        assert await answer.json() == {}


async def test_wrong_pins_hold_up_their_name_and_nobody_else_at_the_kiosk(site: Site) -> None:
    for _ in range(PACES["here"].free):
        assert await site.login("dan", "9999") == (403, {"refused": "name or PIN is wrong"})
    assert await site.login("dan") == (429, {"refused": "too many wrong PINs; wait 30 seconds"})
    assert (await site.login("sue"))[0] == 200
    site.now += 31
    assert (await site.login("dan"))[0] == 200


@pytest.mark.parametrize(
    "body", [{}, {"name": "dan"}, {"name": 1, "pin": "1"}, {"name": "dan", "pin": "1", "x": 1}]
)
async def test_a_login_of_another_form_is_refused(site: Site, body: dict[str, Any]) -> None:
    assert (await site.post("/api/login", body))[0] == 400


async def test_a_dealer_announces_and_the_record_knows(site: Site) -> None:
    await site.login("dan")
    assert await site.post("/api/announce", {"type": "bets_opened"}) == (200, {"done": True})
    assert site.table.round.phase == "betting"


async def test_an_engineer_announces_and_orders_nothing(site: Site) -> None:
    await site.login("eva")
    assert (await site.post("/api/announce", {"type": "bets_opened"}))[0] == 403
    assert (await site.post("/api/order", {"order": "void_round"}))[0] == 403


async def test_a_dealer_may_only_change_the_shoe(site: Site) -> None:
    await site.login("dan")
    status, body = await site.post("/api/order", {"order": "void_round"})
    assert status == 403
    assert "log in as a supervisor" in body["refused"]
    assert (await site.post("/api/order", {"order": "new_shoe", "decks": 8}))[0] == 200


async def test_a_supervisor_ends_a_hold_under_their_name(site: Site) -> None:
    await hold(site)
    await site.login("sue")
    assert await site.post("/api/order", {"order": "burn_card", "reason": "seen by both"}) == (
        200,
        {"done": True},
    )
    assert site.table.hold is None
    order = site.entered[-1]
    assert isinstance(order, Order)
    assert (order.by, order.reason) == ("sue", "seen by both")


async def test_an_order_that_does_not_fit_says_why(site: Site) -> None:
    await site.login("sue")
    status, body = await site.post("/api/order", {"order": "burn_card"})
    assert (status, body["refused"]) == (409, "nothing is held")


@pytest.mark.parametrize("field", ["by", "at", "wall", "device", "confirmed_by"])
async def test_nobody_may_say_what_only_the_server_knows(site: Site, field: str) -> None:
    await site.login("sue")
    value = 1.0 if field == "at" else "boss"
    assert (await site.post("/api/order", {"order": "annotate", field: value}))[0] == 400
    assert (await site.post("/api/announce", {"type": "bets_opened", field: value}))[0] == 400
    assert site.entered == []


async def test_a_card_is_not_announced_where_the_shoe_reports_it(site: Site) -> None:
    await site.login("dan")
    assert (await site.post("/api/announce", {"type": "card_drawn", "card": "AS"}))[0] == 400


async def test_an_order_may_need_a_second_person(site: Site) -> None:
    await hold(site)
    site.needs_second = lambda order: order.order == "burn_card"
    await site.login("sue")
    assert (await site.post("/api/order", {"order": "burn_card"}))[0] == 403
    engineer = {"name": "eva", "pin": PINS["eva"]}
    for second in ({"name": "sam", "pin": "0000"}, {"name": "sue", "pin": "2222"}, engineer):
        assert (await site.post("/api/order", {"order": "burn_card", "second": second}))[0] == 403
    assert site.table.hold is not None
    assert (await site.post("/api/order", {"order": "burn_card", "second": {"name": "sam", "pin": "3333"}}))[
        0
    ] == 200
    order = site.entered[-1]
    assert isinstance(order, Order)
    assert (order.by, order.confirmed_by) == ("sue", "sam")


async def test_a_verbal_wager_is_confirmed_by_dealer_and_supervisor(site: Site) -> None:
    await site.login("dan")
    wager = {"type": "wager_placed", "seat": 1, "wager": "player", "amount": "100", "kind": "verbal"}
    assert (await site.post("/api/announce", wager))[0] == 403
    assert (await site.post("/api/announce", wager | {"second": {"name": "sue", "pin": "2222"}}))[0] == 200
    assert site.entered[-1].confirmed_by == ["dan", "sue"]  # type: ignore[union-attr]


async def test_another_sites_page_can_do_nothing(site: Site) -> None:
    await site.login("sue")
    assert (await site.post("/api/order", {"order": "annotate"}, Origin="http://evil.example"))[0] == 403
    assert (await site.post("/api/order", {"order": "annotate"}, Origin=site.base))[0] == 200
    async with site.client.post(site.base + "/api/order", data={"order": "annotate"}) as answer:
        assert answer.status == 415


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"a":NaN}', b"\xff", b'"x"'])
async def test_a_body_that_is_no_object_is_one_clear_refusal(site: Site, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    async with site.client.post(site.base + "/api/login", data=body, headers=headers) as answer:
        assert answer.status == 400
        assert "refused" in await answer.json()


async def test_a_packed_body_is_refused(site: Site) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    async with site.client.post(site.base + "/api/login", data=b"no gzip", headers=headers) as answer:
        assert answer.status == 415
        assert "without a Content-Encoding" in (await answer.json())["refused"]


@pytest.mark.parametrize("what", [None, 1, ["accept"], {"accept": 1}, ""])
async def test_what_is_asked_must_be_text(site: Site, what: Any) -> None:
    await site.login("dan")
    assert (await site.post("/api/announce", {"type": what}))[0] == 400
    assert (await site.post("/api/order", {"order": what}))[0] == 403
    await site.login("sue")
    assert (await site.post("/api/order", {"order": what}))[0] == 400
    assert site.entered == []


async def test_a_body_too_long_is_refused(site: Site) -> None:
    headers = {"Content-Type": "application/json"}
    async with site.client.post(site.base + "/api/login", data=b" " * (BODY + 1), headers=headers) as answer:
        assert answer.status == 413


async def test_views_follow_the_role(site: Site) -> None:
    async def status(view: str) -> int:
        async with site.client.get(f"{site.base}/api/snapshot?view={view}") as answer:
            return answer.status

    assert [await status(view) for view in ("board", "dealer", "pit")] == [200, 403, 403]
    await site.login("dan")
    assert [await status(view) for view in ("board", "dealer", "pit")] == [200, 200, 403]
    await site.login("sue")
    assert [await status(view) for view in ("board", "dealer", "pit")] == [200, 200, 200]
    await site.post("/api/logout", {})
    assert [await status(view) for view in ("board", "dealer", "pit")] == [200, 403, 403]


async def test_a_stream_ends_with_its_session(site: Site) -> None:
    await site.login("sue")
    async with site.client.get(f"{site.base}/events?view=pit") as stream:
        assert (await stream.content.readline()).startswith((b"id:", b"event:"))
        await site.post("/api/logout", {})
        assert await stream.content.read() is not None  # the end of the stream, and not for ever


async def test_who_is_removed_or_has_another_pin_or_role_is_logged_out(site: Site, tmp_path: Path) -> None:
    people = People(tmp_path)
    for name in ("dan", "sue", "sam"):
        people.add(name, ROLES[name], PINS[name])
    desk = Desk(people, site.enter, lambda: site.now, lambda _: False, manual=False)
    info = TableInfo(id="T", name="T")
    other = WebServer(info, history=lambda _: (), health=lambda: (True, {}), desk=desk)
    base = f"http://127.0.0.1:{await other.start('127.0.0.1', 0)}"
    pages = {name: aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True)) for name in PINS}

    async def who(name: str) -> Any:
        async with pages[name].get("/api/session") as answer:
            return (await answer.json()).get("name")

    for name in ("dan", "sue", "sam"):
        async with pages[name].post("/api/login", json={"name": name, "pin": PINS[name]}) as answer:
            assert answer.status == 200
    people.remove("dan")
    people.set_pin("sue", "5555")
    desk.review()
    assert [await who(name) for name in ("dan", "sue", "sam")] == [None, None, "sam"]
    # A file that cannot be read says nothing about anybody.
    people.path.write_text("{")
    desk.review()
    assert await who("sam") == "sam"
    for page in pages.values():
        await page.close()
    await other.stop()
