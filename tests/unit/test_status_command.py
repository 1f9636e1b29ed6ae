"""`tablectl status` at a real service, in a few lines and by exit code."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from aiohttp import web
from certificates import Authority
from receivers import free_port

from controller.cli.status import told
from controller.config import load_configuration
from controller.observations import BetsClosed, BetsOpened, CardDrawn
from controller.orders import Order
from controller.runtime.service import Service

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "manual"
[web]
listen = "127.0.0.1:{port}"
"""


class Answer(NamedTuple):
    code: int
    out: str
    err: str


async def tablectl(*arguments: object) -> Answer:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "status", *map(str, arguments),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert process.returncode is not None
    return Answer(process.returncode, out.decode(), err.decode())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(CONFIG.format(port=free_port()))
    return path


@pytest_asyncio.fixture
async def service(file: Path) -> AsyncIterator[Service]:
    running = Service(load_configuration(file))
    await running.start()
    yield running
    await running.stop()


async def test_a_table_at_work(file: Path, service: Service) -> None:
    await service.decide(Order(order="new_shoe", by="smith", decks=8))
    for event in (BetsOpened(), BetsClosed(), CardDrawn(card="7C")):
        await service.decide(event)
    answer = await tablectl("-c", file)
    assert (answer.code, answer.err) == (0, "")
    first, devices, journal, *_ = answer.out.splitlines()
    assert first == "MB-01 Mini-Baccarat 1: open, shoe 1 (in play), round 1 (dealing)"
    assert devices == "devices: none"
    assert journal.startswith("journal: writing, last commit")
    assert "version: 0." in answer.out
    assert "MEND" not in answer.out


async def test_a_held_table_is_healthy_and_said_to_be_held(file: Path, service: Service) -> None:
    await service.decide(BetsOpened())
    await service.decide(CardDrawn(card="7C"))
    answer = await tablectl("--url", f"http://127.0.0.1:{service.port}/")
    assert answer.code == 0
    assert answer.out.startswith("MB-01 Mini-Baccarat 1: held, ")


async def test_json_is_what_the_table_says(file: Path, service: Service) -> None:
    answer = await tablectl("-c", file, "--json")
    said = json.loads(answer.out)
    assert said["health"]["healthy"] is True
    assert said["board"]["table"]["id"] == "MB-01"


async def test_a_table_with_tls_is_known_by_its_certificate(file: Path, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.issue("table-1")
    tls = f'certificate_file = "{certificate.name}"\nkey_file = "{key.name}"\n'
    file.write_text(file.read_text() + tls)
    service = Service(load_configuration(file))
    await service.start()
    try:
        url = f"https://127.0.0.1:{service.port}"
        for arguments in (("-c", file), ("--url", url, "--ca-file", authority.ca)):
            assert (await tablectl(*arguments)).code == 0
        stranger = await tablectl("--url", url)
        assert stranger.code == 2
        assert "certificate" in stranger.err
        other, _ = Authority(tmp_path, "other").issue("table-2")
        certificate.write_bytes(other.read_bytes())
        assert "certificate" in (await tablectl("--url", url, "--ca-file", certificate)).err
    finally:
        await service.stop()


async def test_nobody_there(file: Path) -> None:
    answer = await tablectl("-c", file)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith(
        "connection refused; is the service running? systemctl status table-controller\n"
    )
    assert answer.err.count("\n") == 1


Serve = Callable[[int, bytes], Awaitable[str]]


@pytest_asyncio.fixture
async def serve() -> AsyncIterator[Serve]:
    runners: list[web.AppRunner] = []

    async def serving(status: int, body: bytes) -> str:
        async def answer(_: web.Request) -> web.Response:
            return web.Response(status=status, body=body)

        app = web.Application()
        app.router.add_get("/{path:.*}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        runners.append(runner)
        return f"http://127.0.0.1:{runner.addresses[0][1]}"

    yield serving
    for runner in runners:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (404, b"", "answered 404; is this a table?"),
        (200, b"<html>", "no answer of a table; another program listens there"),
        (200, b"[]", "no answer of a table; another program listens there"),
        (200, b'{"other": 1}', "no answer of a table; another program listens there"),
    ],
)
async def test_another_program_there(serve: Serve, status: int, body: bytes, words: str) -> None:
    answer = await tablectl("--url", await serve(status, body))
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--url", "table-1"), "--url table-1: no address; write it as http://127.0.0.1:8080"),
        (("--url", "ftp://127.0.0.1"), "--url ftp://127.0.0.1: no address"),
        (("--url", "file:///etc"), "--url file:///etc: no address"),
        (("--url", "http://127.0.0.1:x"), "--url http://127.0.0.1:x: no address"),
        (("--url", "http://a", "-c", "b"), "-c and --url: give one of them"),
        (("--url", "https://127.0.0.1:1", "--ca-file", "/nowhere.pem"), "/nowhere.pem: no such file"),
    ],
)
async def test_bad_usage(arguments: tuple[str, ...], words: str) -> None:
    answer = await tablectl(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1


async def test_a_port_that_the_system_chose(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(CONFIG.format(port=0))
    answer = await tablectl("-c", path)
    assert (answer.code, answer.err.endswith("give --url\n")) == (2, True)


HEALTH = {
    "healthy": False,
    "table": {"id": "MB-01", "play": "held"},
    "version": "0.1.0+abc",
    "uptime_s": 200_000,
    "journal": "failing",
    "journal_lag_s": 12.3,
    "journal_bytes": 5 * 2**20,
    "last_commit_s": 130,
    "disk_free_bytes": 3 * 2**30,
    "clock_synchronised": None,
    "ports": {"shoe": "open", "sign": "no such device"},
    "losses_last_hour": {"shoe": 7},
    "problems": {"journal": "the journal does not write: disk is full", "port-sign": "sign: no such device"},
    "alerts": {"open": 2, "targets": {"floor": {"waiting": 4, "error": "no answer in time"}}},
    "broker": {"error": None},
    "pages_shown_s": {"board": 2.0, "dealer": None},
    "streams": {"board": 1, "dealer": 0},
}
BOARD = {
    "table": {"id": "MB-01", "name": "Mini"},
    "shoe": {"number": None, "phase": "none"},
    "round": {"number": None, "phase": "idle"},
}


def test_every_trouble_in_words() -> None:
    assert list(told(HEALTH, BOARD)) == [
        "MB-01 Mini: held, no shoe yet",
        "devices: shoe open, lost 7 times in an hour; sign no such device",
        "journal: failing, 12.3 s behind, last commit 2 min ago, 5 MiB, 3.0 GiB free on its disk",
        "alerts:  2 open, 4 not delivered; floor: no answer in time",
        "broker:  has everything",
        "pages:   board 1 open, seen 2 s ago; dealer 0 open, never seen",
        "clock:   not known whether it is right",
        "version: 0.1.0+abc, up 2 days",
        "MEND     the journal does not write: disk is full",
        "MEND     sign: no such device",
    ]


async def test_what_must_be_mended_is_exit_3(serve: Serve) -> None:
    """A 503 is read like a 200; the same answer to both questions will do."""
    both = HEALTH | BOARD | {"table": {"id": "MB-01", "name": "Mini", "play": "open"}}
    answer = await tablectl("--url", await serve(503, json.dumps(both).encode()))
    assert (answer.code, answer.out.count("MEND")) == (3, 2)
