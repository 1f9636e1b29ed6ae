"""A scripted pit supervisor who sees the real table, and answers what the controller raises."""

from collections.abc import Callable
from typing import Any

from controller.orders import Order
from controller.play.round import OPEN
from controller.play.table import Table
from drivers.shoes.acts import RoundDealt
from drivers.testing.judgement import Cards, lie

#: Seconds from a round's end to the supervisor's answer.
THINKING = 0.5
#: Orders given for one hold before it is left alone.
PATIENCE = 6


class Supervisor:
    """Answers at the end of each round, when all its cards lie on the table: states them, where the table is
    held. `enter` gives an order. `due`: when the next answer is, None: nothing is to be answered.
    """

    def __init__(self, table: Table, enter: Callable[[Order], None]) -> None:
        self.due: float | None = None
        self._table = table
        self._enter = enter
        self._dealt: list[Cards] = []
        self._stated = False

    def see(self, dealt: RoundDealt, at: float) -> None:
        """A round is finished, on the table."""
        self._dealt.append(lie(dealt))
        self.due = at + THINKING

    def answer(self) -> None:
        """Look at what is open and decide it."""
        self.due, self._stated = None, False
        for number in [i.id for i in self._table.open.values() if i.severity != "stop"]:
            self._order("acknowledge", irregularity=number)
        for _ in range(PATIENCE):
            if self._table.hold is None:
                break
            self._decide()
        # What the supervisor has stated stands, also where the shoe's result never came.
        if self._table.round.phase == "decided" and self._stated:
            self._nothing_lies()

    def end_shoe(self, remaining: int) -> None:
        """The last round is over: count what is left in the shoe."""
        self.answer()
        if self._table.round.dealing:
            # The screen still waits for a card of a round that is long over.
            self._order("void_round")
        self._order("end_shoe", remaining=remaining)

    def _decide(self) -> None:
        hold = self._table.hold
        assert hold is not None
        self._stated = True
        round_ = self._table.round
        lies = tuple(round_.coup.hands["player"]), tuple(round_.coup.hands["banker"])
        if hold.code == "result-mismatch" and lies in self._dealt:
            self._order("accept")
        elif not self._dealt or (round_.phase in OPEN and lies == self._dealt[-1]):
            self._nothing_lies()
        elif round_.phase == "decided" and lies in self._dealt:
            # That round is over; the next one may have begun.
            self._nothing_lies()
            if lies != self._dealt[-1]:
                self._state(self._dealt[-1])
        else:
            self._state(self._dealt[-1])
        if self._table.hold is hold:
            # The hands cannot be stated: the round is given up.
            self._nothing_lies()

    def _state(self, cards: Cards) -> None:
        self._order("resynchronise", player=list(cards[0]), banker=list(cards[1]))

    def _nothing_lies(self) -> None:
        self._order("resynchronise", player=[], banker=[])

    def _order(self, order: Any, **fields: Any) -> None:
        self._enter(Order(order=order, by="pit", reason="as it lies on the table", **fields))
