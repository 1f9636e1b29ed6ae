"""What can be wrong with a journal, said in one line with what to do."""

import sqlite3
from pathlib import Path

from controller.ports import ControllerError


class JournalError(ControllerError):
    """The journal cannot be opened, read or written now."""


class HeldError(JournalError):
    """Another process has this journal open for writing."""


class NoJournalError(JournalError):
    """A file that is no journal (`what`), under whatever name."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}; name a journal.db")
        self.what = what


class DamagedError(JournalError):
    """Something in the journal does not hold (`what`): it must be kept aside, never written on."""

    def __init__(self, path: Path, what: str) -> None:
        remedy = "move it away with `tablectl keep-aside`, then restore a backup or begin a new journal"
        super().__init__(f"{path}: {what}; {remedy}")
        self.what = what


#: SQLite's name for the fault begins with -> what to do
_REMEDIES = {
    "SQLITE_FULL": "free space on this disk",
    "SQLITE_IOERR": "check this disk and the space left on it",
    "SQLITE_BUSY": "end the other program that is writing to it",
    "SQLITE_LOCKED": "end the other program that is writing to it",
    "SQLITE_READONLY": "check the owner and the permissions of the file and its folder",
    "SQLITE_PERM": "check the owner and the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "check that the file is there and that it and its folder may be read",
    "SQLITE_CONSTRAINT": "run tablectl audit on it: somebody else has written to it",
}


def sqlite_fault(path: Path, error: sqlite3.Error, place: str = "") -> JournalError:
    """The typed error for a fault of SQLite at `path`; `place` says where in it."""
    name: str = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_CORRUPT"):
        return DamagedError(path, f"{place}{error}")
    if name == "SQLITE_NOTADB":
        return NoJournalError(path, f"{place}{error}")
    remedy = next((text for start, text in _REMEDIES.items() if name.startswith(start)), "run tablectl audit")
    return JournalError(f"{path}: {place}{error}; {remedy}")
