"""What must be mended at the table's computer reaches the pit, once, and its end as well."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from alerting import Station, webhook
from receivers import Receiver, without_doubles

DISK = {"disk": "40 MiB left on the disk of state; make room"}


@pytest_asyncio.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = await Receiver().start()
    yield receiver
    await receiver.stop()


async def test_trouble_that_stands_is_told_and_so_is_its_end(tmp_path: Path, receiver: Receiver) -> None:
    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        station.alerts.alarm(DISK)
        station.pass_time(29)
        station.alerts.alarm(DISK)
        assert receiver.posts == []
        station.pass_time(1)
        (told,) = await receiver.count(1)
        station.alerts.alarm({})
        _, mended = await receiver.count(2)
    assert (told["level"], told["code"], told["kind"]) == ("health", "disk", "raised")
    assert told["text"] == f"MB-01: {DISK['disk']}"
    assert (mended["kind"], mended["text"]) == ("resolved", "MB-01: disk is well again")
    assert mended["incident"] == told["incident"]


async def test_trouble_that_passes_at_once_is_not_worth_a_word(tmp_path: Path, receiver: Receiver) -> None:
    async with Station(tmp_path, webhook(tmp_path, receiver.url)) as station:
        station.alerts.alarm(DISK)
        station.pass_time(10)
        station.alerts.alarm({})
        station.pass_time(100)
        station.stop_play()
        (told,) = await receiver.count(1)
    assert told["code"] == "early-card"


async def test_the_same_trouble_again_is_another_incident(tmp_path: Path, receiver: Receiver) -> None:
    """Although nothing was journalled between: a receiver that drops doubles must not drop it."""
    async with Station(tmp_path, webhook(tmp_path, receiver.url, tell={"health": 0})) as station:
        for _ in range(2):
            station.alerts.alarm(DISK)
            station.alerts.alarm({})
            station.pass_time(60)
        told = await receiver.count(4)
    assert len(without_doubles(told)) == 4
    assert len({one["incident"] for one in told}) == 2


async def test_a_restart_neither_tells_it_twice_nor_forgets_it(tmp_path: Path, receiver: Receiver) -> None:
    station = Station(tmp_path, webhook(tmp_path, receiver.url, tell={"health": 0}))
    async with station:
        station.alerts.alarm(DISK)
        await receiver.count(1)
    async with station:
        station.alerts.alarm(DISK)
        station.pass_time(60)
        station.alerts.alarm({})
        told = await receiver.count(2)
    assert [one["kind"] for one in told] == ["raised", "resolved"]


async def test_the_board_is_told_nothing_of_it(tmp_path: Path, receiver: Receiver) -> None:
    section = webhook(tmp_path, receiver.url, audience="board", tell={"health": 0, "stop": 0})
    async with Station(tmp_path, section) as station:
        station.alerts.alarm(DISK)
        station.stop_play()
        (told,) = await receiver.count(1)
    assert told["code"] == "please-wait"
