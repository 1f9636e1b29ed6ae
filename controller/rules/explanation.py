"""Cards told one by one: whose each is, what is due after it and why, and the result."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.cards import Card, Hand
from controller.rules.drawing import DrawTable, Due, due
from controller.rules.outcome import Result, judge


@dataclass(frozen=True)
class Step:
    """`due`: what the rules ask for after this card; None until four cards lie."""

    card: Card
    hand: Hand
    index: int
    due: Due | None


@dataclass(frozen=True)
class Explanation:
    """`due`: what is due now. `surplus`: cards that nobody was owed. `result`: None until decided."""

    steps: list[Step]
    due: Due
    surplus: list[Card]
    result: Result | None


def explain(cards: Iterable[Card], table: DrawTable) -> Explanation:
    """Deals cards in the order in which they leave the shoe."""
    hands: dict[Hand, list[Card]] = {"player": [], "banker": []}
    steps: list[Step] = []
    surplus: list[Card] = []
    now = due([], [], table)
    for card in cards:
        if now.hand is None:
            surplus.append(card)
            continue
        hand = now.hand
        hands[hand].append(card)
        now = due(hands["player"], hands["banker"], table)
        steps.append(Step(card, hand, len(hands[hand]), now if len(steps) >= 3 else None))
    result = judge(hands["player"], hands["banker"]) if now.hand is None else None
    return Explanation(steps, now, surplus, result)
