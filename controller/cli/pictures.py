"""Commands that draw: the roads of a shoe."""

from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.io import read_bytes, write_json, write_text
from controller.ports import InputError

if TYPE_CHECKING:
    from controller.roads import Roads


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command()(roads)


def roads(
    file: Annotated[str, typer.Argument(help="Rounds as tokens: `B Pb Tn BB`; - is stdin.")] = "-",
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    right: Annotated[bool, typer.Option("--right", help="A turned streak never goes down again.")] = False,
) -> None:
    """Draw the roads of a shoe: bead plate, big road, derived roads, ask roads, counters."""
    from controller.roads import draw, parse

    text = read_bytes(file).decode("utf-8", "replace")
    try:
        rounds = parse(text)
    except InputError as error:
        raise InputError(f"{'standard input' if file == '-' else file}: {error}") from None
    drawn = draw(rounds, "right" if right else "redrop")
    if json:
        write_json(drawn)
    else:
        write_text(picture(drawn))


_LETTERS = {"banker": "B", "player": "P", "tie": "T"}
_MARKS = {"red": "o", "blue": "x"}


def picture(roads: "Roads") -> str:
    """The roads for a terminal: B, P, T are outcomes (figure: ties), o is red, x is blue."""
    beads = [(c.row, c.col, _LETTERS[c.outcome]) for c in roads.bead_plate]
    big = [(c.row, c.col, _LETTERS[c.outcome] + (str(c.ties) if c.ties else "")) for c in roads.big_road]
    parts = [_grid("Bead plate", beads), _grid("Big road (figure: ties)", big)]
    for title, cells in (
        ("Big eye boy", roads.big_eye),
        ("Small road", roads.small),
        ("Cockroach pig", roads.cockroach),
    ):
        parts.append(_grid(f"{title} (o red, x blue)", [(c.row, c.col, _MARKS[c.mark]) for c in cells]))
    for side in ("banker", "player"):
        answer = getattr(roads.ask, side)
        marks = ((road, getattr(answer, road)) for road in ("big_eye", "small", "cockroach"))
        said = ", ".join(f"{road.replace('_', ' ')} {mark or '-'}" for road, mark in marks)
        parts.append(f"Next {side}: {said}")
    count = roads.statistics
    parts.append(
        f"Rounds {count.rounds}: banker {count.banker}, player {count.player}, tie {count.tie}; "
        f"banker pair {count.banker_pair}, player pair {count.player_pair}, natural {count.natural}"
    )
    return "\n".join(parts)


def _grid(title: str, cells: list[tuple[int, int, str]]) -> str:
    if not cells:
        return f"{title}: empty"
    at = {(row, col): text for row, col, text in cells}
    rows, cols = 1 + max(row for row, _ in at), 1 + max(col for _, col in at)
    width = max(map(len, at.values()))
    lines = (" ".join(at.get((row, col), ".").ljust(width) for col in range(cols)) for row in range(rows))
    return "\n  ".join([f"{title}:", *(line.rstrip() for line in lines)])
