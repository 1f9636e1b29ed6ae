"""The roads of a shoe: bead plate, big road, the three derived roads, ask roads and counters.

Pure functions of the ordered list of finished rounds: nothing is stored and nothing is patched, so a
correction or a void is drawn by computing again. Rows and columns count from 0; every road is 6 rows high.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct, structs

from controller.cards import Hand, Outcome
from controller.ports import InputError

Mark = Literal["red", "blue"]
#: What a streak does after it was turned by a collision: go down again where it can, or stay in its row.
Tail = Literal["redrop", "right"]
Place = tuple[int, int]

HEIGHT = 6


class Round(Struct, frozen=True, kw_only=True):
    """One finished round. `natural`: either hand's."""

    outcome: Outcome
    banker_pair: bool = False
    player_pair: bool = False
    natural: bool = False


class Bead(Struct, frozen=True):
    row: int
    col: int
    outcome: Outcome
    banker_pair: bool
    player_pair: bool
    natural: bool


class BigCell(Struct, frozen=True):
    """`ties`: those that followed it; the first cell has also those that came before it."""

    row: int
    col: int
    outcome: Hand
    ties: int
    banker_pair: bool
    player_pair: bool


class MarkCell(Struct, frozen=True):
    row: int
    col: int
    mark: Mark


class Answer(Struct, frozen=True):
    """The mark that each derived road would get; null: none."""

    big_eye: Mark | None
    small: Mark | None
    cockroach: Mark | None


class Ask(Struct, frozen=True):
    banker: Answer
    player: Answer


class Counters(Struct, frozen=True):
    rounds: int
    banker: int
    player: int
    tie: int
    banker_pair: int
    player_pair: int
    natural: int


class Roads(Struct, frozen=True, kw_only=True):
    """Every road is in play order. `pending_ties`: ties before the first banker or player."""

    bead_plate: list[Bead]
    big_road: list[BigCell]
    big_eye: list[MarkCell]
    small: list[MarkCell]
    cockroach: list[MarkCell]
    ask: Ask
    pending_ties: int
    statistics: Counters


_OUTCOMES: dict[str, Outcome] = {"B": "banker", "P": "player", "T": "tie"}
_FLAGS = {"b": "banker_pair", "p": "player_pair", "n": "natural"}
_BLANKS = " \t\r\n"


def parse(text: str) -> list[Round]:
    """Rounds written as tokens: `B`, `P` or `T`, directly followed by any of the flags `b`, `p`, `n`, each
    once; tokens touch or are separated by blanks, tabs, line ends. Raises InputError with the position.
    """
    rounds: list[Round] = []
    flags: str | None = None  # those of the token being read; None between tokens
    for position, char in enumerate(text, 1):
        if char in _OUTCOMES:
            rounds.append(Round(outcome=_OUTCOMES[char]))
            flags = ""
        elif char in _BLANKS:
            flags = None
        elif char in _FLAGS and flags is not None and char not in flags:
            rounds[-1] = structs.replace(rounds[-1], **{_FLAGS[char]: True})
            flags += char
        else:
            why = "unknown character"
            if char in _FLAGS:
                why = "a flag not directly after an outcome" if flags is None else "the same flag twice"
            raise InputError(
                f"position {position}: {char!r}: {why}; "
                "write B, P or T, each directly followed by its flags b, p, n"
            )
    return rounds


def draw(rounds: Sequence[Round], tail: Tail = "redrop") -> Roads:
    """All roads of one shoe."""
    played = [r for r in rounds if r.outcome != "tie"]
    depths = [len(list(streak)) for _, streak in groupby(r.outcome for r in played)]
    marks = {k: list(_marks(depths, k)) for k in (1, 2, 3)}
    ties, pending = _ties(rounds)
    return Roads(
        bead_plate=[
            Bead(i % HEIGHT, i // HEIGHT, r.outcome, r.banker_pair, r.player_pair, r.natural)
            for i, r in enumerate(rounds)
        ],
        big_road=[
            BigCell(row, col, _side(r.outcome), count, r.banker_pair, r.player_pair)
            for r, count, (row, col) in zip(played, ties, _places(depths, tail), strict=True)
        ],
        big_eye=_derived(marks[1], tail),
        small=_derived(marks[2], tail),
        cockroach=_derived(marks[3], tail),
        ask=_ask(depths, played[-1].outcome if played else None),
        pending_ties=pending,
        statistics=_count(rounds),
    )


def _side(outcome: Outcome) -> Hand:
    return "banker" if outcome == "banker" else "player"


def _ties(rounds: Sequence[Round]) -> tuple[list[int], int]:
    """Ties of each big-road cell, and those that still wait for the first one."""
    counts: list[int] = []
    waiting = 0
    for r in rounds:
        if r.outcome != "tie":
            counts.append(waiting)
            waiting = 0
        elif counts:
            counts[-1] += 1
        else:
            waiting += 1
    return counts, waiting


def _places(depths: Sequence[int], tail: Tail) -> Iterator[Place]:
    """Cells of successive streaks: down while there is room, else right; no cell is used twice."""
    taken: set[Place] = set()
    start = -1
    for depth in depths:
        start += 1
        while (0, start) in taken:
            start += 1
        row, col, turned = 0, start, False
        for step in range(depth):
            if step:
                below = (row + 1, col)
                if row + 1 < HEIGHT and below not in taken and not (turned and tail == "right"):
                    row += 1
                else:
                    # Free whatever came before: earlier tails never cross a later streak's path.
                    col, turned = col + 1, True
            taken.add((row, col))
            yield row, col


def _mark(depths: Sequence[int], col: int, depth: int, k: int) -> Mark | None:
    """The mark of the cell at logical column `col`, `depth` from 1, on the road that looks back `k`."""
    if depth == 1:
        if col - 1 - k < 0:
            return None
        return "red" if depths[col - 1] == depths[col - 1 - k] else "blue"
    if col - k < 0:
        return None
    return "blue" if depth == depths[col - k] + 1 else "red"


def _marks(depths: Sequence[int], k: int) -> Iterator[Mark]:
    for col, length in enumerate(depths):
        for depth in range(1, length + 1):
            mark = _mark(depths, col, depth, k)
            if mark is not None:
                yield mark


def _derived(marks: Sequence[Mark], tail: Tail) -> list[MarkCell]:
    depths = [len(list(run)) for _, run in groupby(marks)]
    return [MarkCell(row, col, mark) for mark, (row, col) in zip(marks, _places(depths, tail), strict=True)]


def _ask(depths: Sequence[int], last: Outcome | None) -> Ask:
    def answer(side: Hand) -> Answer:
        if last is None:
            return Answer(None, None, None)
        at = (len(depths) - 1, depths[-1] + 1) if side == last else (len(depths), 1)
        return Answer(*(_mark(depths, *at, k) for k in (1, 2, 3)))

    return Ask(banker=answer("banker"), player=answer("player"))


def _count(rounds: Sequence[Round]) -> Counters:
    def number(test: Callable[[Round], bool]) -> int:
        return sum(map(test, rounds))

    return Counters(
        rounds=len(rounds),
        banker=number(lambda r: r.outcome == "banker"),
        player=number(lambda r: r.outcome == "player"),
        tie=number(lambda r: r.outcome == "tie"),
        banker_pair=number(lambda r: r.banker_pair),
        player_pair=number(lambda r: r.player_pair),
        natural=number(lambda r: r.natural),
    )
