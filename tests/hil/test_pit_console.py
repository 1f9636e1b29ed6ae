"""The pit console in front of real tables: what it shows, what it survives, what it opens."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from certificates import Authority
from pit_desk import Felt, PitDesk, log_in, write_key
from structlog.testing import capture_logs

from controller.observations import BetsOpened, DeviceFault
from controller.outputs.address import trust
from controller.outputs.web.sessions import IDLE, LIFE

MakePit = Callable[..., Awaitable[PitDesk]]
TLS = 'certificate_file = "../{name}.pem"\nkey_file = "../{name}.key"'


@pytest.fixture
async def make_pit(tmp_path: Path) -> AsyncIterator[MakePit]:
    """`await make_pit(3)`: so many tables, served, and a console that hears them."""
    made: list[PitDesk] = []

    async def make(count: int) -> PitDesk:
        felts = [Felt(tmp_path, number) for number in range(1, count + 1)]
        for felt in felts:
            await felt.serve()
        desk = PitDesk(tmp_path, felts)
        made.append(desk)
        await desk.serve()
        await desk.all_heard()
        return desk

    yield make
    for desk in made:
        await desk.stop()


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


async def test_a_hold_is_shown_and_its_answer_as_well(make_pit: MakePit) -> None:
    desk = await make_pit(3)
    quiet = desk.glance(2)
    assert (quiet.name, quiet.rank, quiet.alarms) == ("Table 2", 3, ())
    assert quiet.url == f"http://127.0.0.1:{desk.felts[1].port}/pit"
    await desk.felts[1].open("9H KD KH 3S 4D")
    held = await desk.until(2, lambda glance: bool(glance.alarms))
    assert (held.rank, held.play.wait) == (0, True)
    (alarm,) = held.alarms
    assert (alarm.code, alarm.severity, alarm.round, alarm.earlier) == ("overdraw", "stop", 1, False)
    assert [desk.glance(number).rank for number in (1, 3)] == [3, 3]
    await desk.felts[1].order("burn_card", reason="as seen")
    after = await desk.until(2, lambda glance: not glance.alarms)
    assert (after.rank, after.play.wait) == (3, False)
    await desk.felts[2].do(DeviceFault(fault="jam", active=True, device="shuffler"))
    blocked = await desk.until(3, lambda glance: bool(glance.alarms))
    assert blocked.rank == 1
    assert blocked.play.devices["shuffler"].fault == "jam"


async def test_what_is_shown_goes_to_the_page_at_once(make_pit: MakePit, http: aiohttp.ClientSession) -> None:
    desk = await make_pit(2)
    base = f"http://127.0.0.1:{desk.port}"
    assert await log_in(http, base) == 200
    async with http.get(f"{base}/events") as stream:
        name, tables = await next_event(stream)
        assert (name, list(tables)) == ("snapshot", ["table-1", "table-2"])
        await desk.felts[1].open("9H KD KH 3S 4D")
        async with asyncio.timeout(20):
            while (said := await next_event(stream)) and not (
                said[0] == "table" and said[1]["table-2"]["alarms"]
            ):
                assert said[0] in ("table", "tick")
                assert "table-1" not in said[1]
        assert said[1]["table-2"]["play"]["wait"] is True


async def test_a_table_that_is_gone_is_marked_and_comes_back_by_itself(make_pit: MakePit) -> None:
    desk = await make_pit(2)
    await desk.felts[0].do(BetsOpened())
    await desk.until(1, lambda glance: glance.play.round.phase == "betting")
    with capture_logs() as logs:
        await desk.felts[0].stop()
        lost = await desk.until(1, lambda glance: glance.reach == "lost")
        # What was known last is still there to be read.
        assert (lost.rank, lost.play.round.phase) == (2, "betting")
        assert [alarm.code for alarm in lost.alarms] == ["not-reachable"]
        await desk.until(1, lambda glance: glance.why == "connection refused")
        assert desk.glance(2).reach == "up"
        await desk.felts[0].serve()
        back = await desk.until(1, lambda glance: glance.reach == "up")
    assert (back.rank, back.why, back.alarms) == (3, "", ())
    ours = [entry for entry in logs if str(desk.felts[0].port) in str(entry.get("to"))]
    assert [entry["event"] for entry in ours] == ["delivery_failing", "delivery_recovered"]


async def test_what_was_raised_while_a_table_was_not_heard_says_so(make_pit: MakePit) -> None:
    desk = await make_pit(1)
    await desk.server.stop()
    await desk.felts[0].open("9H KD KH 3S 4D")
    await desk.serve()
    held = await desk.until(1, lambda glance: bool(glance.alarms))
    assert [alarm.earlier for alarm in held.alarms] == [True]


async def test_a_table_that_says_nothing_any_more_is_not_heard(make_pit: MakePit, tmp_path: Path) -> None:
    """A frozen machine: its connection stands, and nothing comes."""
    desk = await make_pit(1)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    async def freeze(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head + b"event: tick\ndata: {}\n\n")
        await reader.read()
        writer.close()

    felt = desk.felts[0]
    await felt.stop()
    frozen = await asyncio.start_server(freeze, "127.0.0.1", felt.port)
    await desk.until(1, lambda glance: glance.why == "it does not answer")
    frozen.close()
    await desk.server.stop()
    await frozen.wait_closed()
    await felt.serve()
    await desk.serve()
    await desk.until(1, lambda glance: glance.reach == "up")


async def test_a_wrong_key_is_said_once_and_shown(make_pit: MakePit) -> None:
    desk = await make_pit(1)
    await desk.server.stop()
    right = desk.felts[0].key
    write_key(desk.folder / "1.key")
    with capture_logs() as logs:
        await desk.serve()
        refused = await desk.until(1, lambda glance: glance.reach == "refused")
        assert refused.why == "it refuses the key in 1.key: this is not the key in the table's pit_key_file"
        assert [alarm.code for alarm in refused.alarms] == ["not-reachable"]
        await asyncio.sleep(1.5)  # long enough for a second attempt
    said = [entry for entry in logs if entry["event"] in ("delivery_failing", "pit_key_refused")]
    assert sorted(entry["event"] for entry in said) == ["delivery_failing", "pit_key_refused"]
    assert right not in str(logs)


async def test_the_console_is_for_supervisors_and_orders_nothing(
    make_pit: MakePit, http: aiohttp.ClientSession
) -> None:
    desk = await make_pit(1)
    base = f"http://127.0.0.1:{desk.port}"
    for name in (None, "dana"):
        assert name is None or await log_in(http, base, name) == 200
        async with http.get(f"{base}/events") as answer:
            assert (answer.status, await answer.text()) == (403, "log in as a supervisor\n")
    assert await log_in(http, base) == 200
    for path in ("/api/order", "/api/announce"):
        async with http.post(base + path, json={"order": "new_shoe"}) as answer:
            assert answer.status == 404
    async with http.get(f"{base}/healthz") as answer:
        assert await answer.json() == {"healthy": True, "tables": 1, "heard": 1}
    async with http.get(f"{base}/", headers={"Host": "elsewhere.example"}) as answer:
        assert answer.status == 421
    async with http.get(f"{base}/") as answer:
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


async def test_a_page_that_is_watched_stays_logged_in_for_a_shift(
    make_pit: MakePit, http: aiohttp.ClientSession
) -> None:
    desk = await make_pit(1)
    base = f"http://127.0.0.1:{desk.port}"
    assert await log_in(http, base) == 200
    async with http.get(f"{base}/events") as stream:
        for _ in range(3):
            desk.later += IDLE * 0.9
            for _ in range(2):
                while (await next_event(stream))[0] != "tick":
                    pass
        assert not stream.content.at_eof()
        desk.later += LIFE
        async with asyncio.timeout(20):
            await stream.content.read()
    async with http.get(f"{base}/events") as answer:
        assert answer.status == 403


async def test_the_command(make_pit: MakePit, http: aiohttp.ClientSession) -> None:
    desk = await make_pit(1)
    await desk.server.stop()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller", "pit", "-c", desk.path), stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    async with asyncio.timeout(60):
        while (line := json.loads(await process.stderr.readline()))["event"] != "listening":
            pass
        while True:
            async with http.get(f"http://{line['host']}:{line['port']}/healthz") as answer:
                if (await answer.json())["heard"] == 1:
                    break
        process.terminate()
        _, rest = await process.communicate()
    assert (process.returncode, rest) == (0, b"")
    await desk.serve()


async def test_it_serves_what_its_pages_import_and_no_page_of_a_table(
    make_pit: MakePit, http: aiohttp.ClientSession
) -> None:
    desk = await make_pit(1)
    base = f"http://127.0.0.1:{desk.port}"
    wanted, seen = {"/", "/theme.css", "/text/console/fr.json", "/text/dealer/fr.json"}, set[str]()
    while wanted:
        seen.add(path := wanted.pop())
        async with http.get(base + path) as answer:
            assert answer.status == 200, path
            found = re.findall(r'(?:from "\.|src="|href=")(/[\w./-]+)"', await answer.text())
            wanted |= set(found) - seen
    assert {"/console.js", "/wall.js", "/sound.js", "/desk.css", "/icon.svg"} <= seen
    for path in ("/dealer", "/pit", "/pit.js", "/orderform.js"):
        async with http.get(base + path) as answer:
            assert answer.status == 404


async def test_over_tls_on_both_sides(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    for name in ("table", "desk"):
        authority.issue(name)
    felt = Felt(tmp_path, 1, more=TLS.format(name="table"))
    await felt.serve()
    desk = PitDesk(tmp_path, [felt], more=TLS.format(name="desk"))
    desk.scheme = "https"
    await desk.serve()
    try:
        await desk.all_heard()
        connector = aiohttp.TCPConnector(ssl=trust(tmp_path, str(authority.ca)))
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as http:
            assert await log_in(http, f"https://127.0.0.1:{desk.port}") == 200
            async with http.get(f"https://127.0.0.1:{desk.port}/events") as stream:
                assert (await next_event(stream))[0] == "snapshot"
        await desk.server.stop()
        (tmp_path / "pit.ca").write_bytes(Authority(tmp_path, "other").ca.read_bytes())
        await desk.serve()
        lost = await desk.until(1, lambda glance: glance.reach == "lost")
        assert lost.why.startswith("its certificate is not trusted: ")
        assert lost.why.endswith("; name who signed it as ca_file")
    finally:
        await desk.stop()


async def next_event(stream: aiohttp.ClientResponse) -> tuple[str, Any]:
    fields: dict[str, str] = {}
    async with asyncio.timeout(20):
        while line := (await stream.content.readline()).decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            fields[name] = value
    return fields["event"], json.loads(fields["data"])
