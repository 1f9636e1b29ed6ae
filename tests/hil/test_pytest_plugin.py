"""The pytest plugin in the package: somebody else's tests use its fixtures; other tests do not notice it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from vendor import PACKAGE, installed


def pytest_run(folder, *options, path=()):
    """pytest as somebody else would run it, in a folder of theirs."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_vendors_package_tests_itself_with_the_virtual_devices(tmp_path):
    copy = shutil.copytree(PACKAGE, tmp_path / "vendor")
    done = pytest_run(copy, "tests", path=[installed(tmp_path)])
    assert done.returncode == 0, done.stdout
    assert "10 passed" in done.stdout


@pytest.fixture
def unrelated(tmp_path):
    (tmp_path / "test_unrelated.py").write_text(
        "import sys\n"
        "HEAVY = ('controller', 'drivers', 'pydantic', 'msgspec')\n"
        "LOADED = [name for name in sys.modules if name.split('.')[0] in HEAVY]\n"
        "def test_what_is_loaded():\n"
        "    assert LOADED == ['drivers', 'drivers.testing', 'drivers.testing.plugin']\n"
    )
    return tmp_path


def test_other_tests_load_nothing_but_the_plugin_itself(unrelated):
    done = pytest_run(unrelated)
    assert done.returncode == 0, done.stdout


def test_its_fixtures_are_listed_with_what_they_are_for(unrelated):
    told = pytest_run(unrelated, "--fixtures").stdout
    for name in ("virtual_shoe", "virtual_shuffler", "virtual_table", "virtual_device"):
        assert f"\n{name} --" in told


def test_the_examples_of_the_readme(tmp_path):
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    section = readme.partition("## Testing your own software")[2].partition("\n## ")[0]
    example = "".join(
        line[4:] or "\n" for line in section.splitlines(keepends=True) if line[:4] in ("    ", "\n")
    )
    (tmp_path / "test_readme_examples.py").write_text(example)
    done = pytest_run(tmp_path, path=[installed(tmp_path)])
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
