"""A hold through the whole service: alert out, a supervisor's order in over HTTP, the audit holds."""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest_asyncio
from alerting import SECRET
from receivers import LONG, Receiver

from controller.config import parse_configuration
from controller.facts import IrregularityRaised
from controller.journal.audit import verify
from controller.observations import BetsClosed, BetsOpened, CardDrawn
from controller.people import People
from controller.runtime.replaying import Rederivation
from controller.runtime.service import Service

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
card_overdue = {overdue}
[shoe]
driver = "manual"
[web]
listen = "127.0.0.1:0"
[[alert]]
kind = "webhook"
url = "{url}"
secret_file = "webhook.key"
"""


@pytest_asyncio.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = await Receiver().start()
    yield receiver
    await receiver.stop()


def set_up(folder: Path, url: str, overdue: float = 0) -> Service:
    (folder / "webhook.key").write_text(f"whsec_{b64encode(SECRET).decode()}\n")
    (folder / "webhook.key").chmod(0o600)
    people = People(folder / "state")
    people.add("sue", "supervisor", "2222")
    people.add("sam", "supervisor", "3333")
    return Service(parse_configuration(CONFIG.format(url=url, overdue=overdue), "table.toml", folder))


async def test_an_early_card_is_alerted_held_decided_and_on_record(
    tmp_path: Path, receiver: Receiver
) -> None:
    service = set_up(tmp_path, receiver.url)
    await service.start()
    base = f"http://127.0.0.1:{service.port}"
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(base, cookie_jar=jar) as page:

        async def post(path: str, **body: Any) -> int:
            async with page.post(path, json=body) as answer:
                return answer.status

        async def wait_shown() -> bool:
            async with page.get("/api/snapshot?view=board") as answer:
                return bool((await answer.json())["wait"])

        service.enter(BetsOpened())
        service.enter(CardDrawn(card="7C"))
        (alert,) = await receiver.count(1)
        assert "early-card" in json.dumps(alert)
        assert await wait_shown()
        assert await post("/api/login", name="sue", pin="2222") == 200
        # A word that stands for what the shoe did not report needs a second person.
        lies = {"player": ["7C"], "banker": []}
        assert await post("/api/order", order="resynchronise", reason="seen", **lies) == 403
        second = {"name": "sam", "pin": "3333"}
        assert await post("/api/order", order="resynchronise", reason="seen", second=second, **lies) == 200
        assert not await wait_shown()
        await receiver.count(2)
    await service.stop()
    verdict = verify(service.path, Rederivation())
    assert verdict.ok, verdict.first


async def test_a_restart_holds_what_was_held(tmp_path: Path, receiver: Receiver) -> None:
    service = set_up(tmp_path, receiver.url)
    await service.start()
    service.enter(BetsOpened())
    service.enter(CardDrawn(card="7C"))
    await receiver.count(1)
    await service.stop()
    again = Service(service.config)
    await again.start()
    async with aiohttp.ClientSession(f"http://127.0.0.1:{again.port}") as page:
        async with page.get("/api/snapshot?view=board") as answer:
            assert (await answer.json())["wait"]
        async with page.get("/healthz") as answer:
            assert (await answer.json())["alerts"]["healthy"]
    await again.stop()
    # What was told before the restart is not told again.
    assert len(receiver.posts) == 1


async def test_each_due_card_that_does_not_come_is_told_once(tmp_path: Path, receiver: Receiver) -> None:
    service = set_up(tmp_path, receiver.url, overdue=0.05)
    raised: asyncio.Queue[IrregularityRaised] = asyncio.Queue()
    service.watch = lambda _, item: raised.put_nowait(item) if isinstance(item, IrregularityRaised) else None
    await service.start()
    for event in (BetsOpened(), BetsClosed(), CardDrawn(card="7C")):
        service.enter(event)
    async with asyncio.timeout(LONG):
        first = await raised.get()
        service.enter(CardDrawn(card="8D"))
        second = await raised.get()
    assert [(i.code, i.severity, i.detail) for i in (first, second)] == [
        ("card-overdue", "warn", "the card due to banker has not come"),
        ("card-overdue", "warn", "the card due to player has not come"),
    ]
    await service.stop()
    assert raised.empty()
    assert verify(service.path, Rederivation()).ok
