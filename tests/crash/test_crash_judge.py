"""What the judge of the crash campaign makes of a record, against what a shoe really dealt."""

import copy
from pathlib import Path

import msgspec
import pytest

from controller.ports import Received, Restored
from controller.runtime.clock import Clock
from controller.runtime.configured import inputs_of
from controller.runtime.core import Core
from drivers.testing.crashes.judge import Broken, Result, compared, undisturbed
from drivers.testing.crashes.lives import RECORDED, configuration, dealer
from drivers.testing.crashes.marks import Item

SEED, ROUNDS = 3, 6
LOST: Item = {"type": "link_lost"}
RAISED: Item = {"type": "irregularity_raised"}


@pytest.fixture(scope="module")
def said() -> list[Item]:
    """All that is said of the first rounds of a shoe, as a record has it."""
    shoe, core, items = dealer(SEED, rounds=ROUNDS), Core(), list[Item]()
    core.begin(inputs_of(configuration(Path("/"), "pty:/nowhere"), Clock(RECORDED)))
    shoe.advance(0.0)
    core.hear("shoe", Restored(at=0.0))
    while (due := shoe.next_at()) is not None:
        for data in shoe.advance(due):
            heard = core.hear("shoe", Received(at=due, data=data)).items
            items += [msgspec.json.decode(msgspec.json.encode(item)) for _, item in heard]
    return items


def places(said: list[Item], kind: str) -> list[int]:
    return [at for at, item in enumerate(said) if item["type"] == kind]


def judged(before: list[Item], since: list[Item]) -> Result:
    return compared(before, since, undisturbed(SEED))


def test_wherever_it_is_cut_a_whole_record_is_as_undisturbed(said: list[Item]) -> None:
    assert {judged(said[:cut], said[cut:]) for cut in range(0, len(said), 7)} == {"identical"}


def test_a_lost_link_behind_which_nothing_is_missing_is_as_undisturbed(said: list[Item]) -> None:
    cut = places(said, "round_decided")[2]
    assert judged(said[:cut], [LOST, *said[cut:]]) == "identical"


def test_what_was_raised_before_the_crash_does_not_count_and_what_behind_it_does(said: list[Item]) -> None:
    cut = places(said, "card_drawn")[20]
    assert judged([RAISED, *said[:cut]], said[cut:]) == "identical"
    assert judged(said[:cut], [RAISED, *said[cut:]]) == "held"


def test_a_round_that_is_missing_must_be_said_to_be(said: list[Item]) -> None:
    first, second = places(said, "round_opened")[2:4]
    assert judged(said[:first], [LOST, *said[second:]]) == "held"
    with pytest.raises(Broken, match="were not dealt so"):
        judged(said[:first], said[second:])


def test_no_lost_link_excuses_a_round_or_a_card_that_comes_twice(said: list[Item]) -> None:
    first, second = places(said, "round_opened")[2:4]
    with pytest.raises(Broken, match="were not dealt so"):
        judged(said[:second], [LOST, *said[first:]])


@pytest.mark.parametrize("kind", ["card_drawn", "round_decided"])
def test_nothing_excuses_a_card_or_a_result_that_is_another(said: list[Item], kind: str) -> None:
    changed = copy.deepcopy(said)
    item = changed[places(said, kind)[-1]]
    for name, other in (("card", "??"), ("winner", "nobody")):
        if name in item:
            item[name] = other
    with pytest.raises(Broken, match="were not dealt so"):
        judged(changed[:50], [LOST, RAISED, *changed[50:]])
