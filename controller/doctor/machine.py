"""The machine itself: clock, disk, watchdog."""

import posixpath
import re
from collections.abc import Iterator
from datetime import UTC, datetime

from controller.doctor.findings import Finding, Table, advice, mend, ok
from controller.doctor.system import System

#: A clock before this was never set (field failure 58).
EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)
ROOM, LITTLE_ROOM = 200 << 20, 1 << 30  # bytes free
SLOW, TOO_SLOW = 0.5, 5.0  # seconds of one commit: late on the screens; no new round is opened
FORGETFUL = ("tmpfs", "ramfs")
UNIT_FILES = (
    "/etc/systemd/system/table-controller.service",
    "/usr/lib/systemd/system/table-controller.service",
)


def check_clock(system: System, table: Table) -> Iterator[Finding]:
    """The wall clock is in the record beside the order of things, which does not depend on it."""
    now = datetime.fromtimestamp(system.now(), UTC)
    remedy = "connect a time server: sudo timedatectl set-ntp true; timedatectl timesync-status"
    says = f"it says {now:%Y-%m-%d %H:%M} UTC"
    kept = system.synchronised()
    if now < EARLIEST:
        yield mend("clock", "wall clock", f"{says}, which is long past", remedy)
    elif kept is False:
        yield advice("clock", "wall clock", f"{says}, and nothing keeps it right", remedy)
    else:
        yield ok("clock", "wall clock", f"{says}, {'kept right' if kept else 'the kernel says no more'}")


def check_disk(system: System, table: Table) -> Iterator[Finding]:
    """Room for the journal, and how long a commit takes where it will be."""
    folder = table.state
    while not system.exists(folder) and folder not in ("/", "."):
        folder = posixpath.dirname(folder) or "."
    device, kind = _mount(system, folder)
    if kind in FORGETFUL:
        says = f"on {kind}: a power cut takes the whole record with it"
        yield mend("disk", folder, says, "set table.state to a folder on a disk", needed=table.is_known)
    if system.text(f"/sys/block/{_disk(device)}/device/type") == "SD":
        remedy = "use eMMC, NVMe or an industrial card, with a partition of its own for the record"
        yield advice("disk", folder, "on an SD card, which a power cut may spoil", remedy)
    if strangers := _strangers(system, table.state):
        says = f"{', '.join(strangers)}: of another user than the folder, who may not open it"
        yield mend("disk", folder, says, f"chown --reference={folder} {folder}/*", needed=table.is_known)
    try:
        free, commits = system.free(folder), sorted(system.commits(folder))
    except OSError as error:
        says = f"cannot be written: {(error.strerror or str(error)).lower()}"
        yield mend(
            "disk", folder, says, "give the user of the service a folder of its own", needed=table.is_known
        )
        return
    room = f"{free / (1 << 30):.1f} GiB free"
    if free < LITTLE_ROOM:
        yield mend("disk", folder, room, "make room, or name another disk in table.state", needed=free < ROOM)
    took = f"a commit takes {commits[len(commits) // 2] * 1000:.1f} ms, at worst {commits[-1] * 1000:.1f} ms"
    if commits[-1] > SLOW:
        yield mend("disk", folder, took, "use a faster disk for table.state", needed=commits[-1] > TOO_SLOW)
    else:
        yield ok("disk", folder, f"{took}; {room}")


def _strangers(system: System, folder: str) -> list[str]:
    """Files of the record that belong to somebody else, as to root after a command of root's."""
    owner = system.owned(folder)
    files = {posixpath.basename(name): system.owned(name) for name in system.glob(f"{folder}/*")}
    return sorted(name for name, owned in files.items() if owner and owned and owned.uid != owner.uid)


def _mount(system: System, folder: str) -> tuple[str, str]:
    """The device and kind of the file system that a folder is on."""
    real = system.real(posixpath.abspath(folder))
    mounts = [line.split() for line in system.text("/proc/mounts").splitlines()]
    under = [m for m in mounts if len(m) > 2 and f"{real}/".startswith(f"{m[1].rstrip('/')}/")]
    best = max(under, key=lambda m: len(m[1]), default=("", "", ""))
    return best[0], best[2]


def _disk(device: str) -> str:
    """The disk of a partition: mmcblk0 of /dev/mmcblk0p2."""
    return re.sub(r"(?<=\d)p\d+$", "", device.rpartition("/")[2])


def check_watchdog(system: System, table: Table) -> Iterator[Finding]:
    """What restarts the machine when it stands still, and the service when that does."""
    dogs = system.glob("/sys/class/watchdog/watchdog*")
    if not dogs:
        says = "this machine has none; if it stands still nothing restarts it"
        yield ok("watchdog", "hardware", says)
    elif any(system.text(f"{dog}/state") == "active" for dog in dogs) or _is_set(system):
        yield ok("watchdog", "hardware", "it restarts the machine when it stands still")
    else:
        remedy = "write [Manager] and RuntimeWatchdogSec=15 into /etc/systemd/system.conf.d/watchdog.conf"
        yield advice("watchdog", "hardware", "there is one, and nobody uses it", remedy)
    unit = next((text for name in UNIT_FILES if (text := system.text(name))), "")
    if unit and "WatchdogSec=" not in unit:
        remedy = "install the service again, or add WatchdogSec=10 to its unit"
        yield mend("watchdog", "service", "systemd does not watch it", remedy)


def _is_set(system: System) -> bool:
    names = ["/etc/systemd/system.conf", *system.glob("/etc/systemd/system.conf.d/*.conf")]
    said = re.findall(r"^RuntimeWatchdogSec=(\S+)", "\n".join(map(system.text, names)), re.MULTILINE)
    return bool(said) and said[-1] not in ("0", "off")
