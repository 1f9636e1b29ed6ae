"""The C shim between a service and its disk: built when a campaign runs, and told what to do."""

import ctypes
import shutil
import subprocess
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from controller.ports import ConfigurationError

LIBRARIES = ("-ldl", "-lpthread")


def build(folder: Path) -> Path:
    """Compile it into `folder`, to be preloaded. Raises ConfigurationError."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise ConfigurationError("no C compiler here, which this campaign needs; install gcc and libc6-dev")
    shim = folder / "shim.so"
    with as_file(files(__package__) / "shim.c") as source:
        command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(shim), str(source), *LIBRARIES]
        made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        said = (made.stderr.strip().splitlines() or ["it said nothing"])[0]
        raise ConfigurationError(f"{compiler} cannot build the shim: {said}; install gcc and libc6-dev")
    return shim


@cache
def _shim() -> ctypes.CDLL:
    library = ctypes.CDLL(None)
    if not hasattr(library, "crash_watch"):
        raise ConfigurationError("the shim was not preloaded; this C library cannot be used by the campaign")
    library.crash_syncs.argtypes = [ctypes.c_long] * 3
    return library


def watch(folder: Path, log: Path) -> None:
    """From now on, note in `log` what this process does to files below `folder`, an absolute path."""
    _shim().crash_watch(str(folder).encode(), str(log).encode())


def said(text: str) -> None:
    """Note, between the changes, what was told to the world."""
    _shim().crash_said(text.encode())


def syncs(spared: float = 0, spoilt: float = 0, milliseconds: float = 0) -> None:
    """After so many that work, so many syncs fail with EIO; each takes so long."""
    _shim().crash_syncs(int(spared), int(spoilt), int(milliseconds))
