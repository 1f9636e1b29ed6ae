"""Commands that prove: `campaign`."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.campaigns import Report

EVERY = 100  # shoes between two words on how far it is
MOST_SILENT = 20  # lines about silent errors


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("campaign")(campaign)


def campaign(
    name: Annotated[str, typer.Argument(help="Which campaign, as devices.")],
    shoes: Annotated[int, typer.Option(min=0, help="Shoes in virtual time.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Of the first shoe; the next has the next.")] = 0,
    ptys: Annotated[int, typer.Option(min=0, help="Further shoes, over real terminals.")] = 36,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Deal seeded shoes over bad lines and compare with the truth; exit 1 when one was silently wrong."""
    from controller.campaigns import find_campaign
    from controller.cli.io import note, write_json, write_text
    from controller.ports import ConfigurationError

    run = find_campaign(name)
    if not shoes + ptys:
        raise ConfigurationError("--shoes 0 --ptys 0: nothing to do; give at least one shoe")

    def told(done: int) -> None:
        if done % EVERY == 0:
            note(f"{done} of {shoes + ptys} shoes")

    report = run(shoes=shoes, seed=seed, ptys=ptys, told=told)
    if json:
        write_json(report)
    else:
        write_text(words(report))
    raise typer.Exit(1 if report.silent else 0)


def words(report: "Report") -> str:
    """The figures for a person."""
    raised = ", ".join(f"{code} {count:,}" for code, count in report.irregularities.items())
    silent = [f"  {line}" for line in report.silent[:MOST_SILENT]]
    return "\n".join(
        (
            f"{report.shoes:,} shoes, {report.ptys:,} of them over real terminals: {report.rounds:,} rounds",
            f"faults injected: {sum(report.faults.values()):,}",
            *(f"  {kind:<16}{count:>12,}" for kind, count in report.faults.items()),
            f"irregularities raised: {raised or 'none'}",
            f"rounds recovered clean: {report.clean:,}",
            f"rounds held and answered: {report.held:,}",
            f"rounds missed, and said so: {report.missed:,}",
            f"silent errors: {len(report.silent)}",
            *silent,
        )
    )
