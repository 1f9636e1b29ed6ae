"""The wheel is the product: it carries all its data, and runs from a fresh environment and any folder."""

import json
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "drivers", "config")


def run(*words, **options):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def commands(wheel, tmp_path_factory):
    """The folder of the commands of an environment with nothing but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, with_pip=True)
    run(folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    return folder / "bin"


def test_every_file_of_the_packages_is_in_the_wheel_and_no_other(wheel):
    found = [path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file()]
    files = [str(path.relative_to(ROOT)) for path in found if "__pycache__" not in path.parts]
    carried = [name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert {Path(name).suffix for name in carried} >= {".py", ".toml", ".html", ".js", ".svg"}
    assert sorted(carried) == sorted(files)


def test_the_demonstration_runs_from_another_folder(commands, tmp_path):
    options = ("--rounds", "3", "--headless", "--json", "--speed", "10")
    summary = json.loads(run(commands / "tablectl", "demo", *options, cwd=tmp_path))
    assert list(summary) == [
        "rounds", "shoes", "winners", "irregularities", "cards", "journal", "p50_ms", "p99_ms",
    ]  # fmt: skip
    assert (summary["rounds"], summary["shoes"], summary["irregularities"]) == (3, 1, [])
    assert list(summary["winners"]) == ["player", "banker", "tie"]
    assert sum(summary["winners"].values()) == 3
    assert 12 <= summary["cards"] <= 18
    assert 0 < summary["p50_ms"] <= summary["p99_ms"]
    assert run(commands / "tablectl", "audit", summary["journal"], cwd=tmp_path).startswith("ok: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        "explain 2C 9D 3H 7S 4S --bets player=100 --json",
        "rules --ruleset macau --json",
        "odds --decks 1 --json",
        "replay law-natural.deal",
        f"check-config {ROOT / 'config/table.toml'}",
    ],
    ids=lambda words: words.split()[0],
)
def test_nothing_but_the_wheel_is_needed(commands, words, tmp_path):
    run(commands / "tablectl", *words.split(), cwd=tmp_path)


def test_as_a_module(commands, tmp_path):
    assert "Usage: " in run(commands / "python", "-m", "controller", "--help", cwd=tmp_path)
