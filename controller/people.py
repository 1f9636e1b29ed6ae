"""The people of a table: names, roles and PINs (argon2), in one file of its state folder."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct, structs

from controller.journal.disk import hand_over
from controller.ports import ConfigurationError

#: dealer: announcements, `new_shoe`, `end_shoe`. supervisor: every order. engineer: devices, no round.
Role = Literal["dealer", "supervisor", "engineer"]
ROLES: tuple[Role, ...] = get_args(Role)

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
_PIN = re.compile(r"\d{4,12}")
#: 19 MiB a check: memory-hard, and within what a small computer can spare.
_hasher = PasswordHasher(time_cost=3, memory_cost=19456, parallelism=1)


@cache
def _nobody() -> str:
    """Checked when nobody has the name, so that an unknown name takes as long as a wrong PIN."""
    return _hasher.hash("0000")


class Person(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    role: Role
    pin: str


class _File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: Literal[1] = 1
    people: list[Person]


class People:
    """Reads the file at every question: a PIN changed on the command line counts at once.

    Every method raises ConfigurationError for a file that cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "people.json"

    def everybody(self) -> list[Person]:
        """Sorted by name; empty where nobody was ever added."""
        try:
            mode = self.path.stat().st_mode
            if not stat.S_ISREG(mode):
                raise self._fault("no regular file", "remove it, and add people anew with tablectl user add")
            if mode & 0o077:
                raise ConfigurationError(f"{self.path}: others may read it; run chmod 600 {self.path}")
            return msgspec.json.decode(self.path.read_bytes(), type=_File).people
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._fault((error.strerror or str(error)).lower(), "check its permissions") from None
        except msgspec.DecodeError as error:
            raise self._fault(
                str(error), "restore it from a copy, or remove it and add people anew"
            ) from None

    def check(self, name: str, pin: str) -> Person | None:
        """The person, if the PIN is theirs. Takes a noticeable time by design: not for an event loop."""
        person = next((p for p in self.everybody() if p.name == name), None)
        try:
            _hasher.verify(person.pin if person else _nobody(), pin)
        except (VerificationError, InvalidHashError):
            return None
        return person

    def add(self, name: str, role: str, pin: str) -> Person:
        """A new person. Raises ConfigurationError: the name is in use, or something is of another form."""
        if not _NAME.fullmatch(name):
            raise ConfigurationError(
                f"name {name!r}: up to 32 of a-z 0-9 . _ - and begin with a letter or digit"
            )
        if role not in ROLES:
            raise ConfigurationError(f"role {role!r}: one of {', '.join(ROLES)}")
        with self._change() as people:
            if any(p.name == name for p in people):
                raise ConfigurationError(f"{name} is there already; change the PIN with `tablectl user pin`")
            person = Person(name=name, role=role, pin=_hashed(pin))
            people.append(person)
        return person

    def set_pin(self, name: str, pin: str) -> None:
        """Another PIN. Raises ConfigurationError for an unknown name or a PIN of another form."""
        with self._change() as people:
            people[self._place(people, name)] = structs.replace(
                people[self._place(people, name)], pin=_hashed(pin)
            )

    def remove(self, name: str) -> None:
        """Raises ConfigurationError for an unknown name."""
        with self._change() as people:
            del people[self._place(people, name)]

    def _place(self, people: list[Person], name: str) -> int:
        for place, person in enumerate(people):
            if person.name == name:
                return place
        known = ", ".join(p.name for p in people) or "nobody yet"
        raise ConfigurationError(f"nobody is named {name!r}; there are: {known}")

    @contextmanager
    def _change(self) -> Iterator[list[Person]]:
        """The people, to be changed; written whole, so that a power cut leaves the old file or the new."""
        people = self.everybody()
        yield people
        fresh = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            content = msgspec.json.format(
                msgspec.json.encode(_File(people=sorted(people, key=lambda p: p.name)))
            )
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(content + b"\n")
                file.flush()
                os.fsync(file.fileno())
            hand_over(fresh)
            fresh.replace(self.path)
        except OSError as error:
            raise self._fault(
                (error.strerror or str(error)).lower(), "check its disk and permissions"
            ) from None

    def _fault(self, what: str, remedy: str) -> ConfigurationError:
        return ConfigurationError(f"{self.path}: {what}; {remedy}")


def _hashed(pin: str) -> str:
    if not _PIN.fullmatch(pin):
        raise ConfigurationError("a PIN is 4 to 12 digits")
    return _hasher.hash(pin)
