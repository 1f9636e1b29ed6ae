"""Who holds a connection or a stream, and how many of them each may have."""

from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

#: Whoever asks from this machine, as the screen that is plugged into it.
HERE = "here"


def holder(remote: str | None) -> str:
    """Who is behind an address. One machine may have every address of an IPv6 /64 (RFC 4291)."""
    try:
        address = ip_address((remote or "").partition("%")[0])
    except ValueError:
        return HERE
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_loopback:
        return HERE
    return str(int(address) >> 64) if isinstance(address, IPv6Address) else str(address)


class Share(NamedTuple):
    """How many one holder may have, and how many all holders of a class together."""

    each: int
    all: int


class Shares:
    """Counts what is held. Each class has room of its own, so that no class can take another's."""

    def __init__(self, shares: dict[str, Share]) -> None:
        self._shares = shares
        self._each: Counter[tuple[str, str]] = Counter()
        self._all: Counter[str] = Counter()

    def take(self, kind: str, name: str) -> bool:
        """One more for a holder; False: there is no room."""
        share = self._shares[kind]
        if self._all[kind] >= share.all or self._each[kind, name] >= share.each:
            return False
        self._all[kind] += 1
        self._each[kind, name] += 1
        return True

    def give(self, kind: str, name: str) -> None:
        """One less."""
        self._all[kind] -= 1
        self._each[kind, name] -= 1
        if not self._each[kind, name]:
            del self._each[kind, name]
