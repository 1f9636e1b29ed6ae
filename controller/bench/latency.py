"""From a report's last byte to a decision, to a durable fact at a client; and what a slow disk does to it."""

import asyncio
import multiprocessing
import os
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
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
STALL = 0.3
STALL_EVERY = 50


def measure(effort: float) -> Sequence[Figure]:
    """Latencies over a real terminal, each beside its floor."""
    return asyncio.run(_measure(max(40, int(CARDS * effort))))


async def _measure(cards: int) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="table-bench-") as name:
        folder = Path(name)
        read = await _floor(cards, lambda: None)
        with sqlite3.connect(folder / "floor.db", isolation_level=None) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("CREATE TABLE record (body BLOB)")
            body = os.urandom(450)
            commit = await _floor(cards, lambda: database.execute("INSERT INTO record VALUES (?)", (body,)))
        decided, at_clients = await _service(folder / "plain", cards)
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
    pipe.send(asyncio.run(_listening(port, cards, pipe)))


async def _listening(port: int, cards: int, pipe: Connection) -> list[list[float]]:
    import aiohttp

    ready = [asyncio.Event() for _ in range(CLIENTS)]

    async def client(connected: asyncio.Event) -> list[float]:
        arrived: list[float] = []
        timeout = aiohttp.ClientTimeout(total=None)
        url = f"http://127.0.0.1:{port}/events?view=board"
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as stream:
            async for line in stream.content:
                if line.startswith(b"event: snapshot"):
                    connected.set()
                elif line.startswith(b"event: card_dealt"):
                    arrived.append(time.monotonic())
                    if len(arrived) == cards:
                        break
        return arrived

    tasks = [asyncio.create_task(client(one)) for one in ready]
    for one in ready:
        await one.wait()
    pipe.send("ready")
    return list(await asyncio.gather(*tasks))
