"""Who is handed the cards of each hand, from the wagers on the table (13:69F-7.7(d) to (i))."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from controller.cards import HANDS, Hand
from controller.rules.terms import Dealing, Handling, HandlingCase


@dataclass(frozen=True)
class Assignment:
    """`seat` turns the hand and any third card of it; None: the dealer does."""

    hand: Hand
    seat: int | None
    citation: str


def assign_hands(
    handling: Handling, dealing: Dealing, wagers: Iterable[tuple[int, str, str]]
) -> list[Assignment]:
    """Both hands, from `(seat, wager, amount)` at "no more bets". Face up there is nothing to hand out."""
    if dealing == "face-up":
        return []
    staked: dict[str, dict[int, Fraction]] = {hand: {} for hand in HANDS}
    for seat, wager, amount in wagers:
        if wager in staked:
            staked[wager][seat] = staked[wager].get(seat, Fraction(0)) + Fraction(amount)
    return [_assign(hand, handling, staked) for hand in HANDS]


def _assign(hand: Hand, handling: Handling, staked: Mapping[str, Mapping[int, Fraction]]) -> Assignment:
    if handling.by == "dealer":
        return Assignment(hand, None, handling.citation)
    own, other = staked[hand], staked["banker" if hand == "player" else "player"]
    if own:
        seat, equals = _highest(own, handling)
        return Assignment(hand, seat, _cite(handling, "equal" if equals else hand))
    seat_of_other = _highest(other, handling)[0] if handling.other_hand and other else None
    return Assignment(hand, seat_of_other, _cite(handling, "nobody"))


def _cite(handling: Handling, case: HandlingCase) -> str:
    return handling.cites.get(case, handling.citation)


def _highest(stakes: Mapping[int, Fraction], handling: Handling) -> tuple[int, bool]:
    """The seat of the highest stake, the first counter-clockwise of equals, and whether there were any."""
    most = max(stakes.values())
    equals = [seat for seat, stake in stakes.items() if stake == most]
    first = min(equals) if handling.seat_1 == "dealer-right" else max(equals)
    return first, len(equals) > 1
