"""A recorded run: the real service at a simulated shoe, killed and started again, with all that its disk saw."""

import signal
import time
from pathlib import Path
from random import Random

from msgspec import Struct

from controller.config import Configuration
from controller.journal.reader import records
from drivers.testing.crashes.children import Child
from drivers.testing.crashes.judge import Broken, Reference
from drivers.testing.crashes.lives import Life, Step, configuration, deal, serve

#: Real seconds that each life of a recorded service lasts, at least and at most.
LASTS = (2.0, 5.0)
LIVES = 3
SOON = 30.0
LOG = "disk.log"


class Told(Struct):
    """What the children of one case said: items by record, and how the table stood."""

    items: dict[int, str] = {}
    standings: dict[int, str] = {}

    def hear(self, line: str) -> None:
        """One line of a service. Raises Broken where it says something else of a record than before."""
        kept = self.items if line[0] == "+" else self.standings
        number, _, text = line[1:].partition(" ")
        if kept.setdefault(int(number), text) != text:
            raise Broken(f"of record {number} was told {kept[int(number)]} and then {text}")


def last_told(said: list[str]) -> int:
    """The number of the last record that these lines tell of."""
    return max((int(line[1:].partition(" ")[0]) for line in said), default=0)


def troubles(draw: Random) -> tuple[Step, ...]:
    """A disk that now and then refuses a sync, or none of that."""
    if draw.random() < 0.5:
        return ()
    return tuple(
        Step(draw.uniform(0.2, LASTS[0]), "syncs", (draw.randint(0, 20), draw.randint(1, 4)))
        for _ in range(draw.randint(1, 2))
    )


def record(folder: Path, seed: int, *, broken: bool = False) -> Reference:
    """Record a run of this seed: its log is `folder`/disk.log. Raises Broken where the service ends by
    itself.
    """
    draw = Random(f"recording/{seed}")
    told = Told()
    link = f"pty:{folder}/shoe" if seed % 2 == 0 else "tcp:127.0.0.1:0"
    shoe = Child(lambda saying: deal(link, seed, saying), folder / "shoe.err")
    try:
        address = shoe.line(SOON)
        if address is None:
            raise RuntimeError(f"the simulated shoe did not start: {shoe.complaint()}")
        config = configuration(folder, address.decode())
        for turn in range(LIVES):
            life = Life(log=folder / LOG, steps=troubles(draw), broken=broken)
            how = signal.SIGTERM if turn == 1 else signal.SIGKILL
            live(life, config, draw.uniform(*LASTS), how, told, folder)
    finally:
        shoe.end()
    return Reference(
        seed=seed,
        journal=list(records(config.state / "journal.db")),
        standings=told.standings,
        config=config,
    )


def live(
    life: Life, config: Configuration, seconds: float, how: signal.Signals, told: Told, folder: Path
) -> None:
    """One life of the service, ended after so long; or before, by itself, where it is to kill itself. Raises
    Broken where it ends otherwise.
    """
    service = Child(lambda saying: serve(life, config, saying), folder / "service.err")
    until = time.monotonic() + seconds
    while (line := service.line(max(0.0, until - time.monotonic()))) is not None:
        told.hear(line.decode())
    code, rest = service.end(how)
    for line in rest:
        told.hear(line.decode())
    wanted = {-signal.SIGKILL} if how == signal.SIGKILL or life.point else set()
    if code not in wanted | ({0} if how == signal.SIGTERM else set()):
        raise Broken(f"the service ended by itself with code {code}: {service.complaint()}")
