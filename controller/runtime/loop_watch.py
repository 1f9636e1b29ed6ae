"""How late the event loop runs: what everything on it waits for."""

import time


class LoopWatch:
    """Told of every tick of a regular timer of the loop. `every`: seconds between two ticks."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._due = float("inf")
        self._late = 0.0
        #: the latest that any tick came, in seconds
        self.worst = 0.0

    def tick(self) -> None:
        """The timer fired, and will in `every` seconds again."""
        now = time.monotonic()
        self._late = max(0.0, now - self._due)
        self.worst = max(self.worst, self._late)
        self._due = now + self._every

    @property
    def lateness(self) -> float:
        """Seconds by which the last tick was late, or by which the next one is already; from any thread."""
        return max(self._late, time.monotonic() - self._due)
