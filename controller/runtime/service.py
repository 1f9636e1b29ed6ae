"""The service of one table: links and drivers in, the core in the middle, journal, then pages and log.

One way, no loops: what a link says goes through the core at once, all that follows from it is journalled in
one transaction, and only when that is durable is it shown, logged or written to a device.
"""

import asyncio
import gc
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from msgspec import structs

from controller import facts
from controller.config import MANUAL, Configuration
from controller.health.vitals import Vitals
from controller.health.watch import Sources
from controller.journal.errors import JournalError
from controller.journal.reader import begin_of, connect, records
from controller.journal.store import Store
from controller.journal.writer import Writer
from controller.observations import CommandSettled, Observation, ServiceStarted
from controller.orders import Event, Order
from controller.outputs.web.archive import Archive
from controller.outputs.web.desk import Desk
from controller.outputs.web.records import Records
from controller.outputs.web.server import PUBLIC, WebServer
from controller.outputs.web.tls import Tls
from controller.people import People
from controller.play.table import Table
from controller.ports import (
    AnySignal,
    BrokenError,
    Commanded,
    Link,
    Lost,
    Resumed,
    find_driver,
    find_link,
)
from controller.runtime.about import about
from controller.runtime.clock import Clock
from controller.runtime.configured import inputs_of, table_info_of
from controller.runtime.core import SHOE, Core, Derived
from controller.runtime.diary import Diary
from controller.runtime.heartbeat import BEAT, Heartbeat
from controller.runtime.identity import software_version
from controller.runtime.loop_watch import LoopWatch
from controller.runtime.notify import Notifier
from controller.runtime.outward import targets
from controller.runtime.past import known, told_since
from controller.runtime.permitted import check_command
from controller.runtime.ports_watch import PortsWatch
from controller.runtime.preview import twin
from controller.runtime.replaying import recover
from controller.runtime.signature import signer_of
from controller.runtime.signs import Signs
from controller.runtime.timers import Timers
from controller.views.disclosure import Item
from controller.views.view import TableInfo

#: Latencies kept for the summary; older ones are forgotten.
LATENCIES = 5_000
#: Seconds that a port may take to open before the table is ready without it.
PORT_PATIENCE = 5.0

Watcher = Callable[[int, Item], None]


class Service:
    """One table at work. `watch` is told every durable item with its journal number."""

    def __init__(
        self,
        config: Configuration,
        clock: Clock | None = None,
        watch: Watcher | None = None,
        open_store: Callable[[Path, str], Store] = Store,
        notifier: Notifier | None = None,
    ) -> None:
        self.config = config
        self._notifier = notifier or Notifier({})
        self.loop_watch = LoopWatch(BEAT)
        self._opened: float | None = None  # when the links were, until that is told
        self._started = False
        #: an input is being taken in, or one could not be
        self._half = False
        self._broken = asyncio.Event()
        self._untold = 0  # times that those who look on were not all told
        self._open_store = open_store
        self.clock = clock or Clock()
        self.path = config.state / "journal.db"
        #: seconds from the receipt of a report's last byte until it was durable
        self.latencies: deque[float] = deque(maxlen=LATENCIES)
        self.port = 0
        self.watch = watch
        self._log = Diary(config.table.id, config.table.dealing)
        self._core = Core()
        self._links: dict[str, Link] = {}
        self._ports = PortsWatch(self._links, self._log.warning)
        self._vitals = Vitals(
            config.table.id,
            config.table.dealing,
            self.path,
            Sources(
                ports=self._ports,
                writer=lambda: self._writer,
                lateness=lambda: self.loop_watch.lateness,
                targets=lambda: self._outward,
                pages=lambda: self._web.pages(),
                table=lambda: self.table,
                untold=lambda: self._untold,
            ),
        )
        self._timers = Timers(self.clock, config.table.card_overdue, self.enter, self.hear)
        self._commands: dict[str, asyncio.Future[CommandSettled]] = {}
        self._signs = Signs(self.table_info()) if config.display else None
        self._heartbeat = Heartbeat(config.state / "heartbeat")

    async def start(self) -> None:
        """Recover, then open the links and the pages. Raises ControllerError."""
        self._loop = asyncio.get_running_loop()
        began = time.monotonic()
        store = self._open_store(self.path, self.config.table.id)
        store.sign_with(signer_of(self.config.state, self.config.table.id))
        desk = Desk(
            People(self.config.state),
            self.decide,
            time.monotonic,
            self._needs_second,
            manual=self.config.shoe.driver == MANUAL,
        )
        history = partial(told_since, self.path)
        self._web = WebServer(
            self.table_info(),
            history=history,
            health=self._vitals.health.report,
            metrics=self._vitals.metrics.text,
            open_views=PUBLIC.union(self.config.web.without_login),
            names=self.config.web.names,
            pit_key=self.config.web.pit_key(self.config.folder),
            style=self.config.style,
            tls=Tls(*files) if (files := self.config.web.certificate(self.config.folder)) else None,
            version=software_version(),
            desk=desk,
            archive=Archive(
                Records(self.path),
                desk,
                lambda: twin(self.table),
                self._needs_second,
                lambda: {**about(self.config), "health": self._vitals.health.report()[1]},
            ),
        )
        self._outward = list(targets(self.config, store.tip.seq, self.clock, history))
        with closing(connect(self.path)) as connection:
            begins = begin_of(connection)
        self._core = recover(self._notifier.extending(records(self.path, begins - 1)))
        for _, same in groupby(known(self.path, self._outward, self._notifier.extending), key=itemgetter(0)):
            batch = list(same)
            for _, item in batch:
                self._log.recall(item)
                self._vitals.recall(item)
            self._publish(batch)
        self._heartbeat.open()
        schedule = self._loop.call_soon_threadsafe
        self._writer = Writer(store, schedule, self._journal_failed, timed=self._vitals.committed)
        took = round(time.monotonic() - began, 3)
        self._log.info("recovered", version=software_version(), records=store.tip.seq, seconds=took)
        self._begin()
        self.port = await self._web.start(self.config.web.host, self.config.web.port)
        for target in self._outward:
            await target.start()
        self._log.info("listening", host=self.config.web.host, port=self.port)
        for name, _, _, section in self.config.devices():
            assert section.link is not None
            spec = find_driver(section.driver)
            link = find_link(section.link).open(section.link, clock=self.clock, **spec.serial)
            self._links[name] = link
            if self._signs is not None:
                self._signs.show(self._core.drivers[name])
            link.open(partial(self.hear, name))
        self._opened, self._started = time.monotonic(), True

    async def stop(self) -> None:
        """Close the links, write what is queued, close the pages. Raises JournalError: entries are lost."""
        self._started = False
        self._notifier.stopping()
        self._beating.cancel()
        self._timers.stop()
        for asked in self._commands.values():
            asked.cancel()
        for link in self._links.values():
            await link.close()
        try:
            await asyncio.to_thread(self._writer.close)
        finally:
            self._heartbeat.close()
            # What became durable while closing is shown before the pages go.
            await asyncio.sleep(0)
            for target in self._outward:
                await target.stop()
            await self._web.stop()
            self._notifier.close()
            self._log.info("stopped")

    # -- inputs ----------------------------------------------------------------------------------------

    def hear(self, device: str, signal: AnySignal) -> None:
        """A link's listener."""
        derived = self._conclude(partial(self._core.hear, device, signal), heard=signal.at)
        self._vitals.hear(device, signal)
        self._ports.hear(device, (item for _, item in derived.items if isinstance(item, Observation)))

    def enter(self, event: Event) -> None:
        """An announcement or an order."""
        self._conclude(partial(self._core.enter, event))

    async def decide(self, event: Event) -> list[facts.Fact]:
        """Enter what a person announced or ordered; its facts, once they are durable."""
        event = structs.replace(event, at=self.clock.now())
        done: asyncio.Future[None] = self._loop.create_future()
        derived = self._conclude(partial(self._core.enter, event), done=done)
        await asyncio.shield(done)
        return [item for _, item in derived.items if isinstance(item, facts.Fact)]

    def _needs_second(self, order: Order) -> bool:
        """The pack asks a second person to confirm this order."""
        pack = self.table.pack
        return pack is not None and order.order in pack.second_person.orders

    async def command(self, device: str, command: str, by: str) -> CommandSettled:
        """Have a device do something between rounds; what became of it. Raises CommandError."""
        check_command(self.config, self.table, device, command)
        asked = Commanded(at=self.clock.now(), command=command, by=by)
        done: asyncio.Future[None] = self._loop.create_future()
        derived = self._conclude(partial(self._core.hear, device, asked), done=done)
        withheld = next((item for _, item in derived.items if isinstance(item, CommandSettled)), None)
        settled: asyncio.Future[CommandSettled] = self._loop.create_future()
        if withheld is None:
            self._commands[device] = settled
        await asyncio.shield(done)
        return withheld or await settled

    def _conclude(
        self,
        conclude: Callable[[], Derived],
        heard: float | None = None,
        done: asyncio.Future[None] | None = None,
    ) -> Derived:
        """What follows from an input that was `heard` then; `done` once it is in the record.

        Where that fails nothing more may follow from what is in memory, it may be half changed: BrokenError.
        """
        if self._half:
            raise BrokenError("an input was not taken to its end; the service begins anew from its record")
        self._half = True
        derived = conclude()
        decided = self.clock.now()
        self._append(derived, None if heard is None or not derived.items else (heard, decided), done)
        self._half = False
        return derived

    async def broken(self) -> None:
        """Ends only when nothing more can be concluded. Raises BrokenError."""
        await self._broken.wait()
        raise BrokenError(
            f"{self.path}: an internal error, the log says which; start the service again: it goes on from "
            "this record and holds the round if anything was missed"
        )

    def _append(
        self,
        derived: Derived,
        heard: tuple[float, float] | None = None,
        done: asyncio.Future[None] | None = None,
    ) -> None:
        drivers = self._core.drivers.items()
        outgoing = [(name, data) for name, driver in drivers if (data := driver.outgoing())]

        def durable(first: int, _last: int) -> None:
            if done is not None and not done.done():
                done.set_result(None)  # who waits goes on when this is through
            for _, item in derived.items:
                if isinstance(item, CommandSettled):
                    self._settled(item)
            self._untold += 1
            for name, data in outgoing:
                # Before a port was ever opened there is no link, and nobody to hear it.
                if link := self._links.get(name):
                    link.write(data)
            self._durable(derived, heard, first)
            self._untold -= 1

        self._writer.append(derived.entries, durable)
        self._timers.renew(self._core)

    def _begin(self) -> None:
        """Journal the start; what the drivers remember counts only if nothing can have been missed unseen."""
        before = self._core.inputs
        inputs = inputs_of(self.config, self.clock)
        heard = self._heartbeat.last()
        begun = self._core.begin(inputs)
        for driver in self._core.drivers.values():
            driver.outgoing()  # what a rebuild would send is stale
        self._append(begun)
        at = self.clock.now()
        if before is not None:
            comparable = (before.boot, before.speed) == (inputs.boot, inputs.speed)
            for device in inputs.devices:
                if device not in before.devices:
                    continue
                sequenced = find_driver(device.driver).sequenced
                signal = Resumed(at=at, heard=heard) if comparable and sequenced else Lost(at=at)
                self._conclude(partial(self._core.hear, device.name, signal))
        self.enter(ServiceStarted(at=at, version=inputs.version))
        self._beat()

    def _beat(self) -> None:
        """Keep for the next start until when the ports were listened to and all that they said is durable."""
        if self._half:
            # Neither heartbeat nor watchdog: whoever starts it again must know since when nobody listened.
            self._broken.set()
            return
        self.loop_watch.tick()
        lag = self._writer.lag()
        if not lag:
            self._heartbeat.beat(self.clock.now())
        self._ports.look(now := time.monotonic())
        if self._opened is not None and (self._ports.settled() or now - self._opened >= PORT_PATIENCE):
            self._opened = None
            self._notifier.ready()
        self._notifier.beat(self.loop_watch.lateness, lag, self._ports.faults() or "the table is at work")
        if self._started:
            self._vitals.alarm()
        self._beating = self._loop.call_later(BEAT, self._beat)

    # -- outputs, after the commit ---------------------------------------------------------------------

    def _durable(self, derived: Derived, heard: tuple[float, float] | None, first: int) -> None:
        """`heard`: when a report's last byte came and when it was decided, by the links' clock."""
        durable = self.clock.now()
        numbered = [(first + place, item) for place, item in derived.items]
        self._vitals.take(numbered)
        self._publish(numbered)
        if heard is not None:
            times = (heard[1], durable, self.clock.now())
            delays = [self.clock.real(at - heard[0]) for at in times]
            self.latencies.append(delays[1])
            self._vitals.timed(*delays)
        for seq, item in numbered:
            self._log.tell(seq, item)
            if self.watch is not None:
                self.watch(seq, item)
            if isinstance(item, facts.ShoeEnded):
                self._writer.checkpoint()
        if any(e.kind == "carried" for e in derived.entries):
            self._begin_shoe(first)

    def _begin_shoe(self, first: int) -> None:
        """A new shoe is played at a table of its own, from record `first` on; the one before is forgotten."""
        # It points at itself. Left to be found, tables would heap up, and be found inside a round.
        gc.collect()
        if self.config.journal.divide == "shoe":
            self._writer.divide(first, self.config.journal.keep)

    def _publish(self, batch: list[tuple[int, Item]]) -> None:
        self._web.publish(batch)
        if self._signs is not None:
            self._signs.take(batch, self._core.drivers, self._links)
        for target in self._outward:
            target.publish(batch)

    def _settled(self, item: CommandSettled) -> None:
        if item.outcome != "withheld":
            waiting = self._commands.pop(item.device or SHOE, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(item)

    def _journal_failed(self, error: JournalError) -> None:
        self._log.error("journal_failed", error=str(error))

    @property
    def at_work(self) -> bool:
        """The ports are open, and what comes in is taken in."""
        return self._started and not self._half

    @property
    def table(self) -> Table:
        """The table as it is in memory, to be looked at."""
        return self._core.table

    def table_info(self) -> TableInfo:
        """What the pages are told of the table."""
        return table_info_of(self.config)
