"""Escalation, repeats and starts with a real receiver; time passes by hand."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from alerting import Station, webhook
from playing import Play
from receivers import Receiver, eventually, without_doubles

from controller.observations import ShoeLoaded
from controller.outputs.alerts.outbox import Outbox
from controller.ports import ConfigurationError


@pytest_asyncio.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = await Receiver().start()
    yield receiver
    await receiver.stop()


@pytest_asyncio.fixture
async def shift() -> AsyncIterator[Receiver]:
    receiver = await Receiver().start()
    yield receiver
    await receiver.stop()


def kinds(receiver: Receiver) -> list[tuple[str, str]]:
    return [(one["kind"], one["code"]) for one in without_doubles(receiver.said)]


async def test_escalates_to_another_receiver_unless_answered(
    tmp_path: Path, receiver: Receiver, shift: Receiver
) -> None:
    sections = (
        webhook(tmp_path, receiver.url, name="floor", repeat={"stop": 120}),
        webhook(tmp_path, shift.url, name="shift", tell={"stop": 300}),
    )
    async with Station(tmp_path, *sections) as station:
        station.stop_play()
        station.pass_time(100)
        station.answer()
        await receiver.count(2)
        station.pass_time(1000)
        station.stop_play()
        for _ in range(3):
            station.pass_time(100)
        (escalated,) = await shift.count(1)
        station.answer()
        await shift.count(2)
        await receiver.count(5)
    assert kinds(shift) == [("escalated", "early-card"), ("resolved", "early-card")]
    assert escalated["text"].endswith("(nobody has answered for 5 minutes)")
    assert escalated["open_s"] == 300.0
    assert [kind for kind, _ in kinds(receiver)] == ["raised", "resolved", "raised", "repeated", "resolved"]


async def test_the_clock_itself_wakes_the_alerts(tmp_path: Path, receiver: Receiver) -> None:
    """The timer is armed for what is due next, at the clock's own speed."""
    async with Station(tmp_path, webhook(tmp_path, receiver.url, tell={"stop": 300})) as station:
        station.clock.speed = 1e6
        station.stop_play()
        station.clock.at += 300
        await receiver.count(1)
    assert kinds(receiver) == [("raised", "early-card")]


async def test_a_start_goes_on_where_the_last_run_ended(
    tmp_path: Path, receiver: Receiver, shift: Receiver
) -> None:
    sections = (
        webhook(tmp_path, receiver.url, name="floor", repeat={"stop": 120}),
        webhook(tmp_path, shift.url, name="shift", tell={"stop": 300}),
    )
    station = Station(tmp_path, *sections)
    await station.start()
    station.stop_play()
    await receiver.count(1)
    await station.alerts.stop()
    # The machine was off for a hundred seconds: its own clock began anew, the wall's went on.
    station.clock.at, station.wall = 5.0, station.wall + 100
    await station.start()
    station.pass_time(19)
    assert kinds(receiver) == [("raised", "early-card")]
    station.pass_time(1)
    await receiver.count(2)
    station.pass_time(180)
    await shift.count(1)
    await receiver.count(3)
    station.answer()
    await shift.count(2)
    await station.alerts.stop()
    assert [kind for kind, _ in kinds(receiver)][:3] == ["raised", "repeated", "repeated"]
    assert [kind for kind, _ in kinds(shift)] == ["escalated", "resolved"]


async def test_a_wall_clock_that_was_set_back_only_makes_the_wait_longer(
    tmp_path: Path, receiver: Receiver
) -> None:
    station = Station(tmp_path, webhook(tmp_path, receiver.url, tell={"stop": 300}))
    await station.start()
    station.stop_play()
    await station.alerts.stop()
    station.wall -= 86_400 * 30
    await station.start()
    station.pass_time(299)
    assert receiver.posts == []
    station.pass_time(1)
    await receiver.count(1)
    await station.alerts.stop()


async def test_what_was_journalled_while_the_alerts_were_away_is_told(
    tmp_path: Path, receiver: Receiver
) -> None:
    station = Station(tmp_path, webhook(tmp_path, receiver.url))
    await station.start()
    station.warn()
    await receiver.count(1)
    await station.alerts.stop()
    missed = Station(tmp_path, webhook(tmp_path, receiver.url))
    missed.play = station.play
    station.alerts = missed.alerts = NOBODY
    station.stop_play()
    station.answer()
    await missed.start()
    await receiver.count(3)
    await missed.alerts.stop()
    assert kinds(receiver) == [
        ("raised", "button-misuse"), ("raised", "early-card"), ("resolved", "early-card")
    ]  # fmt: skip


class _Nobody:
    def publish(self, batch: object) -> None:
        """The service is not there."""


NOBODY: object = _Nobody()


async def test_a_new_outbox_tells_what_is_open_and_not_the_past(tmp_path: Path, receiver: Receiver) -> None:
    station = Station(tmp_path, webhook(tmp_path, receiver.url))
    station.alerts = NOBODY  # type: ignore[assignment]
    for _ in range(3):
        station.stop_play()
        station.answer()
    station.block_play()
    await station.start()
    await receiver.count(1)
    station.answer("acknowledge", 4)
    await receiver.count(2)
    await station.alerts.stop()
    assert kinds(receiver) == [("raised", "shuffler-fault"), ("resolved", "shuffler-fault")]


async def test_a_damaged_outbox_is_begun_anew_from_the_journal(tmp_path: Path, receiver: Receiver) -> None:
    station = Station(tmp_path, webhook(tmp_path, receiver.url))
    await station.start()
    station.stop_play()
    await receiver.count(1)
    await station.alerts.stop()
    (tmp_path / "outbox.db").write_bytes(b"no database" * 1000)
    await station.start()
    await receiver.count(2)
    await station.alerts.stop()
    assert kinds(receiver) == [("raised", "early-card")] * 2
    assert (tmp_path / "outbox.db.damaged").exists()


async def test_another_journal_withdraws_what_the_old_one_told(tmp_path: Path, receiver: Receiver) -> None:
    station = Station(tmp_path, webhook(tmp_path, receiver.url))
    await station.start()
    station.warn()
    station.stop_play()
    await receiver.count(2)
    await station.alerts.stop()
    station.play = Play()
    await station.start()
    station.stop_play()
    await receiver.count(5)
    await station.alerts.stop()
    assert kinds(receiver) == [
        ("raised", "button-misuse"), ("raised", "early-card"),
        ("withdrawn", "button-misuse"), ("withdrawn", "early-card"),
        ("raised", "early-card"),
    ]  # fmt: skip
    assert len({one["id"] for one in receiver.said}) == 5


async def test_a_state_of_other_software_is_begun_anew(tmp_path: Path, receiver: Receiver) -> None:
    station = Station(tmp_path, webhook(tmp_path, receiver.url))
    await station.start()
    station.stop_play()
    await receiver.count(1)
    await station.alerts.stop()
    Outbox(tmp_path / "outbox.db").write([], b'{"cases": 7}')
    await station.start()
    await receiver.count(2)
    await station.alerts.stop()
    assert kinds(receiver) == [("raised", "early-card")] * 2


async def test_what_waits_for_a_target_that_is_gone_is_dropped(tmp_path: Path, receiver: Receiver) -> None:
    away = Receiver()
    both = webhook(tmp_path, receiver.url, name="here"), webhook(tmp_path, away.url, name="away")
    station = Station(tmp_path, *both)
    await station.start()
    station.stop_play()
    await receiver.count(1)
    await station.alerts.stop()
    station.sections = both[:1]
    await station.start()
    station.answer()
    await receiver.count(2)
    await station.alerts.stop()
    assert Outbox(tmp_path / "outbox.db").waiting() == {}


async def test_a_refusing_disk_delays_and_loses_nothing(tmp_path: Path, receiver: Receiver) -> None:
    full = False

    def at_point(point: str) -> None:
        if full and point == "inserted":
            raise sqlite3.OperationalError("database or disk is full")

    station = Station(tmp_path, webhook(tmp_path, receiver.url))
    await station.start(outbox=lambda path: Outbox(path, at_point))
    full = True
    station.stop_play()
    await eventually(lambda: "disk is full" in str(station.alerts.health()["outbox"]))
    station.answer()
    assert not station.alerts.healthy
    full = False
    await receiver.count(2)
    await eventually(lambda: station.alerts.healthy)
    # A stop while the disk refuses forgets nothing either: the next start reads the journal.
    full = True
    station.stop_play()
    await eventually(lambda: not station.alerts.healthy)
    await station.alerts.stop()
    await station.start()
    await receiver.count(3)
    await station.alerts.stop()
    assert [kind for kind, _ in kinds(receiver)] == ["raised", "resolved", "raised"]


async def test_a_shoes_start_is_remembered_also_without_alerts(tmp_path: Path, receiver: Receiver) -> None:
    """So that a start need not read every shoe since the last alert."""
    station = Station(tmp_path, webhook(tmp_path, receiver.url))
    async with station:
        station.do(ShoeLoaded(decks=8))
    again = Station(tmp_path, webhook(tmp_path, receiver.url))
    again.play = station.play
    again.make()
    assert again.alerts.caught_up_to == station.play.items[-1][0]


async def test_a_start_that_fails_leaves_nothing_open(tmp_path: Path, receiver: Receiver) -> None:
    lost = webhook(tmp_path, receiver.url, name="lost", secret_file="none.key")
    station = Station(tmp_path, webhook(tmp_path, receiver.url), lost)
    with pytest.raises(ConfigurationError, match="no such file"):
        await station.start()
    await station.alerts.stop()
    station.sections = station.sections[:1]
    async with station:
        station.stop_play()
        await receiver.count(1)
