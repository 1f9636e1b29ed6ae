"""A recorded run: the real service, killed and started again, with all that its disk saw."""

import signal
import time
from pathlib import Path
from random import Random

from msgspec import Struct

from controller.config import Configuration
from controller.journal.reader import records
from controller.ports import ConfigurationError
from drivers.testing.crashes.children import Child
from drivers.testing.crashes.disk import Op, operations
from drivers.testing.crashes.judge import Broken, Reference
from drivers.testing.crashes.lives import RECORDED, Life, Step, configuration, deal, serve

#: Real seconds that each life of a recorded service lasts, at least and at most.
LASTS = (4.0, 8.0)
LIVES = 3
SOON = 30.0
LOG = "disk.log"
SEED = "seed"


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


def record(folder: Path, seed: int, *, broken: bool = False) -> None:
    """Record a run of this seed into `folder`. Raises Broken where the service ends by itself."""
    draw = Random(f"recording/{seed}")
    told = Told()
    (folder / SEED).write_text(str(seed))
    link = f"pty:{folder}/shoe" if seed % 2 == 0 else "tcp:127.0.0.1:0"
    shoe = Child(lambda saying: deal(link, seed, saying, RECORDED), folder / "shoe.err")
    try:
        config = configuration(folder, address_of(shoe))
        for turn in range(LIVES):
            stops = turn == 1
            life = Life(steps=() if stops else troubles(draw), speed=RECORDED, broken=broken)
            how = signal.SIGTERM if stops else signal.SIGKILL
            live(life, config, draw.uniform(*LASTS), how, told, folder)
    finally:
        shoe.end()


def replayed(folder: Path) -> tuple[Reference, list[Op]]:
    """What was recorded into `folder`: what it came to, and all that happened to the disk."""
    told = Told()
    ops = list(operations((folder / LOG).read_bytes()))
    for op in ops:
        if op.what == "said":
            told.hear(op.name)
    config = configuration(folder, "pty:/nowhere")
    journal = list(records(config.state / "journal.db"))
    seed = int((folder / SEED).read_text())
    return Reference(seed=seed, journal=journal, standings=told.standings, config=config), ops


def address_of(shoe: Child) -> str:
    """Where a simulated shoe waits. Raises ConfigurationError."""
    address = shoe.line(SOON)
    if address is None:
        raise ConfigurationError(f"the simulated shoe did not start: {shoe.complaint()}")
    return address.decode()


def live(
    life: Life, config: Configuration, seconds: float, how: signal.Signals, told: Told, folder: Path
) -> None:
    """One life of the service, ended after so long; or before, by itself, where it is to kill itself. One
    that is told to end, or is disturbed, has begun to work before. Raises Broken where it ends otherwise.
    """
    notes = folder / LOG
    service = Child(lambda saying: serve(life, config, notes, saying), folder / "service.err")
    first = service.line(SOON) if how == signal.SIGTERM or life.steps else None
    until = time.monotonic() + seconds
    while (line := first or service.line(max(0.0, until - time.monotonic()))) is not None:
        first = None
        told.hear(line.decode())
    code, rest = service.end(how)
    for line in rest:
        told.hear(line.decode())
    wanted = {-signal.SIGKILL} if how == signal.SIGKILL or life.point else set()
    if code not in wanted | ({0} if how == signal.SIGTERM else set()):
        raise Broken(f"the service ended by itself with code {code}: {service.complaint()}")
