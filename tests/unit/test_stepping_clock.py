"""A clock that stands still while the program is not running."""

from controller.runtime.clock import SteppingClock


def test_a_stall_is_no_more_than_a_step(monkeypatch):
    real = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: real[0])
    clock = SteppingClock(speed=40.0, step=0.01)
    began = clock.now()
    passed = []
    for later in (0.0, 0.005, 0.01, 3.0, 0.005):
        real[0] += later
        passed.append(round(clock.now() - began, 6))
    assert passed == [0.0, 0.2, 0.6, 1.0, 1.2]
    assert (clock.real(40.0), clock.seconds(1.0)) == (1.0, 40.0)
