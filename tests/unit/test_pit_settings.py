"""pit.toml: every fault with its line and remedy, in one look; and what the commands make of the file."""

import sys
from pathlib import Path

import pytest
from pit_desk import write_key

import config as shipped
from controller.cli import main
from controller.outputs.pit.settings import MOST, is_pit, load_pit, parse_pit
from controller.ports import ConfigurationError

SOUND = """\
[pit]
name = "Pit 1"
[[table]]
url = "http://127.0.0.1:8080/"
key_file = "1.key"
[[table]]
url = "https://192.0.2.21"
key_file = "1.key"
name = "Table 2"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_key(tmp_path / "1.key")
    return tmp_path


def faults(text: str, folder: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as refused:
        parse_pit(text, "pit.toml", folder)
    return str(refused.value).splitlines()


def test_a_sound_file(folder: Path) -> None:
    config = parse_pit(SOUND, "pit.toml", folder)
    assert (config.pit.host, config.pit.port, config.state) == ("127.0.0.1", 8090, folder / "pit-state")
    assert [table.url for table in config.table] == ["http://127.0.0.1:8080", "https://192.0.2.21"]
    assert [table.name for table in config.table] == [None, "Table 2"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "Pit 1"\n', "", "1: pit.name: is missing; add it"),
        ("[pit]\n", '[pit]\nlisten = "8090"\n', '2: pit.listen: should be ADDRESS:PORT, as "127.0.0.1:8080"'),
        ("[pit]\n", '[pit]\ntheme = "neon"\n', "2: pit.theme: no theme named 'neon'; set one of felt, "),
        ("[pit]\n", '[pit]\nlanguage = "tlh"\n', "2: pit.language: no text for 'tlh'; set one of en, "),
        ("[pit]\n", '[pit]\nkey_file = "1.key"\n', "2: pit.key_file: goes with a certificate; add "),
        (
            "[pit]\n",
            '[pit]\ncertificate_file = "no.pem"\n',
            "2: pit.certificate_file: {folder}/no.pem: no such",
        ),
        ("[pit]\n", '[pit]\ncolour = "red"\n', "2: pit.colour: is not a key known here; remove it or mend "),
        ("[pit]\n", '[pit]\nstate = "a\\u0000b"\n', "2: pit.state: holds a control character; remove it"),
        ("https://192.0.2.21", "http://192.0.2.21", "7: table.1.url: leaves this machine without TLS; use "),
        (
            "https://192.0.2.21",
            "https://192.0.2.21/pit",
            "7: table.1.url: is the address of a table, not ",
        ),
        ("https://192.0.2.21", "ftp://192.0.2.21", "7: table.1.url: should be https://HOST[:PORT]..., not "),
        ("https://192.0.2.21", "http://127.0.0.1:8080", "7: table.1.url: stands here for the second time; "),
        (
            '"1.key"\nname',
            '"2.key"\nname',
            "8: table.1.key_file: {folder}/2.key: no such file or ",
        ),
        ('key_file = "1.key"\nname', "name", "6: table.1.key_file: is missing; add it"),
        ('name = "Table 2"', 'ca_file = "no.pem"', "9: table.1.ca_file: {folder}/no.pem: no such file or "),
    ],
)
def test_each_fault_with_its_line(old: str, new: str, said: str, folder: Path) -> None:
    assert old in SOUND
    (line,) = faults(SOUND.replace(old, new, 1), folder)
    assert line.startswith("pit.toml:" + said.format(folder=folder))


def test_one_look_finds_them_all(folder: Path) -> None:
    text = SOUND.replace("8080/", "8080/?x").replace('"1.key"\nname', '"2.key"\nname').replace("Pit 1", "")
    lines = faults(text, folder)
    assert [line.split(": ")[0] + " " + line.split(": ")[1] for line in lines] == [
        "pit.toml:2 pit.name",
        "pit.toml:4 table.0.url",
        "pit.toml:8 table.1.key_file",
    ]


def test_at_least_one_table_and_no_more_than_a_page_holds(folder: Path) -> None:
    (line,) = faults('[pit]\nname = "Pit 1"\n', folder)
    assert line == "pit.toml:1: table: is missing; add it"
    rows = "".join(f'[[table]]\nurl = "https://192.0.2.{n}"\nkey_file = "1.key"\n' for n in range(MOST + 1))
    (line,) = faults('[pit]\nname = "Pit 1"\n' + rows, folder)
    assert "at most 40 items" in line


@pytest.mark.parametrize("text", ["[pit", '[pit]\nname = "\x00"', "pit = 3", "[pit]\n[table]\nurl = 1"])
def test_what_is_no_such_file(text: str, folder: Path) -> None:
    assert all(line.startswith("pit.toml:") for line in faults(text, folder))


def test_the_shipped_file_lacks_nothing_but_keys(tmp_path: Path) -> None:
    path = Path(shipped.__file__).parent / "pit.toml"
    assert is_pit(path)
    with pytest.raises(ConfigurationError) as refused:
        load_pit(path)
    keys = [line.split(": ")[1] for line in str(refused.value).splitlines()]
    assert keys == ["table.0.key_file", "table.0.ca_file"]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["tablectl", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capfd.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return run


def test_the_commands_know_the_file(folder: Path, say, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "pit.toml"
    path.write_text(SOUND)
    assert say("check-config", path) == (0, "", f"{path}: ok, Pit 1 watches 2 table(s)\n")
    with monkeypatch.context() as patch:
        patch.setattr("getpass.getpass", lambda _: "2222")
        patch.setattr("sys.stdin.isatty", lambda: True)
        assert say("user", "add", "sue", "--role", "supervisor", "-c", path)[0] == 0
    assert say("user", "list", "-c", path)[1] == f"{'sue':<20} supervisor\n"
    path.write_text(SOUND.replace("[pit]\n", '[pit]\nlisten = "0.0.0.0:8090"\n'))
    assert "pit.toml:2: pit.listen: PINs and sessions cross the network" in say("check-config", path)[2]
    path.write_text(SOUND.replace("[pit]\n", '[pit]\nlisten = "x"\n'))
    code, _, said = say("pit", "-c", path)
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"tablectl: {path}:2: pit.listen: ")
    assert say("pit", "-c", folder / "none")[2].endswith(
        "no such file or directory; name a readable pit.toml\n"
    )
