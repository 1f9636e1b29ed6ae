"""Plays a simulated device on a terminal or as a serial server, in the time of a clock."""

import asyncio
import contextlib
from collections.abc import Callable

from controller.ports import Simulator
from controller.runtime.clock import Clock
from drivers.links.address import parse
from drivers.links.ends import end_of

#: Real seconds. What is due within the reach of a timer goes out together: at a high speed of the clock a
#: late wake-up must not tear the copies of a report apart.
RESOLUTION = 0.01


async def serve(
    simulator: Simulator,
    address: str,
    *,
    clock: Clock,
    wait: bool = True,
    until_done: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Runs until cancelled; with `until_done`, until the device has nothing left to do.

    `wait`: nothing happens before a host has opened the link. `ready` is told the address to open. Raises
    ConfigurationError.
    """
    end = end_of(parse(address))
    woken = asyncio.Event()

    def hear(data: bytes) -> None:
        simulator.receive(data, clock.now())
        woken.set()

    opened = await end.open(hear)
    try:
        if ready is not None:
            ready(opened)
        if wait:
            await end.connected()
        while True:
            for data in simulator.advance(clock.now() + clock.seconds(RESOLUTION)):
                end.write(data)
            due = simulator.next_at()
            if due is None and until_done:
                await end.drained()
                return
            woken.clear()
            pause = None if due is None else clock.real(due - clock.now()) - RESOLUTION
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await woken.wait()
    finally:
        await end.close()
