"""Until when the service listened: a few bytes beside the journal, rewritten all the time.

They are not synchronised to the disk: a killed process leaves them in the system's memory, and after a power
cut the times of two boots cannot be compared anyway.
"""

import os
import struct
import zlib
from pathlib import Path

from controller.journal.disk import be_regular
from controller.journal.errors import JournalError

#: Real seconds between two beats.
BEAT = 0.25
#: The time, and a checksum of it: a wrong one would vouch for cards that nobody heard.
_TIME = struct.Struct("<d")
_BEAT = struct.Struct("<8sI")


class Heartbeat:
    """Times of the link clock. `open` raises JournalError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = -1

    def open(self) -> None:
        """Ready to beat."""
        try:
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            be_regular(self._fd, self._path)
        except OSError as error:
            remedy = "check its permissions, or move it away"
            raise JournalError(f"{self._path}: {error.strerror}; {remedy}") from None

    def last(self) -> float | None:
        """The last beat of the run before; None: there was none, or it cannot be read."""
        try:
            data = os.pread(self._fd, _BEAT.size, 0)
        except OSError:
            return None
        if len(data) != _BEAT.size:
            return None
        time, check = _BEAT.unpack(data)
        return float(_TIME.unpack(time)[0]) if check == zlib.crc32(time) else None

    def beat(self, now: float) -> None:
        """The ports are listened to now. A disk that refuses it only makes the next start more careful."""
        try:
            time = _TIME.pack(now)
            os.pwrite(self._fd, _BEAT.pack(time, zlib.crc32(time)), 0)
        except OSError:
            return

    def close(self) -> None:
        """Release the file."""
        os.close(self._fd)
