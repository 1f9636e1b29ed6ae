"""Alerts outward: what is irregular at a table becomes messages, each delivered at least once, in order.

Fed with the journal's items after their commit, on the loop, and never waiting there: the outbox writes in a
thread of its own, and each target is served by a task of its own. The outbox remembers up to which journal
number everything is in it, so that a start feeds the rest again and makes the same of it. A message is sent
only when the outbox has it on the disk, so that it is the same message in every attempt.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
import structlog
from msgspec import Struct

from controller.facts import ShoeStarted
from controller.outputs.alerts.apprise import Apprise
from controller.outputs.alerts.cases import CONCERNS, Case, Cases, HealthState, Note
from controller.outputs.alerts.courier import Courier, Sender
from controller.outputs.alerts.message import compose
from controller.outputs.alerts.outbox import Letter, Outbox, OutboxError
from controller.outputs.alerts.settings import (
    AlertSection,
    AppriseSettings,
    MqttAlertSettings,
    WebhookSettings,
)
from controller.outputs.alerts.webhook import Webhook
from controller.outputs.patience import Patience
from controller.runtime.clock import Clock
from controller.views.disclosure import Disclosure, Item
from controller.views.view import TableInfo

#: Seconds between two attempts to write while the disk refuses.
RETRY = 0.25

#: What changes the cases; and a shoe's start, so that a start need not read many shoes again.
WORTH_SAVING = (*CONCERNS, ShoeStarted)

T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


class State(Struct, frozen=True):
    """What goes to the disk with the letters. `now`, `wall`: both clocks when it was made."""

    key: bytes
    caught_up_to: int
    now: float
    wall: float
    cases: list[Case]


class Alerts:
    """The targets of one table.

    Make it, `publish` the journal's items from the start of the shoe in which `caught_up_to` lies, or earlier
    (what is known is not told twice), `start`, then `publish` what follows. With a new outbox only what is
    still open at the start is told. `tip`: the journal's last number. `base`: table.toml's folder.
    Raises OutboxError.
    """

    def __init__(
        self,
        sections: Sequence[AlertSection],
        table: TableInfo,
        state: Path,
        base: Path,
        tip: int,
        clock: Clock,
        *,
        wall: Callable[[], float] = time.time,
        outbox: Callable[[Path], Outbox] = Outbox,
        patience: Callable[[str], Patience] = Patience,
    ) -> None:
        self._sections = sections
        self._table = table
        self._base = base
        self._clock = clock
        self._wall = wall
        self._patience = patience
        self._log = structlog.get_logger().bind(table=table.id)
        self._disclosures = {s.audience: Disclosure(s.audience, table.dealing) for s in sections}
        self._pool = ThreadPoolExecutor(1, "outbox")
        self._outbox = outbox(state / "outbox.db")
        if self._outbox.damaged:
            self._log.error("outbox_damaged", kept=str(self._outbox.damaged))
        self._letters: list[Letter] = []
        self._dirty = asyncio.Event()
        self._closing = False
        self._started = False
        self._error: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._couriers: dict[str, Courier] = {}
        self._writer: asyncio.Task[None] | None = None
        self._recall(tip)

    def _recall(self, tip: int) -> None:
        """Go on from what the outbox knows."""
        self._key = secrets.token_bytes(32)
        self._told_up_to = 0
        #: nothing is known yet: the past is taken in, and what is open at its end is told
        self._new = True
        self._cases = Cases(self._sections)
        if self._outbox.state is None:
            return
        try:
            known = msgspec.json.decode(self._outbox.state, type=State)
        except msgspec.DecodeError as error:
            self._log.error("outbox_state_unreadable", error=str(error))
            return
        # The two clocks' times of another run cannot be compared, but for what passed on the wall.
        passed = self._clock.seconds(max(0.0, self._wall() - known.wall))
        for case in known.cases:
            case.shift(self._clock.now() - passed - known.now)
        cases = Cases(self._sections, known.cases)
        if known.caught_up_to > tip:
            self._log.warning("journal_replaced", had=known.caught_up_to, has=tip)
            self._letters += [self._compose(note, known.key) for note in cases.withdraw()]
            return
        self._key, self._told_up_to, self._cases, self._new = known.key, known.caught_up_to, cases, False

    @property
    def caught_up_to(self) -> int | None:
        """The last journal number taken in; None: nothing is known yet."""
        return None if self._new else self._told_up_to

    async def start(self) -> None:
        """Tell what is due, and begin to deliver. Raises ConfigurationError, OutboxError."""
        self._loop = asyncio.get_running_loop()
        waiting = await self._aside(self._outbox.waiting)
        for section in self._sections:
            name = section.target
            courier = Courier(
                name,
                sender_for(section, self._base, self._table.id),
                partial(self._aside, self._outbox.next),
                self._patience(f"alert {name}"),
                waiting.pop(name, 0),
            )
            self._couriers[name] = courier
        for name, count in waiting.items():
            self._log.warning("alerts_dropped", target=name, letters=count, why="no longer configured")
            await self._aside(self._outbox.drop, name)
        self._started, self._new = True, False
        self._writer = self._loop.create_task(self._write(), name="alerts")
        self._writer.add_done_callback(self._ended)
        for courier in self._couriers.values():
            courier.start(self._ended)
        self.tick()

    def publish(self, batch: Sequence[tuple[int, Item]]) -> None:
        """Take in journalled items, in order. Never waits."""
        notes: list[Note] = []
        save = False
        known = self._told_up_to
        for seq, item in batch:
            told = [(a, fact) for a, disclosure in self._disclosures.items() for fact in disclosure.see(item)]
            if seq <= known:
                continue
            self._told_up_to = seq
            now = self._clock.now()
            for audience, fact in told:
                notes += self._cases.see(audience, seq, fact, now)
                save |= isinstance(fact, WORTH_SAVING)
            if not self._new:
                notes += self._cases.due(now)
        self._post(notes, save)

    def tick(self) -> None:
        """Tell what has become due by the clock."""
        self._post(self._cases.due(self._clock.now()), save=True)

    def alarm(self, problems: Mapping[str, str]) -> None:
        """Tell the pit what must be mended, and what no longer: code -> words, all of it each time."""
        known = {case.code for case in self._cases.open if case.level == "health"}
        states = [HealthState(code=c, well=False, words=problems[c]) for c in problems if c not in known]
        states += [HealthState(code=c, well=True, words="") for c in known if c not in problems]
        if states:
            now, number = self._clock.now(), int(self._wall() * 1000)
            notes = [note for state in states for note in self._cases.see("pit", number, state, now)]
            self._post([*notes, *self._cases.due(now)], save=True)

    def health(self) -> Mapping[str, object]:
        """What is open and what waits, for each target with the error of its last attempt."""
        return {
            "healthy": self.healthy,
            "open": len(self._cases.open),
            "outbox": self._error,
            "targets": {
                name: {"waiting": courier.waiting, "error": courier.error}
                for name, courier in self._couriers.items()
            },
        }

    @property
    def waiting(self) -> int:
        """How many messages are not delivered yet."""
        return len(self._letters) + sum(courier.waiting for courier in self._couriers.values())

    @property
    def healthy(self) -> bool:
        """Everything is written and every target takes what it is sent."""
        writing = self._error is None and self._writer is not None and not self._writer.done()
        return writing and all(courier.well for courier in self._couriers.values())

    async def stop(self) -> None:
        """Write what is known and let go of the targets; what waits is delivered after the next start."""
        if self._timer:
            self._timer.cancel()
        self._started, self._closing = False, True
        self._dirty.set()
        if self._writer:
            await asyncio.wait({self._writer})
        await asyncio.gather(*(courier.stop() for courier in self._couriers.values()))
        await self._aside(self._outbox.close)
        self._pool.shutdown()

    # -- inside ----------------------------------------------------------------------------------------

    def _post(self, notes: Sequence[Note], save: bool) -> None:
        """Put what is to be told on its way, and wake up when more is due."""
        self._letters += [self._compose(note, self._key) for note in notes]
        if not self._started:
            return
        if save:
            self._dirty.set()
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due = self._cases.next()
        if due is not None:
            delay = self._clock.real(max(0.0, due - self._clock.now()))
            self._timer = self._loop.call_later(delay, self.tick)

    def _compose(self, note: Note, key: bytes) -> Letter:
        return compose(note, self._table, key, self._clock.now(), self._wall())

    async def _aside(self, act: Callable[..., T], *arguments: object) -> T:
        """Run what touches the disk in the outbox's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(act, *arguments))

    async def _write(self) -> None:
        """Bring letters and state to the disk until told to close, and wake the couriers."""
        closing = False
        while not closing:
            await self._dirty.wait()
            self._dirty.clear()
            closing = self._closing
            letters = self._letters.copy()
            state = State(self._key, self._told_up_to, self._clock.now(), self._wall(), self._cases.open)
            body = _encode(state)
            while not await self._written(letters, body):
                if self._closing:
                    return  # The journal has it: it is told after the next start.
                await asyncio.sleep(RETRY)
            del self._letters[: len(letters)]
            for name, courier in self._couriers.items():
                courier.wake(sum(letter.target == name for letter in letters))

    async def _written(self, letters: Sequence[Letter], state: bytes) -> bool:
        try:
            await self._aside(self._outbox.write, letters, state)
        except OutboxError as error:
            if self._error is None:
                self._log.error("outbox_failing", error=str(error))
            self._error = str(error)
            return False
        self._error = None
        return True

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A task ends when this stops, or by a bug, which must not go by unseen."""
        if not task.cancelled() and (error := task.exception()):
            self._log.error("alert_task_ended", task=task.get_name(), error=repr(error))


def sender_for(section: AlertSection, base: Path, table: str) -> Sender:
    """How messages get to a target. Raises ConfigurationError."""
    settings = section.settings
    match settings:
        case WebhookSettings():
            return Webhook(settings, base)
        case AppriseSettings():
            return Apprise(settings, base)
        case MqttAlertSettings():
            from controller.outputs.alerts.topics import Topics  # aiomqtt is an extra

            return Topics(section, settings, base, table)
