"""Facts on a real Mosquitto: everything, in order, as each audience may see it, whatever stops meanwhile."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alerting import impatient
from playing import Play
from receivers import Listener, Mosquitto, eventually, without_doubles

from controller.observations import CardDrawn, HandCalled, ResultConfirmed
from controller.outputs import broker as module
from controller.outputs.alerts.settings import BrokerSection
from controller.outputs.broker import Broker
from controller.views.disclosure import Audience, Disclosure, Item
from controller.views.view import TableInfo


class Floor:
    """A played table on a broker, that can be stopped and started again."""

    def __init__(
        self, folder: Path, broker: Mosquitto, topic: str, *audiences: Audience, dealing: Any
    ) -> None:
        self.folder = folder
        self.section = BrokerSection(
            url=broker.url, topic=topic, audiences=list(audiences) or ["board"], timeout=1
        )
        self.table = TableInfo(id="MB-01", name="Mini-Baccarat 1", dealing=dealing)
        self.play = Play()
        self.broker: Broker

    async def start(self) -> None:
        items = self.play.items
        tip = items[-1][0] if items else 0
        self.broker = Broker(
            self.section, self.table, self.folder, self.folder, tip, self.history, patience=impatient
        )
        self.broker.publish(items)
        await self.broker.start()

    def history(self, after: int) -> Iterator[tuple[int, Item]]:
        return iter(list(self.play.items))

    async def __aenter__(self) -> "Floor":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.broker.stop()

    def round(self) -> None:
        """Player wins with a natural; published act by act."""
        self.broker.publish(self.play.open())
        for card in ("9H", "2S", "KD", "JD"):
            self.broker.publish(self.play.do(CardDrawn(card=card)))
        self.broker.publish(self.play.do(ResultConfirmed()))

    def told(self, audience: Audience) -> list[str]:
        """The types of what the audience was told, by another fold of the same items."""
        disclosure = Disclosure(audience, self.table.dealing)
        return [f.__struct_config__.tag for _, item in self.play.items for f in disclosure.see(item)]  # type: ignore[misc]


@pytest.fixture
def topic(request: pytest.FixtureRequest) -> str:
    """Topics of this test alone, on the broker that all share."""
    return f"test/{request.node.name}"


@pytest.fixture
def floor(tmp_path: Path, broker: Mosquitto, topic: str) -> Floor:
    return Floor(tmp_path, broker, topic, dealing="face-up")


def types(listener: Listener) -> list[str]:
    """What was heard, without doubles."""
    return [one["fact"]["type"] for one in without_doubles([heard.said for heard in listener.heard])]


async def test_every_fact_in_order(floor: Floor, broker: Mosquitto, topic: str) -> None:
    async with Listener(broker, f"{topic}/+/board/#") as listener, floor:
        floor.round()
        await listener.count(len(floor.told("board")))
    assert types(listener) == floor.told("board")
    decided = next(one for one in listener.heard if one.topic.endswith("round_decided"))
    assert decided.topic == f"{topic}/MB-01/board/fact/round_decided"
    assert decided.said["table"] == "MB-01"
    assert decided.said["fact"]["winner"] == "player"
    numbers = dict(floor.play.items)
    assert numbers[decided.said["number"]].winner == "player"  # type: ignore[union-attr]


async def test_each_audience_has_its_topics(tmp_path: Path, broker: Mosquitto, topic: str) -> None:
    """With face-down cards: the pit sees them at once, the board when they are called."""
    floor = Floor(tmp_path, broker, topic, "board", "pit", dealing="both-down")
    async with Listener(broker, f"{topic}/+/board/#", f"{topic}/+/pit/#") as listener, floor:
        floor.broker.publish(floor.play.open())
        for card in ("9H", "2S", "KD", "JD"):
            floor.broker.publish(floor.play.do(CardDrawn(card=card)))
        await listener.count(len(floor.told("board")) + len(floor.told("pit")))
        board = [one for one in listener.heard if "/board/" in one.topic]
        assert any(b"9H" in one.body for one in listener.heard if "/pit/" in one.topic)
        assert not any(card in one.body for one in board for card in (b"9H", b"2S", b"KD", b"JD"))
        # Nor do the numbers tell whether more was concluded.
        assert all(one.said["number"] is None for one in board[-4:])
        before = len(listener.heard)
        for hand in ("player", "banker"):
            floor.broker.publish(floor.play.do(HandCalled(hand=hand)))
        await listener.until(lambda: any(b"9H" in one.body for one in listener.heard[before:]))


async def test_an_outage_is_read_from_the_journal_again(
    floor: Floor, broker: Mosquitto, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Much more than waits in memory."""
    monkeypatch.setattr(module, "WAITING", 20)
    async with Listener(broker, f"{topic}/+/board/#") as listener, floor:
        floor.round()
        await listener.count(len(floor.told("board")))
        broker.stop()
        for _ in range(20):
            floor.round()
            await asyncio.sleep(0)
            assert len(floor.broker._queue) <= 20
        await eventually(lambda: not floor.broker.health()["healthy"])
        assert floor.broker.health()["behind"]
        broker.start()
        await listener.until(lambda: len(types(listener)) >= len(floor.told("board")))
        floor.round()
        await listener.until(lambda: len(types(listener)) >= len(floor.told("board")))
        await eventually(lambda: floor.broker.health() == {"healthy": True, "behind": 0, "error": None})
    assert types(listener) == floor.told("board")


async def test_a_start_goes_on_where_the_last_run_ended(floor: Floor, broker: Mosquitto, topic: str) -> None:
    async with Listener(broker, f"{topic}/+/board/#") as listener:
        async with floor:
            floor.round()
            await listener.count(len(floor.told("board")))
        floor.play.open()
        floor.play.cards("9H 2S KD JD")
        async with floor:
            floor.broker.publish(floor.play.do(ResultConfirmed()))
            await listener.until(lambda: len(types(listener)) >= len(floor.told("board")))
    assert types(listener) == floor.told("board")
    assert len(listener.heard) == len(types(listener)), "a stop says how far it came"


async def test_what_a_crash_made_double_has_the_same_id(floor: Floor, broker: Mosquitto, topic: str) -> None:
    async with Listener(broker, f"{topic}/+/board/#") as listener:
        async with floor:
            pass  # the place is saved before the round
        place = (floor.folder / "broker.json").read_bytes()
        async with floor:
            floor.round()
            await listener.count(len(floor.told("board")))
        (floor.folder / "broker.json").write_bytes(place)
        async with floor:
            await listener.count(2 * len(floor.told("board")))
    once = len(floor.told("board"))
    assert [one.body for one in listener.heard[:once]] == [one.body for one in listener.heard[once:]]


async def test_a_new_place_begins_with_what_follows(floor: Floor, broker: Mosquitto, topic: str) -> None:
    floor.play.open()
    past = len(floor.told("board"))
    async with Listener(broker, f"{topic}/+/board/#") as listener, floor:
        floor.broker.publish(floor.play.cards("9H 2S KD JD"))
        await listener.count(len(floor.told("board")) - past)
    assert types(listener) == floor.told("board")[past:]


@pytest.mark.parametrize("content", [b"{", b'{"key":"","seq":"no"}', b'{"key":"a2V5","seq":999999}'])
async def test_a_place_that_cannot_be_meant_is_begun_anew(
    floor: Floor, broker: Mosquitto, topic: str, content: bytes
) -> None:
    """Unreadable, or of another journal."""
    (floor.folder / "broker.json").write_bytes(content)
    async with Listener(broker, f"{topic}/+/board/#") as listener, floor:
        floor.round()
        await listener.count(len(floor.told("board")))
    assert types(listener) == floor.told("board")


async def test_says_whether_the_table_is_there(floor: Floor, broker: Mosquitto, topic: str) -> None:
    async with Listener(broker, f"{topic}/MB-01/status") as listener:
        async with floor:
            assert (await listener.count(1))[-1].body == b"online"
            broker.stop()
            broker.start()
            # Without anything to tell it connects again by itself.
            await listener.until(lambda: [one.body for one in listener.heard].count(b"online") >= 2)
        await listener.until(lambda: listener.heard[-1].body == b"offline")


async def test_a_table_that_dies_is_said_to_be_away(tmp_path: Path, broker: Mosquitto, topic: str) -> None:
    """By the broker, which keeps the last will."""
    code = f"""
import asyncio, pathlib
from controller.outputs.mqtt import Connection
from controller.outputs.alerts.settings import BrokerSection
async def main():
    await Connection(BrokerSection(url={broker.url!r}), pathlib.Path(), "dying", {topic!r} + "/status").open()
    await asyncio.sleep(3600)
asyncio.run(main())
"""
    async with Listener(broker, f"{topic}/#") as listener:
        table = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
        await listener.count(1)
        table.kill()
        await table.wait()
        assert [one.body for one in await listener.count(2)] == [b"online", b"offline"]
