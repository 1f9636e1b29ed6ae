"""The serial link on real terminals: losses, reopening, exclusiveness, nothing thrown away."""

import asyncio
import errno
import os
import sys
import termios

import pytest
import serial
from plugs import Ear, Plug, claimed, descriptors

from controller.ports import Lost, Received, Restored
from controller.runtime.clock import Clock
from drivers.links.port import BACK_OFF
from drivers.shoes.angel_eye.codec import Decoder, Rejected
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator

LOSSES = 50


@pytest.fixture
def plug(tmp_path):
    return Plug(tmp_path / "shoe")


def shoe_bytes():
    """What a shoe sends, write by write."""
    shoe = AngelEyeSimulator(rounds=20)
    while (due := shoe.next_at()) is not None:
        yield from shoe.advance(due)


async def test_fifty_losses_in_mid_traffic(plug):
    writes = shoe_bytes()
    before = descriptors()
    async with Ear(f"pty:{plug.path}") as ear:
        for number in range(1, LOSSES + 1):
            plug.insert()
            await ear.restored(number)
            told = b""
            for data in (next(writes), next(writes), next(writes)[: number % 8]):
                os.write(plug.master, data)
                told += data
            await ear.heard(told)
            os.write(plug.master, b"\x05")  # on its way while the plug is pulled
            plug.pull()
            await ear.lost(number)
    kinds = [type(signal) for signal in ear.signals if not isinstance(signal, Received)]
    assert kinds == [Restored, Lost] * LOSSES
    times = [signal.at for signal in ear.signals]
    assert times == sorted(times)
    assert descriptors() == before


async def test_no_byte_that_was_received_is_lost_or_doubled(plug):
    async with Ear(f"pty:{plug.path}") as ear:
        expected = b""
        for number in range(1, 6):
            plug.insert()
            await ear.restored(number)
            block = bytes([number]) * 30_000
            writer = asyncio.get_running_loop().run_in_executor(None, _write_all, plug.master, block)
            expected += block
            await ear.heard(block[-1:])
            await ear.until(lambda: len(ear.received) == len(expected))  # noqa: B023
            await writer
            plug.pull()
            await ear.lost(number)
        assert ear.received == expected


def _write_all(fd, data):
    while data:
        data = data[os.write(fd, data) :]


async def test_what_came_before_the_port_was_open_is_kept(plug):
    plug.insert()
    os.write(plug.master, b"before")
    async with Ear(f"pty:{plug.path}") as ear:
        await ear.heard(b"before")
    plug.pull()


async def test_a_port_that_is_not_there_is_tried_again_with_growing_pauses(plug):
    assert BACK_OFF == (1, 2, 5, 10)
    async with Ear(f"pty:{plug.path}") as ear:
        assert await ear.troubled() == "no such device: is it plugged in?"
        assert not ear.link.write(b"x")
        plug.insert()
        await ear.restored()
        assert ear.link.problem is None
    plug.pull()


async def test_a_closed_link_says_nothing_more(plug):
    plug.insert()
    before = descriptors()
    ear = Ear(f"pty:{plug.path}")
    async with ear:
        await ear.restored()
    os.write(plug.master, b"unheard")
    plug.pull()
    await asyncio.sleep(0)
    assert [type(signal) for signal in ear.signals] == [Restored]
    assert descriptors() == before - 1


async def test_closing_while_it_is_being_opened_leaves_nothing_open(plug):
    plug.insert()
    before = descriptors()
    for _ in range(20):
        ear = Ear(f"pty:{plug.path}")
        async with ear:
            await asyncio.sleep(0)
        assert ear.signals == []
    assert descriptors() == before
    plug.pull()


async def test_nobody_else_can_open_the_port(plug):
    plug.insert()
    async with Ear(f"serial:{plug.path}", baud=4800) as ear:
        await ear.restored()
        assert claimed(plug.path)
        assert termios.tcgetattr(plug.master)[4] == termios.B4800
        # A superuser gets past the claim; the lock stops whoever asks for it.
        with pytest.raises(serial.SerialException):
            serial.Serial(str(plug.path), exclusive=True)
        async with Ear(f"pty:{plug.path}") as second:
            assert await second.troubled() == "in use by another program"
    async with Ear(f"pty:{plug.path}") as next_one:
        await next_one.restored()
    plug.pull()


async def test_writes_are_queued_while_the_port_takes_nothing(plug):
    plug.insert()
    async with Ear(f"pty:{plug.path}") as ear:
        await ear.restored()
        blocks = [bytes([n]) * 4096 for n in range(12)]
        assert all(ear.link.write(block) for block in blocks)
        loop, taken, done = asyncio.get_running_loop(), bytearray(), asyncio.Event()

        def take():
            taken.extend(os.read(plug.master, 65536))
            if len(taken) == 12 * 4096:
                done.set()

        loop.add_reader(plug.master, take)
        async with asyncio.timeout(20):
            await done.wait()
        loop.remove_reader(plug.master)
        assert bytes(taken) == b"".join(blocks)
        while ear.link.write(bytes(4096)):
            pass  # a bounded queue is full at some time
        os.write(plug.master, b"still heard")
        await ear.heard(b"still heard")
    plug.pull()


async def test_what_a_port_does_not_take_is_not_given_to_it_late(plug, monkeypatch):
    monkeypatch.setattr("drivers.links.port.STUCK", 0.2)
    plug.insert()
    async with Ear(f"pty:{plug.path}") as ear:
        await ear.restored()
        written, taken, done = 0, bytearray(), asyncio.Event()
        while ear.link.write(bytes(4096)):
            written += 4096
        await ear.lost()
        await ear.restored(2)

        def take():
            taken.extend(os.read(plug.master, 65536))
            if taken.endswith(b"fresh"):
                done.set()

        loop = asyncio.get_running_loop()
        loop.add_reader(plug.master, take)
        assert ear.link.write(b"fresh")
        async with asyncio.timeout(20):
            await done.wait()
        loop.remove_reader(plug.master)
        # What the system had taken already is on its way; the rest is not sent any more.
        assert len(taken) < written
        assert ear.count(Lost) == 1
    plug.pull()


async def test_what_is_no_terminal_is_a_problem_not_a_crash(tmp_path):
    (tmp_path / "file").write_text("no terminal")
    async with Ear(f"pty:{tmp_path / 'file'}") as ear:
        assert os.strerror(errno.ENOTTY) in await ear.troubled()


async def test_a_frame_split_by_a_loss_is_the_driver_s_to_reject(plug):
    """The link hands over what came; it does not know frames."""
    report = next(shoe_bytes())
    async with Ear(f"pty:{plug.path}", clock=Clock(50)) as ear:
        plug.insert()
        await ear.restored()
        os.write(plug.master, report[:4])
        await ear.heard(report[:4])
        plug.pull()
        await ear.lost()
    assert Decoder().feed(ear.received) == []
    decoder = Decoder()
    decoder.feed(ear.received)
    assert decoder.end() == [Rejected("garbage", report[:4])]


#: Opens the terminal as any program would, without asking for exclusiveness; root passes the kernel's mark.
UNPRIVILEGED = """
import os, sys
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
except OSError as error:
    sys.exit(error.errno)
"""


async def test_no_other_users_program_can_open_the_port_while_it_is_held(plug):
    plug.insert()
    terminal = os.path.realpath(plug.path)
    os.chmod(terminal, 0o666)  # noqa: PTH101 - anybody might open it, were it not held
    other = [sys.executable, "-c", UNPRIVILEGED, terminal]

    async def opened_by_another() -> int:
        process = await asyncio.create_subprocess_exec(*other, cwd="/")
        return await process.wait()

    assert await opened_by_another() == 0
    async with Ear(f"pty:{plug.path}") as ear:
        await ear.restored(1)
        assert await opened_by_another() == errno.EBUSY
