"""From a report's last byte to a decision, to a durable fact at a client; and what a slow disk does to it."""

import asyncio
import multiprocessing
import os
import selectors
import socket
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path

from controller.bench.measure import Figure, percentile
from controller.bench.wire import Terminal, reports
from controller.config import parse_configuration
from controller.journal.store import Store
from controller.orders import Order
from controller.runtime.core import Derived
from controller.runtime.service import Service

CARDS = 300
CLIENTS = 4
TURNS = 3
STALL = 0.3
STALL_EVERY = 50
#: What an event stream begins with, and what it has for each card.
SNAPSHOT, CARD = b"event: snapshot", b"event: card_dealt"


def measure(effort: float) -> Sequence[Figure]:
    """Latencies over a real terminal, each beside its floor."""
    return asyncio.run(_measure(max(40, int(CARDS * effort))))


async def _measure(cards: int) -> list[Figure]:
    read: list[float] = []
    commit: list[float] = []
    decided: list[float] = []
    at_clients: list[float] = []
    with tempfile.TemporaryDirectory(prefix="table-bench-") as name:
        folder = Path(name)
        with sqlite3.connect(folder / "floor.db", isolation_level=None) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("CREATE TABLE record (body BLOB)")
            body = os.urandom(450)
            # In turn, so that what else the machine and its disk do is in all of them.
            for turn in range(TURNS):
                read += await _floor(cards // TURNS, lambda: None)
                commit += await _floor(
                    cards // TURNS, lambda: database.execute("INSERT INTO record VALUES (?)", (body,))
                )
                times = await _service(folder / f"plain-{turn}", cards // TURNS)
                decided += times[0]
                at_clients += times[1]
        stalled = await _service(folder / "slow", cards, _stalling())
    floor, durable = percentile(read, 50), percentile(commit, 50)
    return [
        Figure(
            name="last byte to decision, p50",
            value=percentile(decided, 50) / floor,
            unit="x of a pty read",
            goal=2.0,
            note=f"{percentile(decided, 50) * 1e3:.2f} ms against {floor * 1e3:.2f} ms",
        ),
        Figure(
            name=f"last byte to {CLIENTS} event stream clients, p50",
            value=percentile(at_clients, 50) / durable,
            unit="x of a pty read and one commit",
            goal=2.0,
            note=f"{percentile(at_clients, 50) * 1e3:.2f} ms against {durable * 1e3:.2f} ms",
        ),
        Figure(
            name=f"last byte to {CLIENTS} event stream clients, p99",
            value=percentile(at_clients, 99) * 1e3,
            unit="ms",
            goal=50.0,
        ),
        Figure(
            name=f"last byte to decision while the disk stalls {STALL * 1e3:.0f} ms, p99",
            value=percentile(stalled[0], 99) * 1e3,
            unit="ms",
            goal=5.0,
        ),
    ]


async def _floor(cards: int, act: Callable[[], object]) -> list[float]:
    """Seconds from a write to the end of a bare read and `act`."""
    terminal = Terminal()
    frames = [report.data for report in reports(cards)]
    received: list[float] = []
    done = asyncio.Event()
    expected = sum(map(len, frames))
    got = 0

    def readable() -> None:
        nonlocal got
        got += len(os.read(terminal.slave, 4096))
        act()
        received.append(time.monotonic())
        if got >= expected:
            done.set()

    loop = asyncio.get_running_loop()
    loop.add_reader(terminal.slave, readable)
    times = terminal.write(frames)
    await done.wait()
    loop.remove_reader(terminal.slave)
    written = times()
    terminal.close()
    return _between(written, received)


def _between(written: Sequence[float], received: Sequence[float]) -> list[float]:
    """Delays; a read that took two reports together counts for the later one."""
    if len(written) == len(received):
        return [there - here for here, there in zip(written, received, strict=True)]
    return [there - max(w for w in written if w <= there) for there in received]


class _Timed(Service):
    """A service that keeps when it had decided about each report."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.decided: list[float] = []

    def _append(
        self,
        derived: Derived,
        heard: tuple[float, float] | None = None,
        done: asyncio.Future[None] | None = None,
    ) -> None:
        if heard is not None:
            self.decided.append(heard[1])
        super()._append(derived, heard, done)


def _stalling() -> Callable[[str], None]:
    commits = 0

    def at_point(point: str) -> None:
        nonlocal commits
        if point == "inserted":
            commits += 1
            if commits % STALL_EVERY == 0:
                time.sleep(STALL)

    return at_point


async def _service(
    folder: Path, cards: int, at_point: Callable[[str], None] | None = None
) -> tuple[list[float], list[float]]:
    """Delays to the decision, and to each client's event for a card."""
    terminal = Terminal()
    config = parse_configuration(
        f"""
        [table]
        id = "BENCH"
        name = "Bench"
        boundaries = "device"
        [shoe]
        driver = "angel-eye"
        link = "pty:{terminal.path}"
        copies = 1
        duplicate_window = 0.001
        [web]
        listen = "127.0.0.1:0"
        """,
        "bench",
        folder,
    )
    found = reports(cards)
    service = _Timed(config, open_store=_store(at_point) if at_point else Store)
    await service.start()
    decks = config.shoe.decks
    service.enter(Order(order="new_shoe", by="bench", decks=decks))
    dealt = sum(report.deals for report in found)
    clients = await _clients(service.port, dealt)
    times = terminal.write([report.data for report in found])
    at_clients = await clients
    written = await asyncio.to_thread(times)
    await service.stop()
    terminal.close()
    cards_at = [at for at, report in zip(written, found, strict=True) if report.deals]
    delays = [there - here for arrived in at_clients for here, there in zip(cards_at, arrived, strict=True)]
    return _between(written, service.decided), delays


def _store(at_point: Callable[[str], None]) -> Callable[[Path, str], Store]:
    return lambda path, table: Store(path, table, at_point)


async def _clients(port: int, cards: int) -> Awaitable[list[list[float]]]:
    """Clients in a process of their own, connected; the answer gives when each saw each card."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_listen, args=(port, cards, theirs), daemon=True)
    process.start()
    theirs.close()
    await asyncio.to_thread(ours.recv)

    def result() -> list[list[float]]:
        found: list[list[float]] = ours.recv()
        process.join()
        return found

    return asyncio.ensure_future(asyncio.to_thread(result))


def _listen(port: int, cards: int, pipe: Connection) -> None:
    """Clients of bare sockets, so that little but the service's own time is measured."""
    request = b"GET /events?view=board HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with selectors.DefaultSelector() as selector, ExitStack() as opened:
        here = ("127.0.0.1", port)
        clients = [opened.enter_context(socket.create_connection(here)) for _ in range(CLIENTS)]
        for client in clients:
            client.sendall(request)
            while SNAPSHOT not in client.recv(65536, socket.MSG_PEEK):
                time.sleep(0.001)
            selector.register(client, selectors.EVENT_READ, _Stream())
        pipe.send("ready")
        streams: list[_Stream] = [key.data for key in selector.get_map().values()]
        while any(len(stream.arrived) < cards for stream in streams):
            for key, _ in selector.select():
                assert isinstance(key.fileobj, socket.socket)
                key.data.take(key.fileobj.recv(65536))
    pipe.send([stream.arrived for stream in streams])


class _Stream:
    """An event stream at its client: when the event of each card was there."""

    def __init__(self) -> None:
        self.arrived: list[float] = []
        self._tail = b""

    def take(self, data: bytes) -> None:
        at = time.monotonic()
        if not data:
            raise EOFError("the service ended an event stream")
        told = self._tail + data
        self.arrived += [at] * told.count(CARD)
        self._tail = told[1 - len(CARD) :]
