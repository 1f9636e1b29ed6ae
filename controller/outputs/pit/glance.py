"""One table as the console shows it: a fold of what its stream says, and of whether it says anything.

Tables may run other versions: what is not known here is passed over.
"""

from typing import Literal, TypeVar

import msgspec
from msgspec import Struct, structs

from controller.ports import ControllerError

#: `asked`: nothing came yet. `up`: it is heard. `lost`: silent, or not to be reached. `refused`: it does not
#: take the key.
Reach = Literal["asked", "up", "lost", "refused"]
#: In the order in which tables want to be looked at; any other severity comes with the warnings.
SEVERITIES = ("stop", "block", "warn")
#: The place of a table about which nothing is to be said.
QUIET = len(SEVERITIES)
#: A table that is not heard may be held: it stands with the warnings, and sounds.
NOT_HEARD = "not-reachable"
T = TypeVar("T")


class DeviceAt(Struct, frozen=True, kw_only=True):
    """`state`: ok, fault or lost."""

    device: str
    state: str
    fault: str | None


class Raised(Struct, frozen=True, kw_only=True):
    """An irregularity as the stream has it."""

    id: int
    code: str
    severity: str
    round: int | None
    detail: str


class Named(Struct, frozen=True):
    """`devices`: those that the table has."""

    devices: tuple[str, ...] = ()


class Table(Struct, frozen=True, kw_only=True):
    id: str = ""
    name: str = ""
    house: Named = Named()


class Phase(Struct, frozen=True, kw_only=True):
    """Of a shoe or a round."""

    number: int | None = None
    phase: str = "none"


class Drawing(Struct, frozen=True):
    hand: str


class Won(Struct, frozen=True):
    winner: str


class Floor(Struct, frozen=True):
    """`open`: rounds may open."""

    open: bool = True


class Play(Struct, frozen=True, kw_only=True):
    """The part of a table's state that can be read across a pit, in the state's own words."""

    table: Table = Table()
    shoe: Phase = Phase()
    round: Phase = Phase(phase="idle")
    draw: Drawing | None = None
    result: Won | None = None
    wait: bool = False
    floor: Floor = Floor()
    devices: dict[str, DeviceAt] = {}


class Told(Play, frozen=True, kw_only=True):
    """A snapshot, or a state."""

    irregularities: list[Raised]


class Tick(Struct, frozen=True):
    """A sign of life. `late`: the record is behind what happens."""

    late: bool = False


class Alarm(Struct, frozen=True, kw_only=True):
    """`since`: Unix time at which the console heard of it. `earlier`: it had been raised before that."""

    id: int
    code: str
    severity: str
    round: int | None
    detail: str
    since: float
    earlier: bool


class Glance(Struct, frozen=True, kw_only=True):
    """`url`: of the table's own page for the pit. `why` it is not heard. `late`: its record is behind.
    `rank`: 0 for the tables that come first. `alarms`: what nobody has answered, the newest first.
    """

    name: str
    url: str
    reach: Reach = "asked"
    why: str = ""
    late: bool = False
    rank: int = QUIET
    play: Play = Play()
    alarms: tuple[Alarm, ...] = ()


class MeaningError(ControllerError):
    """A table tells what nobody understands."""


def read(data: bytes, kind: type[T]) -> T:
    """A snapshot, a state or a tick. Raises MeaningError."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MeaningError(f"it tells its state in other words: {error}; update it or this") from None


def heard(before: Glance, told: Told, now: float, *, whole: bool, name: str | None = None) -> Glance:
    """After a snapshot (`whole`) or a state at the Unix time `now`. `name`: instead of the table's own."""
    known = {(alarm.id, alarm.code): alarm for alarm in before.alarms if alarm.code != NOT_HEARD}
    alarms = [
        known.get((one.id, one.code)) or Alarm(**structs.asdict(one), since=now, earlier=whole)
        for one in told.irregularities
    ]
    play = msgspec.convert(told, Play, from_attributes=True)
    name = name or play.table.name or before.name
    return _ranked(structs.replace(before, reach="up", why="", name=name, play=play), alarms)


def not_heard(before: Glance, why: str, now: float, *, refused: bool = False) -> Glance:
    """After silence, a refusal or a lost connection: what was told last still stands, and an alarm beside."""
    others = [alarm for alarm in before.alarms if alarm.code != NOT_HEARD]
    mark = next((alarm for alarm in before.alarms if alarm.code == NOT_HEARD), None) or Alarm(
        id=0, code=NOT_HEARD, severity="warn", round=None, detail="", since=now, earlier=False
    )
    after = structs.replace(before, reach="refused" if refused else "lost", why=why, late=False)
    return _ranked(after, [*others, structs.replace(mark, detail=why)])


def _ranked(glance: Glance, alarms: list[Alarm]) -> Glance:
    ranks = [SEVERITIES.index(a.severity) if a.severity in SEVERITIES else QUIET - 1 for a in alarms]
    if glance.play.wait:
        ranks.append(0)
    newest = sorted(alarms, key=lambda alarm: (alarm.since, alarm.id), reverse=True)
    return structs.replace(glance, rank=min(ranks, default=QUIET), alarms=tuple(newest))
