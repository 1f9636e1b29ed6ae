"""`tablectl roads`: its JSON, its text and its answers to bad input."""

import json
from pathlib import Path

import pytest

from controller.cli.pictures import picture, roads
from controller.ports import InputError
from controller.roads import draw, parse


def test_json_shape(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "shoe").write_text("Bp T P\n")
    roads(str(tmp_path / "shoe"), json=True)
    document = json.loads(capfdbinary.readouterr().out)
    assert list(document)[:6] == ["bead_plate", "big_road", "big_eye", "small", "cockroach", "ask"]
    assert document["bead_plate"][0] == {
        "row": 0,
        "col": 0,
        "outcome": "banker",
        "banker_pair": False,
        "player_pair": True,
        "natural": False,
    }
    assert {"row": 0, "col": 0, "outcome": "banker", "ties": 1}.items() <= document["big_road"][0].items()
    assert document["ask"]["banker"] == {"big_eye": "red", "small": None, "cockroach": None}


def test_bad_input_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "shoe").write_bytes(b"B\xff")
    with pytest.raises(InputError, match=r"shoe: position 2"):
        roads(str(tmp_path / "shoe"))


def test_picture_for_people() -> None:
    text = picture(draw(parse("B T P P B")))
    assert "  B1 P B" in text.replace("P  B", "P B")
    assert "Next banker: big eye red, small blue, cockroach -" in text
    assert "Rounds 5: banker 2, player 2, tie 1" in text
    assert "Cockroach pig (o red, x blue): empty" in text
