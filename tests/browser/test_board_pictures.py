"""The board in every state and on every screen: nothing hangs out, nothing is cut off."""

from collections.abc import Callable

import pytest
from board import Board, MakeBoard
from pictures import SIZES, keep, out_of_place
from playing import Play

from controller.observations import BetsOpened, CutCardDrawn, HandCalled, ResultConfirmed
from controller.orders import Order
from controller.rules.kinds import WAGERS
from controller.views.view import Limit

pytestmark = pytest.mark.asyncio(loop_scope="session")


def _round(play: Play, cards: str) -> None:
    play.open()
    play.cards(cards)


def _result(play: Play) -> None:
    _round(play, "2C 9D 2H 4S 5C JH")
    play.do(ResultConfirmed())


def _void(play: Play) -> None:
    _result(play)
    play.do(Order(order="void_round", by="Ann"))


def _cut_card(play: Play) -> None:
    _round(play, "2C 9D 3H")
    play.do(CutCardDrawn())


def _cut_card_and_dragon(play: Play) -> None:
    _round(play, "KS 2D 2H 2C 4D")
    play.do(CutCardDrawn())
    play.cards("3H")


def _last_round(play: Play) -> None:
    play.do(CutCardDrawn(), BetsOpened())


def _called(play: Play) -> None:
    _round(play, "6C 9D 2H 6S")
    play.do(HandCalled(hand="player"))


#: state -> (rounds of the shoe before it, what happens, the words between the hands)
STATES: dict[str, tuple[int, Callable[[Play], object], str]] = {
    "welcome": (0, lambda play: None, "Welcome"),
    "betting": (40, lambda play: play.do(BetsOpened()), "Place your bets"),
    "player-draws": (40, lambda play: _round(play, "2C 9D 3H 7S"), "Player draws"),
    "banker-draws": (40, lambda play: _round(play, "KC QD 3H 5S 7D"), "Banker draws"),
    "result": (60, _result, "Player wins"),
    "natural": (20, lambda play: _round(play, "AS KD 8H QS"), "Player wins"),
    "tie": (20, lambda play: _round(play, "4S 4D 4H 4C"), "Tie"),
    "dragon-7": (20, lambda play: _round(play, "KS 2D 2H 2C 4D 3H"), "Banker wins"),
    "please-wait": (30, lambda play: _round(play, "9C KD KH 3S 4D"), "Please wait"),
    "void": (30, _void, "Round void"),
    "face-down": (30, _called, "No more bets"),
    "cut-card": (50, _cut_card, "No more bets"),
    "cut-card-dragon": (20, _cut_card_and_dragon, "Banker wins"),
    "last-round": (76, _last_round, "Place your bets"),
}

#: Every wager, each with limits of its own.
MANY = tuple(Limit(wager=wager, min=5 + at, max=1000 * (at + 1)) for at, wager in enumerate(WAGERS))

#: A box, and what must lie inside it.
INSIDE = {
    "html": "body > *, main > *, aside > *",
    ".hand": "h2, .total, .card",
    "#call": "strong, span, li",
    "#counters": "dt, dd",
    "#ask": "p, h3",
    "footer": "p, #limits > div",
    "header": "h1, #shoe",
    "body": "#notice",
}
#: Texts that must not cover one another.
TEXTS = "#notice, #name, #shoe, #call strong, #call span, #call li"


async def faults(board: Board) -> list[str]:
    boxes = await out_of_place(board.page, INSIDE, "main > *, aside > *")
    return boxes + await out_of_place(board.page, {}, TEXTS)


async def picture(board: Board, name: str) -> None:
    """Check the layout, and take the picture if asked to."""
    assert await faults(board) == []
    await keep(board.page, f"board-{name}")


@pytest.mark.parametrize("state", STATES)
async def test_every_state(make_board: MakeBoard, state: str) -> None:
    rounds, happen, words = STATES[state]
    play = Play()
    if rounds:
        play.shoe(rounds)
    happen(play)
    board = await make_board(play, dealing="both-down" if state == "face-down" else "face-up")
    for size, (width, height) in SIZES.items():
        await board.page.set_viewport_size({"width": width, "height": height})
        await board.says(words)
        if size == "1280x720":
            await picture(board, state)
        elif state in ("banker-draws", "dragon-7", "cut-card"):
            await picture(board, f"{state}-{size}")
        else:
            assert await faults(board) == []


async def test_names_and_limits_of_any_length(make_board: MakeBoard) -> None:
    play = Play()
    play.shoe(20)
    _round(play, "KS 2D 2H 2C 4D 3H")
    board = await make_board(play, limits=MANY, footer="The cards on the table count. " * 5)
    for width, height in SIZES.values():
        await board.page.set_viewport_size({"width": width, "height": height})
        await board.says("Banker wins")
        # The name is the title's alone; nothing else depends on it.
        await board.page.evaluate(
            "document.getElementById('name').textContent = 'Salon priv\u00e9 '.repeat(9)"
        )
        assert await faults(board) == []
    await board.page.set_viewport_size({"width": 1280, "height": 720})
    await picture(board, "many-limits")


async def test_no_connection(make_board: MakeBoard) -> None:
    play = Play()
    play.shoe(30)
    _result(play)
    board = await make_board(play)
    await board.says("Player wins")
    await board.server.stop()
    await board.page.wait_for_selector("#stale", state="visible")
    await picture(board, "no-connection")
