"""Files with secrets: where others may read them, or where they are no files, that is said."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.outputs.secret import read_private, read_secret
from controller.people import People
from controller.ports import ConfigurationError

CONFIG = """
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
ruleset = "nj-casino-night-mini-baccarat"
[shoe]
driver = "manual"
"""


def keep(path: Path, mode: int, data: bytes = b"secret\n") -> Path:
    path.write_bytes(data)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o640, 0o440])
def test_the_owner_and_for_reading_the_group_may(tmp_path: Path, mode: int) -> None:
    assert read_secret(keep(tmp_path / "key", mode)) == "secret"


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o660, 0o620, 0o606, 0o601, 0o610, 0o666, 0o777, 0o642])
def test_nobody_else_may(tmp_path: Path, mode: int) -> None:
    with pytest.raises(
        ConfigurationError, match=f"mode {mode:o} lets others at the secret; chmod 600 or 640"
    ):
        read_secret(keep(tmp_path / "key", mode))


NO_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (Path.mkdir, "is a directory; the service's user"),
    "a pipe that nobody fills": (os.mkfifo, "no regular file; put the secret into a file of its own"),
    "a device without an end": (lambda path: path.symlink_to("/dev/zero"), "no regular file"),
    "nothing": (lambda _: None, "no such file or directory; the service's user must be able to read it"),
    "a link in a ring": (lambda path: path.symlink_to(path), "too many levels of symbolic links"),
    "too much": (lambda path: keep(path, 0o600, b"a" * 70_000), "longer than 65536 bytes"),
    "no text": (lambda path: keep(path, 0o600, b"\xff\xfe"), "not text"),
}


@pytest.mark.parametrize("what", NO_FILES)
def test_what_is_no_file_of_a_secret_is_said(tmp_path: Path, what: str) -> None:
    make, says = NO_FILES[what]
    make(tmp_path / "key")
    with pytest.raises(ConfigurationError) as said:
        read_private(tmp_path / "key")
    assert str(said.value).startswith(f"{tmp_path / 'key'}: ")
    assert says in str(said.value)
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_the_people_in_what_is_no_file(tmp_path: Path, make: Callable[[Path], object]) -> None:
    people = People(tmp_path)
    make(people.path)
    for ask in (
        people.everybody,
        lambda: people.check("sue", "1234"),
        lambda: people.add("sue", "dealer", "1234"),
    ):
        with pytest.raises(
            ConfigurationError, match=r"people\.json: no regular file; remove it, and add people"
        ):
            ask()


def test_check_config_looks_at_the_people_too(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(CONFIG)

    def check() -> tuple[int, str]:
        words = (sys.executable, "-m", "controller", "check-config", str(file))
        done = subprocess.run(words, capture_output=True, text=True)
        return done.returncode, done.stderr.replace(str(tmp_path), "")

    assert check()[0] == 0
    People(tmp_path / "state").add("sue", "supervisor", "2222")
    assert check()[0] == 0
    (tmp_path / "state/people.json").chmod(0o640)
    assert check() == (
        2, "tablectl: /state/people.json: others may read it; run chmod 600 /state/people.json\n",
    )  # fmt: skip
