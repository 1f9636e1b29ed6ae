"""The borders between the controller and its devices: signals, drivers, simulators, links and their specs.

A link turns a port into *signals*; a driver turns signals into observations. Both a driver and a simulator
are sans-I/O: no file, socket, clock or thread. Times are the link's clock, in seconds.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from msgspec import Struct
from pydantic import BaseModel

from controller.cards import Card
from controller.observations import Observation

DRIVER_GROUP = "table_controller.drivers"
LINK_GROUP = "table_controller.links"
#: Under `toml`: a function from a device profile's text and origin to its DriverSpec.
PROFILE_GROUP = "table_controller.profiles"


class ControllerError(Exception):
    """What went wrong, where, and what to do: one line for a person. Never raised itself, only subclassed."""


class ConfigurationError(ControllerError):
    """A file or an option that must be mended before anything can start."""


class InputError(ControllerError):
    """Input that cannot be read: names the place."""


class CommandError(ControllerError):
    """A device command that may not be given now."""


class BrokenError(ControllerError):
    """What is in memory cannot be trusted any more; the record can."""


# -- signals: what a driver is told; journalled, so that it can be rebuilt ----------------------------------


class Signal(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="signal", tag=str.lower):
    """`at`: receive time in seconds; None in a capture file, which has no clock."""

    at: float | None = None


class Received(Signal, frozen=True):
    data: bytes


class Silence(Signal, frozen=True):
    """The deadline that the driver asked for has passed."""


class Lost(Signal, frozen=True):
    """The port went away; one for each loss."""


class Restored(Signal, frozen=True):
    """The port is open (again)."""


class Resumed(Signal, frozen=True):
    """The service started again on the same record. `heard`: until when it listened, if that is known."""

    heard: float | None = None


class Ended(Signal, frozen=True):
    """End of a capture: nothing will follow."""


class Commanded(Signal, frozen=True):
    """The device is to do something: `command` is one of its spec's, `by` who wants it.

    Answered with a `command_sent` and later a `command_settled`, or at once with a `command_settled`.
    """

    command: str
    by: str


AnySignal = Received | Silence | Lost | Restored | Resumed | Ended | Commanded


# -- the interfaces ---------------------------------------------------------------------------------------


class Driver(Protocol):
    """The host's side of one device. Deterministic: the same signals give the same observations."""

    def apply(self, signal: AnySignal) -> list[Observation]:
        """What the signal means. Never raises for any bytes."""

    def deadline(self) -> float | None:
        """When a `Silence` is wanted, in link time; None: not waiting."""

    def outgoing(self) -> bytes:
        """Bytes to write to the device, given once. Those of a rebuild are stale: drop them."""


@runtime_checkable
class Discreet(Protocol):
    """A driver whose device may send what must not be kept, as the order of undealt cards."""

    def redact(self, signal: AnySignal) -> AnySignal:
        """The signal as it may be recorded; asked before it is applied, changes nothing. Applying the
        redacted signal gives the same observations.
        """


@runtime_checkable
class Remembering(Protocol):
    """A driver that can go on elsewhere as it would have here. With one that cannot, a journal is never
    divided.
    """

    def memory(self) -> dict[str, Any] | None:
        """All that it knows, as JSON has it; None: it is in the middle of something."""

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that; asked of a new driver, before any signal."""


class Simulator(Protocol):
    """The device's side of the same codec. Time comes in through `advance`."""

    def receive(self, data: bytes, at: float) -> None:
        """Bytes from the host."""

    def advance(self, at: float) -> list[bytes]:
        """Everything the device sends up to and including `at`, write by write."""

    def next_at(self) -> float | None:
        """When it next has something to do; None: only when spoken to, or finished."""


@runtime_checkable
class Stage(Protocol):
    """A simulated device at which others act, in place of those who come with it."""

    def play(self, acts: Sequence[Observation], at: float) -> list[Observation]:
        """What leads it to report these is done, each `act.at` seconds after `at`; gives what it cannot
        report.
        """


@runtime_checkable
class Keyed(Protocol):
    """A simulated device that is played by keyboard. `keys`: key -> what it does, for a person."""

    keys: Mapping[str, str]

    def press(self, key: str, at: float) -> None:
        """A key is pressed; one that means nothing has no effect."""


@runtime_checkable
class Fed(Protocol):
    """A simulated shoe that is given its packs, as those who come with it have none of their own."""

    def bring(self, pack: str, cards: Sequence[Card], at: float) -> None:
        """A pack of that id, in this order, is there to be put in when the shoe is empty."""


class Session(Protocol):
    """A simulated device being played at a link."""

    def now(self) -> float:
        """The time of its clock."""

    def unplug(self, at: float, until: float) -> None:
        """Take the link away between these times; `until` may be infinite."""

    def wake(self) -> None:
        """Something was asked of the device: see to it at once."""


class Link(Protocol):
    """A port. Calls `listener` on the event loop with each signal; reopens by itself until closed."""

    address: str

    def open(self, listener: Callable[[AnySignal], None]) -> None:
        """Start trying; `Restored` when it is open, then `Received`, one `Lost` a loss."""

    def write(self, data: bytes) -> bool:
        """Queue bytes; False when the port is not open. Never discards what was received."""

    async def close(self) -> None:
        """Release the port; no signal after it returns."""


DriverKind = Literal["shoe", "shuffler", "display", "sensor", "link"]


@dataclass(frozen=True)
class DriverSpec:
    """What a driver package exposes in the group `table_controller.drivers`.

    The callables import on their first call, so that listing drivers costs nothing.
    `settings` is a pydantic model of the driver's own keys in table.toml; `driver` and `simulator` take one.
    `sequenced`: reports are numbered, so a report that went by unheard can be seen.
    `slots`: names the hand of each card. `results`: reports a result of its own. `commands`: what the device
    can be told to do (`lock`, `unlock`, ...). `profile`: the text of a house's own profile, if it is one.
    """

    kind: DriverKind
    settings: Callable[[], type[BaseModel]]
    driver: Callable[[Any], Driver]
    simulator: Callable[..., Simulator] | None = None
    probe: Callable[[bytes], bool] | None = None
    sequenced: bool = False
    slots: bool = False
    results: bool = False
    commands: tuple[str, ...] = ()
    profile: str = ""
    serial: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LinkSpec:
    """What a link package exposes in the group `table_controller.links`, under the scheme of its addresses.

    `check(address)` raises ConfigurationError. `open(address, clock=, **serial)` gives a Link; `serial` is a
    driver's own, and what the address says wins over it. `serve(simulator, address, clock=)` plays the
    device at that address until cancelled, with `faults=` and `seed=` on a bad line; `begun=` is told a
    Session when play begins. None where there is no other end to play. `holds(address)` names what only one
    device can have.
    """

    check: Callable[[str], None]
    open: Callable[..., Link]
    serve: Callable[..., Awaitable[None]] | None = None
    holds: Callable[[str], Collection[str]] = lambda address: ()


def driver_names(kind: DriverKind | None = None) -> list[str]:
    """The installed drivers, sorted; `kind` loads each to filter."""
    found = entry_points(group=DRIVER_GROUP)
    return sorted(e.name for e in found if kind is None or e.load().kind == kind)


def is_profile(driver: str) -> bool:
    """The name of a driver is the path of a device profile."""
    return driver.endswith(".toml")


def find_driver(name: str) -> DriverSpec:
    """The spec of an installed driver, or of the device profile at a path. Raises ConfigurationError with the
    names there are, or one line for each fault of the profile.
    """
    if is_profile(name):
        return profile_driver(_text(name), name)
    found = [e for e in entry_points(group=DRIVER_GROUP) if e.name == name]
    if not found:
        raise ConfigurationError(
            f"no driver named {name!r}; installed: {', '.join(driver_names()) or 'none'}"
        )
    spec = found[0].load()
    if not isinstance(spec, DriverSpec):
        raise ConfigurationError(f"driver {name!r}: its entry point is not a DriverSpec")
    return spec


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{path}: {reason}; name a readable device profile") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8 text; save it as UTF-8") from None


def profile_driver(text: str, origin: str) -> DriverSpec:
    """The spec that a device profile describes. Raises ConfigurationError, one line for each fault."""
    (reader,) = entry_points(group=PROFILE_GROUP, name="toml")
    spec = reader.load()(text, origin)
    assert isinstance(spec, DriverSpec)
    return spec


def find_link(address: str) -> LinkSpec:
    """The link for an address such as `serial:/dev/serial/by-id/...`, checked. Raises ConfigurationError."""
    schemes = {entry.name: entry for entry in entry_points(group=LINK_GROUP)}
    scheme = address.partition(":")[0]
    if scheme not in schemes:
        known = ", ".join(f"{name}:" for name in sorted(schemes)) or "none"
        raise ConfigurationError(f"link {address!r}: an address begins with one of {known}")
    spec = schemes[scheme].load()
    if not isinstance(spec, LinkSpec):
        raise ConfigurationError(f"link {scheme!r}: its entry point is not a LinkSpec")
    spec.check(address)
    return spec


def observe(driver: Driver, signals: Sequence[AnySignal]) -> list[Observation]:
    """Every observation of a whole run of signals."""
    return [o for s in signals for o in driver.apply(s)]
