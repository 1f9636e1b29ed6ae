"""`tablectl doctor` at a real terminal: it hears what is attached, and writes nothing."""

import asyncio
import contextlib
import json

from processes import process, simulated_shoe, table

from controller.doctor.listening import listen
from controller.ports import find_driver, find_link
from controller.runtime.clock import Clock
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator

SPEED = 20


async def test_it_tells_the_shoe_of_the_table(tmp_path):
    async with simulated_shoe(f"pty:{tmp_path}/shoe", "--speed", SPEED) as (address, _):
        options = ["-c", table(tmp_path, address, SPEED), "--listen", 2, "--json"]
        async with process("-m", "controller", "doctor", *options, stdout=asyncio.subprocess.PIPE) as doctor:
            told, _ = await doctor.communicate()
    document = json.loads(told)
    said = {(one["check"], one["about"]): (one["level"], one["says"]) for one in document["findings"]}
    assert said["listening", "shoe"] == ("ok", "angel-eye is speaking")
    level, says = said["serial", "shoe"]
    assert level == "ok"
    assert says.endswith(" is there")
    assert document["mend"] == sum(one["level"] == "mend" for one in document["findings"])
    assert doctor.returncode == (3 if document["mend"] else 0)
    # Nothing of the measurement is left behind.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shoe", "table.toml"]


async def test_it_writes_nothing(tmp_path):
    class Deaf(AngelEyeSimulator):
        heard = b""

        def receive(self, data, at):
            Deaf.heard += data

    address, opened = f"pty:{tmp_path}/shoe", asyncio.Event()
    served = find_link(address).serve(Deaf(), address, clock=Clock(SPEED), ready=lambda _: opened.set())
    serving = asyncio.ensure_future(served)
    await opened.wait()
    heard = await asyncio.to_thread(listen, address, dict(find_driver("angel-eye").serial), 1.0)
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving
    assert heard.problem is None
    assert find_driver("angel-eye").probe(heard.data)
    assert Deaf.heard == b""


async def test_a_place_without_a_device(tmp_path):
    heard = await asyncio.to_thread(listen, f"pty:{tmp_path}/nothing", {}, 0.5)
    assert heard == (b"", "no such device: is it plugged in?")
