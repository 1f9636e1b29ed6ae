"""What closes a round at this table."""

from collections.abc import Iterable
from typing import Literal

from controller.observations import BetsClosed, BetsOpened, DeviceResult
from controller.orders import Event

#: `announced`: the dealer's buttons. `device`: the shoe reports its result. `first_card`: nothing but cards,
#: the next one after a decision opens the next round.
Boundaries = Literal["announced", "device", "first_card"]


def infer_boundaries(events: Iterable[Event]) -> Boundaries:
    """From a whole recording: announcements, else the device's results, else cards."""
    kinds = {type(event) for event in events}
    if kinds & {BetsOpened, BetsClosed}:
        return "announced"
    return "device" if DeviceResult in kinds else "first_card"
