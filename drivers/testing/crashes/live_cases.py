"""Cases with the service at work: killed, its disk full, failing or slow, its clock moved."""

import signal
from collections.abc import Callable
from pathlib import Path
from random import Random

from controller.journal.reader import records
from controller.journal.record import Record
from controller.journal.store import POINTS
from drivers.testing.crashes.children import Child
from drivers.testing.crashes.judge import (
    FAULTS,
    Broken,
    Judged,
    Result,
    audited,
    compared,
    items_of,
    plain,
    stands,
    undisturbed,
)
from drivers.testing.crashes.lives import Life, Step, configuration, deal
from drivers.testing.crashes.recording import Told, address_of, live
from drivers.testing.crashes.small_disk import free

#: Real seconds of play: a few rounds.
PLAY = (0.3, 1.6)
#: Long enough for a shoe to end and another to begin.
LONG = 5.0
#: The points that every commit comes to.
OFTEN = ("begun", "inserted", "committed", "marked")
#: Seconds of the clock for which a terminal holds, at least, what is not read.
HOLDS = 50.0
WEEK = 7 * 86400.0


def kill(draw: Random, number: int) -> list[tuple[Life, float]]:
    """At random instants, also while it starts."""
    return [(Life(), draw.uniform(0, 0.3) if draw.random() < 0.25 else draw.uniform(*PLAY)) for _ in range(3)]


def point(draw: Random, number: int) -> list[tuple[Life, float]]:
    """At each point of a commit, a checkpoint or a division, one after the other."""
    place = POINTS[number % len(POINTS)]
    soon = draw.randint(1, 3) if place in OFTEN else 1
    return [(Life(point=place, nth=draw.randint(1, 30)), 1.0), (Life(point=place, nth=soon), LONG)]


def full(draw: Random, number: int) -> list[tuple[Life, float]]:
    """A disk that another file fills, for a while or until the kill."""
    begin, end = sorted((draw.uniform(0.0, 1.2), draw.uniform(0.2, 2.0)))
    steps = (Step(begin, "fill", (draw.choice((0, 4096, 8192, 49_152)),)), Step(end, "free"))
    return [(Life(steps=steps), draw.uniform(0.4, 2.5))]


def failing(draw: Random, number: int) -> list[tuple[Life, float]]:
    """Syncs that fail."""
    steps = [Step(draw.uniform(0, 1.5), "syncs", (draw.randint(0, 10), draw.randint(1, 6))) for _ in range(2)]
    return [(Life(steps=tuple(steps)), draw.uniform(0.6, 2.5))]


def slow(draw: Random, number: int) -> list[tuple[Life, float]]:
    """Syncs that take long."""
    steps = (Step(draw.uniform(0, 0.6), "syncs", (0, 0, draw.choice((30, 150, 600)))), Step(1.2, "syncs"))
    return [(Life(steps=steps), draw.uniform(0.5, 2.0))]


def jumping(draw: Random, number: int) -> list[tuple[Life, float]]:
    """A clock that jumps, back and forth, from seconds to months."""
    jumps = (-20 * WEEK, -WEEK, -3600.0, -2.0, 2.0, 3600.0, WEEK, 20 * WEEK)
    steps = [Step(draw.uniform(0, 1.5), "clock", (draw.choice(jumps),)) for _ in range(4)]
    return [(Life(steps=tuple(steps)), draw.uniform(0.6, 1.8)) for _ in range(2)]


#: This kind needs a disk of its own for the state.
FULL = "disk full"
#: What becomes of the lives before the last, each with its seconds of play.
KINDS: dict[str, Callable[[Random, int], list[tuple[Life, float]]]] = {
    "killed at any instant": kill,
    "killed at a point": point,
    FULL: full,
    "sync fails": failing,
    "sync stalls": slow,
    "clock jumps": jumping,
}


def disturbed(kind: str, folder: Path, seed: int, number: int) -> Judged:
    """One case in its folder: the shoe deals, the service is disturbed and killed, and then works."""
    draw = Random(f"{seed}/{number}")
    deals, told = draw.randrange(1000), Told()
    link = f"pty:{folder}/shoe" if draw.random() < 0.5 else "tcp:127.0.0.1:0"
    shoe = Child(lambda saying: deal(link, deals, saying), folder / "shoe.err")
    try:
        config = configuration(folder, address_of(shoe))
        path = config.state / "journal.db"
        for life, seconds in KINDS[kind](draw, number):
            # Only at its end does a service come to some of the points.
            how = signal.SIGTERM if life.point else signal.SIGKILL
            live(life, config, seconds, how, told, folder)
            free(config.state)
            # Before anything was told it may have been killed while it made the file.
            if told.items:
                stands(path, told.standings)
        live(Life(), config, draw.uniform(*PLAY), signal.SIGTERM, told, folder)
        return Judged(result=_kept(path, told, deals), violations=[])
    except (Broken, *FAULTS) as broken:
        return Judged(result="held", violations=[f"{type(broken).__name__}: {broken}"])
    finally:
        shoe.end()


def _kept(path: Path, told: Told, deals: int) -> Result:
    audited(path)
    journal = {record.seq: record for record in records(path)}
    for number, text in told.items.items():
        if number not in journal or journal[number].body.decode() != text:
            raise Broken(f"of record {number} was told {text}; it is {journal.get(number)}")
    if any(_overran(record) for record in journal.values()):
        return "held"
    return compared([], items_of(journal.values()), undisturbed(deals))


def _overran(record: Record) -> bool:
    """The service was away (it says so: the link is lost) until a terminal's buffer ran over. Of what is lost
    amid it ten reports leave no gap, as a shoe numbers them with one digit.
    """
    if record.kind != "signal":
        return False
    said = plain(record.body)
    away = said["signal"] == "resumed" and said.get("heard") is not None
    return bool(away and said["at"] - said["heard"] > HOLDS)
