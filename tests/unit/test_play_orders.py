"""Every order, sentence by sentence: what it does, and where it is refused."""

import pytest
from felt import ALL, FIVE, NATURAL, SHOE, Felt, dealt

from controller import facts
from controller.play.boundaries import Boundaries


def held() -> Felt:
    """A round that is held: Player's third card was not read."""
    felt = dealt("2C 9D 3H 7S ?")
    assert felt.table.hold is not None
    return felt


def test_acknowledge_ends_a_block_or_a_warn_and_never_a_stop() -> None:
    felt = dealt("2C")
    felt.tell("fault:draw-timeout")
    felt.table.irregular("shuffler-fault")
    felt.tell("?")
    assert felt.tell("ack ack ack") == "ok:acknowledge ok:acknowledge refused"
    assert felt.refusal == "a stop is not acknowledged; decide it"
    assert [fact.id for fact in felt.told if isinstance(fact, facts.IrregularityResolved)] == [2, 1]
    assert felt.tell("ack#3") == "refused"
    assert felt.table.hold is not None


def test_acknowledge_takes_the_one_that_it_names() -> None:
    felt = dealt("2C")
    felt.tell("fault:draw-timeout fault:button-misuse")
    assert felt.tell("ack#2") == "ok:acknowledge"
    assert list(felt.table.open) == [1]
    assert felt.tell("ack ack") == "ok:acknowledge refused"
    assert felt.refusal == "nothing is open"


def test_accept_plays_on_as_if_nothing_had_changed() -> None:
    felt = dealt(f"{NATURAL} 5H")
    assert felt.tell("accept confirm") == "ok:accept confirmed1"
    felt = dealt("P1=2C P2=5H")
    assert felt.tell("accept B1=9D") == "ok:accept B1=9D"


def test_accept_on_an_impossible_card_deals_it_as_read() -> None:
    felt = Felt(decks=1)
    felt.tell("open close 2C 2C")
    assert felt.raised == ["impossible-card"]
    assert felt.tell("accept") == "ok:accept B1=2C"


def test_accept_on_a_foreign_card_deals_it_as_read_if_it_was() -> None:
    felt = dealt("2C fault:foreign-card")
    assert felt.tell("accept") == "refused"
    assert felt.refusal == "the shoe gave no reading of the card; identify it"
    assert felt.tell("9D accept") == "ok:accept B1=9D"


def test_accept_on_an_unread_card_deals_what_the_shoe_has_since_reported_for_that_slot() -> None:
    felt = dealt("P1=2C B1=?")
    felt.tell("P2=3H B1=9D")
    assert felt.tell("accept") == "ok:accept B1=9D"
    assert felt.table.shoe.cards_seen == 3


def test_accept_on_an_unread_card_without_a_later_report_leaves_the_slot_due() -> None:
    felt = dealt("2C ?")
    assert felt.tell("9D accept") == "ok:accept"
    assert felt.table.round.phase == "banker_1"


def test_a_later_report_that_the_pack_cannot_hold_is_an_impossible_card_again() -> None:
    felt = Felt(decks=1)
    felt.tell("open close P1=2C B1=? B1=2C")
    assert felt.tell("accept") == "ok:accept !impossible-card"


def test_accept_on_a_result_mismatch_lets_the_cards_stand_and_closes_the_round() -> None:
    felt = Felt("device")
    felt.tell("P1=9S B1=2D P2=KH B2=3C")
    assert felt.tell("result:banker accept") == "!result-mismatch ok:accept confirmed1"
    felt = dealt(NATURAL)
    assert felt.tell("result:banker accept open") == "!result-mismatch ok:accept confirmed1 open2"


@pytest.mark.parametrize("boundaries", ALL)
def test_void_round_keeps_its_cards_counted(boundaries: Boundaries) -> None:
    felt = Felt(boundaries)
    felt.tell("open close 2C 9D 3H ?")
    assert felt.tell("void") == "void1 ok:void_round"
    assert felt.table.shoe.cards_seen == 4


def test_a_void_counts_as_one_of_the_rounds_after_the_cut_card() -> None:
    felt = dealt("2C")
    assert felt.tell("cut 9D void") == "ending(1) B1=9D void1"
    assert felt.tell("open void open") == "open2 last void2 ended #past-last-round"


def test_void_without_a_hold_means_the_open_round_and_else_the_last() -> None:
    felt = dealt(NATURAL)
    felt.tell("confirm open")
    assert felt.tell("void void void") == "void2 void1 refused"
    assert felt.refusal == "round 1 is void already"


def test_void_means_the_round_of_the_irregularity_that_it_names() -> None:
    felt = dealt("2C fault:draw-timeout 2D KH 7C")
    felt.tell("confirm open")
    assert felt.tell("void#1") == "void1 ok:void_round"
    felt.tell("void fault:draw-timeout")
    assert felt.tell("void#2") == "refused"


def test_void_between_rounds_is_refused_where_no_round_is_held() -> None:
    felt = Felt()
    assert felt.tell("5H void") == "shoe1 !early-card refused"
    assert felt.tell("burn void") == "burned=5H ok:burn_card refused"
    assert felt.refusal == "no round may be changed any more"


def test_reinstate_takes_a_void_back_until_the_next_rounds_first_card() -> None:
    felt = dealt(NATURAL)
    felt.tell("confirm void open close")
    assert felt.tell("back") == "back1"
    felt.tell("void")
    felt = dealt(NATURAL)
    felt.tell("confirm void open close 5H")
    assert felt.tell("back") == "refused"


def test_a_reinstated_round_goes_on_where_its_cards_put_it() -> None:
    felt = dealt("2C 9D 3H 7S ?")
    felt.tell("void")
    assert felt.tell("back") == "back1 due:player !unread-card"
    assert felt.tell("burn 4S confirm").endswith("P3=4S due:none player:9-6 confirmed1")


def test_reinstate_makes_the_betting_of_the_next_round_give_way() -> None:
    felt = dealt("2C 9D 3H 7S ?")
    felt.tell("void open")
    assert felt.tell("back") == "back1 void2 due:player !unread-card"
    assert felt.tell("name:4S") == "ok:identify_card P3=4S due:none player:9-6"
    assert felt.tell("confirm open") == "confirmed1 open3"


@pytest.mark.parametrize(
    ("words", "code", "then"),
    [
        ("2C B2=3H 4H", "wrong-slot", "move:banker 9D"),
        ("2C 9D 3H 7S ?", "unread-card", "name:4S"),
        ("9S 2D KH 3C 5H", "overdraw", "carry confirm open close"),
        ("2C 9D lost", "link-lost", "state:2C,3H|9D"),
        ("2C 9D call", "supervisor-called", "accept 3H"),
    ],
)
def test_taking_a_void_back_leads_to_what_held_the_round(words: str, code: str, then: str) -> None:
    """The card is as much out of place as before, and what was not heard is as little known."""
    felt = dealt(words)
    before = felt.table.hold
    assert before is not None
    felt.tell("void back")
    hold = felt.table.hold
    assert hold is not None and hold is not before
    assert (hold.code, hold.drawn, hold.due, hold.later) == (code, before.drawn, before.due, before.later)
    assert hold.raised is not None and before.raised is not None
    assert hold.raised.detail == before.raised.detail
    assert "refused" not in felt.tell(then)
    assert felt.table.hold is None
    felt.tell("void")
    assert "!" not in felt.tell("back")


def test_a_reinstated_decision_is_confirmed_where_the_next_bets_are_open() -> None:
    felt = dealt(NATURAL)
    felt.tell("void open")
    assert felt.tell("back") == "back1 confirmed1"
    assert felt.table.round.phase == "betting"
    assert felt.table.round.before is not None
    assert felt.table.round.before.closed


def test_a_reinstated_round_is_compared_with_the_shoes_result_again() -> None:
    felt = dealt(NATURAL)
    felt.tell("result:banker void")
    assert felt.tell("back") == "back1 due:none !result-mismatch"


def test_reinstate_needs_a_void_round_and_no_hold() -> None:
    felt = dealt(NATURAL)
    assert felt.tell("back") == "refused"
    assert felt.refusal == "round 1 is not void"
    assert held().tell("back") == "refused"


def test_burn_card_burns_it_and_a_slot_that_was_due_is_still_due() -> None:
    felt = dealt("2C 9D 3H 7S ?")
    assert felt.tell("burn 4S") == "burned=? ok:burn_card P3=4S due:none player:9-6"
    felt = dealt("P1=2C P2=5H")
    assert felt.tell("burn B1=9D") == "burned=5H ok:burn_card B1=9D"


def test_carry_card_makes_it_the_next_rounds_first_card() -> None:
    felt = dealt(f"{NATURAL} 5H")
    assert felt.tell("carry confirm open close KD") == "ok:carry_card confirmed1 open2 bets2 P1=5H B1=KD"
    felt = Felt("device")
    felt.tell("P1=9S B1=2D P2=KH B2=3C 5H carry result:player")
    assert felt.tell("B1=KD") == "open2 bets2 P1=5H B1=KD"
    felt = Felt("first_card")
    felt.tell("9S 2D KH 3C error:5H carry")
    assert felt.tell("KD") == "confirmed1 open2 bets2 P1=5H B1=KD"


def test_carry_card_on_an_early_card_is_this_rounds_first_once_bets_are_closed() -> None:
    felt = Felt()
    assert felt.tell("open 5H carry close 9D") == "shoe1 open1 !early-card ok:carry_card bets1 P1=5H B1=9D"
    felt = Felt()
    assert felt.tell("5H carry open close") == "shoe1 !early-card ok:carry_card open1 bets1 P1=5H"


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_shoe_that_announces_the_carried_card_means_the_same_card(when: str) -> None:
    felt = Felt("device")
    felt.tell("P1=9S B1=2D P2=KH B2=3C 5H carry result:player")
    if when == "before":
        assert felt.tell("R:P1=5H") == ""
    assert felt.tell("B1=KD") == "open2 bets2 P1=5H B1=KD"
    assert felt.tell("R:P1=5H P1=5H") == ""
    assert felt.table.shoe.cards_seen == 6
    assert felt.table.carried is None


def test_the_carried_card_may_be_reported_as_players_first_once_more() -> None:
    felt = Felt("device")
    felt.tell("P1=9S B1=2D P2=KH B2=3C 5H carry result:player")
    assert felt.tell("P1=5H") == "open2 bets2 P1=5H"
    assert felt.table.shoe.cards_seen == 5
    felt = dealt(f"{NATURAL} 5H")
    assert felt.tell("carry confirm P1=5H open P1=5H close") == "ok:carry_card confirmed1 open2 bets2 P1=5H"
    assert felt.table.shoe.cards_seen == 5


def test_another_card_than_the_carried_one_is_a_conflict() -> None:
    felt = Felt("device")
    felt.tell("P1=9S B1=2D P2=KH B2=3C 5H carry result:player")
    assert felt.tell("R:P1=6H") == "!card-conflict"
    assert felt.tell("accept B1=KD") == "ok:accept open2 bets2 P1=5H B1=KD"


def test_a_card_that_the_shoe_keeps_without_an_order_is_out_of_place() -> None:
    felt = Felt("device")
    felt.tell("P1=9S B1=2D P2=KH B2=3C result:player")
    assert felt.tell("R:P1=5H") == "!early-card"
    assert felt.tell("carry B1=KD") == "ok:carry_card open2 bets2 P1=5H B1=KD"


@pytest.mark.parametrize("words", ["R:P1=5H carry", "carry R:P1=5H"])
def test_the_shoes_word_for_an_overdraw_without_identity_names_it(words: str) -> None:
    felt = dealt(f"{SHOE} fault:overdraw", "device")
    assert felt.tell(words) == "ok:carry_card"
    assert felt.table.shoe.cards_seen == 5
    assert felt.tell("result:player B1=KD") == "confirmed1 open2 bets2 P1=5H B1=KD"


def test_a_carried_card_that_the_shoe_never_names_begins_nothing() -> None:
    felt = dealt(f"{SHOE} fault:overdraw carry result:player", "device")
    assert felt.tell("B1=KD") == "open2 bets2 !wrong-slot"
    assert felt.tell("state:5H|KD") == "P1=5H B1=KD ok:resynchronise"
    assert felt.table.shoe.cards_seen == 6


def test_carry_card_is_refused_when_no_further_round_may_follow() -> None:
    felt = dealt("2C cut 2D KH 7C")
    felt.tell("confirm open close 9S 2D KH 3C")
    assert felt.tell("5H carry") == "!overdraw refused"
    assert felt.refusal == "no further round may follow in this shoe; burn the card"
    felt = Felt()
    felt.tell("open cut")
    assert felt.tell("5H carry close") == "!early-card ok:carry_card bets1 P1=5H"


def test_carry_card_needs_an_identity_and_no_other_carried_card() -> None:
    felt = dealt(f"{NATURAL} ?")
    assert felt.tell("carry burn") == "refused burned=? ok:burn_card"
    felt.tell("5H carry")
    assert felt.tell("6H carry") == "!overdraw refused"
    assert felt.refusal == "another card is carried already"


def test_carry_card_does_not_carry_what_the_pack_cannot_hold() -> None:
    felt = Felt(decks=1)
    felt.tell("open close 9S 2D KH 3C 3C")
    assert felt.tell("carry") == "refused"
    assert felt.tell("burn") == "burned=3C ok:burn_card"


def test_move_card_needs_that_hands_turn() -> None:
    felt = dealt("P1=2C B1=9D P2=3H B2=7S B3=4S")
    assert felt.tell("move:banker") == "refused"
    assert felt.refusal == "it is player's turn"
    assert felt.tell("move:player") == "ok:move_card P3=4S due:none player:9-6"
    felt = dealt(f"{NATURAL} 5H")
    assert felt.tell("move:player") == "refused"
    assert felt.refusal == "no card is due"


def test_move_card_on_an_early_card_closes_bets_and_is_players_first_card() -> None:
    felt = Felt()
    felt.tell("open 5H")
    assert felt.tell("move:banker move:player 9D") == "refused ok:move_card bets1 P1=5H B1=9D"
    felt = Felt()
    felt.tell("5H")
    assert felt.tell("move:player 9D") == "ok:move_card open1 bets1 P1=5H B1=9D"


def test_move_card_opens_no_round_while_the_table_is_closed() -> None:
    felt = Felt()
    felt.tell("shut 5H")
    assert felt.tell("move:player") == "refused"
    assert felt.refusal == "no round may open"


def test_move_card_beside_a_carried_card_is_refused() -> None:
    felt = Felt()
    felt.tell("5H carry 6H")
    assert felt.tell("move:player move:banker burn") == "refused refused burned=6H ok:burn_card"


@pytest.mark.parametrize("raised", ["?", "fault:foreign-card", "2C"])
def test_identify_card_deals_it_to_the_slot_that_was_due(raised: str) -> None:
    felt = Felt(decks=1)
    felt.tell(f"open close 2C {raised}")
    assert felt.raised[0] in ("unread-card", "foreign-card", "impossible-card")
    assert felt.tell("name:9D") == "ok:identify_card B1=9D"
    assert felt.table.shoe.seen == {"2C": 1, "9D": 1}
    assert felt.table.shoe.cards_seen == 2


def test_identify_card_is_refused_for_a_card_that_has_an_identity() -> None:
    felt = dealt("P1=2C P2=5H")
    assert felt.tell("name:6H") == "refused"


def test_a_late_null_report_of_an_identified_card_is_the_same_card() -> None:
    felt = dealt("P1=2C B1=?")
    assert felt.tell("name:9D B1=? P2=3H") == "ok:identify_card B1=9D P2=3H"


# -- correct_card and resynchronise: more in test_play_changes ---------------------------------------------


def test_correct_card_changes_the_card_and_the_inventory() -> None:
    felt = dealt(FIVE)
    assert felt.tell("fix:P3=KD") == "P3=KD due:none banker:5-6*"
    assert felt.table.shoe.seen["4S"] == 0
    assert felt.table.shoe.seen["KD"] == 1


def test_resynchronise_states_both_hands_and_play_goes_on_from_there() -> None:
    felt = dealt("2C 9D lost")
    assert felt.tell("state:2C,3H|9D 7S") == "P2=3H ok:resynchronise B2=7S due:player"


def test_resynchronise_with_two_empty_lists_means_that_no_round_is_open() -> None:
    felt = dealt("2C 9D lost")
    assert felt.tell("state:| open") == "ok:resynchronise void1 open2"
    felt = dealt(NATURAL)
    assert felt.tell("5H state:|") == "!overdraw ok:resynchronise confirmed1"


def test_annotate_is_a_remark_of_any_age_and_changes_nothing() -> None:
    felt = dealt("2C fault:draw-timeout ack")
    assert felt.tell("note note#1") == ""
    assert felt.tell("note#2") == "refused"
    assert felt.refusal == "there was no irregularity 2"
    assert held().tell("note") == ""


def test_close_table_and_open_table() -> None:
    felt = Felt()
    assert felt.tell("shut open") == ""
    assert felt.tell("reopen open") == "shoe1 open1"


def test_new_shoe_and_end_shoe() -> None:
    felt = Felt()
    assert felt.tell("end pack:8") == "refused shoe1"
    assert felt.tell("pack:8 end end") == "ended shoe2 ended"
    assert felt.tell("open") == "#past-last-round"


@pytest.mark.parametrize("order", ["shut", "reopen", "pack:8", "end"])
@pytest.mark.parametrize("words", ["open", "open close", "open close 2C", f"open close {NATURAL}", "5H"])
def test_the_table_is_kept_between_rounds_only(order: str, words: str) -> None:
    felt = Felt()
    felt.tell(words)
    assert felt.tell(order) == "refused"


@pytest.mark.parametrize("order", ["accept", "burn", "carry", "move:player", "name:5H"])
@pytest.mark.parametrize("words", ["", "open", "open close 2C", f"open close {NATURAL}"])
def test_without_a_hold_no_card_is_decided(order: str, words: str) -> None:
    felt = Felt()
    felt.tell(words)
    assert felt.tell(order) == "refused"
    assert felt.refusal == "nothing is held"


@pytest.mark.parametrize("order", ["burn", "carry", "move:player", "name:5H"])
def test_an_order_about_a_card_needs_an_irregularity_about_one(order: str) -> None:
    felt = dealt("2C call")
    assert felt.tell(order) == "refused"
    assert felt.refusal == "supervisor-called is not about a card"


@pytest.mark.parametrize("order", ["accept", "void", "burn", "state:2C|", "fix:P1=5H", "name:5H"])
def test_an_order_for_another_irregularity_than_the_hold_is_refused(order: str) -> None:
    felt = dealt("2C fault:draw-timeout ?")
    for number in ("1", "7"):
        assert felt.tell(f"{order}#{number}") == "refused"
    assert felt.table.hold is not None


def test_a_card_that_the_shoe_keeps_is_another_one_than_its_namesake_on_the_table() -> None:
    felt = dealt(SHOE, "device")
    assert felt.tell("R:P1=9S") == "!overdraw"
    assert felt.tell("carry result:player B1=5H") == "ok:carry_card confirmed1 open2 bets2 P1=9S B1=5H"
    assert felt.tell("R:P1=9S") == ""
