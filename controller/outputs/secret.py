"""Files that hold a secret: read once at the start, and only when nobody else may read them."""

import os
import stat
from pathlib import Path

from controller.ports import ConfigurationError

#: What nobody but the owner may do, reading by the group excepted: root's file for the service's group.
_OTHERS = 0o037
#: Bytes. A key with all its certificates is far smaller.
_MOST = 1 << 16


def read_private(path: Path) -> str:
    """The text of a file that nobody else may read. Raises ConfigurationError."""
    try:
        # Not to wait for ever for somebody to write into a pipe.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            # Of the open file: the name may lead elsewhere a moment later.
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_MOST + 1) if stat.S_ISREG(mode) else b""
        text = data.decode("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(f"{path}: {reason}; the service's user must be able to read it") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: not text; a secret is a file of text") from None
    if not stat.S_ISREG(mode):
        raise ConfigurationError(f"{path}: no regular file; put the secret into a file of its own")
    if stat.S_IMODE(mode) & _OTHERS:
        what = f"mode {stat.S_IMODE(mode):o} lets others at the secret"
        raise ConfigurationError(f"{path}: {what}; chmod 600 or 640 it")
    if len(data) > _MOST:
        raise ConfigurationError(f"{path}: longer than {_MOST} bytes, so no secret; name another file")
    return text


def read_secret(path: Path) -> str:
    """The text of a secret file without its line end. Raises ConfigurationError."""
    text = read_private(path).strip()
    if not text or len(text.splitlines()) != 1:
        raise ConfigurationError(f"{path}: should hold the secret as its only line")
    return text
