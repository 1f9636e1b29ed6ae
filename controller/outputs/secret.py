"""Files that hold a secret: read once at the start, and only when nobody else may read them."""

import os
import stat
from pathlib import Path

from controller.ports import ConfigurationError

#: What nobody but the owner may do, reading by the group excepted: root's file for the service's group.
_OTHERS = 0o037


def read_secret(path: Path) -> str:
    """The text of a secret file without its line end. Raises ConfigurationError."""
    try:
        with path.open(encoding="utf-8") as file:
            # Of the open file: the name may lead elsewhere a moment later.
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            text = file.read().strip()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{path}: {reason}; the service's user must be able to read it") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not text; a secret is one line of text") from None
    if mode & _OTHERS:
        raise ConfigurationError(f"{path}: mode {mode:o} lets others at the secret; chmod 600 or 640 it")
    if not text or len(text.splitlines()) != 1:
        raise ConfigurationError(f"{path}: should hold the secret as its only line")
    return text
