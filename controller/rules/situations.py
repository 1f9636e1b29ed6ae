"""The situation of an irregularity in a closed vocabulary: computed from the table, or told by a person.

A shoe sees every face; what the people at the table saw, and whether anybody was harmed, no sensor can say.
Such words come in pairs, and until the supervisor has said one of a pair, neither holds.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from controller.cards import Card, Hand
from controller.rules.drawing import DrawTable, due, total
from controller.rules.outcome import is_natural

Computed = Literal[
    "held",  # the round stands still until an order is given
    "in-round",  # from a round's first card until it is closed
    "first-card",  # none of the round's cards has been dealt
    "first-four",  # a card of the first four is due
    "player-draws",  # Player's third card is due
    "player-stays",  # Player has two cards and takes no third
    "banker-draws",  # Banker's third card is due
    "natural",  # a natural ended the drawing
    "nothing-due",  # both hands are complete
    "to-player",  # the shoe gave the card to this hand
    "to-banker",
    "last-coup",  # no further round may follow in this shoe
    "exposed-card",  # why the dealer called the supervisor
    "stuck-card",
    "dropped-card",
    "player-touched",
]
Told = Literal[
    "face-seen",  # people at the table saw the card's face
    "face-unseen",
    "harm",  # somebody would lose by going on
    "no-harm",
    "spare",  # another shuffler is at hand, and the cards can go into it
    "no-spare",
    "damaged",  # cards were damaged
    "undamaged",
    "as-read",  # the cards on the table are those that the shoe reported
    "misread",
    "clear",  # which cards lay where can be established
    "unclear",
    "no-later-cards",  # no more cards have left the shoe since: it can be put right at once
    "later-cards",
    "face-up-in-shoe",  # the exposed card lay so in the shoe
    "shown-in-dealing",  # the dealer exposed it
]
Circumstance = Computed | Told
Situation = frozenset[Circumstance]

COMPUTED: tuple[Computed, ...] = get_args(Computed)
TOLD: tuple[Told, ...] = get_args(Told)

#: A told word -> the one that holds when it does not.
OPPOSITE: dict[Circumstance, Told] = {word: TOLD[at + 1 - 2 * (at % 2)] for at, word in enumerate(TOLD)}

Reason = Literal["exposed-card", "stuck-card", "dropped-card", "player-touched", "other"]


def situation(
    hands: Mapping[Hand, Sequence[Card]],
    draw: DrawTable,
    *,
    held: bool = False,
    to: Hand | None = None,
    last_coup: bool = False,
    reason: Reason | None = None,
    told: Sequence[Told] = (),
) -> Situation:
    """`hands`: as they lie, the card in question not among them; both empty when no card of a round is out.

    `to`: the hand that the shoe named. `reason`: why the supervisor was called.
    """
    player, banker = hands["player"], hands["banker"]
    next_ = due(player, banker, draw).hand
    dealt = len(player) + len(banker)
    holds: dict[Circumstance, bool] = {
        "held": held,
        "in-round": dealt > 0,
        "first-card": dealt == 0,
        "first-four": min(len(player), len(banker)) < 2,
        "player-draws": len(banker) == 2 and next_ == "player",
        "player-stays": len(player) == 2 and draw.player[total(player)] == "S",
        "banker-draws": len(player) >= 2 and len(banker) == 2 and next_ == "banker",
        "natural": next_ is None and (is_natural(player) or is_natural(banker)),
        "nothing-due": next_ is None,
        "to-player": to == "player",
        "to-banker": to == "banker",
        "last-coup": last_coup,
    }
    words = {word for word, true in holds.items() if true}
    if reason is not None and reason != "other":
        words.add(reason)
    return frozenset(words.union(told))
