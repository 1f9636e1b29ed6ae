"""Why a device's port is not open, said where an engineer looks: in the log and in the health report."""

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from msgspec import Struct

from controller.ports import Link

#: Seconds for which a reason stands before it is logged: a port that is only just being opened has none.
SETTLED = 2.0


@runtime_checkable
class Explaining(Protocol):
    """A link that can say why its port is not open. `problem`: for a person; None while it is open."""

    address: str
    problem: str | None


class _Reason(Struct):
    text: str
    since: float
    told: bool = False


class PortsWatch:
    """Looks at links that come and stay. `warn` logs an event with its fields, once for each reason."""

    def __init__(self, links: Mapping[str, Link], warn: Callable[..., object]) -> None:
        self._links = links
        self._warn = warn
        self._reasons: dict[str, _Reason] = {}

    def look(self, now: float) -> None:
        """Log what has settled by `now`, in real seconds."""
        for device, link in self._links.items():
            if not isinstance(link, Explaining):
                continue
            if link.problem is None:
                self._reasons.pop(device, None)
                continue
            reason = self._reasons.get(device)
            if reason is None or reason.text != link.problem:
                self._reasons[device] = _Reason(link.problem, now)
            elif not reason.told and now - reason.since >= SETTLED:
                reason.told = True
                self._warn("port_not_open", device=device, link=link.address, reason=link.problem)

    def report(self) -> dict[str, str]:
        """device -> `open`, or why it is not."""
        explaining = ((d, link) for d, link in self._links.items() if isinstance(link, Explaining))
        return {device: link.problem or "open" for device, link in explaining}
