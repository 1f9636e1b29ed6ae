"""What a configuration says of pages: where they are, their language and look, the limits on the board."""

import re
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from controller.outputs.address import is_here
from controller.outputs.certificate import server_context, shown
from controller.outputs.secret import read_secret
from controller.outputs.web.assets import languages, theme, themes
from controller.ports import ConfigurationError
from controller.roads import Tail

#: Days before its end from which a certificate is said to need renewing.
SOON_DAYS = 21
#: As a bearer token is written (RFC 6750).
_KEY = re.compile(r"[A-Za-z0-9._~+/-]{32,200}=*")
_HOST_NAME = re.compile(r"[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*")


def _listen(text: str) -> str:
    host, colon, port = text.rpartition(":")
    if not colon or not _is_host(host) or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ValueError(f'should be ADDRESS:PORT, as "127.0.0.1:8080", not {text!r}')
    return text


def _is_host(text: str) -> bool:
    try:
        ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return _HOST_NAME.fullmatch(text) is not None
    return True


Listen = Annotated[str, AfterValidator(_listen)]


class PagesSection(BaseModel):
    """`names`: host names that pages may be asked for under. `certificate_file`: pages are served with TLS;
    its key is in `key_file`, or in the same file.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    listen: Listen = "127.0.0.1:8080"
    names: list[str] = Field(default_factory=list)
    certificate_file: str | None = None
    key_file: str | None = None

    def certificate(self, base: Path) -> tuple[Path, Path | None] | None:
        """The files of the certificate and its key, meant from `base`; None: no TLS."""
        if self.certificate_file is None:
            return None
        return base / self.certificate_file, base / self.key_file if self.key_file else None

    def objections(self, base: Path) -> Iterator[tuple[str, str]]:
        """(key, what is wrong) of what pydantic does not see."""
        if self.key_file is not None and self.certificate_file is None:
            yield "key_file", "goes with a certificate; add certificate_file"
        if files := self.certificate(base):
            try:
                server_context(*files)
            except ConfigurationError as error:
                yield "certificate_file", str(error)

    def expiry(self, base: Path) -> tuple[str, str] | None:
        """(key, what is wrong) where no browser accepts the certificate today. The service starts all the
        same: pages that warn are better than none.
        """
        if files := self.certificate(base):
            try:
                shown(server_context(*files), files[0])
            except ConfigurationError as error:
                return "certificate_file", str(error)
        return None

    def advice(self, base: Path, now: float) -> Iterator[tuple[str, str]]:
        """(key, what should be thought about). `now`: Unix time. Ask where there is nothing to object."""
        files = self.certificate(base)
        if files is None and not is_here(self.host):
            yield (
                "listen",
                "PINs and sessions cross the network unencrypted; set certificate_file and key_file, "
                "or listen on 127.0.0.1",
            )
        if files and (days := int((shown(server_context(*files), files[0]) - now) / 86400)) < SOON_DAYS:
            yield "certificate_file", f"is good for {days} more days; renew it"

    @property
    def host(self) -> str:
        return self.listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        return int(self.listen.rpartition(":")[2])


class WebSection(PagesSection):
    """`without_login`: views that anybody may look at, as the dealer's on a screen that only the table sees;
    what is done there still needs a login. `pit_key_file`: the key with which a pit console may read the
    pit's view.
    """

    without_login: list[Literal["dealer"]] = Field(default_factory=list)
    pit_key_file: str | None = None

    def pit_key(self, base: Path) -> str | None:
        """The key of the pit console, its file meant from `base`. Raises ConfigurationError."""
        return None if self.pit_key_file is None else read_key(base / self.pit_key_file)

    def objections(self, base: Path) -> Iterator[tuple[str, str]]:
        """(key, what is wrong) of what pydantic does not see."""
        yield from super().objections(base)
        try:
            self.pit_key(base)
        except ConfigurationError as error:
            yield "pit_key_file", str(error)


def read_key(path: Path) -> str:
    """The key that a table and its pit console share. Raises ConfigurationError."""
    key = read_secret(path)
    if not _KEY.fullmatch(key):
        raise ConfigurationError(
            f"{path}: should hold at least 32 letters and digits; make one: "
            f"(umask 077; head -c 24 /dev/urandom | base64 > {path})"
        )
    return key


def _language(name: str) -> str:
    if name not in languages():
        raise ValueError(f"no text for {name!r}; set one of {', '.join(languages())}")
    return name


class LookSection(BaseModel):
    """`theme`: a shipped one, or the path of a style sheet."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: Annotated[str, AfterValidator(_language)] = "en"
    theme: str = "felt"

    def style(self, folder: Path) -> bytes:
        """The theme's style sheet; a path is meant from `folder`. Raises ConfigurationError."""
        if self.theme in themes():
            return theme(self.theme)
        own = folder / self.theme
        if own.suffix != ".css":
            known = ", ".join(themes())
            raise ConfigurationError(
                f"no theme named {self.theme!r}; set one of {known}, or the path of a .css file"
            )
        try:
            return own.read_bytes()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ConfigurationError(f"{own}: {reason}; name a readable style sheet") from None


class BoardSection(LookSection):
    """`footer`: the last line; empty shows none, and left out it is the language's own."""

    tail: Tail = "redrop"
    footer: str | None = Field(default=None, max_length=120)


class LimitSection(BaseModel):
    """The least and the most that may be placed on a wager, in whole money."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    min: int = Field(ge=1, le=10**12)
    max: int = Field(ge=1, le=10**12)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"min {self.min} is more than max {self.max}; exchange them")
        return self
