"""Children of a worker: forked, told nothing, heard line by line, and killed."""

import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

#: The exit code of a child whose work raised.
RAISED = 70


class Child:
    """A forked process that does `work`, which says lines on the descriptor it is given. What it says on
    standard error is kept in a file.
    """

    def __init__(self, work: Callable[[int], None], errors: Path) -> None:
        self.fd, saying = os.pipe()
        self.errors = errors
        self.pid = os.fork()
        if self.pid == 0:
            _be(work, saying, errors)
        os.close(saying)
        self.code: int | None = None
        self._held = b""

    def line(self, patience: float) -> bytes | None:
        """The next whole line; None: there was none in so many seconds, or the child has ended."""
        until = time.monotonic() + patience
        while b"\n" not in self._held:
            ready, _, _ = select.select([self.fd], [], [], max(0.0, until - time.monotonic()))
            more = os.read(self.fd, 1 << 16) if ready else b""
            if not more:
                return None
            self._held += more
        line, _, self._held = self._held.partition(b"\n")
        return line

    def end(self, how: signal.Signals = signal.SIGKILL, patience: float = 20.0) -> tuple[int, list[bytes]]:
        """End it; its exit code (below 0: the signal that ended it), and the whole lines left unheard."""
        os.kill(self.pid, how)
        lines = []
        while (line := self.line(patience)) is not None:
            lines.append(line)
        if how != signal.SIGKILL and not self._gone(patience):
            os.kill(self.pid, signal.SIGKILL)
        if self.code is None:
            _, status = os.waitpid(self.pid, 0)
            self.code = os.waitstatus_to_exitcode(status)
        os.close(self.fd)
        return self.code, lines

    def _gone(self, patience: float) -> bool:
        # Not asleep in turns: under libfaketime a sleep of Python's fails.
        ended = os.pidfd_open(self.pid)
        try:
            if not select.select([ended], [], [], patience)[0]:
                return False
        finally:
            os.close(ended)
        _, status = os.waitpid(self.pid, 0)
        self.code = os.waitstatus_to_exitcode(status)
        return True

    def complaint(self) -> str:
        """The last line of its standard error."""
        lines = self.errors.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "nothing was said"


def _be(work: Callable[[int], None], saying: int, errors: Path) -> None:
    """The child itself: never returns."""
    code = RAISED
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        told = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        for fd, standard in ((nowhere, 0), (nowhere, 1), (told, 2)):
            os.dup2(fd, standard)
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        work(saying)
        code = 0
    except BaseException:  # noqa: BLE001 - it must never go back into its parent's code
        traceback.print_exc()
    finally:
        os._exit(code)
