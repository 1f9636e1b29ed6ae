"""What the README promises is there: its commands, its files, its picture."""

import re
from pathlib import Path

import typer

from controller.cli import app

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_every_command_that_it_names_is_one():
    there = set(typer.main.get_command(app).commands)
    named = set(re.findall(r"\btablectl ([a-z-]+)", README))
    assert {"demo", "run", "check-config", "decode", "replay", "sim", "audit"} <= named <= there


def test_every_file_that_it_links_is_there():
    for place in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / place).is_file(), place


def test_every_folder_that_it_explains_is_there():
    table = README.partition("| folder | holds |")[2].partition("\n\n")[0]
    folders = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    assert len(folders) > 5
    for folder in folders:
        assert (ROOT / folder).is_dir(), folder


def test_it_opens_with_one_command_for_the_demonstration_and_one_for_the_tests():
    commands = re.findall(r"^    (sh .*)$", README, re.MULTILINE)
    assert commands == ["sh systemd/setup demo", "sh systemd/setup test"]
    assert README.index(commands[1]) < README.index("![")
    run = (ROOT / ".ci/run").read_text()
    assert run.rstrip().endswith(f"exec {commands[1]}")
