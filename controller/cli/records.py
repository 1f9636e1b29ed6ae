"""Commands that read records for people: `shuffles`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.ports import InputError

if TYPE_CHECKING:
    from controller.disclosure import Item
    from controller.shuffles import Findings


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("shuffles")(shuffles)


def shuffles(
    journals: Annotated[
        list[Path],
        typer.Argument(
            metavar="JOURNAL...", help="Journals of one shuffler's tables, or their state folders."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Whether the shoes dealt were shuffled, at the 95 percent level. Exit 1: not, or too few to say."""
    from controller.cli.io import write_json, write_text
    from controller.shuffles import dealt_shoes, examine

    found = []
    for journal in journals:
        found += dealt_shoes(_items(journal), str(journal))
    findings = examine(found)
    if as_json:
        write_json(findings)
    else:
        write_text(_words(findings))
    raise typer.Exit(0 if findings.met else 1)


def _items(journal: Path) -> "Iterator[Item]":
    """What a journal says. Raises JournalError, InputError."""
    import msgspec

    from controller.journal.reader import locate, records
    from controller.runtime.core import items

    path = locate(journal)
    seq = 0
    try:
        for seq, item in items(records(path)):  # noqa: B007 - told if the next one fails
            yield item
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: behind record {seq}: {error}; ask `tablectl audit {path}`") from None


def _words(findings: "Findings") -> str:
    lines = [f"{findings.shoes} shoes, {findings.cards} cards read."]
    lines += [f"Left out: shoe {one.shoe} of {one.journal}: {one.reason}." for one in findings.excluded]
    for test in findings.tests:
        lines += [
            "",
            f"{test.name}: {test.asks}",
            f"  chi-squared {test.statistic:.1f} with {test.freedom} degrees of freedom, p = {test.p:.3g}; "
            f"as one of {len(findings.tests)} tests {test.adjusted:.3g}: "
            f"{'FAILS' if test.adjusted < 1 - findings.level else 'passes'}",
        ]
        if test.unseen is not None:
            lines.append(f"  {test.unseen:.0%} more {test.unseen_of} would be missed half of the time")
    if findings.alarms:
        lines.append("")
    lines += [
        f"NOT SHUFFLED: shoe {one.shoe} of {one.journal}, after {one.cards} cards: {one.reason}"
        for one in findings.alarms
    ]
    return "\n".join([*lines, "", _verdict(findings)])


def _verdict(findings: "Findings") -> str:
    level = f"{findings.level:.0%} level"
    if findings.met:
        return f"At the {level} these shoes are as shuffled ones are."
    if findings.met is None:
        return f"Too few shoes to say: {findings.shoes}, and {findings.needed} are needed."
    few = f" Only {findings.shoes} shoes, {findings.needed} are needed to be sure of the figures."
    failed = f"At the {level} these shoes are not as shuffled ones are."
    return failed + few if findings.shoes < findings.needed else failed
