"""The writer thread: whoever appends never waits for the disk; what is acknowledged is on it.

The thread takes everything that waits into one transaction, so that a backlog clears with one sync. While the
disk refuses, entries stay queued in order and are tried again; nothing is acknowledged, nothing is dropped.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import Literal, NamedTuple

from controller.journal.errors import JournalError
from controller.journal.record import Entry, now
from controller.journal.store import Store

#: Seconds between two attempts while the disk refuses.
RETRY = 0.25

Done = Callable[[int, int], None]
#: `failing`: the last attempt was refused, or the thread is gone.
State = Literal["writing", "failing", "closed"]


class _Batch(NamedTuple):
    first: int
    entries: tuple[Entry, ...]
    wall: str
    done: Done
    since: float


class Writer:
    """Appends to a store that it alone uses from now on, and closes it.

    `schedule` runs a call where the caller wants it, as `loop.call_soon_threadsafe` does; it must not raise.
    `failed` is scheduled with the typed error once for a spell of failure, and anew when the error changes.
    `timed` is called behind the `done` of a transaction with the seconds that it took to be durable.
    """

    def __init__(
        self,
        store: Store,
        schedule: Callable[[Callable[[], None]], object],
        failed: Callable[[JournalError], None],
        wall: Callable[[], str] = now,
        timed: Callable[[float], None] | None = None,
    ) -> None:
        self._store = store
        self._schedule = schedule
        self._failed = failed
        self._wall = wall
        self._timed = timed
        self._next = store.tip.seq + 1
        self._queue: deque[_Batch] = deque()
        self._error: JournalError | None = None
        self._wake = Event()
        self._closing = Event()
        self._checkpoint = Event()
        #: (the first record to keep, files to keep in the archive), when the journal is to be divided
        self._division: tuple[int, int] | None = None
        self._thread = Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def append(self, entries: Sequence[Entry], done: Done) -> int:
        """Queue entries for one transaction; the number of the first. One producer only; never waits.

        `done(first, last)` is scheduled when they are durable, in the order of the appends. Without entries
        it says that everything appended before is durable; `last` is then `first - 1`.
        """
        if self._closing.is_set():
            raise JournalError(f"{self._store.path}: the journal is closed; nothing can be appended")
        first = self._next
        self._next += len(entries)
        self._queue.append(_Batch(first, tuple(entries), self._wall(), done, time.monotonic()))
        self._wake.set()
        return first

    def checkpoint(self) -> None:
        """Ask for a truncating checkpoint behind what is queued now: between shoes. Never waits."""
        self._checkpoint.set()
        self._wake.set()

    def divide(self, first: int, keep: int = 0) -> None:
        """Ask for the records before `first`, all of them durable, to be moved into the archive behind what
        is queued now; `keep`: files to leave there, 0 for all. Never waits.
        """
        self._division = (first, keep)
        self._wake.set()

    def lag(self) -> float:
        """Seconds that the oldest entry which is not durable has waited."""
        try:
            return time.monotonic() - self._queue[0].since
        except IndexError:
            return 0.0

    @property
    def state(self) -> State:
        """Whether entries become durable."""
        if not self._thread.is_alive():
            return "closed" if self._closing.is_set() and not self._queue else "failing"
        return "failing" if self._error else "writing"

    @property
    def error(self) -> JournalError | None:
        """Why the state is `failing`."""
        return self._error

    def close(self) -> None:
        """Write what is queued, checkpoint, and close the store. Waits for the disk.

        Raises JournalError when something could not be written, with how many entries are lost.
        """
        if self._closing.is_set():
            return
        self._closing.set()
        self._wake.set()
        self._thread.join()
        lost = sum(len(batch.entries) for batch in self._queue)
        if not lost:
            self._store.close()
            return
        with suppress(JournalError):
            self._store.close()
        raise JournalError(f"{self._error or self._store.path}; {lost} entries were never written")

    def _run(self) -> None:
        closing = False
        while not closing:
            self._wake.wait()
            self._wake.clear()
            # Read first: whatever was appended before the close is then in the queue.
            closing = self._closing.is_set()
            self._drain()
            if self._checkpoint.is_set() and not self._queue:
                self._checkpoint.clear()
                self._try(self._store.checkpoint)
            if (division := self._division) and not self._queue:
                self._division = None
                self._try(partial(self._store.divide, *division))

    def _drain(self) -> None:
        """Write until nothing is queued; while the disk refuses, until it gives in or the journal closes."""
        while waiting := len(self._queue):
            batches = [self._queue[i] for i in range(waiting)]
            stamped = [(entry, batch.wall) for batch in batches for entry in batch.entries]
            began = time.monotonic()
            if not self._try(partial(self._store.write, stamped)):
                if self._closing.wait(RETRY):
                    return
                continue
            took = time.monotonic() - began
            if self._try(self._store.mark):
                self._error = None
            for batch in batches:
                self._queue.popleft()
                self._schedule(partial(self._tell, batch, took if batch is batches[-1] else None))

    def _tell(self, batch: _Batch, took: float | None) -> None:
        """Whoever waits for the last batch of a transaction goes on when its time has been counted, too."""
        batch.done(batch.first, batch.first + len(batch.entries) - 1)
        if took is not None and self._timed is not None:
            self._timed(took)

    def _try(self, act: Callable[[], object]) -> bool:
        """Whether `act` succeeded; a new failure is kept and reported."""
        try:
            act()
        except JournalError as error:
            known, self._error = self._error, error
            if str(error) != str(known):
                self._schedule(partial(self._failed, error))
            return False
        return True
