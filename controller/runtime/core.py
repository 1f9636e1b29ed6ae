"""The deterministic core: what a record of the journal leads to.

The service, a restart, the audit and the tests all run this: given the same start, signals and inputs in the
same order, it gives the same observations and facts. It has no I/O, clock or randomness.
"""

from typing import Any, Self

import msgspec
from msgspec import Struct, structs

from controller.facts import AnyFact, ShoeStarted
from controller.journal.record import Entry, Record
from controller.orders import Event
from controller.play.answers import answers
from controller.play.house import House
from controller.play.resting import resting, resumed
from controller.play.round import Boundaries
from controller.play.table import Table
from controller.ports import (
    AnySignal,
    Commanded,
    Discreet,
    Driver,
    DriverSpec,
    Remembering,
    find_driver,
    profile_driver,
)
from controller.rules.remedies import parse_pack
from controller.rules.ruleset import parse_ruleset
from controller.rules.terms import Dealing
from controller.runtime.carried import Carried
from controller.runtime.commanding import HoldLock, decided
from controller.views.disclosure import Devices, Item

_encode = msgspec.json.Encoder().encode
_signals = msgspec.json.Decoder(AnySignal)
_events = msgspec.json.Decoder(Event)
_facts = msgspec.json.Decoder(AnyFact)


class Device(Struct, frozen=True, kw_only=True):
    """A device as it was configured: its driver's name and settings."""

    name: str
    driver: str
    settings: dict[str, Any]
    #: the text of a house's own device profile
    profile: str = ""


SHOE = "shoe"
#: The kinds of record that something follows from.
INPUTS = ("start", "signal", "input")


class Inputs(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the facts depend on beside events; journalled at every start and at each shoe's start.

    `boot` and `speed` tell whether the times of two runs can be compared. `commands`: the shoe may be told
    what to do, and with `lock_on_hold` it is locked while the table is held.
    """

    version: str
    boot: str
    speed: float
    boundaries: Boundaries
    decks: int
    dealing: Dealing
    seats: int
    wagers: list[str]
    ruleset: str
    configuration: dict[str, Any]
    devices: list[Device]
    commands: bool = False
    lock_on_hold: bool = False
    #: the text of the remedy pack; empty: none
    remedies: str = ""
    shuffler: bool = False
    continuous: bool = False
    #: cards are entered by hand
    manual: bool = False
    #: what is still known is journalled where one shoe follows another
    carries: bool = False

    def house(self) -> House:
        """What the table plays by. Raises ConfigurationError."""
        ruleset = parse_ruleset(self.ruleset, "the journalled ruleset")
        pack = parse_pack(self.remedies, "the journalled remedy pack", answers()) if self.remedies else None
        return House(
            ruleset,
            self.decks,
            self.boundaries,
            self.dealing,
            self.seats,
            tuple(self.wagers),
            self.shuffler,
            self.continuous,
            self._sequenced(),
            self.manual,
            pack,
        )

    def _sequenced(self) -> bool:
        """The shoe numbers its reports, or there is none."""
        return all(_spec(device).sequenced for device in self.devices if device.name == SHOE)


class Derived(Struct, frozen=True):
    """What follows from one input: the journal entries, the input's own first, and the items to show."""

    entries: list[Entry]
    items: list[tuple[int, Item]]  # (place in entries, what it says)


class Core:
    """One table with its drivers. Ready after the first `begin`."""

    def __init__(self) -> None:
        self.inputs: Inputs | None = None
        self._house: House | None = None  # the same of the inputs, which takes long to read
        self.drivers: dict[str, Driver] = {}
        self._discreet: dict[str, Discreet] = {}
        self._table: Table | None = None
        self._hold_lock = HoldLock()
        self._devices = Devices()

    @property
    def table(self) -> Table:
        """The table; there is one from the first start on."""
        assert self._table is not None
        return self._table

    def begin(self, inputs: Inputs) -> Derived:
        """The service starts. A shoe that is in play keeps the rules that it began with."""
        before = self.inputs.devices if self.inputs else []
        self.inputs, self._house = inputs, inputs.house()
        if self._table is None:
            self._table = Table(self._house)
        else:
            self._table.play_by(self._house)
        # A driver that is configured as before keeps its memory.
        self.drivers = {d.name: self.drivers[d.name] if d in before else _driver(d) for d in inputs.devices}
        self._know_discreet()
        if not any(d.name == SHOE and d in before for d in inputs.devices):
            self._hold_lock = HoldLock()
        return Derived([Entry("start", _encode(inputs))], [])

    def _know_discreet(self) -> None:
        # To ask it of every signal would take as long as to understand it.
        self._discreet = {name: d for name, d in self.drivers.items() if isinstance(d, Discreet)}

    def hear(self, device: str, signal: AnySignal) -> Derived:
        """A link told a driver something, or an engineer commands a device."""
        if discreet := self._discreet.get(device):
            # No order of undealt cards may ever be recorded.
            signal = discreet.redact(signal)
        derived = Derived([Entry("signal", _encode(signal), device, signal.at)], [])
        self._tell(device, signal, derived)
        self._lock_while_held(signal.at, derived)
        self._rest(derived)
        return derived

    def enter(self, event: Event) -> Derived:
        """An announcement, an order or a timer came in."""
        derived = Derived([], [])
        held = self.table.hold
        self._take(event, "input", derived)
        answered = held if held is not None and held.id not in self.table.open else None
        if command := decided(event, answered):
            self._command(command, derived)
        self._lock_while_held(event.at, derived)
        self._rest(derived)
        return derived

    @classmethod
    def resumed(cls, inputs: Inputs, carried: Carried) -> Self:
        """A core that goes on from there. `inputs`: those of then. Raises ConfigurationError."""
        core = cls()
        core.inputs, core._house = inputs, inputs.house()
        core.drivers = {device.name: _driver(device) for device in inputs.devices}
        for name, memory in carried.drivers.items():
            driver = core.drivers[name]
            assert isinstance(driver, Remembering)
            driver.remember(memory)
        core._know_discreet()
        core._hold_lock.remember(carried.lock)
        core._devices.lost = set(carried.lost)
        core._devices.faults = {device: list(faults) for device, faults in carried.faults.items()}
        core._table = resumed(core._house, carried.table)
        return core

    def _rest(self, derived: Derived) -> None:
        """Where one shoe follows another and nothing is under way, the record may be begun anew."""
        if self.inputs is None or not self.inputs.carries:
            return
        if not any(isinstance(item, ShoeStarted) and item.shoe > 1 for _, item in derived.items):
            return
        carried = self._carried()
        if carried is not None and self._house is not None:
            derived.entries.append(Entry("carried", _encode(carried)))
            # What is not carried over is forgotten now, and not only by a restart.
            self._table = resumed(self._house, carried.table)

    def _carried(self) -> Carried | None:
        """All that is known, as data; None: something is under way."""
        table = resting(self.table)
        memories: dict[str, dict[str, Any]] = {}
        for name, driver in self.drivers.items():
            memory = driver.memory() if isinstance(driver, Remembering) else None
            if memory is None:
                return None
            memories[name] = memory
        if table is None:
            return None
        return Carried(
            table=table,
            drivers=memories,
            lock=self._hold_lock.memory(),
            lost=sorted(self._devices.lost),
            faults={device: list(faults) for device, faults in self._devices.faults.items() if faults},
        )

    def _tell(self, device: str, signal: AnySignal, derived: Derived) -> None:
        for seen in self.drivers[device].apply(signal):
            observation = seen if device == SHOE else structs.replace(seen, device=device)
            if device == SHOE:
                self._hold_lock.notice(observation)
            self._take(observation, "observation", derived)

    def _command(self, command: Commanded, derived: Derived) -> None:
        """Tell the shoe, as part of what follows from the input: it is journalled before a byte is sent."""
        if self.inputs is not None and self.inputs.commands and SHOE in self.drivers:
            self._tell(SHOE, command, derived)

    def _lock_while_held(self, at: float | None, derived: Derived) -> None:
        if self.inputs is None or not self.inputs.lock_on_hold:
            return
        while command := self._hold_lock.due(self.table.hold is not None, at):
            self._command(command, derived)

    def _take(self, event: Any, kind: Any, derived: Derived) -> None:
        if kind == "observation":
            self._devices.see(event)
        derived.items.append((len(derived.entries), event))
        derived.entries.append(Entry(kind, _encode(event), event.device, event.at))
        for fact in self.table.apply(event):
            derived.items.append((len(derived.entries), fact))
            derived.entries.append(Entry("fact", _encode(fact)))
            if isinstance(fact, ShoeStarted):
                derived.entries.append(Entry("configuration", _encode(self.inputs)))

    def repeat(self, record: Record) -> Derived:
        """What the input in a record leads to. Raises msgspec.DecodeError, KeyError for one that is none."""
        match record.kind:
            case "start":
                return self.begin(msgspec.json.decode(record.body, type=Inputs))
            case "signal":
                return self.hear(record.device or "", _signals.decode(record.body))
            case _:
                return self.enter(_events.decode(record.body))


def _spec(device: Device) -> DriverSpec:
    return profile_driver(device.profile, device.driver) if device.profile else find_driver(device.driver)


def _driver(device: Device) -> Driver:
    spec = _spec(device)
    return spec.driver(spec.settings().model_validate(device.settings))
