"""Until when the service listened: a few bytes beside the journal, rewritten all the time.

They are not synchronised to the disk: a killed process leaves them in the system's memory, and after a power
cut the times of two boots cannot be compared anyway.
"""

import os
import struct
from pathlib import Path

from controller.journal.errors import JournalError

#: Real seconds between two beats.
BEAT = 0.25
_TIME = struct.Struct("<d")


class Heartbeat:
    """Times of the link clock. `open` raises JournalError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = -1

    def open(self) -> None:
        """Ready to beat."""
        try:
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise JournalError(f"{self._path}: {error.strerror}; check its permissions") from None

    def last(self) -> float | None:
        """The last beat of the run before; None: there was none, or it cannot be read."""
        data = os.pread(self._fd, _TIME.size, 0)
        return float(_TIME.unpack(data)[0]) if len(data) == _TIME.size else None

    def beat(self, now: float) -> None:
        """The ports are listened to now. A disk that refuses it only makes the next start more careful."""
        try:
            os.pwrite(self._fd, _TIME.pack(now), 0)
        except OSError:
            return

    def close(self) -> None:
        """Release the file."""
        os.close(self._fd)
