"""The clock of links, drivers and simulators: seconds that only go forward, at any speed."""

import time


class Clock:
    """`now` is monotonic; at speed 20 a real second counts 20."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed

    def now(self) -> float:
        """Seconds of this clock."""
        return time.monotonic() * self.speed

    def seconds(self, real: float) -> float:
        """How many seconds of this clock pass in so many real ones."""
        return real * self.speed

    def real(self, seconds: float) -> float:
        """How many real seconds pass in so many of this clock."""
        return seconds / self.speed


class SteppingClock(Clock):
    """Goes on by at most `step` real seconds from one look at it to the next, and so stands still while the
    program is not running: at a high speed whole rounds would else happen in one moment.
    """

    def __init__(self, speed: float, step: float) -> None:
        super().__init__(speed)
        self._step = step
        self._looked = time.monotonic()
        self._at = super().now()

    def now(self) -> float:
        looked = time.monotonic()
        self._at += min(looked - self._looked, self._step) * self.speed
        self._looked = looked
        return self._at


class HandClock(Clock):
    """Stands still until it is set: for runs in virtual time."""

    def __init__(self, at: float = 0.0) -> None:
        super().__init__()
        self.at = at

    def now(self) -> float:
        return self.at
