"""systemd/requirements.lock: each part is pinned and known by its hashes, and nothing is missing."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

CLONE = Path(__file__).parents[2]
TEXT = (CLONE / "systemd/requirements.lock").read_text()
PROJECT = tomllib.loads((CLONE / "pyproject.toml").read_text())
#: A pinned requirement with its hashes, as one logical line.
PINS = [
    line for line in re.sub(r"\\\n\s*", "", TEXT).splitlines() if line.strip() and not line.startswith("#")
]
NEEDED = [
    *PROJECT["project"]["dependencies"],
    *(
        need
        for extra in ("alerts", "broker", "lamps")
        for need in PROJECT["project"]["optional-dependencies"][extra]
    ),
    *PROJECT["build-system"]["requires"],
]


def pinned() -> dict[str, Version]:
    names = (Requirement(pin.partition("--hash=")[0]) for pin in PINS)
    return {canonicalize_name(n.name): Version(next(iter(n.specifier)).version) for n in names}


@pytest.mark.parametrize("pin", PINS)
def test_each_package_is_one_version_with_the_hashes_of_its_files(pin: str) -> None:
    head, *hashes = re.split(r"\s*--hash=", pin)
    (specifier,) = Requirement(head).specifier
    assert specifier.operator == "=="
    assert hashes
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes)


@pytest.mark.parametrize("need", NEEDED)
def test_it_satisfies_what_the_product_declares(need: str) -> None:
    wanted = Requirement(need)
    assert pinned()[canonicalize_name(wanted.name)] in wanted.specifier


def test_it_holds_what_the_parts_need_in_turn() -> None:
    """What is declared by the parts, as they are installed here: nothing is left for pip to choose."""
    from importlib.metadata import requires

    known = pinned()
    lacking = [
        f"{name}: {need}"
        for name in known
        for need in map(Requirement, requires(name) or ())
        if need.marker is None or need.marker.evaluate({"extra": ""})
        if canonicalize_name(need.name) not in known
    ]
    assert lacking == []


def test_it_names_no_place_to_fetch_from() -> None:
    assert not re.search(r"://|--(extra-)?index|--find-links|--trusted", TEXT)
