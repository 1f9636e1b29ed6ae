"""What a service that was killed has on record, against what really happened.

A driver marks the places at which a report may have gone by unheard. Between two marks nothing is missing.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from controller.cards import HANDS

Item = dict[str, Any]

MARKS = ("sequence_gap", "link_lost")
CARDS = ("card_drawn", "cut_card_drawn")
OF_A_ROUND = ("bets_closed", "card_dealt", "draw_called", "hand_assigned", "round_decided")


def cards(items: Iterable[Item]) -> Iterator[object]:
    """Every card drawn, and None for a mark. A shoe that starts amid a round begins its numbers anew: what it
    said before may have gone by unheard.
    """
    amid = False
    for item in items:
        kind = item["type"]
        if kind in MARKS or (kind == "device_started" and amid):
            yield None
        elif kind in CARDS:
            yield tuple(item.get(name) for name in ("card", "slot", "index"))
        if kind == "card_drawn":
            amid = item.get("slot") in HANDS
        elif kind in ("device_result", "device_started"):
            amid = False


def rounds(items: Iterable[Item]) -> Iterator[object]:
    """The facts of every round up to its decision, without its number, and None for a mark."""
    facts: list[Item] = []
    for item in items:
        if item["type"] in MARKS:
            yield None
        elif item["type"] == "round_opened":
            facts = []
        elif item["type"] in OF_A_ROUND:
            facts.append({name: value for name, value in item.items() if name != "round"})
        if item["type"] == "round_decided":
            yield facts


def first_misplaced(recorded: Iterable[object], happened: Sequence[object]) -> list[object] | None:
    """The first run between two marks (None) that did not happen in one piece, behind the run before it."""
    at = 0
    for run in _runs(recorded):
        places = range(at, len(happened) - len(run) + 1)
        place = next((here for here in places if happened[here : here + len(run)] == run), None)
        if place is None:
            return run
        at = place + len(run)
    return None


def _runs(recorded: Iterable[object]) -> Iterator[list[object]]:
    run: list[object] = []
    for event in recorded:
        if event is not None:
            run.append(event)
        elif run:
            yield run
            run = []
    if run:
        yield run
