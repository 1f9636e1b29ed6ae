"""Sessions end, and guessing PINs takes ever longer: by a clock that the test turns."""

import pytest

from controller.outputs.web.sessions import IDLE, LIFE, Sessions
from controller.outputs.web.throttle import MEMORY, MOST, PACES, Throttle
from controller.people import Person

SUE = Person(name="sue", role="supervisor", pin="-")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_sessions_end_when_idle_and_after_a_day() -> None:
    clock = Clock()
    sessions = Sessions(clock)
    token = sessions.begin(SUE).token
    clock.now += IDLE
    assert sessions.find(token) is not None
    clock.now += IDLE + 1
    assert sessions.find(token) is None
    token = sessions.begin(SUE).token
    ends = clock.now + LIFE
    while clock.now <= ends:
        assert sessions.find(token) is not None
        clock.now += IDLE / 2
    assert sessions.find(token) is None
    assert sessions.find(None) is None
    assert sessions.find("") is None


def wrong(throttle: Throttle, times: int, name: str, address: str) -> list[float]:
    """The wait behind each of so many wrong PINs."""
    waits = []
    for _ in range(times):
        throttle.failed(name, address)
        waits.append(throttle.wait(name, address))
    return waits


def test_each_further_wrong_pin_doubles_the_wait_up_to_an_hour() -> None:
    throttle = Throttle(Clock())
    assert wrong(throttle, 14, "sue", "10.0.0.1") == [
        0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600,
    ]  # fmt: skip
    throttle.passed("sue", "10.0.0.1")
    assert throttle.wait("sue", "10.0.0.1") == 0


def test_a_wait_is_over_when_its_time_is() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    wrong(throttle, 5, "sue", "10.0.0.1")
    clock.now += 29.5
    assert throttle.wait("sue", "10.0.0.1") == 0.5
    clock.now += 0.5
    assert throttle.wait("sue", "10.0.0.1") == 0


def test_somebody_else_at_the_same_kiosk_does_not_wait() -> None:
    throttle = Throttle(Clock())
    wrong(throttle, 10, "sue", "10.0.0.1")
    assert throttle.wait("dan", "10.0.0.1") == 0
    throttle.passed("dan", "10.0.0.1")
    # Nor does another's right PIN help the one who guesses.
    assert throttle.wait("sue", "10.0.0.1") > 0


def test_nobody_is_locked_out_from_elsewhere_by_a_handful_of_tries() -> None:
    throttle = Throttle(Clock())
    wrong(throttle, PACES["name"].free - 1, "sue", "10.0.0.66")
    assert throttle.wait("sue", "10.0.0.1") == 0
    assert wrong(throttle, 1, "sue", "10.0.0.66")[0] > 0
    assert throttle.wait("sue", "10.0.0.1") == PACES["name"].pause
    wrong(throttle, 50, "sue", "10.0.0.66")
    assert throttle.wait("sue", "10.0.0.1") == PACES["name"].longest


def test_a_guesser_with_many_addresses_is_slowed_by_the_name() -> None:
    throttle = Throttle(Clock())
    for place in range(PACES["name"].free):
        throttle.failed("sue", f"10.0.0.{place}")
    assert throttle.wait("sue", "10.0.0.99") == PACES["name"].pause


def test_an_address_that_guesses_many_names_waits_for_all_of_them() -> None:
    throttle = Throttle(Clock())
    for number in range(PACES["address"].free):
        throttle.failed(f"name-{number}", "10.0.0.66")
    assert throttle.wait("sue", "10.0.0.66") == PACES["address"].pause
    assert throttle.wait("sue", "10.0.0.1") == 0
    for number in range(20):
        throttle.failed(f"name-{number}", "10.0.0.66")
    assert throttle.wait("sue", "10.0.0.66") == PACES["address"].longest


@pytest.mark.parametrize("pause", [MEMORY + 1])
def test_a_day_without_a_wrong_pin_forgets_the_earlier_ones(pause: float) -> None:
    clock = Clock()
    throttle = Throttle(clock)
    wrong(throttle, 9, "sue", "10.0.0.1")
    clock.now += pause
    assert wrong(throttle, 5, "sue", "10.0.0.1") == [0, 0, 0, 0, 30]


def test_what_is_remembered_has_a_bound() -> None:
    throttle = Throttle(Clock())
    for number in range(MOST):
        throttle.failed(f"name-{number}", f"10.0.{number >> 8}.{number & 255}")
    assert len(throttle._tries) == MOST
