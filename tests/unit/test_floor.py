"""What dealer and pit are shown beside the cards."""

import pytest
from floors import Screen, house
from playing import Play

from controller.facts import WagerSettled
from controller.observations import (
    BetsOpened,
    CardDrawn,
    HandCalled,
    ResultConfirmed,
    ShoeLoaded,
    VigorishCollected,
    WagerPlaced,
    WagerRemoved,
    WagersPaid,
)
from controller.orders import Order
from controller.outputs.web.feed import Feed
from controller.views.floor import Burn, Due, Stake
from controller.views.view import TableInfo, TableView

FIVE = "2C 9D 3H 7S 4S"  # Player 9 beats Banker 6


def test_the_board_has_no_floor() -> None:
    table = Play()
    view = TableView(TableInfo(id="A", name="A", house=house()), "board")
    for seq, item in table.do(BetsOpened()):
        view.see(seq, item)
    assert b"house" not in Feed(view.table, "board").document()
    assert b"floor" not in Feed(view.table, "board").document()


def test_the_slot_of_each_card() -> None:
    table = Screen()
    assert table.now.due is None
    table.open()
    slots = []
    for card in FIVE.split():
        due = table.now.due
        assert due is not None
        slots.append((due.hand, due.index))
        table.cards(card)
    assert slots == [("player", 1), ("banker", 1), ("player", 2), ("banker", 2), ("player", 3)]
    assert table.now.due is None


def test_where_nothing_is_announced_the_next_card_is_always_players_first() -> None:
    table = Screen(boundaries="first_card")
    assert table.now.due == Due("player", 1)
    table.cards(FIVE)
    assert table.now.due is None  # decided, and not closed: any card would be the next round's


def test_the_burn_of_a_new_pack() -> None:
    table = Screen()
    assert table.now.burn is None
    table.do(ShoeLoaded(decks=8))
    assert table.now.burn == Burn(first=None, done=0, of=None)
    table.cards("3C 9D")
    assert table.now.burn == Burn(first="3C", done=1, of=3)
    table.cards("9C 9S")
    table.do(BetsOpened())
    assert table.now.burn is None


def test_stakes_are_placed_taken_back_and_frozen() -> None:
    table = Screen()
    table.do(BetsOpened())
    table.stake(3, "banker", "100")
    table.stake(3, "banker", "50.50")
    table.stake(1, "player", "25")
    table.do(WagerRemoved(seat=1, wager="player"))
    assert table.now.stakes == [Stake(seat=3, wager="banker", amount="150.50")]
    table.open()
    assert (table.now.window, table.stakes()) == ("closed", [(3, "banker", "150.50")])
    table.stake(2, "tie", "5")  # late
    assert table.stakes() == [(3, "banker", "150.50")]
    table.cards(FIVE)
    table.do(ResultConfirmed())
    assert (table.now.window, table.stakes()) == ("frozen", [(3, "banker", "150.50")])
    table.do(WagersPaid())
    assert (table.now.window, table.stakes()) == ("open", [])


def test_what_is_refused_does_not_lie_there() -> None:
    table = Screen()
    table.do(BetsOpened())
    table.stake(1, "lucky_6", "5")
    table.stake(9, "player", "5")
    table.do(WagerRemoved(seat=2, wager="player", amount="5"))
    assert table.stakes() == []


def test_settlement_vigorish_and_its_collection() -> None:
    table = Screen()
    table.do(BetsOpened())
    table.stake(4, "banker", "100")
    table.stake(5, "player", "20")
    table.open()
    table.cards("KS 2D 2H 2C 4D 3H")
    table.do(ResultConfirmed())
    lines = {(line.seat, line.wager): line for line in table.now.settled}
    assert [(key, line.outcome) for key, line in lines.items()] == [
        ((4, "banker"), "win"),
        ((5, "player"), "lose"),
    ]
    assert isinstance(lines[4, "banker"], WagerSettled)
    owed = table.now.owed
    assert (owed, lines[4, "banker"].vigorish) == ({4: "5.00"}, "5.00")
    table.do(VigorishCollected(seat=4, amount="5"))
    assert table.now.owed == {}
    table.open()
    assert table.now.settled == []


def test_a_void_returns_every_stake() -> None:
    table = Screen()
    table.do(BetsOpened())
    table.stake(4, "banker", "100")
    table.open()
    table.cards("KS 2D")
    table.do(Order(order="void_round", by="Ann"))
    assert [(line.seat, line.outcome) for line in table.now.settled] == [(4, "void")]
    table.do(Order(order="reinstate_round", by="Ann"))
    assert (table.now.settled, table.stakes(), table.now.window) == ([], [(4, "banker", "100.00")], "closed")


def test_a_closed_table() -> None:
    table = Screen()
    table.do(Order(order="close_table", by="Ann"))
    assert not table.now.open
    table.do(Order(order="open_table", by="Ann"))
    table.open()
    table.do(Order(order="close_table", by="Ann"))  # refused: a round is open
    assert table.now.open


def test_the_rounds_that_may_be_changed() -> None:
    table = Screen("pit")
    assert table.now.changeable == []
    table.open()
    table.cards("9C 2D KH 3S")
    assert [(r.round, r.confirmed) for r in table.now.changeable] == [(1, False)]
    table.do(ResultConfirmed(), BetsOpened())
    assert [(r.round, r.player, r.confirmed) for r in table.now.changeable] == [(1, ["9C", "KH"], True)]
    table.open()
    table.cards("9C")
    assert [r.round for r in table.now.changeable] == [2]


@pytest.mark.parametrize("dealing", ["player-down", "both-down"])
def test_face_down_the_floor_waits_with_the_cards(dealing: str) -> None:
    table = Screen()
    table.view = TableView(TableInfo(id="A", name="A", dealing=dealing, house=house()), "dealer")  # type: ignore[arg-type]
    table.open()
    table.cards("2C 9D 3H 7S")
    assert table.now.due is None
    table.do(HandCalled(hand="player"))
    if dealing == "player-down":
        assert table.now.due == Due("player", 3)
    else:
        assert table.now.due is None
        table.do(HandCalled(hand="banker"))
        assert table.now.due == Due("player", 3)


def test_a_wager_alone_makes_a_new_state() -> None:
    table = Screen()
    feed = Feed(table.view.table, "dealer")
    feed.take(table.do(BetsOpened()))
    assert b'"amount":"5.00"' in feed.take(table.do(WagerPlaced(seat=1, wager="tie", amount="5")))
    assert feed.take(table.do(CardDrawn(card="2C", slot="burn_count"))) == b""


def test_no_hand_is_due_before_the_burn_is_done() -> None:
    table = Screen(boundaries="device")
    table.do(ShoeLoaded(decks=8), CardDrawn(card="2C", slot="first"))
    assert table.now.due is None
    table.do(CardDrawn(card="9C", slot="burn"), CardDrawn(card="9D", slot="burn"))
    assert table.now.due == Due("player", 1)
