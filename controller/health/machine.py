"""What the machine says of itself: room on the disk, and whether its clock is set by another one."""

import ctypes
import os
from pathlib import Path
from typing import NamedTuple

#: adjtimex(2): the clock is not synchronised.
_TIME_ERROR = 5
_TIMESYNC = Path("/run/systemd/timesync")
_OWN_STATUS = Path("/proc/self/status")


class Room(NamedTuple):
    """Bytes of a file system: free to this user, and altogether."""

    free: int
    size: int


def room(folder: Path) -> Room | None:
    """Of the folder's file system; None: it cannot be asked."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    return Room(found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize)


def size_of(*files: Path) -> int:
    """Bytes of those of the files that are there."""
    total = 0
    for file in files:
        try:
            total += file.stat().st_size
        except OSError:
            continue
    return total


def clock_synchronised(timesync: Path = _TIMESYNC, own_status: Path = _OWN_STATUS) -> bool | None:
    """Whether wall times can be believed (field failure 58); None: this cannot be told.

    systemd-timesyncd leaves a file. The kernel knows in any case, but asking it is a call that a hardened
    unit may not make and would be killed for, so behind a system-call filter it is not asked.
    """
    if (timesync / "synchronized").exists():
        return True
    if timesync.is_dir():
        return False
    return None if _filtered(own_status) else _asked_of_the_kernel()


def _filtered(own_status: Path) -> bool:
    try:
        return "\nSeccomp:\t0\n" not in own_status.read_text()
    except OSError:
        return True


def _asked_of_the_kernel() -> bool | None:
    answer = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(1024))
    return None if answer < 0 else answer != _TIME_ERROR
