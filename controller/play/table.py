"""The table: every event in, facts out.

`Table.apply` is deterministic: no I/O, clock or randomness. Time arrives inside the event.
"""

from controller import facts
from controller.orders import Event
from controller.play.hearing import listen
from controller.play.reports import HANDLERS
from controller.play.state import TableState


class Table(TableState):
    """One table."""

    def apply(self, event: Event) -> list[facts.Fact]:
        """What follows from one event, in order."""
        self._facts = []
        listen(self, event)
        handler = HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
        self._watch()
        self.fresh = False
        self.layout.follow(list(self._facts))
        return self._facts

    def _watch(self) -> None:
        """What must never go by unnoticed, whatever led to it; during a hold it waits for the end of it."""
        if self.hold is None and self.withheld:
            withheld, self.withheld = self.withheld, []
            for code, level, number, detail in withheld:
                self.irregular(code, level=level, number=number, detail=detail)
        if self.continuous:
            return  # cards go back during play: no copy and no card can be counted
        if self.hold is None:
            self.shoe.check_count()
        if self.hold is None and self.shoe.suspicion:
            self.irregular("unshuffled-pack", detail=self.shoe.suspicion)
            self.shoe.suspicion = None
        if self.hold is None and self.round.due and self.shoe.cards_left == 0:
            self.irregular("shoe-exhausted", number=self.round.coup.number)
