"""What the children are: the real service with somebody to answer its holds, and a simulated shoe."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import msgspec
from msgspec import Struct

from controller.config import Configuration, parse_configuration
from controller.facts import IrregularityRaised, IrregularityResolved
from controller.journal.store import Store
from controller.orders import Order, OrderName
from controller.play.table import Table
from controller.ports import Simulator
from controller.runtime import log, service
from controller.runtime.clock import Clock
from controller.runtime.service import Service
from controller.views.disclosure import Item
from drivers.links import serve_link
from drivers.shoes.angel_eye import SPEC
from drivers.shoes.angel_eye.simulator import Line
from drivers.testing.crashes import clock, shim, small_disk

#: Of the clock. A recorded run is slower: what a busy machine does to it would be in each of its cases.
SPEED, RECORDED = 40.0, 10.0
#: Seconds of the clock between two beats of the heart: as short beside a round as at a table.
BEAT = 0.8
DECKS = 8
#: A short shoe and a quick change: whole shoes pass in seconds.
DEALER = {"decks": DECKS, "cut_at": 372, "pack_pause": 5.0}
#: 1 follows 9, so that no first 0 has to be heard before a lost one leaves a gap.
LINE = Line(wrap=1)
TABLE = "MB-01"

ANSWERS: dict[str, OrderName] = {"stop": "void_round", "block": "acknowledge"}
#: What the clock of a service is read from.
CLOCK = "clock"


class Step(Struct, frozen=True):
    """So many real seconds after it has begun to work, do something to the service's disk or clock."""

    after: float
    what: Literal["syncs", "fill", "free", "clock"]
    numbers: tuple[float, ...] = ()


class Life(Struct, frozen=True, kw_only=True):
    """One run of the service. It kills itself the `nth` time that the journal comes to `point`. `speed`: of
    its clock. `broken`: commits are not synced, to prove that this is seen.
    """

    steps: tuple[Step, ...] = ()
    point: str = ""
    nth: int = 0
    speed: float = SPEED
    broken: bool = False


def answers_to(raised: IrregularityRaised) -> Iterator[Order]:
    """What a supervisor orders who wants play to go on."""
    if order := ANSWERS.get(raised.severity):
        yield Order(order=order, by="pit", irregularity=raised.id)
    if raised.code == "past-last-round":
        # That another pack was put in went by unheard.
        yield Order(order="new_shoe", by="pit", decks=DECKS)


def configuration(folder: Path, link: str) -> Configuration:
    """A table whose state lies in `folder`/state."""
    return parse_configuration(
        f"""
        [table]
        id = "{TABLE}"
        name = "Mini-Baccarat 1"
        boundaries = "device"
        [shoe]
        driver = "angel-eye"
        link = "{link}"
        decks = {DECKS}
        [web]
        listen = "127.0.0.1:0"
        """,
        "campaign",
        folder,
    )


def standing(table: Table) -> str:
    """How the table stands, in mid-round too: what people at it could tell apart."""
    hold, shoe, coup = table.hold, table.shoe, table.round.coup
    return msgspec.json.encode(
        (
            (shoe.number, shoe.phase, shoe.cards_seen, shoe.rounds, shoe.rounds_left),
            (coup.number, table.round.phase, coup.hands, table.awaited, table.waiting),
            (table.is_open, hold and (hold.id, hold.code), sorted(table.open), table.carried),
        )
    ).decode()


def serve(life: Life, config: Configuration, notes: Path, saying: int) -> None:
    """Run the service until it is killed or told to end; `notes`: where the shim keeps its log.

    Says `+N ITEM` when record N is durable and told, and `=N STANDING` how the table stands when N is the
    last record and nothing waits to be written.
    """
    shim.watch(config.state, notes)
    clock.own(notes.with_name(CLOCK))
    log.set_up(level="critical")
    with patch.object(service, "BEAT", BEAT / life.speed):
        asyncio.run(_Staff(life, config, saying).work())


class _Staff:
    """Whoever is at the table: watches all that is told, and answers what is open, each once."""

    def __init__(self, life: Life, config: Configuration, saying: int) -> None:
        self._life, self._state, self._saying = life, config.state, saying
        self._open: dict[int, IrregularityRaised] = {}
        self._left = life.nth
        self._stood = 0
        self._service = Service(config, Clock(life.speed), self._watch, self._open_store)

    def _open_store(self, path: Path, table: str) -> Store:
        self._store = Store(path, table, self._at_point)
        if self._life.broken:
            self._store._connection.execute("PRAGMA synchronous = OFF")
        return self._store

    def _at_point(self, here: str) -> None:
        if here == self._life.point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def _say(self, line: str) -> None:
        shim.said(line)
        os.write(self._saying, line.encode() + b"\n")

    def _watch(self, seq: int, item: Item) -> None:
        self._say(f"+{seq} {msgspec.json.encode(item).decode()}")
        if isinstance(item, IrregularityRaised):
            self._open[item.id] = item
        elif isinstance(item, IrregularityResolved):
            self._open.pop(item.id, None)
        asyncio.get_running_loop().call_soon(self._after)

    def _after(self) -> None:
        """All items of one input were told."""
        tip = self._store.tip.seq
        if not self._service._writer.lag() and tip > self._stood:
            self._stood = tip
            self._say(f"={tip} {standing(self._service._core.table)}")
        for irregularity in list(self._open.values()):
            del self._open[irregularity.id]
            for order in answers_to(irregularity):
                self._service.enter(order)

    async def work(self) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        loop.add_signal_handler(signal.SIGTERM, stop.set)
        await self._service.start()
        acts: dict[str, Callable[..., None]] = {
            "syncs": shim.syncs,
            "fill": partial(small_disk.fill, self._state),
            "free": partial(small_disk.free, self._state),
            "clock": clock.jump,
        }
        for step in self._life.steps:
            loop.call_later(step.after, acts[step.what], *step.numbers)
        self._open = {i.id: i.raised for i in self._service._core.table.open.values() if i.raised}
        loop.call_soon(self._after)
        await stop.wait()
        await self._service.stop()


def dealer(seed: int, **options: Any) -> Simulator:
    """The shoe of that seed, with somebody who deals."""
    assert SPEC.simulator is not None
    return SPEC.simulator(SPEC.settings()(), line=LINE, seed=seed, **DEALER, **options)


def deal(link: str, seed: int, saying: int, speed: float = SPEED) -> None:
    """The shoe, which deals until it is killed. Says its address."""

    def ready(address: str) -> None:
        os.write(saying, address.encode() + b"\n")

    async def play() -> None:
        await serve_link(dealer(seed), link, clock=Clock(speed), ready=ready)

    asyncio.run(play())
