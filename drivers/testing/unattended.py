"""A process of its own: the service of a table at which everything irregular is answered at once. At its end
it says in a line of JSON how many rounds, shoes and irregularities there were.

    python -m drivers.testing.unattended TABLE.toml SPEED
"""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from controller.config import load_configuration
from controller.facts import IrregularityRaised, RoundDecided, ShoeEnded
from controller.runtime import heap, log
from controller.runtime.clock import Clock
from controller.runtime.notify import Notifier
from controller.runtime.service import Service
from controller.runtime.unattended import settle
from controller.views.disclosure import Item


async def serve(path: Path, speed: float) -> None:
    """Until the process is told to end."""
    config = load_configuration(path)
    log.set_up(config.log.format, config.log.level)
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)

    count: Counter[str] = Counter()

    def watch(_: int, item: Item) -> None:
        count["rounds"] += isinstance(item, RoundDecided)
        count["shoes"] += isinstance(item, ShoeEnded)
        if isinstance(item, IrregularityRaised):
            count[item.code] += 1
            loop.call_soon(settle, service, item, "pit")

    service = Service(config, Clock(speed), watch, notifier=Notifier(os.environ))
    await service.start()
    heap.settle()
    await stop.wait()
    await service.stop()
    sys.stdout.write(json.dumps(count) + "\n")


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), float(sys.argv[2])))
