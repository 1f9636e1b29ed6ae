"""Why a device is not heard, said where an engineer looks: in the log and in the health report."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, runtime_checkable

from msgspec import Struct

from controller.observations import FrameRejected, Observation
from controller.ports import Link

#: Seconds for which a reason stands before it is logged: a port that is only just being opened has none.
SETTLED = 2.0
#: What a link says of a port that was never tried.
UNTRIED = "not opened yet"
#: Rejected bytes without one report between them, after which something is wrong with the line.
UNFIT = 200
UNFIT_REASON = "bytes arrive and no frame fits: wrong speed, or another device?"


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
        self._rejected: dict[str, int] = {}

    def hear(self, device: str, observations: Iterable[Observation]) -> None:
        """What a device said: a report shows that its line is right, rejected bytes that it may not be."""
        for observation in observations:
            before = self._rejected.get(device, 0)
            if not isinstance(observation, FrameRejected):
                self._rejected[device] = 0
                continue
            self._rejected[device] = before + len(observation.raw) // 2
            if before < UNFIT <= self._rejected[device]:
                self._warn("no_frame_fits", device=device, bytes=self._rejected[device], reason=UNFIT_REASON)

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

    def settled(self) -> bool:
        """Every port is open, or it is known why not."""
        return all(link.problem != UNTRIED for link in self._links.values() if isinstance(link, Explaining))

    def faults(self) -> str:
        """What is wrong with the ports, for a person: `shoe: no such device`; empty: nothing is."""
        return "; ".join(f"{device}: {said}" for device, said in self.report().items() if said != "open")

    def standing(self) -> dict[str, str]:
        """device -> what has been wrong with its port or line for a while."""
        told = {device: reason.text for device, reason in self._reasons.items() if reason.told}
        return told | {device: said for device in self._links if (said := self._line(device)) != "open"}

    def report(self) -> dict[str, str]:
        """device -> `open`, or why it is not, or what is wrong with its line."""
        explaining = ((d, link) for d, link in self._links.items() if isinstance(link, Explaining))
        return {device: link.problem or self._line(device) for device, link in explaining}

    def _line(self, device: str) -> str:
        return UNFIT_REASON if self._rejected.get(device, 0) >= UNFIT else "open"
