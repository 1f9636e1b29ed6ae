"""What is well and what must be mended, in words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playing import Play

from controller.health import machine, watch
from controller.health.links import UNSTEADY, Links
from controller.health.machine import Room, clock_synchronised, room, size_of
from controller.health.vitals import Vitals
from controller.health.watch import LAG, LATE, LEAST_ROOM, Health, Page, Sources
from controller.observations import BetsOpened, CardDrawn
from controller.orders import Order
from controller.ports import Lost, Restored


class Desk:
    """The parts of a service, well until a test says otherwise."""

    def __init__(self) -> None:
        self.state = "writing"
        self.error: str | None = None
        self.waits = 0.0
        self.late = 0.0
        self.untold = 0
        self.ports: dict[str, str] = {}
        self.targets: list[Any] = []
        self.complete = True
        self.play = Play()
        self.links = Links()
        self.links.hear("shoe", Restored(), 0.0)

    # -- as the writer
    def lag(self) -> float:
        return self.waits

    # -- as the ports
    def report(self) -> Mapping[str, str]:
        return {"shoe": "open"} | self.ports

    def standing(self) -> Mapping[str, str]:
        return self.ports

    def sources(self) -> Sources:
        return Sources(
            self,
            lambda: self,  # type: ignore[arg-type,return-value]
            lambda: self.late,
            lambda: self.targets,
            lambda: {"board": Page(2, 3.0), "pit": Page(0, None)},
            lambda: self.play.table,
            lambda: self.untold,
        )

    def health(self) -> Health:
        return Health("MB-01", Path("/tmp/journal.db"), self.links, self.sources(), lambda: self.complete)


class Alerts:
    """A target outside."""

    def __init__(self, error: str | None = None) -> None:
        self.error = error
        self.alarms: list[dict[str, str]] = []

    def health(self) -> Mapping[str, Any]:
        told = {"waiting": 3, "error": self.error}
        return {"healthy": self.error is None, "open": 0, "outbox": None, "targets": {"floor": told}}

    def alarm(self, problems: Mapping[str, str]) -> None:
        self.alarms.append(dict(problems))


class Broker:
    behind = 7

    def health(self) -> Mapping[str, Any]:
        return {"healthy": True, "behind": self.behind, "error": None}


def test_all_is_well() -> None:
    healthy, report = Desk().health().report()
    assert healthy
    assert (report["healthy"], report["working"], report["problems"]) == (True, True, {})
    assert report["version"].startswith("0.")


def test_the_table_is_open_held_or_closed() -> None:
    desk = Desk()
    assert desk.health().report()[1]["table"] == {"id": "MB-01", "play": "open"}
    desk.play.do(BetsOpened(), CardDrawn(card="7C"))
    assert desk.health().report()[1]["table"]["play"] == "held"
    desk.play = Play()
    desk.play.do(Order(order="close_table", by="smith"))
    assert desk.health().report()[1]["table"]["play"] == "closed"


def failing(desk: Desk) -> None:
    desk.state, desk.error = "failing", "journal.db: database or disk is full"


def stalled(desk: Desk) -> None:
    desk.waits = LAG


def late(desk: Desk) -> None:
    desk.late = LATE


def unplugged(desk: Desk) -> None:
    desk.ports["sign"] = "no such device"


def refused(desk: Desk) -> None:
    desk.targets.append(Alerts("answered 500"))


def not_shown(desk: Desk) -> None:
    desk.untold = 2


TROUBLE = [
    (failing, "journal", "the journal does not write: journal.db: database or disk is full", False),
    (stalled, "journal", "the journal is 5 s behind; look at its disk", False),
    (late, "loop", "the service is 1.0 s late; look at the load of this machine", False),
    (unplugged, "port-sign", "sign: no such device", True),
    (
        not_shown,
        "internal",
        "2 internal errors kept something from being shown; the log says which, start the service again "
        "between rounds",
        True,
    ),
    (refused, "alerts", "alerts: floor: answered 500", True),
]


@pytest.mark.parametrize(("make", "code", "words", "working"), TROUBLE)
def test_what_must_be_mended_is_named(make: Any, code: str, words: str, working: bool) -> None:
    desk = Desk()
    make(desk)
    healthy, report = desk.health().report()
    assert not healthy
    assert report["problems"] == {code: words}
    assert report["working"] == working


def test_a_disk_that_is_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "room", lambda _: Room(LEAST_ROOM - 1, 10 * LEAST_ROOM))
    assert Desk().health().report()[1]["problems"] == {
        "disk": "99 MiB left on the disk of /tmp; make room",
    }


def test_a_link_that_goes_and_comes_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch.time, "monotonic", lambda: 100.0)
    desk = Desk()
    for _ in range(UNSTEADY + 1):
        desk.links.hear("shoe", Lost(), 50.0)
        desk.links.hear("shoe", Restored(), 50.0)
    _, report = desk.health().report()
    assert list(report["problems"]) == ["unsteady-shoe"]
    assert "shoe was lost 6 times in an hour" in report["problems"]["unsteady-shoe"]
    assert report["losses_last_hour"] == {"shoe": 6}


def test_an_alarm_tells_what_nobody_else_does() -> None:
    """A device that was heard and lost is an alert by itself; one that never came is not."""
    desk = Desk()
    alerts = Alerts()
    desk.targets = [alerts, Broker()]
    vitals = Vitals("MB-01", "face-up", Path("/tmp/journal.db"), desk.sources())
    vitals.hear("shoe", Restored())
    desk.ports = {"shoe": "no such device", "sign": "permission denied"}
    vitals.alarm()
    assert alerts.alarms == [{"port-sign": "sign: permission denied"}]
    assert set(vitals.health.report()[1]["problems"]) == {"port-shoe", "port-sign"}


def test_what_moves_with_records_stands_still_while_something_is_withheld() -> None:
    desk = Desk()
    broker = Broker()
    desk.targets = [broker]
    health = desk.health()
    assert health.report()[1]["broker"]["behind"] == 7
    desk.complete, broker.behind = False, 9
    assert health.report()[1]["broker"]["behind"] == 7
    desk.complete = True
    assert health.report()[1]["broker"]["behind"] == 9


def test_gauges() -> None:
    desk = Desk()
    desk.targets = [Alerts("answered 500"), Broker()]
    desk.ports = {"sign": "no such device"}
    found = {(reading.name, *reading.labels): reading.value for reading in desk.health().read()}
    assert {
        ("table_healthy",): 0.0,
        ("table_problem", "alerts"): 1,
        ("table_problem", "port-sign"): 1,
        ("table_outbox_waiting", "floor"): 3,
        ("table_target_failing", "floor"): True,
        ("table_broker_behind",): 7.0,
        ("table_device_up", "shoe"): True,
        ("table_event_streams", "board"): 2,
        ("table_page_silent_seconds", "board"): 3.0,
    }.items() <= found.items()
    assert ("table_page_silent_seconds", "pit") not in found
    assert {name for name, *_ in found} <= set(watch.GAUGES)


# -- the machine -------------------------------------------------------------------------------------------


def test_room_and_sizes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert size_of(tmp_path / "a", tmp_path / "none") == 5
    found = room(tmp_path)
    assert found is not None
    assert 0 < found.free <= found.size
    assert room(tmp_path / "none") is None


def test_a_clock_that_timesyncd_has_set(tmp_path: Path) -> None:
    sync = tmp_path / "timesync"
    sync.mkdir()
    assert clock_synchronised(sync) is False
    (sync / "synchronized").touch()
    assert clock_synchronised(sync) is True


def test_the_kernel_is_asked_only_where_no_filter_forbids_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = tmp_path / "status"
    monkeypatch.setattr(machine, "_asked_of_the_kernel", lambda: True)
    for filters, answer in (("0", True), ("2", None)):
        status.write_text(f"Name:\tx\nSeccomp:\t{filters}\nThreads:\t1\n")
        assert clock_synchronised(tmp_path / "none", status) is answer
    assert clock_synchronised(tmp_path / "none", tmp_path / "no-status") is None


def test_the_kernel_answers() -> None:
    assert machine._asked_of_the_kernel() in (True, False)
