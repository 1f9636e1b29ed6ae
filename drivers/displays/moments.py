"""What a small display says at each moment of a round, from what the board audience may see."""

from collections.abc import Mapping
from typing import Any, Literal

from controller.view import TableState

Moment = Literal["closed", "new_shoe", "betting", "dealing", "player", "banker", "tie", "void", "wait"]

#: {player}, {banker}: the totals; {round}: its number.
TEXTS: Mapping[str, str] = {
    "closed": "TABLE CLOSED",
    "new_shoe": "NEW SHOE",
    "betting": "PLACE YOUR BETS",
    "dealing": "NO MORE BETS",
    "player": "PLAYER WINS {player}-{banker}",
    "banker": "BANKER WINS {banker}-{player}",
    "tie": "TIE {player}-{banker}",
    "void": "ROUND VOID",
    "wait": "PLEASE WAIT",
}
SAMPLE: Mapping[str, Any] = {"player": 9, "banker": 8, "round": 75}


def moment(state: TableState) -> Moment:
    """The moment that a table is in; a held round is nothing but a wait."""
    if state.wait:
        return "wait"
    if state.result is not None and state.round.phase in ("decided", "confirmed"):
        return state.result.winner
    match state.round.phase:
        case "betting":
            return "betting"
        case "void":
            return "void"
        case "idle":
            return "closed" if state.shoe.phase in ("none", "ended") else "new_shoe"
    return "dealing"


def caption(state: TableState, texts: Mapping[str, str]) -> str:
    """The text of the moment."""
    told = {"player": state.player.total, "banker": state.banker.total, "round": state.round.number}
    return texts[moment(state)].format(**told)


def fault_in(name: str, text: str) -> str | None:
    """What is wrong with the text of a moment, as the rest of a sentence; None: nothing."""
    if name not in TEXTS:
        return f"{name!r} is none of {', '.join(TEXTS)}"
    try:
        shown = text.format(**SAMPLE)
    except (KeyError, IndexError, ValueError, AttributeError):
        return f"{text!r} has something in braces other than {', '.join('{' + name + '}' for name in SAMPLE)}"
    if not shown.isascii() or not shown.isprintable():
        return f"{text!r} has a character that such a display cannot show; write plain ASCII"
    return None
