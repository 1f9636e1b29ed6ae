"""What a page shows: the state that follows from what an audience was told."""

import msgspec
import pytest
from playing import Play

from controller.observations import BetsOpened, CardDrawn, CutCardDrawn, LinkLost, ResultConfirmed, ShoeLoaded
from controller.orders import Order
from controller.play.round import Boundaries
from controller.views.disclosure import Audience
from controller.views.view import TableInfo, TableState, TableView

CONFIRM = ResultConfirmed()
FIVE = "2C 9D 3H 7S 4S"  # Player 9 beats Banker 6
SIX = "2C 2D 3H AS KS 9H"  # Player 5 beats Banker 2
TIE = "9C 9D KH KS"


class Screen(Play):
    """A table and what one audience is shown of it."""

    def __init__(self, audience: Audience = "board", boundaries: Boundaries = "announced") -> None:
        super().__init__(boundaries)
        self.view = TableView(TableInfo(id="A", name="A", announced=boundaries == "announced"), audience)
        self.followed = 0

    @property
    def now(self) -> TableState:
        """The state after all items, from a view that has followed them."""
        for seq, item in self.items[self.followed :]:
            self.view.see(seq, item)
        self.followed = len(self.items)
        return self.view.state()

    def round(self, cards: str) -> TableState:
        self.open()
        self.cards(cards)
        self.do(CONFIRM)
        return self.now

    def big_road(self) -> str:
        assert not isinstance(self.now.roads, msgspec.UnsetType)
        return "".join(cell.outcome[0].upper() for cell in self.now.roads.bead_plate)


def test_a_table_without_a_shoe() -> None:
    now = Screen().now
    assert (now.shoe.phase, now.round.phase, now.round.number) == ("none", "idle", None)
    assert now.player.cards == now.banker.cards == []


def test_a_round_from_bets_to_result() -> None:
    table = Screen()
    table.do(BetsOpened())
    assert table.now.round.phase == "betting"
    table.open()
    table.cards("2C 9D")
    assert (table.now.player.total, table.now.banker.total, table.now.round.phase) == (2, 9, "dealing")
    table.cards("3H 7S")
    draw = table.now.draw
    assert draw is not None
    assert (draw.hand, draw.player_total, draw.banker_total, draw.third) == ("player", 5, 6, None)
    table.cards("4S")
    now = table.now
    assert now.draw is None
    assert (now.player.cards, now.player.total) == (["2C", "3H", "4S"], 9)
    assert now.result is not None
    assert (now.result.winner, now.result.margin, now.result.natural) == ("player", 3, False)
    assert now.round.phase == "decided"


def test_bankers_draw_tells_the_third_card() -> None:
    table = Screen()
    table.open()
    table.cards("2C 2D 3H AS KS")
    draw = table.now.draw
    assert draw is not None
    assert (draw.hand, draw.banker_total, draw.third) == ("banker", 3, 0)


def test_a_result_comes_to_the_roads_when_it_is_confirmed() -> None:
    table = Screen()
    table.open()
    table.cards(FIVE)
    assert table.big_road() == ""
    table.do(CONFIRM)
    assert table.big_road() == "P"
    assert table.now.round.phase == "confirmed"


@pytest.mark.parametrize("boundaries", ["device", "first_card"])
def test_or_when_it_is_decided_where_results_are_not_announced(boundaries: Boundaries) -> None:
    table = Screen(boundaries=boundaries)
    table.cards(FIVE)
    assert table.big_road() == "P"


def test_void_and_reinstated() -> None:
    table = Screen()
    table.round(FIVE)
    table.round(TIE)
    assert table.big_road() == "PT"
    table.do(Order(order="void_round", by="Ann"))
    assert (table.big_road(), table.now.round.phase) == ("P", "void")
    table.do(Order(order="reinstate_round", by="Ann"))
    assert (table.big_road(), table.now.round.phase) == ("PT", "confirmed")


def test_a_correction_replaces_its_round() -> None:
    table = Screen()
    table.round(FIVE)
    table.do(BetsOpened())
    table.do(Order(order="correct_card", by="Ann", hand="player", index=3, card="AS"))
    assert table.big_road() == "T"
    assert (table.now.round.number, table.now.player.cards) == (2, [])


def test_a_correction_may_take_a_decision_back_and_the_next_betting_with_it() -> None:
    table = Screen()
    table.round(TIE)
    table.do(BetsOpened())
    table.do(Order(order="correct_card", by="Ann", hand="player", index=1, card="2C"))
    table.do(Order(order="correct_card", by="Ann", hand="banker", index=1, card="2D"))
    now = table.now
    assert (now.round.number, now.round.phase, table.big_road()) == (1, "dealing", "")
    assert now.draw is not None
    assert (now.draw.hand, now.player.cards, now.result) == ("player", ["2C", "KH"], None)
    table.cards("3C KD")
    table.do(CONFIRM)
    assert table.big_road() == "P"


def test_a_hold_is_a_wait_and_nothing_more_for_the_board() -> None:
    board, pit = Screen(), Screen("pit")
    for table in (board, pit):
        table.open()
        table.cards("9C 2D KH 3S")
        before = table.now
        table.do(CardDrawn(card="4S"))
        now = table.now
        assert now.wait
        assert (now.player, now.banker, now.result) == (before.player, before.banker, before.result)
    assert board.now.irregularities == []
    assert [i.code for i in pit.now.irregularities] == ["overdraw"]
    for table in (board, pit):
        table.do(Order(order="burn_card", by="Ann"))
        assert (table.now.wait, table.now.irregularities) == (False, [])


def test_a_shoe_from_burn_to_last_round() -> None:
    table = Screen()
    table.do(ShoeLoaded(decks=8))
    assert (table.now.shoe.number, table.now.shoe.phase) == (1, "burning")
    table.cards("AC 2C")
    table.open()
    assert table.now.shoe.phase == "in_play"
    table.cards("2C 9D")
    table.do(CutCardDrawn())
    assert (table.now.shoe.phase, table.now.shoe.rounds_left) == ("ending", 1)
    table.cards("3H 7S 4S")
    table.do(CONFIRM, BetsOpened())
    assert table.now.shoe.phase == "last_round"
    table.round(TIE)
    assert (table.now.shoe.phase, table.big_road()) == ("ended", "PT")
    table.do(ShoeLoaded(decks=8))
    assert (table.now.shoe.number, table.now.shoe.phase, table.big_road()) == (2, "burning", "")
    assert table.now.player.cards == []


def test_devices_are_shown_to_dealer_and_pit() -> None:
    for audience, states in (("board", []), ("dealer", ["lost"]), ("pit", ["lost"])):
        table = Screen(audience)  # type: ignore[arg-type]
        table.do(LinkLost(device="sign"))
        assert [d.state for d in table.now.devices.values()] == states


def test_replaying_the_items_rebuilds_the_state() -> None:
    table = Screen()
    table.round(SIX)
    table.open()
    table.cards("2C 2D 3H")
    table.do(LinkLost())
    again = TableView(table.view.table, "board")
    for seq, item in table.items:
        again.see(seq, item)
    assert msgspec.json.encode(again.state()) == msgspec.json.encode(table.now)


def test_cards_that_a_supervisor_takes_out_of_the_hands() -> None:
    table = Screen()
    table.open()
    table.cards(FIVE)
    stated = Order(order="resynchronise", by="ann", player=["2C", "3H"], banker=["9D"])
    table.do(LinkLost(), stated)
    assert (table.now.player.cards, table.now.banker.cards) == (["2C", "3H"], ["9D"])
    assert (table.now.round.phase, table.now.result) == ("dealing", None)


def test_a_corrected_round_that_goes_on_is_confirmed_again() -> None:
    table = Screen()
    table.round("9S 2D KH 3C")
    table.do(Order(order="correct_card", by="ann", hand="player", index=1, card="3S"))
    assert table.now.round.phase == "dealing"
    table.cards("8H")
    assert table.now.round.phase == "decided"
    table.do(CONFIRM)
    assert table.now.round.phase == "confirmed"
