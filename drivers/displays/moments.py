"""What a small display says at each moment of a round, from what the board audience may see."""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Literal

from controller.views.view import TableState

Moment = Literal["closed", "new_shoe", "betting", "dealing", "player", "banker", "tie", "void", "wait"]

#: {player}, {banker}: the totals; {round}: its number. Each with a width, as {player:>2}.
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
NUMBERS = ("player", "banker", "round")
_WIDTH = re.compile("[<>^]?0?[0-9]?d?")


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
    return _filled(texts[moment(state)], state.player.total, state.banker.total, state.round.number)


def samples(text: str) -> list[str]:
    """What a text may become: with each digit, and with nothing known."""
    return sorted({_filled(text, number, number, number) for number in (*range(10), None)})


def fault_in(name: str, text: str) -> str | None:
    """What is wrong with the text of a moment, as the rest of a sentence; None: nothing."""
    if name not in TEXTS:
        return f"{name!r} is none of {', '.join(TEXTS)}"
    if not _is_fillable(text):
        known = ", ".join(f"{{{name}}}" for name in NUMBERS)
        return f"{text!r} has something in braces other than {known}"
    if not text.isascii() or not text.isprintable():
        return f"{text!r} has a character that such a display cannot show; write plain ASCII"
    return None


def _is_fillable(text: str) -> bool:
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return False
    return all(
        name is None or (name in NUMBERS and not conversion and _WIDTH.fullmatch(width or ""))
        for _, name, width, conversion in parts
    )


class _Unknown:
    """A number that is not known stands as a dash, however wide."""

    def __format__(self, width: str) -> str:
        return "-"


def _filled(text: str, player: int | None, banker: int | None, number: int | None) -> str:
    told = {"player": player, "banker": banker, "round": number}
    return text.format(**{name: _Unknown() if value is None else value for name, value in told.items()})
