"""The web server over real HTTP: streams, snapshots, refusals, and what it does with slow clients."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from playing import Play

from controller.observations import CardDrawn, HandCalled, ResultConfirmed
from controller.outputs.web.holders import HERE, Share
from controller.outputs.web.server import WebServer
from controller.outputs.web.streams import BEHIND
from controller.ports import ConfigurationError
from controller.views.view import TableInfo


class Site:
    """A table and its server."""

    def __init__(self, **options: Any) -> None:
        self.play = Play()
        self.healthy = True
        info = TableInfo(id="MB-01", name="Table 1", dealing=options.pop("dealing", "face-up"))
        self.server = WebServer(
            info,
            history=lambda _after: self.play.items,
            health=lambda: (self.healthy, {"healthy": self.healthy}),
            **options,
        )
        self.base = ""

    async def start(self) -> "Site":
        self.base = f"http://127.0.0.1:{await self.server.start('127.0.0.1', 0)}"
        return self

    def deal(self, cards: str) -> None:
        """A round as far as the cards go, published act by act."""
        self.server.publish(self.play.open())
        for card in cards.split():
            self.server.publish(self.play.do(CardDrawn(card=card)))


@pytest_asyncio.fixture
async def site() -> AsyncIterator[Callable[..., Any]]:
    sites = []

    async def make(**options: Any) -> Site:
        sites.append(await Site(**options).start())
        return sites[-1]

    yield make
    for made in sites:
        await made.server.stop()


@pytest_asyncio.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


class Stream:
    """The events of one open stream: (id or None, name, data)."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response

    async def next(self) -> tuple[int | None, str, Any]:
        fields: dict[str, str] = {}
        while (line := (await self.response.content.readline()).decode().rstrip("\n")) or not fields:
            name, _, value = line.partition(": ")
            fields[name] = value
            assert line, "the stream ended"
        return (
            int(fields["id"]) if "id" in fields else None,
            fields["event"],
            json.loads(fields["data"]),
        )

    async def until(self, name: str) -> list[tuple[int | None, str, Any]]:
        """Events up to the next one of this name; ticks left out."""
        events = []
        while not events or events[-1][1] != name:
            event = await self.next()
            if event[1] != "tick" or name == "tick":
                events.append(event)
        return events


async def test_a_stream_begins_with_the_snapshot_and_goes_on_live(
    site: Any, http: aiohttp.ClientSession
) -> None:
    table = await site()
    table.deal("2C")
    async with http.get(f"{table.base}/events") as response:
        assert response.headers["Content-Type"].startswith("text/event-stream")
        stream = Stream(response)
        number, name, state = await stream.next()
        assert (number, name, state["player"]["cards"]) == (len(table.play.items), "snapshot", ["2C"])
        assert state["seq"] == number
        assert state["roads"]["bead_plate"] == []
        table.server.publish(table.play.do(CardDrawn(card="9D")))
        seq = len(table.play.items)
        card, after = await stream.until("state")
        assert card[:2] == (seq, "card_dealt")
        assert card[2] == {"type": "card_dealt", "round": 1, "hand": "banker", "index": 1, "card": "9D"}
        assert after[0] == after[2]["seq"] == seq
        assert after[2]["banker"] == {"cards": ["9D"], "total": 9}
        assert "roads" not in after[2]


async def test_roads_come_with_the_state_that_changes_them(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site()
    async with http.get(f"{table.base}/events?view=board") as response:
        stream = Stream(response)
        await stream.next()
        table.deal("9C 2D KH 3S")
        table.server.publish(table.play.do(ResultConfirmed()))
        confirmed = await stream.until("round_confirmed")
        assert not any("roads" in data for _, name, data in confirmed if name == "state")
        (state,) = await stream.until("state")
        assert [bead["outcome"] for bead in state[2]["roads"]["bead_plate"]] == ["player"]


async def test_every_second_a_tick_with_the_last_number(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site()
    table.deal("2C")
    async with http.get(f"{table.base}/events") as response:
        events = await Stream(response).until("tick")
        assert events[-1] == (None, "tick", {"seq": len(table.play.items)})


async def test_missed_facts_follow_the_snapshot(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site()
    table.deal("2C 9D")
    missed_from = len(table.play.items)
    table.server.publish(table.play.do(CardDrawn(card="3H")))
    headers = {"Last-Event-ID": str(missed_from)}
    async with http.get(f"{table.base}/events", headers=headers) as response:
        stream = Stream(response)
        assert (await stream.next())[:2] == (None, "snapshot")
        number, name, fact = await stream.next()
        assert (number, name, fact["card"]) == (len(table.play.items), "card_dealt", "3H")
        table.server.publish(table.play.do(CardDrawn(card="7S")))
        assert (await stream.until("state"))[0][2]["card"] == "7S"


@pytest.mark.parametrize("last", ["", "x", "-1", "9" * 30, "99999"])
async def test_a_number_that_is_none_or_not_ours_is_no_reason_to_refuse(
    site: Any, http: aiohttp.ClientSession, last: str
) -> None:
    table = await site()
    async with http.get(f"{table.base}/events", headers={"Last-Event-ID": last}) as response:
        assert response.status == 200
        assert (await Stream(response).next())[1] == "snapshot"


async def test_missed_facts_are_those_that_the_board_may_see(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site(dealing="both-down")
    table.deal("2C 9D 3H 7S")
    table.server.publish(table.play.do(HandCalled(hand="player")))
    async with http.get(f"{table.base}/events", headers={"Last-Event-ID": "0"}) as response:
        cards = [d for _, name, d in await Stream(response).until("tick") if name == "card_dealt"]
    assert [card["card"] for card in cards] == [None, None, None, None, "2C", "3H"]


async def test_snapshot_document(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site(dealing="both-down")
    table.deal("2C 9D 3H 7S")
    async with http.get(f"{table.base}/api/snapshot?view=board") as response:
        assert response.content_type == "application/json"
        state = await response.json()
    assert state["player"] == {"cards": [None, None], "total": None}


async def test_views_that_need_a_login_and_views_that_are_none(
    site: Any, http: aiohttp.ClientSession
) -> None:
    table = await site()
    for path, status in (
        ("/events?view=pit", 403),
        ("/events?view=dealer", 403),
        ("/api/snapshot?view=pit", 403),
        ("/events?view=other", 400),
    ):
        async with http.get(table.base + path) as response:
            assert (response.status, (await response.text()).count("\n")) == (status, 1)
    opened = await site(open_views={"board", "pit"})
    async with http.get(f"{opened.base}/api/snapshot?view=pit") as response:
        assert response.status == 200


async def test_only_get(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site()
    for path in ("/", "/events", "/api/snapshot", "/healthz"):
        for method in ("POST", "PUT", "DELETE", "HEAD"):
            async with http.request(method, table.base + path) as response:
                assert response.status == 405


async def test_foreign_host_names_are_refused(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site(names={"Table1.pit"})
    answers = {}
    for host in ("evil.example", "evil.example:8080", "table1.PIT:80", "localhost", "[::1]:80", "10.0.0.5"):
        async with http.get(f"{table.base}/healthz", headers={"Host": host}) as response:
            answers[host] = response.status
    assert answers == {
        "evil.example": 421,
        "evil.example:8080": 421,
        "table1.PIT:80": 200,
        "localhost": 200,
        "[::1]:80": 200,
        "10.0.0.5": 200,
    }


async def test_every_answer_carries_the_protecting_headers(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site()
    for path in ("/", "/board.js", "/text/en.json", "/events", "/nothing", "/events?view=pit"):
        async with http.get(table.base + path) as response:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["Cache-Control"] == "no-store"
            assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_health(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site()
    async with http.get(f"{table.base}/healthz") as response:
        never = {"board": None, "dealer": None, "pit": None}
        answer = {"healthy": True, "pages_shown_s": never, "streams": {"board": 0, "dealer": 0, "pit": 0}}
        assert (response.status, await response.json()) == (200, answer)
    table.healthy = False
    async with http.get(f"{table.base}/healthz") as response:
        assert response.status == 503


async def test_a_page_says_that_it_shows_something(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site()
    async with http.post(f"{table.base}/api/shown?view=board") as response:
        assert response.status == 204
    async with http.post(f"{table.base}/api/shown?view=bar") as response:
        assert response.status == 400
    async with http.get(f"{table.base}/healthz") as response:
        shown = (await response.json())["pages_shown_s"]
    assert 0 <= shown["board"] < 60
    assert shown["dealer"] is None


async def test_streams_are_limited(site: Any, http: aiohttp.ClientSession) -> None:
    table = await site(shares={HERE: Share(2, 2)})
    first = await http.get(f"{table.base}/events")
    second = await http.get(f"{table.base}/events")
    async with http.get(f"{table.base}/events") as third:
        assert (third.status, third.headers["Retry-After"]) == (503, "5")
    # A page that closes makes room, at the latest with the next tick.
    await asyncio.gather(Stream(second).until("tick"), Stream(first).until("snapshot"))
    first.close()
    await Stream(second).until("tick")
    await Stream(second).until("tick")
    async with http.get(f"{table.base}/events") as again:
        assert again.status == 200
    second.close()


async def test_a_client_that_does_not_read_is_cut_off(site: Any) -> None:
    table = await site()
    port = int(table.base.rsplit(":", 1)[1])
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", port))
        slow.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        slow.setblocking(False)
        loop = asyncio.get_running_loop()
        assert (await loop.sock_recv(slow, 12)) == b"HTTP/1.1 200"
        batch = table.play.open()
        for _ in range(50):
            # No pause: the stream's task cannot write in between, so its queue fills.
            for _ in range(BEHIND + 1):
                table.server.publish(batch)
            await asyncio.sleep(0)
        received = 0
        with pytest.raises(ConnectionResetError):
            while received < 10**8:
                data = await loop.sock_recv(slow, 65536)
                received += len(data)
                if not data:
                    raise ConnectionResetError


async def test_stopping_ends_the_streams(http: aiohttp.ClientSession) -> None:
    table = await Site().start()
    async with http.get(f"{table.base}/events") as response:
        await Stream(response).next()
        await table.server.stop()
        rest = await response.content.read()
    assert b"snapshot" not in rest


async def test_a_port_in_use_is_named(site: Any) -> None:
    table = await site()
    port = int(table.base.rsplit(":", 1)[1])
    with pytest.raises(ConfigurationError, match=rf"127\.0\.0\.1:{port}: address already in use"):
        await Site().server.start("127.0.0.1", port)
