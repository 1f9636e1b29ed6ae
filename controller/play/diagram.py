"""The diagrams of the machines, drawn from their tables: `python -m controller.play.diagram` writes them into
the README of this folder, between its markers.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from controller.play import round as round_machine
from controller.play import shoe as shoe_machine
from controller.play.machine import Row

README = Path(__file__).with_name("README.md")
#: section of the README -> a machine's table, its states, the one it begins in
MACHINES: dict[str, tuple[Sequence[Row], Sequence[str], str]] = {
    "round": (round_machine.TABLE, round_machine.STATES, "idle"),
    "shoe": (shoe_machine.TABLE, shoe_machine.STATES, "empty"),
}


def arrows(table: Iterable[Row], states: Sequence[str], initial: str) -> str:
    """A mermaid state diagram of every move that does not lead away from all states alike."""
    labels: dict[tuple[str, str], list[str]] = {}
    for row in table:
        for source in row.at if row.to is not None and set(row.at) != set(states) else ():
            here = labels.setdefault((source, str(row.to)), [])
            here += [row.trigger] if row.trigger not in here else []
    lines = [f"    {a} --> {b} : {', '.join(names)}" for (a, b), names in labels.items()]
    return "\n".join(["```mermaid", "stateDiagram-v2", f"    [*] --> {initial}", *lines, "```"])


def everywhere(table: Iterable[Row], states: Sequence[str]) -> str:
    """The moves that are the same in every state."""
    moves: dict[str, list[str]] = {}
    for row in table:
        if row.to is not None and set(row.at) == set(states):
            moves.setdefault(row.trigger, []).append(f"`{row.to}`")
    if not moves:
        return ""
    told = [f"`{trigger}` to {', '.join(targets)}" for trigger, targets in moves.items()]
    return f"In every state: {'; '.join(told)}."


def out_of_place(table: Iterable[Row], states: Sequence[str]) -> str:
    """What raises an irregularity, row by row."""
    lines = ["| what comes | in | if | raises |", "|---|---|---|---|"]
    for row in table:
        codes = [name.removeprefix("raise ") for name in row.do if name.startswith("raise ")]
        if codes:
            where = "any" if set(row.at) == set(states) else ", ".join(row.at)
            what = ", ".join(row.when).replace("_", " ") or "nothing above holds"
            lines.append(f"| `{row.trigger}` | {where} | {what} | `{', '.join(codes)}` |")
    return "\n".join(lines)


def section(name: str) -> str:
    """What stands between the markers of a machine."""
    table, states, initial = MACHINES[name]
    parts = (arrows(table, states, initial), everywhere(table, states), out_of_place(table, states))
    return "\n\n".join(part for part in parts if part)


def drawn(text: str) -> str:
    """The README with every section drawn anew."""
    for name in MACHINES:
        marked = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", re.DOTALL)
        body = section(name)
        text = marked.sub(lambda found, body=body: f"{found[1]}\n{body}\n{found[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    README.write_text(drawn(README.read_text("utf-8")), "utf-8")
