"""Messages through apprise, with a real HTTP receiver at the other end of its `json://` service."""

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from alerting import Station, webhook
from receivers import Receiver, eventually

from controller.outputs.alerts.settings import AlertSection


@pytest_asyncio.fixture
async def chat() -> AsyncIterator[Receiver]:
    receiver = await Receiver().start()
    yield receiver
    await receiver.stop()


def apprise(folder: Path, url: str, **more: str) -> AlertSection:
    address = folder / "chat.url"
    address.touch(0o600)
    address.write_text(url)
    return AlertSection.model_validate({"kind": "apprise", "url_file": "chat.url"} | more)


def json_url(receiver: Receiver) -> str:
    return f"json://127.0.0.1:{receiver.port}/alerts"


async def test_an_irregularity_and_its_answer(tmp_path: Path, chat: Receiver) -> None:
    async with Station(tmp_path, apprise(tmp_path, json_url(chat))) as station:
        station.stop_play("4S")
        station.answer()
        raised, resolved = await chat.count(2)
    assert (raised["title"], raised["type"]) == ("Mini-Baccarat 1: stop", "failure")
    first, at, number = raised["message"].split("\n")
    assert first.startswith("MB-01: early-card: 4S")
    assert at == "2027-01-15T08:00:00.000+00:00"
    assert len(number) == 32
    assert (resolved["title"], resolved["type"]) == ("Mini-Baccarat 1: answered", "success")
    assert resolved["message"].startswith("MB-01: early-card: burn_card by smith: seen\n")


async def test_an_outage_loses_nothing_and_keeps_the_order(tmp_path: Path, chat: Receiver) -> None:
    async with Station(tmp_path, apprise(tmp_path, json_url(chat))) as station:
        await chat.stop()
        for _ in range(2):
            station.stop_play()
            station.answer()
        await eventually(lambda: not station.alerts.healthy)
        await chat.start()
        said = await chat.count(4)
    assert [one["type"] for one in said] == ["failure", "success"] * 2


async def test_a_slow_service_does_not_hold_up_the_loop(tmp_path: Path, chat: Receiver) -> None:
    """While apprise waits, the loop serves that very receiver and another target."""
    other = await Receiver().start()
    sections = apprise(tmp_path, json_url(chat)), webhook(tmp_path, other.url)
    async with Station(tmp_path, *sections) as station:
        chat.open.clear()
        station.stop_play()
        await chat.count(1)
        for _ in range(3):
            station.answer()
            station.stop_play()
        await other.count(7)
        assert len(chat.posts) == 1
        chat.open.set()
        await chat.count(7)
    await other.stop()


async def test_an_address_that_apprise_does_not_know(tmp_path: Path) -> None:
    async with Station(tmp_path, apprise(tmp_path, "pigeon://token-4711/loft")) as station:
        station.stop_play()
        await eventually(lambda: not station.alerts.healthy)
        error = str(station.alerts.health())
    assert f"{tmp_path / 'chat.url'}: not an address that apprise knows; mend it" in error
    assert "4711" not in error


def test_extras_are_imported_only_when_they_are_used() -> None:
    """And the settings cost `check-config` neither the HTTP client nor the log."""
    heavy = {"aiohttp", "aiomqtt", "apprise", "structlog"}
    code = f"import sys, {{module}}; print(*sorted({heavy} & set(sys.modules)))"
    for module, expected in (
        ("controller.outputs.alerts.settings", ""),
        ("controller.outputs.alerts.alerts", "aiohttp structlog"),
    ):
        command = [sys.executable, "-c", code.replace("{module}", module)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected
