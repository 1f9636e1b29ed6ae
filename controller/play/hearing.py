"""What may have gone by unheard: lost links, gaps, restarts, and the clean boundary that a table waits for.

Inside a round it is held. Between rounds the table waits for a card that can be a round's first; where nobody
announces rounds, a whole one may be missing, and that is a warning.
"""

from __future__ import annotations

from controller.observations import (
    CardCarried,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceResult,
    DeviceStandby,
    DeviceStarted,
    FrameRejected,
    LinkLost,
    LinkRestored,
    Observation,
    SequenceGap,
    ServiceStarted,
    role,
)
from controller.play.irregularities import CODES, Drawn
from controller.play.round import OPEN
from controller.play.state import TableState

#: Why a table waits that lost sight of its shoe between rounds: a card that cannot be a round's first then
#: shows that the shoe is inside a round which nobody saw begin.
LOST_SIGHT = ("link-lost", "device-restarted", "lost-frames")
#: Seconds: no round is dealt in less.
ROUND_TAKES = 3.0
#: What a shoe reports of itself.
REPORTS = (
    CardDrawn,
    CardCarried,
    CutCardDrawn,
    DeviceResult,
    DeviceFault,
    DeviceStandby,
    DeviceStarted,
    SequenceGap,
)
#: Bytes: a card's characters that come twice more are no other card.
ECHO = 6


def listen(table: TableState, event: Observation) -> None:
    """Before anything is made of a report: whether others may have gone by before it."""
    if role(event) != "shoe" or not isinstance(event, REPORTS):
        return
    ear = table.ear
    noise, ear.noise = ear.noise, None
    noisy = noise is not None and noise[1] - noise[0] >= ROUND_TAKES
    if isinstance(event, SequenceGap):
        return  # it says so itself
    if ear.slow(event) or noisy:
        unheard(table, "lost-frames")
        if not table.in_deal:
            may_have_missed(table, "lost-frames")


def frame_rejected(table: TableState, event: FrameRejected) -> None:
    """Bytes that were no report. A spoilt copy does no harm; of a shoe without numbers it may be a card."""
    if role(event) != "shoe":
        return
    if event.at is not None:
        first, _ = table.ear.noise or (event.at, event.at)
        table.ear.noise = (first, event.at)
    if not table.sequenced and (event.reason != "garbage" or len(event.raw) > 2 * ECHO):
        unheard(table, "lost-frames")


def waits(table: TableState, drawn: Drawn) -> bool:
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


def unheard(table: TableState, code: str) -> None:
    """Cards may have gone by: inside a round it is held, outside the table waits for a clean boundary."""
    if not table.in_deal:
        table.waiting = code
    elif table.hold:
        table.hold.unheard = True
    else:
        table.irregular(code)


def may_have_missed(table: TableState, code: str) -> None:
    """A whole round may have gone by between two that were seen, and nothing that follows would show it.
    Where the dealer announces each round, that shows it.
    """
    if table.boundaries != "announced" and table.shoe.phase not in ("empty", "ended"):
        detail = f"{CODES[code].says}; a whole round may be missing"
        table.irregular(code, level="warn", detail=detail)


def device_standby(table: TableState, event: DeviceStandby) -> None:
    if role(event) == "shoe":
        table.ear.stood_by = table.ear.stands_by = True


def check_standby(table: TableState, drawn: Drawn) -> None:
    """A card of a game. A shoe that stands by between its games, and was not heard to before this one, was
    not heard for a while, whatever its numbers say: they repeat.
    """
    begins = (drawn.slot, drawn.index) == ("player", 1) and table.round.phase in OPEN
    if begins and table.waiting is None and table.boundaries == "device":
        if table.ear.stands_by and not table.ear.stood_by:
            may_have_missed(table, "lost-frames")
        table.ear.stands_by = table.ear.stood_by
    table.ear.stood_by = False


def link_lost(table: TableState, event: LinkLost) -> None:
    if role(event) == "shoe":
        unheard(table, "link-lost")
        table.ear.is_lost, table.ear.lost = True, event.at


def link_restored(table: TableState, event: LinkRestored) -> None:
    ear = table.ear
    if role(event) != "shoe" or not ear.is_lost:
        return
    ear.is_lost = False
    # What was answered meanwhile says nothing about what came after the answer.
    unheard(table, "link-lost")
    if table.in_deal or event.at is None or ear.lost is None:
        return
    if event.at - ear.lost >= ROUND_TAKES:
        may_have_missed(table, "link-lost")


def sequence_gap(table: TableState, event: SequenceGap) -> None:
    if role(event) == "shoe":
        unheard(table, "lost-frames")
        if not table.in_deal:
            may_have_missed(table, "lost-frames")


def service_started(table: TableState, _: ServiceStarted) -> None:
    table.ear.said = None
    if table.fresh:
        # The first bytes may come from the middle of a round.
        table.waiting = "start"
    elif table.waiting == "link-lost":
        # Nobody knows for how long nobody listened.
        may_have_missed(table, "link-lost")
