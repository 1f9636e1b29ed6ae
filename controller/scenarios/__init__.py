"""Scenarios: what happens at a table and what must follow, in a dealer's words. `*.deal`, plain text.

    # Player has five and draws; Banker six stays on a four.
    ruleset nj-mini-baccarat
    bets opened
    bets closed
    card 2C ; card 9D ; card 3H ; card 7S   -> due player
    card 4S                                 -> due nobody
    expect round_decided winner=player
    confirm

One line an act, several joined by `;`. `#` begins a comment. What must follow stands behind `->`, or on a
line of its own behind `expect`, and is about the acts since the line before; `,` joins several. Acts are one
second apart; `pause 5` waits five more. config/scenarios/README.md lists all acts and what can be expected.
"""

from controller.scenarios.acts import Act
from controller.scenarios.scenario import Line, Scenario, find_scenario, parse_scenario, shipped_scenarios

__all__ = ["Act", "Line", "Scenario", "find_scenario", "parse_scenario", "shipped_scenarios"]
