"""The burn, the cut card and the end of a shoe, sentence by sentence."""

import pytest
from felt import ALL, NATURAL, RULES, SHOE, Felt, dealt

from controller import facts
from controller.play.boundaries import Boundaries
from controller.rules.ruleset import Ruleset, parse_ruleset

BURN = 'policy = "first-card"'
AFTER = "rounds_after = 1"
SHOWS = "shows = 1"
BEHIND = ("behind = 14", "behind = 20")  # enough for two rounds more


def house(*changes: tuple[str, str]) -> Ruleset:
    """The ruleset of New Jersey with other lines in it."""
    text = RULES.text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_ruleset(text, "test")


# -- the burn ---------------------------------------------------------------------------------------------


BURNED = ["3C", "JH", "5D", "KS", "9C", "2H", "TS", "7D", "QC", "4H", "8S"]


@pytest.mark.parametrize(
    ("first", "count"), [("AC", 1), ("2D", 2), ("9H", 9), ("TS", 10), ("JC", 10), ("KD", 10)]
)
def test_the_first_card_tells_how_many_are_burned_after_it(first: str, count: int) -> None:
    for cards, answer in ((count, ""), (count - 1, " ~burn-mismatch"), (count + 1, " ~burn-mismatch")):
        felt = Felt()
        felt.tell(" ".join(["load:8", first, *BURNED[:cards]]))
        assert felt.tell("open") == "open1" + answer


def test_a_first_card_and_none_burned_is_a_burn_mismatch_and_nothing_drawn_is_not_burned() -> None:
    assert Felt().tell("load:8 AC open") == "shoe1 burned=AC open1 ~burn-mismatch"
    assert Felt().tell("load:8 open") == "shoe1 open1 ~not-burned"


def test_a_shoe_that_names_slots_says_first_and_burn() -> None:
    felt = Felt("device")
    assert felt.tell("load:8 first=AC burn=2C P1=3C") == "shoe1 burned=AC burned=2C open1 bets1 P1=3C"
    felt = Felt("device")
    assert felt.tell("load:8 burn=2C P1=3C").endswith("open1 bets1 ~burn-mismatch P1=3C")
    felt = Felt()
    assert felt.tell("load:8 P1=3C") == "shoe1 !early-card"


def test_without_slots_the_cards_before_the_first_bets_are_the_burn() -> None:
    felt = Felt()
    assert felt.tell("load:8 AC 2C open 3C") == "shoe1 burned=AC burned=2C open1 !early-card"


def test_cards_burned_between_rounds_where_the_shoe_says_so() -> None:
    felt = Felt("device")
    felt.tell(f"{SHOE} result:player")
    assert felt.tell("burn=5H P1=6H") == "burned=5H open2 bets2 P1=6H"


def test_the_exposed_card_is_told_first() -> None:
    felt = Felt()
    felt.tell("load:8 AC 2C")
    assert [fact.card for fact in felt.told if isinstance(fact, facts.CardBurned)] == ["AC", "2C"]


def test_a_fixed_burn_counts_every_card() -> None:
    rules = house((BURN, 'policy = "fixed"\ncount = 3'))
    for words, answer in (
        ("first=AC burn=2C burn=3C", ""),
        ("AC 2C", " ~burn-mismatch"),
        ("", " ~not-burned"),
    ):
        felt = Felt(ruleset=rules)
        felt.tell(f"load:8 {words}")
        assert felt.tell("open") == "open1" + answer


def test_without_a_burn_no_card_may_come_before_the_first_round() -> None:
    felt = Felt(ruleset=house((BURN, 'policy = "none"')))
    assert felt.tell("load:8 AC") == "shoe1 !early-card"
    felt = Felt(ruleset=house((BURN, 'policy = "none"')))
    assert felt.tell("load:8 open") == "shoe1 open1"


# -- the cut card -----------------------------------------------------------------------------------------


def test_the_cut_card_is_never_counted() -> None:
    felt = dealt("2C cut")
    assert felt.table.shoe.cards_seen == 1
    assert [fact.cards_seen for fact in felt.told if isinstance(fact, facts.ShoeEnding)] == [1]


def test_inside_a_round_that_round_is_finished_and_one_more_is_played() -> None:
    felt = dealt("9S")
    assert felt.tell("cut 2D KH 3C confirm").endswith("player:9-5 confirmed1")
    assert felt.tell(f"open close {NATURAL} confirm open") == (
        "open2 last bets2 P1=9S B1=2D P2=KH B2=3C due:none player:9-5 confirmed2 ended #past-last-round"
    )


@pytest.mark.parametrize(("rounds", "last"), [("0", 1), ("2", 3)])
def test_the_ruleset_says_how_many_more(rounds: str, last: int) -> None:
    felt = Felt(ruleset=house((AFTER, f"rounds_after = {rounds}"), BEHIND))
    felt.tell("open close 9S cut 2D KH 3C confirm")
    for _ in range(last - 1):
        assert felt.table.shoe.phase != "ended"
        felt.tell("open void")
    assert felt.table.shoe.phase == "ended"
    assert felt.tell("open") == "#past-last-round"


@pytest.mark.parametrize("words", ["", "open", "open close"])
def test_between_rounds_while_bets_are_open_or_as_a_first_card_the_round_that_follows_is_the_last(
    words: str,
) -> None:
    felt = dealt(f"{NATURAL} confirm {words}")
    felt.tell("cut")
    felt.tell(f"{'' if words else 'open'} close {NATURAL} confirm")
    assert felt.table.shoe.phase == "ended"
    assert [fact.round for fact in felt.told if isinstance(fact, facts.LastRoundCalled)] == [2]


def test_after_the_decision_it_lies_between_rounds() -> None:
    felt = Felt(ruleset=house((AFTER, "rounds_after = 2"), BEHIND))
    felt.tell(f"open close {NATURAL}")
    assert felt.tell("cut") == "ending(1)"


def test_in_the_burn_it_is_misplaced_and_ends_nothing() -> None:
    felt = Felt()
    assert felt.tell("load:8 AC cut 2C open") == "shoe1 burned=AC ~cut-card-misplaced burned=2C open1"
    assert felt.table.shoe.rounds_left is None


def test_a_second_one_in_the_same_shoe_is_repeated() -> None:
    felt = dealt("2C cut")
    assert felt.tell("cut") == "~cut-card-repeated"
    felt = Felt()
    felt.tell("load:8 AC cut 2C open close 2C")
    assert felt.tell("cut") == "ending(1) ~cut-card-repeated"
    felt = Felt()
    felt.tell("load:8 AC cut")
    assert (
        felt.tell("cut open cut")
        == "~cut-card-repeated open1 ~burn-mismatch ending(0) last ~cut-card-repeated"
    )


def test_each_shoe_has_its_own_cut_card() -> None:
    felt = dealt("2C cut void load:8 AC 2C open")
    assert felt.tell("cut") == "ending(0) last"


def test_a_ruleset_may_show_two_cutting_cards() -> None:
    felt = Felt(ruleset=house((SHOWS, "shows = 2")))
    felt.tell("open close 2C cut")
    assert felt.tell("cut cut") == "~cut-card-repeated"


def test_a_cut_card_without_a_shoe_begins_one() -> None:
    assert Felt().tell("cut") == "shoe1 ending(1)"


@pytest.mark.parametrize("boundaries", ALL)
def test_a_round_opened_after_the_last_does_not_open(boundaries: Boundaries) -> None:
    felt = dealt(f"{NATURAL} confirm result:player cut", boundaries)
    felt.tell(f"open close {NATURAL} confirm result:player")
    opened = felt.table.round.coup.number
    felt.tell("open close 5H")
    assert "past-last-round" in felt.raised
    assert felt.table.round.coup.number == opened
    assert felt.table.shoe.phase == "ended"


def test_past_last_round_again_after_it_was_acknowledged() -> None:
    felt = Felt()
    felt.tell(f"open cut close {NATURAL} confirm")
    assert felt.tell("open open ack open ack") == (
        "#past-last-round ok:acknowledge #past-last-round ok:acknowledge"
    )
    assert felt.tell("close") == "#past-last-round"


# -- the end of the shoe ----------------------------------------------------------------------------------


def nearly_empty(left: int) -> Felt:
    """A deck of which `left` cards are still in the shoe, and a round with bets open."""
    felt = Felt(decks=1)
    felt.tell("load:1 open close")
    felt.tell(" ".join(["? burn"] * (52 - left)))
    felt.tell("void open")
    return felt


def test_shoe_exhausted_when_the_shoe_is_empty_and_a_card_is_due() -> None:
    felt = nearly_empty(2)
    assert felt.tell("close 2C 9D") == "bets2 P1=2C B1=9D !shoe-exhausted"
    assert felt.tell("accept") == "refused"
    assert felt.refusal == "the shoe is empty; void the round, or state the hands"
    assert felt.tell("void") == "void2 ok:void_round"


def test_shoe_exhausted_as_soon_as_bets_are_closed() -> None:
    felt = nearly_empty(0)
    assert felt.tell("close") == "bets2 !shoe-exhausted"


def test_shoe_exhausted_after_the_last_card_was_burned() -> None:
    felt = nearly_empty(1)
    assert felt.tell("close ?") == "bets2 !unread-card"
    assert felt.tell("burn") == "burned=? ok:burn_card !shoe-exhausted"


def test_the_hands_may_be_stated_when_the_shoe_is_exhausted() -> None:
    felt = nearly_empty(4)
    felt.tell("close 9S 2D KH ?")
    assert felt.raised[-1] == "unread-card"
    assert felt.tell("burn") == "burned=? ok:burn_card !shoe-exhausted"
    assert felt.tell("state:9S,KH|2D,3C") == "B2=3C ok:resynchronise due:none player:9-5 #count-mismatch"


def test_cut_card_missing_when_a_shoe_is_dealt_to_its_end_without_one() -> None:
    felt = nearly_empty(5)
    assert felt.tell("void end") == "void2 ~cut-card-missing ended"
    felt = nearly_empty(6)
    assert felt.tell("void end") == "void2 ended"
    felt = nearly_empty(5)
    assert felt.tell("cut void end:5") == "ending(0) last void2 ended"


def test_a_shoe_taken_out_in_good_time_needs_no_cut_card() -> None:
    assert dealt(f"{NATURAL} confirm").tell("end") == "ended"
    assert dealt(f"{NATURAL} confirm").tell("load:8") == "ended shoe2"


def test_a_new_pack_ends_what_was_left_open() -> None:
    assert dealt(NATURAL).tell("load:8") == "confirmed1 ended shoe2"
    assert Felt().tell("open load:8") == "shoe1 open1 void1 ended shoe2"


def test_a_pack_that_is_loaded_inside_a_round_is_held() -> None:
    felt = dealt("2C")
    assert felt.tell("load:8") == "!shoe-opened"
    assert felt.table.shoe.number == 1


def test_cards_may_be_burned_between_the_last_rounds() -> None:
    felt = Felt("device")
    felt.tell(f"{SHOE} result:player cut")
    assert felt.tell("burn=5H") == "burned=5H"
    felt.tell(f"{SHOE} result:player")
    assert felt.table.shoe.phase == "ended"
    assert felt.tell("burn=6H") == "burned=6H"


def test_without_a_burn_a_cut_card_before_the_first_round_ends_the_shoe() -> None:
    felt = Felt(ruleset=house((BURN, 'policy = "none"')))
    assert felt.tell("load:8 cut open") == "shoe1 ending(1) open1 last"


def test_the_second_of_two_cutting_cards_may_come_in_the_last_round_or_after_it() -> None:
    rules = house((SHOWS, "shows = 2"))
    felt = Felt(ruleset=rules)
    assert felt.tell("open cut close 2C cut cut") == (
        "shoe1 open1 ending(0) last bets1 P1=2C ~cut-card-repeated"
    )
    felt = Felt(ruleset=rules)
    felt.tell("open cut void")
    assert felt.table.shoe.phase == "ended"
    assert felt.tell("cut cut") == "~cut-card-repeated"


def test_a_shoe_that_is_taken_out_ends_a_decided_round() -> None:
    assert dealt(SHOE, "device").tell("end") == "confirmed1 ended"


def test_a_new_pack_leaves_nothing_of_the_last_one_behind() -> None:
    felt = Felt("first_card")
    assert felt.tell("serve:1 load:8 AC 2C 5H").endswith("open1 bets1 P1=5H")
    felt = dealt(f"{NATURAL} 5H carry confirm load:8 AC 2C open")
    assert felt.tell("close") == "bets1"
    felt = Felt()
    assert felt.tell("load:8 AC fault:unreadable load:8 ?").endswith("shoe2 burned=? ~unread-card")


@pytest.mark.parametrize(
    ("words", "code", "detail"),
    [
        ("load:8 first=5H 2C 3C open", "burn-mismatch", "2 cards were burned, and 5 had to be"),
        ("load:8 first=AH 2C 3C open", "burn-mismatch", "2 cards were burned, and 1 had to be"),
        ("load:8 burn=2C open", "burn-mismatch", "cards were burned before a first one was shown"),
        (
            "load:8 first=AH 2C open close 9S 2D KH 3C confirm end:400",
            "count-mismatch",
            "6 cards were seen and 400 are left, and 416 were loaded",
        ),
    ],
)
def test_what_does_not_add_up_is_told_in_numbers(words: str, code: str, detail: str) -> None:
    felt = Felt()
    felt.tell(words)
    (raised,) = [fact for fact in felt.told if isinstance(fact, facts.IrregularityRaised)]
    assert (raised.code, raised.detail) == (code, detail)
