"""What a check finds, and what it may know of the table."""

from typing import Literal, NamedTuple

from msgspec import Struct

Level = Literal["ok", "advice", "mend"]


class Finding(Struct, frozen=True, kw_only=True):
    """`mend`: the table will not work, or not safely, before `remedy` is done; `advice`: it should be."""

    check: str
    level: Level
    about: str
    says: str
    remedy: str | None = None


class Wanted(NamedTuple):
    """A device of table.toml: its name there, its driver and its link."""

    name: str
    driver: str
    link: str

    @property
    def scheme(self) -> str:
        return self.link.partition(":")[0]

    @property
    def place(self) -> str:
        """The link without scheme and settings: the path of a port, or what identifies a USB device."""
        return self.link.partition(":")[2].partition("?")[0]


class Table(NamedTuple):
    """What the machine is to serve. `devices` empty, `is_known` false: any table, at any port that there is.
    `state`: the folder of its journal.
    """

    devices: tuple[Wanted, ...] = ()
    state: str = "."
    is_known: bool = False


def ok(check: str, about: str, says: str) -> Finding:
    return Finding(check=check, level="ok", about=about, says=says)


def mend(check: str, about: str, says: str, remedy: str, *, needed: bool = True) -> Finding:
    """Something wrong; only advice where it is not `needed`."""
    return Finding(check=check, level="mend" if needed else "advice", about=about, says=says, remedy=remedy)


def advice(check: str, about: str, says: str, remedy: str) -> Finding:
    return mend(check, about, says, remedy, needed=False)
