"""A simulated device at a bad line: the same device, with faults between it and its host."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random
from typing import Protocol, runtime_checkable

from controller.ports import ConfigurationError, Simulator
from drivers.testing.faults import PAUSE, TO_A_BYTE, TO_A_COPY, Fault, Level, Pieces

#: Seconds in which the same bytes are a further copy of a report.
SAME = 0.45
#: Seconds after which what waited for the next write goes without it.
AT_LAST = 2.5


@runtime_checkable
class Restartable(Protocol):
    """A simulated device whose power can fail."""

    def restart(self, at: float) -> None:
        """Its power fails for a moment."""


@dataclass
class _Report:
    """One report and what happens to each of its copies."""

    first: float
    faults: list[Fault] = field(default_factory=list)


class Faulty:
    """A Simulator around one. The same seed does the same to the same writes.

    `plugged`: whether the link is there; whoever carries the bytes takes it away and brings it back.
    `injected` counts what was done. Raises ConfigurationError for a reboot of a device that has none.
    """

    def __init__(self, simulator: Simulator, faults: Iterable[Fault] = (), seed: int = 0) -> None:
        self.injected: Counter[str] = Counter()
        self._simulator = simulator
        self._restart = simulator.restart if isinstance(simulator, Restartable) else None
        self._faults: dict[Level, list[Fault]] = {"byte": [], "copy": [], "report": []}
        for fault in faults:
            self._faults[fault.level].append(fault)
        if self._restart is None and any(fault.kind == "reboot" for fault in self._faults["report"]):
            raise ConfigurationError("faults: this simulated device cannot reboot; leave that one out")
        self._random = Random(seed)
        self._numbers: Counter[Level] = Counter()
        self._now: float | None = None
        self._order = count()
        self._out: list[tuple[float, int, bytes]] = []  # on the way to the host
        self._in: list[tuple[float, int, bytes]] = []  # on the way to the device
        self._reports: dict[bytes, _Report] = {}
        self._joined, self._behind, self._at_last = b"", b"", 0.0
        self._until = dict.fromkeys(("hang", "mute", "garble", "unplug"), 0.0)
        self._away: list[tuple[float, float]] = []

    @property
    def plugged(self) -> bool:
        """The link is there now."""
        if self._now is None:
            return True
        away = any(since <= self._now < until for since, until in self._away)
        return not away and self._now >= self._until["unplug"]

    def unplug(self, at: float, until: float) -> None:
        """Take the link away between these times; `until` may be infinite."""
        self._away.append((at, until))

    def receive(self, data: bytes, at: float) -> None:
        """Bytes from the host."""
        self._now = max(self._now or at, at)
        if not self.plugged:
            return
        for late, piece in self._spoil(data, self._strike("copy")):
            heappush(self._in, (at + late, next(self._order), piece))
        self._hear(at)

    def advance(self, at: float) -> list[bytes]:
        """Everything that arrives up to and including `at`, read by read."""
        sent: list[bytes] = []
        if self._now is None:
            self._now = at
        while (due := self.next_at()) is not None and due <= at:
            self._now = max(self._now, due)
            sent += self._step(self._now)
        self._now = max(self._now, at)
        return sent

    def next_at(self) -> float | None:
        """When something happens next; None: only when spoken to, or finished."""
        times = [self._simulator.next_at(), *(queue[0][0] for queue in (self._out, self._in) if queue)]
        if self._joined or self._behind:
            times.append(self._at_last)
        if self._now is not None:
            turns = [self._until["unplug"], *(turn for away in self._away for turn in away)]
            times += [turn for turn in turns if self._now < turn < inf]
        return min((time for time in times if time is not None), default=None)

    def _step(self, now: float) -> list[bytes]:
        self._hear(now)
        due = self._simulator.next_at()
        if due is not None and due <= now:
            for data in self._simulator.advance(now):
                self._write(data, now)
        if (self._joined or self._behind) and self._at_last <= now:
            self._put([(0.0, self._joined + self._behind)], now)
            self._joined = self._behind = b""
        sent = []
        while self._out and self._out[0][0] <= now:
            data = heappop(self._out)[2]
            if self.plugged:
                sent.append(data)
        return sent

    def _hear(self, now: float) -> None:
        while self._in and self._in[0][0] <= now:
            self._simulator.receive(heappop(self._in)[2], now)

    # -- what the device writes ------------------------------------------------------------------------

    def _write(self, data: bytes, now: float) -> None:
        """One copy of a report sets out."""
        report = self._report(data, now)
        if now < self._until["mute"] or not self.plugged:
            return
        if now < self._until["garble"]:
            data = self._random.randbytes(len(data))
        struck = [*report.faults, *self._strike("copy")]
        pieces = self._spoil(data, struck)
        kinds = {fault.kind for fault in struck}
        if not pieces:
            return
        if "split" in kinds:
            # Nothing overtakes the rest of it.
            self._until["hang"] = max(self._until["hang"], now + pieces[-1][0])
        if kinds & {"join", "shuffle"}:
            whole = b"".join(piece for _, piece in pieces)
            self._at_last = now + AT_LAST
            if "join" in kinds:
                self._joined += whole
            else:
                self._behind += whole
            return
        late, first = pieces[0]
        self._put([(late, self._joined + first), *pieces[1:], (pieces[-1][0], self._behind)], now)
        self._joined = self._behind = b""

    def _put(self, pieces: Pieces, now: float) -> None:
        for late, data in pieces:
            if data:
                heappush(self._out, (max(now + late, self._until["hang"]), next(self._order), data))

    def _report(self, data: bytes, now: float) -> _Report:
        """The report that these bytes are a copy of; a new one meets its faults here."""
        known = self._reports.get(data)
        if known is not None and now - known.first <= SAME:
            return known
        self._reports = {d: r for d, r in self._reports.items() if now - r.first <= SAME}
        report = self._reports[data] = _Report(now)
        for fault in self._strike("report"):
            if fault.kind in self._until:
                self._until[fault.kind] = max(self._until[fault.kind], now + self._random.uniform(*PAUSE))
            elif fault.kind == "reboot":
                assert self._restart is not None
                self._restart(now)
            else:
                report.faults.append(fault)
        return report

    # -- what happens to it ----------------------------------------------------------------------------

    def _strike(self, level: Level) -> list[Fault]:
        """The faults that the next unit of the level meets."""
        self._numbers[level] += 1
        struck = [f for f in self._faults[level] if f.strikes(self._numbers[level], self._random)]
        self.injected.update(map(str, struck))
        return struck

    def _spoil(self, data: bytes, struck: Iterable[Fault]) -> Pieces:
        """A copy after everything that befalls it and its bytes."""
        pieces: Pieces = [(0.0, self._spoil_bytes(data))]
        for fault in struck:
            if fault.kind in TO_A_COPY:
                pieces = TO_A_COPY[fault.kind](self._random, pieces)
        return [piece for piece in pieces if piece[1]]

    def _spoil_bytes(self, data: bytes) -> bytes:
        if not self._faults["byte"]:
            return data
        spoilt = bytearray()
        for byte in data:
            piece = bytes([byte])
            for fault in self._strike("byte"):
                piece = b"".join(TO_A_BYTE[fault.kind](self._random, one) for one in piece)
            spoilt += piece
        return bytes(spoilt)
