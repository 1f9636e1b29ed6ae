"""Whose card is due: the order of the deal, naturals and the third-card tables (13:69F-7.7 and 7.9)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.cards import DECK, HANDS, Card, Hand

#: Card -> point value 0..9 (13:47-20.28(b)2.iii).
POINTS: dict[Card, int] = {card: 0 if card[0] in "TJQK" else "A23456789".index(card[0]) + 1 for card in DECK}

DRAWS, STAYS = "D", "S"
NATURAL = 8  # 7.9(a): 8 or 9 on two cards


def total(cards: Sequence[Card]) -> int:
    """The point count 0..9: the last digit of the sum (13:47-20.28(e)4)."""
    return sum(POINTS[card] for card in cards) % 10


@dataclass(frozen=True)
class DrawCitations:
    """What `due` cites. The defaults are N.J.A.C. 13:69F.

    `banker_alone`: Player stayed, the column "no third card". `banker_low`: Banker 0 to 2, Player drew.
    """

    deal: str = "N.J.A.C. 13:69F-7.7(c)"
    natural: str = "N.J.A.C. 13:69F-7.9(a)"
    player: str = "N.J.A.C. 13:69F-7.9(b), Table 1"
    banker: str = "N.J.A.C. 13:69F-7.9(c), Table 2"
    banker_alone: str = "N.J.A.C. 13:69F-7.9(c), Table 2"
    banker_low: str = "N.J.A.C. 13:69F-7.9(c), Table 2"


@dataclass(frozen=True)
class DrawTable:
    """Letters `D` and `S`. `player`: by count 0..9. `banker`: a row for each count 0..9 on two cards, and in
    it the columns no third card, then the value 0..9 of Player's third card. The defaults are 13:69F-7.9.
    """

    player: str = "DDDDDDSSSS"
    banker: tuple[str, ...] = (
        "DDDDDDDDDDD",
        "DDDDDDDDDDD",
        "DDDDDDDDDDD",
        "DDDDDDDDDSD",
        "DSSDDDDDDSS",
        "DSSSSDDDDSS",
        "SSSSSSSDDSS",
        "SSSSSSSSSSS",
        "SSSSSSSSSSS",
        "SSSSSSSSSSS",
    )
    cites: DrawCitations = field(default_factory=DrawCitations)

    def banker_draws(self, count: int, third: int | None) -> bool:
        """`count`: Banker's two cards. `third`: the value of Player's third card, None if there is none."""
        return self.banker[count][0 if third is None else third + 1] == DRAWS


NEW_JERSEY = DrawTable()


@dataclass(frozen=True)
class Due:
    """`hand` gets the next card; None: the round has all its cards."""

    hand: Hand | None
    citation: str


def due(player: Sequence[Card], banker: Sequence[Card], table: DrawTable = NEW_JERSEY) -> Due:
    """Whose card comes next, for hands dealt so far in any state of completion."""
    for index in (1, 2):
        for hand, cards in zip(HANDS, (player, banker), strict=True):
            if len(cards) < index:
                return Due(hand, table.cites.deal)
    count, row = total(player[:2]), total(banker[:2])
    if max(count, row) >= NATURAL:
        return Due(None, table.cites.natural)
    if len(player) == 2 and table.player[count] == DRAWS:
        return Due("player", table.cites.player)
    third = POINTS[player[2]] if len(player) > 2 else None
    rule = _banker_rule(row, third, table.cites)
    if len(banker) > 2:
        return Due(None, f"{rule}: both hands are complete")
    draws = table.banker_draws(row, third)
    column = "no third card" if third is None else f"third card {third}"
    verb = "draws" if draws else "stays"
    return Due("banker" if draws else None, f"{rule}: banker {row}, {column} {verb}")


def _banker_rule(row: int, third: int | None, cites: DrawCitations) -> str:
    if third is None:
        return cites.banker_alone
    return cites.banker_low if row <= 2 else cites.banker
