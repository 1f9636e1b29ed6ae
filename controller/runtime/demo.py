"""The demonstration: simulated devices in processes of their own, and the real service at them."""

import asyncio
import json
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

from msgspec import Struct

from controller import facts
from controller.config import Configuration, parse_configuration
from controller.people import People
from controller.ports import ConfigurationError
from controller.runtime.clock import Clock
from controller.runtime.ends import first_of
from controller.runtime.porter import Porter
from controller.runtime.service import Service
from controller.runtime.unattended import settle
from controller.views.disclosure import Item

#: What goes wrong on the line where faults are wanted: most of it mended by the copies, now and then a hold.
FAULTS = "drop=0.05,double=0.02,corrupt=0.05,split=0.05,join=0.02,noise=0.02,cut=0.02,drop/report=0.002"

SHOE = "angel-eye"
SHUFFLER = "open-shuffler"
DISPLAYS = ("alpha-sign", "lamps")
#: A supervisor, and whoever confirms what two must.
PEOPLE = ("supervisor", "second")
#: Real seconds in which each simulated device has to be there.
PATIENCE = 20.0


class Plan(Struct, frozen=True, kw_only=True):
    """What to play. `rounds`, `shoes`: stop after so many; neither: play until stopped."""

    rounds: int | None = None
    shoes: int | None = None
    speed: float = 1.0
    seed: int = 0
    listen: str = "127.0.0.1:0"
    state: Path | None = None
    faults: bool = False
    displays: bool = False


class Summary(Struct, frozen=True, kw_only=True):
    """What was played. `cards`: those dealt to a hand. Milliseconds from a report's last byte to durable."""

    rounds: int
    shoes: int
    winners: dict[str, int]
    irregularities: list[str]
    cards: int
    journal: str
    p50_ms: float
    p99_ms: float


class Tally:
    """Counts what the journal says, and knows when the plan is fulfilled."""

    def __init__(self, plan: Plan) -> None:
        self.done = asyncio.Event()
        self._plan = plan
        self._shoe = 0
        self._ended = 0
        self._rounds: dict[tuple[int, int], facts.RoundDecided] = {}
        self._closed: set[tuple[int, int]] = set()
        self._irregularities: list[str] = []
        self._cards = 0

    def watch(self, _seq: int, item: Item) -> None:
        """Take in a durable item."""
        match item:
            case facts.ShoeStarted():
                self._shoe = item.shoe
            case facts.CardDealt():
                self._cards += 1
            case facts.RoundDecided():
                self._rounds[self._shoe, item.round] = item
            case facts.RoundConfirmed():
                self._closed.add((self._shoe, item.round))
            case facts.RoundVoided():
                self._rounds.pop((self._shoe, item.round), None)
                self._closed.discard((self._shoe, item.round))
            case facts.IrregularityRaised():
                self._irregularities.append(item.code)
            case facts.ShoeEnded():
                self._ended += 1
        rounds = self._plan.rounds is not None and len(self._closed) >= self._plan.rounds
        shoes = self._plan.shoes is not None and self._ended >= self._plan.shoes
        if rounds or shoes:
            self.done.set()

    def summary(self, service: Service) -> Summary:
        """The count so far."""
        winners = Counter(decided.winner for decided in self._rounds.values())
        latencies = [seconds * 1000 for seconds in service.latencies] or [0.0]
        cuts = quantiles(latencies, n=100) if len(latencies) > 1 else latencies * 99
        return Summary(
            rounds=len(self._rounds),
            shoes=self._shoe,
            winners={winner: winners[winner] for winner in ("player", "banker", "tie")},
            irregularities=self._irregularities,
            cards=self._cards,
            journal=str(service.path),
            p50_ms=round(cuts[49], 3),
            p99_ms=round(cuts[98], 3),
        )


def _configuration(plan: Plan, folder: Path) -> Configuration:
    displays = "".join(
        f'[[display]]\ndriver = "{driver}"\nlink = {_toml(f"pty:{folder}/{driver}")}\n'
        for driver in DISPLAYS
        if plan.displays
    )
    return parse_configuration(
        f"""
        [table]
        id = "DEMO"
        name = "Mini-Baccarat Demo"
        boundaries = "device"
        state = "."
        [shoe]
        driver = "{SHOE}"
        link = {_toml(f"pty:{folder}/{SHOE}")}
        [shuffler]
        driver = "{SHUFFLER}"
        link = {_toml(f"pty:{folder}/{SHUFFLER}")}
        {displays}
        [web]
        listen = {_toml(plan.listen)}
        [log]
        level = "warning"
        """,
        "demo",
        folder,
    )


def let_in(state: Path) -> str:
    """Two people who may decide, in the folder of a table; the PIN of both, another each time."""
    people, pin = People(state), f"{secrets.randbelow(10_000):04}"
    known = {person.name for person in people.everybody()}
    for name in PEOPLE:
        if name in known:
            people.set_pin(name, pin)
        else:
            people.add(name, "supervisor", pin)
    return pin


def _toml(text: str) -> str:
    """The text as a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


async def play(
    plan: Plan, stop: asyncio.Event, started: Callable[[Service], None], told: Callable[[int, Item], None]
) -> Summary:
    """Play the plan, or until `stop`. Raises ControllerError."""
    folder = _folder(plan)
    # Whoever asks for so many rounds wants to see them, and not to answer for them.
    alone = plan.rounds is not None or plan.shoes is not None
    tally = Tally(plan)
    porter = Porter(folder / f"{SHUFFLER}.jsonl")

    def watch(seq: int, item: Item) -> None:
        tally.watch(seq, item)
        porter.watch(item)
        told(seq, item)
        if alone and isinstance(item, facts.IrregularityRaised):
            asyncio.get_running_loop().call_soon(settle, service, item, "demo")

    devices = await asyncio.gather(*(_simulated(*one, plan, folder) for one in _devices(plan, folder)))
    try:
        service = Service(_configuration(plan, folder), Clock(plan.speed), watch)
        await service.start()
        try:
            started(service)
            shoe = devices[0]
            carrying = porter.carry(service, shoe)
            await first_of(stop.wait(), tally.done.wait(), _failed(shoe), carrying, service.broken())
        finally:
            await service.stop()
        return tally.summary(service)
    finally:
        for device in devices:
            if device.returncode is None:
                device.terminate()
            await device.wait()


def _folder(plan: Plan) -> Path:
    if plan.state is None:
        return Path(tempfile.mkdtemp(prefix="table-demo-"))
    try:
        plan.state.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"--state {plan.state}: {reason}; name a folder you may write") from None
    return plan.state


def _devices(plan: Plan, folder: Path) -> list[tuple[str, list[str]]]:
    """(driver, options) of each simulated device; what a display shows stands in a file of its name."""
    # With faults some rounds come to nothing, and as many more are dealt.
    asked = {"faults": FAULTS} if plan.faults else {"rounds": plan.rounds, "shoes": plan.shoes}
    options = [f"--{name}={n}" for name, n in asked.items() if n]
    others = [
        (SHUFFLER, ["--keep", f"--seed={plan.seed}"]),
        *((driver, []) for driver in DISPLAYS if plan.displays),
    ]
    told = [(driver, [*its, f"--truth={folder}/{driver}.jsonl"]) for driver, its in others]
    return [(SHOE, [f"--seed={plan.seed}", "--packs=-", *options]), *told]


async def _simulated(driver: str, options: list[str], plan: Plan, folder: Path) -> asyncio.subprocess.Process:
    """A simulated device's process, its terminal in place; a shoe deals once the service opens that."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "sim", driver,
        f"--link=pty:{folder}/{driver}", f"--speed={plan.speed}", *options,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = await process.stderr.readline()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise ConfigurationError(
            f"the simulated {driver} did not start within {PATIENCE:.0f} seconds; try again when the machine "
            "has less to do"
        ) from None
    if not (folder / driver).is_symlink():
        said = line.decode(errors="replace").strip()
        raise ConfigurationError(f"the simulated {driver} did not start: {said}")
    return process


async def _failed(process: asyncio.subprocess.Process) -> None:
    """Ends only when the simulated shoe fails; one that has dealt everything is no reason to stop."""
    if code := await process.wait():
        assert process.stderr is not None
        said = (await process.stderr.read()).decode(errors="replace").strip().splitlines()
        raise ConfigurationError(
            f"the simulated shoe ended with {code}: {said[-1] if said else 'no message'}"
        )
    await asyncio.Event().wait()
