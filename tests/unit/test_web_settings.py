"""What table.toml says of the pages: theme, language, last line, limits."""

from pathlib import Path

import pytest
from test_config import SOUND, faults

from controller.config import parse_configuration
from controller.outputs.web.assets import themes


def with_board(line: str) -> str:
    return SOUND.replace("[board]\n", f"[board]\n{line}\n")


def test_a_board_that_says_nothing_has_the_shipped_look() -> None:
    config = parse_configuration(SOUND, "table.toml", Path("/srv/table"))
    assert (config.board.language, config.board.theme, config.board.footer) == ("en", "felt", None)
    assert config.layout.limits == {}
    assert b"--felt: #0d231d" in config.style


def test_the_themes_have_the_same_variables() -> None:
    assert themes() == ("felt", "pearl")
    names = []
    for theme in themes():
        config = parse_configuration(with_board(f'theme = "{theme}"'), "table.toml", Path("/srv/table"))
        names.append([line.split(":")[0] for line in config.style.decode().splitlines() if "  --" in line])
    assert names[0] == names[1]


def test_a_theme_of_the_house_is_meant_from_the_files_folder(tmp_path: Path) -> None:
    (tmp_path / "house.css").write_text(":root { --felt: #300; }")
    config = parse_configuration(with_board('theme = "house.css"'), "table.toml", tmp_path)
    assert config.style == b":root { --felt: #300; }"


def test_limits_are_read() -> None:
    text = SOUND.replace("[shoe]", "[layout.limits]\ntie = { min = 5, max = 500 }\n[shoe]")
    config = parse_configuration(text, "table.toml", Path("/srv/table"))
    assert {wager: (limit.min, limit.max) for wager, limit in config.layout.limits.items()} == {
        "tie": (5, 500)
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            with_board('theme = "neon"'),
            "16: board.theme: no theme named 'neon'; set one of felt, pearl, or the path of a .css file",
        ),
        (
            with_board('theme = "neon.css"'),
            "16: board.theme: /srv/table/neon.css: no such file or directory; ",
        ),
        (with_board('language = "tlh"'), "16: board.language: no text for 'tlh'; set one of en, es, fr, "),
        (
            SOUND.replace("[shoe]", "[layout.limits]\ntie = { min = 500, max = 5 }\n[shoe]"),
            "10: layout.limits.tie: min 500 is more than max 5; exchange them",
        ),
        (
            SOUND.replace("[shoe]", "[layout.limits]\nlucky_6 = { min = 5, max = 500 }\n[shoe]"),
            "10: layout.limits.lucky_6: the layout shows banker, player, tie, ",
        ),
        (
            SOUND.replace("[shoe]", "[layout.limits]\ntie = { min = 0, max = 500 }\n[shoe]"),
            "10: layout.limits.tie.min: should be greater than or equal to 1, not 0",
        ),
    ],
)
def test_one_fault(text: str, said: str) -> None:
    (only,) = faults(text)
    assert only.startswith(said)
