"""One round's cards: where they put it, what they decide, and what the shoe claims of them."""

from dataclasses import dataclass, field

from controller import facts
from controller.cards import HANDS, Card, Hand
from controller.observations import DeviceResult
from controller.play.irregularities import Drawn, Irregularity
from controller.rules.drawing import DrawTable, due
from controller.rules.outcome import judge

Hands = dict[Hand, list[Card]]


def claimed(result: DeviceResult) -> tuple[object, ...]:
    """What a device's result says: its winner and its two pair flags."""
    return result.winner, result.player_pair, result.banker_pair


def dealt_by_rule(hands: Hands, draw: DrawTable) -> Hands:
    """The same cards dealt again in order, as far as the rules call for them."""
    kept: Hands = {"player": [], "banker": []}
    while (hand := due(kept["player"], kept["banker"], draw).hand) is not None:
        at = len(kept[hand])
        if at == len(hands[hand]):
            break
        kept[hand].append(hands[hand][at])
    return kept


@dataclass
class Coup:
    """What one round is made of.

    `claim`: the shoe's own result. `accepted`: it differs, and a supervisor let the cards' result stand.
    `closed`: the round was confirmed. `decided`: its result was issued once.
    `identified`: slots whose card a person named; the shoe's late null report for one is the same card.
    `carried`: its first card, where an order had carried it over from the round before.
    """

    number: int = 0
    hands: Hands = field(default_factory=lambda: {"player": [], "banker": []})
    claim: DeviceResult | None = None
    accepted: bool = False
    closed: bool = False
    voided: bool = False
    decided: bool = False
    identified: set[tuple[Hand, int]] = field(default_factory=set)
    carried: Card | None = None
    #: what held it when it was voided
    voided_for: Irregularity | None = None
    #: how many cards of each hand the dealer has called
    called: dict[Hand, int] = field(default_factory=lambda: {"player": 0, "banker": 0})

    @property
    def dealt(self) -> list[Card]:
        return self.hands["player"] + self.hands["banker"]

    def due(self, draw: DrawTable) -> Hand | None:
        """Whose card comes next; None: it has all its cards."""
        return due(self.hands["player"], self.hands["banker"], draw).hand

    def stands(self, draw: DrawTable) -> str:
        """The state that its cards put it in."""
        hand = self.due(draw)
        if hand is None:
            return "confirmed" if self.closed else "decided"
        return f"{hand}_{len(self.hands[hand]) + 1}"

    def disagrees(self, result: DeviceResult) -> bool:
        """The shoe's winner or one of its pair flags differs from the cards."""
        mine = judge(self.hands["player"], self.hands["banker"])
        return claimed(result) != (mine.winner, mine.player_pair, mine.banker_pair)

    def difference(self) -> str:
        """What the shoe claims and what the cards say, for a person; empty: it claims nothing."""
        if self.claim is None:
            return ""
        mine = judge(self.hands["player"], self.hands["banker"])
        told, right = (
            ", ".join([winner or "nobody", *["player pair"] * player, *["banker pair"] * banker])
            for winner, player, banker in (
                (self.claim.winner, self.claim.player_pair, self.claim.banker_pair),
                (mine.winner, mine.player_pair, mine.banker_pair),
            )
        )
        return f"the shoe says {told}; the cards say {right}"

    def mismatched(self, draw: DrawTable) -> bool:
        """Its shoe's result differs from all its cards, and nobody has accepted that."""
        if self.claim is None or self.accepted or self.voided or self.due(draw) is not None:
            return False
        return self.disagrees(self.claim)

    def decision(self) -> facts.RoundDecided:
        """The fact that follows from its cards; from the second time on it is a correction."""
        corrected, self.decided = self.decided, True
        result = judge(self.hands["player"], self.hands["banker"])
        fields = {name: getattr(result, name) for name in result.__struct_fields__}
        return facts.RoundDecided(round=self.number, corrected=corrected, **fields)

    def trim(self, draw: DrawTable) -> list[Drawn]:
        """Take out the cards that the rules do not call for; in the order of the hands."""
        kept = dealt_by_rule(self.hands, draw)
        surplus = [
            Drawn(card, hand, index)
            for hand in HANDS
            for index, card in enumerate(self.hands[hand], 1)
            if index > len(kept[hand])
        ]
        self.hands = kept
        return surplus
