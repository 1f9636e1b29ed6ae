"""`tablectl replay`, end to end: what it writes, how it ends, and what it says of bad input."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import main

OPEN = '{"type":"bets_opened"}\n{"type":"bets_closed"}\n'
CONFIRM = '{"type":"result_confirmed"}\n'


def drawn(*cards: str) -> str:
    return "".join(f'{{"type":"card_drawn","card":"{card}"}}\n' for card in cards)


NATURAL = OPEN + drawn("9S", "2D", "KH", "3C") + CONFIRM


class Run:
    """One run of the command: its exit code, the facts, and standard error."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capfd = monkeypatch, capfd

    def __call__(self, *arguments: str, stdin: bytes = b"") -> tuple[int, list[dict[str, object]], str]:
        self.monkeypatch.setattr(sys, "argv", ["tablectl", "replay", *arguments])
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        sys.stdout.flush()
        out, err = self.capfd.readouterr()
        return code, [json.loads(line) for line in out.splitlines()], err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    return Run(monkeypatch, capfd)


def test_facts_as_json_lines_with_the_type_first(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shoe.jsonl").write_text(NATURAL)
    code, told, err = run(str(tmp_path / "shoe.jsonl"))
    assert (code, err) == (0, "")
    assert [fact["type"] for fact in told] == [
        "shoe_started",
        "round_opened",
        "bets_closed",
        *["card_dealt"] * 4,
        "draw_called",
        "round_decided",
        "round_confirmed",
    ]
    assert all(next(iter(fact)) == "type" for fact in told)


def test_standard_input_and_empty_lines(run: Run) -> None:
    code, told, _ = run("-", stdin=("\n" + NATURAL + "\n  \n").encode())
    assert code == 0
    assert told[-1] == {"type": "round_confirmed", "round": 1}
    assert run("-", stdin=b"") == (0, [], "")


def test_what_some_editors_put_before_the_first_line(run: Run) -> None:
    assert run("-", stdin=NATURAL.encode("utf-8-sig")) == run("-", stdin=NATURAL.encode())


def test_exit_3_when_an_irregularity_was_raised(run: Run) -> None:
    code, told, err = run("-", stdin=(OPEN + drawn("9S") + CONFIRM).encode())
    assert (code, err) == (3, "")
    assert told[-1]["code"] == "underdraw"


def test_exit_0_when_orders_were_refused(run: Run) -> None:
    code, told, err = run("-", stdin=b'{"type":"order","order":"accept","by":"ann"}\n')
    assert (code, err) == (0, "")
    assert told == [{"type": "order_refused", "order": "accept", "by": "ann", "reason": "nothing is held"}]


BAD = {
    "json": (b'{"type":\n', "line 1"),
    "unknown type": (b'{"type":"card_eaten"}\n', "line 1"),
    "unknown field": (NATURAL.encode() + b'{"type":"bets_opened","color":1}\n', "line 8"),
    "no such card": (b'\n{"type":"card_drawn","card":"1H"}\n', "line 2"),
    "no card": (b'{"type":"card_drawn"}\n', "line 1"),
    "not UTF-8": (b'{"type":"service_started","version":"\xff"}\n', "line 1"),
    "no object": (b"[1]\n", "line 1"),
    "a field missing": (b'{"type":"order","order":"move_card","by":"ann"}\n', "line 1"),
    "a field of another order": (b'{"type":"order","order":"accept","by":"ann","to":"player"}\n', "line 1"),
    "an order that there is not": (b'{"type":"order","order":"smile","by":"ann"}\n', "line 1"),
    "an order by nobody": (b'{"type":"order","order":"accept","by":""}\n', "line 1"),
    "fewer cards than none": (b'{"type":"order","order":"end_shoe","by":"ann","remaining":-1}\n', "line 1"),
    "too many decks": (b'{"type":"shoe_loaded","decks":99}\n', "line 1"),
    "a field twice": (b'{"type":"card_drawn","card":"2C","card":"3C"}\n', "line 1"),
    "a wrong index": (b'{"type":"card_drawn","card":"2C","slot":"player","index":4}\n', "line 1"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("boundaries", [(), ("--boundaries", "announced")], ids=["inferred", "given"])
def test_bad_input_is_one_line_that_names_the_place(run: Run, name: str, boundaries: tuple[str, ...]) -> None:
    stdin, place = BAD[name]
    code, told, err = run("-", *boundaries, stdin=stdin)
    assert code == 2
    assert err.count("\n") == 1
    assert err.startswith("tablectl: -, " + place)
    assert "Traceback" not in err
    assert told == [] or (name == "unknown field" and boundaries)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("/nowhere/shoe.jsonl",), "/nowhere/shoe.jsonl"),
        (("-", "--ruleset", "nowhere"), "no ruleset named 'nowhere'"),
        (("-", "--ruleset", "/nowhere.toml"), "/nowhere.toml"),
        (("-", "--boundaries", "midnight"), "midnight"),
        (("-", "--decks", "0"), "decks"),
        (("-", "--decks", "x"), "decks"),
    ],
)
def test_bad_arguments_end_with_2(run: Run, arguments: tuple[str, ...], said: str) -> None:
    code, told, err = run(*arguments)
    assert (code, told) == (2, [])
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "confirmed"),
    [
        (NATURAL, 1),
        (
            drawn("9S", "2D", "KH", "3C")
            + '{"type":"device_result","winner":"player","player_pair":false,"banker_pair":false,'
            + '"forced_quit":false}\n'
            + drawn("2C"),
            1,
        ),
        (drawn("9S", "2D", "KH", "3C", "2C"), 1),
        (drawn("9S", "2D", "KH", "3C") + CONFIRM, 0),
    ],
    ids=["announced", "device", "first_card", "confirmations alone are no announcements of bets"],
)
def test_boundaries_are_inferred_from_the_whole_input(run: Run, words: str, confirmed: int) -> None:
    code, told, _ = run("-", stdin=words.encode())
    assert code == 0
    assert sum(fact["type"] == "round_confirmed" for fact in told) == confirmed


def test_decks_count_for_the_inventory(run: Run) -> None:
    words = (OPEN + drawn("2C", "2C")).encode()
    assert run("-", "--decks", "2", stdin=words)[0] == 0
    assert run("-", "--decks", "1", stdin=words)[0] == 3


def test_no_other_command_pays_for_the_machines() -> None:
    code = "import sys, controller.cli; sys.exit('transitions' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
