"""table.toml: one table's configuration, checked as a whole before anything starts."""

import copy
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from controller.journal.settings import JournalSection
from controller.outputs.alerts.settings import (
    AlertSection,
    BrokerSection,
    alert_objections,
    broker_objections,
)
from controller.outputs.web.settings import BoardSection, LimitSection, WebSection
from controller.play.answers import answers
from controller.play.boundaries import Boundaries
from controller.ports import (
    ConfigurationError,
    DriverKind,
    DriverSpec,
    driver_names,
    find_driver,
    find_link,
    is_profile,
    profile_driver,
)
from controller.rules.remedies import Pack, load_pack
from controller.rules.ruleset import Ruleset, load_ruleset
from controller.rules.terms import CARDS_A_ROUND, Dealing
from controller.toml_lines import Path as KeyPath
from controller.toml_lines import control_characters, fault, faults, read_toml

Objection = tuple[KeyPath, str]

#: Cards come by hand: no device, no link.
MANUAL = "manual"
#: Stands for a driver that is missing while the rest is checked: nothing is said of it.
UNNAMED = "\0"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TableSection(_Section):
    """`state`: the folder of the journal; a path that is not absolute is meant from table.toml's folder.
    `card_overdue`: seconds after which a due card is overdue; 0 never.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9._-]{1,32}$")
    name: str = Field(min_length=1, max_length=60)
    seats: int = Field(default=7, ge=1, le=14)
    ruleset: str = "nj-mini-baccarat"
    remedies: str | None = None
    boundaries: Boundaries = "announced"
    dealing: Dealing = "face-up"
    card_overdue: float = Field(default=60.0, ge=0, le=3600)
    state: str = "state"


class LayoutSection(_Section):
    """`wagers`: those that the layout shows; empty takes all of the ruleset's. `behind_cut_card`: cards that
    the house cuts off at the end of a pack, where it does not follow the ruleset. `limits`: as the board
    shows them.
    """

    wagers: list[str] = Field(default_factory=list)
    cutting_cards: int = Field(default=2, ge=1, le=2)
    behind_cut_card: int | None = Field(default=None, ge=1, le=312)
    limits: dict[str, LimitSection] = Field(default_factory=dict)


class DeviceSection(_Section):
    """A device. Keys beside these are its driver's own settings."""

    model_config = ConfigDict(extra="allow", frozen=True)

    driver: str
    link: str | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The driver's own keys."""
        return dict(self.model_extra or {})


class ShoeSection(DeviceSection):
    """`commands`: the shoe may be told what to do; never on a line that only taps it. `lock_on_hold`: it is
    locked while the table is held.
    """

    decks: int = Field(default=8, ge=1, le=12)
    commands: bool = False
    lock_on_hold: bool = False


class ShufflerSection(DeviceSection):
    """`continuous`: it takes cards back during play, so that neither copies nor cards can be counted."""

    continuous: bool = False


class LogSection(_Section):
    format: Literal["auto", "json", "text"] = "auto"
    level: Literal["debug", "info", "warning", "error"] = "info"


class Configuration(_Section):
    """The whole of table.toml."""

    table: TableSection
    layout: LayoutSection = LayoutSection()
    shoe: ShoeSection
    shuffler: ShufflerSection | None = None
    display: list[DeviceSection] = Field(default_factory=list)
    sensor: DeviceSection | None = None
    web: WebSection = WebSection()
    board: BoardSection = BoardSection()
    log: LogSection = LogSection()
    journal: JournalSection = JournalSection()

    alert: list[AlertSection] = Field(default_factory=list)
    broker: BrokerSection | None = None

    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """The folder of table.toml, from which its paths are meant."""
        return self._folder

    @property
    def state(self) -> Path:
        """The folder of the journal."""
        return self._folder / self.table.state

    @cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset it names. Raises ConfigurationError."""
        own = self._folder / self.table.ruleset
        return load_ruleset(str(own) if own.suffix == ".toml" else self.table.ruleset)

    @cached_property
    def pack(self) -> Pack:
        """The remedy pack: the table's own, else its ruleset's. Raises ConfigurationError."""
        name = self.table.remedies or self.ruleset.remedies
        own = self._folder / name
        return load_pack(str(own) if own.suffix == ".toml" else name, answers())

    @cached_property
    def style(self) -> bytes:
        """The style sheet of the pages' theme. Raises ConfigurationError."""
        return self.board.style(self._folder)

    def devices(self) -> Iterator[tuple[str, KeyPath, DriverKind, DeviceSection]]:
        """(device name, key path, kind, section) of every device that has a link."""
        if self.shoe.driver not in (MANUAL, UNNAMED):
            yield "shoe", ("shoe",), "shoe", self.shoe
        if self.shuffler is not None:
            yield "shuffler", ("shuffler",), "shuffler", self.shuffler
        numbers: Counter[str] = Counter()
        for at, section in enumerate(self.display):
            role = "lamps" if section.driver == "lamps" else "sign"
            numbers[role] += 1
            name = role if numbers[role] == 1 else f"{role}-{numbers[role]}"
            yield name, ("display", at), "display", section
        if self.sensor is not None:
            yield "sensor", ("sensor",), "sensor", self.sensor

    def objections(self) -> Iterator[Objection]:
        """What no single key shows: missing drivers, bad links, and what the ruleset asks of a table."""
        try:
            yield from _against_ruleset(self, self.ruleset)
        except ConfigurationError as error:
            yield ("table", "ruleset"), str(error)
        else:
            try:
                self.pack  # noqa: B018 - reading it is the check
            except ConfigurationError as error:
                yield ("table", "remedies"), str(error)
        try:
            self.style  # noqa: B018 - read now, so that what is wrong with it is told
        except ConfigurationError as error:
            yield ("board", "theme"), str(error)
        if self.shoe.driver == MANUAL and self.table.boundaries == "device":
            yield ("table", "boundaries"), 'a manual shoe reports no result; set "announced" or "first_card"'
        if self.shoe.driver == MANUAL and self.shoe.commands:
            yield ("shoe", "commands"), "a manual shoe takes no commands; set false"
        for key, what in self.web.objections(self._folder):
            yield ("web", key), what
        yield from alert_objections(self.alert, self._folder)
        yield from broker_objections(self.broker, self._folder)
        for _, path, kind, section in self.devices():
            yield from _against_device(self, path, kind, section)
        yield from _against_sharing(self)


def _against_ruleset(config: Configuration, ruleset: Ruleset) -> Iterator[Objection]:
    table, decks, rules = config.table, config.shoe.decks, ruleset
    if table.seats > rules.seats.max:
        what = f"{table.seats} seats, and {rules.name} allows {rules.seats.max} ({rules.seats.citation})"
        yield ("table", "seats"), f"{what}; set at most {rules.seats.max}"
    if not rules.decks.min <= decks <= rules.decks.max:
        span = f"{rules.decks.min} to {rules.decks.max}"
        yield (
            ("shoe", "decks"),
            f"{decks}, and {rules.name} asks for {span} ({rules.decks.citation}); set {span}",
        )
    if table.dealing not in rules.deal.options:
        options = ", ".join(rules.deal.options)
        yield ("table", "dealing"), f"{rules.name} has {options} ({rules.deal.citation}); set one of them"
    if table.dealing != "face-up" and table.boundaries != "announced":
        what = f"with {table.dealing} dealing the dealer calls the hands, which needs announcements"
        yield ("table", "boundaries"), f'{what}; set "announced"'
    yield from _against_layout(config.layout, rules)
    needed = rules.equipment
    if needed.shoe.required and config.shoe.driver == MANUAL:
        what = f"{rules.name} deals from a shoe ({needed.shoe.citation})"
        yield ("shoe", "driver"), f"{what}; name the shoe's driver, or another ruleset"
    if needed.shuffler.required and config.shuffler is None:
        yield ("shuffler",), f"{rules.name} needs one ({needed.shuffler.citation}); add the section"


def _against_layout(layout: LayoutSection, rules: Ruleset) -> Iterator[Objection]:
    for wager in layout.limits:
        shown = layout.wagers or list(rules.wagers)
        if wager not in shown:
            yield (
                ("layout", "limits", wager),
                f"the layout shows {', '.join(shown)}; remove it, or add it to layout.wagers",
            )
    for at, wager in enumerate(layout.wagers):
        if wager not in rules.wagers:
            what = f"{wager!r}: {rules.name} offers {', '.join(rules.wagers)} ({rules.permitted.citation})"
            yield ("layout", "wagers", at), f"{what}; remove it, or name a ruleset that does"
    if layout.cutting_cards < rules.cut_cards:
        what = f"{rules.name} has {rules.cut_cards} cutting cards ({rules.cut_card.citation})"
        yield ("layout", "cutting_cards"), f"{what}; set {rules.cut_cards}"
    least = CARDS_A_ROUND * (1 + rules.rounds_after_cut_card)
    if layout.behind_cut_card is not None and layout.behind_cut_card < least:
        what = (
            f"{layout.behind_cut_card} cards do not last for the {1 + rules.rounds_after_cut_card} round(s)"
        )
        place = f"that {rules.name} allows once the cut card is seen"
        yield ("layout", "behind_cut_card"), f"{what} {place}; set at least {least}"


def _against_device(
    config: Configuration, path: KeyPath, kind: DriverKind, section: DeviceSection
) -> Iterator[Objection]:
    try:
        spec = find_driver(section.driver)
    except ConfigurationError as error:
        for line in str(error).splitlines():
            yield (*path, "driver"), line
        return
    if spec.kind != kind:
        known = ", ".join(driver_names(kind)) or "none"
        yield (*path, "driver"), f"{section.driver} is a {spec.kind}, no {kind}; installed: {known}"
        return
    try:
        spec.settings().model_validate(section.settings)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield (*path, *detail["loc"]), _driver_fault(section.driver, detail)
    if section.link is None:
        yield (*path, "link"), "is missing; say where the device is, as serial:/dev/serial/by-id/..."
    else:
        try:
            find_link(section.link)
        except ConfigurationError as error:
            yield (*path, "link"), str(error)
    if kind == "shoe":
        yield from _against_shoe(config, section.driver, spec)


def _against_sharing(config: Configuration) -> Iterator[Objection]:
    """Of two devices at one port each would get a part of the bytes."""
    owners: dict[str, str] = {}
    for name, path, _, section in config.devices():
        try:
            held = find_link(section.link).holds(section.link) if section.link else ()
        except ConfigurationError:
            continue  # told of already
        for what in held:
            owner = owners.setdefault(what, name)
            if owner != name:
                yield (*path, "link"), f"{what} is that of {owner} as well; give each device its own"


def _against_shoe(config: Configuration, name: str, spec: DriverSpec) -> Iterator[Objection]:
    if config.table.boundaries == "device" and not spec.results:
        yield ("table", "boundaries"), f'{name} reports no result; set "announced" or "first_card"'
    if config.shoe.commands and not spec.commands:
        yield ("shoe", "commands"), f"{name} takes no commands; set false"
    if config.shoe.lock_on_hold and not config.shoe.commands:
        yield ("shoe", "lock_on_hold"), "locking is a command; set commands = true as well"
    elif config.shoe.lock_on_hold and not {"lock", "unlock"} <= set(spec.commands):
        yield ("shoe", "lock_on_hold"), f"{name} cannot be locked by a command; set false"


def _driver_fault(driver: str, detail: Any) -> str:
    if detail["type"] == "extra_forbidden":
        return f"is neither a key of this section nor a setting of {driver}; remove it or mend its spelling"
    if detail["type"] == "value_error":
        return str(detail["msg"].removeprefix("Value error, "))
    return f"{detail['msg'].replace('Input should', 'should')}, not {detail['input']!r}"


def parse_configuration(text: str, origin: str, folder: Path) -> Configuration:
    """The configuration of a TOML text. Raises ConfigurationError, one line for each fault."""
    data = read_toml(text, origin)
    if found := [
        fault(path, "holds a control character; remove it", text, origin) for path in control_characters(data)
    ]:
        raise ConfigurationError("\n".join(found))
    _find_profiles(data, folder)
    try:
        config = Configuration.model_validate(data)
    except ValidationError as error:
        found = faults(error, text, origin)
        try:
            # The rest is checked as well, so that one look at the list is enough.
            config = Configuration.model_validate(_without(data, error))
        except ValidationError:
            raise ConfigurationError("\n".join(found)) from None
    config._folder = folder
    found += [fault(path, what, text, origin) for path, what in config.objections()]
    if found:
        raise ConfigurationError("\n".join(found))
    return config


def _find_profiles(data: dict[str, Any], folder: Path) -> None:
    """A device profile that is not named by its whole path is meant from the file's folder."""
    displays = data.get("display", [])
    sections = [data.get("shoe"), data.get("shuffler"), data.get("sensor")]
    for section in [*sections, *(displays if isinstance(displays, list) else [])]:
        driver = section.get("driver") if isinstance(section, dict) else None
        if isinstance(section, dict) and isinstance(driver, str) and is_profile(driver):
            section["driver"] = str(folder / driver)


def explain_profile(path: Path) -> str | None:
    """What the device profile in a file describes, in a line; None: the file is none. Raises
    ConfigurationError, one line for each fault.
    """
    try:
        text = path.read_text("utf-8")
        keys = set(tomllib.loads(text))
    except (OSError, ValueError, RecursionError):
        return None
    if "table" in keys or not keys & {"device", "frame", "extends"}:
        return None
    spec = profile_driver(text, str(path))
    able = [f"takes {', '.join(spec.commands)}"] if spec.commands and spec.kind != "display" else []
    return ", ".join([f"ok, describes a {spec.kind}", *able])


#: What stands for a required key that is missing or faulty while the rest is checked.
_STAND_INS: dict[str, dict[str, Any]] = {
    "table": {"id": "-", "name": "-"},
    "shoe": {"driver": UNNAMED},
}


def _without(data: dict[str, Any], error: ValidationError) -> dict[str, Any]:
    """The data without what pydantic objected to."""
    rest = copy.deepcopy(data)
    for detail in error.errors(include_url=False):
        *parents, key = detail["loc"]
        place: Any = rest
        for parent in parents:
            place = place.get(parent) if isinstance(place, dict) else place[int(parent)]
            if not isinstance(place, dict | list):
                break
        if isinstance(place, dict):
            place.pop(str(key), None)
    for name, keys in _STAND_INS.items():
        section = rest.get(name, {})
        rest[name] = keys | section if isinstance(section, dict) else dict(keys)
    return rest


def load_configuration(path: Path) -> Configuration:
    """The configuration in a file. Raises ConfigurationError, one line for each fault."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{path}: {reason}; name a readable table.toml") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8 text; save it as UTF-8") from None
    return parse_configuration(text, str(path), path.absolute().parent)
