"""The key of a pit console at a table: it opens the pit's view for reading, and nothing else."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from structlog.testing import capture_logs
from test_config import SOUND

from controller.config import parse_configuration
from controller.outputs.web.desk import Desk
from controller.outputs.web.holders import HERE, Share
from controller.outputs.web.server import WebServer
from controller.people import People
from controller.ports import ConfigurationError
from controller.views.view import TableInfo

KEY = "c3VydmVpbGxhbmNlLWlzLW5vdC1wbGF5"
BEARER = {"Authorization": f"Bearer {KEY}"}
NARROW = {"session": Share(2, 2), HERE: Share(1, 1), "there": Share(0, 0)}


async def entered(_: object) -> list[Any]:
    raise AssertionError("somebody got in")


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[aiohttp.ClientSession]:
    people = People(tmp_path)
    people.add("sue", "supervisor", "2222")
    desk = Desk(people, entered, lambda: 0.0, lambda _: False, manual=True)
    server = WebServer(
        TableInfo(id="T", name="T"),
        history=lambda _: (),
        health=lambda: (True, {}),
        desk=desk,
        pit_key=KEY,
        shares=NARROW,
    )
    base = f"http://127.0.0.1:{await server.start('127.0.0.1', 0)}"
    async with aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        yield http
    await server.stop()


async def status(http: aiohttp.ClientSession, path: str, key: str = KEY) -> int:
    async with http.get(path, headers={"Authorization": f"Bearer {key}"}) as answer:
        return answer.status


async def test_it_opens_the_pits_view(table: aiohttp.ClientSession) -> None:
    assert await status(table, "/api/snapshot?view=pit") == 200
    assert await status(table, "/events?view=pit") == 200
    assert await status(table, "/healthz") == 200
    async with table.get("/api/snapshot?view=pit") as answer:
        assert answer.status == 403


async def test_it_opens_nothing_else(table: aiohttp.ClientSession) -> None:
    for path in ("/api/snapshot?view=dealer", "/events?view=dealer"):
        assert await status(table, path) == 403
    orders = {"/api/order": {"order": "new_shoe"}, "/api/announce": {"type": "bets_opened"}}
    for path, body in orders.items():
        async with table.post(path, json=body, headers=BEARER) as answer:
            assert answer.status == 401
    async with table.get("/api/session", headers=BEARER) as answer:
        assert await answer.json() == {}


async def test_it_is_described_where_it_counts(table: aiohttp.ClientSession) -> None:
    async with table.get("/api/openapi.json") as answer:
        described = await answer.json()
    assert described["components"]["securitySchemes"]["pit_key"] == {"type": "http", "scheme": "bearer"}
    takes = [
        path
        for path, item in described["paths"].items()
        if any({"pit_key": []} in operation["security"] for operation in item.values())
    ]
    assert takes == ["/events", "/api/snapshot"]


async def test_it_is_taken_from_its_header_only(table: aiohttp.ClientSession) -> None:
    for place in ({"Cookie": f"session={KEY}"}, {"X-Key": KEY}, {"Authorization": f"Basic {KEY}"}):
        async with table.get(f"/api/snapshot?view=pit&key={KEY}", headers=place) as answer:
            assert answer.status == 403


async def test_a_wrong_key_is_refused_also_where_somebody_is_logged_in_and_said_once(
    table: aiohttp.ClientSession,
) -> None:
    async with table.post("/api/login", json={"name": "sue", "pin": "2222"}) as answer:
        assert answer.status == 200
    with capture_logs() as logs:
        for wrong in (KEY[:-1], KEY + "A", "", "schlüssel"):
            assert await status(table, "/api/snapshot?view=pit", wrong) == 403
        async with table.get("/events?view=pit", headers={"Authorization": "bearer x"}) as answer:
            assert await answer.text() == "this is not the key in the table's pit_key_file\n"
    assert [entry["event"] for entry in logs] == ["pit_key_refused"]
    async with table.get("/api/snapshot?view=pit") as answer:
        assert answer.status == 200


async def test_other_pages_take_no_room_from_it(table: aiohttp.ClientSession) -> None:
    async with table.get("/events"), table.get("/events", headers={"X": "1"}) as second:
        assert second.status == 503
        async with table.get("/events?view=pit", headers=BEARER) as console:
            assert console.status == 200


def with_key(folder: Path, key: str, mode: int = 0o600) -> str:
    (folder / "pit.key").write_text(key)
    (folder / "pit.key").chmod(mode)
    return SOUND.replace("[web]\n", '[web]\npit_key_file = "pit.key"\n')


def test_the_setting(tmp_path: Path) -> None:
    config = parse_configuration(with_key(tmp_path, KEY + "\n"), "table.toml", tmp_path)
    assert config.web.pit_key(tmp_path) == KEY
    assert KEY not in str(config.model_dump())


@pytest.mark.parametrize(
    ("key", "mode", "said"),
    [
        ("too-short", 0o600, "should hold at least 32 letters and digits; make one: (umask 077; head -c 24 "),
        ("a key with blanks that is long enough", 0o600, "should hold at least 32 letters and digits"),
        (KEY, 0o644, "mode 644 lets others at the secret; chmod 600 or 640 it"),
    ],
)
def test_a_key_that_is_none(tmp_path: Path, key: str, mode: int, said: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_configuration(with_key(tmp_path, key, mode), "table.toml", tmp_path)
    assert str(refused.value).startswith(f"table.toml:14: web.pit_key_file: {tmp_path}/pit.key: {said}")
