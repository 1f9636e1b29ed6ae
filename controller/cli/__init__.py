"""`tablectl`: one file a group of commands; each command imports what it needs when it runs."""

import sys
from contextlib import nullcontext
from typing import Annotated, cast

import typer

from controller.cli import (
    alert,
    campaign,
    copies,
    doctor,
    journal,
    law,
    people,
    pictures,
    pit,
    play,
    proof,
    records,
    service,
    sim,
    status,
    wire,
)
from controller.cli.io import flush, help_asked, note, write_text
from controller.ports import BrokenError, ControllerError

app = typer.Typer(name="tablectl", help="The table controller of a baccarat table.", add_completion=False)
for group in (
    service,
    status,
    pit,
    play,
    wire,
    sim,
    law,
    pictures,
    journal,
    copies,
    people,
    records,
    proof,
    doctor,
    alert,
    campaign,
):
    group.register(app)


def _tell_version(asked: bool) -> None:
    if asked:
        from controller.runtime.identity import software_version

        write_text(software_version())
        raise typer.Exit


@app.callback()
def _of_all(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_tell_version,
            is_eager=True,
            help="The version, and a hash over the installed files.",
        ),
    ] = False,
) -> None:
    """Options without a command."""


#: What typer raises for bad usage; of its kinds only one has a public name.
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])


def main() -> None:
    """Entry point. Exit codes: 0 done, 1 found wrong, 2 bad input or usage, 3 done with irregularities."""
    try:
        sys.exit(_run())
    except ControllerError as error:
        note(f"tablectl: {error}")
        sys.exit(1 if isinstance(error, BrokenError) else 2)
    except _UsageError as error:
        command = error.ctx.command_path if error.ctx else "tablectl"
        what = " ".join(error.format_message().split()).rstrip(".") or "missing command"
        note(f"{command}: {what[0].lower()}{what[1:]}; see {command} --help")
        sys.exit(2)
    except typer.Abort:
        sys.exit(130)


def _run() -> int | None:
    try:
        with help_asked() if "--help" in sys.argv[1:] else nullcontext():
            code: int | None = app(standalone_mode=False)
        return code
    finally:
        flush()
