"""What a shoe has reported to be wrong, and which commands that forbids. Deterministic, sans-I/O."""

from collections.abc import Mapping

from controller.observations import CardDrawn, DeviceFault, DeviceStarted, Observation

OVERDRAW = "overdraw"


class Errors:
    """Those not cleared yet. Whether an overdrawn card is kept or discarded is the supervisor's to decide,
    never a default.
    """

    def __init__(self) -> None:
        self._faults: dict[str, bool] = {}  # and whether each put the shoe in error mode

    def notice(self, report: Observation) -> None:
        """What a report says about errors. A shoe that deals a game is not in error mode."""
        match report:
            case DeviceFault(active=True):
                self._faults[report.fault] = bool(report.error_mode)
            case DeviceFault():
                self._faults.pop(report.fault, None)
            case DeviceStarted():
                self._faults.clear()
            case CardDrawn(mode=None):
                self._faults = {fault: False for fault, mode in self._faults.items() if not mode}

    def objection(self, command: str) -> str | None:
        """Why the command may not be given now; None: nothing is against it."""
        if command in ("keep", "discard"):
            return None if OVERDRAW in self._faults else "the shoe reports no overdraw"
        if command == "clear":
            if OVERDRAW in self._faults:
                return "an overdrawn card is kept or discarded; clearing does not decide that"
            return None if self._faults else "the shoe reports no error"
        return "the shoe is in error mode; clear its error first" if any(self._faults.values()) else None

    def memory(self) -> dict[str, bool]:
        """All that it knows."""
        return dict(self._faults)

    def remember(self, faults: Mapping[str, bool]) -> None:
        """Know those."""
        self._faults = dict(faults)
