"""The log of a table: JSON lines of named events with table, shoe and round, and nothing of a hidden card."""

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import pytest
from playing import Play
from structlog.testing import capture_logs

from controller.observations import (
    BetsOpened,
    CardDrawn,
    CommandSettled,
    HandCalled,
    LinkLost,
    ResultConfirmed,
)
from controller.orders import Order
from controller.runtime.diary import Diary
from controller.views.disclosure import Item


def written(
    items: Iterable[tuple[int, Item]], dealing: Any = "face-up", recalled: int = 0
) -> list[dict[str, Any]]:
    """What a diary logs of the items behind the first so many."""
    diary = Diary("MB-01", dealing)
    with capture_logs() as log:
        for seq, item in items:
            if seq <= recalled:
                diary.recall(item)
            else:
                diary.tell(seq, item)
    return list(log)


def a_round(dealing: Any = "face-up") -> Play:
    play = Play(dealing=dealing)
    play.do(Order(order="new_shoe", by="smith", decks=8))
    play.open()
    play.cards("9C 2D KH 3S")
    return play


def test_every_event_has_table_shoe_and_round() -> None:
    play = a_round()
    play.do(ResultConfirmed())
    log = written(play.items)
    dealt = next(line for line in log if line["event"] == "card_dealt")
    assert dealt == {
        "event": "card_dealt", "log_level": "info", "table": "MB-01", "shoe": 1, "round": 1,
        "hand": "player", "index": 1, "card": "9C", "seq": dealt["seq"],
    }  # fmt: skip
    opened = [line["event"] for line in log].index("round_opened")
    assert all((line["table"], line["shoe"]) == ("MB-01", 1) for line in log)
    assert all(line["round"] == 1 for line in log[opened:])
    assert all(line["event"].replace("_", "a").isalpha() and line["event"].islower() for line in log)


def test_what_happens_between_rounds_keeps_its_place() -> None:
    play = a_round()
    before = len(play.items)
    play.do(LinkLost(device="sign"))
    (line,) = written(play.items, recalled=before)
    assert (line["event"], line["log_level"]) == ("device_state", "warning")
    assert (line["shoe"], line["round"], line["device"]) == (1, 1, "sign")


def test_an_event_of_the_service_has_the_place_too() -> None:
    play = a_round()
    diary = Diary("MB-01", "face-up")
    for _, item in play.items:
        diary.recall(item)
    with capture_logs() as log:
        diary.error("journal_failed", error="disk is full")
    assert log == [
        {
            "event": "journal_failed", "log_level": "error", "table": "MB-01", "shoe": 1, "round": 1,
            "error": "disk is full",
        }
    ]  # fmt: skip


def test_a_new_shoe_has_no_round_yet() -> None:
    play = a_round()
    play.do(
        ResultConfirmed(), Order(order="end_shoe", by="smith"), Order(order="new_shoe", by="smith", decks=8)
    )
    log = written(play.items)
    started = [line for line in log if line["event"] == "shoe_started"]
    assert [line["shoe"] for line in started] == [1, 2]
    assert "round" not in started[-1]


@pytest.mark.parametrize(
    ("outcome", "level"), [("accepted", "info"), ("refused", "warning"), ("unanswered", "warning")]
)
def test_a_command_that_was_not_done_is_a_warning(outcome: Any, level: str) -> None:
    settled = CommandSettled(command="lock", by="eve", outcome=outcome, code=None, reason=None)
    (line,) = written([(1, settled)])
    assert (line["event"], line["log_level"], line["outcome"]) == ("command_settled", level, outcome)


def test_an_irregularity_is_a_warning() -> None:
    play = a_round()
    play.cards("4S")
    raised = [line for line in written(play.items) if line["event"] == "irregularity_raised"]
    assert {line["log_level"] for line in raised} == {"warning"}


@pytest.mark.parametrize("dealing", ["player-down", "both-down"])
def test_no_two_rounds_can_be_told_apart_before_their_cards_are_called(dealing: Any) -> None:
    logs = []
    for drawn in ("2C 3C 2D 3D", "9C 3C KD 3D", "6C 7C KD TD"):
        play = Play(dealing=dealing)
        play.open()
        for card in drawn.split():
            play.do(CardDrawn(card=card))
        play.do(LinkLost(device="sign"))
        logs.append(written(play.items, dealing))
    assert logs[0] == logs[1] == logs[2]
    assert "card_dealt" in {line["event"] for line in logs[0]}


def test_numbers_come_back_once_all_cards_lie_open() -> None:
    play = a_round("both-down")
    play.do(HandCalled(hand="player"), HandCalled(hand="banker"), ResultConfirmed(), BetsOpened())
    log = written(play.items, "both-down")
    assert "seq" not in next(line for line in log if line["event"] == "card_dealt")
    assert "seq" in log[-1]


SCRIPT = """
import logging
from controller.runtime import log
log.set_up("{shape}", "info", "MB-01")
from controller.runtime.diary import Diary
Diary("MB-01", "face-up").info("listening", port=80)
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("asyncio").exception("a task failed")
logging.getLogger("transitions.core").info("every move")
"""


def said(shape: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(shape=shape)], capture_output=True, text=True, check=True
    )
    assert answer.stdout == ""
    return answer.stderr


def test_where_no_person_reads_every_line_is_json_also_what_libraries_say() -> None:
    ours, theirs = (json.loads(line) for line in said("auto").splitlines())
    assert (ours["event"], ours["level"], ours["table"], ours["port"]) == ("listening", "info", "MB-01", 80)
    assert ours["timestamp"].endswith("Z")
    assert (theirs["event"], theirs["level"]) == ("library_said", "error")
    assert (theirs["logger"], theirs["message"]) == ("asyncio", "a task failed")
    assert "ZeroDivisionError" in theirs["exception"]
    assert theirs["table"] == "MB-01"


def test_people_read_text() -> None:
    assert "listening" in said("text")
