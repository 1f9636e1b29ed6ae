"""`[[alert]]` and `[broker]` of table.toml: who is told of what, when and how.

Files are meant from table.toml's folder. A URL never holds a secret: the configuration is journalled.
"""

import binascii
import importlib.util
import ssl
from base64 import b64decode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from controller.facts import Severity
from controller.outputs.address import check_address, trust
from controller.outputs.certificate import load
from controller.outputs.secret import read_secret
from controller.ports import ConfigurationError
from controller.views.disclosure import Audience

#: `device`: a device is lost or reports a fault, whatever the round. `health`: disk, port, link or service
#: must be mended; told to the pit only.
Level = Severity | Literal["device", "health"]
Kind = Literal["webhook", "mqtt", "apprise"]
Seconds = Annotated[float, Field(ge=0, le=86_400)]
Interval = Annotated[float, Field(ge=10, le=86_400)]
Timeout = Annotated[float, Field(gt=0, le=60)]
KeyPath = tuple[str | int, ...]
Fault = tuple[str, str]  # key, what is wrong there

WEBHOOK_PREFIX = "whsec_"


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WebhookSettings(_Settings):
    """`timeout`: seconds for a whole attempt. `insecure`: plain HTTP also beyond this machine."""

    insecure: bool = False
    url: str
    secret_file: str
    ca_file: str | None = None
    timeout: Timeout = 10.0

    @field_validator("url")
    @classmethod
    def _url(cls, url: str, others: ValidationInfo) -> str:
        check_address(url, "http", "https", insecure=bool(others.data.get("insecure")))
        return url

    def faults(self, base: Path) -> Iterator[Fault]:
        """What is wrong with the files and extras that this needs."""
        yield from _fault("secret_file", self.secret, base)
        yield from _fault("ca_file", self.tls, base)

    def secret(self, base: Path) -> bytes:
        """The key to sign with. Raises ConfigurationError."""
        path = base / self.secret_file
        text = read_secret(path)
        try:
            key = b64decode(text.removeprefix(WEBHOOK_PREFIX), validate=True)
        except binascii.Error:
            key = b""
        if not text.startswith(WEBHOOK_PREFIX) or not 24 <= len(key) <= 64:
            raise ConfigurationError(
                f"{path}: should hold {WEBHOOK_PREFIX} and the base64 of 24 to 64 random bytes; make one: "
                f"(umask 077; echo {WEBHOOK_PREFIX}$(head -c 32 /dev/urandom | base64) > {path})"
            )
        return key

    def tls(self, base: Path) -> ssl.SSLContext:
        """How the receiver is verified. Raises ConfigurationError."""
        return trust(base, self.ca_file)


class MqttSettings(_Settings):
    """`topic`: the first part of every topic. `insecure`: without TLS also beyond this machine."""

    insecure: bool = False
    url: str
    user: str | None = None
    password_file: str | None = None
    ca_file: str | None = None
    certificate_file: str | None = None
    key_file: str | None = None
    topic: str = Field(default="baccarat", pattern=r"^[^+#$/\x00][^+#\x00]*$", max_length=200)
    timeout: Timeout = 10.0

    @field_validator("url")
    @classmethod
    def _url(cls, url: str, others: ValidationInfo) -> str:
        parts = check_address(url, "mqtt", "mqtts", insecure=bool(others.data.get("insecure")))
        if parts.path not in ("", "/"):
            raise ValueError(f"a broker's address ends with its port; remove {parts.path!r}")
        return url

    def faults(self, base: Path) -> Iterator[Fault]:
        """What is wrong with the files and extras that this needs."""
        if importlib.util.find_spec("aiomqtt") is None:
            yield "url", "needs aiomqtt; install table-controller[broker]"
        if self.password_file is not None and self.user is None:
            yield "password_file", "goes with a user; add user"
        if self.key_file is not None and self.certificate_file is None:
            yield "key_file", "goes with a certificate; add certificate_file"
        yield from _fault("password_file", self.password, base)
        yield from _fault("certificate_file" if self.certificate_file else "ca_file", self.tls, base)

    def password(self, base: Path) -> str | None:
        """The password. Raises ConfigurationError."""
        return None if self.password_file is None else read_secret(base / self.password_file)

    def tls(self, base: Path) -> ssl.SSLContext | None:
        """How the broker is verified, and how it knows this client. Raises ConfigurationError."""
        if urlsplit(self.url).scheme == "mqtt":
            return None
        context = trust(base, self.ca_file)
        if self.certificate_file is not None:
            load(context, base / self.certificate_file, base / self.key_file if self.key_file else None)
        return context


class MqttAlertSettings(MqttSettings):
    """`retain`: the broker also keeps what is open, a topic each, until it is answered."""

    retain: bool = False


class AppriseSettings(_Settings):
    """`url_file`: one line, an apprise URL, as `mailto://...`."""

    url_file: str

    def faults(self, base: Path) -> Iterator[Fault]:
        """What is wrong with the files and extras that this needs."""
        if importlib.util.find_spec("apprise") is None:
            yield "url_file", "needs apprise; install table-controller[alerts]"
        yield from _fault("url_file", self.url, base)

    def url(self, base: Path) -> str:
        """The URL. Raises ConfigurationError."""
        return read_secret(base / self.url_file)


class BrokerSection(MqttSettings):
    """Every fact is published as each of `audiences` may see it."""

    audiences: list[Audience] = Field(default=["board"], min_length=1)


AnySettings = WebhookSettings | MqttAlertSettings | AppriseSettings
SETTINGS: dict[Kind, type[AnySettings]] = {
    "webhook": WebhookSettings,
    "mqtt": MqttAlertSettings,
    "apprise": AppriseSettings,
}


class AlertSection(BaseModel):
    """A target. Keys beside these are its kind's own settings.

    `tell`: level -> after how many seconds without an answer; a level that is not there is never told.
    `repeat`: level -> how often while nobody answers. `quiet`: more of what is open already is told after so
    many seconds, in one message. `answers`: whether it is told that an alert it had was answered.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: Kind
    name: str = Field(default="", pattern=r"^[A-Za-z0-9 ._-]{0,32}$")
    audience: Audience = "pit"
    tell: dict[Level, Seconds] = {"stop": 0, "block": 0, "warn": 0, "device": 30, "health": 30}
    repeat: dict[Level, Interval] = {"stop": 120, "block": 600}
    quiet: Interval = 60
    answers: bool = True

    @property
    def target(self) -> str:
        """The name it is known by, also to the outbox."""
        return self.name or self.kind

    @property
    def settings(self) -> AnySettings:
        """The kind's own settings. Raises ValidationError."""
        return SETTINGS[self.kind].model_validate(self.model_extra or {})


def alert_objections(sections: Sequence[AlertSection], base: Path) -> Iterator[tuple[KeyPath, str]]:
    """(key path, what is wrong) of what pydantic's look at the whole file does not show."""
    seen: set[str] = set()
    for at, section in enumerate(sections):
        if section.target in seen:
            yield ("alert", at, "name"), f"a second target named {section.target!r}; give it another name"
        seen.add(section.target)
        try:
            settings = section.settings
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                yield ("alert", at, *detail["loc"]), _words(section.kind, detail)
            continue
        for key, what in settings.faults(base):
            yield ("alert", at, key), what


def broker_objections(section: BrokerSection | None, base: Path) -> Iterator[tuple[KeyPath, str]]:
    """(key path, what is wrong) of what pydantic's look at the whole file does not show."""
    if section is not None:
        for key, what in section.faults(base):
            yield ("broker", key), what


def _fault(key: str, use: Any, base: Path) -> Iterator[Fault]:
    try:
        use(base)
    except ConfigurationError as error:
        yield key, str(error)


def _words(kind: Kind, detail: Any) -> str:
    match detail["type"]:
        case "missing":
            return f"is missing; {kind} needs it"
        case "extra_forbidden":
            return f"is neither a key of this section nor a setting of {kind}; remove it or mend its spelling"
        case "value_error":
            return str(detail["msg"]).removeprefix("Value error, ")
    return f"{detail['msg'].replace('Input should', 'should')}, not {detail['input']!r}"
