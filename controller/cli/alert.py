"""The command `alert`."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.io import note
from controller.ports import InputError


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("alert")(alert)


def alert(
    text: Annotated[str, typer.Argument(help="What to say, in a sentence.")],
    config: Annotated[Path, typer.Option("-c", "--config", help="The table's configuration, table.toml.")],
) -> None:
    """Say something to every alert target, also while the service is down: to try them, for one."""
    from controller.config import load_configuration
    from controller.outputs.alerts.word import tell

    if not text.isprintable() or not 1 <= len(text) <= 500:
        raise InputError("the text: give a sentence of at most 500 characters in one line")
    told = asyncio.run(tell(load_configuration(config), text))
    if not told:
        note(f"{config}: no [[alert]] section, nobody was told")
    for target, fault in told.items():
        note(f"{target}: {fault or 'told'}")
    if any(told.values()):
        raise typer.Exit(1)
