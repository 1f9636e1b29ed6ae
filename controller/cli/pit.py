"""The command of a pit desk: many tables on one page."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.service import on_signals


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("pit")(pit)


def pit(
    config: Annotated[Path, typer.Option("-c", "--config", help="The console's configuration, pit.toml.")],
) -> None:
    """The pit console: watches many tables and shows them on one page, until it is told to stop."""
    import structlog

    from controller.outputs.pit.server import PitServer
    from controller.outputs.pit.settings import load_pit
    from controller.runtime import log

    configuration = load_pit(config)
    log.set_up()

    async def serving() -> None:
        stop = on_signals()
        server = PitServer(configuration)
        await server.start()
        structlog.get_logger().info("listening", host=configuration.pit.host, port=server.port)
        ends = [asyncio.create_task(stop.wait()), asyncio.create_task(server.failed())]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await server.stop()
        if not stop.is_set():
            # Better started anew than a table that stands still on the page.
            await ends[1]

    asyncio.run(serving())
