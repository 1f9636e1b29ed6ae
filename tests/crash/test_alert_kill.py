"""Alerts killed with SIGKILL in mid-delivery, their receiver unreliable: nothing lost, the order kept."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from receivers import LONG, Post, Receiver

from controller.journal.reader import records
from controller.outputs.alerts.outbox import POINTS

TELLER = Path(__file__).with_name("alert_teller.py")
PATH = os.pathsep.join([str(TELLER.parents[1]), str(TELLER.parents[2])])
KILLS = 8


@asynccontextmanager
async def teller(
    folder: Path, receiver: Receiver, *arguments: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(TELLER), str(folder), receiver.url, *arguments,
        env=os.environ | {"PYTHONPATH": PATH},
        stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def everything_arrived(folder: Path, receiver: Receiver) -> None:
    """Once the rest is delivered: each journalled fact was accepted, in order; doubles are real doubles."""
    async with teller(folder, receiver, "drain") as process, asyncio.timeout(LONG):
        assert await process.wait() == 0
    journalled = [record.seq for record in records(folder / "journal.db")]
    bodies: dict[str, bytes] = {}
    for post in receiver.posts:
        assert bodies.setdefault(post.headers["webhook-id"], post.body) == post.body
    told = {post.said["id"]: post.said for post in receiver.accepted}
    assert [(one["kind"], one["fact"]["id"]) for one in told.values()] == [
        ("raised" if seq % 2 else "resolved", (seq + 1) // 2) for seq in journalled
    ]


async def test_killed_in_mid_delivery(tmp_path: Path) -> None:
    """Over and over on one outbox, while the receiver refuses, hangs up, or is not there at all."""
    draw = random.Random(54)
    receiver = Receiver()

    def moody(post: Post) -> int:
        return draw.choice([200, 200, 200, 503, 0])

    receiver.answer = moody
    for turn in range(KILLS):
        async with teller(tmp_path, receiver) as process:
            await receiver.start()
            await receiver.count(len(receiver.posts) + draw.randint(1, 40))
            if turn % 3 == 0:
                await receiver.stop()
                await receiver.start()
                await receiver.count(len(receiver.posts) + draw.randint(1, 10))
            process.kill()
        await receiver.stop()
    await receiver.start()
    receiver.answer = lambda post: 200
    await everything_arrived(tmp_path, receiver)
    await receiver.stop()


@pytest.mark.parametrize("point", POINTS)
async def test_killed_at_every_point_of_the_outbox(tmp_path: Path, point: str) -> None:
    receiver = await Receiver().start()
    async with teller(tmp_path, receiver, point, "5") as process, asyncio.timeout(LONG):
        assert await process.wait() == -signal.SIGKILL
    await everything_arrived(tmp_path, receiver)
    await receiver.stop()
