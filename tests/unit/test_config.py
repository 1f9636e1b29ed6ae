"""table.toml: every fault is found, with its line and what to do; what holds is read as it stands."""

from pathlib import Path

import pytest

from controller.config import load_configuration, parse_configuration
from controller.ports import ConfigurationError

SOUND = """\
[table]
id = "MB-01"
name = "Mini-Baccarat 1"
seats = 7
ruleset = "nj-mini-baccarat"
boundaries = "device"
dealing = "face-up"
state = "state"
[shoe]
driver = "angel-eye"
link = "pty:/tmp/shoe"
decks = 8
[web]
listen = "127.0.0.1:8080"
[board]
tail = "redrop"
[log]
level = "info"
"""


def faults(text):
    """What is said of a text, line by line, without the file's name."""
    with pytest.raises(ConfigurationError) as refused:
        parse_configuration(text, "table.toml", Path("/srv/table"))
    lines = str(refused.value).splitlines()
    assert all(line.startswith("table.toml:") for line in lines)
    return [line.removeprefix("table.toml:") for line in lines]


def test_a_sound_file_is_read_as_it_stands():
    config = parse_configuration(SOUND, "table.toml", Path("/srv/table"))
    assert (config.table.id, config.table.name, config.ruleset.name) == (
        "MB-01",
        "Mini-Baccarat 1",
        "nj-mini-baccarat",
    )
    assert config.state == Path("/srv/table/state")
    assert (config.web.host, config.web.port) == ("127.0.0.1", 8080)
    assert [(name, section.driver) for name, _, _, section in config.devices()] == [("shoe", "angel-eye")]


def test_what_need_not_be_said():
    text = '[table]\nid = "1"\nname = "One"\n[shoe]\ndriver = "angel-eye"\nlink = "pty:/tmp/shoe"\n'
    config = parse_configuration(text, "table.toml", Path())
    assert config.table.ruleset == "nj-mini-baccarat"
    assert config.table.boundaries == "announced"
    assert config.table.dealing == "face-up"
    assert (config.table.seats, config.shoe.decks, config.shoe.commands) == (7, 8, False)
    assert config.web.listen == "127.0.0.1:8080"


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        (2, 'id = "MB 01"', "2: table.id: "),
        (2, "", "1: table.id: is missing; add it"),
        (3, 'name = ""', "3: table.name: "),
        (4, "seats = 0", "4: table.seats: should be greater than or equal to 1, not 0"),
        (4, "seats = 10", "4: table.seats: 10 seats, and nj-mini-baccarat allows 7 "),
        (4, 'seats = "seven"', "4: table.seats: should be a whole number, "),
        (5, 'ruleset = "nevada"', "5: table.ruleset: no ruleset named 'nevada'; name one of france, "),
        (5, 'ruleset = "own.toml"', "5: table.ruleset: /srv/table/own.toml: "),
        (
            6,
            'boundaries = "buttons"',
            "6: table.boundaries: should be 'announced', 'device' or 'first_card', ",
        ),
        (7, 'dealing = "sideways"', "7: table.dealing: should be 'face-up', 'player-down' or 'both-down', "),
        (8, 'colour = "green"', "8: table.colour: is not a key known here; remove it or mend its spelling"),
        (10, "", "9: shoe.driver: is missing; add it"),
        (10, 'driver = "angel"', "10: shoe.driver: no driver named 'angel'; installed: "),
        (11, "", "9: shoe.link: is missing; say where the device is, as serial:/dev/serial/by-id/..."),
        (11, 'link = "com1:"', "11: shoe.link: link 'com1:': an address begins with one of "),
        (
            11,
            'link = "tcp:shoe"',
            "11: shoe.link: link 'tcp:shoe': write tcp:HOST:PORT, as tcp:192.0.2.10:4001",
        ),
        (
            11,
            'link = "serial:/dev/ttyUSB0"',
            "11: shoe.link: link 'serial:/dev/ttyUSB0': /dev/ttyUSB0 is another",
        ),
        (
            11,
            'link = "serial:/dev/ttyS0?baud=fast"',
            "11: shoe.link: link 'serial:/dev/ttyS0?baud=fast': baud is",
        ),
        (12, "decks = 13", "12: shoe.decks: should be less than or equal to 12, not 13"),
        (12, "decks = 4", "12: shoe.decks: 4, and nj-mini-baccarat asks for "),
        (12, "copies = 0", "12: shoe.copies: should be greater than or equal to 1, not 0"),
        (12, "speed = 4800", "12: shoe.speed: is neither a key of this section nor a setting of angel-eye; "),
        (14, 'listen = "8080"', "14: web.listen: should be ADDRESS:PORT, as \"127.0.0.1:8080\", not '8080'"),
        (14, 'listen = "127.0.0.1:99999"', "14: web.listen: should be ADDRESS:PORT"),
        (14, 'listen = "a:1:2"', "14: web.listen: should be ADDRESS:PORT"),
        (14, 'listen = "a..b:80"', "14: web.listen: should be ADDRESS:PORT"),
        (14, f'listen = "{"a" * 64}:80"', "14: web.listen: should be ADDRESS:PORT"),
        (3, 'name = "One\\nTwo"', "3: table.name: holds a control character; remove it"),
        (5, 'ruleset = "\\u0000.toml"', "5: table.ruleset: holds a control character; remove it"),
        (8, 'state = "\\u007f"', "8: table.state: holds a control character; remove it"),
        (10, 'driver = "\\u0000.toml"', "10: shoe.driver: holds a control character; remove it"),
        (14, 'names = ["one", "t\\u0000wo"]', "14: web.names.1: holds a control character; remove it"),
        (14, '"\\u0000" = 1', "13: web: holds a control character; remove it"),
        (16, 'theme = "\\u0000.css"', "16: board.theme: holds a control character; remove it"),
        (16, 'tail = "left"', "16: board.tail: should be "),
        (18, 'level = "loud"', "18: log.level: should be 'debug', 'info', 'warning' or 'error', not"),
        (18, "level = info", "18: not TOML: "),
        (18, '[[display]]\ndriver = "angel-eye"', "19: display.0.driver: angel-eye is a shoe, no display; "),
    ],
)
def test_one_fault(line, instead, said):
    lines = SOUND.splitlines()
    lines[line - 1] = instead
    (first, *others) = faults("\n".join(lines) + "\n")
    assert first.startswith(said)
    assert not others


def test_a_misspelt_section_is_two_faults():
    assert faults(SOUND.replace("[shoe]", "[shoo]")) == [
        "1: shoe: is missing; add it",
        "9: shoo: is not a key known here; remove it or mend its spelling",
    ]


def test_a_manual_shoe_neither_reports_a_result_nor_meets_the_law():
    assert [line.split(": ")[:2] for line in faults(SOUND.replace("angel-eye", "manual"))] == [
        ["10", "shoe.driver"],
        ["6", "table.boundaries"],
    ]


def test_every_fault_is_told_at_once():
    found = faults("""\
[table]
id = "MB 01"
seats = 20
ruleset = "nevada"
boundaries = "buttons"

[shoe]
driver = "angel-eye"
link = "serial:/dev/ttyUSB0"
decks = 99
copies = 0
speed = 4

[[display]]
driver = "angel-eye"

[[display]]
driver = "nobody"

[web]
listen = "8080"

[tabel]
""")
    places = [tuple(line.split(": ")[:2]) for line in found]
    assert sorted(places, key=lambda place: (int(place[0]), place[1])) == [
        ("1", "table.name"),
        ("2", "table.id"),
        ("3", "table.seats"),
        ("4", "table.ruleset"),
        ("5", "table.boundaries"),
        ("9", "shoe.link"),
        ("10", "shoe.decks"),
        ("11", "shoe.copies"),
        ("12", "shoe.speed"),
        ("15", "display.0.driver"),
        ("18", "display.1.driver"),
        ("21", "web.listen"),
        ("23", "tabel"),
    ]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", ["table", "shoe"]),
        ("table = 1\n", ["table", "shoe"]),
        ("[table]\n[shoe]\n", ["table.id", "table.name", "shoe.driver"]),
        ('shoe = []\ntable = "MB-01"\n', ["table", "shoe"]),
        ("display = 3\n", ["table", "shoe", "display"]),
    ],
)
def test_what_is_hardly_a_configuration_is_told_as_faults(text, keys):
    assert [line.split(": ")[1] for line in faults(text)] == keys


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigurationError, match="no such file or directory; name a readable"):
        load_configuration(tmp_path / "table.toml")
    (tmp_path / "table.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigurationError, match="not UTF-8 text; save it as UTF-8"):
        load_configuration(tmp_path / "table.toml")


def test_a_ruleset_of_the_house_is_meant_from_the_files_folder(tmp_path):
    shipped = Path(__file__).parents[2] / "config/rulesets/macau.toml"
    (tmp_path / "house.toml").write_text(shipped.read_text().replace('"macau"', '"house"', 1))
    text = (
        SOUND.replace("nj-mini-baccarat", "house.toml")
        .replace("face-up", "both-down")
        .replace('"device"', '"announced"')
    )
    assert parse_configuration(text, "table.toml", tmp_path).ruleset.name == "house"


def test_the_shipped_example_is_sound():
    load_configuration(Path(__file__).parents[2] / "config/table.toml")


@pytest.mark.parametrize("host", ["localhost", "table-1.pit.example", "0.0.0.0", "::1", "[::1]"])
def test_where_pages_may_be(host):
    text = SOUND.replace("127.0.0.1:8080", f"{host}:80")
    assert parse_configuration(text, "table.toml", Path()).web.port == 80
