"""The open shuffler's protocol over USB: real libusb, a replayed kernel, and the driver that serial uses."""

import errno
import json
import subprocess
import sys

import pytest
from test_usb_replay import inward, received, replay, writes
from text_devices import codec_of, plain, play
from usb_shape import INTERRUPT, Shape
from usbmon import Transfer, dealt, description, pcap, place, strings

from controller.journal.reader import connect, records
from controller.observations import ShuffleFinished, ShufflerState, ShuffleStarted
from controller.ports import find_driver, observe
from controller.runtime.replaying import items
from drivers.shufflers.acts import Insert
from drivers.shufflers.text import TextShuffler
from drivers.text.driver import TextDriver

OPEN = codec_of("open-shuffler")
SPEC = find_driver("open-shuffler")
SHAPE = Shape(serial="SH-0007")


def attended(**options):
    """One pack, from the attendant's hands and back into them."""
    return TextShuffler(OPEN, seed=7, decks=8, shoes=1, **options)


def stages(observed):
    """What became of the pack, in order, without repetition."""
    told = [one.state if isinstance(one, ShufflerState) else type(one).__name__ for one in observed]
    return [one for place, one in enumerate(told) if place == 0 or one != told[place - 1]]


WHOLE = [
    "idle_empty",
    "loading",
    "ShuffleStarted",
    "shuffling",
    "verifying",
    "ShuffleFinished",
    "ready",
    "unloading",
    "idle_empty",
]


@pytest.mark.parametrize(
    ("shape", "query"),
    [
        (SHAPE, "?serial=SH-0007"),
        (Shape(mode=INTERRUPT, packet=8, serial="SH-0007"), "?mode=interrupt&serial=SH-0007"),
    ],
    ids=["bulk", "interrupt, lines in pieces"],
)
def test_a_whole_shuffle_says_over_usb_what_it_says_over_a_serial_line(shape, query, tmp_path):
    transfers = [*strings(shape), *dealt(shape, attended())]
    sent = inward(shape, transfers)
    signals, told = replay(tmp_path, shape, transfers, query, bytes=len(sent))
    assert received(signals) == sent
    assert told["losses"] == 0
    observed = observe(SPEC.driver(SPEC.settings()()), signals)
    assert plain(observed) == plain(play(attended(), TextDriver(OPEN)))
    assert stages(observed) == WHOLE
    (finished,) = [one for one in observed if isinstance(one, ShuffleFinished)]
    assert (finished.pack, finished.count, finished.missing, finished.extra) == ("7-1", 416, [], [])


def test_it_shuffles_and_gives_the_pack_out_when_the_host_says_so(tmp_path):
    """Replay goes on only when the very bytes of each command have been written."""
    unit = TextShuffler(OPEN, seed=7, decks=1, attendant=False)
    unit.do(Insert(), 1.0)
    # Its writes: loading 1, the command's answer and shuffling 2 to 13, verifying, finished, ready.
    orders = [(1, OPEN.command("shuffle", {})), (16, OPEN.command("eject", {}))]
    transfers = [*strings(SHAPE), *dealt(SHAPE, unit, orders)]
    sent = inward(SHAPE, transfers)
    planned = writes(SHAPE, transfers)
    assert [bytes.fromhex(data) for _, data in planned] == [data for _, data in orders]
    signals, _ = replay(tmp_path, SHAPE, transfers, "?serial=SH-0007", writes=planned, bytes=len(sent))
    observed = observe(SPEC.driver(SPEC.settings()()), signals)
    about = [one for one in observed if isinstance(one, (ShufflerState, ShuffleStarted, ShuffleFinished))]
    assert stages(about) == WHOLE[1:]
    assert list(unit.packs) == ["7-1"]


TABLE = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
boundaries = "device"
[shoe]
driver = "angel-eye"
link = "pty:{folder}/no-shoe"
[shuffler]
driver = "open-shuffler"
link = "usb:1209:0100?serial=SH-0007"
[web]
listen = "127.0.0.1:0"
"""


def test_a_whole_shuffle_through_the_whole_service(tmp_path):
    (tmp_path / "table.toml").write_text(TABLE.format(folder=tmp_path))
    (tmp_path / "unit.umockdev").write_text(description(SHAPE))
    transfers = [*strings(SHAPE), *dealt(SHAPE, attended()), Transfer(0.0, SHAPE.into, status=-errno.ENODEV)]
    (tmp_path / "unit.pcap").write_bytes(pcap(SHAPE, transfers))
    testbed = ["umockdev-run", "-d", tmp_path / "unit.umockdev"]
    testbed += ["-p", f"/sys{place(SHAPE)}={tmp_path / 'unit.pcap'}", "--"]
    service = [sys.executable, "-m", "controller", "run", "-c", tmp_path / "table.toml"]
    with subprocess.Popen([*testbed, *service], stderr=subprocess.PIPE) as process:
        for line in process.stderr:
            # The service logs JSON; the other lines are umockdev's. The unit is unplugged in the end.
            told = json.loads(line) if line.startswith(b"{") else {}
            if (told.get("device"), told.get("state")) == ("shuffler", "lost"):
                process.terminate()
    assert process.returncode == 0
    with connect(tmp_path / "state" / "journal.db") as journal:
        said = [item for _, item in items(records(journal)) if getattr(item, "device", None) == "shuffler"]
    about = [one for one in said if isinstance(one, (ShufflerState, ShuffleStarted, ShuffleFinished))]
    assert stages(about) == WHOLE
