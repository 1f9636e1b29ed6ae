"""A whole shoe in mid-round, killed, and started again: board and dealer where they were, or a hold."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from processes import SOON
from virtual import dealt

from controller.config import Configuration, parse_configuration
from controller.facts import IrregularityRaised
from controller.journal.audit import verify
from controller.journal.reader import records
from controller.journal.record import Entry
from controller.journal.store import Store
from controller.ports import AnySignal
from controller.runtime.clock import Clock
from controller.runtime.configured import inputs_of
from controller.runtime.core import Core
from controller.runtime.heartbeat import Heartbeat
from controller.runtime.replaying import Rederivation, items
from controller.runtime.service import Service
from controller.views.disclosure import Audience
from controller.views.view import TableView

ROUNDS = 75
WALL = "2025-03-01T10:00:00.000+00:00"
TABLE = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
boundaries = "device"
[shoe]
driver = "angel-eye"
link = "pty:{terminal}"
[web]
listen = "127.0.0.1:0"
without_login = ["dealer"]
"""


@pytest.fixture
def config(tmp_path: Path) -> Iterator[Configuration]:
    """A table at a terminal whose shoe is there and silent."""
    shoe, terminal = os.openpty()
    yield parse_configuration(TABLE.format(terminal=os.ttyname(terminal)), "table.toml", tmp_path)
    os.close(shoe)
    os.close(terminal)


def late_in_a_round() -> tuple[list[AnySignal], tuple[int, str, int]]:
    """What is heard of a shoe until a third card is due, late in it; which card that is."""
    core, config = Core(), parse_configuration(TABLE.format(terminal="/x"), "table.toml", Path("/"))
    core.begin(inputs_of(config, Clock()))
    signals = dealt(seed=4, rounds=ROUNDS)
    for count, signal in enumerate(signals, 1):
        core.hear("shoe", signal)
        due = core.table.awaited
        if due is not None and due[0] >= ROUNDS - 3 and due[2] == 3:
            return signals[:count], due
    raise AssertionError("no third card so late in this shoe")


SIGNALS, DUE = late_in_a_round()


def lived(config: Configuration, boot: str = "") -> Core:
    """Its journal, as a service left it that was killed a moment ago."""
    core, now = Core(), Clock().now()
    inputs = inputs_of(config, Clock())
    entries: list[Entry] = [*core.begin(msgspec.structs.replace(inputs, boot=boot or inputs.boot)).entries]
    for signal in SIGNALS:
        assert signal.at is not None and SIGNALS[-1].at is not None
        at = now + signal.at - SIGNALS[-1].at
        entries += core.hear("shoe", msgspec.structs.replace(signal, at=at)).entries
    store = Store(config.state / "journal.db", "MB-01")
    store.write((entry, WALL) for entry in entries)
    store.close()
    heartbeat = Heartbeat(config.state / "heartbeat")
    heartbeat.open()
    heartbeat.beat(now)
    heartbeat.close()
    return core


def shown(service: Service, audience: Audience) -> dict[str, Any]:
    """What a page showed that saw the whole of it, but for its number and what a restart itself says."""
    view = TableView(service.table_info(), audience)
    for seq, item in items(records(service.path)):
        view.see(seq, item)
    return plain(msgspec.json.decode(msgspec.json.encode(view.state())))


def plain(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in ("seq", "devices")}


@asynccontextmanager
async def started(service: Service) -> AsyncIterator[aiohttp.ClientSession]:
    await service.start()
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{service.port}") as page:
            yield page
    finally:
        await service.stop()
    assert verify(service.path, Rederivation()).ok


async def snapshot(page: aiohttp.ClientSession, audience: Audience) -> dict[str, Any]:
    async with page.get(f"/api/snapshot?view={audience}") as answer:
        state: dict[str, Any] = await answer.json()
        return plain(state)


@pytest.mark.parametrize("audience", ["board", "dealer"])
async def test_the_pages_are_where_they_were(config: Configuration, audience: Audience) -> None:
    lived(config)
    service = Service(config)
    before = shown(service, audience)
    async with started(service) as page:
        assert await snapshot(page, audience) == before
    assert before["round"] == {"number": DUE[0], "phase": "dealing"}
    assert len(before["roads"]["bead_plate"]) >= ROUNDS - 4
    assert not before["wait"]


async def test_the_dealer_is_told_which_card_is_due(config: Configuration) -> None:
    lived(config)
    service = Service(config)
    async with started(service) as page:
        dealer = await snapshot(page, "dealer")
        assert dealer["draw"]["hand"] == DUE[1]
        assert service._core.table.awaited == DUE


async def test_behind_a_power_cut_the_round_is_held(config: Configuration) -> None:
    """Nobody knows what went by while the machine started: the supervisor says what lies there."""
    before = lived(config, boot="before the cut")
    raised: asyncio.Queue[IrregularityRaised] = asyncio.Queue()
    service = Service(config)
    service.watch = lambda _, item: raised.put_nowait(item) if isinstance(item, IrregularityRaised) else None
    async with started(service) as page:
        hold = await asyncio.wait_for(raised.get(), SOON)
        board = await snapshot(page, "board")
        assert board["wait"]
        assert board["round"]["number"] == DUE[0]
    assert (hold.code, hold.severity, hold.round) == ("link-lost", "stop", DUE[0])
    assert service._core.table.round.coup.hands == before.table.round.coup.hands
    assert service._core.table.awaited is None
