"""A bare Debian for tests of the installation: a root folder made by debootstrap, by chroot and booted.

Needs root, the network, and Debian's packages debootstrap and systemd-container.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

CLONE = Path(__file__).parents[2]
PARTS_OF_CLONE = ("controller", "drivers", "config", "systemd", "pyproject.toml", "README.md", "LICENSE")
#: What a Debian that boots has, and no Python.
PARTS = "systemd,systemd-sysv,udev,dbus"
#: Seconds in which something that was asked for must have happened.
SOON = 60.0

ENTER = """
mount --make-rprivate /
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
# Not as the first process: systemd's tools would write to the kernel's log there.
chroot "$0" "$@" || exit $?
"""

T = TypeVar("T")
Done = subprocess.CompletedProcess[str]


def _environment(root: Path) -> dict[str, str]:
    """A plain one, but for the way from this machine to the package registries."""
    here = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
    here |= {name: os.environ[name] for name in ("http_proxy", "https_proxy") if name in os.environ}
    if certificates := os.environ.get("PIP_CERT"):
        shutil.copy(certificates, root / "srv/certificates")
        here["PIP_CERT"] = "/srv/certificates"
    return here


class BareMachine:
    """`root`: its root folder. A copy of the clone is at /srv/clone there."""

    def __init__(self, root: Path) -> None:
        assert os.geteuid() == 0, "this makes a Debian root folder: run it as root"
        self.root = root
        made = subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={PARTS}", "bookworm", str(root)],
            capture_output=True, text=True,
        )  # fmt: skip
        assert made.returncode == 0, f"debootstrap failed:\n{made.stdout[-2000:]}{made.stderr[-2000:]}"
        for part in PARTS_OF_CLONE:
            source, target = CLONE / part, root / "srv/clone" / part
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        self._environment = _environment(root)

    def run(self, *command: str) -> Done:
        """In the root folder, as its root, with no system running."""
        return subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "sh", "-ceu", ENTER, str(self.root), *command],
            env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip

    @contextmanager
    def booted(self) -> Iterator["Booted"]:
        """With its own systemd as the first process."""
        console = self.root.with_suffix(".console")
        with console.open("w") as output:
            container = subprocess.Popen(
                ["systemd-nspawn", "--quiet", f"--directory={self.root}", f"--machine={self.root.name}",
                 "--register=no", "--keep-unit", "--private-network", "--console=pipe", "--boot"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
        try:
            yield Booted(container, console)
        finally:
            container.terminate()
            container.wait(SOON)


class Booted:
    """A machine that runs."""

    def __init__(self, container: subprocess.Popen[bytes], console: Path) -> None:
        children = Path(f"/proc/{container.pid}/task/{container.pid}/children")
        first = until(lambda: container.poll() is None and children.read_text().split(), console.read_text)
        self._enter = ["nsenter", f"--target={first[0]}", "--all", "--"]
        until(
            lambda: self.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"),
            console.read_text,
        )

    def run(self, *command: str) -> Done:
        """In the running system, as its root."""
        return subprocess.run(
            [*self._enter, "env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin", *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SOON,
        )  # fmt: skip

    def show(self, unit: str, name: str) -> str:
        """A property of a unit."""
        return self.run("systemctl", "show", "--value", f"--property={name}", unit).stdout.strip()

    def log(self, *options: str) -> list[str]:
        """The messages of the system's log."""
        return self.run("journalctl", "--quiet", "--output=cat", *options).stdout.splitlines()


def until(look: Callable[[], T], explain: Callable[[], str] = str) -> T:
    """The first true thing that `look` sees."""
    deadline = time.monotonic() + SOON
    while not (seen := look()):
        assert time.monotonic() < deadline, explain()
        time.sleep(0.1)
    return seen
