"""What a shoe must be told because of what people decided. Deterministic; its driver guards each command."""

from collections.abc import Mapping

from controller.observations import CommandSent, CommandSettled, Observation
from controller.orders import Event, Order
from controller.play.irregularities import Irregularity
from controller.ports import Commanded

#: What a shoe that reported an overdraw is told by the supervisor's order.
DECISIONS: Mapping[str, str] = {"carry_card": "keep", "burn_card": "discard"}
OVERDRAW = "overdraw"
#: On whose word the shoe is locked and unlocked.
TABLE = "table"


def decided(event: Event, answered: Irregularity | None) -> Commanded | None:
    """The command that follows from an order; `answered`: the hold that it ended. None: none does."""
    if not isinstance(event, Order) or answered is None or answered.drawn is None:
        return None
    command = DECISIONS.get(event.order)
    if command is None or answered.drawn.fault != OVERDRAW:
        return None
    return Commanded(at=event.at, command=command, by=event.by)


class HoldLock:
    """Locks the shoe while the table is held, and unlocks it only if that lock may have worked."""

    def __init__(self) -> None:
        self._busy = False
        self._asked = False
        self._locked = False

    def memory(self) -> tuple[bool, bool, bool]:
        """All that it knows."""
        return self._busy, self._asked, self._locked

    def remember(self, memory: tuple[bool, bool, bool]) -> None:
        """Know that."""
        self._busy, self._asked, self._locked = memory

    def notice(self, observation: Observation) -> None:
        """What became of the shoe's commands; only one can be on its way."""
        match observation:
            case CommandSent():
                self._busy = True
            case CommandSettled(outcome=outcome) if outcome != "withheld":
                self._busy = False
                if observation.command == "lock":
                    self._locked = outcome in ("accepted", "unanswered")

    def due(self, held: bool, at: float | None) -> Commanded | None:
        """What to say now; asked once a hold, whatever becomes of it."""
        if self._busy:
            return None
        if held and not self._asked:
            self._asked = True
            return Commanded(at=at, command="lock", by=TABLE)
        if not held:
            self._asked = False
            if self._locked:
                self._locked = False
                return Commanded(at=at, command="unlock", by=TABLE)
        return None
