"""The machines' tables: every name exists, every pair that can occur has a row, nothing is left to chance."""

import inspect
import random
from collections.abc import Sequence

import pytest
from transitions import EventData, Transition

from controller.bench.machines import shoes
from controller.facts import Fact
from controller.play import round as round_machine
from controller.play import shoe as shoe_machine
from controller.play.diagram import MACHINES, README, drawn
from controller.play.house import House
from controller.play.irregularities import CODES
from controller.play.machine import FlatMachine, Model, Row, build
from controller.play.round import DUE, OPEN, Round
from controller.play.shoe import Shoe
from controller.play.table import Table
from controller.rules.ruleset import load_ruleset

MODELS: dict[str, type[Model]] = {"round": Round, "shoe": Shoe}
#: triggers that are fired in some states only -> those; every other one has a row in each state
ONLY_IN = {
    ("round", "opened"): OPEN,
    ("round", "bets_ended"): ("betting",),
    ("round", "placed"): DUE,
    ("round", "withdrawn"): ("betting", "player_1"),
    ("shoe", "loaded"): ("empty", "ended"),
    # a card, a round or a cut card that comes from nowhere is `met` first
    ("shoe", "burned"): shoe_machine.STATES[1:],
    ("shoe", "opened"): shoe_machine.STATES[1:],
    ("shoe", "cut"): shoe_machine.STATES[1:],
}
ROWS = [
    pytest.param(name, row, id=f"{name}-{i}") for name, m in MACHINES.items() for i, row in enumerate(m[0])
]


class Plain(Model):
    """A model that raises nothing."""

    def irregular(self, code: str, event: EventData) -> None:
        raise AssertionError(code)


def table(name: str) -> Sequence[Row]:
    return MACHINES[name][0]


def takes_an_event(name: str, kind: str, arguments: int) -> bool:
    method = inspect.getattr_static(MODELS[kind], name, None)
    return callable(method) and len(inspect.signature(method).parameters) == arguments


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_every_state_guard_action_and_code_exists(kind: str, row: Row) -> None:
    states = MACHINES[kind][1]
    assert set(row.at) <= set(states)
    assert row.at
    assert row.to is None or row.to in states
    for guard in row.when:
        name, _, value = guard.removeprefix("not ").partition("=")
        assert takes_an_event(name, kind, 3 if value else 2), guard
    for action in row.do:
        if action.startswith("raise "):
            assert action.removeprefix("raise ") in CODES
        else:
            assert takes_an_event(action, kind, 2), action


@pytest.mark.parametrize("kind", MACHINES)
def test_the_last_row_of_a_trigger_in_a_state_has_no_condition_and_the_others_have(kind: str) -> None:
    pairs: dict[tuple[str, str], list[Row]] = {}
    for row in table(kind):
        for state in row.at:
            pairs.setdefault((row.trigger, state), []).append(row)
    for pair, rows in pairs.items():
        assert rows[-1].when == (), pair
        assert all(row.when for row in rows[:-1]), pair


@pytest.mark.parametrize("kind", MACHINES)
def test_every_pair_of_trigger_and_state_that_can_occur_has_a_row(kind: str) -> None:
    rows = {(row.trigger, state) for row in table(kind) for state in row.at}
    for trigger in {row.trigger for row in table(kind)}:
        for state in ONLY_IN.get((kind, trigger), MACHINES[kind][1]):
            assert (trigger, state) in rows, (trigger, state)


@pytest.mark.parametrize("kind", MACHINES)
def test_every_state_can_be_reached(kind: str) -> None:
    _, states, initial = MACHINES[kind]
    reached, new = {initial}, {initial}
    while new:
        new = {str(row.to) for row in table(kind) if row.to and new & set(row.at)} - reached
        reached |= new
    assert reached == set(states)


@pytest.mark.parametrize("kind", MACHINES)
def test_no_guard_or_action_is_unused(kind: str) -> None:
    used = {
        name.removeprefix("not ").partition("=")[0] for row in table(kind) for name in (*row.when, *row.do)
    }
    for name, method in vars(MODELS[kind]).items():
        takes = inspect.signature(method).parameters.values() if inspect.isfunction(method) else ()
        if name != "irregular" and any(p.annotation is EventData for p in takes):
            assert name in used, name


@pytest.mark.parametrize("kind", MACHINES)
def test_there_is_no_way_around_the_table(kind: str) -> None:
    class Bare(Plain):
        def __getattr__(self, name: str) -> object:
            if name.startswith(("to_", "is_", "may_to")):
                raise AttributeError(name)
            return lambda *_: True

    bare = Bare()
    build(bare, MACHINES[kind][1], MACHINES[kind][2], table(kind))
    for state in MACHINES[kind][1]:
        assert not hasattr(bare, f"to_{state}")


def test_a_trigger_without_a_row_that_holds_is_a_bug() -> None:
    class Stuck(Plain):
        def never(self, _: EventData) -> bool:
            return False

    stuck = Stuck()
    build(stuck, ("a", "b"), "a", (Row("go", ("a",), "b", ("never",)),))
    with pytest.raises(AssertionError, match="no row of go holds in a"):
        stuck.fire("go")


def test_a_follow_up_is_fired_after_the_transition_and_never_nested() -> None:
    class Chain(Plain):
        def __init__(self) -> None:
            super().__init__()
            self.path: list[str] = []

        def note(self, event: EventData) -> None:
            self.path.append(event.state.name)

    chain = Chain()
    rows = (Row("go", ("a",), "b", (), ("note", "again")), Row("go", ("b",), "c", (), ("note",)))
    build(chain, ("a", "b", "c"), "a", rows)
    chain.fire("go")
    assert (chain.phase, chain.path) == ("c", ["b", "c"])


def test_a_row_moves_a_machine_as_the_packages_own_transition_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def concluded() -> list[Fact]:
        told = []
        for seed in range(12):
            draw, table = random.Random(seed), Table(House(ruleset, boundaries="device"))
            begin = draw.randrange(len(dealt) - 40)
            # Some reports are others than they should be, so that much is out of place.
            for event in dealt[begin : begin + 40]:
                told += table.apply(draw.choice(dealt) if draw.random() < 0.05 else event)
        return told

    ruleset, dealt = load_ruleset("nj-mini-baccarat"), shoes(1)
    ours = concluded()
    monkeypatch.setattr(FlatMachine, "transition_cls", Transition)
    assert ours == concluded()
    tags = {fact.__struct_config__.tag for fact in ours}
    assert {"irregularity_raised", "round_decided", "round_opened", "card_dealt"} <= tags


def test_the_diagrams_in_the_readme_are_those_of_the_tables() -> None:
    text = README.read_text("utf-8")
    assert drawn(text) == text, "stale: run python -m controller.play.diagram"
    assert round_machine.TABLE[0].trigger in text
