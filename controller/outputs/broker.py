"""Facts on an MQTT broker, for whoever follows the tables: each fact as the audience may see it, in order.

`TOPIC/TABLE/AUDIENCE/fact/TYPE` carries `{"id", "table", "number", "fact"}`: the id drops doubles, `number`
is the journal's where it gives nothing away, else null. `TOPIC/TABLE/status` retains `online` or `offline`.
Everything has QoS 1.

The journal is the queue: only the number up to which the broker has everything is kept, and what an outage or
a restart left behind is read from the journal again. So nothing is written for a fact, and the memory in use
has a bound.
"""

import asyncio
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog
from msgspec import Struct

from controller.journal.disk import read_whole
from controller.outputs.alerts.settings import BrokerSection
from controller.outputs.mqtt import Connection
from controller.outputs.patience import DeliveryError, Patience
from controller.views.disclosure import Disclosure, Item
from controller.views.view import TableInfo

#: So many instants wait in memory at most, and are read from the journal at once.
WAITING = 500
#: Seconds between two saves of the place; what lies between is sent twice after a crash.
SAVE = 5.0

#: The items from the start of the shoe in which a journal number lies.
History = Callable[[int], Iterator[tuple[int, Item]]]

_encode = msgspec.json.Encoder().encode


class Place(Struct, frozen=True):
    """Up to which journal number the broker has everything; `key` makes the ids of messages its own."""

    key: bytes
    seq: int


class Instant(NamedTuple):
    """What one journalled item told: topics under the table's, and payloads."""

    seq: int
    messages: list[tuple[str, bytes]]


class Teller:
    """Items in, messages out, from a moment without a round."""

    def __init__(self, section: BrokerSection, table: TableInfo, key: bytes) -> None:
        self._table = table
        self._key = key
        self._disclosures = [Disclosure(audience, table.dealing) for audience in section.audiences]

    def tell(self, items: Iterable[tuple[int, Item]]) -> Iterator[Instant]:
        """One instant for each item, also when it tells nothing."""
        for seq, item in items:
            yield Instant(seq, [m for d in self._disclosures for m in self._messages(d, seq, item)])

    def _messages(self, disclosure: Disclosure, seq: int, item: Item) -> Iterator[tuple[str, bytes]]:
        for place, fact in enumerate(disclosure.see(item)):
            name = _encode([disclosure.audience, seq, place])
            message = {
                "id": blake2b(name, key=self._key, digest_size=16).hexdigest(),
                "table": self._table.id,
                "number": seq if disclosure.complete else None,
                "fact": fact,
            }
            yield f"{disclosure.audience}/fact/{fact.__struct_config__.tag}", _encode(message)


class Broker:
    """Make it, `publish` the journal's items from the start of a shoe, `start`, then `publish` what follows.

    Without a saved place only what follows is sent. `tip`: the journal's last number; `state`: its folder;
    `base`: table.toml's. Raises ConfigurationError.
    """

    def __init__(
        self,
        section: BrokerSection,
        table: TableInfo,
        state: Path,
        base: Path,
        tip: int,
        history: History,
        *,
        patience: Callable[[str], Patience] = Patience,
    ) -> None:
        self._section = section
        self._table = table
        self._path = state / "broker.json"
        self._history = history
        self._topic = f"{section.topic}/{table.id}"
        self._connection = Connection(section, base, f"table-{table.id}", f"{self._topic}/status")
        self._patience = patience("broker")
        self._log = structlog.get_logger().bind(table=table.id)
        place = self._recall()
        if place and place.seq > tip:
            # Another journal, or an older copy of it: its numbers mean other facts.
            self._log.warning("journal_replaced", had=place.seq, has=tip)
            place = None
        self._key, self._sent = (place.key, place.seq) if place else (secrets.token_bytes(32), tip)
        self._seen = 0
        self._teller = Teller(section, table, self._key)
        self._queue: deque[Instant] = deque()
        self._behind = True  # what was seen is not all in the queue
        self._news = asyncio.Event()
        self._saved: Place | None = place
        self._saved_at = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    @property
    def caught_up_to(self) -> int | None:
        """It reads what it missed by itself."""
        return None

    def publish(self, batch: Sequence[tuple[int, Item]]) -> None:
        """Take in journalled items, in order. Never waits."""
        for instant in self._teller.tell(batch):
            self._seen = instant.seq
            if self._behind or not instant.messages:
                continue
            if len(self._queue) < WAITING:
                self._queue.append(instant)
            else:
                self._queue.clear()
                self._behind = True
        self._news.set()

    async def start(self) -> None:
        """Begin to send."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="broker")
        self._task.add_done_callback(self._ended)

    def health(self) -> Mapping[str, object]:
        """How far the broker is behind, in journal numbers, and the error of the last attempt."""
        running = self._task is not None and not self._task.done()
        return {
            "healthy": self._patience.error is None and running,
            "behind": max(0, self._seen - self._sent) if self._behind or self._queue else 0,
            "error": self._patience.error,
        }

    async def stop(self) -> None:
        """Say goodbye; what waits is sent after the next start."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            with suppress(DeliveryError):
                await asyncio.to_thread(self._save)
        await self._connection.close()

    # -- inside ----------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            if self._behind:
                await self._catch_up()
            elif self._queue:
                await self._deliver(self._queue.popleft())
            else:
                await self._idle()

    async def _catch_up(self) -> None:
        """Send what the journal holds; when that is all there is, go on from the queue."""
        page, upto = await self._patience.insist(partial(asyncio.to_thread, self._read, self._sent))
        for instant in page:
            await self._deliver(instant)
        self._sent = max(self._sent, upto)
        self._behind = self._sent < self._seen

    def _read(self, after: int) -> tuple[list[Instant], int]:
        """What the items above `after` told, and the last number read. Raises JournalError."""
        page: list[Instant] = []
        upto = after
        for instant in Teller(self._section, self._table, self._key).tell(self._history(after)):
            if instant.seq <= after:
                continue
            upto = instant.seq
            if instant.messages:
                page.append(instant)
            if len(page) == WAITING:
                break
        return page, upto

    async def _deliver(self, instant: Instant) -> None:
        for topic, payload in instant.messages:
            send = partial(self._connection.publish, f"{self._topic}/{topic}", payload)
            await self._patience.insist(send)
        self._sent = instant.seq
        if time.monotonic() - self._saved_at >= SAVE:
            await self._patience.insist(partial(asyncio.to_thread, self._save))

    async def _idle(self) -> None:
        """Stay connected until there is news."""
        self._news.clear()
        await self._patience.insist(self._connection.open)
        news = asyncio.ensure_future(self._news.wait())
        try:
            await asyncio.wait({news, self._connection.loss}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()

    # -- the place -------------------------------------------------------------------------------------

    def _recall(self) -> Place | None:
        try:
            return msgspec.json.decode(read_whole(self._path), type=Place)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            self._log.error("broker_place_unreadable", path=str(self._path), error=str(error))
            return None

    def _save(self) -> None:
        """Put the place on the disk, whole or not at all. Raises DeliveryError."""
        place = Place(self._key, self._sent)
        self._saved_at = time.monotonic()
        if place == self._saved:
            return
        new = self._path.with_suffix(".new")
        try:
            # The key tells which ids belong to which numbers: nobody else's business.
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(_encode(place))
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise DeliveryError(f"{new}: {reason}; check this disk and its space") from None
        self._saved = place

    def _ended(self, task: asyncio.Task[None]) -> None:
        """The task ends when this stops, or by a bug, which must not go by unseen."""
        if not task.cancelled() and (error := task.exception()):
            self._log.error("broker_task_ended", error=repr(error))
