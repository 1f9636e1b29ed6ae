"""Commands that read records for people: `report`, `shuffles`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.ports import InputError

if TYPE_CHECKING:
    from controller.report.incident import Incident
    from controller.report.select import Report
    from controller.shuffles.verdict import Findings


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("report")(report)
    app.command("shuffles")(shuffles)


# -- report -----------------------------------------------------------------------------------------------


def report(
    journal: Annotated[Path, typer.Argument(help="A journal.db, or the state folder it lies in.")],
    irregularity: Annotated[int | None, typer.Option(min=1, help="The number of one irregularity.")] = None,
    shoe: Annotated[int | None, typer.Option(min=1, help="Those of one shoe.")] = None,
    begin: Annotated[
        str | None, typer.Option("--from", help="Those from this time on: 2026-03-14T20:00.")
    ] = None,
    end: Annotated[str | None, typer.Option("--to", help="Those before this time.")] = None,
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a page to print; - is stdout.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """What was irregular: what was seen, what the rule says, who decided what and why, with the evidence."""
    from controller.cli.io import note, write_json, write_text
    from controller.journal.reader import locate, records
    from controller.report.select import Selection, build, moment

    selection = Selection(
        irregularity=irregularity,
        shoe=shoe,
        begin=moment(begin, "--from") if begin else None,
        end=moment(end, "--to") if end else None,
    )
    found = build(records(locate(journal)), selection)
    if html is not None:
        from controller.report.page import render

        _write_page(html, render(found))
        if html != "-":
            note(f"{html}: {len(found.incidents)} irregularities")
    if as_json:
        write_json(found)
    elif html is None:
        write_text(_told(found))


def _write_page(name: str, page: str) -> None:
    """Raises InputError."""
    from controller.cli.io import write_text

    if name == "-":
        write_text(page)
        return
    try:
        Path(name).write_text(page, "utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"--html {name}: {reason}; name a file that you may write") from None


def _told(found: "Report") -> str:
    from controller.report.words import title

    where = f"{found.name} ({found.table})" if found.name else found.table
    lines = [f"{where}, {found.about}: {found.rounds} rounds, {found.cards} cards."]
    lines.append(f"Recorded by software {', '.join(found.software) or 'that is not known'}.")
    for one in found.incidents:
        place = f"shoe {one.shoe}, {f'round {one.round}' if one.round is not None else 'between rounds'}"
        taken = one.decision
        lines += [
            "",
            f"{one.id}. {title(one.code)} ({one.severity}), {place}, {one.raised.wall}",
            f"   seen:     {one.detail}",
            f"   proposed: {_proposed(one)}",
        ]
        if taken is None:
            lines.append("   still open")
        else:
            second = f", confirmed by {taken.confirmed_by}" if taken.confirmed_by else ""
            why = f": {taken.reason}" if taken.reason else ", without a reason"
            lines.append(
                f"   decided:  {title(taken.order)}, by {taken.by}{second}{why} ({one.seconds:.1f} s)"
            )
        if one.round is not None:
            lines.append(f"   round:    {one.result}")
    return "\n".join(lines if found.incidents else [*lines, "No irregularity."])


def _proposed(one: "Incident") -> str:
    proposed = [remedy for remedy in one.remedies if remedy.proposed]
    orders = [f"{r.order}{f' if {chr(32).join(r.given)}' if r.given else ''}" for r in proposed]
    return " or ".join(orders) or "no rule, the supervisor decides"


# -- shuffles ---------------------------------------------------------------------------------------------


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
    from controller.journal.reader import locate, records
    from controller.runtime.replaying import items
    from controller.shuffles.verdict import dealt_shoes, examine

    found = []
    for journal in journals:
        found += dealt_shoes((item for _, item in items(records(locate(journal)))), str(journal))
    findings = examine(found)
    if as_json:
        write_json(findings)
    else:
        write_text(_words(findings))
    raise typer.Exit(0 if findings.met else 1)


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
