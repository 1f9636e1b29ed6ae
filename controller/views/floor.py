"""What dealer and pit are shown beside the cards: wagers, who handles them, settlements, burn, what is due.

A fold of what people reported and what the audience was told of the conclusions, nothing else.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from controller import facts
from controller.cards import Card, Hand
from controller.observations import Observation, WagerPlaced, WagerRemoved, WagersPaid
from controller.orders import Order
from controller.play.boundaries import Boundaries
from controller.rules.ruleset import burn_value
from controller.rules.wagers import amount_text
from controller.views.disclosure import Item

#: `open`: wagers are taken. `closed`: after "no more bets". `frozen`: decided, and not carried out yet.
Window = Literal["open", "closed", "frozen"]
BurnPolicy = Literal["none", "first-card", "fixed"]


class House(Struct, frozen=True, kw_only=True):
    """What the pages of dealer and pit must know of the table. `manual`: cards come by hand.

    `burn_count`: where a fixed number is burned. `devices`: the names of those that it has.
    """

    boundaries: Boundaries
    manual: bool
    seats: int
    decks: int
    wagers: tuple[str, ...]
    burn: BurnPolicy
    burn_count: int | None
    devices: tuple[str, ...] = ()


class Stake(Struct, frozen=True, kw_only=True):
    """Money on the layout; `amount` is a decimal string."""

    seat: int
    wager: str
    amount: str


class Due(Struct, frozen=True):
    """The slot that the next card is for."""

    hand: Hand
    index: int


class Burn(Struct, frozen=True, kw_only=True):
    """`of`: how many follow the first card, or are burned in all; null: not known (yet)."""

    first: Card | None
    done: int
    of: int | None


class Standing(Struct, frozen=True, kw_only=True):
    """A round that may still be changed, as it lies."""

    round: int
    player: list[Card | None]
    banker: list[Card | None]
    void: bool
    confirmed: bool


class FloorState(Struct, frozen=True, kw_only=True):
    """`open`: rounds may open. `stakes`: those of the round, or of the next while its wagers are taken.

    `assigned`: hand -> the seat that handles its cards, null: the dealer does. `settled`: of the last round
    that was finished. `owed`: seat -> vigorish. `changeable`: the rounds that an order may still change.
    """

    open: bool
    due: Due | None
    burn: Burn | None
    window: Window
    stakes: list[Stake]
    assigned: dict[Hand, int | None]
    settled: list[facts.WagerSettled]
    owed: dict[int, str]
    changeable: list[Standing]


_Spot = tuple[int, str]


class _Betting:
    """Whether wagers are taken, as it follows from facts: all of them, or those that somebody was told."""

    def __init__(self, after_confirmed: Window) -> None:
        self.window: Window = "open"
        self.round = 0  # the one that the window is about
        self._after_confirmed = after_confirmed
        self._confirmed: set[int] = set()

    def conclude(self, fact: facts.Fact) -> None:
        match fact:
            case facts.ShoeStarted():
                self._confirmed = set()
            case facts.RoundOpened():
                self.round, self.window = fact.round, "open"
            case facts.BetsClosed() | facts.DrawCalled(hand=str()):
                # After a correction an earlier round may go on.
                self.round, self.window = fact.round, "closed"
            case facts.RoundConfirmed():
                self._confirmed.add(fact.round)
                self._finish(fact.round, self._after_confirmed)
            case facts.RoundVoided():
                self._finish(fact.round, "open")
            case facts.RoundReinstated() if fact.round not in self._confirmed:
                self._finish(fact.round, "closed")

    def paid(self) -> None:
        """The decision has been carried out."""
        if self.window == "frozen":
            self.window = "open"

    def _finish(self, number: int, window: Window) -> None:
        if number == self.round:
            self.window = window


class Floor:
    """Take in every journalled item, with what the audience was told by it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._open = True
        after: Window = "frozen" if house.boundaries == "announced" else "open"
        self._actual, self._told = _Betting(after), _Betting(after)
        self._placing: dict[_Spot, Fraction] = {}
        self._closed: dict[int, dict[_Spot, Fraction]] = {}  # the stakes of the last two rounds
        #: as it was before the last report or order, which may be refused
        self._before: tuple[bool, dict[_Spot, Fraction]] | None = None
        self._assigned: dict[Hand, int | None] = {}
        self._settled: dict[_Spot, facts.WagerSettled] = {}
        self._owed: dict[int, str] = {}
        self._burned: list[Card | None] | None = None
        #: how often a report, or its refusal, changed something
        self.changes = 0

    def see(self, item: Item, told: Iterable[facts.Fact]) -> None:
        """Fold the item."""
        if isinstance(item, Observation):
            self._report(item)
        else:
            self._follow(item)
        for fact in told:
            self._told.conclude(fact)
            self._conclude(fact)

    def state(self, due: Due | None, changeable: list[Standing]) -> FloorState:
        """As it stands; `due` and `changeable` are the cards' side of it."""
        taking = self._told.window == "open"
        burn = self._burn()
        stakes = self._placing if taking else self._closed.get(self._told.round, {})
        return FloorState(
            open=self._open,
            due=None if burn and (burn.of is None or burn.done < burn.of) else due,
            burn=burn,
            window=self._told.window,
            stakes=[Stake(seat=s, wager=w, amount=amount_text(a)) for (s, w), a in sorted(stakes.items())],
            assigned=self._assigned,
            settled=list(self._settled.values()),
            owed=self._owed,
            changeable=changeable,
        )

    # -- what people report ----------------------------------------------------------------------------

    def _report(self, item: Observation) -> None:
        """Taken at its word, until a refusal follows."""
        self._before = None
        match item:
            case WagerPlaced() if self._actual.window == "open":
                self._keep()
                self._add((item.seat, item.wager), Fraction(item.amount))
            case WagerRemoved() if self._actual.window == "open":
                self._keep()
                spot = (item.seat, item.wager)
                lies = self._placing.get(spot, Fraction(0))
                self._add(spot, -(lies if item.amount is None else Fraction(item.amount)))
            case WagersPaid():
                self._actual.paid()
                self._told.paid()
                self.changes += 1
            case Order(order="open_table" | "close_table"):
                self._keep()
                self._open = item.order == "open_table"

    def _keep(self) -> None:
        self._before = (self._open, dict(self._placing))
        self.changes += 1

    def _add(self, spot: _Spot, amount: Fraction) -> None:
        lies = self._placing.pop(spot, Fraction(0)) + amount
        if lies > 0:
            self._placing[spot] = lies

    def _follow(self, fact: Item) -> None:
        """What a conclusion does to the stakes, whoever is told of it."""
        match fact:
            case facts.OrderRefused() | facts.WagerRefused() if self._before is not None:
                self._open, self._placing = self._before
                self._before = None
            case facts.WagerRefused():
                # Beside others when bets were closed, or because an earlier round goes on.
                stakes = self._placing or self._closed.get(self._actual.round, {})
                stakes.pop((fact.seat, fact.wager), None)
            case facts.ShoeStarted():
                self._closed = {}
            case facts.BetsClosed():
                earlier = self._closed.get(fact.round - 1, {})
                self._closed = {fact.round - 1: earlier, fact.round: self._placing}
                self._placing = {}
        if isinstance(fact, facts.Fact):
            self._actual.conclude(fact)

    # -- what was concluded ----------------------------------------------------------------------------

    def _conclude(self, fact: facts.Fact) -> None:
        match fact:
            case facts.ShoeStarted():
                self._burned, self._assigned, self._settled = [], {}, {}
            case facts.CardBurned() if self._burned is not None:
                self._burned.append(fact.card)
            case facts.RoundOpened():
                self._burned, self._assigned = None, {}
            case facts.BetsClosed() | facts.DrawCalled(hand=str()) | facts.RoundReinstated():
                self._settled = {}
            case facts.HandAssigned():
                self._assigned = {**self._assigned, fact.hand: fact.seat}
            case facts.WagerSettled():
                self._settled[fact.seat or 0, fact.wager] = fact
            case facts.VigorishOwed():
                owed = {seat: amount for seat, amount in self._owed.items() if seat != fact.seat}
                self._owed = owed if Fraction(fact.amount) == 0 else {**owed, fact.seat: fact.amount}

    def _burn(self) -> Burn | None:
        if self._burned is None or self._house.burn == "none":
            return None
        if self._house.burn == "fixed":
            return Burn(first=None, done=len(self._burned), of=self._house.burn_count)
        first = self._burned[0] if self._burned else None
        of = burn_value(first) if first else None
        return Burn(first=first, done=max(0, len(self._burned) - 1), of=of)
