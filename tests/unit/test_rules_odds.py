"""The enumeration against published and computed integers."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from controller.rules.drawing import NEW_JERSEY, DrawTable
from controller.rules.odds import Odds, enumerate_rounds, event_counts
from controller.rules.pay_tables import pay_tables
from controller.rules.wagers import house_edge

DATA = Path(__file__).parents[1] / "data/rules"
PACKS = json.loads((DATA / "exact_counts.json").read_text())["packs"]
MUTANTS = json.loads((DATA / "banker_cell_mutants.json").read_text())
CONDITIONAL = json.loads((DATA / "conditional.json").read_text())["rows"]
EDGES = json.loads((DATA / "house_edges.json").read_text())

counted = cache(enumerate_rounds)


def triple(odds: Odds) -> dict[str, int]:
    return {winner: event_counts(odds)[winner] for winner in ("banker", "player", "tie")}


@pytest.mark.parametrize("pack", PACKS, ids=[f"{pack['decks']} decks" for pack in PACKS])
def test_exact_counts(pack: dict[str, Any]) -> None:
    odds = counted(pack["decks"])
    expected = dict(pack)
    assert odds.decks == expected.pop("decks")
    assert odds.total == expected.pop("total")
    for hand in ("player", "banker"):
        classes = odds.classes(f"{hand}_bonus")  # type: ignore[arg-type]
        names = {"natural": "natural_win"} | {f"by_{n}": f"win_{n}" for n in range(4, 10)}
        assert {names.get(name, name): n for name, n in classes.items()} == expected.pop(f"{hand}_bonus")
    ties = [odds.count(lambda r, n=n: r.winner == "tie" and r.player_total == n) for n in range(10)]  # type: ignore[misc]
    assert ties == expected.pop("tie_by_count")
    assert event_counts(odds) == expected


def test_the_vectors_cover_the_usual_packs() -> None:
    assert {1, 4, 6, 8} <= {pack["decks"] for pack in PACKS}


@pytest.mark.parametrize("decks", range(1, 13))
def test_every_sequence_is_counted_once(decks: int) -> None:
    odds = counted(decks)
    assert sum(odds.cells.values()) == odds.total
    assert all(n >= 0 for n in odds.cells.values())


@pytest.mark.parametrize("cell", MUTANTS["cells"], ids=lambda c: f"banker {c['banker']}, {c['third']}")
def test_one_wrong_cell_shows(cell: dict[str, Any]) -> None:
    column = 0 if cell["third"] is None else cell["third"] + 1
    rows = [list(row) for row in NEW_JERSEY.banker]
    assert rows[cell["banker"]][column] == cell["rule"]
    rows[cell["banker"]][column] = "S" if cell["rule"] == "D" else "D"
    mutant = DrawTable(NEW_JERSEY.player, tuple("".join(row) for row in rows))
    assert triple(enumerate_rounds(MUTANTS["decks"], mutant)) == cell["flipped"] != MUTANTS["true"]


def test_all_88_cells_have_a_mutant() -> None:
    cells = {(cell["banker"], cell["third"]) for cell in MUTANTS["cells"]}
    assert cells == {(row, third) for row in range(8) for third in (None, *range(10))}
    assert triple(counted(8)) == MUTANTS["true"]


def test_trap_11_one_cell_moves_the_edge_less_than_a_simulation_sees() -> None:
    rows = list(NEW_JERSEY.banker)
    rows[4] = "DSDDDDDDDSS"
    table = pay_tables()["banker"]
    edges = [
        house_edge("banker", table, table.vigorish, odds.classes("banker"))
        for odds in (counted(8), enumerate_rounds(8, DrawTable(NEW_JERSEY.player, tuple(rows))))
    ]
    assert 0 < abs(edges[0] - edges[1]) < 0.00001


def test_conditional_counts() -> None:
    found: dict[tuple[int, int | None, int | None], dict[str, int]] = {}
    for decks in (6, 8):
        for (start, end), n in counted(decks).cells.items():
            diff = end.player - end.banker
            winner = "player" if diff > 0 else "banker" if diff < 0 else "tie"
            for given in ((start.player, start.banker), (start.player, None), (None, start.banker)):
                row = found.setdefault((decks, *given), {"player": 0, "banker": 0, "tie": 0})
                row[winner] += n
    assert {row["decks"] for row in CONDITIONAL} == {6, 8}
    for row in CONDITIONAL:
        given = (row["decks"], row["given"].get("player"), row["given"].get("banker"))
        expected = {winner: row[winner] for winner in ("player", "banker", "tie")}
        assert found[given] == expected, row
        assert sum(expected.values()) == row["total"]


@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize("name", EDGES)
def test_house_edge(name: str, decks: int) -> None:
    table = pay_tables()[name]
    edge = house_edge(table.wager, table, table.vigorish, counted(decks).classes(table.wager))
    assert f"{edge.numerator}/{edge.denominator}" == EDGES[name][str(decks)]["exact"]
    assert table.figures.source == EDGES[name]["pay_status"]


def test_every_named_pay_table_is_checked() -> None:
    assert list(pay_tables()) == list(EDGES)
