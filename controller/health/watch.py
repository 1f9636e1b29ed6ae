"""Whether all is well, and what is not: the one answer behind `/healthz`, gauges, alarms and the status."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from controller.health.links import UNSTEADY, Links
from controller.health.machine import Room, clock_synchronised, room, size_of
from controller.health.metrics import Gauge, Gauges, Reading
from controller.journal.writer import Writer
from controller.play.table import Table
from controller.runtime.identity import software_version
from controller.runtime.notify import LAG, LATE

#: Bytes: so little is left for some tens of shoes.
LEAST_ROOM = 100 * 2**20
#: Seconds between two looks at the machine.
LOOK = 5.0

GAUGES: Gauges = {
    "table_healthy": Gauge("1: nothing has to be mended."),
    "table_held": Gauge("1: the round is held for a supervisor."),
    "table_closed": Gauge("1: the table is closed."),
    "table_problem": Gauge("1 for each thing that has to be mended.", ("code",)),
    "table_software_info": Gauge("Which software this is.", ("table", "version")),
    "table_start_time_seconds": Gauge("When this service started, Unix time."),
    "table_loop_lateness_seconds": Gauge("By how much the event loop is late."),
    "table_clock_synchronised": Gauge("1: another clock sets this machine's. Absent: not known."),
    "table_journal_writing": Gauge("1: entries become durable."),
    "table_journal_lag_seconds": Gauge("How long the oldest entry waits for the disk."),
    "table_journal_bytes": Gauge("Size of the open journal with its log."),
    "table_last_commit_seconds": Gauge("Seconds since the last commit that may be known of."),
    "table_disk_free_bytes": Gauge("Room on the disk of the journal."),
    "table_disk_size_bytes": Gauge("Size of the disk of the journal."),
    "table_device_up": Gauge("1: the device is heard. Absent: it never was in this run.", ("device",)),
    "table_device_losses_last_hour": Gauge("How often the device was lost in the last hour.", ("device",)),
    "table_event_streams": Gauge("Pages that listen.", ("view",)),
    "table_page_silent_seconds": Gauge("Seconds since a page said that it shows the view.", ("view",)),
    "table_outbox_waiting": Gauge("Alerts that are not delivered yet.", ("target",)),
    "table_target_failing": Gauge("1: the last attempt to deliver failed.", ("target",)),
    "table_broker_behind": Gauge("By how many records the broker is behind."),
}


class Problem(NamedTuple):
    """What must be mended, for a person. `alarm`: nobody else raises it."""

    words: str
    alarm: bool = True


class Page(NamedTuple):
    """The pages of one view: open streams, and seconds since one said that it shows it (None: none did)."""

    streams: int
    silent: float | None


class Ports(Protocol):
    """What is known of the ports: device -> `open`, or why it is not; and what has stood for a while."""

    def report(self) -> Mapping[str, str]: ...

    def standing(self) -> Mapping[str, str]: ...


class Target(Protocol):
    """Something outside that is told."""

    def health(self) -> Mapping[str, Any]: ...


class Sources(NamedTuple):
    """The parts of a service that are asked, each as it is when it is asked."""

    ports: Ports
    writer: Callable[[], Writer]
    lateness: Callable[[], float]
    targets: Callable[[], Sequence[Target]]
    pages: Callable[[], Mapping[str, Page]]
    table: Callable[[], Table]
    #: how often what is on record could not be told to all who look on
    untold: Callable[[], int]


class Health:
    """Ask it on the loop. `complete`: nothing is withheld now, so what moves with records may be told."""

    def __init__(
        self, table: str, journal: Path, links: Links, sources: Sources, complete: Callable[[], bool]
    ) -> None:
        self._table = table
        self._version = software_version()
        self._journal = journal
        self._links = links
        self._ports, self._writer, self._lateness, self._targets, self._pages, self._play, self._untold = (
            sources
        )
        self._complete = complete
        self._started = (time.time(), time.monotonic())
        self._committed: float | None = None
        self._known: dict[str, Any] = {}
        self._looked = float("-inf")
        self._room: Room | None = None
        self._synchronised: bool | None = None

    def committed(self) -> None:
        """Something became durable just now."""
        self._committed = time.monotonic()

    @property
    def working(self) -> bool:
        """Loop and journal do their work, whatever else is the matter."""
        writer = self._writer()
        return writer.state == "writing" and writer.lag() < LAG and self._lateness() < LATE

    def problems(self) -> dict[str, Problem]:
        """code -> what must be mended."""
        now = time.monotonic()
        self._look(now)
        return dict(self._problems(now))

    def report(self) -> tuple[bool, dict[str, Any]]:
        """(nothing must be mended, everything that there is to say)."""
        problems = self.problems()
        writer = self._writer()
        known = self._steady()
        last = known.get("committed")
        report: dict[str, Any] = {
            "healthy": not problems,
            "working": self.working,
            "problems": {code: problem.words for code, problem in problems.items()},
            "table": {"id": self._table, "play": self._standing()},
            "version": self._version,
            "uptime_s": round(time.monotonic() - self._started[1], 1),
            "journal": writer.state,
            "journal_lag_s": round(writer.lag(), 3),
            "journal_bytes": known.get("bytes"),
            "last_commit_s": None if last is None else round(time.monotonic() - last, 1),
            "loop_lateness_s": round(self._lateness(), 3),
            "disk_free_bytes": known.get("free"),
            "clock_synchronised": self._synchronised,
            "ports": dict(self._ports.report()),
            "losses_last_hour": self._links.losses(time.monotonic()),
        }
        return not problems, report | self._outside(known)

    def read(self) -> Iterator[Reading]:
        """What every gauge shows now."""
        problems = self.problems()
        writer = self._writer()
        known = self._steady()
        now = time.monotonic()
        last = known.get("committed")
        single = {
            "table_healthy": not problems,
            "table_held": self._standing() == "held",
            "table_closed": self._standing() == "closed",
            "table_start_time_seconds": self._started[0],
            "table_loop_lateness_seconds": self._lateness(),
            "table_clock_synchronised": self._synchronised,
            "table_journal_writing": writer.state == "writing",
            "table_journal_lag_seconds": writer.lag(),
            "table_journal_bytes": known.get("bytes"),
            "table_last_commit_seconds": None if last is None else now - last,
            "table_disk_free_bytes": known.get("free"),
            "table_disk_size_bytes": self._room and self._room.size,
            "table_broker_behind": known.get("behind"),
        }
        yield Reading("table_software_info", (self._table, self._version), 1)
        yield from (Reading(name, (), float(value)) for name, value in single.items() if value is not None)
        yield from (Reading("table_problem", (code,), 1) for code in problems)
        for device, heard in self._links.heard.items():
            yield Reading("table_device_up", (device,), heard)
        for device, losses in self._links.losses(now).items():
            yield Reading("table_device_losses_last_hour", (device,), losses)
        for view, page in self._pages().items():
            yield Reading("table_event_streams", (view,), page.streams)
            if page.silent is not None:
                yield Reading("table_page_silent_seconds", (view,), page.silent)
        for name, told in _receivers(self._healths()):
            yield Reading("table_outbox_waiting", (name,), told["waiting"])
            yield Reading("table_target_failing", (name,), told["error"] is not None)

    # -- inside ----------------------------------------------------------------------------------------

    def _standing(self) -> Literal["open", "held", "closed"]:
        """Whether rounds are played."""
        table = self._play()
        if not table.is_open:
            return "closed"
        return "open" if table.hold is None else "held"

    def _look(self, now: float) -> None:
        """At the machine, not more often than is needed."""
        if now - self._looked >= LOOK:
            self._looked = now
            self._room = room(self._journal.parent)
            self._synchronised = clock_synchronised()

    def _steady(self) -> Mapping[str, Any]:
        """What moves with every record: as it was when that gave nothing away."""
        if self._complete():
            self._known = {
                "bytes": size_of(self._journal, self._journal.with_name(f"{self._journal.name}-wal")),
                "free": self._room and self._room.free,
                "committed": self._committed,
                "behind": self._healths().get("broker", {}).get("behind"),
            }
        return self._known

    def _healths(self) -> dict[str, Mapping[str, Any]]:
        return {type(target).__name__.lower(): target.health() for target in self._targets()}

    def _outside(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Alerts and broker."""
        healths = {name: dict(health) for name, health in self._healths().items()}
        if "broker" in healths:
            healths["broker"]["behind"] = known.get("behind")
        return healths

    def _problems(self, now: float) -> Iterator[tuple[str, Problem]]:
        writer = self._writer()
        if writer.state != "writing":
            why = writer.error or "look at its disk"
            yield "journal", Problem(f"the journal does not write: {why}")
        elif writer.lag() >= LAG:
            yield "journal", Problem(f"the journal is {writer.lag():.0f} s behind; look at its disk")
        if (late := self._lateness()) >= LATE:
            yield "loop", Problem(f"the service is {late:.1f} s late; look at the load of this machine")
        if times := self._untold():
            what = f"{times} internal errors kept something from being shown"
            yield "internal", Problem(f"{what}; the log says which, start the service again between rounds")
        if self._room is not None and self._room.free < LEAST_ROOM:
            left = self._room.free // 2**20
            yield "disk", Problem(f"{left} MiB left on the disk of {self._journal.parent}; make room")
        for device, why in self._ports.standing().items():
            # A device that was heard and lost is an alert of its own.
            yield f"port-{device}", Problem(f"{device}: {why}", alarm=device not in self._links.heard)
        for device, count in self._links.unsteady(now).items():
            what = f"{device} was lost {count} times in an hour, more than {UNSTEADY}"
            yield f"unsteady-{device}", Problem(f"{what}; look at its cable, hub and power supply")
        for name, health in self._healths().items():
            if not health["healthy"]:
                yield name, Problem(f"{name}: {_reason(health)}")


def _receivers(healths: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each alert target with what waits for it."""
    yield from healths.get("alerts", {}).get("targets", {}).items()


def _reason(health: Mapping[str, Any]) -> str:
    """The first error that a target or the outbox names."""
    targets: Mapping[str, Mapping[str, Any]] = health.get("targets", {})
    errors = [f"{name}: {told['error']}" for name, told in targets.items() if told["error"]]
    return "; ".join([str(health[k]) for k in ("outbox", "error") if health.get(k)] + errors) or "not running"
