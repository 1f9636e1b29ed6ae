"""What the controller concluded. A fact is made by `Table.apply` and never changed afterwards."""

from typing import Literal

from msgspec import Struct

from controller.cards import Card, Hand, Outcome
from controller.observations import _snake

Severity = Literal["stop", "block", "warn"]
Source = Literal["verified", "secondary", "unverified", "derived"]


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag=_snake):
    """Every field is always written; null where it does not apply."""


class ShoeStarted(Fact, frozen=True):
    """`decks`: null when nobody said how many."""

    shoe: int
    decks: int | None
    pack: str | None


class ShoeEnding(Fact, frozen=True):
    """The cut card came; `rounds_left` may still be opened after the one being dealt."""

    shoe: int
    cards_seen: int
    rounds_left: int


class LastRoundCalled(Fact, frozen=True):
    shoe: int
    round: int


class ShoeEnded(Fact, frozen=True):
    shoe: int
    rounds: int
    cards_seen: int


class CardBurned(Fact, frozen=True):
    """`card`: null when it was not read."""

    card: Card | None


class RoundOpened(Fact, frozen=True):
    round: int


class BetsClosed(Fact, frozen=True):
    round: int


class CardDealt(Fact, frozen=True):
    round: int
    hand: Hand
    index: int
    card: Card


class CardRemoved(Fact, frozen=True):
    """A card that was dealt lies in its hand no more; those behind it were removed before it."""

    round: int
    hand: Hand
    index: int
    card: Card


class DrawCalled(Fact, frozen=True):
    """`hand` null: no card is due."""

    round: int
    hand: Hand | None
    citation: str


class HandAssigned(Fact, frozen=True):
    round: int
    hand: Hand
    seat: int | None
    citation: str


class RoundDecided(Fact, frozen=True):
    """`natural`: either hand's. `cards`: the number required, whatever else left the shoe."""

    round: int
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
    corrected: bool


class RoundConfirmed(Fact, frozen=True):
    round: int


class RoundVoided(Fact, frozen=True):
    round: int


class RoundReinstated(Fact, frozen=True):
    round: int


class Remedy(Struct, frozen=True, kw_only=True):
    """`given`: proposed only if the supervisor finds this so. `says`: what the rule asks at the table.
    `second`: the order needs another person's confirmation.
    """

    order: str
    citation: str | None
    source: Source
    proposed: bool
    given: list[str] = []
    says: str = ""
    second: bool = False


class IrregularityRaised(Fact, frozen=True):
    """`says`: what the rule says that leaves the decision to the supervisor; empty where one proposes."""

    id: int
    code: str
    round: int | None
    severity: Severity
    detail: str
    citation: str | None
    remedies: list[Remedy]
    says: str = ""


class IrregularityResolved(Fact, frozen=True):
    id: int
    remedy: str
    by: str
    reason: str


class OrderRefused(Fact, frozen=True):
    order: str
    by: str
    reason: str


class WagerRefused(Fact, frozen=True):
    seat: int
    wager: str
    amount: str
    by: str | None
    reason: str


class WagerSettled(Fact, frozen=True):
    """`pays`: won on top of the returned stake, before `vigorish`. Money is a decimal string."""

    seat: int | None
    wager: str
    amount: str
    outcome: Literal["win", "lose", "void"]
    pays: str
    vigorish: str
    citation: str


class VigorishOwed(Fact, frozen=True):
    """What a seat owes now, where vigorish is collected later; negative: paid back too much."""

    seat: int
    amount: str


AnyFact = (
    ShoeStarted
    | ShoeEnding
    | LastRoundCalled
    | ShoeEnded
    | CardBurned
    | RoundOpened
    | BetsClosed
    | CardDealt
    | CardRemoved
    | DrawCalled
    | HandAssigned
    | RoundDecided
    | RoundConfirmed
    | RoundVoided
    | RoundReinstated
    | IrregularityRaised
    | IrregularityResolved
    | OrderRefused
    | WagerRefused
    | WagerSettled
    | VigorishOwed
)
