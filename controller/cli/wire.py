"""Commands about the wire: `decode` a capture."""

from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.io import flush, write_json
from controller.ports import find_driver

if TYPE_CHECKING:
    from controller.observations import Observation


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("decode")(decode)


def decode(
    file: Annotated[str, typer.Argument(help="A capture; - is standard input, decoded as it comes.")],
    protocol: Annotated[str, typer.Option(help="A driver's name, as angel-eye.")],
    as_hex: Annotated[
        bool, typer.Option("--hex", help="The capture is text: two hex digits a byte.")
    ] = False,
) -> None:
    """Captured bytes in, observations out, as JSON lines."""
    from controller.cli.capture import chunks
    from controller.ports import Ended, Received

    spec = find_driver(protocol)
    driver = spec.driver(spec.settings()())
    for data in chunks(file, as_hex):
        _write(driver.apply(Received(data=data)))
    _write(driver.apply(Ended()))


def _write(observations: list["Observation"]) -> None:
    for observation in observations:
        write_json(observation)
    flush()
