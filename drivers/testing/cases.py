"""What each shoe of the campaign is: its seed decides the cards, the unit's habits and the line's faults."""

from collections.abc import Mapping
from random import Random

from msgspec import Struct

from drivers.shoes.angel_eye.settings import Settings
from drivers.shoes.angel_eye.simulator import Line
from drivers.shoes.angel_eye.unit import Ways
from drivers.testing.faults import Fault, parse_faults

#: Fault -> the highest rate at which it is tried.
WORST: Mapping[str, float] = {
    "drop": 0.4, "drop/report": 0.03, "drop/byte": 0.02,
    "double": 0.3, "double/report": 0.05, "double/byte": 0.02,
    "corrupt": 0.4, "corrupt/report": 0.03, "corrupt/byte": 0.02,
    "delay": 0.1, "delay/report": 0.03,
    "split": 0.5, "split/report": 0.1,
    "join": 0.2, "shuffle": 0.1,
    "noise": 0.3, "noise/byte": 0.01,
    "repeat": 0.2, "repeat/report": 0.05,
    "cut": 0.3, "cut/report": 0.03,
    "hang": 0.01, "mute": 0.01, "garble": 0.01, "unplug": 0.01, "reboot": 0.006,
}  # fmt: skip
MOST_KINDS = 4
#: The lowest rate is this much smaller than the highest.
SPAN = 30.0


class Case(Struct, frozen=True, kw_only=True):
    """One shoe of the campaign; `decks` in its pack."""

    seed: int
    decks: int
    line: Line
    settings: Settings
    ways: Ways
    faults: tuple[Fault, ...]


def case(seed: int, decks: tuple[int, ...], rates: Mapping[str, float] | None = None) -> Case:
    """The shoe of that seed, with one of these numbers of decks. `rates`: the faults, where the seed does not
    choose them.
    """
    random = Random(seed)
    line = Line(
        spacing=random.choice((0.0, 0.02, 0.05, 0.1)),
        first=random.randrange(10),
        wrap=random.choice((0, 1)),
        start_advances=random.random() < 0.5,
    )
    chosen = random.sample(sorted(WORST), random.randint(1, MOST_KINDS))
    chance = {name: WORST[name] * SPAN ** -random.random() for name in chosen}
    rates = chance if rates is None else rates
    return Case(
        seed=seed,
        decks=random.choice(decks),
        line=line,
        settings=Settings(copies=random.choice((1, 2, 3, 3, 3, 4))),
        ways=Ways(remembers=random.random() < 0.3),
        faults=parse_faults(",".join(f"{name}={rate:.6f}" for name, rate in rates.items())),
    )
