"""The product's own processes, started as people start them, and a page's stream of events."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

#: Seconds that something awaited may take on a busy machine.
SOON = 60.0

TABLE = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
boundaries = "device"

[shoe]
driver = "angel-eye"
link = "{link}"
# Real seconds: a number comes round again after ten reports, which a shoe at this speed sends in {ten:.2f} s.
duplicate_window = {window}
resume_within = {away}

[web]
listen = "127.0.0.1:0"
"""

#: Seconds at a table in which a shoe sends fewer than ten reports.
TEN_REPORTS = 9.0


def table(folder: Path, link: str, speed: float) -> Path:
    """A table.toml for a real service (whose clock is the wall's) at a simulated shoe of that speed."""
    path = folder / "table.toml"
    times = {"ten": TEN_REPORTS / speed, "window": 6 / speed, "away": 5 / speed}
    path.write_text(TABLE.format(link=link, **times))
    return path


@asynccontextmanager
async def process(*arguments: object, **options: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python process, ended at the latest when the block ends. Its standard error is a pipe."""
    started = await asyncio.create_subprocess_exec(
        sys.executable, *map(str, arguments),
        stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE, **options,
    )  # fmt: skip
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()


@asynccontextmanager
async def simulated_shoe(
    link: str, *options: object
) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """`tablectl sim angel-eye`, ready to be opened: its address and its process."""
    async with process("-m", "controller", "sim", "angel-eye", "--link", link, *options) as shoe:
        assert shoe.stderr is not None
        async with asyncio.timeout(SOON):
            told = (await shoe.stderr.readline()).decode()
        assert told.startswith("angel-eye at "), told
        yield told.removeprefix("angel-eye at ").partition(",")[0], shoe


async def logged(service: asyncio.subprocess.Process, event: str) -> dict[str, Any]:
    """The next such line of a service's log."""
    assert service.stderr is not None
    async with asyncio.timeout(SOON):
        while line := await service.stderr.readline():
            said: dict[str, Any] = json.loads(line)
            if said["event"] == event:
                return said
    raise AssertionError(f"the service ended without saying {event!r}")


async def events(
    port: int, after: int = 0, view: str = "board"
) -> AsyncIterator[tuple[int | None, str, Any]]:
    """(id, event, data) of a page's stream, beginning with what came after that number."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(
            f"http://127.0.0.1:{port}/events?view={view}",
            headers={"Last-Event-ID": str(after)},
            timeout=aiohttp.ClientTimeout(total=None, sock_read=SOON),
        ) as stream,
    ):
        fields: dict[str, str] = {}
        async for raw in stream.content:
            line = raw.decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields:
                number = fields.get("id")
                yield int(number) if number else None, fields["event"], json.loads(fields["data"])
                fields = {}


def truth(path: Path) -> list[dict[str, Any]]:
    """What a simulated shoe wrote down about what really happened."""
    return [json.loads(line) for line in path.read_text().splitlines()]
