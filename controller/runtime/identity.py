"""Which software this is, and which boot of which machine: both are journalled at every start."""

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from controller.ports import ConfigurationError

PACKAGES = ("controller", "drivers", "config")


@cache
def software_version() -> str:
    """Version and a hash over every installed file of the product: `0.1.0+1f3a...`."""
    digest = sha256()
    for package in PACKAGES:
        root = Path(str(files(package)))
        for path in sorted(p for p in root.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
            name = f"{package}/{path.relative_to(root)}".encode()
            content = path.read_bytes()
            digest.update(b"%d %s %d " % (len(name), name, len(content)))
            digest.update(content)
    return f"{version('table-controller')}+{digest.hexdigest()[:16]}"


def boot_id() -> str:
    """This boot of this machine. Raises ConfigurationError where the kernel does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError as error:
        raise ConfigurationError(f"no boot id ({error.strerror}); this needs Linux with /proc") from None
