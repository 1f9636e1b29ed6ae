"""An engineer's commands through the real service to a simulated shoe on a terminal, and what is recorded."""

import asyncio
import contextlib
import json

import pytest

from controller.config import parse_configuration
from controller.journal.audit import verify
from controller.journal.reader import records
from controller.observations import CardDrawn, LockChanged
from controller.orders import Order
from controller.ports import CommandError, ConfigurationError
from controller.runtime.clock import Clock
from controller.runtime.replaying import Rederivation, recover
from controller.runtime.service import Service
from drivers.links import serve_link
from drivers.shoes.acts import Power, Pull
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator, Answers

SPEED = 20.0
SOON = 20.0
TABLE = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
boundaries = "device"
[shoe]
driver = "angel-eye"
link = "pty:{folder}/shoe"
commands = {commands}
[web]
listen = "127.0.0.1:0"
[log]
level = "warning"
"""


@contextlib.asynccontextmanager
async def at_a_table(folder, commands="true", answers=None):
    """A running service and the shoe that it reads; `seen` is everything durable."""
    clock, seen = Clock(SPEED), []
    shoe = AngelEyeSimulator(dealer=False, answers=answers)
    ready = asyncio.Event()
    serving = asyncio.create_task(
        serve_link(shoe, f"pty:{folder}/shoe", clock=clock, ready=lambda _: ready.set())
    )
    await ready.wait()
    text = TABLE.format(folder=folder, commands=commands)
    service = Service(parse_configuration(text, "test", folder), clock, lambda _seq, item: seen.append(item))
    await service.start()
    try:
        service.enter(Order(order="new_shoe", by="dealer", decks=8))
        yield service, shoe, seen, clock
    finally:
        await service.stop()
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


async def until(condition):
    async with asyncio.timeout(SOON):
        while not condition():
            await asyncio.sleep(0.01)


async def test_whoever_asked_is_answered_also_when_the_pages_cannot_be_told(tmp_path, monkeypatch):
    def broken(batch):
        raise ZeroDivisionError

    async with at_a_table(tmp_path) as (service, _shoe, _seen, _):
        monkeypatch.setattr(service._web, "publish", broken)
        async with asyncio.timeout(SOON):
            assert (await service.command("shoe", "lock", "Ana")).outcome == "accepted"


async def test_a_command_is_recorded_answered_and_told(tmp_path):
    async with at_a_table(tmp_path) as (service, shoe, seen, _):
        settled = await service.command("shoe", "lock", "Ana")
        assert (settled.outcome, settled.by) == ("accepted", "Ana")
        await until(lambda: any(isinstance(one, LockChanged) for one in seen))
        assert shoe.locked
        assert (await service.command("shoe", "clear", "Ana")).outcome == "withheld"
    journal = list(records(tmp_path / "state" / "journal.db"))
    told = [json.loads(r.body) for r in journal if r.kind in ("signal", "observation")]
    order = [one.get("signal") or one["type"] for one in told]
    asked = order.index("commanded")
    assert told[asked]["command"] == "lock"
    assert order[asked + 1] == "command_sent"
    assert order.index("command_answered") < order.index("command_settled")
    assert verify(tmp_path / "state" / "journal.db", Rederivation()).ok
    assert recover(journal).drivers["shoe"].outgoing() != b""  # which a start drops


async def test_no_answer_is_told_as_none(tmp_path):
    async with at_a_table(tmp_path, answers=Answers(times=0)) as (service, *_):
        assert (await service.command("shoe", "confirm", "Ana")).outcome == "unanswered"


async def test_what_may_not_be_commanded(tmp_path):
    async with at_a_table(tmp_path) as (service, shoe, seen, clock):
        for device, command, why in (("sign", "lock", "no device"), ("shoe", "open", "takes lock, unlock")):
            with pytest.raises(CommandError, match=why):
                await service.command(device, command, "Ana")
        shoe.do(Power(), clock.now())
        shoe.do(Pull(item="8S"), clock.now() + 2)
        await until(lambda: any(isinstance(one, CardDrawn) for one in seen))
        with pytest.raises(CommandError, match="between rounds"):
            await service.command("shoe", "lock", "Ana")


async def test_off_unless_the_configuration_says_otherwise(tmp_path):
    async with at_a_table(tmp_path, commands="false") as (service, *_):
        with pytest.raises(CommandError, match="commands = true"):
            await service.command("shoe", "lock", "Ana")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('driver = "bee-tek-a"\nlink = "pty:/tmp/x"\ncommands = true', "bee-tek-a takes no commands"),
        ('driver = "angel-eye"\nlink = "pty:/tmp/x"\nlock_on_hold = true', "set commands = true as well"),
        ('driver = "manual"\ncommands = true', "a manual shoe takes no commands"),
    ],
)
def test_a_configuration_that_cannot_command(keys, said, tmp_path):
    text = f'[table]\nid = "a"\nname = "a"\n[shoe]\n{keys}\n'
    with pytest.raises(ConfigurationError, match=said):
        parse_configuration(text, "test", tmp_path)
