"""Commands that measure: `bench`."""

from typing import Annotated

import typer

from controller.cli.io import flush, note, write_json, write_text
from controller.ports import InputError


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("bench")(bench)


def bench(
    parts: Annotated[
        list[str] | None,
        typer.Argument(help="latency, alerts, machines, upkeep, rounds, departures; none: all."),
    ] = None,
    effort: Annotated[float, typer.Option(help="How much work to do; 1 is the usual.")] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Latency, throughput and memory on this machine, beside their goals. Exit 1 when one is not met."""
    from controller.bench import PARTS, figures
    from controller.runtime import log

    wanted = tuple(parts or PARTS)
    if unknown := [part for part in wanted if part not in PARTS]:
        raise InputError(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if not 0 < effort <= 100:
        raise InputError(f"--effort {effort}: give a number above 0, up to 100")
    log.set_up(level="error")
    found = []
    for figure in figures(wanted, effort):
        found.append(figure)
        if not as_json:
            mark = "ok " if figure.met else "MISSED"
            write_text(f"{mark:<7}{figure.name}: {figure.value:.3g} {figure.unit} (goal {figure.goal:g})")
            if figure.note:
                write_text(f"       {figure.note}")
            flush()
    missed = [figure.name for figure in found if not figure.met]
    if as_json:
        write_json({"figures": found, "missed": missed})
    if missed:
        note(f"{len(missed)} of {len(found)} goals missed")
        raise typer.Exit(1)
