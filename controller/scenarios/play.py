"""Plays a scenario at a table, and tells what did not come as it says."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from controller.facts import Fact, IrregularityRaised
from controller.play.answers import answers
from controller.play.house import House
from controller.play.table import Table
from controller.rules.remedies import load_pack
from controller.rules.ruleset import load_ruleset
from controller.scenarios.expectations import After, Expectation, foreseen
from controller.scenarios.scenario import DEFAULT_RULESET, Line, Scenario


class Played(Struct, frozen=True, kw_only=True):
    """A line that was played. `unmet`: what is expected there and is not so, each for a person; `unforeseen`:
    irregularities that its acts raised and nothing expects.
    """

    line: Line
    said: list[Fact]
    unmet: list[str]
    unforeseen: list[str]


def house_of(scenario: Scenario, ruleset: str = DEFAULT_RULESET) -> House:
    """What the scenario is played by; `ruleset`: where it names none. Raises ConfigurationError."""
    rules = load_ruleset(scenario.ruleset or ruleset)
    pack = load_pack(scenario.remedies or rules.remedies, answers())
    return House(
        rules,
        scenario.decks,
        scenario.boundaries,
        scenario.dealing,
        shuffler=scenario.shuffling != "by-hand",
        continuous=scenario.shuffling == "continuous",
        pack=pack,
    )


def play(scenario: Scenario, table: Table) -> Iterator[Played]:
    """Line by line, at a table of its own."""
    for line, expects in _with_what_is_expected(scenario.lines):
        said = [fact for act in line.acts for fact in table.apply(act.event)]
        after = After(said=said, due=table.round.due, held=table.hold is not None)
        raised = [fact.code for fact in said if isinstance(fact, IrregularityRaised)]
        yield Played(
            line=line,
            said=said,
            unmet=[found for at, one in expects if (found := _unmet(scenario, at, one, after))],
            unforeseen=[code for code in raised if not foreseen(code, [one for _, one in expects])],
        )


def _with_what_is_expected(lines: Sequence[Line]) -> Iterator[tuple[Line, list[tuple[int, Expectation]]]]:
    """Each line with acts, and the expectations about them with the number of their line."""
    pending: tuple[Line, list[tuple[int, Expectation]]] | None = None
    for line in lines:
        if line.acts:
            if pending:
                yield pending
            pending = line, []
        assert pending is not None  # an expectation has acts before it
        pending[1].extend((line.number, one) for one in line.expects)
    if pending:
        yield pending


def _unmet(scenario: Scenario, number: int, expected: Expectation, after: After) -> str | None:
    found = expected.unmet(after)
    return found and f"{scenario.origin}, line {number}: expected {expected.text}, and {found}"
