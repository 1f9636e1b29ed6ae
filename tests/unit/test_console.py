"""The terminal's console: what a dealer may see, as text."""

from io import StringIO

import pytest
from playing import Play
from rich.console import Console as Screen

from controller.observations import (
    BetsOpened,
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    LinkRestored,
    ResultConfirmed,
)
from controller.outputs.console import BEADS, render
from controller.views.floor import House
from controller.views.view import TableInfo, TableView

INFO = TableInfo(id="MB-01", name="Mini-Baccarat 1")


def picture(
    play: Play, info: TableInfo = INFO, width: int = 110, place: str = "http://127.0.0.1:8080/"
) -> str:
    view = TableView(info, "dealer")
    for seq, item in play.items:
        view.see(seq, item)
    screen = Screen(width=width, record=True, file=StringIO())
    screen.print(render(view.state(), place))
    return screen.export_text()


def test_an_empty_table_has_its_name_and_place() -> None:
    shown = picture(Play())
    assert "Mini-Baccarat 1" in shown
    assert "http://127.0.0.1:8080/" in shown


def test_what_the_place_says_is_never_cut_off() -> None:
    place = "http://127.0.0.1:45139/   log in at /pit as supervisor or second with PIN 9133"
    for width in (64, 80, 110):
        assert "PIN 9133" in picture(Play(), width=width, place=place)


def test_cards_counts_and_who_draws() -> None:
    play = Play()
    play.open()
    play.cards("2C 9D 3H TS")
    shown = picture(play)
    assert "2♣ 3♥   5" in shown
    assert "9♦ 10♠   9" in shown
    play = Play()
    play.open()
    play.cards("2C 2D 3H 4S")
    assert "Player draws   N.J.A.C. 13:69F-7.9(b)" in picture(play)


def test_a_result_with_its_marks_and_the_roads() -> None:
    play = Play()
    play.open()
    play.cards("9S 2D KH 3C")
    play.do(ResultConfirmed())
    shown = picture(play)
    assert "Player wins by 4   natural" in shown
    assert "player 1" in shown
    assert f"P{' ·' * (BEADS - 1)}   P" in shown
    assert f"P{'·' * (BEADS - 1)}   P" in picture(play, width=80)


def test_a_hold_says_stop_and_what_it_is() -> None:
    play = Play()
    play.do(BetsOpened(), CardDrawn(card="7C"))
    shown = picture(play)
    assert "Stop. Leave the cards. The supervisor is called." in shown
    assert "STOP early-card" in shown


def test_the_cut_card_is_announced() -> None:
    play = Play()
    play.open()
    play.cards("9S")
    play.do(CutCardDrawn())
    assert "CUT CARD" in picture(play)


def test_face_down_cards_are_backs_and_no_count_is_shown() -> None:
    play = Play()
    play.open()
    play.cards("2C 9D")
    shown = picture(play, TableInfo(id="T", name="T", dealing="both-down"))
    assert "[  ]" in shown
    assert "2♣" not in shown
    assert "9♦" not in shown


def test_the_gravest_alerts_come_first_and_of_many_how_many() -> None:
    play = Play()
    for number in range(1, 7):
        play.do(DeviceFault(fault="draw-timeout", active=True))
        assert "WARN draw-timeout" in picture(play), number
    play.do(DeviceFault(fault="jam", active=True, device="shuffler"))
    lines = [line.strip("\u2502 ") for line in picture(play).splitlines()]
    alerts = [line.partition(":")[0] for line in lines if line.startswith(("STOP", "BLOCK", "WARN", "and "))]
    assert alerts == ["BLOCK shuffler-fault", *["WARN draw-timeout"] * 2, "and 4 more, at the pit's page"]


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_on_a_terminal_of_24_lines(width: int) -> None:
    play = Play()
    play.shoe(60)
    for _ in range(6):
        play.do(DeviceFault(fault="draw-timeout", active=True))
    play.open()
    play.cards("2C 9D 3H TS")
    shown = picture(play, width=width).splitlines()
    assert len(shown) <= 24
    assert {len(line) for line in shown} == {width}


def test_a_device_that_was_not_heard_yet_is_named_too() -> None:
    house = House(
        boundaries="device", manual=False, seats=7, decks=8, wagers=(), burn="none", burn_count=None,
        devices=("shoe", "sign"),
    )  # fmt: skip
    play = Play()
    play.do(LinkRestored(device="sign"))
    assert "shoe: not heard yet   sign: ok" in picture(play, TableInfo(id="T", name="T", house=house))
