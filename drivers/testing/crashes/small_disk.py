"""A small disk of its own for a case: a tmpfs, which a file beside the journal fills at any instant."""

import ctypes
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from controller.ports import ConfigurationError

SIZE = 16 << 20
FILLER = "filler"
_REMEDY = "run this campaign as root, or allow user namespaces: sysctl kernel.unprivileged_userns_clone=1"

#: linux/sched.h, linux/mount.h
_NEW_MOUNTS, _NEW_USER = 0x20000, 0x10000000
_PRIVATE, _DETACHED = 0x4000 | 1 << 18, 2

_libc = ctypes.CDLL(None, use_errno=True)


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A new disk at `folder`, which this process and its children see. Raises ConfigurationError."""
    _apart()
    folder.mkdir()
    _must("mount a tmpfs", _libc.mount(b"tmpfs", bytes(folder), b"tmpfs", 0, b"mode=700,size=%d" % SIZE))
    try:
        yield
    finally:
        _libc.umount2(bytes(folder), _DETACHED)


def fill(folder: Path, left: float) -> None:
    """All but so many bytes, in whole pages, are taken."""
    fd = os.open(folder / FILLER, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while (taken := _free(folder) - int(left)) > 0:
            try:
                os.posix_fallocate(fd, os.fstat(fd).st_size, taken)
            except OSError as error:
                # Somebody was quicker.
                if error.errno != errno.ENOSPC:
                    raise
    finally:
        os.close(fd)


def free(folder: Path) -> None:
    """There is room again."""
    (folder / FILLER).unlink(missing_ok=True)


def _free(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


@cache
def _apart() -> None:
    """What is mounted from now on is this process's own, and gone with it."""
    uid, gid = os.geteuid(), os.getegid()
    if _libc.unshare(_NEW_MOUNTS):
        _must("have mounts of its own", _libc.unshare(_NEW_MOUNTS | _NEW_USER))
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
            Path("/proc/self", name).write_text(text)
    _must("have mounts of its own", _libc.mount(None, b"/", None, _PRIVATE, None))


def _must(what: str, failed: int) -> None:
    if failed:
        reason = os.strerror(ctypes.get_errno()).lower()
        raise ConfigurationError(f"this campaign may not {what} here: {reason}; {_REMEDY}")
