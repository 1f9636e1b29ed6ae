"""Sixty shoes whose roads were computed twice by unrelated methods: every cell, in play order."""

import json
from pathlib import Path

import pytest

from controller.roads import Answer, draw, parse

SHOES = sorted((Path(__file__).parents[1] / "data" / "roads").glob("*.json"))
WORD = {"B": "banker", "P": "player", "T": "tie"}


def test_all_shoes_are_here() -> None:
    assert len(SHOES) == 60


@pytest.mark.parametrize("path", SHOES, ids=lambda p: p.stem)
def test_shoe_is_drawn_as_expected(path: Path) -> None:
    shoe = json.loads(path.read_text())
    rounds = parse(shoe["input"])
    roads = draw(rounds)
    assert [[c.row, c.col, c.outcome] for c in roads.bead_plate] == [
        [row, col, WORD[letter]] for row, col, letter in shoe["bead_plate"]
    ]
    assert [[c.row, c.col, c.outcome, c.ties] for c in roads.big_road] == [
        [row, col, WORD[letter], ties] for row, col, letter, ties in shoe["big_road"]
    ]
    for road in ("big_eye", "small", "cockroach"):
        assert [[c.row, c.col, c.mark] for c in getattr(roads, road)] == shoe[road], road
    assert roads.ask.banker == Answer(*shoe["ask_final"]["banker"])
    assert roads.ask.player == Answer(*shoe["ask_final"]["player"])
    assert [[c.row, c.col] for c in draw(rounds, "right").big_road] == shoe["big_road_right_only"]
