"""What is counted for Prometheus, and what a real service answers on /metrics."""

import json
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from playing import Play
from prometheus_client.parser import text_string_to_metric_families

from controller.config import parse_configuration
from controller.health.links import HOUR, UNSTEADY, Links
from controller.health.metrics import COUNTERS, HISTOGRAMS, Metrics
from controller.health.watch import GAUGES
from controller.observations import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CommandSettled,
    DeviceFault,
    FrameRejected,
    ResultConfirmed,
    SequenceGap,
)
from controller.orders import Order
from controller.ports import Lost, Restored
from controller.runtime.service import Service
from controller.views.disclosure import Item

#: A round that Player wins with a natural.
NATURAL = "9C 2D KH 3S"


def metrics(items: Iterable[tuple[int, Item]] = ()) -> Metrics:
    made = Metrics("face-up", Links(), {}, lambda: ())
    made.take(item for _, item in items)
    return made


def samples(text: bytes) -> dict[str, float]:
    """`name{label=value,...}` -> value, without the histograms' buckets."""
    found = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            labels = ",".join(f"{k}={v}" for k, v in sample.labels.items())
            found[sample.name + (f"{{{labels}}}" if labels else "")] = sample.value
    return found


def test_rounds_cards_and_results_are_counted() -> None:
    play = Play()
    play.do(Order(order="new_shoe", by="smith", decks=8))
    for _ in range(2):
        play.open()
        play.cards(NATURAL)
        play.do(ResultConfirmed())
    found = samples(metrics(play.items).text())
    assert found["table_rounds_total"] == 2
    assert found["table_cards_total"] == 8
    assert found["table_shoes_total"] == 1
    assert found["table_results_total{winner=player}"] == 2
    assert found["table_orders_total{order=new_shoe}"] == 1
    assert found["table_rounds_void_total"] == 0


def test_every_count_whose_name_is_known_begins_with_zero() -> None:
    """An increase from nothing to one is no increase to Prometheus."""
    counted = metrics()
    before = samples(counted.text())
    assert before["table_irregularities_total{code=overdraw,severity=stop}"] == 0
    assert before["table_irregularities_total{code=jam,severity=warn}"] == 0
    assert before["table_results_total{winner=tie}"] == 0
    assert before["table_orders_total{order=void_round}"] == 0
    assert not [name for name in before if "device=" in name]
    counted.hear("shoe", Restored(at=0), 0)
    heard = samples(counted.text())
    assert heard["table_frames_rejected_total{device=shoe,reason=checksum}"] == 0
    assert heard["table_commands_total{device=shoe,outcome=refused}"] == 0
    assert heard["table_device_losses_total{device=shoe}"] == 0
    counted.hear("shoe", Lost(at=1), 1)
    counted.hear("shoe", Restored(at=2), 2)
    assert samples(counted.text())["table_device_losses_total{device=shoe}"] == 1


def test_irregularities_are_counted_and_those_without_an_answer_are_shown() -> None:
    play = Play()
    play.open()
    play.cards(NATURAL)
    play.cards("4S")
    counted = metrics(play.items)
    found = samples(counted.text())
    assert found["table_irregularities_total{code=overdraw,severity=stop}"] == 1
    assert found["table_alerts_open{severity=stop}"] == 1
    answered = play.do(Order(order="burn_card", by="smith", reason="seen"))
    counted.take(item for _, item in answered)
    found = samples(counted.text())
    assert found["table_alerts_open{severity=stop}"] == 0
    assert found["table_irregularities_total{code=overdraw,severity=stop}"] == 1


DEVICES = [
    (FrameRejected(reason="checksum", raw="00"), "table_frames_rejected_total{device=shoe,reason=checksum}"),
    (SequenceGap(device="shuffler", expected="1", got="3"), "table_sequence_gaps_total{device=shuffler}"),
    (DeviceFault(fault="jam", active=True), "table_device_faults_total{device=shoe}"),
    (
        CommandSettled(command="lock", by="eve", outcome="refused", code="7", reason="busy"),
        "table_commands_total{device=shoe,outcome=refused}",
    ),
]


@pytest.mark.parametrize(("seen", "name"), DEVICES, ids=[name for _, name in DEVICES])
def test_what_devices_do_is_counted(seen: Any, name: str) -> None:
    assert samples(metrics([(1, seen), (2, seen)]).text())[name] == 2


def test_the_end_of_a_fault_is_no_fault() -> None:
    found = samples(metrics([(1, DeviceFault(fault="jam", active=False))]).text())
    assert not any(name.startswith("table_device_faults_total") for name in found)


def test_losses_and_reconnects() -> None:
    counted = metrics()
    for signal in (Restored(), Lost(), Lost(), Restored()):
        counted.hear("shoe", signal, 1.0)
    found = samples(counted.text())
    assert found["table_device_losses_total{device=shoe}"] == 1
    assert found["table_device_reconnects_total{device=shoe}"] == 1


def test_a_device_that_is_lost_too_often_in_an_hour_is_unsteady() -> None:
    links = Links()
    links.hear("sign", Restored(), 0.0)
    for number in range(UNSTEADY + 1):
        assert links.unsteady(float(number)) == {}
        links.hear("sign", Lost(), float(number))
        links.hear("sign", Restored(), float(number))
    assert links.unsteady(HOUR - 1) == {"sign": UNSTEADY + 1}
    assert links.unsteady(HOUR) == {}
    assert links.losses(HOUR) == {"sign": UNSTEADY}
    assert links.losses(3 * HOUR) == {"sign": 0}


def test_what_was_journalled_before_counts_for_what_is_open_and_not_for_what_happened() -> None:
    play = Play()
    play.open()
    play.cards(NATURAL)
    play.cards("4S")
    recalled = metrics()
    for _, item in play.items:
        recalled.recall(item)
    found = samples(recalled.text())
    assert found["table_alerts_open{severity=stop}"] == 1
    assert found["table_cards_total"] == 0


def test_seconds_are_measured() -> None:
    counted = metrics()
    counted.measure("table_commit_seconds", 0.004)
    counted.measure("table_commit_seconds", 0.4)
    found = samples(counted.text())
    assert found["table_commit_seconds_count"] == 2
    assert found["table_commit_seconds_bucket{le=0.005}"] == 1
    assert found["table_commit_seconds_sum"] == pytest.approx(0.404)


def test_two_services_in_a_process_count_for_themselves() -> None:
    one, other = metrics(), metrics()
    one.measure("table_commit_seconds", 1.0)
    assert samples(other.text())["table_commit_seconds_count"] == 0


# -- a service -------------------------------------------------------------------------------------------

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
dealing = "{dealing}"
[shoe]
driver = "manual"
[web]
listen = "127.0.0.1:0"
"""

Make = Callable[..., Any]


@pytest_asyncio.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    services: list[Service] = []

    async def making(dealing: str = "face-up") -> Service:
        folder = tmp_path / str(len(services))
        service = Service(parse_configuration(CONFIG.format(dealing=dealing), "table.toml", folder))
        await service.start()
        services.append(service)
        return service

    yield making
    for service in services:
        await service.stop()


async def get(service: Service, path: str) -> bytes:
    async with (
        aiohttp.ClientSession(f"http://127.0.0.1:{service.port}") as session,
        session.get(path) as response,
    ):
        assert response.status == 200
        return await response.read()


async def test_a_service_answers_with_everything_that_is_said_to_exist(make: Make) -> None:
    service = await make()
    await service.decide(BetsOpened())
    text = await get(service, "/metrics")
    families = {family.name: family for family in text_string_to_metric_families(text.decode())}
    assert {*COUNTERS, *HISTOGRAMS, *GAUGES, "table_alerts_open"} <= set(families)
    assert {"process_resident_memory_bytes", "process_open_fds", "process_start_time_seconds"} <= set(
        families
    )
    found = samples(text)
    assert found["table_rounds_total"] == 1
    assert found["table_commit_seconds_count"] >= 1
    assert found["table_healthy"] == 1
    assert found["table_journal_bytes"] > 0
    assert any(name.startswith("table_software_info{table=MB-01,version=0.") for name in found)


async def test_a_foreign_host_name_gets_no_metrics(make: Make) -> None:
    service = await make()
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{service.port}/metrics", headers={"Host": "evil.example"}) as response,
    ):
        assert response.status == 421


#: What has nothing to do with the cards: the machine, time, and who looks.
BESIDE = (
    "process_",
    "table_journal_lag_seconds",
    "table_loop_lateness_seconds",
    "table_last_commit_seconds",
    "table_page_silent_seconds",
)

HIDDEN = {
    "a natural": "9C 3C KD 3D",
    "both stand": "6C 7C KD TD",
    "Player draws": "2C 3C 2D 3D",
}


def steady(text: bytes) -> dict[str, float]:
    return {name: value for name, value in samples(text).items() if not name.startswith(BESIDE)}


async def test_no_count_moves_while_cards_lie_face_down(make: Make) -> None:
    """Whatever they are: so no two rounds that differ only face down can be told apart."""
    for cards in HIDDEN.values():
        service = await make("both-down")
        for event in (BetsOpened(), BetsClosed()):
            await service.decide(event)
        before = steady(await get(service, "/metrics"))
        for card in cards.split():
            await service.decide(CardDrawn(card=card))
            assert steady(await get(service, "/metrics")) == before


async def test_what_waited_is_counted_once_the_round_is_over(make: Make) -> None:
    service = await make("both-down")
    for event in (BetsOpened(), BetsClosed(), *(CardDrawn(card=c) for c in NATURAL.split())):
        await service.decide(event)
    assert samples(await get(service, "/metrics"))["table_cards_total"] == 0
    await service.decide(ResultConfirmed())
    await service.decide(BetsOpened())
    found = samples(await get(service, "/metrics"))
    assert found["table_cards_total"] == 4
    assert found["table_results_total{winner=player}"] == 1


async def test_nor_does_the_health_report_tell_them_apart(make: Make) -> None:
    beside = ("uptime_s", "last_commit_s", "journal_lag_s", "loop_lateness_s")
    for cards in HIDDEN.values():
        service = await make("both-down")
        for event in (BetsOpened(), BetsClosed()):
            await service.decide(event)
        told = []
        for card in ("", *cards.split()):
            if card:
                await service.decide(CardDrawn(card=card))
            report = json.loads(await get(service, "/healthz"))
            told.append({name: value for name, value in report.items() if name not in beside})
        assert told == [told[0]] * 5
