"""What the pit may ask of the record over HTTP, from a real service with a real journal."""

import csv
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from controller.config import parse_configuration
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    ResultConfirmed,
    ShoeLoaded,
    WagerPlaced,
)
from controller.orders import Event, Order
from controller.people import People
from controller.runtime.identity import software_version
from controller.runtime.service import Service

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "manual"
[web]
listen = "127.0.0.1:0"
"""
PEOPLE = {"dana": ("dealer", "1111"), "sue": ("supervisor", "2222"), "sam": ("supervisor", "3333")}


class Site:
    """A table that has played, and a supervisor's browser."""

    def __init__(self, folder: Path) -> None:
        for name, (role, pin) in PEOPLE.items():
            People(folder / "state").add(name, role, pin)
        self.service = Service(parse_configuration(CONFIG, "table.toml", folder))

    async def start(self) -> None:
        await self.service.start()
        base = f"http://127.0.0.1:{self.service.port}"
        self.client = aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def stop(self) -> None:
        await self.client.close()
        await self.service.stop()

    async def do(self, *events: Event) -> None:
        for event in events:
            await self.service.decide(event)

    async def round(self, cards: str, *stakes: WagerPlaced) -> None:
        drawn = [CardDrawn(card=card) for card in cards.split()]
        await self.do(BetsOpened(), *stakes, BetsClosed(), *drawn)

    async def login(self, name: str) -> None:
        async with self.client.post("/api/login", json={"name": name, "pin": PEOPLE[name][1]}) as answer:
            assert answer.status == 200

    async def get(self, path: str, **query: Any) -> tuple[int, Any]:
        async with self.client.get(f"/api/{path}", params=query) as answer:
            return answer.status, await answer.json()

    async def hits(self, **query: Any) -> list[str]:
        """What was found, oldest first."""
        status, found = await self.get("record", **query)
        assert status == 200, found
        return [hit["text"] for hit in reversed(found["hits"])]


@pytest_asyncio.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    """Two shoes: in the second a card too many, held."""
    site = Site(tmp_path)
    await site.start()
    await site.do(ShoeLoaded(decks=8), CardDrawn(card="AC"), CardDrawn(card="2C"))
    await site.round("9C KD KH 3S")
    await site.do(ResultConfirmed())
    await site.round("2C 9D 3H 7S 4S")
    await site.do(ResultConfirmed(), Order(order="void_round", by="sue", reason="test of the void"))
    await site.do(Order(order="new_shoe", by="dana", decks=6))
    await site.do(CardDrawn(card="AD"), CardDrawn(card="2C"))
    await site.round("9C KD KH 3S 4D", WagerPlaced(seat=2, wager="player", amount="10"))
    yield site
    await site.stop()


async def test_the_record_is_for_the_pit(site: Site) -> None:
    assert await site.get("record") == (401, {"refused": "log in first"})
    await site.login("dana")
    for path in ("record", "evidence", "preview", "shoes", "shoe", "about", "export"):
        status, body = await site.get(path)
        assert (status, body["refused"][:26]) == (403, "the record is not for a de"), path


async def test_searching_by_shoe_round_card_code_and_time(site: Site) -> None:
    await site.login("sue")
    assert await site.hits(shoe=1, round=1, card="KH") == [
        "KH leaves the shoe",
        "KH is Player 2",
        "Player wins, Player 9, Banker 3, natural",
    ]
    assert await site.hits(code="overdraw") == [
        "irregularity 1, overdraw (stop): 4D was drawn and no card is due"
    ]
    assert (await site.hits(shoe=2))[0] == "shoe 2 begins, 6 decks"
    assert (await site.hits(shoe=1))[-1] == "shoe 1 is ended after 2 rounds and 11 cards"
    assert await site.hits(shoe=1, orders=1) == ["order: void round", "order: new shoe (decks 6)"]
    assert await site.hits(shoe=9) == []
    assert await site.hits(to="2020-01-01") == []
    everything = await site.hits()
    assert await site.hits(**{"from": "2020-01-01"}) == everything
    assert everything[0].startswith("the service starts")


async def test_a_search_goes_on_where_it_stopped(site: Site) -> None:
    await site.login("sue")
    _, all_of_it = await site.get("record")
    pages: list[int] = []
    before: int | None = None
    while True:
        _, found = await site.get("record", limit=7, **({} if before is None else {"before": before}))
        pages += [hit["seq"] for hit in found["hits"]]
        before = found["before"]
        if before is None:
            break
    assert pages == [hit["seq"] for hit in all_of_it["hits"]]


@pytest.mark.parametrize(
    ("path", "query", "status", "said"),
    [
        ("record", {"card": "10D"}, 400, "card '10D': rank then suit, as TD"),
        ("record", {"shoe": "x"}, 400, "shoe 'x': give a whole number"),
        ("record", {"from": "noon"}, 400, "from 'noon': no time; write it as 2026-03-14T20:00, in UTC"),
        ("evidence", {"irregularity": 7}, 404, "irregularity 7: there is none; the newest is 1"),
        ("evidence", {}, 400, "irregularity: give its number"),
        ("shoe", {"shoe": 7}, 404, "shoe 7: there is none; the newest are 1, 2"),
        ("export", {"format": "xls"}, 400, "format: one of csv, json, html"),
        ("preview", {"order": "[]"}, 400, "order: one JSON object is expected: "),
        ("preview", {"order": '{"order":"move_card"}'}, 400, "order move_card needs the field `to`"),
    ],
)
async def test_what_is_asked_wrongly(
    site: Site, path: str, query: dict[str, Any], status: int, said: str
) -> None:
    await site.login("sue")
    got, body = await site.get(path, **query)
    assert (got, body["refused"][: len(said)]) == (status, said)


async def test_the_evidence_of_an_irregularity(site: Site) -> None:
    await site.login("sue")
    status, found = await site.get("evidence", irregularity=1)
    assert status == 200
    incident = found["incident"]
    assert (incident["code"], incident["shoe"], incident["round"]) == ("overdraw", 2, 1)
    assert [row["card"] for row in incident["cards"]] == ["9C", "KD", "KH", "3S", "4D"]
    assert incident["cards"][-1]["due"] == "no card"
    assert [hit["text"] for hit in found["orders"]] == []
    await site.do(Order(order="burn_card", by="sue", reason="out of place"))
    _, found = await site.get("evidence", irregularity=1)
    assert found["incident"]["decision"]["by"] == "sue"


async def test_orders_are_tried_on_a_copy(site: Site) -> None:
    await site.login("sue")
    orders = [{"order": "burn_card"}, {"order": "void_round"}, {"order": "move_card", "to": "banker"}]
    async with site.client.get(
        "/api/preview", params=[("order", json.dumps(order)) for order in orders]
    ) as answer:
        burn, void, move = await answer.json()
    assert (burn["preview"]["burned"], burn["preview"]["after"]["winner"]) == (["4D"], "player")
    assert (void["preview"]["after"]["state"], void["preview"]["settled"][0]["outcome"]) == ("void", "void")
    assert move["preview"]["refused"] == "no card is due"
    table = site.service._core.table
    assert table.hold is not None
    assert table.hold.code == "overdraw"


async def test_a_tried_order_is_tried_again_once_something_happened(site: Site) -> None:
    await site.login("sue")
    query = {"order": json.dumps({"order": "burn_card"})}
    _, (first,) = await site.get("preview", **query)
    assert first["preview"]["refused"] is None
    await site.do(Order(order="burn_card", by="sue"))
    _, (second,) = await site.get("preview", **query)
    assert second["preview"]["refused"] == "nothing is held"


async def test_a_shoes_statistics(site: Site) -> None:
    await site.login("sue")
    assert [place["shoe"] for place in (await site.get("shoes"))[1]] == [1, 2]
    _, first = await site.get("shoe", shoe=1)
    assert (first["winners"], first["void"], first["burned"]) == ({"player": 1, "banker": 0, "tie": 0}, 1, 2)
    assert (first["cards"], first["left"], first["seen"]["9C"]) == (11, 405, 1)
    assert [line["round"] for line in first["rounds"]] == [1, 2]
    assert first["software"] == [software_version()]
    _, second = await site.get("shoe", shoe=2)
    assert (second["decks"], second["pack"], second["irregularities"]) == (6, None, {"overdraw": 1})


async def test_exports(site: Site) -> None:
    await site.login("sue")
    async with site.client.get("/api/export", params={"format": "csv", "shoe": 1}) as answer:
        assert answer.headers["Content-Disposition"] == 'attachment; filename="record-shoe-1.csv"'
        rows = list(csv.DictReader((await answer.text()).splitlines()))
    assert [(row["round"], row["winner"], row["player"], row["void"]) for row in rows] == [
        ("1", "player", "9C KH", "no"),
        ("2", "player", "2C 3H 4S", "yes"),
    ]
    async with site.client.get("/api/export", params={"format": "json", "irregularity": 1}) as answer:
        assert (await answer.json())["incidents"][0]["code"] == "overdraw"
    async with site.client.get("/api/export", params={"format": "html"}) as answer:
        assert answer.content_type == "text/html"
        assert "<h2>Overdraw</h2>" in await answer.text()


async def test_what_the_table_is(site: Site) -> None:
    await site.login("sue")
    _, said = await site.get("about")
    assert said["software"]["version"].startswith("0.1.0+")
    assert said["rules"]["ruleset"] == "nj-casino-night-mini-baccarat"
    assert said["health"]["journal"] == "writing"
