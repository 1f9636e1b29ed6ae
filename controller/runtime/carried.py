"""What a journal carries over when a new pack is in the shoe: from here a core goes on without its past."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from controller import facts
from controller.observations import DeviceFault, LinkLost
from controller.orders import Order
from controller.play.resting import Resting
from controller.views.disclosure import Item


class Carried(Struct, frozen=True, kw_only=True):
    """`drivers`: what each remembers. `lock`: of the shoe, while held. `lost`: devices whose link is down.
    `faults`: device -> those that are not cleared.
    """

    table: Resting
    drivers: dict[str, dict[str, Any]]
    lock: tuple[bool, bool, bool]
    lost: list[str]
    faults: dict[str, list[str]]

    def standing(self) -> Iterator[Item]:
        """What was told before and is so still, for those who read no further back."""
        for device in self.lost:
            yield LinkLost(device=device)
        for device, faults in self.faults.items():
            for fault in faults:
                yield DeviceFault(device=device, fault=fault, active=True)
        if not self.table.is_open:
            yield Order(order="close_table", by="")
        yield from self.table.open
        for seat, amount in self.table.money.vigorish().items():
            yield facts.VigorishOwed(seat=seat, amount=amount)
