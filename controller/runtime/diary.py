"""What the log says of a table: each fact as the dealer may know it, with the shoe and the round it is of."""

from typing import Any

import structlog
from msgspec import Struct

from controller import facts
from controller.observations import CommandSettled
from controller.rules.terms import Dealing
from controller.views.disclosure import DeviceState, Disclosure, Item

#: What somebody has to look at; all else is information.
WARNINGS = (facts.IrregularityRaised, facts.RoundVoided)


class Diary:
    """Told every journalled item in order; its other events carry the same table, shoe and round."""

    def __init__(self, table: str, dealing: Dealing) -> None:
        self._log = structlog.get_logger().bind(table=table)
        self._said = Disclosure("dealer", dealing)

    def recall(self, item: Item) -> None:
        """Take in what was journalled before this run; nothing is logged."""
        for told in self._said.see(item):
            self._place(told)

    def tell(self, seq: int, item: Item) -> None:
        """Log what the item tells."""
        for told in self._said.see(item):
            self._place(told)
            # While cards lie face down even the number of records tells something.
            number = {"seq": seq} if self._said.complete else {}
            self._write(_is_warning(told), told.__struct_config__.tag, number | _fields(told))
        if isinstance(item, CommandSettled):
            self._write(item.outcome != "accepted", "command_settled", _fields(item))

    def info(self, event: str, **fields: Any) -> None:
        """Something went as it should."""
        self._log.info(event, **fields)

    def warning(self, event: str, **fields: Any) -> None:
        """Somebody should look at this."""
        self._log.warning(event, **fields)

    def error(self, event: str, **fields: Any) -> None:
        """Something must be mended."""
        self._log.error(event, **fields)

    def _write(self, warning: bool, event: Any, fields: dict[str, object]) -> None:
        (self._log.warning if warning else self._log.info)(event, **fields)

    def _place(self, told: facts.Fact) -> None:
        """Where play is from now on, as far as it was told."""
        match told:
            case facts.ShoeStarted():
                self._log = self._log.bind(shoe=told.shoe).try_unbind("round")
            case facts.RoundOpened():
                self._log = self._log.bind(round=told.round)


def _is_warning(told: facts.Fact) -> bool:
    return isinstance(told, WARNINGS) or (isinstance(told, DeviceState) and told.state != "ok")


def _fields(item: Struct) -> dict[str, object]:
    """The item's own, without those that say nothing."""
    values = {name: getattr(item, name) for name in item.__struct_fields__}
    return {name: value for name, value in values.items() if not (name == "round" and value is None)}
