"""pit.toml: the pit console and the tables that it watches, checked as a whole before anything starts."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from controller.outputs.address import check_address, trust
from controller.outputs.web.settings import Listen, LookSection, PagesSection, read_key
from controller.ports import ConfigurationError
from controller.toml_lines import Path as KeyPath
from controller.toml_lines import control_characters, fault, faults, read_toml

#: Tables on one page.
MOST = 40


class PitSection(PagesSection, LookSection):
    """`state`: the folder of the people who may log in; paths are meant from pit.toml's folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=60)
    listen: Listen = "127.0.0.1:8090"
    state: str = "pit-state"

    def objections(self, base: Path) -> Iterator[tuple[str, str]]:
        """(key, what is wrong) of what pydantic does not see."""
        yield from super().objections(base)
        try:
            self.style(base)
        except ConfigurationError as error:
            yield "theme", str(error)


class TableSection(BaseModel):
    """A table: where its pages are, and the key that it has in its pit_key_file. `ca_file`: who signed its
    certificate. `name`: left out, its own. `insecure`: plain HTTP also beyond this machine.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    insecure: bool = False
    url: str
    key_file: str
    ca_file: str | None = None
    name: str | None = Field(default=None, min_length=1, max_length=60)

    @field_validator("url")
    @classmethod
    def _url(cls, url: str, others: ValidationInfo) -> str:
        parts = check_address(url, "http", "https", insecure=bool(others.data.get("insecure")))
        if parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError("is the address of a table, not of a page; end it with its port")
        return url.rstrip("/")

    def objections(self, base: Path) -> Iterator[tuple[str, str]]:
        """(key, what is wrong) of what pydantic does not see."""
        for key, check in (
            ("key_file", lambda: read_key(base / self.key_file)),
            ("ca_file", lambda: trust(base, self.ca_file)),
        ):
            try:
                check()
            except ConfigurationError as error:
                yield key, str(error)


class PitConfiguration(BaseModel):
    """The whole of pit.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pit: PitSection
    table: list[TableSection] = Field(min_length=1, max_length=MOST)

    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """The folder of pit.toml, from which its paths are meant."""
        return self._folder

    @property
    def state(self) -> Path:
        """The folder of the people."""
        return self._folder / self.pit.state


def parse_pit(text: str, origin: str, folder: Path) -> PitConfiguration:
    """The configuration of a TOML text. Raises ConfigurationError, one line for each fault."""
    data = read_toml(text, origin)
    if controls := list(control_characters(data)):
        said = [fault(path, "holds a control character; remove it", text, origin) for path in controls]
        raise ConfigurationError("\n".join(said))
    found = [fault(path, what, text, origin) for path, what in _objections(data, folder)]
    try:
        config = PitConfiguration.model_validate(data)
    except ValidationError as error:
        found = faults(error, text, origin) + found
    if found:
        raise ConfigurationError("\n".join(found))
    config._folder = folder
    return config


def _objections(data: dict[str, Any], folder: Path) -> Iterator[tuple[KeyPath, str]]:
    """Of every section that is sound in itself, so that one look at the list is enough."""
    tables = data.get("table")
    rows = list(enumerate(tables)) if isinstance(tables, list) else []
    kinds: list[tuple[KeyPath, type[PitSection] | type[TableSection], Any]] = [
        (("pit",), PitSection, data.get("pit")),
        *((("table", at), TableSection, row) for at, row in rows),
    ]
    seen: Counter[str] = Counter()
    for path, kind, given in kinds:
        try:
            section = kind.model_validate(given)
        except ValidationError:
            continue
        for key, what in section.objections(folder):
            yield (*path, key), what
        if isinstance(section, TableSection):
            seen[section.url] += 1
            if seen[section.url] == 2:
                yield (*path, "url"), "stands here for the second time; remove one"


def load_pit(path: Path) -> PitConfiguration:
    """The configuration in a file. Raises ConfigurationError, one line for each fault."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{path}: {reason}; name a readable pit.toml") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not UTF-8 text; save it as UTF-8") from None
    return parse_pit(text, str(path), path.absolute().parent)


def is_pit(path: Path) -> bool:
    """Whether a file is the configuration of a pit console, sound or not."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return "pit" in data
