"""Commands about people: `user add`, `pin`, `remove`, `list`."""

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.io import note, write_json, write_text
from controller.ports import InputError

if TYPE_CHECKING:
    from controller.people import People

Config = Annotated[Path, typer.Option("-c", "--config", help="The configuration: table.toml or pit.toml.")]
Name = Annotated[str, typer.Argument(help="The person's name, as it will stand in the record.")]


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    users = typer.Typer(help="The people who may log in at this table.", no_args_is_help=True)
    users.command("add")(add)
    users.command("pin")(pin)
    users.command("remove")(remove)
    users.command("list")(list_)
    app.add_typer(users, name="user")


def add(
    name: Name, role: Annotated[str, typer.Option(help="dealer, supervisor or engineer.")], config: Config
) -> None:
    """Add a person; the PIN is asked for, or read from a pipe."""
    people = _people(config)
    people.add(name, role, _ask_pin())
    note(f"{name} added as {role}")


def pin(name: Name, config: Config) -> None:
    """Change a person's PIN."""
    people = _people(config)
    people.set_pin(name, _ask_pin())
    note(f"{name} has a new PIN")


def remove(name: Name, config: Config) -> None:
    """Remove a person. What they did stays in the record."""
    _people(config).remove(name)
    note(f"{name} removed")


def list_(
    config: Config, as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False
) -> None:
    """Everybody who may log in."""
    people = [{"name": p.name, "role": p.role} for p in _people(config).everybody()]
    if as_json:
        write_json(people)
    else:
        write_text("\n".join(f"{p['name']:<20} {p['role']}" for p in people) or "nobody yet")


def _people(config: Path) -> "People":
    from controller.config import load_configuration
    from controller.outputs.pit.settings import is_pit, load_pit
    from controller.people import People

    return People((load_pit(config) if is_pit(config) else load_configuration(config)).state)


def _ask_pin() -> str:
    """Typed twice on a terminal, or one line from a pipe: never an argument, which others could read."""
    if sys.stdin is None:
        raise InputError("standard input is closed; type the PIN, or send it through a pipe")
    if not sys.stdin.isatty():
        return sys.stdin.buffer.readline().decode("utf-8", "replace").strip()
    first = getpass.getpass("PIN: ")
    if getpass.getpass("again: ") != first:
        raise InputError("the two PINs differ; nothing was changed")
    return first
