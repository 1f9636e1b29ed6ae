"""The border between the controller and what people look at beside its pages: signs, lamps, line displays."""

from typing import Protocol, runtime_checkable

from controller.ports import Driver
from controller.views.view import TableState


@runtime_checkable
class Display(Driver, Protocol):
    """A driver of something that people look at."""

    def show(self, state: TableState) -> None:
        """What the board audience may see now; `outgoing` has what follows for the device, if anything."""
