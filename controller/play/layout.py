"""The wagers on the layout: accepted, frozen, settled; and the vigorish that is owed (13:69F-7 wagers).

A wager counts when it was placed before "no more bets" (wagers (d)). From then on it is frozen until its
decision is carried out: at `wagers_paid`, else when the next round opens (wagers (e)).
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from controller import facts
from controller.observations import VigorishCollected, WagerPlaced, WagerRemoved
from controller.play.round import Boundaries
from controller.rules.handling import assign_hands
from controller.rules.outcome import Result, judge
from controller.rules.ruleset import Ruleset
from controller.rules.terms import Dealing
from controller.rules.wagers import amount_text, refusal, settle

#: `open`: wagers are taken. `closed`: after "no more bets". `decided`: and every losing stake is known.
#: `frozen`: settled, and not carried out yet.
Window = Literal["open", "closed", "decided", "frozen"]

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

    def emit(self, fact: facts.Fact) -> None:
        """Conclude a fact."""

    def irregular(self, code: str, *, detail: str = "") -> None:
        """Raise an irregularity."""


class Layout:
    """Stakes by spot, in money. `settled`: those of the round that was settled last."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.window: Window = "open"
        self.stakes: dict[Spot, Fraction] = {}
        self.settled: dict[Spot, Fraction] = {}
        self.owed: dict[int, Fraction] = {}
        self._charged: dict[int, Fraction] = {}
        self._round = 0  # whose stakes these are, from its "no more bets" on
        self._result: Result | None = None
        self._confirmed = False
        self._is_settled = False

    # -- what the dealer and the sensors report --------------------------------------------------------

    def placed(self, event: WagerPlaced) -> None:
        """A stake, or more of one."""
        spot = Spot(event.seat, event.wager)
        if self.window != "open":
            self._late(spot, f"{event.amount} placed")
            return
        reason = self._refusal(event)
        if reason is not None:
            self._refuse(spot, event.amount, reason)
            return
        self.stakes[spot] = self.stakes.get(spot, Fraction(0)) + Fraction(event.amount)

    def removed(self, event: WagerRemoved) -> None:
        """A stake taken back, all of it where no amount is given; after a decision, the settlement of one."""
        spot = Spot(event.seat, event.wager)
        if self.window != "open":
            if not self._settles(spot):
                self._late(spot, "withdrawn")
            return
        stake = self.stakes.get(spot)
        amount = stake if event.amount is None else Fraction(event.amount)
        if stake is None or amount is None or amount > stake:
            if spot not in self.settled:
                lies = "nothing" if stake is None else amount_text(stake)
                self._refuse(spot, event.amount or "0", f"{lies} lies there")
            return
        if amount == stake:
            del self.stakes[spot]
        else:
            self.stakes[spot] = stake - amount

    def paid(self) -> None:
        """The decision has been carried out: stakes are returned, paid or taken."""
        if self.window == "frozen":
            self.window = "open"

    def collected(self, event: VigorishCollected) -> None:
        """A seat pays vigorish that it owes."""
        owed, amount = self.owed.get(event.seat, Fraction(0)), Fraction(event.amount)
        if amount > owed:
            self._refuse(Spot(event.seat, "vigorish"), event.amount, f"the seat owes {amount_text(owed)}")
            return
        self._owe(event.seat, -amount)

    # -- what the table concluded ----------------------------------------------------------------------

    def follow(self, concluded: Iterable[facts.Fact]) -> None:
        """Conclude what follows for the wagers from a table's facts."""
        for fact in concluded:
            match fact:
                case facts.RoundOpened():
                    self.window = "open"
                case facts.BetsClosed():
                    self._closed(fact.round)
                case facts.RoundDecided():
                    self._decided(fact)
                case facts.RoundConfirmed():
                    self._finish()
                case facts.DrawCalled(hand=str()) if self._is_settled and fact.round == self._round:
                    self._take_up()
                case facts.RoundVoided() if fact.round == self._round:
                    self._void()
                case facts.RoundReinstated() if fact.round == self._round:
                    self._reinstate()

    def _closed(self, number: int) -> None:
        self.window, self._round, self._result = "closed", number, None
        self.settled, self._charged = {}, {}
        self._confirmed = self._is_settled = False
        ruleset = self.context.ruleset
        for spot, stake in list(self.stakes.items()):
            beside = [s.wager for s in self.stakes if s.seat == spot.seat and s != spot]
            if reason := refusal(ruleset, spot.wager, amount_text(stake), beside):
                del self.stakes[spot]
                self._refuse(spot, amount_text(stake), reason)
        placed = [(spot.seat, spot.wager, amount_text(stake)) for spot, stake in self.stakes.items()]
        for hand in assign_hands(ruleset.handling, self.context.dealing, placed):
            self.context.emit(
                facts.HandAssigned(round=number, hand=hand.hand, seat=hand.seat, citation=hand.citation)
            )

    def _decided(self, fact: facts.RoundDecided) -> None:
        if fact.round != self._round:
            return
        self._result = judge(fact.player_cards, fact.banker_cards)
        if self._is_settled:
            # A correction of a round that was settled already.
            self._settle(self.settled)
        elif self.window == "closed":
            self.window = "decided"

    def _finish(self) -> None:
        """The result stands: every stake is settled, and frozen until that has been carried out."""
        self._confirmed = True
        self._move_stakes()
        self._settle(self.settled)
        self.window = "frozen" if self.context.boundaries == "announced" else "open"

    def _move_stakes(self) -> None:
        """The stakes are settled from now on; what is placed next is for the next round."""
        if not self._is_settled:
            self.settled, self.stakes = self.stakes, {}
            self._is_settled = True

    def _settle(self, stakes: dict[Spot, Fraction]) -> None:
        charges: dict[int, Fraction] = {}
        assert self._result is not None
        for spot, stake in stakes.items():
            line = settle(self.context.ruleset, self._result, spot.wager, amount_text(stake), spot.seat)
            self.context.emit(line)
            charges[spot.seat] = charges.get(spot.seat, Fraction(0)) + Fraction(line.vigorish)
        if self.context.ruleset.vigorish.collected == "later":
            self._charge(charges)

    def _void(self) -> None:
        self._move_stakes()
        for spot, stake in self.settled.items():
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
        self._charge({})
        self.window = "open"

    def _reinstate(self) -> None:
        """The round counts again: settled anew if it was finished, else its stakes lie as before."""
        if self._confirmed:
            self._settle(self.settled)
        else:
            self._take_up()
            self.window = "closed" if self._result is None else "decided"

    def _take_up(self) -> None:
        """A round that was settled goes on; what was placed for the next one has to be placed again."""
        self._charge({})
        for spot, stake in self.stakes.items():
            self._refuse(spot, amount_text(stake), f"round {self._round} goes on; place it again")
        self.stakes, self.settled = self.settled, {}
        self._confirmed = self._is_settled = False
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
        if self.window == "frozen":
            return spot in self.settled
        if self.window != "decided" or self._result is None or spot not in self.stakes:
            return False
        stake = amount_text(self.stakes[spot])
        return settle(self.context.ruleset, self._result, spot.wager, stake).outcome == "lose"

    def _late(self, spot: Spot, what: str) -> None:
        self.context.irregular(
            "late-wager",
            detail=f"seat {spot.seat}: {spot.wager} {what} after no more bets; it does not count",
        )

    def _refuse(self, spot: Spot, amount: str, reason: str) -> None:
        self.context.emit(
            facts.WagerRefused(seat=spot.seat, wager=spot.wager, amount=amount, by=None, reason=reason)
        )

    def _charge(self, charges: dict[int, Fraction]) -> None:
        """What this round's settlement charges to each seat, instead of what an earlier one did."""
        before, self._charged = self._charged, charges
        for seat in sorted(before.keys() | charges.keys()):
            if change := charges.get(seat, Fraction(0)) - before.get(seat, Fraction(0)):
                self._owe(seat, change)

    def _owe(self, seat: int, amount: Fraction) -> None:
        self.owed[seat] = self.owed.get(seat, Fraction(0)) + amount
        self.context.emit(facts.VigorishOwed(seat=seat, amount=_signed(self.owed[seat])))
        if not self.owed[seat]:
            del self.owed[seat]


def _signed(amount: Fraction) -> str:
    return amount_text(amount) if amount >= 0 else f"-{amount_text(-amount)}"
