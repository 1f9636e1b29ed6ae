"""The wagers on the layout: accepted, frozen, settled; and the vigorish that is owed (13:69F-7 wagers).

A wager counts when it was placed before "no more bets" (wagers (d)). From then on it is frozen until its
decision is carried out: at `wagers_paid`, else when the next round opens (wagers (e)).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from controller import facts
from controller.observations import VigorishCollected, WagerPlaced, WagerRemoved
from controller.play.boundaries import Boundaries
from controller.rules.handling import assign_hands
from controller.rules.outcome import Result, judge
from controller.rules.ruleset import Ruleset
from controller.rules.terms import Dealing
from controller.rules.wagers import amount_text, refusal, settle

#: `open`: wagers are taken. `closed`: after "no more bets". `decided`: and every losing stake is known.
#: `frozen`: settled, and not carried out yet.
Window = Literal["open", "closed", "decided", "frozen"]

CARD_OUT = "a card has left the shoe; wagers stay as they lie until it is decided (13:69F-7 wagers (e))"
VOID_CITATION = "the round is void; the stake is returned"


class Spot(NamedTuple):
    """Where a stake lies."""

    seat: int
    wager: str


class Context(Protocol):
    """What the layout must know of its table, and whom it tells."""

    @property
    def ruleset(self) -> Ruleset: ...

    boundaries: Boundaries
    dealing: Dealing
    seats: int
    wagers: tuple[str, ...]

    @property
    def card_out(self) -> bool:
        """A card that came before "no more bets" lies on the table, and nobody has decided it."""

    def emit(self, fact: facts.Fact) -> None:
        """Conclude a fact."""

    def irregular(self, code: str, *, detail: str = "") -> None:
        """Raise an irregularity."""


@dataclass
class Slip:
    """The stakes of one round, from its "no more bets" on. `charged`: the vigorish that it cost each seat."""

    number: int
    stakes: dict[Spot, Fraction]
    result: Result | None = None
    confirmed: bool = False
    settled: bool = False
    charged: dict[int, Fraction] = field(default_factory=dict)


class Layout:
    """`placing`: stakes by spot, in money, until their bets are closed; `slip`: the last round so closed."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.window: Window = "open"
        self.placing: dict[Spot, Fraction] = {}
        self.slip: Slip | None = None
        self.owed: dict[int, Fraction] = {}
        #: the rounds of this shoe, by number; the last ones may still change
        self._slips: dict[int, Slip] = {}
        self.opened = 0  # the round that was opened last

    # -- what the dealer and the sensors report --------------------------------------------------------

    def placed(self, event: WagerPlaced) -> None:
        """A stake, or more of one."""
        spot = Spot(event.seat, event.wager)
        if self._is_late(spot, event.amount, f"{event.amount} placed"):
            return
        reason = self._refusal(event)
        if reason is not None:
            self._refuse(spot, event.amount, reason)
            return
        self.placing[spot] = self.placing.get(spot, Fraction(0)) + Fraction(event.amount)

    def removed(self, event: WagerRemoved) -> None:
        """A stake taken back, all of it where no amount is given; after a decision, the settlement of one."""
        spot = Spot(event.seat, event.wager)
        if self.window != "open" and self._settles(spot):
            return
        if self._is_late(spot, event.amount or "0", "withdrawn"):
            return
        stake = self.placing.get(spot)
        amount = stake if event.amount is None else Fraction(event.amount)
        if stake is None or amount is None or amount > stake:
            if not (self.slip and self.slip.settled and spot in self.slip.stakes):
                lies = "nothing" if stake is None else amount_text(stake)
                self._refuse(spot, event.amount or "0", f"{lies} lies there")
            return
        if amount == stake:
            del self.placing[spot]
        else:
            self.placing[spot] = stake - amount

    def paid(self) -> None:
        """The decision has been carried out: stakes are returned, paid or taken."""
        if self.window == "frozen":
            self.window = "open"

    def collected(self, event: VigorishCollected) -> None:
        """A seat pays vigorish that it owes."""
        owed, amount = self.owed.get(event.seat, Fraction(0)), Fraction(event.amount)
        if amount > owed:
            self._refuse(Spot(event.seat, "vigorish"), event.amount, f"the seat owes {signed(owed)}")
            return
        self._owe(event.seat, -amount)

    # -- what the table concluded ----------------------------------------------------------------------

    def follow(self, concluded: Iterable[facts.Fact]) -> None:
        """Conclude what follows for the wagers from a table's facts."""
        for fact in concluded:
            slip = self._slips.get(getattr(fact, "round", 0))
            match fact:
                case facts.ShoeStarted():
                    self._slips.clear()
                case facts.RoundOpened():
                    self.window, self.opened = "open", fact.round
                case facts.BetsClosed():
                    self._closed(fact.round)
                case facts.CardDealt() if fact.round == self.opened and self.window == "decided":
                    self.window = "closed"
                case facts.DrawCalled(hand=str()) if slip:
                    self._goes_on(slip)
                case facts.RoundDecided() if slip:
                    self._decided(slip, judge(fact.player_cards, fact.banker_cards))
                case facts.RoundConfirmed() if slip:
                    self._finish(slip)
                case facts.RoundVoided() if slip:
                    self._void(slip)
                case facts.RoundReinstated() if slip:
                    self._reinstate(slip)

    def _closed(self, number: int) -> None:
        ruleset = self.context.ruleset
        for spot, stake in list(self.placing.items()):
            beside = [s.wager for s in self.placing if s.seat == spot.seat and s != spot]
            if reason := refusal(ruleset, spot.wager, amount_text(stake), beside):
                del self.placing[spot]
                self._refuse(spot, amount_text(stake), reason)
        self.window, self.opened = "closed", number
        self.slip = self._slips[number] = Slip(number, self.placing)
        self.placing = {}
        placed = [(spot.seat, spot.wager, amount_text(stake)) for spot, stake in self.slip.stakes.items()]
        for hand in assign_hands(ruleset.handling, self.context.dealing, placed):
            self.context.emit(
                facts.HandAssigned(round=number, hand=hand.hand, seat=hand.seat, citation=hand.citation)
            )

    def _decided(self, slip: Slip, result: Result) -> None:
        slip.result = result
        if slip.settled:
            # A correction of a round that was settled already.
            self._settle(slip)
        elif slip is self.slip and self.window == "closed":
            self.window = "decided"

    def _finish(self, slip: Slip) -> None:
        """The result stands: every stake is settled, and frozen until that has been carried out."""
        slip.confirmed = True
        self._settle(slip)
        if slip.number == self.opened:
            self.window = "frozen" if self.context.boundaries == "announced" else "open"

    def _settle(self, slip: Slip) -> None:
        charges: dict[int, Fraction] = {}
        assert slip.result is not None
        for spot, stake in slip.stakes.items():
            line = settle(self.context.ruleset, slip.result, spot.wager, amount_text(stake), spot.seat)
            self.context.emit(line)
            charges[spot.seat] = charges.get(spot.seat, Fraction(0)) + Fraction(line.vigorish)
        slip.settled = True
        self._charge(slip, charges if self.context.ruleset.vigorish.collected == "later" else {})

    def _void(self, slip: Slip) -> None:
        for spot, stake in slip.stakes.items():
            self.context.emit(
                facts.WagerSettled(
                    seat=spot.seat,
                    wager=spot.wager,
                    amount=amount_text(stake),
                    outcome="void",
                    pays="0.00",
                    vigorish="0.00",
                    citation=VOID_CITATION,
                )
            )
        slip.settled = True
        self._charge(slip, {})
        if slip.number == self.opened:
            self.window = "open"

    def _reinstate(self, slip: Slip) -> None:
        """The round counts again: settled anew if it was finished, else its stakes lie as before."""
        if slip.confirmed:
            self._settle(slip)
        elif slip.result is None:
            self._goes_on(slip)
        else:
            slip.settled = False
            if slip.number == self.opened:
                self.window = "decided"

    def _goes_on(self, slip: Slip) -> None:
        """A card is due to it; what was placed for the next round meanwhile has to be placed again."""
        if not slip.settled and slip.number == self.opened:
            return
        self._charge(slip, {})
        for spot, stake in self.placing.items():
            self._refuse(spot, amount_text(stake), f"round {slip.number} goes on; place it again")
        self.placing, self.slip, self.opened = {}, slip, slip.number
        slip.settled = slip.confirmed = False
        self.window = "closed"

    # -- helpers ---------------------------------------------------------------------------------------

    def _refusal(self, event: WagerPlaced) -> str | None:
        """Why a wager in time is not accepted (wagers (b), (c))."""
        if event.seat > self.context.seats:
            return f"the table has {self.context.seats} seats"
        if event.kind == "verbal" and len(set(event.confirmed_by or ())) < 2:
            return "a verbal wager needs the dealer and the supervisor to confirm it (13:69F-7 wagers (c))"
        offered = self.context.wagers
        if event.wager in self.context.ruleset.wagers and event.wager not in offered:
            return f"the layout shows no wager {event.wager!r}; it shows {', '.join(offered)}"
        return refusal(self.context.ruleset, event.wager, event.amount)

    def _settles(self, spot: Spot) -> bool:
        """Taking this stake now is the settlement of it: it lost, or the round is confirmed."""
        slip = self.slip
        if slip is None or spot not in slip.stakes or slip.result is None or self.window == "closed":
            return False
        if self.window == "frozen":
            return True
        stake = amount_text(slip.stakes[spot])
        return settle(self.context.ruleset, slip.result, spot.wager, stake).outcome == "lose"

    def _is_late(self, spot: Spot, amount: str, what: str) -> bool:
        """It comes after "no more bets" (wagers (d)), or after a round's first card (wagers (e))."""
        early = self.window == "open" and self.context.card_out
        if self.window == "open" and not early:
            return False
        if early:
            self._refuse(spot, amount, CARD_OUT)
        since = "a card left the shoe" if early else "no more bets"
        detail = f"seat {spot.seat}: {spot.wager} {what} after {since}; it does not count"
        self.context.irregular("late-wager", detail=detail)
        return True

    def _refuse(self, spot: Spot, amount: str, reason: str) -> None:
        self.context.emit(
            facts.WagerRefused(seat=spot.seat, wager=spot.wager, amount=amount, by=None, reason=reason)
        )

    def _charge(self, slip: Slip, charges: dict[int, Fraction]) -> None:
        """What this round's settlement charges to each seat, instead of what an earlier one did."""
        before, slip.charged = slip.charged, charges
        for seat in sorted(before.keys() | charges.keys()):
            if change := charges.get(seat, Fraction(0)) - before.get(seat, Fraction(0)):
                self._owe(seat, change)

    def _owe(self, seat: int, amount: Fraction) -> None:
        self.owed[seat] = self.owed.get(seat, Fraction(0)) + amount
        self.context.emit(facts.VigorishOwed(seat=seat, amount=signed(self.owed[seat])))
        if not self.owed[seat]:
            del self.owed[seat]


def signed(amount: Fraction) -> str:
    """An amount that may be owed the other way round."""
    return amount_text(amount) if amount >= 0 else f"-{amount_text(-amount)}"
