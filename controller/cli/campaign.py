"""Commands that prove: `campaign`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from controller.campaigns import Campaign, CodecCampaign, CodecReport, CrashCampaign, CrashReport, Report

EVERY = 100  # shoes or cases between two words on how far it is
MOST_SILENT = 20  # lines about what is wrong


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    group = typer.Typer(help="Many seeded trials; exit 1 when one went wrong.", no_args_is_help=True)
    group.command("devices")(devices)
    group.command("crashes")(crashes)
    group.command("days")(days)
    group.command("codecs")(codecs)
    app.add_typer(group, name="campaign")


def devices(
    shoes: Annotated[int, typer.Option(min=0, help="Shoes in virtual time.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Of the first shoe; the next has the next.")] = 0,
    ptys: Annotated[int, typer.Option(min=0, help="Further shoes, over real terminals.")] = 36,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Deal seeded shoes over bad lines and compare with the truth; exit 1 when one was silently wrong."""
    from controller.campaigns import find_campaign
    from controller.cli.io import note, write_json, write_text
    from controller.ports import ConfigurationError

    run: Campaign = find_campaign("devices")
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


def crashes(
    cases: Annotated[int, typer.Option(min=1, help="So many cases.")] = 5000,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other cases.")] = 0,
    case: Annotated[int | None, typer.Option(min=0, help="This case alone.")] = None,
    recording: Annotated[
        Path | None, typer.Option(help="With --case: the recorded run it was kept with.")
    ] = None,
    keep: Annotated[Path | None, typer.Option(help="Folder for what is wrong.  [default: a new one]")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Kill the service, cut its power, fill, fail and tear its disk, move its clock; exit 1 when anything
    that was told is lost, doubled or changed.
    """
    import tempfile

    from controller.campaigns import find_campaign
    from controller.cli.io import note, write_json, write_text
    from controller.ports import ConfigurationError

    run: CrashCampaign = find_campaign("crashes")
    if recording is not None and case is None:
        raise ConfigurationError(f"--recording {recording}: say with --case which of its cases")
    if recording is not None and not (recording / "seed").is_file():
        raise ConfigurationError(f"--recording {recording}: no recorded run; name a folder that was kept")

    def told(done: int) -> None:
        if done % EVERY == 0:
            note(f"{done} of {cases} cases")

    place = keep or Path(tempfile.mkdtemp(prefix="crashes-"))
    report = run(cases=cases, seed=seed, case=case, recording=recording, keep=place, told=told)
    if keep is None and not report.violations:
        place.rmdir()
    if json:
        write_json(report)
    else:
        write_text(crash_words(report))
    raise typer.Exit(1 if report.violations else 0)


def codecs(
    inputs: Annotated[int, typer.Option(min=1, help="So many inputs.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the first input; the next has the next.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Feed every codec bytes that nobody should send; exit 1 when one raises, or does not keep its bounds."""
    from controller.campaigns import find_campaign
    from controller.cli.io import note, write_json, write_text

    run: CodecCampaign = find_campaign("codecs")

    def told(done: int) -> None:
        if done % (EVERY * EVERY) == 0:
            note(f"{done:,} of {inputs:,} inputs")

    report = run(inputs=inputs, seed=seed, told=told)
    if json:
        write_json(report)
    else:
        write_text(codec_words(report))
    raise typer.Exit(1 if report.faults else 0)


def codec_words(report: "CodecReport") -> str:
    """The figures for a person."""
    return "\n".join(
        (
            f"{report.inputs:,} inputs, {report.bytes:,} bytes",
            *(f"  {name:<44}{count:>8,}" for name, count in report.targets.items()),
            *(f"  {name:<44}{count:>8,}" for name, count in report.kinds.items()),
            f"held of an input without an end, at most: {report.held:,} bytes",
            f"a byte of a long input took at most: {report.microseconds} microseconds",
            f"faults: {len(report.faults)}",
            *(f"  {line}" for line in report.faults[:MOST_SILENT]),
        )
    )


def days(
    days: Annotated[float, typer.Option(min=0.001, help="So many days of play.")] = 10.0,
    speed: Annotated[float, typer.Option(min=1, max=3000, help="So many times a table's speed.")] = 400.0,
    seed: Annotated[int, typer.Option(min=0, help="Of the shoe and of its line.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Play days on end over a bad line; exit 1 when memory, descriptors or the journal grow, or the watchdog
    is not fed.
    """
    from controller.campaigns import find_campaign
    from controller.cli.io import note, write_json, write_text

    over = 0

    def told(done: float) -> None:
        nonlocal over
        if int(done) > over:
            over = int(done)
            note(f"{over} of {days:g} days")

    report = find_campaign("days")(days=days, speed=speed, seed=seed, told=told)
    if json:
        write_json(report)
    else:
        write_text("\n".join(report.lines()))
    raise typer.Exit(1 if report.wrong else 0)


def crash_words(report: "CrashReport") -> str:
    """The figures for a person."""
    wrong = [
        line
        for one in report.violations[:MOST_SILENT]
        for line in (f"  case {one.case}, {one.kind}: {one.what}", f"    kept in {one.left}; {one.again}")
    ]
    return "\n".join(
        (
            f"{sum(report.cases.values()):,} cases",
            *(f"  {kind:<24}{count:>8,}" for kind, count in report.cases.items()),
            f"facts identical to an undisturbed run: {report.identical:,}",
            f"held, or told what may be missing: {report.held:,}",
            f"damage named, journal kept aside, play went on in a new one: {report.refused:,}",
            f"violations: {len(report.violations)}",
            *wrong,
        )
    )


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
