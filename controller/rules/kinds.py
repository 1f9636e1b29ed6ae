"""What each wager is about: the classes into which a result falls for it, and which of them a ruleset prices.

A class is `lose`, or a name that the ruleset's `pays` gives odds, `void` or `lose` for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeGuard, get_args

from controller.cards import Hand
from controller.rules.drawing import NATURAL
from controller.rules.outcome import Result

WagerName = Literal[
    "banker",
    "player",
    "tie",
    "cards_4",
    "cards_5",
    "cards_6",
    "player_bonus",
    "banker_bonus",
    "dragon_7",
    "panda_8",
    "player_pair",
    "banker_pair",
    "lucky_6",
    "super_6",
    "small",
    "big",
]
WAGERS: tuple[WagerName, ...] = get_args(WagerName)

LOSE = "lose"


def is_wager(name: str) -> TypeGuard[WagerName]:
    """True for a name of the vocabulary."""
    return name in WAGERS


@dataclass(frozen=True)
class Kind:
    """`classify`: a result's class. `must`: classes every pay table prices. `may`: those it may price apart
    from `win`, which they are otherwise.
    """

    classify: Callable[[Result], str]
    must: tuple[str, ...] = ("win",)
    may: tuple[str, ...] = ()


def _on(condition: Callable[[Result], bool]) -> Kind:
    return Kind(lambda result: "win" if condition(result) else LOSE)


def _banker(result: Result) -> str:
    if result.winner != "banker":
        return "tie" if result.winner == "tie" else LOSE
    if result.dragon_7:
        return "dragon_7"
    return "win_with_6" if result.banker_total == 6 else "win"


def _player(result: Result) -> str:
    return {"player": "win", "banker": LOSE, "tie": "tie"}[result.winner]


def _bonus(selected: Hand) -> Callable[[Result], str]:
    """13:69F-7 wagers (a)5: every pair of hands is a win, a loss or void."""

    def classify(result: Result) -> str:
        hands = (
            (result.player_total, len(result.player_cards)),
            (result.banker_total, len(result.banker_cards)),
        )
        (own, own_cards), (other, other_cards) = hands if selected == "player" else hands[::-1]
        own_natural = own_cards == 2 and own >= NATURAL
        other_natural = other_cards == 2 and other >= NATURAL
        if own_natural and other_natural and own == other:
            return "natural_tie"
        if own_natural:
            return LOSE if other_natural and own < other else "natural"
        return f"by_{own - other}" if own - other >= 4 else LOSE

    return classify


def _six(result: Result) -> str:
    if result.winner != "banker" or result.banker_total != 6:
        return LOSE
    return "two_cards" if len(result.banker_cards) == 2 else "three_cards"


_BONUS = ("natural", "natural_tie", "by_4", "by_5", "by_6", "by_7", "by_8", "by_9")

KINDS: dict[WagerName, Kind] = {
    "banker": Kind(_banker, must=("win", "tie"), may=("dragon_7", "win_with_6")),
    "player": Kind(_player, must=("win", "tie")),
    "tie": _on(lambda r: r.winner == "tie"),
    "cards_4": _on(lambda r: r.cards == 4),
    "cards_5": _on(lambda r: r.cards == 5),
    "cards_6": _on(lambda r: r.cards == 6),
    "player_bonus": Kind(_bonus("player"), must=_BONUS),
    "banker_bonus": Kind(_bonus("banker"), must=_BONUS),
    "dragon_7": _on(lambda r: r.dragon_7),
    "panda_8": _on(lambda r: r.panda_8),
    "player_pair": _on(lambda r: r.player_pair),
    "banker_pair": _on(lambda r: r.banker_pair),
    "lucky_6": Kind(_six, must=("two_cards", "three_cards")),
    "super_6": _on(lambda r: _six(r) != LOSE),
    "small": _on(lambda r: r.cards == 4),
    "big": _on(lambda r: r.cards > 4),
}
