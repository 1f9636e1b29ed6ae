"""`replay` of a scenario: facts as JSON lines, and on standard error what did not come as it says."""

import typer

from controller.cli.io import note, write_json
from controller.facts import IrregularityRaised


def replay_scenario(file: str, ruleset: str) -> None:
    """Exit 1: an expectation does not hold; else 3: an irregularity was raised. Raises InputError."""
    from controller.play.table import Table
    from controller.scenarios import find_scenario
    from controller.scenarios.play import house_of, play

    scenario = find_scenario(file)
    unmet = raised = 0
    for played in play(scenario, Table(house_of(scenario, ruleset))):
        for fact in played.said:
            raised += isinstance(fact, IrregularityRaised)
            write_json(fact)
        for found in played.unmet:
            unmet += 1
            note(found)
    if unmet or raised:
        raise typer.Exit(1 if unmet else 3)
