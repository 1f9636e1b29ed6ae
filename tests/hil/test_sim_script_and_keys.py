"""`tablectl sim` by a scenario and by keyboard, to any host program at the port."""

import asyncio
import contextlib
import json
import os
import pty
import signal
import subprocess
import sys

import pytest
from plugs import SOON

from controller.observations import CardDrawn, DeviceFault, DeviceResult, DeviceStarted, LockChanged
from controller.ports import Ended, Received, find_driver, observe

SIM = [sys.executable, "-m", "controller", "sim"]


class Program:
    """`tablectl sim`, on a terminal of its own or without one."""

    def __init__(self, *options, keyboard=False):
        self.keyboard, stdin = pty.openpty() if keyboard else (None, subprocess.DEVNULL)
        self.process = subprocess.Popen(
            [*SIM, *map(str, options)], stdin=stdin, stderr=subprocess.PIPE, text=True
        )
        if keyboard:
            os.close(stdin)

    def line(self):
        return self.process.stderr.readline().rstrip()

    def lines_until(self, word):
        lines = [self.line()]
        while word not in lines[-1]:
            assert self.process.poll() is None, lines
            lines.append(self.line())
        return lines

    def press(self, keys):
        os.write(self.keyboard, keys.encode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        if self.keyboard is not None:
            os.close(self.keyboard)


class Host:
    """Any program that opens the port and reads."""

    def __init__(self, device, path):
        self.spec = find_driver(device)
        self.fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
        self.heard = b""

    def observed(self):
        reads = [Received(data=self.heard), Ended()]
        return observe(self.spec.driver(self.spec.settings()()), reads)

    async def until(self, condition):
        async with asyncio.timeout(SOON):
            while not condition(self.observed()):
                self.heard += await asyncio.to_thread(os.read, self.fd, 4096)
        return self.observed()

    def close(self):
        os.close(self.fd)


def cards(seen):
    return [one.card for one in seen if isinstance(one, CardDrawn)]


def has(kind, **fields):
    """A condition: something of that kind, with these fields, was observed."""
    return lambda seen: any(
        isinstance(one, kind) and all(getattr(one, f) == v for f, v in fields.items()) for one in seen
    )


@pytest.mark.parametrize("device", ["angel-eye", "bee-tek-a", "bee-tek-b"])
async def test_a_scenario_is_played_and_then_it_ends(device, tmp_path):
    path, truth = tmp_path / "shoe", tmp_path / "truth"
    options = ["--link", f"pty:{path}", "--script", "law-player-draws.deal", "--speed", 50, "--truth", truth]
    with Program(device, *options) as program:
        program.lines_until("waiting for a host")
        with contextlib.closing(Host(device, path)) as host:
            assert cards(await host.until(lambda seen: len(cards(seen)) == 5)) == [
                "2C",
                "9D",
                "3H",
                "7S",
                "4S",
            ]
            assert await asyncio.to_thread(program.process.wait, SOON) == 0
    drawn = [json.loads(line) for line in truth.read_text().splitlines()]
    assert [one["card"] for one in drawn if one["type"] == "card_drawn"] == ["2C", "9D", "3H", "7S", "4S"]


async def test_what_the_device_cannot_do_is_left_out_and_said(tmp_path):
    file, path = tmp_path / "mine.deal", tmp_path / "shoe"
    file.write_text("card 2C\nlocked\nresult tie\n")
    with Program(
        "bee-tek-a", "--link", f"pty:{path}", "--script", file, "--no-wait", "--speed", 50
    ) as program:
        said = program.lines_until("result tie")
    assert said[-2:] == [
        f"{file}: a simulated bee-tek-a cannot do 'locked'; it is left out",
        f"{file}: a simulated bee-tek-a cannot do 'result tie'; it is left out",
    ]


def test_a_scenario_with_an_impossible_card_is_one_line(tmp_path):
    file = tmp_path / "mine.deal"
    file.write_text("card 1Z\n")
    with Program("angel-eye", "--script", file) as program:
        _, said = program.process.communicate(timeout=SOON)
    assert program.process.returncode == 2
    assert said.startswith(f"tablectl: {file}, line 1: '1Z': a card is its rank ")
    assert len(said.splitlines()) == 1


def test_a_device_that_plays_no_scenarios_says_so(tmp_path):
    with Program("alpha-sign", "--script", "law-natural.deal") as program:
        _, said = program.process.communicate(timeout=SOON)
    assert program.process.returncode == 2
    assert said == "tablectl: driver 'alpha-sign': its simulator plays no scenarios; leave --script out\n"


async def test_an_angel_eye_by_keyboard(tmp_path):
    path = tmp_path / "shoe"
    with Program("angel-eye", "--link", f"pty:{path}", "--speed", 50, keyboard=True) as program:
        program.lines_until("waiting for a host")
        with contextlib.closing(Host("angel-eye", path)) as host:
            program.lines_until("The dealer deals until you press one.")
            program.press(" ")
            await host.until(has(CardDrawn, slot="first"))
            program.press("l")
            await host.until(has(LockChanged, locked=True))
            program.press("l")
            await host.until(has(LockChanged, locked=False))
            program.press("o")
            await host.until(has(DeviceFault, fault="overdraw", active=True))
            program.press("e")
            await host.until(has(DeviceFault, fault="overdraw", active=False))
            await host.until(has(DeviceResult))
            program.press("f")
            await host.until(has(DeviceFault, fault="draw-timeout", active=True))
            program.press("r")
            seen = await host.until(lambda seen: sum(isinstance(one, DeviceStarted) for one in seen) == 2)
            program.press("q")
            assert await asyncio.to_thread(program.process.wait, SOON) == 0
    assert not any(isinstance(one, DeviceResult) and one.forced_quit for one in seen)


async def test_a_bee_tek_by_keyboard(tmp_path):
    path = tmp_path / "shoe"
    with Program("bee-tek-a", "--link", f"pty:{path}", "--speed", 50, keyboard=True) as program:
        program.lines_until("waiting for a host")
        with contextlib.closing(Host("bee-tek-a", path)) as host:
            program.lines_until("The dealer deals until you press one.")
            program.press("  ")
            await host.until(lambda seen: len(cards(seen)) >= 2)
            program.press("u")
            await host.until(has(CardDrawn, card=None))
            program.press("f")
            await host.until(has(DeviceFault, fault="unreadable"))
            program.process.send_signal(signal.SIGINT)
            assert await asyncio.to_thread(program.process.wait, SOON) == 0
