"""Alerts on a real Mosquitto that is stopped and started in the middle."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from alerting import Station
from certificates import Authority
from receivers import Listener, Mosquitto, eventually, program, without_doubles

from controller.outputs.alerts.settings import AlertSection


def mqtt(url: str, **more: Any) -> AlertSection:
    return AlertSection.model_validate({"kind": "mqtt", "url": url} | more)


def error_of(station: Station, target: str = "mqtt") -> str:
    return str(station.alerts.health()["targets"][target]["error"])  # type: ignore[index]


def prefix(request: pytest.FixtureRequest) -> str:
    """Topics of this test alone, on the broker that all share."""
    return f"test/{request.node.name}"


async def test_an_irregularity_and_its_answer(
    tmp_path: Path, broker: Mosquitto, request: pytest.FixtureRequest
) -> None:
    topic = prefix(request)
    async with (
        Listener(broker, f"{topic}/#") as listener,
        Station(tmp_path, mqtt(broker.url, topic=topic)) as station,
    ):
        station.stop_play()
        station.answer()
        heard = await listener.count(2)
    assert {one.topic for one in heard} == {f"{topic}/MB-01/pit/alert"}
    assert [(one.said["kind"], one.said["code"]) for one in heard] == [
        ("raised", "early-card"), ("resolved", "early-card")
    ]  # fmt: skip


async def test_an_outage_loses_nothing_and_keeps_the_order(
    tmp_path: Path, broker: Mosquitto, request: pytest.FixtureRequest
) -> None:
    topic = prefix(request)
    async with (
        Listener(broker, f"{topic}/#") as listener,
        Station(tmp_path, mqtt(broker.url, topic=topic)) as station,
    ):
        station.stop_play()
        await listener.count(1)
        broker.stop()
        station.answer()
        await eventually(lambda: error_of(station).startswith(broker.url))
        station.stop_play()
        station.answer()
        station.block_play()
        broker.start()
        await listener.until(lambda: len(without_doubles([one.said for one in listener.heard])) >= 5)
        await eventually(lambda: station.alerts.healthy)
    said = without_doubles([one.said for one in listener.heard])
    assert [(one["kind"], one["code"]) for one in said] == [
        ("raised", "early-card"), ("resolved", "early-card"),
        ("raised", "early-card"), ("resolved", "early-card"),
        ("raised", "shuffler-fault"),
    ]  # fmt: skip


async def test_a_broker_that_hangs_is_given_up_and_tried_again(
    tmp_path: Path, broker: Mosquitto, request: pytest.FixtureRequest
) -> None:
    topic = prefix(request)
    async with (
        Listener(broker, f"{topic}/#") as listener,
        Station(tmp_path, mqtt(broker.url, topic=topic, timeout=0.2)) as station,
    ):
        station.stop_play()
        await listener.count(1)
        broker.freeze()
        station.answer()
        await eventually(lambda: not station.alerts.healthy)
        broker.thaw()
        await listener.until(lambda: len(without_doubles([one.said for one in listener.heard])) >= 2)
        await eventually(lambda: station.alerts.healthy)


async def test_over_many_stops_and_a_start_of_the_service(
    tmp_path: Path, broker: Mosquitto, request: pytest.FixtureRequest
) -> None:
    topic = prefix(request)
    station = Station(tmp_path, mqtt(broker.url, topic=topic))
    await station.start()
    async with Listener(broker, f"{topic}/#") as listener:
        for number in range(6):
            station.stop_play()
            if number % 2:
                broker.stop()
                station.answer()
                broker.start()
            else:
                station.answer()
            if number == 3:
                await station.alerts.stop()
                await station.start()
        await listener.until(lambda: len(without_doubles([one.said for one in listener.heard])) >= 12)
        await station.alerts.stop()
    said = without_doubles([one.said for one in listener.heard])
    assert [(one["kind"], one["fact"]["id"]) for one in said] == [
        (kind, number) for number in range(1, 7) for kind in ("raised", "resolved")
    ]


async def test_the_broker_keeps_what_is_open(
    tmp_path: Path, broker: Mosquitto, request: pytest.FixtureRequest
) -> None:
    topic = prefix(request)
    async with Station(tmp_path, mqtt(broker.url, topic=topic, retain=True)) as station:
        async with Listener(broker, f"{topic}/#") as listener:
            station.block_play()
            station.stop_play()
            station.answer()
            await listener.count(6)
        # Somebody who comes later sees what is open now, and that only.
        async with Listener(broker, f"{topic}/+/pit/open/#") as later:
            (kept,) = await later.count(1)
            assert kept.retain
            assert (kept.said["code"], kept.said["kind"]) == ("shuffler-fault", "raised")
            assert kept.topic == f"{topic}/MB-01/pit/open/{kept.said['incident']}"
            station.answer("acknowledge", 1)
            cleared = (await later.count(2))[1]
            assert (cleared.topic, cleared.body) == (kept.topic, b"")
        await eventually(lambda: station.alerts.health()["targets"]["mqtt"]["waiting"] == 0)  # type: ignore[index]


async def test_tls_and_password(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Refused with another authority, without a certificate, or with the wrong word; taken with all of it."""
    authority, other = Authority(tmp_path), Authority(tmp_path, "elsewhere")
    certificate, key = authority.issue("broker")
    mine, my_key = authority.issue("table")
    words = tmp_path / "words"
    subprocess.run([program("mosquitto_passwd"), "-c", "-b", str(words), "table", "right"], check=True)
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Mosquitto(
        folder,
        f"cafile {authority.ca}",
        f"certfile {certificate}",
        f"keyfile {key}",
        "require_certificate true",
        f"password_file {words}",
        "allow_anonymous false",
    )
    for name in ("right", "wrong"):
        (tmp_path / name).touch(0o600)
        (tmp_path / name).write_text(f"{name}\n")
    known = {"certificate_file": mine.name, "key_file": my_key.name}
    trusting = {"url": broker.url.replace("mqtt:", "mqtts:"), "ca_file": authority.ca.name, "user": "table"}
    sections = [
        AlertSection.model_validate({"kind": "mqtt", "name": name} | trusting | more)
        for name, more in {
            "stranger": {"ca_file": other.ca.name, "password_file": "right"} | known,
            "nameless": {"password_file": "right", "timeout": 0.5},
            "liar": {"password_file": "wrong"} | known,
            "friend": {"password_file": "right"} | known,
        }.items()
    ]
    broker.start()
    async with Station(tmp_path, *sections) as station:
        station.stop_play()
        targets = ["stranger", "nameless", "liar"]
        await eventually(lambda: all(error_of(station, name) != "None" for name in targets))
        await eventually(lambda: station.alerts.health()["targets"]["friend"]["waiting"] == 0)  # type: ignore[index]
        assert "certificate verify failed" in error_of(station, "stranger")
        assert "Not authorized" in error_of(station, "liar") or "Bad user name" in error_of(station, "liar")
        assert error_of(station, "friend") == "None"
        waiting = {name: station.alerts.health()["targets"][name]["waiting"] for name in targets}  # type: ignore[index]
    assert waiting == dict.fromkeys(targets, 1)
    broker.stop()
