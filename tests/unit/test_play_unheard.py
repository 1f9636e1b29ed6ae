"""Settled cases: what may have gone by unheard, and what the count of the shoe tells."""

import pytest
from felt import ALL, NATURAL, SHOE, SHOES, Felt, dealt

from controller.play.boundaries import Boundaries

# -- what may have gone by unheard ------------------------------------------------------------------------

LOSSES = {"lost": "link-lost", "boot": "device-restarted", "gap": "lost-frames"}


@pytest.mark.parametrize("word", LOSSES)
@pytest.mark.parametrize("boundaries", ALL)
def test_inside_a_round_a_loss_holds_it(boundaries: Boundaries, word: str) -> None:
    felt = dealt("2C", boundaries)
    assert felt.tell(word) == f"!{LOSSES[word]}"


@pytest.mark.parametrize("word", LOSSES)
@pytest.mark.parametrize(
    "words", ["", "open", "open close", f"open close {NATURAL}", f"open close {NATURAL} confirm"]
)
def test_outside_a_round_it_is_no_irregularity(words: str, word: str) -> None:
    felt = Felt()
    felt.tell(words)
    assert felt.tell(word) == ""


@pytest.mark.parametrize("word", LOSSES)
def test_outside_a_round_the_table_waits_for_a_clean_boundary(word: str) -> None:
    felt = Felt("device")
    felt.tell(f"{SHOE} result:player {word}")
    assert felt.tell("P1=5H") == "open2 bets2 P1=5H"
    felt = Felt("device")
    felt.tell(f"{SHOE} result:player {word}")
    assert felt.tell("B1=5H") == f"!{LOSSES[word]}"


def test_without_the_shoes_result_the_next_first_card_after_a_loss_closes_the_round() -> None:
    felt = Felt("device")
    felt.tell(f"{SHOE} lost")
    assert felt.tell("P1=5H") == "confirmed1 open2 bets2 P1=5H"


@pytest.mark.parametrize("word", LOSSES)
def test_a_void_after_them_leaves_the_table_waiting_for_the_next_rounds_first_card(word: str) -> None:
    felt = Felt("device")
    felt.tell(f"P1=9S B1=2D {word} void")
    assert felt.tell("P2=KH B2=3C result:player") == ""
    assert felt.tell("P1=5H") == "open2 bets2 P1=5H"
    felt = dealt(f"2C {word} void")
    assert felt.tell("9D 3H open close 4S") == "open2 bets2 P1=4S"


def test_a_void_after_a_loss_during_another_hold_does_so_too() -> None:
    felt = Felt("device")
    felt.tell("P1=9S call lost void")
    assert felt.tell("B1=2D P1=5H") == "open2 bets2 P1=5H"


def test_other_voids_do_not() -> None:
    felt = Felt("device")
    felt.tell("P1=9S call void")
    assert felt.tell("B1=2D") == "open2 bets2 !wrong-slot"


def test_a_start_in_the_middle_of_a_round_waits_for_the_next_ones_first_card() -> None:
    felt = Felt("device")
    assert felt.tell("serve:1 P2=4H B2=3H result:banker") == "shoe1"
    assert felt.tell("P1=2C") == "open1 bets1 P1=2C"
    felt = Felt()
    assert felt.tell("serve:1 4H 5H open close 2C") == "shoe1 open1 bets1 P1=2C"


@pytest.mark.parametrize("boundaries", SHOES)
def test_a_start_where_no_slot_is_named_is_held_until_somebody_says_what_lies_there(
    boundaries: Boundaries,
) -> None:
    felt = Felt(boundaries)
    assert felt.tell("serve:1 4H") == "shoe1 !early-card"
    assert felt.tell("state:2C,4H|3H 5H") == (
        "open1 bets1 P1=2C P2=4H B1=3H ok:resynchronise B2=5H due:none banker:6-8"
    )
    assert Felt(boundaries).tell("serve:1 load:8 2C") == "shoe1 burned=2C"


def test_a_restart_on_the_same_record_waits_for_nothing() -> None:
    assert dealt("2C").tell("serve:2 9D") == "B1=9D"


# -- counting ---------------------------------------------------------------------------------------------


def test_count_mismatch_when_more_cards_are_seen_than_loaded() -> None:
    felt = Felt(decks=1)
    felt.tell("load:1 open close 2C")
    felt.tell(" ".join(["? burn"] * 50))
    assert felt.table.shoe.cards_left == 1
    assert felt.tell("? burn") == "!unread-card burned=? ok:burn_card !shoe-exhausted"
    assert felt.tell("? void open") == "void1 ok:void_round #count-mismatch"
    assert felt.tell("ack open") == "ok:acknowledge open2"


@pytest.mark.parametrize(("remaining", "answer"), [(412, "ended"), (413, "#count-mismatch ended")])
def test_count_mismatch_when_seen_and_remaining_differ_from_loaded(remaining: int, answer: str) -> None:
    felt = Felt()
    felt.tell(f"load:8 open close {NATURAL} confirm")
    assert felt.tell(f"end:{remaining}") == answer


def test_the_count_may_be_stated_after_the_last_round_has_ended_the_shoe() -> None:
    felt = Felt()
    felt.tell(f"load:8 open cut close {NATURAL} confirm")
    assert felt.table.shoe.phase == "ended"
    assert felt.tell("end:412 end:411") == "#count-mismatch"


def test_an_accepted_loss_leaves_the_table_waiting_as_well() -> None:
    felt = dealt(f"{SHOE} result:player lost B1=5H", "device")
    assert felt.tell("accept P2=6H B2=7H P1=8H") == "ok:accept open2 bets2 P1=8H"


def test_a_card_moved_to_player_begins_the_round_that_the_table_waited_for() -> None:
    felt = Felt("first_card")
    felt.tell("load:8 ? 9S move:player 2D KH 3C")
    assert felt.tell("5H").startswith("confirmed1 open2")


def test_a_fault_that_the_table_waits_through_is_counted_once() -> None:
    felt = Felt()
    felt.tell("serve:1 fault:unreadable ?")
    assert felt.table.shoe.cards_seen == 1


def test_an_announcement_ends_the_waiting_for_good() -> None:
    assert Felt().tell("serve:1 open void 5H") == "shoe1 open1 void1 !early-card"


def test_a_restart_between_rounds_is_no_start_in_the_middle_of_one() -> None:
    assert Felt().tell("open void serve:2 5H") == "shoe1 open1 void1 !early-card"
