"""Whatever happens in whatever order: who is told what of an irregularity."""

from collections import defaultdict
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from controller.facts import IrregularityRaised, IrregularityResolved
from controller.outputs.alerts.cases import Cases, Note
from controller.outputs.alerts.settings import AlertSection

CODES = {"overdraw": "stop", "shuffler-fault": "block", "button-misuse": "warn"}
LEVELS = ("stop", "block", "warn")

DELAYS = st.dictionaries(st.sampled_from(LEVELS), st.sampled_from([0, 30, 300]))
REPEATS = st.dictionaries(st.sampled_from(LEVELS), st.sampled_from([60, 600]))
TARGETS = st.lists(
    st.builds(dict, tell=DELAYS, repeat=REPEATS, quiet=st.sampled_from([10, 120]), answers=st.booleans()),
    min_size=1,
    max_size=3,
)
#: A code raised, an open irregularity answered, or seconds that pass.
STEPS = st.lists(
    st.one_of(
        st.sampled_from(sorted(CODES)),
        st.integers(0, 9).map(lambda place: ("answer", place)),
        st.sampled_from([1.0, 29.0, 31.0, 250.0, 4000.0]),
    ),
    max_size=40,
)


def targets(sections: list[dict[str, Any]]) -> list[AlertSection]:
    return [
        AlertSection.model_validate({"kind": "webhook", "name": f"t{at}"} | section)
        for at, section in enumerate(sections)
    ]


class World:
    """Cases, a clock, and everything that was told: (time, note, irregularities of its case by then)."""

    def __init__(self, sections: list[AlertSection]) -> None:
        self.cases = Cases(sections)
        self.now = 0.0
        self.seq = 0
        self.open: dict[int, tuple[str, float]] = {}
        self.told: list[tuple[float, Note, list[int]]] = []

    def keep(self, notes: list[Note]) -> None:
        self.told += [(self.now, note, list(note.case.ids)) for note in notes]

    def raise_(self, code: str) -> None:
        self.seq += 1
        self.open[self.seq] = code, self.now
        fact = IrregularityRaised(
            id=self.seq, code=code, round=None, severity=CODES[code], detail="", citation=None, remedies=[]
        )  # type: ignore[arg-type]
        self.keep(self.cases.see("pit", self.seq, fact, self.now))
        self.keep(self.cases.due(self.now))

    def answer(self, place: int) -> None:
        if self.open:
            number = sorted(self.open)[place % len(self.open)]
            del self.open[number]
            fact = IrregularityResolved(id=number, remedy="accept", by="smith", reason="")
            self.keep(self.cases.see("pit", self.seq, fact, self.now))

    def wait(self, seconds: float) -> None:
        """Time passes as the service lets it: it wakes whenever something is due."""
        end = self.now + seconds
        while (at := self.cases.next()) is not None and at <= end:
            assert at >= self.now
            self.now = at
            notes = self.cases.due(at)
            assert notes, "woken for nothing"
            self.keep(notes)
        assert self.cases.due(end) == [], "told later than promised"
        self.now = end

    def play(self, steps: list[Any]) -> None:
        for step in steps:
            if isinstance(step, str):
                self.raise_(step)
            elif isinstance(step, tuple):
                self.answer(step[1])
            else:
                self.wait(step)


@given(TARGETS, STEPS)
def test_every_case_is_told_from_its_first_word_to_its_last(
    sections: list[dict[str, Any]], steps: list[Any]
) -> None:
    world = World(targets(sections))
    world.play(steps)
    stories: dict[tuple[str, int], list[tuple[float, Note]]] = defaultdict(list)
    for at, note, _ in world.told:
        stories[note.target, note.case.opened].append((at, note))
    chosen = {section.target: section for section in targets(sections)}
    for (name, _), story in stories.items():
        target = chosen[name]
        level = story[0][1].case.level
        kinds = [note.kind for _, note in story]
        assert level in target.tell
        assert kinds[0] in ("raised", "escalated")
        assert set(kinds[1:-1]) <= {"repeated"}
        assert kinds[-1] in ("raised", "escalated", "repeated", "resolved")
        if not target.answers:
            assert "resolved" not in kinds
        assert story[0][0] == story[0][1].case.since + target.tell[level]
        for (before, _), (after, note) in pairwise(story):
            if note.kind == "repeated":
                assert after - before >= min(target.quiet, target.repeat.get(level, target.quiet))


@given(TARGETS, STEPS)
def test_no_irregularity_that_waits_long_enough_goes_untold(
    sections: list[dict[str, Any]], steps: list[Any]
) -> None:
    world = World(targets(sections))
    world.play(steps)
    world.wait(1000.0)  # longer than any delay and quiet time
    for target in targets(sections):
        named = {number for _, note, ids in world.told if note.target == target.target for number in ids}
        for number, (code, _) in world.open.items():
            assert (number in named) == (CODES[code] in target.tell)


@given(TARGETS, STEPS)
def test_nothing_is_due_when_everything_is_answered(sections: list[dict[str, Any]], steps: list[Any]) -> None:
    world = World(targets(sections))
    world.play(steps)
    while world.open:
        world.answer(0)
    assert world.cases.open == []
    assert world.cases.next() is None
    assert world.cases.due(world.now + 1e6) == []
