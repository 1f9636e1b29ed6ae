"""Orders that change a round: correct a card, state the hands anew, void and reinstate, in every phase."""

import pytest
from felt import FIVE, NATURAL, SHOE, SIX, Felt, dealt

# -- correct_card, phase by phase -------------------------------------------------------------------------


def test_before_the_decision_it_only_changes_what_is_due() -> None:
    felt = dealt("2C 9D")
    assert felt.tell("fix:B1=8D 3H 7S") == "B1=8D P2=3H B2=7S due:player"
    assert felt.tell("fix:B1=AD") == "B1=AD due:none banker:5-8"
    felt = dealt("QC AD JD")
    assert felt.tell("fix:P1=QS") == "P1=QS"


def test_after_the_decision_it_is_issued_anew() -> None:
    felt = dealt(FIVE)
    assert felt.tell("fix:P3=KD confirm") == "P3=KD due:none banker:5-6* confirmed1"


def test_after_the_confirmation_the_round_stays_confirmed() -> None:
    felt = dealt(f"{FIVE} confirm")
    assert felt.tell("fix:P3=KD open") == "P3=KD due:none banker:5-6* open2"


@pytest.mark.parametrize("words", ["open", "open close"])
def test_until_the_next_rounds_first_card(words: str) -> None:
    felt = dealt(f"{FIVE} confirm {words}")
    assert felt.tell("fix:P3=KD") == "P3=KD banker:5-6*"
    felt.tell("close 5H")
    assert felt.tell("fix:P3=4S") == "refused"
    assert felt.refusal == "player has no card 3"


def test_the_next_shoe_ends_it_as_well() -> None:
    felt = dealt(f"{FIVE} confirm load:8")
    assert felt.tell("fix:P3=KD void back") == "refused refused refused"


def test_a_carried_card_begins_the_next_round_and_ends_it() -> None:
    felt = dealt(f"{NATURAL} 5H carry confirm open close")
    assert felt.tell("fix:B2=4C") == "refused"


def test_if_the_hands_need_more_cards_the_round_goes_on_with_the_one_due() -> None:
    felt = dealt(NATURAL)
    assert felt.tell("fix:P1=3S") == "P1=3S due:player"
    assert felt.tell("4H 6S confirm") == "P3=4H due:banker B3=6S due:none player:7-1* confirmed1"


def test_more_cards_after_the_confirmation_it_must_be_confirmed_again() -> None:
    felt = dealt(f"{NATURAL} confirm")
    assert felt.tell("fix:P1=3S 8H confirm") == "P1=3S due:player P3=8H due:none banker:1-5* confirmed1"


def test_more_cards_while_the_next_bets_are_open_take_that_round_back() -> None:
    felt = dealt(f"{NATURAL} confirm open")
    assert felt.tell("fix:P1=3S 8H") == "P1=3S void2 due:player P3=8H due:none banker:1-5*"
    assert felt.tell("confirm open close") == "confirmed1 open3 bets3"


def test_the_last_round_that_was_taken_back_may_still_be_dealt() -> None:
    felt = dealt("9S cut 2D KH 3C")
    assert felt.tell("confirm open") == "confirmed1 open2 last"
    felt.tell("fix:P1=3S 8H")
    assert felt.tell("confirm open close 9S 2D KH 3C confirm").endswith("player:9-5 confirmed3 ended")


def test_the_last_round_of_a_shoe_may_go_on_after_its_end() -> None:
    felt = Felt()
    assert felt.tell(f"cut open close {NATURAL} confirm").endswith("confirmed1 ended")
    assert felt.tell("fix:P1=3S 8H confirm") == "P1=3S due:player P3=8H due:none banker:1-5* confirmed1 ended"


def test_an_early_card_of_the_next_round_may_be_the_card_that_is_due() -> None:
    felt = dealt(f"{NATURAL} confirm open 8H")
    assert felt.tell("fix:P1=3S") == "P1=3S void2 due:player"
    assert felt.tell("move:player") == "ok:move_card P3=8H due:none banker:1-5*"
    felt = dealt(f"{NATURAL} confirm open 8H fix:P1=3S")
    assert felt.tell("void") == "void1 ok:void_round"


def test_if_they_need_fewer_the_surplus_card_is_out_of_place_and_raises_overdraw() -> None:
    felt = dealt("2C 2D 3H AS 4H TS")
    assert felt.tell("fix:P2=5H") == "P2=5H -P3=4H due:none player:7-3* !overdraw"
    assert felt.table.hold is not None
    assert felt.table.hold.round == 1
    assert felt.tell("burn confirm") == "burned=4H ok:burn_card confirmed1"
    assert felt.table.shoe.cards_seen == 6


def test_each_surplus_card_is_answered_by_itself() -> None:
    felt = dealt(SIX)
    assert felt.tell("fix:P2=6H") == "P2=6H -B3=9H -P3=KS due:none player:8-3* !overdraw"
    assert felt.tell("burn") == "burned=KS ok:burn_card !overdraw"
    assert felt.tell("carry confirm open close") == "ok:carry_card confirmed1 open2 bets2 P1=9H"
    felt = dealt(f"{SIX} fix:P2=6H")
    assert felt.tell("void") == "void1 ok:void_round"
    assert felt.tell("open") == "open2"


def test_the_surplus_of_a_round_before_is_raised_beside_the_open_betting() -> None:
    felt = dealt(f"{SIX} confirm open")
    assert felt.tell("fix:P2=6H") == "P2=6H -B3=9H -P3=KS player:8-3* !overdraw"
    assert felt.tell("void") == "void1 ok:void_round"
    assert felt.tell("close") == "bets2"


def test_a_surplus_card_waits_for_the_end_of_another_hold() -> None:
    felt = dealt(f"{SIX} 5D")
    assert felt.tell("fix:P2=6H") == "P2=6H -B3=9H -P3=KS due:none player:8-3*"
    assert felt.tell("burn burn burn") == (
        "burned=5D ok:burn_card !overdraw burned=KS ok:burn_card !overdraw burned=9H ok:burn_card"
    )


def test_a_surplus_card_outlives_the_time_to_change_its_round() -> None:
    felt = dealt(f"{SIX} confirm open 5D fix:P2=6H")
    assert felt.tell("move:player") == "ok:move_card bets2 P1=5D !overdraw"
    assert felt.tell("void") == "refused"
    assert felt.refusal == "round 1 may not be changed any more"
    assert felt.tell("burn accept") == "burned=KS ok:burn_card !overdraw ok:accept"


def test_if_a_device_result_now_disagrees_it_is_a_result_mismatch() -> None:
    felt = dealt(f"{NATURAL} result:player")
    assert felt.tell("fix:B2=7C") == "B2=7C due:none tie:9-9* !result-mismatch"
    felt = dealt(f"{NATURAL} result:player confirm open")
    assert felt.tell("fix:B2=7C") == "B2=7C tie:9-9* !result-mismatch"
    assert felt.tell("accept close 5H") == "ok:accept bets2 P1=5H"


def test_a_surplus_card_and_a_mismatch_come_one_after_the_other() -> None:
    felt = dealt("2C 2D 3H AS KS 9H result:player")  # 5-2
    felt.tell("fix:B1=5D")  # Banker 6 stays on a third card of value 0
    assert felt.raised == ["overdraw"]
    assert felt.tell("burn") == "burned=9H ok:burn_card !result-mismatch"


def test_if_it_now_agrees_the_open_mismatch_is_resolved_and_the_round_closed() -> None:
    felt = dealt(f"{NATURAL} result:tie")
    assert felt.tell("fix:B2=7C") == "B2=7C due:none tie:9-9* ok:correct_card confirmed1"
    felt = Felt("device")
    felt.tell(f"{SHOE} result:tie")
    assert felt.tell("fix:B2=7C P1=5H") == (
        "B2=7C due:none tie:9-9* ok:correct_card confirmed1 open2 bets2 P1=5H"
    )


def test_a_mismatch_that_makes_a_card_due_is_compared_again_at_the_decision() -> None:
    felt = Felt("device")
    felt.tell(f"{SHOE} result:banker")
    assert felt.tell("fix:P1=3S") == "P1=3S due:player ok:correct_card"
    assert felt.tell("P3=8H") == "P3=8H due:none banker:1-5* confirmed1"
    felt = Felt("device")
    felt.tell(f"{SHOE} result:banker fix:P1=3S")
    assert felt.tell("P3=7H") == "P3=7H due:banker"
    assert felt.tell("B3=AH").endswith("banker:0-6* confirmed1")


def test_an_accepted_mismatch_is_raised_again_only_when_the_cards_change() -> None:
    felt = dealt(f"{NATURAL} result:banker accept")
    assert felt.tell("result:banker") == ""
    assert felt.tell("fix:B2=4C") == "B2=4C due:none player:9-6* !result-mismatch"


def test_a_correction_that_completes_the_hands_answers_the_underdraw() -> None:
    felt = dealt("2C 9D 3H 7S confirm")
    assert felt.tell("fix:P2=6H") == "P2=6H due:none player:8-6 ok:correct_card"
    assert felt.tell("confirm") == "confirmed1"


def test_a_conflict_is_answered_by_the_identity_of_that_card() -> None:
    felt = dealt("P1=2C B1=9D P1=3C")
    assert felt.table.shoe.cards_seen == 3
    assert felt.tell("fix:B1=9H") == "B1=9H"
    assert felt.table.hold is not None
    assert felt.tell("fix:P1=4C") == "P1=4C ok:correct_card"
    assert felt.table.shoe.cards_seen == 2
    felt = dealt("P1=2C B1=9D P1=3C")
    assert felt.tell("fix:P1=2C") == "P1=2C ok:correct_card"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("fix:P1=2C", "player 1 is 2C already"),
        ("fix:B3=2C", "banker has no card 3"),
        ("fix:P1=9D", "the pack holds no more 9D"),
    ],
)
def test_a_correction_that_cannot_be(order: str, reason: str) -> None:
    felt = Felt(decks=1)
    felt.tell("open close 2C 9D")
    seen = dict(felt.table.shoe.seen)
    assert felt.tell(order) == "refused"
    assert felt.refusal == reason
    assert (felt.hands, dict(felt.table.shoe.seen)) == ("2C | 9D", seen)


def test_a_void_round_is_reinstated_before_it_is_corrected() -> None:
    felt = dealt(f"{NATURAL} void")
    assert felt.tell("fix:P1=3S") == "refused"
    assert felt.refusal == "round 1 is void; reinstate it first"


def test_a_correction_that_puts_the_pack_right_lets_an_impossible_card_stand() -> None:
    felt = Felt(decks=1)
    felt.tell("open close 2C 9D 2C")
    assert felt.tell("fix:P1=2S accept") == "P1=2S ok:accept P2=2C"
    assert felt.table.shoe.seen["2C"] == 1


# -- resynchronise ----------------------------------------------------------------------------------------


def test_cards_that_went_by_unheard_are_seen_now() -> None:
    felt = dealt("2C 9D lost")
    assert felt.tell("state:2C,3H,4S|9D,7S") == "P2=3H P3=4S B2=7S ok:resynchronise due:none player:9-6"
    assert felt.table.shoe.cards_seen == 5


def test_a_misread_card_is_put_right_in_the_inventory() -> None:
    felt = dealt("2C 9D lost")
    felt.tell("state:2C|9H")
    assert (felt.table.shoe.seen["9D"], felt.table.shoe.seen["9H"]) == (0, 1)
    assert felt.table.shoe.cards_seen == 2


def test_an_unread_card_that_is_stated_is_counted_once() -> None:
    felt = dealt("2C ?")
    felt.tell("state:2C|9D")
    assert felt.table.shoe.cards_seen == 2
    assert felt.table.shoe.seen["9D"] == 1


def test_a_card_that_is_left_out_stays_counted() -> None:
    felt = dealt("2C 9D 3H lost state:2C|9D")
    assert felt.table.shoe.cards_seen == 3
    assert felt.table.shoe.seen["3H"] == 1


def test_hands_that_were_mixed_up_hold_the_same_cards() -> None:
    felt = dealt("2C 9D lost")
    assert felt.tell("state:9D|2C") == "P1=9D B1=2C ok:resynchronise"
    assert felt.table.shoe.cards_seen == 2


def test_the_pack_must_hold_what_is_stated() -> None:
    felt = Felt(decks=1)
    felt.tell("load:1 2C open close 9D KH lost")
    assert felt.tell("state:9D|2C") == "refused"
    assert felt.refusal == "the pack holds no more 2C"
    assert felt.tell("state:9D|KH") == "ok:resynchronise"


@pytest.mark.parametrize("hands", ["|9D", "2C,3H|", "2C,3H,4S|9D", "9S,KC,3H|9D,4C", "2C,3H,4S,5S|9D,7S"])
def test_hands_that_the_rules_do_not_deal_are_refused(hands: str) -> None:
    felt = dealt("2C 9D lost")
    assert felt.tell(f"state:{hands}") == "refused"


def test_between_rounds_it_opens_the_round_that_nobody_saw_begin() -> None:
    felt = Felt("device")
    felt.tell(f"{SHOE} result:player lost B1=5H")
    assert felt.raised == ["link-lost"]
    assert felt.tell("state:4H|5H P2=6H") == "open2 bets2 P1=4H B1=5H ok:resynchronise P2=6H"
    assert felt.table.shoe.cards_seen == 7


def test_it_opens_no_round_past_the_last() -> None:
    felt = Felt()
    felt.tell(f"cut open close {NATURAL} confirm")
    assert felt.tell("state:2C|9D") == "refused"
    assert felt.refusal == "no round may open"


def test_a_decision_is_issued_anew_if_the_hands_differ() -> None:
    felt = dealt(f"{NATURAL} 5H")
    assert felt.tell("state:9S,KH|2D,3C") == "ok:resynchronise"
    assert felt.tell("state:9S,KH|2D,4C") == "B2=4C due:none player:9-6*"
    assert felt.tell("state:9S,KH|2D") == "-B2=4C due:banker"
    assert felt.tell("3C confirm") == "B2=3C due:none player:9-5* confirmed1"


def test_stating_the_same_hands_leaves_a_mismatch_open() -> None:
    felt = dealt(f"{NATURAL} result:banker")
    assert felt.tell("state:9S,KH|2D,3C") == "ok:resynchronise !result-mismatch"
    assert felt.tell("state:|") == "ok:resynchronise confirmed1"


def test_the_carried_card_is_the_first_of_the_stated_hands_or_out_of_the_round() -> None:
    felt = dealt(f"{NATURAL} 5H carry confirm open")
    assert felt.tell("state:5H|2D") == "bets2 P1=5H B1=2D"
    assert felt.table.shoe.cards_seen == 6
    assert felt.table.carried is None
    felt = dealt(f"{NATURAL} 5H carry confirm open state:6H|")
    assert (felt.hands, felt.table.shoe.cards_seen, felt.table.carried) == ("6H | ", 6, None)


def test_the_shoes_result_of_the_hold_is_compared_with_the_stated_hands() -> None:
    felt = Felt("device")
    felt.tell("P1=9S B1=2D lost P2=KH result:player")
    assert felt.tell("state:9S,KH|2D,3C") == ("P2=KH B2=3C ok:resynchronise due:none player:9-5 confirmed1")


def test_two_empty_lists_leave_no_card_behind() -> None:
    felt = dealt(f"{NATURAL} 5H carry confirm open")
    assert felt.tell("state:| open close") == "void2 open3 bets3"
    felt = Felt()
    felt.tell("5H")
    assert felt.tell("state:| open close 2C") == "ok:resynchronise open1 bets1 P1=2C"


# -- void and reinstate beside other holds ----------------------------------------------------------------


def test_a_mismatch_that_was_waiting_is_raised_after_a_void() -> None:
    felt = dealt(f"{NATURAL} result:player confirm open 5H")
    assert felt.tell("fix:B2=7C") == "B2=7C tie:9-9*"
    assert felt.tell("void") == "void2 ok:void_round !result-mismatch"
    assert felt.tell("void") == "void1 ok:void_round"


def test_a_round_is_void_after_the_next_one_was_void_without_a_card() -> None:
    felt = dealt(f"{NATURAL} confirm open void open void")
    assert felt.tell("void") == "void1"
    assert felt.tell("back open close 5H") == "back1 open4 bets4 P1=5H"


def test_a_reinstated_round_without_a_decision_takes_the_betting_back() -> None:
    felt = dealt("2C 9D call void open close")
    assert felt.tell("back accept 3H") == "back1 void2 !supervisor-called ok:accept P2=3H"


def test_a_round_that_would_have_gone_on_and_does_not_is_confirmed_again() -> None:
    felt = dealt(f"{NATURAL} confirm fix:P1=3S")
    assert felt.tell("fix:P1=9S confirm") == "P1=9S due:none player:9-5* confirmed1"


def test_a_reinstated_round_waits_for_nothing() -> None:
    felt = dealt("P1=9S B1=2D lost void back accept P2=KH B2=3C", "device")
    assert felt.tell("P1=5H") == "!card-conflict"


def test_hands_may_be_stated_where_no_shoe_was_met() -> None:
    assert Felt().tell("state:2C|9D") == "shoe1 open1 bets1 P1=2C B1=9D"


def test_once_the_hands_are_stated_the_table_waits_for_nothing() -> None:
    felt = Felt("device")
    felt.tell("serve:1 4H state:9S,KH|2D,3C")
    assert felt.table.round.phase == "decided"
    assert felt.tell("P1=5H") == "!card-conflict"


def test_two_empty_lists_answer_every_surplus_card() -> None:
    felt = dealt(f"{SIX} fix:P2=6H")
    assert felt.tell("state:|") == "ok:resynchronise confirmed1"
    assert felt.table.hold is None


def test_a_second_claim_is_accepted_by_itself() -> None:
    felt = dealt(f"{NATURAL} result:banker accept")
    assert felt.tell("result:tie void back").split()[-1] == "!result-mismatch"
