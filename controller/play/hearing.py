"""What may have gone by unheard: lost links, gaps, restarts, and the clean boundary that a table waits for.

Inside a round it is held. Between rounds the table waits for a card that can be a round's first; where nobody
announces rounds, a whole one may be missing, and that is a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.observations import (
    DeviceStandby,
    LinkLost,
    LinkRestored,
    SequenceGap,
    ServiceStarted,
    role,
)
from controller.play.irregularities import CODES, Drawn
from controller.play.round import OPEN

if TYPE_CHECKING:
    from controller.play.table import Table

#: Why a table waits that lost sight of its shoe between rounds: a card that cannot be a round's first then
#: shows that the shoe is inside a round which nobody saw begin.
LOST_SIGHT = ("link-lost", "device-restarted", "lost-frames")
#: Seconds: no round is dealt in less.
ROUND_TAKES = 3.0


def waits(table: Table, drawn: Drawn) -> bool:
    """The table waits for a clean boundary, and this card is none."""
    if table.waiting is None or table.round.phase not in (*OPEN, "decided"):
        return False
    if table.boundaries == "announced":
        return table.waiting not in LOST_SIGHT and table.round.phase in OPEN
    if table.waiting in ("burn", "start") and drawn.slot is None:
        # Nobody can tell whether it ends the burn, belongs to a round that nobody saw, or begins one.
        table.irregular("early-card", drawn)
        return True
    # Before the shoe's result only a card that names its slot shows that the next round has begun.
    named = drawn.slot is not None or table.round.phase in OPEN or table.boundaries == "first_card"
    if named and table.round.may_begin(drawn):
        table.waiting = None
        table.round.fire("closed")
        return False
    if table.waiting in LOST_SIGHT:
        if drawn.slot is not None and drawn.mode is None:
            # The shoe deals to a hand again, so a decided round is over, and another one has begun unseen.
            table.round.fire("closed")
        table.irregular(table.waiting, drawn)
    return True


def unheard(table: Table, code: str) -> None:
    """Cards may have gone by: inside a round it is held, outside the table waits for a clean boundary."""
    if not table.round.dealing:
        table.waiting = code
    elif table.hold:
        table.hold.unheard = True
    else:
        table.irregular(code)


def may_have_missed(table: Table, code: str) -> None:
    """A whole round may have gone by between two that were seen, and nothing that follows would show it.
    Where the dealer announces each round, that shows it.
    """
    if table.boundaries != "announced" and table.shoe.phase not in ("empty", "ended"):
        detail = f"{CODES[code].says}; a whole round may be missing"
        table.irregular(code, level="warn", detail=detail)


def device_standby(table: Table, event: DeviceStandby) -> None:
    if role(event) == "shoe":
        table.stood_by = table.stands_by = True


def check_standby(table: Table, drawn: Drawn) -> None:
    """A card of a game. A shoe that stands by between its games, and was not heard to before this one, was
    not heard for a while, whatever its numbers say: they repeat.
    """
    begins = (drawn.slot, drawn.index) == ("player", 1) and table.round.phase in OPEN
    if begins and table.waiting is None and table.boundaries == "device":
        if table.stands_by and not table.stood_by:
            may_have_missed(table, "lost-frames")
        table.stands_by = table.stood_by
    table.stood_by = False


def link_lost(table: Table, event: LinkLost) -> None:
    if role(event) == "shoe":
        unheard(table, "link-lost")
        table.is_lost, table.lost_at = True, event.at


def link_restored(table: Table, event: LinkRestored) -> None:
    if role(event) != "shoe" or not table.is_lost:
        return
    table.is_lost = False
    # What was answered meanwhile says nothing about what came after the answer.
    unheard(table, "link-lost")
    if table.round.dealing or event.at is None or table.lost_at is None:
        return
    if event.at - table.lost_at >= ROUND_TAKES:
        may_have_missed(table, "link-lost")


def sequence_gap(table: Table, event: SequenceGap) -> None:
    if role(event) == "shoe":
        unheard(table, "lost-frames")
        if not table.round.dealing:
            may_have_missed(table, "lost-frames")


def service_started(table: Table, _: ServiceStarted) -> None:
    if table.fresh:
        # The first bytes may come from the middle of a round.
        table.waiting = "start"
    elif table.waiting == "link-lost":
        # Nobody knows for how long nobody listened.
        may_have_missed(table, "link-lost")
