"""Plays a simulated device on a terminal or as a serial server, in the time of a clock."""

import asyncio
import contextlib
from collections.abc import Callable
from math import inf

from controller.ports import Session, Simulator
from controller.runtime.clock import Clock
from drivers.links.address import parse
from drivers.links.ends import end_of
from drivers.testing.faults import parse_faults
from drivers.testing.faulty import Faulty

#: What follows so closely goes out in one write: real seconds (a timer cannot tell them apart) and seconds of
#: the device. Else, at a high speed of the clock, a late wake-up would tear the copies of a report apart.
RESOLUTION, CLOSE = 0.01, 0.1
MANY = 256  # writes in one, so that a device that never stops does not hold the loop


async def serve(
    simulator: Simulator,
    address: str,
    *,
    clock: Clock,
    wait: bool = True,
    until_done: bool = False,
    ready: Callable[[str], None] | None = None,
    begun: Callable[[Session], None] | None = None,
    faults: str = "",
    seed: int = 0,
) -> None:
    """Runs until cancelled; with `until_done`, until the device has nothing left to do.

    `wait`: nothing happens before a host has opened the link. `ready` is told the address to open, `begun`
    the session when it begins. `faults`: what goes wrong on the line (drivers.testing.faults), drawn from
    `seed`; the simulator may be a Faulty one already. Raises ConfigurationError.
    """
    device = simulator if isinstance(simulator, Faulty) else Faulty(simulator, parse_faults(faults), seed)
    end = end_of(parse(address))
    woken = asyncio.Event()

    def hear(data: bytes) -> None:
        device.receive(data, clock.now())
        woken.set()

    opened = await end.open(hear)
    plugged = True
    try:
        if ready is not None:
            ready(opened)
        if wait:
            await end.connected()
        if begun is not None:
            begun(_Session(device, clock, woken))
        while True:
            data = _due(device, clock)
            if device.plugged and not plugged:
                await end.open(hear)
                plugged = True
            if data and plugged:
                end.write(data)
            if plugged and not device.plugged:
                plugged = False
                await end.close()
            due = device.next_at()
            if due is None and until_done:
                await end.drained()
                return
            woken.clear()
            pause = None if due in (None, inf) else clock.real(due - clock.now())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await woken.wait()
    finally:
        if plugged:
            await end.close()


class _Session:
    """The device's side of a Session."""

    def __init__(self, device: Faulty, clock: Clock, woken: asyncio.Event) -> None:
        self.now = clock.now
        self.unplug = device.unplug
        self.wake = woken.set


def _due(simulator: Simulator, clock: Clock) -> bytes:
    """What the device sends now, and what follows it closely."""
    at = clock.now()
    reach = min(clock.seconds(RESOLUTION), CLOSE)
    writes = simulator.advance(at)
    while (due := simulator.next_at()) is not None and due <= at + reach and len(writes) < MANY:
        at = max(at, due)
        writes += simulator.advance(at)
    return b"".join(writes)
