"""Tells when a program opens or closes a file: inotify, of which Python has no module."""

import ctypes
import os
import struct

IN_CLOSE_WRITE, IN_CLOSE_NOWRITE, IN_OPEN = 0x08, 0x10, 0x20
HEADER = struct.Struct("iIII")  # watch, mask, cookie, length of a name behind it

_libc = ctypes.CDLL(None, use_errno=True)


class Openings:
    """Counts who has `path` open, beginning with nobody. `fileno` is readable when `read` has news.

    Raises OSError where the file cannot be watched.
    """

    def __init__(self, path: str) -> None:
        self.count = 0
        self._fd = self._checked(_libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        mask = IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE
        self._checked(_libc.inotify_add_watch(self._fd, os.fsencode(path), mask))

    def fileno(self) -> int:
        return self._fd

    def read(self) -> None:
        """Bring `count` up to date."""
        try:
            data = os.read(self._fd, 65536)
        except BlockingIOError:
            return
        while data:
            _, mask, _, length = HEADER.unpack_from(data)
            self.count += 1 if mask & IN_OPEN else -1
            data = data[HEADER.size + length :]

    def close(self) -> None:
        os.close(self._fd)

    @staticmethod
    def _checked(result: int) -> int:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result
