"""The wall's clock of a service, which libfaketime moves while it runs; the time that counts stays."""

import os
import subprocess
import sys
from pathlib import Path

from controller.ports import ConfigurationError

NAME = "faketime/libfaketimeMT.so.1"
FOLDERS = ("/usr/lib", "/usr/lib64", "/usr/local/lib")
#: Read anew at every question, and for the wall's clock alone. Until a child has a file of its own it stands.
SETTINGS = {
    "FAKETIME_TIMESTAMP_FILE": "/nowhere",
    "FAKETIME_NO_CACHE": "1",
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    "FAKETIME_DISABLE_SHM": "1",
    "NO_FAKE_STAT": "1",
}
_ASKED = "import time; print(time.time())"


def library() -> Path:
    """The library to be preloaded. Raises ConfigurationError: there is none that works."""
    found = [path for folder in FOLDERS for how in (NAME, f"*/{NAME}") for path in Path(folder).glob(how)]
    if not found:
        raise ConfigurationError("no libfaketime here, which this campaign needs; install libfaketime")
    for path in found:
        if _moves(path):
            return path
    raise ConfigurationError(
        f"{found[0]}: does not move this Python's clock; install libfaketime of the system"
    )


def _moves(path: Path) -> bool:
    settings = SETTINGS | {"FAKETIME": "2001-02-03 04:05:06", "TZ": "UTC", "LD_PRELOAD": str(path)}
    asked = subprocess.run(
        [sys.executable, "-c", _ASKED], env=os.environ | settings, capture_output=True, text=True
    )
    return asked.stdout.startswith("9811731")


def tidy() -> None:
    """What libfaketime keeps for programs that this one starts, and only an orderly end would remove."""
    for name in (f"faketime_shm_{os.getpid()}", f"sem.faketime_sem_{os.getpid()}"):
        Path("/dev/shm", name).unlink(missing_ok=True)


def own(file: Path) -> None:
    """From now on the clock of this process, alone, is what that file says."""
    file.write_text("+0")
    os.environ["FAKETIME_TIMESTAMP_FILE"] = str(file)


def jump(ahead: float) -> None:
    """The clock is so many seconds ahead."""
    file = Path(os.environ["FAKETIME_TIMESTAMP_FILE"])
    new = file.with_suffix(".new")
    new.write_text(f"{ahead:+f}")
    new.replace(file)
