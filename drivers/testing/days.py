"""Days of play at one service, in compressed time: what must not grow, and the watchdog that must be fed.

The service and the shoe are processes of their own with a pty between them, on whose line reports are lost,
spoilt and doubled; whatever is irregular is answered at once. The times of the watchdog are real ones.
"""

import asyncio
import os
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.journal.archive import archived
from controller.journal.audit import verify
from controller.ports import ConfigurationError
from controller.runtime.replaying import Rederivation

FAULTS = "drop=0.05,double=0.02,corrupt=0.05,split=0.05,join=0.02,noise=0.02,cut=0.02,drop/report=0.0005"
DAY = 86_400.0
#: Real seconds in which the service must say that it is alive, as its unit has it.
WATCHDOG = 10.0
#: Real seconds between two looks, and in which each process has to be there.
LOOK = 0.5
PATIENCE = 30.0
#: Files of the archive that are kept: what was there before goes.
KEEP = 20
#: What may be more at the end than after the first tenth.
GROWTH = 1.10
#: MiB that a journal of two shoes, its log and a shoe on its way to the archive have at most.
JOURNAL_MIB = 32.0
_MIB = 1 << 20


class Look(Struct, frozen=True):
    """The service at one moment: resident memory in bytes, open descriptors, the journal's bytes."""

    memory: int
    descriptors: int
    journal: int


class DaysReport(Struct, frozen=True, kw_only=True):
    """What came of it. Memory in MiB and descriptors: the median of the second tenth of the time and of the
    last. `journal`: MiB at most. `fed`: how often the watchdog was, and `longest` its real seconds between.
    """

    days: float
    speed: float
    rounds: int
    shoes: int
    irregularities: dict[str, int]
    records: int
    memory: tuple[float, float]
    descriptors: tuple[int, int]
    journal: float
    archive_files: int
    fed: int
    longest: float
    wrong: list[str]

    def lines(self) -> list[str]:
        """The figures for a person."""
        raised = ", ".join(f"{code} {count:,}" for code, count in self.irregularities.items())
        return [
            f"{self.days:g} days at {self.speed:g} times a table's speed: {self.shoes:,} shoes, "
            f"{self.rounds:,} rounds, {self.records:,} records",
            f"irregularities raised and answered: {raised or 'none'}",
            f"memory: {self.memory[0]} MiB in the second tenth, {self.memory[1]} MiB in the last",
            f"descriptors: {self.descriptors[0]}, {self.descriptors[1]}",
            f"the journal had {self.journal} MiB at most; {self.archive_files} shoes are in the archive",
            f"the watchdog was fed {self.fed:,} times, {self.longest} s apart at most",
            *(f"WRONG: {what}" for what in self.wrong),
        ]


def days(*, days: float, speed: float, seed: int, told: Callable[[float], None]) -> DaysReport:
    """Play so many days at so many times a table's speed; `told` hears how many are over."""
    with tempfile.TemporaryDirectory(prefix="table-days-") as name:
        return asyncio.run(_days(Path(name), days, speed, seed, told))


async def _days(
    folder: Path, wanted: float, speed: float, seed: int, told: Callable[[float], None]
) -> DaysReport:
    shoe = await _start("controller", "sim", "angel-eye", f"--link=pty:{folder}/shoe", f"--speed={speed}",
                        f"--seed={seed}", f"--faults={FAULTS}")  # fmt: skip
    try:
        await _appears(folder / "shoe", shoe)
        watchdog = _Watchdog(folder / "notify")
        service = await _start(
            "drivers.testing.unattended", str(_configured(folder)), str(speed), **watchdog.environment
        )
        try:
            looks = await _watch(service, folder, watchdog, wanted * DAY / speed, told, wanted)
        finally:
            if service.returncode is None:
                service.send_signal(signal.SIGTERM)
            said, complaint = await service.communicate()
            watchdog.close()
    finally:
        if shoe.returncode is None:
            shoe.terminate()
        await shoe.communicate()
    count = Counter(msgspec.json.decode(said, type=dict[str, int])) if said else Counter[str]()
    return _judged(folder, wanted, speed, looks, watchdog, service.returncode, complaint, count)


def _configured(folder: Path) -> Path:
    path = folder / "table.toml"
    path.write_text(
        f"""
        [table]
        id = "DAYS"
        name = "Long run"
        boundaries = "device"
        [shoe]
        driver = "angel-eye"
        link = "pty:{folder}/shoe"
        [web]
        listen = "127.0.0.1:0"
        [log]
        format = "json"
        level = "error"
        [journal]
        keep = {KEEP}
        """
    )
    return path


async def _start(module: str, *arguments: str, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments,
        env={**os.environ, **environment},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def _appears(path: Path, process: asyncio.subprocess.Process) -> None:
    until = time.monotonic() + PATIENCE
    while not path.is_symlink():
        if process.returncode is not None or time.monotonic() > until:
            raise ConfigurationError(
                "the simulated shoe did not start; try again on a machine with less to do"
            )
        await asyncio.sleep(0.02)


class _Watchdog:
    """Stands for the service manager: hears when it is fed, in real seconds."""

    def __init__(self, path: Path) -> None:
        self.environment = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": str(int(WATCHDOG * 1e6))}
        self.ready: float | None = None
        self.fed: list[float] = []
        self.ended = 0.0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._socket.bind(str(path))
        asyncio.get_running_loop().add_reader(self._socket, self._hear)

    def _hear(self) -> None:
        said = self._socket.recv(4096).decode().split("\n")
        if "READY=1" in said:
            self.ready = time.monotonic()
        if "WATCHDOG=1" in said:
            self.fed.append(time.monotonic())

    def longest(self) -> float:
        """The longest time without a word, up to the end of the watch."""
        times = [self.ready or 0.0, *(at for at in self.fed if at < self.ended), self.ended]
        return max(later - sooner for sooner, later in pairwise(times))

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()


async def _watch(
    service: asyncio.subprocess.Process,
    folder: Path,
    watchdog: _Watchdog,
    seconds: float,
    told: Callable[[float], None],
    wanted: float,
) -> list[Look]:
    until = time.monotonic() + PATIENCE
    while watchdog.ready is None and service.returncode is None and time.monotonic() < until:
        await asyncio.sleep(0.02)
    began = time.monotonic()
    looks: list[Look] = []
    while service.returncode is None and (passed := time.monotonic() - began) < seconds:
        looks.append(_look(service.pid, folder / "state"))
        told(wanted * passed / seconds)
        await asyncio.sleep(min(LOOK, max(0.0, seconds - passed)))
    watchdog.ended = time.monotonic()
    return looks


def _look(pid: int, state: Path) -> Look:
    proc = Path(f"/proc/{pid}")
    pages = int((proc / "statm").read_text().split()[1])
    files = [path for path in state.glob("journal.*") if path.exists()]
    return Look(
        pages * os.sysconf("SC_PAGE_SIZE"),
        len(list((proc / "fd").iterdir())),
        sum(path.stat().st_size for path in files),
    )


def _median(values: list[int]) -> int:
    return sorted(values)[len(values) // 2] if values else 0


def _judged(
    folder: Path,
    wanted: float,
    speed: float,
    looks: list[Look],
    watchdog: _Watchdog,
    code: int | None,
    complaint: bytes,
    count: Counter[str],
) -> DaysReport:
    journal = folder / "state" / "journal.db"
    tenth = max(1, len(looks) // 10)
    early, late = looks[tenth : 2 * tenth] or looks, looks[-tenth:]
    memory = tuple(_median([look.memory for look in part]) / _MIB for part in (early, late))
    descriptors = tuple(_median([look.descriptors for look in part]) for part in (early, late))
    verdict = verify(journal, Rederivation()) if journal.exists() else None
    most = max((look.journal for look in looks), default=0) / _MIB
    longest = watchdog.longest()
    files = len(archived(journal))
    checks = (
        (code != 0, f"the service ended with {code}: {complaint.decode(errors='replace').strip()[-200:]}"),
        (not watchdog.fed, "the watchdog was never fed"),
        (longest > WATCHDOG, f"the watchdog was not fed for {longest:.1f} s"),
        (memory[1] > memory[0] * GROWTH, f"memory grew from {memory[0]:.1f} to {memory[1]:.1f} MiB"),
        (descriptors[1] > descriptors[0], f"descriptors grew from {descriptors[0]} to {descriptors[1]}"),
        (most > JOURNAL_MIB, f"the journal had {most:.1f} MiB"),
        (files > KEEP, f"the archive has {files} files, {KEEP} are kept"),
        (verdict is None or not verdict.ok, f"audit: {verdict and verdict.first}"),
    )
    raised = {code: n for code, n in count.most_common() if code not in ("rounds", "shoes")}
    return DaysReport(
        days=wanted,
        speed=speed,
        rounds=count["rounds"],
        shoes=count["shoes"],
        irregularities=raised,
        records=verdict.begins - 1 + verdict.records if verdict else 0,
        memory=(round(memory[0], 1), round(memory[1], 1)),
        descriptors=(descriptors[0], descriptors[1]),
        journal=round(most, 1),
        archive_files=files,
        fed=len(watchdog.fed),
        longest=round(longest, 1),
        wrong=[what for wrong, what in checks if wrong],
    )
