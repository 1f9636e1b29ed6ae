"""The campaign of the crashes: numbered cases from a seed, each judged by what must hold behind it.

A block of cases shares one recorded run of the real service, of which each takes a cut of its own; the others
are runs of their own. The recordings come first, as nothing should disturb them but what they are told to do.
A power cut and a kill may cost nothing that was told; damage must be named.
"""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from random import Random

from msgspec import Struct

from controller.campaigns import CrashReport, Violation
from controller.runtime import log
from controller.runtime.identity import software_version
from drivers.testing.crashes import clock, shim
from drivers.testing.crashes.disk import Disk, Op, put
from drivers.testing.crashes.judge import Away, Broken, Judged, Reference, left_behind
from drivers.testing.crashes.live_cases import FULL, KINDS, disturbed
from drivers.testing.crashes.recording import last_told, record, replayed
from drivers.testing.crashes.small_disk import small_disk
from drivers.testing.crashes.torn import tear

POWER, KILLED, TORN, RECORDING = "power cut", "killed between writes", "log torn", "recording"
#: The cases that take a cut of a recorded run, in turn.
CUTS = (POWER, TORN, POWER, KILLED, POWER, TORN, POWER, TORN, KILLED)
BLOCK = 250
#: Every so many cases one has the service at work, of these kinds in turn.
LIVE_EVERY = 5
LIVE = [kind for kind, share in zip(KINDS, (6, 5, 3, 3, 1, 2), strict=True) for _ in range(share)]
#: How many signals of the shoe go by unheard behind a cut.
UNHEARD = (0, 0, 0, 3, 12, 60)
#: Live cases wait most of their time.
AT_ONCE = 3


class Done(Struct, frozen=True, kw_only=True):
    """What came of a case. `left`: where its files are kept, if anything was wrong."""

    number: int
    kind: str
    judged: Judged
    left: str = ""


class Order(Struct, frozen=True, kw_only=True):
    """What a worker is to do: the cases of one block, which share a recording, or one live case."""

    seed: int
    numbers: tuple[int, ...]
    keep: Path

    @property
    def block(self) -> int:
        """The number of the recording."""
        return self.numbers[0] // BLOCK


def kind_of(number: int) -> str:
    """Of which kind the case of this number is."""
    turn, place = divmod(number, LIVE_EVERY)
    if place == LIVE_EVERY - 1:
        return LIVE[turn * 7 % len(LIVE)]
    return CUTS[number % len(CUTS)]


def crashes(
    *,
    cases: int,
    seed: int,
    case: int | None,
    recording: Path | None,
    keep: Path,
    told: Callable[[int], None],
    broken: bool = False,
) -> CrashReport:
    """Cases 0 to `cases` - 1 of this seed, or `case` alone, from a `recording` that was kept if one is given.
    What is wrong is kept in `keep`. `broken`: with a store that does not sync, to prove that this is seen.

    Raises ConfigurationError: no C compiler, no libfaketime, no right to mount a small disk.
    """
    numbers = range(cases) if case is None else [case]
    cuts = [n for n in numbers if kind_of(n) not in KINDS]
    blocks = [
        Order(seed=seed, numbers=tuple(mine), keep=keep) for _, mine in groupby(cuts, lambda n: n // BLOCK)
    ]
    done: list[Done] = []
    with _workers() as pool, _place() as place:
        begun = [] if recording else [pool.submit(_record, order, place, broken) for order in blocks]
        done += [one for recorded in begun if (one := recorded.result())]
        lost = {one.number for one in done}
        work = [
            pool.submit(_block, order, recording or _recording(place, order), given=recording is not None)
            for order in blocks
            if order.numbers[0] not in lost
        ]
        work += [
            pool.submit(_live, Order(seed=seed, numbers=(number,), keep=keep))
            for number in numbers
            if kind_of(number) in KINDS
        ]
        for finished in as_completed(work):
            for one in finished.result():
                done.append(one)
                told(len(done))
    return report(done, seed)


@contextmanager
def _workers() -> Iterator[ProcessPoolExecutor]:
    """Processes that have the shim preloaded, asleep, and a clock that can be moved."""
    with tempfile.TemporaryDirectory(prefix="crashes-") as folder:
        preloaded = f"{shim.build(Path(folder))} {clock.library()}"
        with _environment({"LD_PRELOAD": preloaded, **clock.SETTINGS}):
            workers = AT_ONCE * (os.cpu_count() or 1)
            with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin) as pool:
                pool.submit(_try_disk).result()
                yield pool


@contextmanager
def _environment(wanted: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def _begin() -> None:
    """What every case needs is found out before it forks."""
    clock.tidy()
    software_version()
    log.set_up(level="critical")


def _try_disk() -> None:
    """Before hours of work. Raises ConfigurationError."""
    with tempfile.TemporaryDirectory(prefix="crashes-") as folder, small_disk(Path(folder) / "disk"):
        pass


@contextmanager
def _place() -> Iterator[Path]:
    """A folder for cases: in memory where there is some, as their disk is played anyway."""
    memory = Path("/dev/shm")
    where = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="crashes-", dir=where) as folder:
        yield Path(folder)


def _live(order: Order) -> list[Done]:
    number = order.numbers[0]
    kind = kind_of(number)
    with _place() as folder, small_disk(folder / "state") if kind == FULL else nullcontext():
        judged = disturbed(kind, folder, order.seed, number)
        left = _keep(folder, order.keep, f"case-{number}") if judged.violations else ""
        return [Done(number=number, kind=kind, judged=judged, left=left)]


def _recording(place: Path, order: Order) -> Path:
    return place / f"recording-{order.block}"


def _record(order: Order, place: Path, broken: bool) -> Done | None:
    """Make the recording that a block shares; what was wrong with it, if anything was."""
    folder = _recording(place, order)
    folder.mkdir()
    try:
        record(folder, order.seed * 1000 + order.block, broken=broken)
    except Broken as wrong:
        judged = Judged(result="held", violations=[str(wrong)])
        return Done(number=order.numbers[0], kind=RECORDING, judged=judged, left=_keep(folder, order.keep))
    return None


def _block(order: Order, recording: Path, *, given: bool) -> list[Done]:
    with _place() as folder:
        done = list(_cuts(folder / "case", order, *replayed(recording)))
    if any(one.judged.violations for one in done) and not given:
        _keep(recording, order.keep)
    return done


def _cuts(case: Path, order: Order, reference: Reference, ops: list[Op]) -> Iterator[Done]:
    """Each case is cut somewhere else; they are taken in the order of the recording."""
    draws = {number: Random(f"{order.seed}/{number}") for number in order.numbers}
    places = sorted((draw.randrange(len(ops) + 1), number) for number, draw in draws.items())
    disk, at = Disk(), 0
    for place, number in places:
        disk.do(ops[at:place])
        at = place
        kind, draw = kind_of(number), draws[number]
        left = disk.left(draw, None if kind == POWER else 1)
        if kind == TORN and (log := left.get("journal.db-wal")):
            left["journal.db-wal"] = tear(log, draw)
        put(case, left)
        away = Away() if kind == KILLED else Away(boot="another", unheard=draw.choice(UNHEARD))
        judged = left_behind(case, reference, last_told(disk.said), away, lawful=kind != TORN)
        shutil.rmtree(case)
        where = ""
        if judged.violations:
            put(case, left)
            where = _keep(case, order.keep, f"case-{number}")
            shutil.rmtree(case)
        yield Done(number=number, kind=kind, judged=judged, left=where)


def _keep(folder: Path, keep: Path, name: str = "") -> str:
    place = keep / (name or folder.name)
    shutil.rmtree(place, ignore_errors=True)
    # A terminal's link leads nowhere any more.
    shutil.copytree(folder, place, symlinks=True)
    return str(place)


def report(done: list[Done], seed: int) -> CrashReport:
    """The figures of these cases."""
    results = Counter(one.judged.result for one in done if not one.judged.violations)
    kinds = Counter(one.kind for one in done)
    wrong = sorted((one for one in done if one.judged.violations), key=lambda one: one.number)
    return CrashReport(
        cases={kind: kinds[kind] for kind in (POWER, KILLED, TORN, *KINDS, RECORDING) if kinds[kind]},
        identical=results["identical"],
        held=results["held"],
        refused=results["refused"],
        violations=[
            Violation(case=one.number, kind=one.kind, what=what, left=one.left, again=_again(one, seed))
            for one in wrong
            for what in one.judged.violations
        ],
    )


def _again(one: Done, seed: int) -> str:
    again = f"tablectl campaign crashes --seed {seed} --case {one.number}"
    if one.kind not in CUTS:
        return again
    return f"{again} --recording {Path(one.left).parent / f'recording-{one.number // BLOCK}'}"
