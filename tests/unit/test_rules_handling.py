"""Who is handed the cards."""

import pytest

from controller.rules.handling import Assignment, assign_hands
from controller.rules.ruleset import load_ruleset
from controller.rules.terms import Handling

LAW = load_ruleset("nj-mini-baccarat").handling
SEVEN = "N.J.A.C. 13:69F-7.7"


def setting(**changes: object) -> Handling:
    return LAW.model_copy(update=changes)


def assigned(*wagers: tuple[int, str, str], handling: Handling = LAW) -> list[tuple[int | None, str]]:
    player, banker = assign_hands(handling, "player-down", wagers)
    assert (player.hand, banker.hand) == ("player", "banker")
    return [(one.seat, one.citation.removeprefix(SEVEN)) for one in (player, banker)]


def test_the_highest_wager_on_each_hand() -> None:
    told = assigned((1, "player", "100"), (4, "player", "250"), (2, "banker", "60"), (6, "banker", "50"))
    assert told == [(4, "(d), (f)"), (2, "(e), (g)")]


def test_other_wagers_do_not_count() -> None:
    told = assigned((1, "tie", "900"), (2, "player_bonus", "900"), (3, "player", "5"), (4, "banker", "5"))
    assert [seat for seat, _ in told] == [3, 4]


def test_wagers_of_one_seat_on_one_hand_add_up() -> None:
    told = assigned((1, "player", "60"), (2, "player", "100"), (1, "player", "40.01"), (3, "banker", "1"))
    assert told[0] == (1, "(d), (f)")


@pytest.mark.parametrize(("seat_1", "seat"), [("dealer-right", 2), ("dealer-left", 6)])
def test_equals_go_counter_clockwise_from_the_dealers_right(seat_1: str, seat: int) -> None:
    wagers = [(6, "player", "100"), (2, "player", "100.00"), (4, "player", "100"), (5, "banker", "1")]
    assert assigned(*wagers, handling=setting(seat_1=seat_1))[0] == (seat, "(h)")


def test_nobody_on_a_hand() -> None:
    wagers = [(3, "banker", "20"), (5, "banker", "30")]
    assert assigned(*wagers) == [(None, "(i)"), (5, "(e), (g)")]
    assert assigned(*wagers, handling=setting(other_hand=True)) == [(5, "(i)"), (5, "(e), (g)")]
    assert assigned() == [(None, "(i)"), (None, "(i)")]
    assert assigned(handling=setting(other_hand=True)) == [(None, "(i)"), (None, "(i)")]


def test_face_up_there_is_nothing_to_hand_out() -> None:
    assert assign_hands(LAW, "face-up", [(1, "player", "100")]) == []


def test_where_the_dealer_turns_the_cards() -> None:
    handling = load_ruleset("nj-casino-night-baccarat").handling
    told = assign_hands(handling, "both-down", [(1, "player", "100")])
    assert told[0] == Assignment("player", None, "N.J.A.C. 13:47-20.20: silent")
