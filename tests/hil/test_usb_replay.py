"""The USB link on real libusb: pyusb unchanged, the kernel's side replayed by umockdev from a capture."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from usb_replug import GO
from usb_replug import shape as plugged
from usb_shape import INTERRUPT, Shape
from usbmon import Transfer, dealt, description, pcap, place, strings

from controller.observations import (
    CardDrawn,
    CommandAnswered,
    DeviceResult,
    FrameRejected,
    LockChanged,
    SequenceGap,
)
from controller.ports import AnySignal, Lost, Received, Restored, find_driver, observe
from drivers.shoes.acts import RoundDealt
from drivers.shoes.angel_eye.codec import Command
from drivers.shoes.angel_eye.settings import Settings
from drivers.shoes.angel_eye.simulator import AngelEyeSimulator

HIL = Path(__file__).parent
DATA = HIL.parent / "data" / "usb"
SPEC = find_driver("angel-eye")
LOCK = Command("LK", "02").raw
IDLE = -errno.ENOENT  # how usbmon shows a read that timed out


def run(command, cwd):
    """The JSON that a child prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(HIL), str(HIL.parent)))}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def replay(folder, shape, transfers, query="", **plan):
    """What the link at the replayed device told, and the child's report."""
    (folder / "shoe.umockdev").write_text(description(shape))
    (folder / "shoe.pcap").write_bytes(pcap(shape, transfers))
    return replay_files(folder, folder, shape, f"usb:1209:0100{query}", plan)


def replay_files(folder, files, shape, address, plan):
    """The same, from files."""
    testbed = [
        "umockdev-run",
        "-d",
        files / "shoe.umockdev",
        "-p",
        f"/sys{place(shape)}={files / 'shoe.pcap'}",
    ]
    host = [sys.executable, HIL / "usb_host.py", address, json.dumps(plan)]
    told = run([*map(str, testbed), "--", *map(str, host)], folder)
    return msgspec.convert(told["signals"], list[AnySignal]), told


def writes(shape, transfers):
    """For the plan: what the host writes, and after how many bytes."""
    received, planned = 0, []
    for transfer in transfers:
        if transfer.endpoint == shape.into:
            received += len(transfer.data)
        elif transfer.endpoint == shape.out:
            planned.append([received, transfer.data.hex()])
    return planned


def inward(shape, transfers):
    """What the device sends."""
    return b"".join(transfer.data for transfer in transfers if transfer.endpoint == shape.into)


def received(signals):
    """What the link handed over."""
    return b"".join(signal.data for signal in signals if isinstance(signal, Received))


def shoe(**options):
    """A USB shoe has no need of copies."""
    return AngelEyeSimulator(Settings(copies=1), seed=11, decks=1, shoes=1, **options)


@pytest.mark.parametrize(
    ("shape", "query"),
    [
        (Shape(), "?serial=AE-0042"),
        (Shape(mode=INTERRUPT, packet=5, out=0x03, address=9), "?mode=interrupt&in=0x81&out=0x03"),
        (Shape(interface=2, into=0x8F, out=0, serial=""), "?interface=2"),
    ],
    ids=["bulk", "interrupt, frames in pieces", "read only, third interface"],
)
def test_a_whole_shoe_arrives_as_it_was_dealt(shape, query, tmp_path):
    simulator = shoe()
    transfers = [*(strings(shape) if shape.serial else []), *dealt(shape, simulator)]
    sent = inward(shape, transfers)
    signals, told = replay(tmp_path, shape, transfers, query, bytes=len(sent))
    assert received(signals) == sent
    assert [type(signal) for signal in signals] == [Restored] + [Received] * (len(signals) - 1)
    assert max(len(signal.data) for signal in signals[1:]) <= shape.packet
    assert told["threads"] == ["MainThread"]
    observed = observe(SPEC.driver(Settings()), signals)
    assert [one.card for one in observed if isinstance(one, CardDrawn)] == [
        one.card for one in simulator.truth if isinstance(one, CardDrawn)
    ]
    assert [one.winner for one in observed if isinstance(one, DeviceResult)] == [
        one.winner for one in simulator.truth if isinstance(one, RoundDealt)
    ]
    assert not any(isinstance(one, (FrameRejected, SequenceGap)) for one in observed)


def test_commands_reach_the_shoe_in_mid_shoe(tmp_path):
    """Replay goes on only when the very bytes of the command have been written."""
    shape = Shape()
    transfers = dealt(shape, shoe(rounds=4), [(3, LOCK), (4, Command("LK", "01").raw)])
    planned = writes(shape, transfers)
    assert len(planned) == 2
    sent = inward(shape, transfers)
    signals, _ = replay(tmp_path, shape, transfers, writes=planned, bytes=len(sent))
    assert received(signals) == sent
    observed = observe(SPEC.driver(Settings()), signals)
    assert [one.locked for one in observed if isinstance(one, LockChanged)] == [True, False]
    assert sum(isinstance(one, CommandAnswered) for one in observed) == 2


def test_a_command_longer_than_a_packet_is_one_transfer(tmp_path):
    shape = Shape(packet=8)
    transfers = [Transfer(0.0, shape.out, bytes(range(200))), Transfer(0.1, shape.into, b"\x06")]
    signals, _ = replay(tmp_path, shape, transfers, writes=[[0, bytes(range(200)).hex()]], bytes=1)
    assert received(signals) == b"\x06"


@pytest.mark.parametrize(
    "status", [errno.ENODEV, errno.ESHUTDOWN, errno.EPIPE, errno.EPROTO, errno.EOVERFLOW]
)
def test_each_error_of_the_kernel_is_one_loss_and_the_device_is_found_again(status, tmp_path):
    shape = Shape()
    transfers = []
    for number in range(1, 4):
        transfers += strings(shape)
        transfers += [
            Transfer(0.0, shape.into, bytes([number]) * 8),
            Transfer(0.0, shape.into, status=-status),
        ]
    transfers += [*strings(shape), Transfer(0.0, shape.into, b"again")]
    signals, told = replay(tmp_path, shape, transfers, "?serial=AE-0042", bytes=29, losses=3)
    assert [type(signal) for signal in signals] == [Restored, Received, Lost] * 3 + [Restored, Received]
    assert received(signals) == b"\1" * 8 + b"\2" * 8 + b"\3" * 8 + b"again"
    assert told["losses"] == 3
    assert told["threads"] == ["MainThread"]


def test_a_capture_with_all_that_a_busy_bus_shows(tmp_path):
    """Idle reads, another device's traffic, the kernel's own questions, a packet without data."""
    shape, other = Shape(), Shape(address=6)
    mine = dealt(shape, shoe(rounds=2))
    transfers = strings(shape)
    for transfer in mine:
        transfers += [
            Transfer(transfer.at, shape.into, status=IDLE),
            *strings(shape),
            Transfer(transfer.at, shape.into),
            transfer,
        ]
    file = pcap(shape, transfers) + pcap(other, dealt(other, shoe(rounds=1)))[24:]
    (tmp_path / "shoe.umockdev").write_text(description(shape))
    (tmp_path / "shoe.pcap").write_bytes(file)
    plan = {"bytes": len(inward(shape, mine))}
    signals, told = replay_files(tmp_path, tmp_path, shape, "usb:1209:0100", plan)
    assert received(signals) == inward(shape, mine)
    assert told["losses"] == 0


TABLE = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-mini-baccarat"
boundaries = "device"
[shoe]
driver = "angel-eye"
link = "usb:1209:0100?serial=AE-0042"
decks = 8
[web]
listen = "127.0.0.1:0"
"""


def test_a_capture_from_a_file_plays_through_the_whole_service(tmp_path):
    """As the README says it is done with a recorded one. Its device leaves after the round and comes back."""
    (tmp_path / "table.toml").write_text(TABLE)
    testbed = ["umockdev-run", "-d", DATA / "one-round.umockdev"]
    testbed += ["-p", f"/sys{place(Shape())}={DATA / 'one-round.pcap'}", "--"]
    service = [sys.executable, "-m", "controller", "run", "-c", tmp_path / "table.toml"]
    states, decided, last = [], None, None
    with subprocess.Popen([*testbed, *service], stderr=subprocess.PIPE) as process:
        # The service logs JSON; the other lines are umockdev's.
        for line in process.stderr:
            if not line.startswith(b"{"):
                continue
            last = json.loads(line)
            if last["event"] == "round_decided":
                decided = last
            elif last["event"] == "device_state":
                states.append(last["state"])
                if len(states) == 3:
                    process.terminate()
    assert process.returncode == 0
    assert states == ["ok", "lost", "ok"]
    assert last["event"] == "stopped"
    assert decided["player_cards"] == ["3H", "2H", "AD"]
    assert decided["banker_cards"] == ["KH", "QH", "KH"]
    assert decided["winner"] == "player"


def test_unplugged_and_plugged_in_again_and_again(tmp_path):
    """The device comes back at another address each time, as it does at a real hub."""
    times = 25
    for number in range(1, times + 1):
        shape = plugged(number)
        transfers = [
            *strings(shape),
            Transfer(0.0, shape.into, b"report%02d" % number),
            Transfer(0.0, shape.out, GO),
            Transfer(0.0, shape.into, status=-errno.ENODEV),
        ]
        (tmp_path / f"{number}.pcap").write_bytes(pcap(shape, transfers))
    host = [sys.executable, str(HIL / "usb_replug.py"), str(tmp_path), str(times)]
    told = run(["umockdev-wrapper", *host], tmp_path)
    signals = msgspec.convert(told["signals"], list[AnySignal])
    assert [type(signal) for signal in signals] == [Restored, Received, Lost] * times
    assert received(signals) == b"".join(b"report%02d" % number for number in range(1, times + 1))
    assert told["problem"].startswith("no USB device 1209:0100")
    assert told["losses"] == times
    assert told["opened"] == [1] * times + [0]
    assert told["threads"] == ["MainThread"]
