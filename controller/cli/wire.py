"""Commands about the wire: `decode` a capture, `sim`ulate a device."""

import asyncio
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from controller.cli.io import flush, note, write_json
from controller.ports import ConfigurationError, InputError, LinkSpec, Simulator, find_driver, find_link

if TYPE_CHECKING:
    from controller.observations import Observation


def register(app: typer.Typer) -> None:
    """Add this group's commands."""
    app.command("decode")(decode)
    app.command("sim")(sim)


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


def sim(
    device: Annotated[str, typer.Argument(help="A driver's name, as angel-eye.")],
    link: Annotated[str, typer.Option(help="pty:PATH or tcp:HOST:PORT; else a terminal in /tmp.")] = "",
    seed: Annotated[int, typer.Option(help="The same seed deals the same cards.")] = 0,
    speed: Annotated[float, typer.Option(help="20: twenty times as fast as at a table.")] = 1.0,
    decks: Annotated[int | None, typer.Option(help="Decks in a pack; else 8.")] = None,
    shoes: Annotated[int | None, typer.Option(help="Stop after so many shoes.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Stop after so many rounds.")] = None,
    truth: Annotated[str, typer.Option(help="Write what really happened to this file, as JSON lines.")] = "",
    wait: Annotated[bool, typer.Option(help="Begin when a host has opened the link.")] = True,
    faults: Annotated[
        str, typer.Option(help="What goes wrong on the line, as drop=0.01,corrupt/byte=0.001,hang@40.")
    ] = "",
) -> None:
    """One simulated device for anybody's host software, until stopped or dealt out."""
    if not speed > 0:
        raise ConfigurationError(f"--speed {speed}: must be above 0; 1 is the speed of a table")
    spec = find_driver(device)
    if spec.simulator is None:
        raise ConfigurationError(f"driver {device!r} has no simulator")
    address = link or f"pty:{tempfile.gettempdir()}/{device}"
    there = find_link(address)
    asked = {"decks": decks, "shoes": shoes, "rounds": rounds, "log": _logger(truth) if truth else None}
    options: dict[str, Any] = {"seed": seed, **{k: v for k, v in asked.items() if v is not None}}
    simulator = spec.simulator(spec.settings()(), **options)
    ends = shoes is not None or rounds is not None
    line = {"faults": faults, "seed": seed} if faults else {}
    asyncio.run(_serve(there, simulator, address, speed, wait, ends, device, line))


def _logger(name: str) -> Callable[["Observation"], None]:
    """Writes each event as it happens. Raises InputError."""
    try:
        file = Path(name).open("wb", buffering=0)  # noqa: SIM115 - open as long as the process lives
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"--truth {name}: {reason}; name a file that you may write") from None
    return lambda event: _append(file, event)


def _append(file: Any, event: "Observation") -> None:
    file.write(msgspec.json.encode(event) + b"\n")


async def _serve(
    link: LinkSpec,
    simulator: Simulator,
    address: str,
    speed: float,
    wait: bool,
    ends: bool,
    device: str,
    line: dict[str, Any],
) -> None:
    from controller.runtime.clock import Clock

    if link.serve is None:
        raise ConfigurationError(f"link {address!r}: a device cannot be simulated there; use pty: or tcp:")

    def ready(opened: str) -> None:
        note(f"{device} at {opened}{', waiting for a host to open it' if wait else ''}")

    serving = asyncio.ensure_future(
        link.serve(simulator, address, clock=Clock(speed), wait=wait, until_done=ends, ready=ready, **line)
    )
    loop = asyncio.get_running_loop()
    for stop in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(stop, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        note(f"{device} stopped")
