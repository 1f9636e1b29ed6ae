"""What each order would change, before it is given."""

import pytest
from playing import Play

from controller.observations import BetsOpened, ResultConfirmed, WagerPlaced
from controller.orders import Order
from controller.runtime.preview import Preview, preview, twin

NATURAL = "9C KD KH 3S"


def tried(table: Play, order: str, **fields: object) -> Preview:
    return preview(twin(table.table), Order(order=order, by="Ann", **fields))  # type: ignore[arg-type]


@pytest.fixture
def overdrawn() -> Play:
    """Player has a natural 9, Banker 3, and a card too many lies there."""
    table = Play()
    table.do(BetsOpened(), WagerPlaced(seat=1, wager="player", amount="100"))
    table.open()
    table.cards(f"{NATURAL} 4D")
    return table


def test_burning_a_card_too_many_leaves_the_hands(overdrawn: Play) -> None:
    seen = tried(overdrawn, "burn_card")
    assert (seen.before.held, seen.after.held) == ("overdraw", None)
    assert (seen.before.state, seen.after.state, seen.after.winner) == ("decided", "decided", "player")
    assert (seen.after.player, seen.after.player_total, seen.burned) == (["9C", "KH"], 9, ["4D"])
    assert seen.refused is None


def test_carrying_it_names_the_next_rounds_first_card(overdrawn: Play) -> None:
    seen = tried(overdrawn, "carry_card")
    assert (seen.before.carried, seen.after.carried) == (None, "4D")


def test_a_void_settles_the_stakes(overdrawn: Play) -> None:
    seen = tried(overdrawn, "void_round")
    assert (seen.after.state, seen.after.winner) == ("void", None)
    assert [(line.seat, line.outcome) for line in seen.settled] == [(1, "void")]


def test_what_does_not_fit_is_refused_and_changes_nothing(overdrawn: Play) -> None:
    seen = tried(overdrawn, "move_card", to="banker")
    assert seen.refused == "no card is due"
    assert seen.before == seen.after


def test_a_correction_may_make_a_card_due_again() -> None:
    table = Play()
    table.open()
    table.cards(NATURAL)
    table.do(ResultConfirmed(), BetsOpened())
    seen = tried(table, "correct_card", hand="player", index=1, card="2C")
    assert (seen.before.round, seen.before.state, seen.before.winner) == (1, "confirmed", "player")
    assert (seen.after.state, seen.after.player, seen.after.due) == ("due", ["2C", "KH"], "player")


def test_stating_hands_where_no_round_was_open() -> None:
    table = Play()
    seen = tried(table, "resynchronise", player=["9C", "KH"], banker=["KD", "3S"])
    assert (seen.before.state, seen.before.player) == ("open", [])
    assert (seen.after.round, seen.after.state, seen.after.winner) == (1, "decided", "player")


def test_the_table_is_as_before(overdrawn: Play) -> None:
    for order in ("burn_card", "void_round", "accept", "carry_card"):
        tried(overdrawn, order)
    assert overdrawn.table.hold is not None
    assert overdrawn.table.carried is None
    overdrawn.do(Order(order="burn_card", by="Ann"))
    assert overdrawn.table.round.phase == "decided"
