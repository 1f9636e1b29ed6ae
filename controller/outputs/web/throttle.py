"""Guessing PINs is slowed down. Times are real seconds."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct


class Pace(NamedTuple):
    """So many wrong PINs are free; then each is followed by a pause: the first of `pause` seconds, each next
    one twice as long, up to `longest`.
    """

    free: int
    pause: float
    longest: float


#: `here`: for a name from one address. `name`: for a name from anywhere; looser, so that nobody can keep a
#: supervisor out from elsewhere. `address`: for everybody at one address, as a kiosk; looser still.
PACES: Mapping[str, Pace] = {
    "here": Pace(5, 30.0, 3600.0),
    "name": Pace(20, 30.0, 900.0),
    "address": Pace(40, 10.0, 300.0),
}
#: Seconds without a wrong PIN after which the earlier ones are forgotten.
MEMORY = 24 * 3600.0
#: Names and addresses remembered; those that erred longest ago are forgotten.
MOST = 5000


class _Tries(Struct):
    wrong: int = 0
    last: float = 0.0
    until: float = 0.0


class Throttle:
    """Counts wrong PINs by name, by address, and by both together."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._tries: dict[tuple[str, str, str], _Tries] = {}

    def wait(self, name: str, address: str) -> float:
        """Seconds to wait before this name may try again from there; 0: now."""
        now = self._now()
        found = (self._tries.get(key) for key in _keys(name, address))
        return max(0.0, *(tries.until - now for tries in found if tries), 0.0)

    def failed(self, name: str, address: str) -> None:
        """A wrong PIN."""
        now = self._now()
        for key in _keys(name, address):
            tries = self._tries.pop(key, None)
            if tries is None or now - tries.last > MEMORY:
                tries = _Tries()
            tries.wrong += 1
            tries.last = now
            pace = PACES[key[0]]
            over = tries.wrong - pace.free
            if over >= 0:
                tries.until = now + min(pace.pause * 2.0 ** min(over, 20), pace.longest)
            self._tries[key] = tries
        while len(self._tries) > MOST:
            del self._tries[next(iter(self._tries))]

    def passed(self, name: str, address: str) -> None:
        """The right PIN: the name's failures are forgotten, not those of the others at the address."""
        for key in _keys(name, address)[:2]:
            self._tries.pop(key, None)


def _keys(name: str, address: str) -> tuple[tuple[str, str, str], ...]:
    return ("here", name, address), ("name", name, ""), ("address", "", address)
