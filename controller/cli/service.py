"""Commands that keep a table running: `run`, `demo`, `check-config`."""

import asyncio
import os
import signal
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from controller import facts
from controller.cli.io import note, write_json, write_text
from controller.ports import ConfigurationError

if TYPE_CHECKING:
    from controller.outputs.web.settings import PagesSection
    from controller.runtime.service import Service
    from controller.views.disclosure import Item


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("demo")(demo)
    app.command("run")(run)
    app.command("check-config")(check_config)


def demo(
    rounds: Annotated[int | None, typer.Option(min=1, help="Play so many rounds and stop.")] = None,
    shoes: Annotated[
        int | None, typer.Option(min=1, help="Play so many shoes to their end and stop.")
    ] = None,
    speed: Annotated[float, typer.Option(help="20: twenty times as fast as at a table.")] = 1.0,
    seed: Annotated[int, typer.Option(help="The same seed deals the same cards.")] = 0,
    faults: Annotated[bool, typer.Option("--faults", help="With a bad line to the shoe.")] = False,
    headless: Annotated[bool, typer.Option(help="Say nothing of the pages; for scripts.")] = False,
    listen: Annotated[str | None, typer.Option(help="ADDRESS:PORT of the pages.")] = None,
    state: Annotated[Path | None, typer.Option(help="Folder for the journal.  [default: a new one]")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as one JSON object.")] = False,
) -> None:
    """Simulated shoe, shuffler and displays on terminals, the real controller, and the board on localhost."""
    from controller.outputs.console import Console
    from controller.runtime import heap, log
    from controller.runtime.demo import PEOPLE, Plan, let_in, play

    if not 0 < speed <= 1000:
        raise ConfigurationError(f"--speed {speed}: give a number above 0, up to 1000; 1 is a table's speed")
    if rounds is not None and shoes is not None:
        raise ConfigurationError("--rounds and --shoes: give one of them")
    # What is irregular is told in lines of the demonstration's own.
    log.set_up(level="error")
    address = listen or f"127.0.0.1:{0 if headless else _usual_port()}"
    plan = Plan(
        rounds=rounds,
        shoes=shoes,
        speed=speed,
        seed=seed,
        listen=address,
        state=state,
        faults=faults,
        displays=not headless,
    )
    quiet = headless or as_json
    live = not quiet and sys.stdout.isatty()
    screen = ExitStack()
    consoles: list[Console] = []

    def started(service: "Service") -> None:
        heap.settle()
        place = f"http://127.0.0.1:{service.port}/"
        if quiet:
            return
        people = f"log in at /pit as {' or '.join(PEOPLE)} with PIN {let_in(service.config.state)}"
        if live:
            consoles.append(screen.enter_context(Console(service.table_info(), f"{place}   {people}")))
        else:
            write_text(f"The board: {place}   {people}   (Ctrl-C ends the demonstration)")

    def told(seq: int, item: "Item") -> None:
        for console in consoles:
            console.watch(seq, item)
        if not live and not quiet and (line := _line(item)):
            write_text(line)

    async def playing() -> None:
        stop = on_signals()
        with screen:
            summary = await play(plan, stop, started, told)
        if as_json:
            write_json(summary)
        else:
            write_text(_words(summary))
        if summary.irregularities:
            raise typer.Exit(3)

    asyncio.run(playing())


def _usual_port() -> int:
    """8080, or any free one (0) where another program has it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", 8080))
        except OSError:
            return 0
    return 8080


def _line(item: "Item") -> str | None:
    match item:
        case facts.RoundDecided():
            player, banker = " ".join(item.player_cards), " ".join(item.banker_cards)
            who = item.winner.upper() if item.winner != "tie" else "TIE"
            return (
                f"round {item.round:>3}   Player {player:<9}{item.player_total}   "
                f"Banker {banker:<9}{item.banker_total}   {who}{'  natural' if item.natural else ''}"
            )
        case facts.IrregularityRaised():
            return f"{item.severity.upper()}: {item.code}: {item.detail}"
        case facts.ShoeStarted():
            return f"shoe {item.shoe}: {item.decks} decks"
        case facts.ShoeEnding():
            return f"cut card after {item.cards_seen} cards"
        case facts.ShoeEnded():
            return f"shoe {item.shoe} ended after {item.rounds} rounds"
    return None


def _words(summary: Any) -> str:
    won = ", ".join(f"{who} {count}" for who, count in summary.winners.items())
    raised = ", ".join(summary.irregularities) or "none"
    return (
        f"{summary.rounds} rounds of {summary.shoes} shoe(s): {won}. {summary.cards} cards. "
        f"Irregularities: {raised}.\n"
        f"Last byte to durable: p50 {summary.p50_ms} ms, p99 {summary.p99_ms} ms.\n"
        f"Journal: {summary.journal}"
    )


def run(
    config: Annotated[Path, typer.Option("-c", "--config", help="The table's configuration, table.toml.")],
) -> None:
    """The service of one table, until it is told to stop."""
    from controller.config import load_configuration
    from controller.runtime import heap, log
    from controller.runtime.ends import first_of
    from controller.runtime.notify import Notifier
    from controller.runtime.service import Service

    configuration = load_configuration(config)
    # On a terminal the console shows what the log would say.
    live = sys.stdout.isatty() and configuration.log.format == "auto"
    level = "error" if live else configuration.log.level
    log.set_up(configuration.log.format, level, configuration.table.id)

    async def serving() -> None:
        stop = on_signals()
        with ExitStack() as screen:
            service = Service(configuration, notifier=Notifier(os.environ))
            if live:
                from controller.outputs.console import Console

                console = screen.enter_context(Console(service.table_info(), configuration.web.listen))
                service.watch = console.watch
            await service.start()
            heap.settle()
            try:
                await first_of(stop.wait(), service.broken())
            finally:
                await service.stop()

    asyncio.run(serving())


def on_signals() -> asyncio.Event:
    """Set when the process is asked to stop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop


def check_config(
    file: Annotated[Path, typer.Argument(help="The configuration of a table or a pit, or a device profile.")],
) -> None:
    """Every fault in a configuration, with its line and remedy."""
    from controller.config import explain_profile, load_configuration
    from controller.outputs.pit.settings import is_pit, load_pit
    from controller.people import People

    if described := explain_profile(file):
        note(f"{file}: {described}")
        return
    if is_pit(file):
        console = load_pit(file)
        People(console.state).everybody()
        ok = f"ok, {console.pit.name} watches {len(console.table)} table(s)"
        _tell(file, [ok], "pit", console.pit, console.folder)
        return
    configuration = load_configuration(file)
    People(configuration.state).everybody()
    ruleset, name = configuration.ruleset, configuration.table.ruleset
    said = [f"ok, {configuration.table.id} plays {ruleset.name}"]
    if ruleset.unverified:
        said.append(f"{len(ruleset.unverified)} rules are unverified, see tablectl rules --ruleset {name}")
    _tell(file, said, "web", configuration.web, configuration.folder)


def _tell(file: Path, found: list[str], name: str, pages: "PagesSection", folder: Path) -> None:
    """What was found, and what of the pages, which are the section `name`, changes with time."""
    from controller.toml_lines import fault

    text = file.read_text("utf-8")
    if expired := pages.expiry(folder):
        raise ConfigurationError(fault((name, expired[0]), expired[1], text, str(file)))
    for line in found:
        note(f"{file}: {line}")
    for key, advice in pages.advice(folder, time.time()):
        note(fault((name, key), advice, text, str(file)))
