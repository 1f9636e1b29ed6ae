"""What the service costs beside latency: its start with a full shoe, its memory over many, the exact odds."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from controller.bench.machines import shoes
from controller.bench.measure import Figure
from controller.config import parse_configuration
from controller.journal.reader import records
from controller.journal.store import Store
from controller.outputs.web.feed import Feed
from controller.runtime.clock import Clock
from controller.runtime.configured import inputs_of
from controller.runtime.core import Core
from controller.runtime.replaying import items, recover
from controller.views.disclosure import AUDIENCES
from controller.views.view import TableInfo

SHOES = 40


def measure(effort: float) -> Sequence[Figure]:
    """Start, memory and odds."""
    return [*_start(), *_memory(max(4, int(SHOES * effort))), *_odds()]


_CONFIGURATION = """
[table]
id = "BENCH"
name = "Bench"
boundaries = "device"
[shoe]
driver = "angel-eye"
link = "pty:/nowhere"
"""


def _start() -> list[Figure]:
    """A journal with a whole shoe, opened, checked and replayed into table and pages."""
    with tempfile.TemporaryDirectory(prefix="table-bench-") as name:
        path = Path(name) / "journal.db"
        config = parse_configuration(_CONFIGURATION, "bench", Path(name))
        core = Core()
        entries = list(core.begin(inputs_of(config, Clock())).entries)
        for event in shoes(1):
            entries += core.enter(event).entries
        store = Store(path, "BENCH")
        store.write((entry, "2026-01-01T00:00:00.000+00:00") for entry in entries)
        store.mark()
        store.close()
        began = time.perf_counter()
        store = Store(path, "BENCH")
        recover(records(path))
        feeds = [Feed(TableInfo(id="BENCH", name="Bench"), audience) for audience in AUDIENCES]
        for numbered in items(records(path)):
            for feed in feeds:
                feed.take([numbered])
        spent = time.perf_counter() - began
        store.close()
    return [
        Figure(
            name="start to ready with a full shoe to recover",
            value=spent,
            unit="s",
            goal=2.0,
            note=f"{len(entries)} records",
        )
    ]


def _memory(count: int) -> list[Figure]:
    """Resident memory of a process that plays and shows so many shoes."""
    script = "from controller.bench.upkeep import play_many; play_many({})"
    answer = subprocess.run(
        [sys.executable, "-c", script.format(count)], capture_output=True, text=True, check=True
    )
    early, late = json.loads(answer.stdout)
    return [
        Figure(
            name=f"memory after {count} shoes",
            value=late / 2**20,
            unit="MiB",
            goal=80.0,
            note="core and pages",
        ),
        Figure(
            name=f"memory after {count} shoes, beside that after 2",
            value=late / early,
            unit="x",
            goal=1.1,
        ),
    ]


def play_many(count: int) -> None:
    """Play shoes through core and feeds; print resident bytes after two shoes and at the end."""
    config = parse_configuration(_CONFIGURATION, "bench", Path())
    core = Core()
    core.begin(inputs_of(config, Clock()))
    feeds = [Feed(TableInfo(id="BENCH", name="Bench"), audience) for audience in AUDIENCES]
    shoe = shoes(2)
    number = early = 0
    for turn in range(max(1, count // 2)):
        for event in shoe:
            derived = core.enter(event)
            batch = [(number + place, item) for place, item in derived.items]
            number += len(derived.entries)
            for feed in feeds:
                feed.take(batch)
        if turn == 0:
            early = _resident()
    sys.stdout.write(json.dumps([early, _resident()]))


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _odds() -> list[Figure]:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "controller", "odds", "--json"], capture_output=True, check=True)
    return [
        Figure(
            name="exact odds, 8 decks, every wager",
            value=time.perf_counter() - began,
            unit="s",
            goal=2.0,
            note="the whole command",
        )
    ]
