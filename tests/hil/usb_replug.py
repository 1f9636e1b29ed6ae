"""A host process under `umockdev-wrapper` that plugs a device in and out while the real link runs.

    usb_replug.py FOLDER TIMES

Real libusb sees the device come at another address each time, and go. The moment of the loss is in the
capture: behind the byte `GO`, which this writes when the device has left /sys.
"""

import asyncio
import contextlib
import ctypes
import os
import sys
from pathlib import Path

from plugs import Ear
from usb_host import Steps, report
from usb_shape import Shape
from usbmon import device, hub, place

ADDRESS = "usb:1209:0100?serial=AE-0042"
GO = b"!"


def shape(number):
    """The device at its n-th plugging in."""
    return Shape(address=number + 1)


class Testbed:
    """umockdev's, in this process."""

    def __init__(self):
        self._library = ctypes.CDLL("libumockdev.so.0")
        self._library.umockdev_testbed_new.restype = ctypes.c_void_p
        self._testbed = ctypes.c_void_p(self._library.umockdev_testbed_new())
        self._call("add_from_string", hub(shape(1)), None)

    def plug(self, shape, capture):
        """Plug it in; `capture`: its traffic until it is pulled out."""
        self._call("add_from_string", device(shape), None)
        self._call("load_pcap", f"/sys{place(shape)}", str(capture), None)
        self._call("uevent", f"/sys{place(shape)}", "add")

    def pull(self, shape):
        """Pull it out. Who has it open keeps hearing the capture."""
        self._call("uevent", f"/sys{place(shape)}", "remove")
        self._call("remove_device", f"/sys{place(shape)}")

    def _call(self, name, *arguments):
        function = getattr(self._library, f"umockdev_testbed_{name}")
        function(self._testbed, *(one.encode() if isinstance(one, str) else one for one in arguments))


def nodes():
    """How many device nodes of the bus this process has open."""
    count = 0
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208
        with contextlib.suppress(FileNotFoundError):
            count += "/dev/bus/usb/" in str(Path(f"/proc/self/fd/{number}").readlink())
    return count


async def main(folder, times):
    testbed = Testbed()
    async with Ear(ADDRESS, clock=Steps()) as ear:
        problem = await ear.troubled()
        opened = []
        for number in range(1, times + 1):
            testbed.plug(shape(number), folder / f"{number}.pcap")
            await ear.restored(number)
            await ear.until(lambda: len(ear.received) >= 8 * number)  # noqa: B023
            opened.append(nodes())
            testbed.pull(shape(number))
            if not ear.link.write(GO):
                sys.exit("the link takes no bytes")
            await ear.lost(number)
    report(ear, problem=problem, opened=[*opened, nodes()])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
