"""Finding the line of a key in a TOML text."""

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from controller.ports import ConfigurationError
from controller.toml_lines import fault, faults, line_of, read_toml

TEXT = '''a = 1
[burn]
# policy = "none"
policy = "none"  # [
count = 3
text = """
policy = 3
[foo]
"""
rows = [
  "a",
  # c
  "b",
  "c", "d",
  "e"]
[wagers.banker]
pays = { win = "1:1", tie = "void" }
cites.win = { citation = "x" }
[[display]]
link = "a"
[[display]]
link = "b"
[display.sub]
z = 1
[[alert]]
q = [{ a = 1 },
 { a = 2 }]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 1),
        (("a",), 1),
        (("burn",), 2),
        (("burn", "policy"), 4),
        (("burn", "count"), 5),
        (("burn", "text"), 6),
        (("burn", "missing"), 2),
        (("burn", "rows"), 10),
        (("burn", "rows", 0), 11),
        (("burn", "rows", 1), 13),
        (("burn", "rows", 2), 14),
        (("burn", "rows", 3), 14),
        (("burn", "rows", 4), 15),
        (("wagers", "banker", "pays", "tie"), 17),
        (("wagers", "banker", "cites", "win", "source"), 18),
        (("wagers",), 16),
        (("wagers", "player"), 1),
        (("display",), 19),
        (("display", 0, "link"), 20),
        (("display", 0, "missing"), 19),
        (("display", 1, "link"), 22),
        (("display", 1, "sub", "z"), 24),
        (("alert", 0, "q", 0, "a"), 26),
        (("alert", 0, "q", 1, "a"), 27),
        (("missing",), 1),
    ],
)
def test_line_of(path: tuple[str | int, ...], line: int) -> None:
    assert line_of(TEXT, path) == line


def test_line_breaks_of_other_kinds() -> None:
    assert line_of("a = 1\r\n# x\u2028y\r\nb = 2\r\n", ("b",)) == 3
    assert line_of("[t] # x\x85y\nb = 2", ("t", "b")) == 2


@pytest.mark.parametrize(
    ("text", "place"),
    [("a = 1\nb = = 2\n", "x.toml:2: "), ("a = 1\na = 2\n", "x.toml:2: "), ("a = [1,\n", "x.toml:2: ")],
)
def test_broken_toml_names_its_line(text: str, place: str) -> None:
    with pytest.raises(ConfigurationError, match="not TOML") as refused:
        read_toml(text, "x.toml")
    assert str(refused.value).startswith(place)


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    a: int
    b: int


def test_each_fault_is_one_line() -> None:
    text = 'c = 1\na = "x"\n'
    with pytest.raises(ValidationError) as refused:
        Model.model_validate(read_toml(text, "x.toml"))
    assert faults(refused.value, text, "x.toml") == [
        "x.toml:2: a: should be a whole number, not 'x'",
        "x.toml:1: b: is missing; add it",
        "x.toml:1: c: is not a key known here; remove it or mend its spelling",
    ]


@pytest.mark.parametrize("text", ["a = " + "9" * 5000, "a = " + "[" * 5000])
def test_what_the_parser_cannot_hold(text):
    with pytest.raises(ConfigurationError) as refused:
        read_toml(text, "house.toml")
    assert str(refused.value) == (
        "house.toml: a number of thousands of digits, or brackets nested hundreds deep; remove it"
    )


def test_a_fault_shows_the_beginning_of_what_has_no_end():
    line = fault(("a",), f"no ruleset named {'x' * 5000} ; name another", "a = 1\n", "house.toml")
    assert line == f"house.toml:1: a: no ruleset named {'x' * 200}... ; name another"
