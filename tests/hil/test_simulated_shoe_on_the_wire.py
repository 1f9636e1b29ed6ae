"""The simulated shoe on a real terminal and a real socket: what the host observes is the truth."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys

import pytest
from plugs import Ear, claimed, descriptors

from controller.observations import (
    CardDrawn,
    CutCardDrawn,
    DeviceResult,
    FrameRejected,
    LockChanged,
    SequenceGap,
)
from controller.ports import ConfigurationError, Lost, Received, find_driver, find_link, observe
from controller.runtime.clock import Clock
from drivers.shoes.acts import RoundDealt
from drivers.shoes.angel_eye.codec import Command
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator

SPEC = find_driver("angel-eye")
SPEED = 50.0


class Host(Ear):
    """A link and a driver: what the controller would observe."""

    def __init__(self, address, clock):
        super().__init__(address, clock=clock, **SPEC.serial)
        self.driver = SPEC.driver(SPEC.settings()())
        self.observed = []

    def __call__(self, signal):
        self.observed += self.driver.apply(signal)
        super().__call__(signal)

    def cards(self):
        return [(one.card, one.slot, one.index) for one in self.observed if isinstance(one, CardDrawn)]

    def winners(self):
        return [one.winner for one in self.observed if isinstance(one, DeviceResult)]


@contextlib.asynccontextmanager
async def playing(simulator, address, clock, **options):
    """Serves the simulator meanwhile; gives its address and the task."""
    opened = asyncio.get_running_loop().create_future()
    serving = asyncio.ensure_future(
        find_link(address).serve(simulator, address, clock=clock, ready=opened.set_result, **options)
    )
    try:
        await asyncio.wait({serving, opened}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        yield opened.result(), serving
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


def place(kind, tmp_path):
    return f"pty:{tmp_path / 'shoe'}" if kind == "pty" else "tcp:127.0.0.1:0"


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_a_whole_shoe_arrives_as_it_was_dealt(kind, tmp_path):
    clock, shoe = Clock(SPEED), AngelEyeSimulator(seed=7, decks=1, shoes=1)
    async with playing(shoe, place(kind, tmp_path), clock, until_done=True) as (address, serving):
        assert shoe.truth == []
        async with Host(address, clock) as host:
            await serving
            await host.lost()
    rounds = [one for one in shoe.truth if isinstance(one, RoundDealt)]
    assert host.cards() == [
        (one.card, one.slot, one.index) for one in shoe.truth if isinstance(one, CardDrawn)
    ]
    assert host.winners() == [one.winner for one in rounds]
    assert sum(isinstance(one, CutCardDrawn) for one in host.observed) == 1
    assert host.count(Lost) == 1


@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_commands_reach_the_shoe(kind, tmp_path):
    clock, shoe = Clock(SPEED), AngelEyeSimulator()
    async with playing(shoe, place(kind, tmp_path), clock) as (address, _), Host(address, clock) as host:
        await host.until(lambda: len(host.cards()) > 2)
        assert host.link.write(Command("LK", "02").raw)
        await host.until(lambda: any(isinstance(one, LockChanged) for one in host.observed))


async def test_a_host_may_go_and_come_back_while_the_shoe_deals(tmp_path):
    clock, shoe = Clock(SPEED), AngelEyeSimulator()
    heard = b""
    async with playing(shoe, f"pty:{tmp_path / 'shoe'}", clock) as (address, serving):
        for _ in range(3):
            async with Host(address, clock) as host:
                await host.until(lambda: len(host.cards()) > 2)
            heard += host.received
        assert not serving.done()
    # What the shoe said in between was kept for the next host: no byte is missing.
    told = observe(SPEC.driver(SPEC.settings()()), [Received(data=heard)])
    cards = [one.card for one in told if isinstance(one, CardDrawn)]
    assert cards == [one.card for one in shoe.truth if isinstance(one, CardDrawn)][: len(cards)]
    assert len(cards) > 8
    assert not any(isinstance(one, (FrameRejected, SequenceGap)) for one in told)


async def test_a_host_that_was_killed_leaves_no_claim_on_the_terminal(tmp_path):
    claim = (
        "import fcntl,os,sys,termios,time; f=os.open(sys.argv[1],os.O_RDWR|os.O_NOCTTY); "
        "fcntl.ioctl(f,termios.TIOCEXCL); print(flush=True); time.sleep(60)"
    )
    clock, shoe = Clock(SPEED), AngelEyeSimulator()
    async with playing(shoe, f"pty:{tmp_path / 'shoe'}", clock):
        path = tmp_path / "shoe"
        host = await asyncio.create_subprocess_exec(
            sys.executable, "-c", claim, str(path), stdout=subprocess.PIPE
        )
        await host.stdout.readline()
        assert claimed(path)
        host.kill()
        await host.wait()
        async with asyncio.timeout(20):
            while claimed(path):
                await asyncio.sleep(0.001)


async def test_two_clients_of_a_serial_server_hear_the_same(tmp_path):
    clock, shoe = Clock(SPEED), AngelEyeSimulator(seed=1, rounds=3)
    async with (
        playing(shoe, "tcp:127.0.0.1:0", clock, until_done=True) as (address, serving),
        Host(address, clock) as one,
        Host(address, clock) as other,
    ):
        await asyncio.gather(one.restored(), other.restored())
        await serving
        await asyncio.gather(one.lost(), other.lost())
    assert one.cards()[-3:] == other.cards()[-3:]


async def test_stopping_takes_the_path_away_and_closes_everything(tmp_path):
    before = descriptors()
    clock = Clock(SPEED)
    async with playing(AngelEyeSimulator(), f"pty:{tmp_path / 'shoe'}", clock):
        assert (tmp_path / "shoe").is_symlink()
    assert list(tmp_path.iterdir()) == []
    assert descriptors() == before


@pytest.mark.parametrize(
    ("address", "remedy"),
    [("pty:{}/file", "name another"), ("pty:{}/none/shoe", "may write"), ("tcp:192.0.2.1:1", "this machine")],
)
async def test_a_place_that_cannot_be_served_is_one_clear_line(address, remedy, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=remedy):
        async with playing(AngelEyeSimulator(), address.format(tmp_path), Clock()):
            pass


# -- the command ------------------------------------------------------------------------------------------


def sim(*options):
    return subprocess.Popen(
        [sys.executable, "-m", "controller", "sim", "angel-eye", *map(str, options)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


async def test_sim_deals_to_any_host_and_writes_the_truth(tmp_path):
    path, truth = tmp_path / "shoe", tmp_path / "truth.jsonl"
    options = ["--link", f"pty:{path}", "--speed", SPEED, "--seed", 5, "--rounds", 4, "--truth", truth]
    with sim(*options) as process:
        assert "waiting for a host" in await asyncio.to_thread(process.stderr.readline)
        assert truth.read_bytes() == b""
        clock = Clock(SPEED)
        async with Host(f"pty:{path}", clock) as host:
            await host.lost()
        assert await asyncio.to_thread(process.wait) == 0
    events = [json.loads(line) for line in truth.read_text().splitlines()]
    rounds = [event for event in events if event["type"] == "round_dealt"]
    assert [event["round"] for event in rounds] == [1, 2, 3, 4]
    assert host.winners() == [event["winner"] for event in rounds]
    dealt = [event["card"] for event in events if event["type"] == "card_drawn"]
    assert [card for card, _, _ in host.cards()] == dealt


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
async def test_sim_runs_until_stopped(stop, tmp_path):
    path = tmp_path / "shoe"
    with sim("--link", f"pty:{path}", "--no-wait") as process:
        await asyncio.to_thread(process.stderr.readline)
        process.send_signal(stop)
        assert await asyncio.to_thread(process.wait) == 0
    assert not path.is_symlink()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--link", "serial:/dev/ttyAMA0"], "pty:PATH"),
        (["--link", "nowhere"], "begins with"),
        (["--decks", "99"], "decks"),
        (["--speed", "0"], "--speed"),
        (["--truth", "/nowhere/truth"], "--truth"),
    ],
)
def test_sim_with_impossible_options_is_one_clear_line(options, word):
    with sim(*options) as process:
        _, told = process.communicate()
    assert process.returncode == 2
    assert word in told
    assert len(told.splitlines()) == 1
