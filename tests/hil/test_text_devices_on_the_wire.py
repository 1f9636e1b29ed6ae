"""Devices that profiles describe on real terminals and sockets: what the host observes is the truth."""

import asyncio
import json
import subprocess
import sys

import pytest
from plugs import Ear
from text_devices import codec_of

from controller.observations import CardDrawn, CommandSettled, ShuffleFinished
from controller.ports import Commanded, Discreet, Lost, find_driver, find_link
from controller.runtime.clock import Clock
from controller.views.view import TableInfo, TableView
from drivers.displays.text import Shown
from drivers.shufflers.acts import Insert, Offer

SPEED = 200.0


class Host(Ear):
    """A link and a driver: what the controller would record and observe."""

    def __init__(self, name, address, clock):
        spec = find_driver(name)
        super().__init__(address, clock=clock, **spec.serial)
        self.driver = spec.driver(spec.settings()())
        self.observed = []
        self.record = b""

    def __call__(self, signal):
        if isinstance(self.driver, Discreet):
            signal = self.driver.redact(signal)
        self.record += getattr(signal, "data", b"")
        self.observed += self.driver.apply(signal)
        self.send()
        super().__call__(signal)

    def send(self):
        if data := self.driver.outgoing():
            self.link.write(data)

    def seen(self, kind):
        return [one for one in self.observed if isinstance(one, kind)]


async def served(name, address, clock, **options):
    """A simulator being served; it, its address and the task."""
    spec = find_driver(name)
    made = spec.simulator(spec.settings()(), **options)
    opened = asyncio.get_running_loop().create_future()
    until_done = "shoes" in options or "rounds" in options
    serving = asyncio.ensure_future(
        find_link(address).serve(made, address, clock=clock, until_done=until_done, ready=opened.set_result)
    )
    return made, await opened, serving


async def stopped(serving):
    serving.cancel()
    await asyncio.wait({serving})


@pytest.mark.parametrize("name", ["bee-tek-a", "bee-tek-b"])
@pytest.mark.parametrize("kind", ["pty", "tcp"])
async def test_a_whole_shoe_of_bare_cards(name, kind, tmp_path):
    clock = Clock(SPEED)
    address = f"pty:{tmp_path / 'shoe'}" if kind == "pty" else "tcp:127.0.0.1:0"
    shoe, address, serving = await served(name, address, clock, seed=7, decks=1, shoes=1, card_pause=0.5)
    async with Host(name, address, clock) as host:
        await serving
        await host.lost()
    dealt = [one.card for one in shoe.truth if isinstance(one, CardDrawn)]
    assert [one.card for one in host.seen(CardDrawn)] == dealt
    assert len(dealt) > 36
    assert host.count(Lost) == 1


async def test_a_shuffler_shuffles_on_command_and_its_order_is_not_kept(tmp_path):
    clock = Clock(SPEED)
    made, address, serving = await served(
        "open-shuffler", f"pty:{tmp_path / 'unit'}", clock, attendant=False, decks=1, seconds=10.0
    )
    made.do(Insert(), 0.0)
    async with Host("open-shuffler", address, clock) as host:
        await host.until(lambda: any(getattr(one, "state", "") == "loading" for one in host.observed))
        host(Commanded(at=clock.now(), command="shuffle", by="eng"))
        await host.until(lambda: host.seen(ShuffleFinished))
        made.do(Offer(), clock.now())
        host(Commanded(at=clock.now(), command="state", by="eng"))
        await host.until(lambda: any(getattr(one, "fault", "") == "order-disclosed" for one in host.observed))
    await stopped(serving)
    assert [one.outcome for one in host.seen(CommandSettled)] == ["accepted", "accepted"]
    (finished,) = host.seen(ShuffleFinished)
    assert (finished.pack, finished.count, finished.missing, finished.extra) == ("0-1", 52, [], [])
    (offered,) = [line for line in host.record.splitlines() if b"ORDER" in line]
    assert offered.strip(b" \x1a") == b":ORDER"


async def test_a_layout_says_every_chip(tmp_path):
    clock = Clock(SPEED)
    layout, address, serving = await served("open-bet-sensor", f"pty:{tmp_path / 'layout'}", clock, rounds=2)
    async with Host("open-bet-sensor", address, clock) as host:
        await serving
        await host.lost()
    told = [(one.seat, one.wager, one.amount) for one in host.observed if hasattr(one, "wager")]
    assert told == [(one.seat, one.wager, one.amount) for one in layout.truth]


@pytest.mark.parametrize("name", ["alpha-sign", "line-display", "lamps"])
async def test_a_display_shows_what_it_is_told_also_after_a_lost_link(name, tmp_path):
    clock = Clock()
    screen, address, serving = await served(name, f"pty:{tmp_path / 'display'}", clock)
    state = TableView(TableInfo(id="T", name="T"), "board").state()
    async with Host(name, address, clock) as host:
        await host.restored()
        host.driver.show(state)
        host.send()
        await _shown(screen, 1)
    async with Host(name, address, clock) as host:
        host.driver.show(state)
        await _shown(screen, 2)
    await stopped(serving)
    text = "off" if name == "lamps" else "TABLE CLOSED"
    assert [one.text for one in screen.truth] == [text, text]


async def _shown(screen, times):
    async with asyncio.timeout(20):
        while sum(isinstance(one, Shown) for one in screen.truth) < times:
            await asyncio.sleep(0.001)


def test_sim_shuffles_packs_until_it_is_done(tmp_path):
    path, truth = tmp_path / "unit", tmp_path / "truth"
    command = [
        sys.executable,
        "-m",
        "controller",
        "sim",
        "open-shuffler",
        "--link",
        f"pty:{path}",
        "--seed",
        "3",
    ]
    command += ["--shoes", "1", "--decks", "1", "--speed", "1000", "--truth", str(truth)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert b"waiting for a host" in process.stderr.readline()
        with path.open("rb", buffering=0) as port:
            heard = b""
            while heard.count(b"idle_empty") < 2:
                heard += port.read(4096)
        assert process.wait(60) == 0
    (handed,) = [json.loads(line) for line in truth.read_text().splitlines()]
    assert (handed["type"], handed["pack"], len(handed["cards"])) == ("pack_handed_over", "3-1", 52)
    assert codec_of("open-shuffler").framed("END 3-1 52 - -") in heard


def test_sim_of_a_profile_by_its_path(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "bee-tek-b"\n[link]\nbaud = 4800\n')
    command = [sys.executable, "-m", "controller", "sim", str(path), "--link", f"pty:{tmp_path / 'shoe'}"]
    command += ["--rounds", "1", "--speed", "1000"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert b"waiting for a host" in process.stderr.readline()
        with (tmp_path / "shoe").open("rb", buffering=0) as port:
            assert port.read(1) == b"*"
        process.wait(60)
    assert process.returncode == 0
