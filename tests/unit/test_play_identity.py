"""Settled cases: cards without identity, cards outside a game, and the shoe's own results."""

import pytest
from felt import ALL, NATURAL, SHOES, Felt, dealt

from controller import observations as seen
from controller.play.boundaries import Boundaries

# -- identity ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["?", "fault:unreadable", "fault:foreign-card"])
def test_an_identity_is_asked_for_the_slot_that_was_due(words: str) -> None:
    felt = dealt("2C")
    felt.tell(words)
    assert felt.raised[0] in ("unread-card", "foreign-card")
    assert felt.tell("name:9D") == "ok:identify_card B1=9D"


@pytest.mark.parametrize(
    ("words", "code"),
    [("?", "unread-card"), ("fault:unreadable", "unread-card"), ("fault:foreign-card", "foreign-card")],
)
def test_in_the_burn_they_are_a_warning(words: str, code: str) -> None:
    felt = Felt()
    assert felt.tell(f"load:8 2C {words} 4D open") == f"shoe1 burned=2C burned=? ~{code} burned=4D open1"


def test_an_impossible_card_in_the_burn_is_a_warning() -> None:
    felt = Felt(decks=1)
    assert felt.tell("load:1 2C 2C") == "shoe1 burned=2C burned=2C ~impossible-card"


@pytest.mark.parametrize("words", ["?", "fault:unreadable", "fault:foreign-card", "2C"])
def test_where_no_card_is_due_they_are_an_overdraw(words: str) -> None:
    felt = Felt(decks=1)
    felt.tell("open close 9S 2C KH 3C")
    assert felt.tell(words) == "!overdraw"


@pytest.mark.parametrize("words", ["fault:unreadable B1=?", "B1=? fault:unreadable", "fault:unreadable ?"])
def test_an_unreadable_fault_and_a_null_card_are_one_unread_card(words: str) -> None:
    felt = dealt("P1=2C")
    assert felt.tell(words) == "!unread-card"
    assert felt.table.shoe.cards_seen == 2
    assert felt.tell("name:9D P2=3H") == "ok:identify_card B1=9D P2=3H"


@pytest.mark.parametrize("words", ["fault:unreadable ?", "? fault:unreadable"])
def test_also_in_the_burn(words: str) -> None:
    felt = Felt()
    assert felt.tell(f"load:8 2C {words} {words}") == (
        "shoe1 burned=2C burned=? ~unread-card burned=? ~unread-card"
    )
    assert felt.table.shoe.cards_seen == 3


def test_also_for_the_first_card_of_a_burn_by_slots() -> None:
    felt = Felt("device")
    assert felt.tell("load:8 fault:unreadable first=? burn=3C P1=2C") == (
        "shoe1 burned=? ~unread-card burned=3C open1 bets1 P1=2C"
    )
    felt = Felt("device")
    assert felt.tell("load:8 first=? fault:unreadable burn=3C P1=2C") == (
        "shoe1 burned=? ~unread-card burned=3C open1 bets1 P1=2C"
    )


def test_a_null_card_of_another_slot_is_another_card() -> None:
    felt = dealt("P1=2C fault:unreadable P2=?")
    assert felt.table.shoe.cards_seen == 3


def test_the_report_of_an_unreadable_fault_may_still_come_with_its_name() -> None:
    felt = dealt("P1=2C fault:unreadable B1=9D")
    assert felt.table.shoe.cards_seen == 2
    assert felt.tell("accept") == "ok:accept B1=9D"


@pytest.mark.parametrize("boundaries", SHOES)
def test_nobody_can_tell_the_end_of_a_burn_whose_first_card_was_not_read(boundaries: Boundaries) -> None:
    felt = Felt(boundaries)
    assert felt.tell("load:8 ?") == "shoe1 burned=? ~unread-card"
    assert felt.tell("2C accept 3C") == "!early-card ok:accept !early-card"
    assert felt.tell("state:| 4D") == "ok:resynchronise open1 bets1 P1=4D"


def test_an_overdraw_fault_without_a_card_is_an_overdraw_whose_card_is_the_one_reported_next() -> None:
    felt = dealt(f"{NATURAL} fault:overdraw")
    assert felt.raised == ["overdraw"]
    assert felt.tell("error:5H 6H burn") == "burned=5H ok:burn_card"
    assert felt.table.shoe.cards_seen == 6


def test_a_card_outside_the_game_is_not_told_as_one_that_nobody_was_owed() -> None:
    felt = dealt("2C")
    (raised,) = felt.apply(seen.CardDrawn(card="5H", mode="error"))
    assert raised.detail == "5H was drawn outside the game, and banker is due"  # type: ignore[attr-defined]


def test_an_overdraw_fault_after_its_card_is_the_same_overdraw() -> None:
    felt = dealt(f"{NATURAL} error:5H fault:overdraw")
    assert felt.raised == ["overdraw"]
    assert felt.table.shoe.cards_seen == 5


@pytest.mark.parametrize(
    ("words", "code"), [("open", "early-card"), ("", "early-card"), ("open close", "overdraw")]
)
def test_an_overdraw_fault_elsewhere(words: str, code: str) -> None:
    felt = Felt()
    felt.tell(words)
    assert felt.tell("fault:overdraw").endswith(f"!{code}")


# -- outside a game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["lock", "error", "setting"])
@pytest.mark.parametrize("words", ["open close 2C", f"open close {NATURAL}"])
def test_a_card_with_a_mode_is_an_overdraw_in_a_round(mode: str, words: str) -> None:
    felt = Felt()
    felt.tell(words)
    assert felt.tell(f"{mode}:5H") == "!overdraw"


@pytest.mark.parametrize("mode", ["lock", "error"])
@pytest.mark.parametrize("boundaries", ALL)
def test_a_card_with_a_mode_is_an_early_card_between_rounds(boundaries: Boundaries, mode: str) -> None:
    assert Felt(boundaries).tell(f"{mode}:5H") == "shoe1 !early-card"


@pytest.mark.parametrize("boundaries", ALL)
def test_a_card_in_setting_mode_between_rounds_only_counts_as_seen(boundaries: Boundaries) -> None:
    felt = Felt(boundaries)
    assert felt.tell("setting:5H") == "shoe1"
    assert felt.table.shoe.cards_seen == 1
    felt = dealt(f"{NATURAL} result:player confirm", boundaries)
    assert felt.tell("setting:5H") == ""


# -- results, faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize("result", ["banker", "tie", "player+pp", "player+bp", "player+pp+bp"])
def test_a_difference_in_winner_or_in_a_pair_flag_is_a_result_mismatch(result: str) -> None:
    assert dealt(NATURAL).tell(f"result:{result}") == "!result-mismatch"


def test_the_shoes_own_pairs_agree_with_the_cards() -> None:
    assert dealt("9S 2D 9H 2C").tell("result:player+pp+bp") == ""


@pytest.mark.parametrize("words", ["2C", NATURAL, f"{NATURAL} confirm"])
def test_a_broken_off_game_raises_forced_quit(words: str) -> None:
    assert dealt(words).tell("result:quit") == "!forced-quit"


def test_a_result_that_is_told_again_differently_is_a_mismatch() -> None:
    felt = dealt(f"{NATURAL} result:player confirm")
    assert felt.tell("result:banker") == "!result-mismatch"


@pytest.mark.parametrize("device", ["sign", "lamps-2", "sensor"])
def test_faults_and_losses_of_other_devices_are_no_irregularity(device: str) -> None:
    felt = dealt("2C")
    assert felt.apply(seen.DeviceFault(fault="jam", active=True, device=device)) == []
    assert felt.apply(seen.LinkLost(device=device)) == []
    assert felt.apply(seen.SequenceGap(expected="1", got="3", device=device)) == []
    assert felt.apply(seen.DeviceStarted(device=device)) == []


@pytest.mark.parametrize("fault", ["jam", "unreadable", "overdraw", "anything"])
def test_every_fault_of_a_shuffler_is_a_shuffler_fault(fault: str) -> None:
    felt = dealt("2C")
    felt.apply(seen.DeviceFault(fault=fault, active=True, device="shuffler-2"))
    assert felt.raised == ["shuffler-fault"]
    assert felt.tell("9D") == "B1=9D"


def test_a_fault_that_is_cleared_and_one_without_a_code_raise_nothing() -> None:
    assert dealt("2C").tell("cleared:jam fault:code-9") == ""


def test_a_null_card_for_another_slot_than_the_one_due_is_in_the_wrong_one() -> None:
    assert dealt("P1=2C").tell("P2=?") == "!wrong-slot"


def test_one_copy_too_many_for_another_slot_than_the_one_due_is_in_the_wrong_one() -> None:
    felt = Felt(decks=1)
    felt.tell("open close P1=2C")
    assert felt.tell("P2=2C") == "!wrong-slot"
    assert felt.tell("burn B1=9D") == "burned=2C ok:burn_card B1=9D"


def test_a_quit_after_a_result_says_nothing_of_that_round() -> None:
    assert dealt(f"{NATURAL} result:player confirm").tell("result:quit") == ""


@pytest.mark.parametrize("result", ["player", "quit"])
def test_a_result_of_a_void_round_says_nothing(result: str) -> None:
    assert dealt("2C void").tell(f"result:{result}") == ""


def test_in_the_burn_a_second_null_card_is_another_one() -> None:
    felt = Felt()
    assert felt.tell("load:8 2C fault:unreadable ? ?") == (
        "shoe1 burned=2C burned=? ~unread-card burned=? ~unread-card"
    )


@pytest.mark.parametrize("word", ["R:P1=5H", "fault:overdraw", "fault:unreadable"])
def test_what_the_shoe_says_of_a_card_begins_a_shoe(word: str) -> None:
    assert Felt().tell(word) == "shoe1 !early-card"


@pytest.mark.parametrize(
    ("words", "detail"),
    [
        ("result:banker", "the shoe says banker; the cards say player"),
        ("result:player+pp", "the shoe says player, player pair; the cards say player"),
        (
            "confirm open result:tie+pp+bp",
            "the shoe says tie, player pair, banker pair; the cards say player",
        ),
    ],
)
def test_a_result_that_differs_is_told_with_both(words: str, detail: str) -> None:
    felt = dealt(f"{NATURAL} {words}")
    hold = felt.table.hold
    assert hold is not None and hold.raised is not None
    assert (hold.code, hold.raised.detail) == ("result-mismatch", detail)
