"""`tablectl`: one file a group of commands; each command imports what it needs when it runs."""

import sys

import typer

from controller.cli import journal, law, people, pictures, play, records, service, wire
from controller.ports import ControllerError

app = typer.Typer(
    name="tablectl",
    help="The table controller of a baccarat table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for group in (service, play, wire, law, pictures, journal, people, records):
    group.register(app)


def main() -> None:
    """Entry point. Exit codes: 0 done, 1 found wrong, 2 bad input or usage, 3 done with irregularities."""
    try:
        app()
    except ControllerError as error:
        print(f"tablectl: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
