"""The irregularity codes: how severe each is, what it cites, and which orders may answer it.

What becomes of a wrong card differs between jurisdictions, so no outcome stands here: the table lists what a
supervisor may order, and a remedy pack may propose one of them.
"""

from dataclasses import dataclass, field
from typing import Literal

from controller.cards import Card, Hand
from controller.facts import IrregularityRaised, Remedy, Severity
from controller.observations import DeviceResult, Index, Mode, Slot

#: `stop-in-round`: stop from a round's first card to its decision, else warn.
Gravity = Severity | Literal["stop-in-round"]

_CARD = ("burn_card", "carry_card", "move_card", "accept", "void_round", "resynchronise")
_IDENTITY = ("identify_card", "burn_card", "accept", "void_round", "resynchronise")
_CONFLICT = ("correct_card", "accept", *_CARD[:3], "void_round", "resynchronise")
_RESULT = ("correct_card", "accept", "void_round", "resynchronise")
_STAND = ("accept", "void_round", "resynchronise")
_TRUST = ("resynchronise", "void_round", "accept")
_SEEN = ("acknowledge",)


@dataclass(frozen=True)
class Code:
    """`says`: a sentence with {card}, {slot}, {due}, {lies}. `orders`: what may answer it when it stops.

    `citation`: the rule that is broken; `DRAW`: the ruleset's own on whose card is due.
    """

    gravity: Gravity
    says: str
    orders: tuple[str, ...] = _SEEN
    citation: str | None = None


DRAW = "whose card is due"

CODES: dict[str, Code] = {
    # the order of the deal
    "early-card": Code(
        "stop", "{card} left the shoe before bets were closed", _CARD, "N.J.A.C. 13:69F-7.7(b)"
    ),
    "overdraw": Code("stop", "{card} was drawn and no card is due", (*_CARD, "correct_card"), DRAW),
    "wrong-slot": Code("stop", "{card} was given to {slot}, and {due} is due", _CARD, DRAW),
    "underdraw": Code("stop", "the round was closed while a card is due to {due}", _RESULT, DRAW),
    # which card it is
    "unread-card": Code("stop", "a card left the shoe and was not read; {due} is due", _IDENTITY),
    "card-conflict": Code("stop", "{card} was reported for {slot}, where {lies} lies", _CONFLICT),
    "impossible-card": Code(
        "stop", "{card} was drawn more often than the pack holds it", (*_IDENTITY, "correct_card")
    ),
    "foreign-card": Code("stop", "the shoe reports a card that is not of this pack; {due} is due", _IDENTITY),
    # the shoe's own claims
    "result-mismatch": Code(
        "stop", "the shoe's result differs from the cards", _RESULT, "N.J.A.C. 13:69F-7 wagers (a)1 to 3"
    ),
    "forced-quit": Code("stop", "the shoe broke the game off", _STAND),
    "reverse-movement": Code("stop-in-round", "a card was pushed back into the shoe", _STAND),
    "jam": Code("stop-in-round", "the shoe is jammed", _STAND),
    "shoe-opened": Code("stop-in-round", "the shoe was opened", _STAND),
    "draw-timeout": Code("warn", "a card was left half out of the shoe"),
    "button-misuse": Code("warn", "a button of the shoe was misused"),
    "card-overdue": Code("warn", "the card due to {due} has not come"),
    "supervisor-called": Code("stop-in-round", "the dealer asks for a decision", _STAND),
    # what may have gone by unheard
    "lost-frames": Code("stop", "the shoe's numbering shows that reports were lost", _TRUST),
    "link-lost": Code("stop", "the shoe was not heard; cards may have gone by", _TRUST),
    "device-restarted": Code("stop", "the shoe started again inside a round", _TRUST),
    # burn, cut card, end of the shoe
    "not-burned": Code("warn", "no card of the new pack was burned"),
    "burn-mismatch": Code("warn", "the burn of the new pack has the wrong number of cards"),
    "cut-card-misplaced": Code("warn", "the cut card lay in the burn"),
    "cut-card-repeated": Code("warn", "another cut card came from the same shoe"),
    "cut-card-missing": Code("warn", "the shoe was dealt to its end without a cut card"),
    "past-last-round": Code("block", "the last round of this shoe has been dealt"),
    "shoe-exhausted": Code(
        "stop", "the shoe is empty and a card is due to {due}", ("void_round", "resynchronise")
    ),
    "count-mismatch": Code("block", "the cards of the shoe do not add up to what was loaded"),
    "late-wager": Code(
        "warn", "a wager moved after no more bets", _SEEN, "N.J.A.C. 13:69F-7 wagers (d), (e)"
    ),
    "order-disclosed": Code("warn", "a device offered the order of undealt cards; it was discarded"),
    "unshuffled-pack": Code("block", "the order of the cards is not a shuffle's"),
    "shuffler-count-mismatch": Code("block", "the shuffler counted too few or too many cards"),
    "composition-mismatch": Code("block", "the shuffler found cards missing or extra"),
    "unverified-pack": Code("block", "a pack enters play without a finished, matching shuffle"),
    "shuffler-fault": Code("block", "the shuffler reports a fault"),
}


def severity(code: str, in_round: bool) -> Severity:
    """How severe `code` is now; `in_round`: from a round's first card to its decision."""
    gravity = CODES[code].gravity
    if gravity == "stop-in-round":
        return "stop" if in_round else "warn"
    return gravity


def offered(code: str, level: Severity, drawn: "Drawn | None" = None) -> list[Remedy]:
    """What a supervisor may order; nothing is proposed where no rule was read."""
    orders = CODES[code].orders if level == "stop" else _SEEN
    if drawn is not None and drawn.card is None and not drawn.awaited:
        # Nobody can tell what would be dealt, now or in the next round.
        orders = tuple(order for order in orders if order not in ("move_card", "carry_card"))
    return [Remedy(order=o, citation=None, source="derived", proposed=False) for o in orders]


@dataclass
class Drawn:
    """A card that left the shoe, as reported; `card` None: its identity is not known."""

    card: Card | None
    slot: Slot | None = None
    index: Index | None = None
    mode: Mode | None = None
    impossible: bool = False
    #: reported as a fault, before or instead of the card itself
    fault: str | None = None
    #: what the shoe reported for the same slot later, during the hold
    since: "Drawn | None" = None
    #: a fault came first and its card has not been reported yet
    awaited: bool = False

    @property
    def read(self) -> "Drawn":
        """The best reading of the card that there is."""
        return self.since or self

    @property
    def place(self) -> str:
        """The slot for a sentence: `banker 3`."""
        return f"{self.slot} {self.index}" if self.index else str(self.slot or "no hand")


@dataclass
class Irregularity:
    """An irregularity that nobody has answered yet."""

    id: int
    code: str
    severity: Severity
    round: int | None
    #: the card that an order means; None: the irregularity has none
    drawn: Drawn | None = None
    #: whose turn it was
    due: Hand | None = None
    #: cards that came during the hold; they belong to no hand
    later: list[Drawn] = field(default_factory=list)
    #: the shoe's result, when it came during the hold
    claim: DeviceResult | None = None
    #: during the hold the shoe was not heard, or told that reports are missing
    unheard: bool = False
    #: what was told of it
    raised: IrregularityRaised | None = None
    #: its round is of an earlier shoe
    past: bool = False

    def leave_shoe(self) -> None:
        """Another shoe follows: nothing but an acknowledgement can be made of it."""
        self.past = self.round is not None
        self.drawn = self.due = self.claim = None
        self.later = []
