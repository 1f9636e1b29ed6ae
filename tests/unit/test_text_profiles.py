"""Device profiles: those that are shipped are right, a house's own is found, and every fault is explained."""

import subprocess
import sys
from importlib.resources import files

import pytest
from text_devices import codec

from controller.config import parse_configuration
from controller.ports import ConfigurationError, Received, find_driver, observe, profile_driver
from drivers.text.check import parse_profile

SHIPPED = sorted(
    f.name.removesuffix(".toml") for f in (files("config") / "devices").iterdir() if f.name.endswith(".toml")
)

GOOD = """\
[device]
kind = "shoe"
title = "a shoe"
[frame]
grammar = "line"
[checksum]
kind = "xor"
[field.number]
kind = "number"
digits = 1
[message.card]
text = "C{card}"
means = "card_drawn"
[message.player]
text = "P{index:number}{card}"
means = "card_drawn"
set = { slot = "player" }
"""


def faults(text):
    """The faults of a profile, each with its line."""
    with pytest.raises(ConfigurationError) as raised:
        parse_profile(text, "own.toml")
    return str(raised.value).splitlines()


def changed(*pairs):
    text = GOOD
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def test_the_shipped_ones_are_right():
    assert SHIPPED == [
        "bee-tek-a",
        "bee-tek-b",
        "lamps",
        "line-display",
        "open-bet-sensor",
        "open-shuffler",
    ]
    for name in SHIPPED:
        spec = find_driver(name)
        spec.driver(spec.settings()())
        assert spec.simulator(spec.settings()()).next_at() == 0.0


def test_what_a_profile_can_do_is_told():
    spec = profile_driver(GOOD, "own.toml")
    assert (spec.kind, spec.slots, spec.results, spec.commands) == ("shoe", True, False, ())
    assert spec.profile == GOOD
    assert find_driver("bee-tek-a").profile == ""
    result = '[message.result]\ntext = "R{winner}"\nmeans = "device_result"\n'
    result += "set = { player_pair = false, banker_pair = false, forced_quit = false }\n"
    result += '[field.winner]\nkind = "choice"\noptions = { P = "player", B = "banker", T = "tie" }\n'
    assert profile_driver(GOOD + result, "own.toml").results


@pytest.mark.parametrize(
    ("pair", "line", "words"),
    [
        (('kind = "shoe"', 'kind = "hat"'), 2, "device.kind"),
        (('title = "a shoe"', ""), 1, "device.title: is missing"),
        (('grammar = "line"', 'grammar = "lines"'), 5, "frame.grammar: is one of line, tags, not 'lines'"),
        (('grammar = "line"', 'grammar = "line"\nstart = "**"'), 6, "frame.start"),
        (('grammar = "line"', 'grammar = "line"\nstart = " "'), 6, "is a blank"),
        (('grammar = "line"', 'grammar = "line"\nstart = ";"\nend = [";"]'), 6, "a line's end as well"),
        (('grammar = "line"', 'grammar = "line"\nend = []'), 6, "frame.end"),
        (('grammar = "line"', 'grammar = "line"\nend = ["\\u001a"]'), 4, "1A"),
        (('grammar = "line"', 'grammar = "line"\nmost = 9999'), 6, "most"),
        (('grammar = "line"', 'grammar = "line"\necho = "nothing"'), 6, "no [field.nothing]"),
        (('grammar = "line"', 'grammar = "tags"'), 6, '"behind-end"'),
        (('grammar = "line"', 'grammar = "tags"\ntag = "<>"'), 4, "shares a bracket"),
        (('kind = "xor"', 'kind = "crc-99"'), 7, "no checksum 'crc-99' is known; there are xor, sum-8"),
        (('kind = "xor"', 'kind = "xor"\norder = "low-first"'), 8, "is one byte"),
        (('kind = "xor"', 'kind = "xor"\ncovers = ["all"]'), 8, "checksum.covers"),
        (('kind = "xor"', 'kind = "xor"\nspelling = "octal"'), 8, "checksum.spelling"),
        (('kind = "number"\ndigits = 1', 'kind = "number"\ndigits = 0'), 10, "digits"),
        (('kind = "number"', 'kind = "number"\nother = "code"'), 10, "other"),
        (('kind = "number"', 'kind = "number"\nnames = { a = 1, b = 1 }'), 10, "two names"),
        (('kind = "number"\ndigits = 1', 'kind = "choice"\noptions = []'), 10, "options"),
        (('kind = "number"\ndigits = 1', 'kind = "choice"\noptions = ["", "a"]'), 10, "an empty word"),
        (('text = "C{card}"', 'text = "C{crad}"'), 12, "no [field.crad]"),
        (('text = "C{card}"', 'text = "C{card"'), 12, "lone '{'"),
        (('text = "C{card}"', 'text = "C{card:number}"'), 12, "'card' is a card, not 1"),
        (('text = "C{card}"', 'text = "C{hand:card}"'), 12, "no property 'hand'"),
        (('text = "C{card}"', 'text = "C{card}\\r\\n"'), 12, "is read as something else"),
        (('text = "C{card}"', 'text = "P1{card}"'), 15, "is read as something else"),
        (('means = "card_drawn"\n[', 'means = "card"\n['), 13, "no shoe says 'card'"),
        (('set = { slot = "player" }', 'set = { slot = "left" }'), 17, "'slot' is one of banker, burn"),
        (('set = { slot = "player" }', 'set = { sloth = "player" }'), 17, "no property 'sloth'"),
        (('set = { slot = "player" }', 'misfit = "both"'), 17, "misfit"),
        (("[frame]", '[show]\nwait = "W"\n[frame]'), 4, "only a display"),
        (("[frame]", "[fram]"), 4, "is not a key known here"),
        (("[frame]", '[link]\nbaud = 42\n[frame]'), 5, "link.baud"),
        (("[frame]", '[card]\nranks = { X = "1" }\n[frame]'), 5, "'X' is none of"),
        (("[frame]", '[card]\nranks = { A = "" }\n[frame]'), 5, "spelled by nothing"),
        (("[frame]", '[card]\nranks = { A = "K" }\n[frame]'), 4, "AC and KC are both written 'KC'"),
        (("[frame]", '[message.o]\ntext = "O"\nmeans = "order_disclosed"\n[frame]'), 6, "no shoe says"),
    ],
)  # fmt: skip
def test_each_fault_has_its_line_and_remedy(pair, line, words):
    found = [f for f in faults(changed(pair)) if words in f]
    assert len(found) == 1, faults(changed(pair))
    assert found[0].startswith(f"own.toml:{line}: ")


def test_all_faults_are_told_at_once():
    text = changed(
        ('kind = "number"', 'kind = "numbr"'),
        ('kind = "xor"', 'kind = "xorr"'),
        ('means = "card_drawn"\n[', 'means = "card"\n['),
    )
    assert [line.split(":")[1] for line in faults(text)] == ["9", "7", "13"]


def test_what_is_no_toml_names_the_line():
    (line,) = faults(GOOD + "[hat\n")
    assert line.startswith("own.toml:18: not TOML: expected ']'")


def test_a_profile_on_top_of_another():
    own = codec('extends = "bee-tek-b"\n[link]\nbaud = 4800\n')
    assert own.profile.link.baud == 4800
    assert own.profile.checksum.kind == "sum-8"
    assert faults('extends = "walker"\n') == [
        f"own.toml:1: extends: no profile named 'walker' is shipped; there are {', '.join(SHIPPED)}"
    ]


def test_a_display_needs_a_way_to_show():
    assert "needs [command.show]" in faults(changed(('kind = "shoe"', 'kind = "display"')))[-1]
    show = '[device]\nkind = "display"\ntitle = "t"\n[frame]\ngrammar = "line"\n[field.text]\nkind = "text"\n'
    show += '[command.show]\ntext = "{text}"\n[show]\n'
    assert faults(show + 'wait = "{card}"\n')[0].startswith(
        "own.toml:11: show.wait: '{card}' has something in braces"
    )
    assert "'later' is none of" in faults(show + 'later = "L"\n')[0]
    assert "plain ASCII" in faults(show + 'wait = "später"\n')[0]


# -- found ------------------------------------------------------------------------------------------------

TABLE = """\
[table]
id = "T"
name = "Table"
[shoe]
driver = "devices/mine.toml"
link = "memory:"
"""


def test_a_table_names_its_own_profile_from_its_own_folder(tmp_path):
    (tmp_path / "devices").mkdir()
    (tmp_path / "devices/mine.toml").write_text(GOOD)
    config = parse_configuration(TABLE, "table.toml", tmp_path)
    spec = find_driver(config.shoe.driver)
    seen = observe(spec.driver(spec.settings()()), [Received(data=b"C8S28\r\n")])
    assert [one.card for one in seen] == ["8S"]


def test_a_faulty_profile_is_a_fault_of_the_table(tmp_path):
    with pytest.raises(ConfigurationError, match=r"table.toml:5: shoe.driver: .*mine.toml: no such file"):
        parse_configuration(TABLE, "table.toml", tmp_path)
    (tmp_path / "devices").mkdir()
    (tmp_path / "devices/mine.toml").write_text(changed(('"xor"', '"xorr"'), ('"number"', '"numbr"')))
    with pytest.raises(ConfigurationError) as raised:
        parse_configuration(TABLE, "table.toml", tmp_path)
    lines = str(raised.value).splitlines()
    assert len(lines) == 2
    assert all(line.startswith("table.toml:5: shoe.driver: ") for line in lines)
    (tmp_path / "devices/mine.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        parse_configuration(TABLE, "table.toml", tmp_path)


def test_a_profile_of_another_kind_is_no_shoe(tmp_path):
    with pytest.raises(ConfigurationError, match="lamps is a display, no shoe"):
        parse_configuration(TABLE.replace("devices/mine.toml", "lamps"), "table.toml", tmp_path)


def test_every_kind_of_device_in_one_table(tmp_path):
    text = TABLE.replace("devices/mine.toml", "bee-tek-a")
    text += '[shuffler]\ndriver = "open-shuffler"\nlink = "memory:"\ncontinuous = true\n'
    text += '[sensor]\ndriver = "open-bet-sensor"\nlink = "memory:"\n'
    for name, link in (("alpha-sign", "memory:"), ("lamps", "gpio:mock?tie=5"), ("line-display", "memory:")):
        text += f'[[display]]\ndriver = "{name}"\nlink = "{link}"\n'
    config = parse_configuration(text, "table.toml", tmp_path)
    names = [name for name, *_ in config.devices()]
    assert names == ["shoe", "shuffler", "sign", "lamps", "sign-2", "sensor"]


def test_a_faulty_text_of_a_display_is_explained(tmp_path):
    text = TABLE.replace("devices/mine.toml", "bee-tek-a")
    text += '[[display]]\ndriver = "line-display"\nlink = "memory:"\ntexts = { wait = "{cards}" }\n'
    with pytest.raises(ConfigurationError, match=r"table.toml:10: display.0.texts: '{cards}' has something"):
        parse_configuration(text, "table.toml", tmp_path)


def check_config(path):
    return subprocess.run(
        [sys.executable, "-m", "controller", "check-config", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_check_config_explains_a_profile(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    done = check_config(path)
    assert (done.returncode, done.stderr) == (0, f"{path}: ok, describes a shoe\n")
    path.write_text(changed(('"xor"', '"xorr"'), ("[message.card]", "[message.card]\nmisfit = 1")))
    done = check_config(path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2
    assert "Traceback" not in done.stderr


def test_decode_takes_a_profile_by_its_path(tmp_path):
    path, capture = tmp_path / "mine.toml", tmp_path / "capture"
    path.write_text(GOOD)
    capture.write_bytes(b"P28S%02X\r\n" % (ord("P") ^ ord("2") ^ ord("8") ^ ord("S")))
    done = subprocess.run(
        [sys.executable, "-m", "controller", "decode", "--protocol", str(path), str(capture)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '{"type":"card_drawn","card":"8S","slot":"player","index":2}\n'
