"""Settled cases: how shoes and rounds begin and end under each boundary, and which slot is which."""

import pytest
from felt import ALL, NATURAL, SHOE, SHOES, Felt, dealt

from controller import facts
from controller.play.boundaries import Boundaries


def decided(felt: Felt) -> facts.RoundDecided:
    return [fact for fact in felt.told if isinstance(fact, facts.RoundDecided)][-1]


# -- start, shoe, numbers ---------------------------------------------------------------------------------


def test_the_table_starts_open() -> None:
    assert Felt().tell("open") == "shoe1 open1"


def test_shoe_loaded_starts_a_shoe_without_an_order() -> None:
    felt = Felt()
    assert felt.tell("load:8") == "shoe1"
    assert felt.tell("load:6") == "ended shoe2"


def test_without_shoe_loaded_there_is_no_burn_check() -> None:
    assert Felt().tell("open") == "shoe1 open1"
    assert Felt("device").tell("P1=2C") == "shoe1 open1 bets1 P1=2C"


def test_without_shoe_loaded_the_inventory_counts_from_the_first_card_seen() -> None:
    felt = dealt(NATURAL)
    assert felt.table.shoe.cards_seen == 4
    assert felt.table.shoe.cards_left is None
    assert felt.tell("confirm end:500") == "confirmed1 ended"


@pytest.mark.parametrize("boundaries", ALL)
def test_a_device_start_outside_a_round_after_the_cut_card_starts_the_next_shoe(
    boundaries: Boundaries,
) -> None:
    felt = Felt(boundaries)
    felt.tell(f"open close {NATURAL} cut confirm result:player")
    assert felt.tell("boot").endswith("ended shoe2")
    assert felt.tell("open close P1=2C") == "open1 bets1 P1=2C"


def test_a_device_start_before_the_cut_card_is_a_restart_and_nothing_more() -> None:
    felt = Felt("device")
    felt.tell(f"{SHOE} result:player")
    assert "shoe" not in felt.tell("boot")
    assert felt.tell("P1=2C") == "open2 bets2 P1=2C"


def test_natural_is_true_when_either_hand_has_one() -> None:
    assert decided(dealt("9S 2D KH 3C")).natural
    assert decided(dealt("2D 9S 3C KH")).natural
    assert not decided(dealt("2C 9D 3H 7S 4S")).natural


@pytest.mark.parametrize("cards", ["9S 2D KH 3C", "2C 9D 3H 7S 4S", "2C 2D 3H AS KS 9H"])
def test_cards_is_the_number_of_cards_required(cards: str) -> None:
    felt = dealt(f"{cards} 5H burn")
    assert decided(felt).cards == len(cards.split())


def test_round_counts_from_1_within_a_shoe() -> None:
    felt = dealt(f"{NATURAL} confirm")
    assert felt.tell("open void open") == "open2 void2 open3"
    assert felt.tell("void load:8 open") == "void3 ended shoe2 open1 ~not-burned"


# -- boundaries -------------------------------------------------------------------------------------------


def test_announced_a_card_between_confirmation_and_no_more_bets_is_an_early_card() -> None:
    felt = dealt(f"{NATURAL} confirm")
    assert felt.tell("5H burn") == "!early-card burned=5H ok:burn_card"
    assert felt.tell("open 6H burn") == "open2 !early-card burned=6H ok:burn_card"
    assert felt.tell("close 7H") == "bets2 P1=7H"


def test_announced_bets_opened_on_a_decided_round_confirms_it() -> None:
    assert dealt(NATURAL).tell("open") == "confirmed1 open2"


def test_announced_the_shoes_result_is_compared_and_closes_nothing() -> None:
    felt = dealt(NATURAL)
    assert felt.tell("result:player") == ""
    assert felt.table.round.phase == "decided"
    assert dealt(NATURAL).tell("result:banker") == "!result-mismatch"


@pytest.mark.parametrize("words", ["confirm", "confirm open", "confirm open close"])
def test_announced_a_late_result_is_still_compared_until_the_next_first_card(words: str) -> None:
    felt = dealt(f"{NATURAL} {words}")
    assert felt.tell("result:banker") == "!result-mismatch"
    assert felt.table.hold is not None
    assert felt.table.hold.round == 1
    felt = dealt(f"{NATURAL} {words}")
    assert felt.tell("result:player result:player") == ""


def test_announced_no_more_bets_opens_the_round_where_nobody_called_for_bets() -> None:
    assert Felt().tell("close 2C") == "shoe1 open1 bets1 P1=2C"


def test_announcements_given_twice_say_nothing() -> None:
    felt = Felt()
    assert felt.tell("confirm open open close close") == "shoe1 open1 bets1"
    assert felt.tell(f"{NATURAL} close confirm confirm").endswith("player:9-5 confirmed1")


@pytest.mark.parametrize("boundaries", SHOES)
def test_where_nobody_announces_announcements_say_nothing(boundaries: Boundaries) -> None:
    assert Felt(boundaries).tell("open close confirm") == ""
    felt = dealt(NATURAL, boundaries)
    assert felt.tell("open close confirm") == ""
    assert felt.table.round.phase == "decided"


def test_device_players_first_card_opens_the_round_and_the_result_closes_it() -> None:
    felt = Felt("device")
    assert felt.tell("P1=9S") == "shoe1 open1 bets1 P1=9S"
    felt.tell("B1=2D P2=KH B2=3C")
    assert felt.tell("P1=5H") == "!card-conflict"
    assert felt.tell("burn result:player P1=5H") == "burned=5H ok:burn_card confirmed1 open2 bets2 P1=5H"


def test_device_a_result_without_a_round_says_nothing() -> None:
    assert Felt("device").tell("result:player result:quit") == ""


def test_first_card_the_next_card_after_a_decision_opens_the_next_round() -> None:
    felt = Felt("first_card")
    felt.tell(NATURAL)
    assert felt.tell("5H") == "confirmed1 open2 bets2 P1=5H"


def test_first_card_by_slots_players_first_card_opens_it_also_if_it_is_the_same_card_again() -> None:
    felt = Felt("first_card")
    felt.tell(SHOE)
    assert felt.tell("P1=9S B1=2D") == "confirmed1 open2 bets2 P1=9S B1=2D"
    felt = Felt("first_card")
    felt.tell(SHOE)
    assert felt.tell("P3=5H burn B2=3C P1=6H") == (
        "!overdraw burned=5H ok:burn_card confirmed1 open2 bets2 P1=6H"
    )


def test_first_card_on_a_shoe_that_names_no_slots_the_burn_is_delimited_by_its_count() -> None:
    felt = Felt("first_card")
    assert felt.tell("load:8 2H 5C 5D KD") == ("shoe1 burned=2H burned=5C burned=5D open1 bets1 P1=KD")


# -- slots ------------------------------------------------------------------------------------------------


def test_same_slot_same_index_same_card_again_is_ignored() -> None:
    felt = dealt("P1=2C P1=2C B1=9D P1=2C B1=9D")
    assert felt.tell("P2=3H B2=7S P1=2C P2=3H") == "P2=3H B2=7S due:player"
    assert felt.table.shoe.cards_seen == 4


@pytest.mark.parametrize("card", ["P1=3C", "P1=?"])
def test_filled_slot_another_card_is_a_conflict_whatever_else_it_may_be(card: str) -> None:
    assert dealt("P1=2C").tell(card) == "!card-conflict"
    assert dealt(SHOE).tell(card) == "!card-conflict"
    felt = Felt(decks=1)
    assert felt.tell("open close P1=2C B1=9D P1=9D").endswith("!card-conflict")


def test_right_hand_wrong_index_is_a_wrong_slot() -> None:
    assert dealt("P1=2C").tell("B2=3C") == "!wrong-slot"
    assert dealt("P1=2C B1=3C P2=4C").tell("B3=3C") == "!wrong-slot"


@pytest.mark.parametrize("card", ["B1=2C", "P2=2C", "P3=2C", "burn=2C", "first=2C"])
def test_a_rounds_first_card_for_another_slot_is_a_wrong_slot(card: str) -> None:
    assert dealt("").tell(card) == "!wrong-slot"


@pytest.mark.parametrize("card", ["B1=2C", "P2=2C"])
@pytest.mark.parametrize("boundaries", SHOES)
def test_also_where_it_opens_the_round(boundaries: Boundaries, card: str) -> None:
    felt = Felt(boundaries)
    assert felt.tell(card) == "shoe1 open1 bets1 !wrong-slot"
    assert felt.tell("move:player") == "ok:move_card P1=2C"


@pytest.mark.parametrize("card", ["2C", "?", "P1=2C", "B2=2C", "burn=2C", "error:2C", "setting:2C"])
def test_a_card_of_any_slot_while_bets_are_open_is_an_early_card(card: str) -> None:
    felt = Felt()
    felt.tell("open")
    assert felt.tell(card) == "!early-card"


def test_a_hand_without_an_index_is_the_next_card_of_that_hand() -> None:
    assert dealt("P=2C B=3C").tell("B=4C") == "!wrong-slot"


def test_a_burn_count_is_no_card() -> None:
    felt = dealt("2C")
    assert felt.tell("burn_count=5H") == ""
    assert felt.table.shoe.cards_seen == 1
