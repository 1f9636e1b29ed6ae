"""What people and mishaps do to a shuffler, and the truth about the packs it hands over."""

from msgspec import Struct

from controller.cards import Card
from controller.observations import Observation


class PackHandedOver(Observation, frozen=True):
    """A pack was taken out of the shuffler, in this order."""

    pack: str
    cards: list[Card]


class Act(Struct, frozen=True, kw_only=True):
    """Something happens at the shuffler."""


class Insert(Act, frozen=True):
    """Cards are put in; None: a whole pack."""

    cards: tuple[Card, ...] | None = None


class Press(Act, frozen=True):
    """The button that starts a shuffle."""


class Take(Act, frozen=True):
    """The cards are taken out."""


class Deal(Act, frozen=True):
    """A continuous shuffler gives cards out."""

    count: int = 1


class Return(Act, frozen=True):
    """Cards come back into a continuous shuffler."""

    cards: tuple[Card, ...]


class Jam(Act, frozen=True):
    """A card is stuck at `place` (`tray`, `entry`, `exit`); the unit frees it `after` seconds, or never."""

    place: str = "entry"
    after: float | None = None


class Door(Act, frozen=True):
    """The cover is opened or closed."""

    is_open: bool


class Fail(Act, frozen=True):
    """Something breaks (`fault` as in `device_fault`)."""

    fault: str


class Free(Act, frozen=True):
    """A person clears what is stuck or broken."""


class Power(Act, frozen=True):
    """Switched on or off. What it was doing is forgotten; the cards stay inside."""

    on: bool = True


class Offer(Act, frozen=True):
    """The unit tells the order of the cards in it, which it must never do."""
