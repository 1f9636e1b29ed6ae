"""The machine as files under a root: what a check may ask. `/` is the real one, a folder a made-up one."""

import ctypes
import os
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from glob import glob
from pathlib import Path
from typing import NamedTuple

COMMITS = 20
APART = 0.02  # seconds between commits: back to back they are flattered
RECORD = b"-" * 450  # as long as a journal's
UNSYNCHRONISED = 5  # what adjtimex answers then


class Owned(NamedTuple):
    """Whose a file is, and who may read and write it (`mode`: permission bits)."""

    mode: int
    uid: int
    gid: int


class Who(NamedTuple):
    """A user and the groups that count for it."""

    name: str
    uid: int
    gids: frozenset[int]

    def may_use(self, owned: Owned) -> bool:
        """Whether this user may read and write the file."""
        if self.uid == 0:
            return True
        kind = 6 if self.uid == owned.uid else 3 if owned.gid in self.gids else 0
        return owned.mode >> kind & 6 == 6


class System:
    """Names are absolute, as on the real machine. Nothing here raises for a file that is missing."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def _path(self, name: str) -> Path:
        return self._root / name.lstrip("/")

    def exists(self, name: str) -> bool:
        return self._path(name).exists()

    def text(self, name: str) -> str:
        """A file's text, words of a NUL-separated one joined by blanks; empty where it cannot be read."""
        try:
            return self._path(name).read_text("utf-8", "replace").replace("\0", " ").strip()
        except OSError:
            return ""

    def glob(self, pattern: str) -> list[str]:
        """The names that fit, sorted."""
        # Path.glob raises for a process that ends meanwhile.
        return sorted("/" + name for name in glob(pattern.lstrip("/"), root_dir=self._root))  # noqa: PTH207

    def real(self, name: str) -> str:
        """The name behind every link on the way."""
        real = Path(os.path.realpath(self._path(name)))
        root = Path(os.path.realpath(self._root))
        return "/" + str(real.relative_to(root)) if real.is_relative_to(root) else str(real)

    def link(self, name: str) -> str:
        """What a link says; empty for what is none or may not be seen."""
        try:
            return str(self._path(name).readlink())
        except OSError:
            return ""

    def owned(self, name: str) -> Owned | None:
        """Whose the file is."""
        try:
            found = self._path(name).stat()
        except OSError:
            return None
        return Owned(stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid)

    # -- people and processes ----------------------------------------------------------------------------

    def groups(self) -> dict[str, tuple[int, frozenset[str]]]:
        """Group -> its number and members."""
        rows = (line.split(":") for line in self.text("/etc/group").splitlines())
        return {row[0]: (int(row[2]), frozenset(row[3].split(","))) for row in rows if len(row) == 4}

    def me(self) -> Who:
        """Who asks."""
        told = dict(line.split(":", 1) for line in self.text("/proc/self/status").splitlines() if ":" in line)
        gids = f"{told.get('Gid', '')} {told.get('Groups', '')}".split()
        uid = int((told.get("Uid") or "0").split()[0])
        return Who(self._user(uid), uid, frozenset(map(int, gids)))

    def user(self, name: str, also: Iterable[str] = ()) -> Who | None:
        """A user of /etc/passwd, with the groups `also` beside its own."""
        for row in (line.split(":") for line in self.text("/etc/passwd").splitlines()):
            if row[0] == name and len(row) > 3:
                groups = [gid for group, (gid, people) in self.groups().items() if name in people | {group}]
                more = [gid for group, (gid, _) in self.groups().items() if group in also]
                return Who(name, int(row[2]), frozenset({int(row[3]), *groups, *more}))
        return None

    def _user(self, uid: int) -> str:
        rows = (line.split(":") for line in self.text("/etc/passwd").splitlines())
        return next((row[0] for row in rows if len(row) > 2 and row[2] == str(uid)), str(uid))

    def processes(self) -> dict[int, str]:
        """The number of each process, and its name."""
        found = {}
        for name in self.glob("/proc/[0-9]*/comm"):
            found[int(name.split("/")[2])] = self.text(name)
        return found

    def command(self, pid: int) -> str:
        """How a process was started."""
        return self.text(f"/proc/{pid}/cmdline")

    def holders(self, node: str) -> list[int]:
        """The processes that have a device open, as far as this user may see; not this one."""
        pids = {int(name.split("/")[2]) for name in self.glob("/proc/[0-9]*/fd/*") if self.link(name) == node}
        return sorted(pids - {os.getpid()})

    # -- clock and disk ----------------------------------------------------------------------------------

    def now(self) -> float:
        """Seconds since 1970, by the wall clock."""
        return time.time()

    def synchronised(self) -> bool | None:
        """Whether something keeps the wall clock right; None: the kernel does not say."""
        answer = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(1024))
        return None if answer < 0 else answer != UNSYNCHRONISED

    def free(self, folder: str) -> int:
        """Bytes that a user may still write there. Raises OSError."""
        found = os.statvfs(self._path(folder))
        return found.f_bavail * found.f_frsize

    def commits(self, folder: str) -> list[float]:
        """Seconds that each of some journal commits took in a scratch file there. Raises OSError."""
        with tempfile.TemporaryDirectory(prefix=".doctor-", dir=self._path(folder)) as scratch:
            return _commits(Path(scratch) / "scratch")


def _commits(path: Path) -> list[float]:
    took = []
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as store:
            store.execute("PRAGMA journal_mode = WAL")
            store.execute("PRAGMA synchronous = FULL")
            store.execute("CREATE TABLE records (body BLOB)")
            for _ in range(COMMITS):
                time.sleep(APART)
                began = time.perf_counter()
                store.execute("INSERT INTO records VALUES (?)", (RECORD,))
                took.append(time.perf_counter() - began)
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from None
    return took
