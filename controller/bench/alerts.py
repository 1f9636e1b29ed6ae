"""From the observation that proves an irregularity to its alert at a receiver, over real HTTP."""

import asyncio
import multiprocessing
import os
import random
import tempfile
import time
from base64 import b64encode
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from controller.bench.measure import Figure, percentile
from controller.cards import pack
from controller.config import parse_configuration
from controller.observations import BetsOpened, CardDrawn
from controller.orders import Order
from controller.runtime.service import Service

ALERTS = 100
#: Seconds after which an alert has not come at all.
NEVER = 30.0


def measure(effort: float) -> Sequence[Figure]:
    """Alerts by a signed web hook to a receiver in a process of its own."""
    delays = asyncio.run(_measure(min(400, max(10, int(ALERTS * effort)))))
    return [
        Figure(
            name="observation to its alert at a local receiver, slowest",
            value=max(delays),
            unit="s",
            goal=1.0,
            note=f"{len(delays)} alerts; half of them within {percentile(delays, 50) * 1e3:.1f} ms",
        )
    ]


async def _measure(count: int) -> list[float]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    receiver = context.Process(target=_receive, args=(theirs,), daemon=True)
    receiver.start()
    theirs.close()
    try:
        with tempfile.TemporaryDirectory(prefix="table-bench-") as name:
            port: int = await asyncio.to_thread(ours.recv)
            return await _alerts(Path(name), port, ours, count)
    finally:
        receiver.terminate()
        receiver.join()


async def _alerts(folder: Path, port: int, receiver: Connection, count: int) -> list[float]:
    """Seconds from each observation to its alert; every alert is answered before the next."""
    secret = folder / "webhook.key"
    secret.touch(0o600)
    secret.write_text(f"whsec_{b64encode(os.urandom(32)).decode()}\n")
    config = parse_configuration(
        f"""
        [table]
        id = "BENCH"
        name = "Bench"
        ruleset = "nj-casino-night-mini-baccarat"
        card_overdue = 0
        [shoe]
        driver = "manual"
        [web]
        listen = "127.0.0.1:0"
        [[alert]]
        kind = "webhook"
        url = "http://127.0.0.1:{port}/"
        secret_file = "{secret.name}"
        tell = {{ stop = 0 }}
        answers = false
        """,
        "bench",
        folder,
    )
    service = Service(config)
    await service.start()
    delays = []
    cards = list(pack(8))
    random.Random(1).shuffle(cards)
    try:
        for card in cards[:count]:
            await service.decide(BetsOpened())
            began = time.monotonic()
            # Bets are open: no card may leave the shoe.
            service.enter(CardDrawn(card=card))
            delays.append(await asyncio.to_thread(_arrival, receiver) - began)
            await service.decide(Order(order="burn_card", by="bench", reason="the next one"))
            await service.decide(Order(order="void_round", by="bench", reason="the next one"))
    finally:
        await service.stop()
    return delays


def _arrival(receiver: Connection) -> float:
    """When the next alert had come."""
    if not receiver.poll(NEVER):
        return float("inf")
    at: float = receiver.recv()
    return at


def _receive(pipe: Connection) -> None:
    """Take alerts, and tell when each had come whole."""

    class Taking(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            message = msgspec.json.decode(self.rfile.read(int(self.headers["content-length"])))
            if message["kind"] == "raised":
                pipe.send(time.monotonic())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        pipe.send(server.server_address[1])
        server.serve_forever()
