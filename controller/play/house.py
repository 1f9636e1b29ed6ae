"""What a table plays by."""

from dataclasses import dataclass

from controller.play.boundaries import Boundaries
from controller.rules.remedies import Pack
from controller.rules.ruleset import Ruleset
from controller.rules.terms import Dealing


@dataclass(frozen=True)
class House:
    """What a table plays by. `seats` None, `wagers` empty: the ruleset's own."""

    ruleset: Ruleset
    decks: int = 8
    boundaries: Boundaries = "announced"
    dealing: Dealing = "face-up"
    seats: int | None = None
    wagers: tuple[str, ...] = ()
    #: an automated shuffler feeds the table; a continuous one takes cards back during play
    shuffler: bool = False
    continuous: bool = False
    #: the shoe numbers its reports and sends them more than once, so a spoilt one is not a lost one
    sequenced: bool = True
    #: cards are entered by hand, so those that lie face down are known to nobody
    manual: bool = False
    #: what is proposed to the supervisor; None: nothing, every lawful order is only listed
    pack: Pack | None = None
