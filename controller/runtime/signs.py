"""Signs and lamps: they show what the public board may see."""

from collections.abc import Iterable, Mapping

from controller.displays import Display
from controller.ports import Driver, Link
from controller.views.disclosure import Item
from controller.views.view import TableInfo, TableView


class Signs:
    """Of one table; told every durable item with its number, in order."""

    def __init__(self, table: TableInfo) -> None:
        self._board = TableView(table, "board")

    def take(
        self, batch: Iterable[tuple[int, Item]], drivers: Mapping[str, Driver], links: Mapping[str, Link]
    ) -> None:
        """Show what the board is told by these, where a port is there."""
        told = [fact for seq, item in batch for fact in self._board.see(seq, item)]
        for name, link in links.items():
            if told and self.show(drivers[name]):
                link.write(drivers[name].outgoing())

    def show(self, driver: Driver) -> bool:
        """Have a display show how things stand; False: it is none."""
        if not isinstance(driver, Display):
            return False
        driver.show(self._board.state(with_roads=False))
        return True
