"""Faults on real terminals and sockets: a link pulled out and put back, the options of sim and demo."""

import asyncio
import contextlib
import json
import subprocess
import sys

import pytest
from plugs import Ear, descriptors

from controller.ports import Lost, Restored
from controller.runtime.clock import Clock
from drivers.links import serve_link
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator

SPEED = 50.0


def tablectl(*words):
    return subprocess.run(
        [sys.executable, "-m", "controller", *map(str, words)], capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_an_unplugged_device_goes_and_comes_back_at_the_same_address(kind, tmp_path):
    before = descriptors()
    link = f"pty:{tmp_path}/shoe" if kind == "pty" else "tcp:127.0.0.1:0"
    clock, shoe = Clock(SPEED), AngelEyeSimulator(seed=3, decks=1, shoes=1)
    there = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(
        serve_link(
            shoe, link, clock=clock, faults="unplug@9", seed=1, ready=there.set_result, until_done=True
        )
    )
    async with Ear(await there, clock=clock) as host:
        await host.lost()
        await host.restored(2)
        heard = len(host.received)
        await host.until(lambda: len(host.received) > heard)
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving
    assert (host.count(Restored), host.count(Lost) >= 1) == (2, True)
    assert list(tmp_path.iterdir()) == []
    assert descriptors() == before


def test_sim_refuses_a_fault_that_there_is_not():
    run = tablectl("sim", "angel-eye", "--faults", "dorp=0.1")
    assert (run.returncode, run.stdout) == (2, "")
    assert "there are drop, double" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_demonstration_with_faults_plays_on_and_tells_what_it_saw():
    """Nobody is there to answer what holds a round, so it answers itself."""
    run = tablectl("demo", "--faults", "--rounds", 40, "--seed", 3, "--speed", 100, "--headless", "--json")
    assert run.returncode == 3, run.stderr
    summary = json.loads(run.stdout)
    assert "lost-frames" in summary["irregularities"]
    assert summary["rounds"] >= 40
