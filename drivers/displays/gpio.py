"""Lamps on the pins of a Raspberry Pi as a link: `gpio:lgpio?player=17&banker=27&tie=22&call=23`.

The pin factory is named, never guessed (field failure 60): `lgpio` on a Pi, `mock` elsewhere. Numbers are
Broadcom's. `active=low` for lamps that light when their pin is low. A line that is written names those lit.
"""

import asyncio
import contextlib
import re
import sys
from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from urllib.parse import parse_qsl

from controller.ports import AnySignal, ConfigurationError, LinkSpec, Lost, Restored
from controller.runtime.clock import Clock

FACTORIES = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}
LAMPS = ("player", "banker", "tie", "call")
PINS = range(2, 28)
RETRY = (10.0,)  # real seconds before each further try, the last repeats
MAX_LINE = 64


def parse(address: str) -> tuple[str, bool, dict[str, int]]:
    """Factory, whether lamps light on high, and the pin of each lamp. Raises ConfigurationError."""
    factory, _, query = address.partition(":")[2].partition("?")
    if factory not in FACTORIES:
        raise _wrong(address, f"name the pin factory, {' or '.join(FACTORIES)}, as gpio:lgpio?player=17")
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    active = pairs.pop("active", "high")
    if active not in ("high", "low"):
        raise _wrong(address, f"active is high or low, not {active!r}")
    for lamp, pin in pairs.items():
        if lamp not in LAMPS:
            raise _wrong(address, f"no lamp {lamp!r}; there are {', '.join(LAMPS)}")
        if not re.fullmatch("[0-9]{1,2}", pin) or int(pin) not in PINS:
            raise _wrong(address, f"{lamp} is on a pin from {PINS[0]} to {PINS[-1]}, not {pin!r}")
    pins = {lamp: int(pin) for lamp, pin in pairs.items()}
    if not pins or len(set(pins.values())) < len(pins):
        raise _wrong(address, "give each lamp a pin of its own, as player=17&banker=27&tie=22&call=23")
    return factory, active == "high", pins


def check_link(address: str) -> None:
    """Raises ConfigurationError."""
    parse(address)
    if find_spec("gpiozero") is None:
        raise _wrong(address, 'lamps need gpiozero; run: pip install "table-controller[lamps]"')


def _wrong(address: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(f"link {address!r}: {remedy}")


class GpioLink:
    """The pins are taken while it is open; all lamps are off before the first line and after the last."""

    def __init__(self, address: str, clock: Clock, back_off: Sequence[float] = RETRY) -> None:
        self.address = address
        #: why the pins could not be taken; None: they are
        self.problem: str | None = "not opened yet"
        #: lamp -> its LED, while open
        self.lamps: dict[str, Any] = {}
        self.factory: Any = None
        self._kind, self._active_high, self._pins = parse(address)
        self._clock = clock
        self._back_off = back_off
        self._retry: asyncio.TimerHandle | None = None
        self._unfinished = b""

    def open(self, listener: Callable[[AnySignal], None]) -> None:
        self._listener = listener
        self._try(0)

    def write(self, data: bytes) -> bool:
        if self.problem is not None:
            return False
        *lines, rest = (self._unfinished + data).split(b"\n")
        self._unfinished = rest[-MAX_LINE:]
        if lines:
            try:
                self._light(lines[-1].decode("ascii", "replace").split())
            except _failures() as error:
                self._fail(error, 0)
                self._listener(Lost(at=self._clock.now()))
                return False
        return True

    async def close(self) -> None:
        if self._retry:
            self._retry.cancel()
        self._release()
        self.problem = "closed"

    def _light(self, lit: Sequence[str]) -> None:
        for lamp, led in self.lamps.items():
            led.value = lamp in lit

    def _try(self, tries: int) -> None:
        try:
            self._take()
        except _failures() as error:
            self._fail(error, tries)
            return
        self.problem = None
        self._listener(Restored(at=self._clock.now()))

    def _fail(self, error: BaseException, tries: int) -> None:
        self.problem = f"{type(error).__name__}: {error}"
        self._release()
        delay = self._back_off[min(tries, len(self._back_off) - 1)]
        self._retry = asyncio.get_running_loop().call_later(delay, self._try, tries + 1)

    def _take(self) -> None:
        from gpiozero import LED

        module, name = FACTORIES[self._kind]
        self.factory = getattr(import_module(module), name)()
        for lamp, pin in self._pins.items():
            self.lamps[lamp] = LED(pin, active_high=self._active_high, pin_factory=self.factory)

    def _release(self) -> None:
        self._unfinished = b""
        for led in self.lamps.values():
            with contextlib.suppress(*_failures()):
                led.off()
                led.close()
        self.lamps.clear()
        if self.factory is not None:
            with contextlib.suppress(*_failures()):
                self.factory.close()
            self.factory = None


def _failures() -> tuple[type[BaseException], ...]:
    """What gpiozero and the library below it raise; lgpio's own error is no OSError."""
    from gpiozero import GPIOZeroError

    lgpio = sys.modules.get("lgpio")
    return (ImportError, OSError, GPIOZeroError, *((lgpio.error,) if lgpio else ()))


def open_link(address: str, *, clock: Clock, back_off: Sequence[float] = RETRY, **_: Any) -> GpioLink:
    """The lamps at an address, not yet taken. A serial line's settings have no effect."""
    return GpioLink(address, clock, back_off)


def holds(address: str) -> Collection[str]:
    """Its pins."""
    return [f"pin {pin}" for pin in parse(address)[2].values()]


SPEC = LinkSpec(check=check_link, open=open_link, holds=holds)
