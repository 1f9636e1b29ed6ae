"""Commands that look at the machine: `doctor`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.io import flush, write_json, write_text
from controller.ports import ConfigurationError

if TYPE_CHECKING:
    from controller.doctor.findings import Table


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command()(doctor)


def doctor(
    config: Annotated[
        Path | None,
        typer.Option("-c", "--config", help="Look at this table's devices; else at every adapter."),
    ] = None,
    listen: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long to listen at each free port; 0: not at all.")
    ] = 2.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Ports, permissions, programs in the way, clock, disk, watchdog: each with its remedy.

    Changes nothing and writes to no device. Exit 3 when something must be mended.
    """
    from controller.doctor.checks import examine
    from controller.doctor.system import System

    if not 0 <= listen <= 3600:
        raise ConfigurationError(f"--listen {listen}: give the seconds, 0 to 3600")
    found = []
    for finding in examine(System(), _table(config), listen):
        found.append(finding)
        if not as_json:
            mark = finding.level.upper() if finding.level == "mend" else finding.level
            write_text(f"{mark:<7} {finding.check}: {finding.about}: {finding.says}")
            if finding.remedy:
                write_text(f"        {finding.remedy}")
            flush()
    mend = sum(finding.level == "mend" for finding in found)
    if as_json:
        write_json({"findings": found, "mend": mend})
    if mend:
        raise typer.Exit(3)


def _table(config: Path | None) -> "Table":
    """What the machine is to serve. Raises ConfigurationError."""
    from controller.doctor.findings import Table, Wanted

    if config is None:
        return Table()
    from controller.config import load_configuration

    table = load_configuration(config)
    devices = [Wanted(name, section.driver, section.link or "") for name, _, _, section in table.devices()]
    return Table(tuple(devices), str(table.state.absolute()), is_known=True)
