"""Which orders may answer each irregularity at all, for the check of a remedy pack."""

from controller.play.irregularities import CODES
from controller.rules.remedies import CODES as KNOWN
from controller.rules.remedies import WITHOUT_A_HOLD

_UNHELD = frozenset(("acknowledge", *WITHOUT_A_HOLD))


def answers() -> dict[str, frozenset[str]]:
    """Code -> orders. One that does not hold the round is acknowledged, or round or shoe are given up."""
    return {code: _answers(code) for code in KNOWN}


def _answers(code: str) -> frozenset[str]:
    if code not in CODES:
        return _UNHELD
    known = CODES[code]
    orders = frozenset(known.orders)
    return orders if known.gravity == "stop" else orders | _UNHELD
