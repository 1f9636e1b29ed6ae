"""What is told to the service manager, read from a real datagram socket."""

import os
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from controller.runtime import notify
from controller.runtime.loop_watch import LoopWatch
from controller.runtime.notify import Notifier


class Manager:
    """The other side. `environment`: what it gives the service."""

    def __init__(self, address: str, watchdog: float | None = None, pid: int | None = None) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.socket.bind(address.replace("@", "\0", 1))
        self.environment = {"NOTIFY_SOCKET": address}
        if watchdog is not None:
            self.environment["WATCHDOG_USEC"] = str(int(watchdog * 1e6))
            self.environment["WATCHDOG_PID"] = str(pid or os.getpid())

    def heard(self) -> list[dict[str, str]]:
        """Every message since."""
        messages = []
        while True:
            try:
                text = self.socket.recv(4096).decode()
            except BlockingIOError:
                return messages
            messages.append(dict(line.split("=", 1) for line in text.splitlines()))


class Hand:
    """A monotonic clock, set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    hand = Hand()
    monkeypatch.setattr("controller.runtime.notify.time", hand)
    monkeypatch.setattr("controller.runtime.loop_watch.time", hand)
    return hand


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(str(tmp_path / "notify"), watchdog=60)
    yield manager
    manager.socket.close()


@pytest.mark.parametrize("abstract", [False, True])
def test_it_speaks_to_either_kind_of_socket(tmp_path: Path, abstract: bool) -> None:
    manager = Manager(f"@table-{os.getpid()}" if abstract else str(tmp_path / "notify"))
    notifier = Notifier(manager.environment)
    notifier.ready()
    notifier.stopping()
    assert manager.heard() == [{"READY": "1"}, {"STOPPING": "1", "STATUS": "stopping"}]
    notifier.close()
    manager.socket.close()


def test_its_names_are_gone_from_the_environment(manager: Manager) -> None:
    manager.environment["HOME"] = "/"
    Notifier(manager.environment).close()
    assert manager.environment == {"HOME": "/"}


def test_without_a_manager_it_says_nothing() -> None:
    notifier = Notifier({})
    assert notifier.interval is None
    notifier.ready()
    notifier.beat(0, 0, "well")
    assert list(notifier.extending("abc")) == ["a", "b", "c"]
    notifier.close()


def test_a_manager_that_is_gone_is_no_fault(manager: Manager, tmp_path: Path) -> None:
    notifier = Notifier(manager.environment)
    (tmp_path / "notify").unlink()
    notifier.ready()
    notifier.close()
    notifier.ready()


def test_a_manager_that_does_not_read_is_not_waited_for(manager: Manager) -> None:
    notifier = Notifier(manager.environment)
    for _ in range(10_000):
        notifier.ready()
    assert len(manager.heard()) < 10_000
    notifier.close()


def test_the_watchdog_of_another_process_is_not_fed(tmp_path: Path) -> None:
    manager = Manager(str(tmp_path / "notify"), watchdog=60, pid=1)
    notifier = Notifier(manager.environment)
    notifier.beat(0, 0, "well")
    assert manager.heard() == [{"STATUS": "well"}]


def test_it_is_fed_at_half_of_its_time(manager: Manager, hand: Hand) -> None:
    notifier = Notifier(manager.environment)
    fed = []
    for tick in range(4 * 100):
        hand.now = 100 + tick * 0.25
        notifier.beat(0, 0, "well")
        fed += [tick * 0.25 for said in manager.heard() if "WATCHDOG" in said]
    assert fed == [0, 30, 60, 90]


def test_a_status_is_said_when_it_changes(manager: Manager, hand: Hand) -> None:
    notifier = Notifier(manager.environment)
    for status in ("a", "a", "b", "b", "a"):
        notifier.beat(0, 0, status)
    assert [said["STATUS"] for said in manager.heard() if "STATUS" in said] == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("lateness", "lag", "status"),
    [
        (0.99, 4.9, "well"),
        (1.0, 0.0, "the event loop is late by 1.0 s"),
        (0.0, 5.0, "the journal has not moved for 5 s: look at its disk"),
        (2.5, 9.0, "the event loop is late by 2.5 s"),
    ],
)
def test_it_is_fed_only_while_loop_and_journal_are_well(
    manager: Manager, hand: Hand, lateness: float, lag: float, status: str
) -> None:
    notifier = Notifier(manager.environment)
    notifier.beat(lateness, lag, "well")
    said = manager.heard()
    assert said[0] == {"STATUS": status}
    assert said[1:] == ([{"WATCHDOG": "1"}] if status == "well" else [])


def test_it_is_fed_at_once_when_a_fault_is_over(manager: Manager, hand: Hand) -> None:
    notifier = Notifier(manager.environment)
    for now, lag in ((0, 0.0), (40, 8.0), (41, 9.0), (42, 0.0)):
        hand.now = 100.0 + now
        manager.heard()
        notifier.beat(0, lag, "well")
    assert manager.heard() == [{"STATUS": "well"}, {"WATCHDOG": "1"}]


def test_a_long_replay_asks_for_time_once_a_second(manager: Manager, hand: Hand) -> None:
    notifier = Notifier(manager.environment)
    for _, _ in zip(range(80), notifier.extending(count()), strict=False):
        hand.now += 0.0625
    said = manager.heard()
    assert len(said) == 5
    assert {message["EXTEND_TIMEOUT_USEC"] for message in said} == {"30000000"}
    assert said[2]["STATUS"] == "reading the journal, 32 records so far"


def test_each_ask_is_for_longer_than_until_the_next() -> None:
    assert notify.EXTENSION > 10 * notify.ASK


def test_the_loops_lateness(hand: Hand) -> None:
    watch = LoopWatch(0.25)
    hand.now += 60
    assert watch.lateness == 0, "nothing is due before the first tick"
    watch.tick()
    hand.now += 0.25
    watch.tick()
    assert (watch.lateness, watch.worst) == (0, 0)
    hand.now += 3.25
    assert watch.lateness == 3, "seen also while the loop stands"
    watch.tick()
    assert (watch.lateness, watch.worst) == (3, 3)
    hand.now += 0.25
    watch.tick()
    assert (watch.lateness, watch.worst) == (0, 3)
