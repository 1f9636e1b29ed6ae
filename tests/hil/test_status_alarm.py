"""A sign that never comes is told to the pit, and is no reason to tell the board that it is late."""

import os
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest_asyncio
from alerting import SECRET
from receivers import Receiver, eventually

from controller.config import parse_configuration
from controller.runtime.service import Service

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "manual"
[[display]]
driver = "line-display"
link = "serial:{port}"
[web]
listen = "127.0.0.1:0"
[[alert]]
kind = "webhook"
url = "{url}"
secret_file = "webhook.key"
tell = {{ health = 0 }}
"""


@pytest_asyncio.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver = await Receiver().start()
    yield receiver
    await receiver.stop()


async def until_tick(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    """The lines of a stream up to the first tick's data."""
    async for line in content:
        yield line
        if line == b"event: tick\n":
            yield await content.readline()
            return


def table(folder: Path, port: object, receiver: Receiver) -> Service:
    """A table with a sign at that port."""
    secret = folder / "webhook.key"
    secret.touch(0o600)
    secret.write_text(f"whsec_{b64encode(SECRET).decode()}\n")
    text = CONFIG.format(port=port, url=receiver.url)
    return Service(parse_configuration(text, "table.toml", folder))


async def test_a_sign_that_goes_is_counted(tmp_path: Path, receiver: Receiver) -> None:
    ours, theirs = os.openpty()
    service = table(tmp_path, os.ttyname(theirs), receiver)
    os.close(theirs)
    await service.start()
    try:

        def losses() -> object:
            return service._vitals.health.report()[1]["losses_last_hour"]

        await eventually(lambda: losses() == {"sign": 0})
        assert b'table_device_up{device="sign"} 1.0' in service._vitals.metrics.text()
        os.close(ours)
        await eventually(lambda: losses() == {"sign": 1})
        text = service._vitals.metrics.text()
        assert b'table_device_up{device="sign"} 0.0' in text
        assert b'table_device_losses_total{device="sign"} 1.0' in text
        # The table itself knows once it is on record.
        unwell = b'table_alerts_open{severity="device"} 1.0'
        await eventually(lambda: unwell in service._vitals.metrics.text())
    finally:
        await service.stop()


async def test_a_sign_that_never_comes(tmp_path: Path, receiver: Receiver) -> None:
    service = table(tmp_path, tmp_path / "sign", receiver)
    await service.start()
    try:
        (told,) = await receiver.count(1)
        assert (told["level"], told["code"]) == ("health", "port-sign")
        assert told["text"].startswith("MB-01: sign: no such device")
        base = f"http://127.0.0.1:{service.port}"
        async with aiohttp.ClientSession(base) as page:
            async with page.get("/healthz") as answer:
                report = await answer.json()
                assert (answer.status, report["healthy"], report["working"]) == (503, False, True)
                assert list(report["problems"]) == ["port-sign"]
            async with page.get("/metrics") as answer:
                assert 'table_problem{code="port-sign"} 1.0' in await answer.text()
            async with page.get("/events") as stream:
                lines = [line async for line in until_tick(stream.content)]
            assert b"late" not in lines[-1]
    finally:
        await service.stop()
