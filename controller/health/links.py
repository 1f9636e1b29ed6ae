"""Which devices are heard, and how often each was lost in the last hour (field failure 30)."""

from collections import deque
from typing import Literal

from controller.ports import AnySignal, Lost, Restored

HOUR = 3600.0
#: A device that is lost more often than this in an hour has a bad cable, hub or supply.
UNSTEADY = 5

Change = Literal["lost", "restored", "restored again"]


class Links:
    """Fold what links say; times are real monotonic seconds."""

    def __init__(self) -> None:
        #: device -> whether its port is open; those that never opened are left out
        self.heard: dict[str, bool] = {}
        self._losses: dict[str, deque[float]] = {}

    def hear(self, device: str, signal: AnySignal, now: float) -> Change | None:
        """What became of the device's link."""
        match signal:
            case Lost() if self.heard.get(device):
                self.heard[device] = False
                losses = self._losses.setdefault(device, deque())
                losses.append(now)
                self._forget(losses, now)
                return "lost"
            case Restored() if not self.heard.get(device):
                again = device in self.heard
                self.heard[device] = True
                return "restored again" if again else "restored"
        return None

    def losses(self, now: float) -> dict[str, int]:
        """device -> losses in the hour before; devices that were never heard are left out."""
        for losses in self._losses.values():
            self._forget(losses, now)
        return {device: len(self._losses.get(device, ())) for device in self.heard}

    def unsteady(self, now: float) -> dict[str, int]:
        """Those that were lost too often, with how often."""
        return {device: count for device, count in self.losses(now).items() if count > UNSTEADY}

    def _forget(self, losses: deque[float], now: float) -> None:
        while losses and losses[0] <= now - HOUR:
            losses.popleft()
