"""Who won: the result of two finished hands, from the cards alone."""

from collections.abc import Sequence

from msgspec import Struct

from controller.cards import Card, Outcome
from controller.rules.drawing import NATURAL, total


class Result(Struct, frozen=True, kw_only=True):
    """The fields of `facts.RoundDecided` that follow from the cards.

    `natural`: either hand's. `cards`: the number required. Pairs are of rank, on the first two cards (Macau
    Ordem 70/2000). `dragon_7`, `panda_8`: a win with three cards that count 7, 8 (58 Pa. Code 627a.1).
    """

    winner: Outcome
    player_cards: list[Card]
    banker_cards: list[Card]
    player_total: int
    banker_total: int
    natural: bool
    cards: int
    player_pair: bool
    banker_pair: bool
    dragon_7: bool
    panda_8: bool


def judge(player: Sequence[Card], banker: Sequence[Card]) -> Result:
    """The result of two hands of two or three cards: the higher count wins, equal counts tie
    (13:69F-7 wagers (a)1 to 3).
    """
    player_total, banker_total = total(player), total(banker)
    winner: Outcome = "tie"
    if player_total != banker_total:
        winner = "player" if player_total > banker_total else "banker"
    return Result(
        winner=winner,
        player_cards=list(player),
        banker_cards=list(banker),
        player_total=player_total,
        banker_total=banker_total,
        natural=is_natural(player) or is_natural(banker),
        cards=len(player) + len(banker),
        player_pair=is_pair(player),
        banker_pair=is_pair(banker),
        dragon_7=winner == "banker" and banker_total == 7 and len(banker) == 3,
        panda_8=winner == "player" and player_total == 8 and len(player) == 3,
    )


def is_natural(cards: Sequence[Card]) -> bool:
    """8 or 9 on the first two cards (13:69F-7.9(a))."""
    return len(cards) >= 2 and total(cards[:2]) >= NATURAL


def is_pair(cards: Sequence[Card]) -> bool:
    """The first two cards are of one rank; equal value is not enough."""
    return len(cards) >= 2 and cards[0][0] == cards[1][0]
