"""The proof of the table: legal rounds raise nothing, and every kind of departure raises its code at once."""

from collections.abc import Sequence

from controller.bench.measure import Figure
from controller.play.proof import departures, legal_rounds
from controller.rules.ruleset import load_ruleset

LEGAL = 100_000
TRIALS = 10_000
RULESET = "nj-mini-baccarat"


def measure(effort: float) -> Sequence[Figure]:
    """100,000 legal rounds, and 10,000 departures each at a random place of a shoe of its own."""
    ruleset = load_ruleset(RULESET)
    legal = legal_rounds(int(LEGAL * effort) or 1, 1, ruleset)
    tried = departures(int(TRIALS * effort) or 1, 1, ruleset)
    raised = sum(legal.irregularities.values())
    return [
        Figure(
            name="legal rounds in which anything was raised or decided otherwise",
            value=raised + len(legal.wrong),
            unit="",
            goal=0,
            note=f"{legal.rounds:,} rounds of {legal.shoes:,} shoes",
        ),
        Figure(
            name="departures not raised with their code at the first observation that proves them",
            value=len(tried.missed),
            unit="",
            goal=0,
            note=f"{sum(tried.tried.values()):,} departures of {len(tried.tried)} kinds"
            + "".join(f"; {missed}" for missed in tried.missed[:3]),
        ),
    ]
