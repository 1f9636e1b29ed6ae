"""A host process for tests under umockdev: the real link, pyusb and libusb. Prints what it heard as JSON.

    usb_host.py ADDRESS PLAN

PLAN is JSON: `writes`, pairs of [after so many bytes received, hex to write]; `bytes` and `losses`: stop
when so many bytes have come and the device went away so often.
"""

import asyncio
import json
import sys
import threading

import msgspec
from plugs import Ear

from controller.runtime.clock import Clock


class Steps(Clock):
    """A tenth of a second later at each look: replay at any speed is neither too fast nor too slow."""

    def __init__(self):
        super().__init__()
        self._at = 0.0

    def now(self):
        self._at += 0.1
        return self._at


def report(ear, **more):
    """What the link told, and what is left of it."""
    signals = [json.loads(msgspec.json.encode(signal)) for signal in ear.signals]
    threads = [thread.name for thread in threading.enumerate()]
    json.dump({"signals": signals, "losses": ear.link.losses, "threads": threads, **more}, sys.stdout)


async def main(address, plan):
    async with Ear(address, clock=Steps()) as ear:
        await ear.restored()
        for received, data in plan.get("writes", []):
            await ear.until(lambda: len(ear.received) >= received)  # noqa: B023
            if not ear.link.write(bytes.fromhex(data)):
                sys.exit("the link takes no bytes")
        wanted, losses = plan.get("bytes", 0), plan.get("losses", 0)
        await ear.until(lambda: len(ear.received) >= wanted and ear.link.losses >= losses)
    report(ear)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
