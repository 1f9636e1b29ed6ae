"""Whole transcripts: observations and orders, and the rounds and irregularities that must come of them."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from felt import Felt

from controller import facts
from controller.orders import Event

DATA = Path(__file__).parent.parent / "data" / "transcripts"
CASES = [
    pytest.param(case, id=case["name"])
    for name in ("legal", "irregular")
    for case in json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))
]


def rounds(told: list[facts.Fact]) -> list[facts.RoundDecided]:
    """The decided rounds in order: without the void ones, the corrected ones with their last value."""
    last: dict[tuple[int, int], facts.RoundDecided | None] = {}
    shoe = 0
    for fact in told:
        match fact:
            case facts.ShoeStarted():
                shoe = fact.shoe
            case facts.RoundDecided():
                last[shoe, fact.round] = fact
            case facts.RoundVoided() if (shoe, fact.round) in last:
                last[shoe, fact.round] = None
    return [fact for fact in last.values() if fact is not None]


@pytest.mark.parametrize("case", CASES)
def test_transcript(case: dict[str, Any]) -> None:
    options, expected = case["options"], case["expect"]
    felt = Felt(options["boundaries"], options["decks"], options["ruleset"])
    for line in case["inputs"]:
        felt.apply(msgspec.convert(line, Event))  # type: ignore[arg-type]
    decided = rounds(felt.told)
    assert len(decided) == len(expected["rounds"])
    for fact, want in zip(decided, expected["rounds"], strict=True):
        assert {name: getattr(fact, name) for name in want} == want
    assert felt.raised == expected["irregularities"]
