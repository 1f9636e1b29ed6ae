"""The campaigns notice what they are there to notice."""

import random
from collections import Counter

import pytest
from felt import RULES

from controller.cards import pack
from controller.observations import CardDrawn, CutCardDrawn
from controller.play import proof
from controller.play.departures import KINDS, Departure
from controller.play.irregularities import CODES
from controller.play.legal import LegalShoe, legal_shoe
from controller.play.proof import SETTINGS, Setting, departures, legal_rounds
from controller.play.table import Table

#: Codes about the whole pack, which have tests of their own.
OF_THE_PACK = {"unshuffled-pack", "composition-mismatch", "shuffler-count-mismatch", "unverified-pack"}


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_legal_shoe_deals_every_card_once_and_ends_behind_its_cut_card(setting: Setting) -> None:
    shoe = legal_shoe(random.Random(1), RULES, 6, setting.boundaries, slots=setting.slots)
    drawn = [event.card for event in shoe.events if isinstance(event, CardDrawn)]
    assert Counter([*drawn, *shoe.rest]) == Counter(pack(6))
    assert sum(isinstance(event, CutCardDrawn) for event in shoe.events) == 1
    assert 2 <= len(shoe.rest) <= 14


def test_a_legal_shoe_may_be_stopped_after_some_rounds() -> None:
    assert len(legal_shoe(random.Random(1), RULES, rounds=3).rounds) == 3


def test_a_shoe_without_a_cut_card_is_dealt_to_its_end() -> None:
    assert len(legal_shoe(random.Random(1), RULES, cut=False).rest) < 6


def test_every_kind_finds_a_place_in_some_shoe() -> None:
    found = set()
    for seed in range(4):
        for setting in SETTINGS[seed % 2 :]:
            shoe = legal_shoe(random.Random(seed), RULES, 6, setting.boundaries, slots=setting.slots)
            found |= {name for name, kind in KINDS.items() if kind(random.Random(seed), shoe)}
    assert found == set(KINDS)


def test_the_kinds_cover_every_code_that_a_table_raises_by_itself() -> None:
    raised = set()
    for setting in SETTINGS:
        shoe = legal_shoe(random.Random(2), RULES, 6, setting.boundaries, slots=setting.slots)
        for kind in KINDS.values():
            for seed in range(3):
                departure = kind(random.Random(seed), shoe)
                raised |= {departure.code} if departure else set()
    assert raised | OF_THE_PACK >= set(CODES)


def test_a_departure_that_raises_nothing_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: random.Random, shoe: LegalShoe) -> Departure:
        return Departure(shoe.events, 5, "overdraw")

    monkeypatch.setattr(proof, "KINDS", {"nothing": nothing})
    figures = departures(2, 1, RULES)
    assert figures.tried == {"nothing": 2}
    assert "event 5 raised [], not ['overdraw']" in figures.missed[0]


def test_a_false_alarm_and_a_wrong_result_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "_watch", lambda table: table.irregular("jam", level="warn"))
    figures = legal_rounds(1, 1, RULES)
    assert figures.irregularities["jam"] > 100
    monkeypatch.undo()
    monkeypatch.setattr("controller.play.coup.judge", lambda player, banker: _swapped(banker, player))
    assert legal_rounds(1, 1, RULES).wrong


def _swapped(player: list[str], banker: list[str]) -> object:
    from controller.rules.outcome import judge

    return judge(player, banker)
