"""Bad usage and bad input of every command: exit 2, and one clear line: what, where, what to do."""

import sys

import pytest
import typer

from controller.cli import app, main


def commands(command, path=()):
    """(words, command) of every command that does something."""
    inner = getattr(command, "commands", None)
    if inner is None:
        return [(path, command)]
    return [found for name, one in inner.items() for found in commands(one, (*path, name))]


COMMANDS = dict(commands(typer.main.get_command(app)))
#: What is asked of each before it can go wrong in its own way.
NEEDED = [words for words, command in COMMANDS.items() if any(p.required for p in command.params)]


@pytest.fixture
def refused(monkeypatch, capfd):
    """Runs a command that must be refused; the line that it says."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["tablectl", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capfd.readouterr()
        assert (ended.value.code, said.out) == (2, "")
        (line,) = said.err.splitlines()
        return line

    return run


def test_the_commands_that_there_must_be():
    names = {"demo", "run", "check-config", "replay", "decode", "sim", "explain", "rules", "odds", "audit"}
    assert names <= {words[0] for words in COMMANDS}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_an_unknown_option(words, refused):
    name = " ".join(["tablectl", *words])
    line = refused(*words, "--nonsense")
    assert line.startswith(f"{name}: no such option: --nonsense")
    assert line.endswith(f"; see {name} --help")


@pytest.mark.parametrize("words", NEEDED, ids=" ".join)
def test_a_missing_argument(words, refused):
    name = " ".join(["tablectl", *words])
    line = refused(*words)
    assert line.startswith(f"{name}: missing ")
    assert line.endswith(f"; see {name} --help")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_is_no_bad_usage(words, monkeypatch, capfd):
    monkeypatch.setattr(sys, "argv", ["tablectl", *words, "--help"])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capfd.readouterr()
    assert (ended.value.code or 0, said.err) == (0, "")
    assert "Usage: " in said.out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("", "tablectl: missing command; see tablectl --help"),
        ("deal", "tablectl: no such command 'deal'; see tablectl --help"),
        ("demo --speed 0", "tablectl: --speed 0.0: give a number above 0, up to 1000; 1 is a table's speed"),
        ("demo --rounds 1 --shoes 1", "tablectl: --rounds and --shoes: give one of them"),
        ("demo --rounds 0", "tablectl demo: invalid value for '--rounds': "),
        (
            "demo --rounds 1 --state {file}",
            "tablectl: --state {file}: file exists; name a folder you may write",
        ),
        (
            'demo --rounds 1 --listen here"',
            'tablectl: demo:21: web.listen: should be ADDRESS:PORT, as "127.0.0.1:8080", not \'here"\'',
        ),
        ("run -c {none}", "tablectl: {none}: no such file or directory; name a readable table.toml"),
        ("check-config {none}", "tablectl: {none}: no such file or directory; name a readable table.toml"),
        ("check-config {folder}", "tablectl: {folder}: is a directory; name a readable table.toml"),
        (
            "replay {none}",
            "tablectl: {none}: no such file or directory; name a readable file, or - for stdin",
        ),
        ("replay {file}", "tablectl: {file}, line 1: JSON is malformed: "),
        ("replay {empty} --decks 13", "tablectl replay: invalid value for '--decks': "),
        ("replay {empty} --ruleset nevada", "tablectl: no ruleset named 'nevada'; name one of france, "),
        ("replay {empty} --boundaries none", "tablectl: --boundaries 'none': not known; give announced, "),
        ("decode {empty}", "tablectl decode: missing option '--protocol'; see tablectl decode --help"),
        ("decode --protocol morse {empty}", "tablectl: no driver named 'morse'; installed: "),
        (
            "decode --protocol angel-eye {none}",
            "tablectl: {none}: no such file or directory; name a readable ",
        ),
        (
            "decode --protocol angel-eye --hex {file}",
            "tablectl: {file}: line 1, column 1: 'no' is not a byte; ",
        ),
        ("sim morse", "tablectl: no driver named 'morse'; installed: "),
        ("sim angel-eye --link serial:/dev/ttyS0", "tablectl: "),
        (
            "explain ZZ",
            "tablectl: card 1: 'ZZ' is no card; write a rank A 2..9 T J Q K and a suit C D H S, as ",
        ),
        ("explain 2C --ruleset {none}.toml", "tablectl: {none}.toml: no such file or directory; "),
        ("rules --ruleset nevada", "tablectl: no ruleset named 'nevada'; name one of france, "),
        ("odds --decks 0", "tablectl odds: invalid value for '--decks': "),
        ("roads {none}", "tablectl: {none}: no such file or directory; name a readable file, or - for stdin"),
        ("audit {none}", "tablectl: {none}: no such file; name a journal.db or the folder it lies in"),
        ("audit {file}", "tablectl: {file}: file is not a database; name a journal.db"),
    ],
)
def test_one_clear_line(words, line, refused, tmp_path):
    places = {"none": tmp_path / "none", "folder": tmp_path}
    for name, content in (("file", "no capture, no journal, no JSON\n" * 99), ("empty", "")):
        places[name] = tmp_path / name
        places[name].write_text(content)
    assert refused(*words.format(**places).split()).startswith(line.format(**places))
