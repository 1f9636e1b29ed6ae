"""The service killed with SIGKILL at random instants while a simulated shoe deals, and started again at once.

The shoe is a process of its own and deals on. Over a terminal, what it sends while nobody listens waits to be
read; over a serial server it is lost.
"""

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from processes import SOON, process, simulated_shoe, table, truth
from virtual import Life, dealt

from controller.journal.reader import records
from controller.journal.record import Record
from drivers.testing.crashes.marks import cards, first_misplaced, rounds

SERVICE = Path(__file__).with_name("supervised_service.py")
SPEED = 3
KILLS = 20
DECKS = 2
ENOUGH = 60  # rounds: more than are dealt meanwhile

Item = dict[str, Any]

#: The campaigns belong to the first test's time; every wait in them has its own limit.
pytestmark = pytest.mark.timeout(900)

#: What may follow from a report that went by unheard, in a round or in a burn.
RAISED = ("link-lost", "lost-frames", "device-restarted", "burn-mismatch", "not-burned")


@dataclass
class Campaign:
    """`told`: what was durable and told before each kill, by number."""

    seed: int
    state: Path
    happened: list[Item]
    told: dict[int, Item]

    @property
    def journal(self) -> list[Record]:
        return list(records(self.state / "journal.db"))

    def items(self) -> Iterator[Item]:
        for record in self.journal:
            if record.kind in ("observation", "input", "fact"):
                yield json.loads(record.body)


class Witness:
    """Keeps what a running service tells in `told`, and ends it."""

    def __init__(self, service: asyncio.subprocess.Process, told: dict[int, Item]) -> None:
        self._service = service
        self._told = told

    async def item(self) -> Item:
        """The next item that is told."""
        assert self._service.stdout is not None
        line = await asyncio.wait_for(self._service.stdout.readline(), SOON)
        assert line, "the service ended by itself"
        return self._keep(line)

    async def rounds(self, count: int) -> None:
        """Returns when so many rounds were confirmed."""
        while count:
            count -= (await self.item())["type"] == "round_confirmed"

    async def end(self, how: signal.Signals) -> None:
        """What it told until then counts, but not what it did not finish to say."""
        self._service.send_signal(how)
        rest, error = await asyncio.wait_for(self._service.communicate(), SOON)
        for line in rest.splitlines(keepends=True):
            if line.endswith(b"\n"):
                self._keep(line)
        assert error == b""
        assert self._service.returncode == (0 if how is signal.SIGTERM else -how)

    def _keep(self, line: bytes) -> Item:
        number, _, text = line.partition(b" ")
        item: Item = json.loads(text)
        assert self._told.setdefault(int(number), item) == item
        return item


async def somewhere(service: Witness, draw: random.Random) -> None:
    """Returns at a random instant: while it starts, or after some items."""
    if draw.random() < 0.25:
        await asyncio.sleep(draw.uniform(0.05, 0.8))
        return
    for _ in range(draw.randint(1, 12)):
        await service.item()
    await asyncio.sleep(draw.uniform(0, 0.3))


async def campaign(folder: Path, link: str, seed: int) -> Campaign:
    folder.mkdir()
    draw, told = random.Random(seed), dict[int, Item]()
    options = ("--speed", SPEED, "--decks", DECKS, "--seed", seed, "--truth", folder / "truth.jsonl")
    async with simulated_shoe(link, *options) as (address, _):
        configuration = table(folder, address, SPEED)

        @asynccontextmanager
        async def working() -> AsyncIterator[Witness]:
            async with process(SERVICE, configuration, stdout=subprocess.PIPE) as service:
                yield Witness(service, told)

        async with working() as service:
            # More than ten reports: it is known from then on which number follows 9.
            await service.rounds(2)
            await service.end(signal.SIGKILL)
        for _ in range(KILLS - 1):
            async with working() as service:
                await somewhere(service, draw)
                await service.end(signal.SIGKILL)
        async with working() as service:
            await service.rounds(2)
            await service.end(signal.SIGTERM)
    return Campaign(seed, folder / "state", truth(folder / "truth.jsonl"), told)


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Campaign]:
    folder = tmp_path_factory.mktemp("kill")

    async def both() -> list[Campaign]:
        pty = campaign(folder / "pty", f"pty:{folder}/shoe", 1)
        return await asyncio.gather(pty, campaign(folder / "tcp", "tcp:127.0.0.1:0", 2))

    return dict(zip(("pty", "tcp"), asyncio.run(both()), strict=True))


@pytest.fixture(params=["pty", "tcp"])
def killed(campaigns: dict[str, Campaign], request: pytest.FixtureRequest) -> Campaign:
    return campaigns[request.param]


def test_every_record_holds_and_every_fact_follows(killed: Campaign) -> None:
    command = [sys.executable, "-m", "controller", "audit", str(killed.state), "--json"]
    audited = subprocess.run(command, capture_output=True, timeout=SOON)
    assert audited.returncode == 0, audited.stdout
    starts = sum(record.kind == "start" for record in killed.journal)
    assert KILLS / 2 < starts <= KILLS + 1, "those killed while starting have left no record"


def test_what_was_told_before_a_kill_is_still_there(killed: Campaign) -> None:
    journalled = {record.seq: record.body for record in killed.journal}
    assert len(killed.told) > KILLS
    assert killed.told == {number: json.loads(journalled[number]) for number in killed.told}


def test_where_no_report_may_have_gone_by_unheard_no_card_is_lost_or_doubled(killed: Campaign) -> None:
    assert first_misplaced(cards(killed.items()), [*cards(killed.happened)]) is None


def test_every_round_that_was_decided_has_the_facts_of_an_undisturbed_run(killed: Campaign) -> None:
    life = Life()
    life.hear(*dealt(seed=killed.seed, decks=DECKS, rounds=ENOUGH))
    assert first_misplaced(rounds(killed.items()), [*rounds(life.said("fact"))]) is None


def test_only_what_a_kill_explains_is_raised_and_play_went_on(killed: Campaign) -> None:
    kinds = Counter[str]()
    for item in killed.items():
        kinds[item["type"]] += 1
        if item["type"] == "irregularity_raised":
            assert kinds["service_started"] > 1
            assert item["code"] in RAISED
    assert kinds["order_refused"] == 0
    assert kinds["round_decided"] >= 4
