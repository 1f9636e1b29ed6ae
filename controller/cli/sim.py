"""`sim`: one simulated device at a port, by itself, by a scenario or by keyboard."""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import termios
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from controller.cards import Card
from controller.cli.io import note, reading
from controller.ports import (
    ConfigurationError,
    Fed,
    InputError,
    Keyed,
    LinkSpec,
    Session,
    Simulator,
    Stage,
    find_driver,
    find_link,
)
from controller.strict_json import decode

if TYPE_CHECKING:
    from controller.observations import Observation

QUIT = "q"


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("sim")(sim)


def sim(
    device: Annotated[str, typer.Argument(help="A driver's name, as angel-eye.")],
    link: Annotated[str, typer.Option(help="pty:PATH or tcp:HOST:PORT; else a terminal in /tmp.")] = "",
    script: Annotated[str, typer.Option(help="Play a scenario, FILE.deal, instead of a dealer.")] = "",
    seed: Annotated[int, typer.Option(help="The same seed deals the same cards.")] = 0,
    speed: Annotated[float, typer.Option(help="20: twenty times as fast as at a table.")] = 1.0,
    decks: Annotated[int | None, typer.Option(help="Decks in a pack; else 8.")] = None,
    shoes: Annotated[int | None, typer.Option(help="Stop after so many shoes.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Stop after so many rounds.")] = None,
    packs: Annotated[
        str,
        typer.Option(help="Deal the packs in this file, as a shuffler's --truth has them; - waits for them."),
    ] = "",
    keep: Annotated[
        bool, typer.Option("--keep", help="A shuffler keeps its pack until it is ejected.")
    ] = False,
    truth: Annotated[str, typer.Option(help="Write what really happened to this file, as JSON lines.")] = "",
    wait: Annotated[bool, typer.Option(help="Begin when a host has opened the link.")] = True,
    faults: Annotated[
        str, typer.Option(help="What goes wrong on the line, as drop=0.01,corrupt/byte=0.001,hang@40.")
    ] = "",
) -> None:
    """One simulated device for anybody's host software, until stopped or dealt out.

    On a terminal a shoe is also played by keyboard: its dealer leaves at the first key.
    """
    if not speed > 0:
        raise ConfigurationError(f"--speed {speed}: must be above 0; 1 is the speed of a table")
    spec = find_driver(device)
    if spec.simulator is None:
        raise ConfigurationError(f"driver {device!r} has no simulator")
    address = link or f"pty:{tempfile.gettempdir()}/{Path(device).stem}"
    there = find_link(address)
    asked = {
        "decks": decks,
        "shoes": shoes,
        "rounds": rounds,
        "brought": True if packs else None,
        "keep": keep or None,
        "log": _logger(truth) if truth else None,
    }
    options: dict[str, Any] = {"seed": seed, **{k: v for k, v in asked.items() if v is not None}}
    simulator = spec.simulator(spec.settings()(), **options)
    if packs and script:
        raise ConfigurationError("--packs and --script: give one of them; a scenario names its own cards")
    people = _Porter(simulator, packs) if packs else _people(device, simulator, script)
    ends = bool(script) or shoes is not None or rounds is not None
    line = {"faults": faults, "seed": seed} if faults else {}
    asyncio.run(_serve(there, simulator, people, address, speed, wait, ends, device, line))
    if isinstance(people, _Porter) and people.failed:
        raise people.failed


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
    people: Callable[[Session], None],
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
        link.serve(
            simulator,
            address,
            clock=Clock(speed),
            wait=wait,
            until_done=ends,
            ready=ready,
            begun=people,
            **line,
        )
    )
    loop = asyncio.get_running_loop()
    for stop in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(stop, serving.cancel)
    try:
        with _terminal():
            await serving
    except asyncio.CancelledError:
        note(f"{device} stopped")


# -- who is at the device ---------------------------------------------------------------------------------


def _people(device: str, simulator: Simulator, script: str) -> Callable[[Session], None]:
    """Who acts at the device once play begins. Raises InputError, ConfigurationError."""
    if script:
        from controller.scenarios import find_scenario
        from controller.scenarios.staging import act_out

        if not isinstance(simulator, Stage):
            what = "its simulator plays no scenarios; leave --script out"
            raise ConfigurationError(f"driver {device!r}: {what}")
        stage, role, scenario = simulator, find_driver(device).kind, find_scenario(script)

        def play(session: Session) -> None:
            for act in act_out(scenario.acts, role, stage, session):
                note(f"{scenario.origin}: a simulated {device} cannot do {act.text!r}; it is left out")

        return play
    if isinstance(simulator, Keyed) and _has_keyboard():
        return _Keyboard(simulator)
    return lambda session: None


class _Keyboard:
    """A person at a terminal."""

    def __init__(self, simulator: Keyed) -> None:
        self._simulator = simulator

    def __call__(self, session: Session) -> None:
        for key, does in (*self._simulator.keys.items(), (QUIT, "ends the simulation")):
            note(f"  {'space' if key == ' ' else key:>5}  {does}")
        note("The dealer deals until you press one.")
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._pressed, session)

    def _pressed(self, session: Session) -> None:
        keys = os.read(sys.stdin.fileno(), 64).decode("ascii", "replace")
        for key in keys:
            if key in self._simulator.keys:
                note(f"{self._simulator.keys[key]}")
                self._simulator.press(key, session.now())
        if not keys or QUIT in keys:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            signal.raise_signal(signal.SIGINT)
        session.wake()


class _Handed(msgspec.Struct):
    """A pack as a shuffler's truth has it."""

    pack: str
    cards: list[Card]


_packs = msgspec.json.Decoder(_Handed)


class _Porter:
    """Brings a shoe its packs: those in a file, or each that standard input names."""

    def __init__(self, simulator: Simulator, name: str) -> None:
        if not isinstance(simulator, Fed):
            raise ConfigurationError("--packs: this device takes no packs; leave it out")
        if name == "-" and sys.stdin is None:
            raise InputError("--packs -: standard input is closed; name a file")
        self.failed: InputError | None = None
        self._shoe, self._name, self._line, self._rest = simulator, name, 0, b""
        self._in_file: list[bytes] = []
        if name != "-":
            with reading(name) as lines:
                self._in_file = list(lines)

    def __call__(self, session: Session) -> None:
        self._bring(self._in_file, session)
        if self._name == "-":
            try:
                asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._told, session)
            except PermissionError:  # a file, which is there as a whole
                self._bring(sys.stdin.buffer.readlines(), session)

    def _told(self, session: Session) -> None:
        data = os.read(sys.stdin.fileno(), 65536)
        *lines, self._rest = (self._rest + (data or b"\n")).split(b"\n")
        lines = [line for line in lines if line]
        if not data:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        self._bring(lines, session)

    def _bring(self, lines: list[bytes], session: Session) -> None:
        for line in lines:
            self._line += 1
            try:
                handed = decode(line, _packs)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                what = f"{error}; a pack is one line, as a shuffler's --truth writes it"
                self.failed = InputError(f"--packs {self._name}, line {self._line}: {what}")
                signal.raise_signal(signal.SIGINT)
                return
            self._shoe.bring(handed.pack, handed.cards, session.now())
        session.wake()


def _has_keyboard() -> bool:
    """Somebody may press keys: a terminal, and not in the background, where touching it stops the process."""
    if not sys.stdin.isatty():
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return True  # not the terminal that it was started from


@contextlib.contextmanager
def _terminal() -> Iterator[None]:
    """Keys come at once and are not shown, where there is a terminal."""
    if not _has_keyboard():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
