"""The campaign of the devices: seeded shoes dealt over bad lines, each judged against what was really dealt.

Asked is: every round is recorded right, or an irregularity was raised at or before the first wrong one, and
again for each wrong round behind the last right one.

What this shoe cannot show. Its numbers have one digit: between two rounds a multiple of ten lost reports (of
nine, where 1 follows 9) leaves no gap. A loss that begins behind one standby and ends with another, three
whole rounds or more of a line that is dead without noise or a lost link, is told by the count of the cards at
the end of the shoe and by nothing before. A shoe without numbers (Bee-Tek) is not in the campaign: where a
card went by without a trace the next one takes its place, until a card is missing at the confirmation, one
is too many, or the count differs. A report that came spoilt is a trace, and holds the round.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor

from controller.campaigns import Report
from drivers.testing.cases import case
from drivers.testing.trial import Outcome, terminal, virtual

DECKS = (6, 8)
#: A real terminal takes real time.
FEW_DECKS = (1, 2)
AT_ONCE = 6  # terminals
CHUNK = 8  # shoes that a process takes at a time


def devices(*, shoes: int, seed: int, ptys: int, told: Callable[[int], None]) -> Report:
    """Angel Eye shoes of the seeds `seed`, `seed` + 1, ...; `ptys` more over real terminals."""
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for outcome in pool.map(_in_virtual_time, range(seed, seed + shoes), chunksize=CHUNK):
            outcomes.append(outcome)
            told(len(outcomes))
    if ptys:
        for outcome in asyncio.run(_at_terminals(range(seed, seed + ptys), lambda n: told(shoes + n))):
            outcomes.append(outcome)
    return report(outcomes, ptys)


def _in_virtual_time(seed: int) -> Outcome:
    return virtual(case(seed, DECKS))


async def _at_terminals(seeds: Iterable[int], told: Callable[[int], None]) -> list[Outcome]:
    places = asyncio.Semaphore(AT_ONCE)
    done: list[Outcome] = []

    async def one(seed: int) -> None:
        async with places:
            done.append(await terminal(case(seed, FEW_DECKS)))
            told(len(done))

    async with asyncio.TaskGroup() as group:
        for seed in seeds:
            group.create_task(one(seed))
    return done


def report(outcomes: Iterable[Outcome], ptys: int = 0) -> Report:
    """The figures of these shoes."""
    outcomes = list(outcomes)
    faults: Counter[str] = Counter()
    raised: Counter[str] = Counter()
    for outcome in outcomes:
        faults.update(outcome.faults)
        raised.update(outcome.irregularities)
    verdicts = [outcome.verdict for outcome in outcomes]
    clean, held, missed = (sum(getattr(v, n) for v in verdicts) for n in ("clean", "held", "missed"))
    return Report(
        shoes=len(outcomes),
        ptys=ptys,
        rounds=clean + held + missed,
        clean=clean,
        held=held,
        missed=missed,
        faults=dict(sorted(faults.items())),
        irregularities=dict(sorted(raised.items())),
        silent=[f"seed {o.seed}: {what}" for o in outcomes for what in o.verdict.silent],
    )
