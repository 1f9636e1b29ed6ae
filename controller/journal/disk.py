"""Files and names that are on the disk when a call returns. Every function raises OSError."""

import errno
import os
import stat
from pathlib import Path


def sync_folder(path: Path) -> None:
    """The names of files just created are on the disk too."""
    _sync(path, os.O_RDONLY | os.O_DIRECTORY)


def sync_file(path: Path) -> None:
    """What was written to the file is on the disk."""
    _sync(path, os.O_RDWR)


def hand_over(path: Path) -> None:
    """What root has made in another user's folder is that user's, or their service could not use it."""
    owner = path.parent.stat()
    if os.geteuid() == 0 and path.stat().st_uid != owner.st_uid:
        os.chown(path, owner.st_uid, owner.st_gid)


def read_whole(path: Path) -> bytes:
    """A regular file's content: a pipe, at which one would wait for ever, or a device is refused."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        be_regular(file.fileno(), path)
        return file.read()


def be_regular(fd: int, path: Path) -> None:
    """What was opened can be read and written anywhere."""
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise OSError(errno.EINVAL, "no regular file", str(path))


def write_whole(path: Path, data: bytes, mode: int) -> None:
    """All of it or nothing, on the disk; nothing is written where it is there already."""
    if path.exists() and read_whole(path) == data:
        return
    new = path.with_name(path.name + ".new")
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        os.write(fd, data)
        os.fsync(fd)
    finally:
        os.close(fd)
    hand_over(new)
    new.replace(path)
    sync_folder(path.parent)


def _sync(path: Path, how: int) -> None:
    fd = os.open(path, how)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
