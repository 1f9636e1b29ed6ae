"""Packs: what a shuffler reports of them, and which may enter play."""

from typing import Any

import msgspec
import pytest

from controller.facts import IrregularityRaised
from controller.orders import Event
from controller.play.house import House
from controller.play.table import Table
from controller.rules.ruleset import load_ruleset

RULES = load_ruleset("nj-mini-baccarat")
WHOLE = {"count": 416, "missing": [], "extra": []}


def raised(*events: dict[str, Any], **house: Any) -> list[tuple[str, str, str]]:
    table = Table(House(RULES, **house))
    told = [f for event in events for f in table.apply(msgspec.convert(event, Event))]
    return [(f.code, f.severity, f.detail) for f in told if isinstance(f, IrregularityRaised)]


def finished(pack: str | None = "p1", **fields: Any) -> dict[str, Any]:
    return {"type": "shuffle_finished", "pack": pack, "device": "shuffler", **WHOLE, **fields}


def loaded(pack: str | None = "p1") -> dict[str, Any]:
    return {"type": "shoe_loaded", "decks": 8, "pack": pack}


def started(pack: str | None = "p1") -> dict[str, Any]:
    return {"type": "shuffle_started", "pack": pack, "device": "shuffler"}


def test_a_recognised_whole_pack_may_enter_play() -> None:
    assert raised(started(), finished(), loaded(), shuffler=True) == []


def test_a_pack_shuffled_by_hand_needs_no_shuffler() -> None:
    assert raised(loaded(None)) == []


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([loaded()], "pack p1 enters play: no finished shuffle of it is known"),
        ([finished("p2"), loaded("p1")], "no finished shuffle"),
        ([finished(), started(), loaded()], "no finished shuffle"),
        ([finished(missing=None, extra=None), loaded()], "counted, not recognised"),
        ([finished(), loaded(), loaded()], "no finished shuffle"),
    ],
)
def test_an_unverified_pack_blocks_the_next_round(events: list[dict[str, Any]], why: str) -> None:
    found = raised(*events, shuffler=True)
    assert [(code, level) for code, level, _ in found] == [("unverified-pack", "block")]
    assert why in found[0][2]


def test_a_shuffler_that_names_no_packs_is_judged_by_its_last_shuffle() -> None:
    assert raised(finished(None), loaded(None), shuffler=True) == []
    assert [code for code, *_ in raised(loaded(None), shuffler=True)] == ["unverified-pack"]


@pytest.mark.parametrize("count", [0, 415, 417])
def test_a_wrong_count_is_told_when_the_shuffle_ends_and_again_when_it_is_dealt(count: int) -> None:
    codes = [code for code, *_ in raised(finished(count=count, missing=None, extra=None), loaded())]
    assert codes == ["shuffler-count-mismatch", "unverified-pack"]


def test_missing_and_extra_cards_are_named() -> None:
    (first, second) = raised(finished(missing=["AS"], extra=["KD", "KD"]), loaded())
    assert first == ("composition-mismatch", "block", "pack p1: missing AS; extra KD KD")
    assert second[0] == "unverified-pack"


def test_a_stray_card_does_not_make_up_for_a_missing_one() -> None:
    assert raised(finished(count=416, missing=["AS"], extra=["KD"]))[0][0] == "composition-mismatch"


def test_a_continuous_shuffler_switches_every_count_off() -> None:
    card = {"type": "card_drawn", "card": "AS"}
    events = [loaded(None), {"type": "bets_opened"}, *[{"type": "bets_closed"}]]
    table = Table(House(RULES, shuffler=True, continuous=True))
    for event in events:
        table.apply(msgspec.convert(event, Event))
    for _ in range(9):
        table.shoe.see("AS")
    told = table.apply(msgspec.convert(card, Event))
    assert not [f for f in told if isinstance(f, IrregularityRaised) and f.code == "impossible-card"]
