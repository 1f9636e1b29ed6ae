"""A table read from its board: what the public sees, and when."""

import random
import re
from collections.abc import Iterator

import pytest
from board import Board, MakeBoard
from playing import Play

from controller.cards import pack
from controller.observations import (
    BetsOpened,
    CardDrawn,
    CutCardDrawn,
    HandCalled,
    ResultConfirmed,
    ShoeLoaded,
)
from controller.orders import Order

pytestmark = pytest.mark.asyncio(loop_scope="session")

CONFIRM = ResultConfirmed()


async def test_a_round_from_bets_to_the_roads(make_board: MakeBoard) -> None:
    board = await make_board()
    await board.says("Welcome")
    board.do(BetsOpened())
    await board.says("Place your bets")
    board.open()
    await board.says("No more bets")
    board.cards("2C 9D 3H 7S")
    await board.says("Player draws", "Player has 5")
    assert await board.hand("player") == (["2C", "3H"], "5")
    assert await board.hand("banker") == (["9D", "7S"], "6")
    assert await board.page.locator(".slot.due").count() == 1
    board.cards("4S")
    await board.says("Player wins", "by 3")
    assert await board.hand("player") == (["2C", "3H", "4S"], "9")
    assert await board.page.locator("#player.won").count() == 1
    assert await board.road("bead_plate") == ""
    board.do(CONFIRM)
    await board.page.wait_for_selector("#bead_plate text.bead")
    assert (await board.road("bead_plate"), await board.road("big_road")) == ("P", "P")
    assert (await board.count("player"), await board.count("rounds")) == ("1", "1")
    assert "Shoe 1 · Round 1" in await board.page.locator("header").inner_text()


async def test_bankers_draw_names_both_reasons(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("KC QD 3H 5S 7D")
    await board.says("Banker draws", "Banker has 5, Player's third card counts 7")
    board.do(CardDrawn(card="2D"))
    await board.says("Banker wins", "by 7")


async def test_marks_of_a_result(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("4C 4D 4H 4S")
    await board.says("Tie", "8 each")
    assert await board.page.locator("#call li").all_inner_texts() == ["Natural", "Player pair", "Banker pair"]
    board.do(CONFIRM)
    board.open()
    board.cards("KS 2D 2H 2C 4D 3H")
    await board.says("Banker wins", "by 1")
    assert "Dragon 7" in await board.page.locator("#call li").all_inner_texts()


async def test_cards_are_named_for_those_who_cannot_see_them(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("TH")
    await board.page.get_by_role("img", name="10 of hearts").wait_for()


async def test_a_hold_says_please_wait_and_nothing_else(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("9C 2D KH 3S")
    await board.says("Player wins")
    board.cards("4D")
    await board.says("Please wait")
    assert await board.hand("player") == (["9C", "KH"], "9")
    assert await board.page.locator(".won, .lost, .due").count() == 0
    page = await board.page.content()
    assert not any(word in page for word in ("overdraw", "4D", "supervisor"))
    board.do(Order(order="burn_card", by="Ann", reason="out of place"))
    await board.says("Player wins")


async def test_a_void_round_and_its_return(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("9C 2D KH 3S")
    board.do(CONFIRM, Order(order="void_round", by="Ann"))
    await board.says("Round void")
    assert await board.road("bead_plate") == ""
    board.do(Order(order="reinstate_round", by="Ann"))
    await board.says("Player wins")
    assert await board.road("bead_plate") == "P"


async def test_a_correction_redraws_the_roads(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("9C 2D KH 3S")
    board.do(CONFIRM, Order(order="correct_card", by="Ann", hand="banker", index=1, card="6D"))
    await board.says("Tie")
    assert await board.road("bead_plate") == "T"
    assert "Corrected" in await board.page.locator("#call li").all_inner_texts()


async def test_face_down_hands_turn_when_they_are_called(make_board: MakeBoard) -> None:
    board = await make_board(dealing="both-down")
    board.open()
    board.cards("9C 2D KH 3S")
    await board.page.wait_for_selector("#banker [data-index='2'] .back")
    assert await board.hand("player") == (["down", "down"], "")
    board.do(HandCalled(hand="player"))
    await board.page.wait_for_selector("#player [data-card=KH]")
    assert await board.hand("player") == (["9C", "KH"], "9")
    assert await board.hand("banker") == (["down", "down"], "")
    await board.says("No more bets")
    assert "2D" not in await board.page.content()
    board.do(HandCalled(hand="banker"))
    await board.says("Player wins", "by 4")


async def test_the_end_of_a_shoe_is_announced(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("9C 2D")
    board.do(CutCardDrawn())
    await board.page.wait_for_selector("#notice:text-is('Cut card is out · 1 more after this round')")
    board.cards("KH 3S")
    board.do(CONFIRM, BetsOpened())
    await board.page.wait_for_selector("#notice:text-is('Last round')")
    board.open()
    board.cards("9C 2D KH 3S")
    board.do(CONFIRM)
    await board.page.wait_for_selector("#notice:text-is('End of the shoe')")


async def test_a_new_shoe_begins_with_a_fresh_page(make_board: MakeBoard) -> None:
    board = await make_board()
    board.open()
    board.cards("9C 2D KH 3S")
    board.do(CONFIRM)
    async with board.page.expect_navigation():
        board.do(ShoeLoaded(decks=8))
    await board.says("New shoe")
    assert await board.road("bead_plate") == ""


async def test_ties_before_the_first_result_wait_on_the_big_road(make_board: MakeBoard) -> None:
    board = await make_board()
    for _ in range(2):
        board.open()
        board.cards("4C 4D 5H 5S")
        board.do(CONFIRM)
    await board.page.wait_for_selector("#big_road text.count:text-is('2')")
    assert await board.road("big_road") == ""


def in_turn(rounds: int) -> Iterator[str]:
    """The cards of rounds that Player and Banker win in turn, drawn from eight decks as if shuffled."""
    left = list(pack(8))
    random.Random(1).shuffle(left)

    def draw(ranks: str) -> str:
        return left.pop(next(place for place, card in enumerate(left) if card[0] in ranks))

    for number in range(rounds):
        more, less = ("9", "8") if number < 30 else ("7", "6")
        player, banker = (more, less) if number % 2 == 0 else (less, more)
        yield " ".join(draw(ranks) for ranks in (player, "TJQK", "TJQK", banker))


async def big_road_box(board: Board) -> list[float]:
    """What of the big road's own measure is shown: columns, rows."""
    box = await board.page.locator("#big_road svg").get_attribute("viewBox")
    return [float(number) for number in (box or "").split()[2:]]


async def test_a_long_road_is_drawn_smaller_and_whole(make_board: MakeBoard) -> None:
    play = Play()
    play.shoe(76)
    board = await make_board(play, size=(1080, 1920))
    await board.page.wait_for_selector("[data-count=rounds]:text-is('76')")
    results = int(await board.count("banker")) + int(await board.count("player"))
    columns, rows = await big_road_box(board)
    assert columns == 36
    assert rows == pytest.approx(7.3, abs=0.1)
    assert len(await board.road("big_road")) == results
    assert len(await board.road("bead_plate")) == 76
    # The name of a road makes room for its marks.
    named = "figure => getComputedStyle(figure, '::after').content"
    assert await board.page.locator("#bead_plate").evaluate(named) == '"Bead plate"'


async def test_a_longer_one_scrolls_by_whole_columns(make_board: MakeBoard) -> None:
    play = Play()
    for cards in in_turn(60):
        play.open()
        play.cards(cards)
        play.do(CONFIRM)
    board = await make_board(play, size=(1080, 1920))
    await board.page.wait_for_selector("[data-count=rounds]:text-is('60')")
    assert len(await board.road("big_road")) == 48
    places = await board.page.locator("#big_road g g").evaluate_all(
        "gs => gs.map(g => g.getAttribute('transform'))"
    )
    assert re.fullmatch(r"translate\(0(\.0\d*)? 0\)", places[0])
    named = "figure => getComputedStyle(figure, '::after').content"
    assert await board.page.locator("#big_road").evaluate(named) == "none"
