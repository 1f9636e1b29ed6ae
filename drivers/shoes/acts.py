"""What hands do to a shoe, and the truth about what then happened: in no device's words."""

from msgspec import Struct

from controller.cards import Card, Outcome
from controller.observations import Index, Observation, Slot

CUT = "cut"  # the cut card, among items

#: What comes out of a shoe: a card, the cut card, or nothing because it is empty.
Item = str | None


class RoundDealt(Observation, frozen=True):
    """A finished round, as it lies on the table; `round` counts from 1 in each shoe."""

    shoe: int
    round: int
    winner: Outcome
    player_cards: list[Card]
    banker_cards: list[Card]


class Act(Struct, frozen=True, kw_only=True):
    """Something a person does at the shoe."""


class Load(Act, frozen=True):
    """Puts a pack in, in this order; the cut card lies before its last `cut_at` cards (None: no cut card)."""

    cards: tuple[Card, ...]
    decks: int
    cut_at: int | None = None
    pack: str | None = None


class Fetch(Act, frozen=True):
    """Puts in the next pack that is brought, once there is one; the cut card as in Load."""

    decks: int
    cut_at: int | None = None


class Power(Act, frozen=True):
    """Switches the shoe on (when it is on: resets it) or off."""

    on: bool = True


class Pull(Act, frozen=True):
    """Takes the next item out and puts it at `slot` and `index`; `item`: this one, not the pack's next.
    `named`: the shoe gives it that name, whichever is due.
    """

    slot: Slot | None = None
    index: Index | None = None
    item: Item = None
    named: bool = False


class Blur(Act, frozen=True):
    """The next card will not be read."""


class Say(Act, frozen=True):
    """The shoe reports this, whatever it knows; after a result it plays as if that were the game's."""

    observation: Observation


class Prompted(Act, frozen=True):
    """From now on the shoe reports a result only when it is told to `Say` one."""


class Skip(Act, frozen=True):
    """A report is lost inside the shoe: the numbers of the others show it."""


class Key(Act, frozen=True):
    """Turns the key of the lock."""

    locked: bool


class Fail(Act, frozen=True):
    """Something goes wrong in the shoe (`fault` as in `device_fault`); in error mode it deals no game."""

    fault: str
    error_mode: bool = True


class Clear(Act, frozen=True):
    """Presses the button that clears an error; `keep`: an overdrawn card is kept for the next round."""

    keep: bool = False


class Quit(Act, frozen=True):
    """Breaks the shoe's game off, at its panel."""


class Settle(Act, frozen=True):
    """Puts the cards of a finished round away; the shoe notices nothing."""

    dealt: RoundDealt


class Step(Struct, frozen=True):
    """An act, `after` seconds from the one before it."""

    after: float
    act: Act
