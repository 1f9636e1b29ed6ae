"""The core started again behind every single record, in virtual time: what waited for it, what it missed."""

from functools import cache

import pytest
from virtual import Life, dealt

from controller.play.hearing import ROUND_TAKES
from controller.ports import Received, Restored, Resumed
from drivers.testing.crashes.marks import cards, first_misplaced, rounds

#: A burn and three rounds; every report is three signals.
SIGNALS = dealt(seed=9, rounds=3)
#: Killed behind each, when ten reports were heard: only then is it known that 0 follows this shoe's 9.
KILLS = range(33, len(SIGNALS))
#: Seconds in which nobody listens: at most as many as `resume_within`, and more.
SHORT, LONG = (0.2, 2.0, 4.9), (15.0,)


@cache
def undisturbed():
    life = Life()
    life.hear(*SIGNALS)
    return life


def restarted(at, away, waited):
    """Killed when signal `at` was durable and back `away` seconds later. What was sent meanwhile waited to be
    read, or was missed.
    """
    back = SIGNALS[at].at + away
    before, later = SIGNALS[: at + 1], SIGNALS[at + 1 :]
    unheard = b"".join(signal.data for signal in later if signal.at <= back)
    life = Life()
    life.hear(*before)
    life = Life(life.entries)
    life.hear(Resumed(at=back), Restored(at=back))
    if waited and unheard:
        life.hear(Received(at=back, data=unheard))
    life.hear(*(signal for signal in later if signal.at > back))
    return life


@pytest.mark.parametrize("away", SHORT)
def test_what_waited_to_be_read_is_taken_up_as_if_nothing_had_happened(away):
    """But for a warning where a report came so late that a round might have been dealt meanwhile."""
    for at in range(len(SIGNALS)):
        facts = restarted(at, away, waited=True).said("fact")
        warnings = [fact for fact in facts if fact["type"] == "irregularity_raised"]
        assert all((fact["code"], fact["severity"]) == ("lost-frames", "warn") for fact in warnings), at
        assert not warnings or away > ROUND_TAKES
        assert [fact for fact in facts if fact not in warnings] == undisturbed().said("fact"), at


@pytest.mark.parametrize("waited", [True, False], ids=["waited", "missed"])
@pytest.mark.parametrize("away", SHORT + LONG)
def test_without_a_mark_no_card_and_no_round_is_lost_or_doubled(away, waited):
    happened = undisturbed().said("observation", "fact")
    for at in KILLS:
        recorded = restarted(at, away, waited).said("observation", "fact")
        assert first_misplaced(cards(recorded), list(cards(happened))) is None, at
        assert first_misplaced(rounds(recorded), list(rounds(happened))) is None, at
