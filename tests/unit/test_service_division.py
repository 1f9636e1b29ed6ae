"""A table whose journal is divided at every shoe: what was before is still found, also after a restart."""

import gc
import json
import random
import weakref
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from controller.config import parse_configuration
from controller.journal.archive import archived
from controller.journal.audit import verify
from controller.journal.reader import connect, records
from controller.journal.signing import load_verifier
from controller.observations import BetsClosed, BetsOpened, CardDrawn, ResultConfirmed, SupervisorCalled
from controller.orders import Order
from controller.people import People
from controller.runtime.replaying import Rederivation
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
[journal]
keep = {keep}
"""


class Table:
    """A table that is started, played at, and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keep = 0
        self.draw = random.Random(6)
        People(folder / "state").add("sue", "supervisor", "2222")

    @property
    def path(self) -> Path:
        return self.folder / "state" / "journal.db"

    async def start(self) -> None:
        config = CONFIG.format(keep=self.keep)
        self.service = Service(parse_configuration(config, "table.toml", self.folder))
        await self.service.start()
        base = f"http://127.0.0.1:{self.service.port}"
        self.client = aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True))
        async with self.client.post("/api/login", json={"name": "sue", "pin": "2222"}) as answer:
            assert answer.status == 200

    async def stop(self) -> None:
        await self.client.close()
        await self.service.stop()

    async def again(self) -> None:
        await self.stop()
        await self.start()

    async def shoe(self, rounds: int = 2, *, call: bool = False) -> None:
        """A new shoe and so many rounds of it; after the first the dealer may call the supervisor."""
        await self.service.decide(Order(order="new_shoe", by="dana", decks=8))
        for card in ("AS", "7D"):
            await self.service.decide(CardDrawn(card=card))
        for number in range(rounds):
            for event in (BetsOpened(), BetsClosed()):
                await self.service.decide(event)
            # Player's natural nine: nobody draws.
            for rank in ("9", self.draw.choice("23"), self.draw.choice("TJQK"), "4"):
                await self.service.decide(CardDrawn(card=rank + self.draw.choice("CDHS")))
            await self.service.decide(ResultConfirmed())
            if call and number == 0:
                await self.service.decide(SupervisorCalled(reason="other", note="a spilt drink"))

    async def get(self, path: str, **query: Any) -> Any:
        async with self.client.get(f"/api/{path}", params=query) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    def firsts(self) -> list[int]:
        return [part.first for part in archived(self.path)]


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    table = Table(tmp_path)
    await table.start()
    yield table
    await table.stop()


def kept(path: Path) -> list[tuple[int, str]]:
    """The records of the journal's own file."""
    connection = connect(path)
    try:
        return [(record.seq, record.kind) for record in records(connection)]
    finally:
        connection.close()


async def test_each_shoe_has_a_file_of_its_own_and_the_chain_goes_through_all(table: Table) -> None:
    for _ in range(4):
        await table.shoe()
    await table.again()
    firsts = table.firsts()
    assert len(firsts) == 3 and firsts[0] == 1
    own = kept(table.path)
    (carried,) = [seq for seq, kind in own if kind == "carried"]
    # It begins with the order that the shoe was begun by.
    assert own[0][1] == "input" and carried - own[0][0] < 8
    await table.stop()
    verdict = verify(table.path, Rederivation(), load_verifier(table.path.parent / "signing.pub"))
    assert (verdict.first, verdict.files, verdict.begins) == (None, 4, 1)
    assert verdict.signed == verdict.records
    assert [record.seq for record in records(table.path)] == list(range(1, verdict.records + 1))
    for part in archived(table.path):
        assert verify(part.path, Rederivation()).ok
    await table.start()


async def test_after_a_restart_the_table_plays_on_and_knows_what_stands(table: Table) -> None:
    await table.shoe(call=True)
    await table.shoe()
    await table.again()
    snapshot = await table.get("snapshot", view="pit")
    assert [raised["code"] for raised in snapshot["irregularities"]] == ["supervisor-called"]
    assert (snapshot["shoe"]["number"], snapshot["round"]["number"]) == (2, 2)
    assert len(snapshot["roads"]["bead_plate"]) == 2
    told = await table.service.decide(Order(order="acknowledge", by="sue", reason="wiped", irregularity=1))
    assert [fact.__struct_config__.tag for fact in told] == ["irregularity_resolved"]
    await table.shoe()
    await table.again()
    assert (await table.get("snapshot", view="pit"))["irregularities"] == []


async def test_a_closed_table_is_still_closed(table: Table) -> None:
    await table.shoe()
    await table.service.decide(Order(order="close_table", by="sue"))
    await table.service.decide(Order(order="new_shoe", by="dana", decks=8))
    await table.again()
    assert (await table.get("snapshot", view="pit"))["floor"]["open"] is False
    assert not await table.service.decide(BetsOpened())


async def test_what_is_in_the_archive_is_found_before_and_after_a_restart(table: Table) -> None:
    for call in (False, True, False):
        await table.shoe(call=call)
    for _ in range(2):
        assert [place["shoe"] for place in await table.get("shoes")] == [1, 2, 3]
        found = await table.get("record", shoe=1, frames="")
        assert found["hits"]
        evidence = await table.get("evidence", irregularity=1)
        assert evidence["incident"]["code"] == "supervisor-called"
        assert evidence["incident"]["shoe"] == 2
        assert len((await table.get("record", card="AS"))["hits"]) == 6  # seen and burned, three times
        rounds = (await table.get("shoe", shoe=2))["rounds"]
        assert [line["player"][0][0] for line in rounds] == ["9", "9"]
        await table.again()


async def test_a_page_that_was_away_for_a_shoe_is_told_what_it_missed(table: Table) -> None:
    await table.shoe(rounds=1)
    seen = (await table.get("snapshot", view="board"))["seq"]
    await table.shoe(rounds=1)
    await table.again()
    headers = {"Last-Event-ID": str(seen)}
    told: list[str] = []
    async with table.client.get("/events", params={"view": "board"}, headers=headers) as stream:
        async for line in stream.content:
            if line.startswith(b"event: "):
                told.append(line.decode().split()[1])
            if told[-1:] == ["round_confirmed"]:
                break
    assert told[:2] == ["snapshot", "shoe_ended"]
    assert "shoe_started" in told and told.count("round_decided") == 1


async def test_only_so_many_files_are_kept_and_the_audit_says_where_it_begins(table: Table) -> None:
    table.keep = 2
    await table.again()
    for _ in range(5):
        await table.shoe()
    await table.again()
    first, second = table.firsts()
    verdict = verify(table.path, Rederivation())
    assert (verdict.first, verdict.begins, verdict.files) == (None, first, 3)
    assert [place["shoe"] for place in await table.get("shoes")] == [3, 4, 5]
    assert not list(table.path.parent.glob("archive/*.part"))
    assert {path.name for path in table.path.parent.glob("archive/*")} == {
        f"journal-{number:012}.{kind}" for number in (first, second) for kind in ("db", "head", "signed")
    }


@pytest.mark.parametrize("harm", ["gone", "changed", "swapped"])
async def test_harm_to_the_archive_is_named(table: Table, harm: str) -> None:
    for _ in range(4):
        await table.shoe()
    await table.again()
    _, second, third = archived(table.path)
    if harm == "gone":
        second.path.unlink()
        expected = (second.first, "missing")
    elif harm == "changed":
        data = second.path.read_bytes()
        at = data.index(b'"card":"4')
        second.path.write_bytes(data[:at] + b'"card":"5' + data[at + 9 :])
        expected = (None, "content")
    else:
        second.path.write_bytes(third.path.read_bytes())
        expected = (second.first, "missing")
    found = verify(table.path, Rederivation()).first
    assert found is not None
    assert found.what == expected[1]
    assert expected[0] in (None, found.seq)
    if harm == "changed":
        assert found.seq is not None and second.first <= found.seq < third.first


async def test_a_report_reads_all_files(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    from controller.report.select import Selection, build

    for _ in range(3):
        await table.shoe(call=True)
    report = build(records(table.path), Selection())
    assert (report.shoes, len(report.incidents), report.rounds) == ([1, 2, 3], 3, 6)
    part = archived(table.path)[1]
    alone = build(records(part.path), Selection())
    assert (alone.shoes, [incident.id for incident in alone.incidents]) == ([2], [2])
    assert json.dumps(alone.proof.hash)


async def test_a_page_that_was_away_for_too_long_is_only_shown_where_the_table_stands(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or anybody who may see the board could have the whole archive read."""
    monkeypatch.setattr("controller.outputs.web.server.MISSED_RECORDS", 20)
    await table.shoe(rounds=1)
    await table.shoe(rounds=1)
    told: list[str] = []
    headers = {"Last-Event-ID": "1"}
    async with table.client.get("/events", params={"view": "board"}, headers=headers) as stream:
        async for line in stream.content:
            if line.startswith(b"event: "):
                told.append(line.decode().split()[1])
            if told[-1:] == ["tick"]:
                break
    assert told == ["snapshot", "tick"]


async def test_a_shoe_that_is_no_longer_kept_is_refused_and_not_an_error(table: Table) -> None:
    table.keep = 1
    await table.again()
    for _ in range(4):
        await table.shoe()
    for _ in range(2):  # the second is written behind the division
        await table.service.decide(SupervisorCalled(reason="other", note=""))
    assert len(table.firsts()) == 1
    async with table.client.get("/api/shoe", params={"shoe": 1}) as answer:
        assert (answer.status, "no longer in the record" in await answer.text()) == (404, True)
    assert (await table.get("shoe", shoe=4))["shoe"] == 4


async def test_a_damaged_file_of_the_archive_does_not_hide_the_other_shoes(table: Table) -> None:
    for _ in range(4):
        await table.shoe()
    await table.stop()
    archived(table.path)[1].path.write_bytes(b"no database any more" * 500)
    await table.start()
    assert [place["shoe"] for place in await table.get("shoes")] == [1, 3, 4]
    assert (await table.get("shoe", shoe=4))["rounds"]
    assert (await table.get("record", shoe=3))["hits"]


async def test_the_table_of_the_shoe_before_is_gone_when_the_next_one_begins(table: Table) -> None:
    await table.shoe()
    before = weakref.ref(table.service.table)
    gc.disable()  # what nobody looks for is not found by luck
    try:
        await table.shoe(rounds=0)
    finally:
        gc.enable()
    assert before() is None
