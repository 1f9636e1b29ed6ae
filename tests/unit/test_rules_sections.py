"""The five New Jersey texts, a test for each subsection that speaks of rules; named after the section.

What a section asks of the dealing, the announcements and the wagers' times is tested where rounds are played.
"""

from itertools import product
from typing import get_args

import pytest

from controller.cards import HANDS
from controller.rules.drawing import due, total
from controller.rules.explanation import explain
from controller.rules.handling import assign_hands
from controller.rules.kinds import KINDS, LOSE
from controller.rules.outcome import judge
from controller.rules.ruleset import Ruleset, load_ruleset
from controller.rules.terms import Dealing
from controller.rules.wagers import refusal, settle

NJ = load_ruleset("nj-mini-baccarat")
DRAGON = load_ruleset("nj-mini-baccarat-no-vigorish")
TIES = load_ruleset("nj-mini-baccarat-tie-vigorish")
NIGHTS = [load_ruleset("nj-casino-night-mini-baccarat"), load_ruleset("nj-casino-night-baccarat")]

nights = pytest.mark.parametrize("night", NIGHTS, ids=["20.28", "20.20"])


def outcome(ruleset: Ruleset, cards: str, wager: str) -> tuple[str, str, str]:
    """Outcome, pays and vigorish of a hundred staked; cards that nobody is owed are out of place."""
    result = explain(cards.split(), ruleset.draw).result
    assert result is not None
    settled = settle(ruleset, result, wager, "100")
    return settled.outcome, settled.pays, settled.vigorish


# -- 13:69F-7.7, hands and dealing ------------------------------------------------------------------------


def test_7_7_a_two_hands() -> None:
    assert HANDS == ("player", "banker")


def test_7_7_c_first_and_third_card_to_player_second_and_fourth_to_banker() -> None:
    steps = explain(["2C", "9D", "3H", "7S"], NJ.draw).steps
    assert [(step.hand, step.index) for step in steps] == [
        ("player", 1),
        ("banker", 1),
        ("player", 2),
        ("banker", 2),
    ]


def test_7_7_c_1_to_3_three_options() -> None:
    assert NJ.deal.options == list(get_args(Dealing)) == ["face-up", "player-down", "both-down"]


WAGERS = [(1, "player", "50"), (2, "player", "80"), (3, "banker", "70"), (4, "banker", "20")]


def test_7_7_d_players_hand_to_the_highest_player_wager() -> None:
    player, _ = assign_hands(NJ.handling, "player-down", WAGERS)
    assert (player.seat, player.citation) == (2, "N.J.A.C. 13:69F-7.7(d), (f)")


def test_7_7_e_bankers_hand_to_the_highest_banker_wager() -> None:
    _, banker = assign_hands(NJ.handling, "both-down", WAGERS)
    assert (banker.seat, banker.citation) == (3, "N.J.A.C. 13:69F-7.7(e), (g)")


def test_7_7_f_and_g_the_third_card_goes_with_the_hand() -> None:
    """One assignment holds for the whole hand."""
    assert [one.hand for one in assign_hands(NJ.handling, "player-down", WAGERS)] == ["player", "banker"]


@pytest.mark.parametrize("hand", HANDS)
def test_7_7_h_equal_wagers_closest_counter_clockwise(hand: str) -> None:
    wagers = [(5, hand, "80"), (2, hand, "80"), (7, hand, "80"), (1, hand, "79")]
    told = {one.hand: one for one in assign_hands(NJ.handling, "player-down", wagers)}
    assert (told[hand].seat, told[hand].citation) == (2, "N.J.A.C. 13:69F-7.7(h)")


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("allowed", [True, False])
def test_7_7_i_no_wager_on_a_hand(hand: str, allowed: bool) -> None:
    other = "banker" if hand == "player" else "player"
    handling = NJ.handling.model_copy(update={"other_hand": allowed})
    told = {one.hand: one for one in assign_hands(handling, "player-down", [(4, other, "5")])}
    assert (told[hand].seat, told[hand].citation) == (4 if allowed else None, "N.J.A.C. 13:69F-7.7(i)")


# -- 13:69F-7.9, third card -------------------------------------------------------------------------------


@pytest.mark.parametrize(("player", "banker"), [("9C KH", "2D KS"), ("2D KS", "8C KH"), ("8C KH", "9D KS")])
def test_7_9_a_a_natural_ends_the_draw_for_both(player: str, banker: str) -> None:
    told = due(player.split(), banker.split())
    assert (told.hand, told.citation) == (None, "N.J.A.C. 13:69F-7.9(a)")


@pytest.mark.parametrize(("count", "banker"), list(product(range(10), range(8))))
def test_7_9_b_player_draws_to_five(count: int, banker: int) -> None:
    values = "KA23456789"
    told = due(["KC", values[count] + "H"], ["KD", values[banker] + "S"])
    assert (told.hand == "player") is (count <= 5)


def test_7_9_c_banker_follows_table_2() -> None:
    told = due(["2C", "3H", "7S"], ["KD", "6S"])
    assert (told.hand, told.citation) == (
        "banker",
        "N.J.A.C. 13:69F-7.9(c), Table 2: banker 6, third card 7 draws",
    )


def test_7_9_d_the_row_is_bankers_count_on_two_cards() -> None:
    assert "banker 5" in due(["2C", "3H", "7S"], ["KD", "5S"]).citation


def test_7_9_e_the_column_is_the_third_cards_value() -> None:
    player = ["2C", "3H", "9S"]
    assert total(player) == 4
    assert "third card 9 stays" in due(player, ["KD", "4S"]).citation


def test_7_9_f_there_is_no_choice() -> None:
    letters = {letter for row in NJ.third_card.banker for letter in row} | set(NJ.third_card.player)
    assert letters == {"D", "S"}


def test_7_9_g_the_example() -> None:
    assert due(["2C", "3H", "4S"], ["KD", "5S"]).hand == "banker"


# -- 13:69F-7, wagers -------------------------------------------------------------------------------------

BANKER_7_6, PLAYER_9_2, TIE_6 = "6C 7D TH KS", "9C KD KH 2S", "6C 6D KH TS"
DRAGON_7 = "2C 3D 2H 3S 7C AD"


def test_wagers_a_1_i_banker_wins() -> None:
    assert outcome(NJ, BANKER_7_6, "banker") == ("win", "100.00", "5.00")


def test_wagers_a_1_ii_banker_loses() -> None:
    assert outcome(NJ, PLAYER_9_2, "banker") == ("lose", "0.00", "0.00")


def test_wagers_a_1_iii_equal_counts_void_or_a_quarter_charged() -> None:
    assert outcome(NJ, TIE_6, "banker") == ("void", "0.00", "0.00")
    assert outcome(TIES, TIE_6, "banker") == ("void", "0.00", "25.00")
    assert outcome(TIES, BANKER_7_6, "banker") == ("win", "100.00", "0.00")


def test_wagers_a_2_i_player_wins() -> None:
    assert outcome(NJ, PLAYER_9_2, "player") == ("win", "100.00", "0.00")


def test_wagers_a_2_ii_player_loses() -> None:
    assert outcome(NJ, BANKER_7_6, "player") == ("lose", "0.00", "0.00")


def test_wagers_a_2_iii_player_void_and_never_charged() -> None:
    assert outcome(NJ, TIE_6, "player") == outcome(TIES, TIE_6, "player") == ("void", "0.00", "0.00")


def test_wagers_a_3_tie() -> None:
    assert outcome(NJ, TIE_6, "tie") == ("win", "800.00", "0.00")
    assert outcome(NJ, BANKER_7_6, "tie") == outcome(NJ, PLAYER_9_2, "tie") == ("lose", "0.00", "0.00")


@pytest.mark.parametrize(("cards", "required"), [(TIE_6, 4), ("2C 3D 2H 3S 9C", 5), (DRAGON_7, 6)])
def test_wagers_a_4_by_the_number_of_cards_required(cards: str, required: int) -> None:
    for number in (4, 5, 6):
        told = outcome(NJ, f"{cards} KC", f"cards_{number}")
        assert told[0] == ("win" if number == required else "lose")


BONUS = [
    # selected hand, other hand, class
    ("8C KH", "7D KS", "natural"),
    ("9C KH", "8D KS", "natural"),
    ("8C KH", "9D KS", LOSE),
    ("8C KH", "8D KS", "natural_tie"),
    ("9C KH", "9D KS", "natural_tie"),
    ("7C KH", "9D KS", LOSE),
    ("7C KH", "3D KS KC", "by_4"),
    ("7C KH", "4D KS KC", LOSE),
    ("7C KH", "7D KS", LOSE),
    ("6C KH", "7D KS", LOSE),
    ("4C KH 5D", "KD KS KC", "by_9"),
]


@pytest.mark.parametrize("selected", HANDS)
@pytest.mark.parametrize(("own", "other", "kind"), BONUS)
def test_wagers_a_5_i_to_iii_bonus(selected: str, own: str, other: str, kind: str) -> None:
    hands = (own, other) if selected == "player" else (other, own)
    assert KINDS[f"{selected}_bonus"].classify(judge(hands[0].split(), hands[1].split())) == kind


def test_wagers_a_6_i_banker_is_void_on_a_dragon_7() -> None:
    assert outcome(DRAGON, DRAGON_7, "banker") == ("void", "0.00", "0.00")
    assert outcome(NJ, DRAGON_7, "banker") == ("win", "100.00", "5.00")


def test_wagers_a_6_ii_dragon_7_wager() -> None:
    assert outcome(DRAGON, DRAGON_7, "dragon_7") == ("win", "4000.00", "0.00")
    assert outcome(DRAGON, BANKER_7_6, "dragon_7") == ("lose", "0.00", "0.00")


def test_wagers_a_6_iii_dragon_7_excludes_card_count_and_bonus() -> None:
    for ruleset in (NJ, DRAGON, TIES):
        (rule,) = ruleset.exclusion
        assert rule.wager == "dragon_7"
        assert rule.beside == ["cards_4", "cards_5", "cards_6", "player_bonus", "banker_bonus"]


def test_wagers_b_no_other_wagers() -> None:
    hands, counts = ["banker", "player", "tie"], ["cards_4", "cards_5", "cards_6"]
    assert NJ.permitted.wagers == [*hands, *counts, "player_bonus", "banker_bonus", "dragon_7"]
    assert NJ.permitted.approved == []
    assert "offers no wager" in str(refusal(NJ, "player_pair", "5"))


# -- 13:47-20.28 and 20.20, casino nights -----------------------------------------------------------------


@nights
def test_20_a_definitions(night: Ruleset) -> None:
    assert {"natural", "point_count", "stack"} <= set(night.definitions)
    assert ("bank" in night.definitions) is night.law.endswith("20.20")


def test_20_b_1_seats() -> None:
    assert [night.seats.max for night in NIGHTS] == [7, 14]


@nights
def test_20_b_2_i_at_least_six_decks(night: Ruleset) -> None:
    assert (night.decks.min, night.decks.source) == (6, "verified")


@nights
def test_20_b_2_ii_two_cutting_cards(night: Ruleset) -> None:
    assert night.cut_cards == 2


@nights
def test_20_b_2_iii_values(night: Ruleset) -> None:
    assert night.counting.citation == f"{night.law}(b)2.iii, (e)4"


@nights
def test_20_c_shoe_and_shuffler_are_optional(night: Ruleset) -> None:
    assert not night.equipment.shoe.required
    assert not night.equipment.shuffler.required


@nights
def test_20_d_4_losing_wagers_are_collected(night: Ruleset) -> None:
    assert settle(night, judge(["6C", "KH"], ["7D", "TS"]), "player", "5").citation == f"{night.law}(d)4"


@nights
def test_20_d_5_five_percent_of_every_winning_bet(night: Ruleset) -> None:
    assert outcome(night, PLAYER_9_2, "player") == ("win", "100.00", "5.00")
    assert outcome(night, BANKER_7_6, "banker") == ("win", "100.00", "5.00")
    assert outcome(night, TIE_6, "tie") == ("win", "800.00", "40.00")


@nights
def test_20_e_1_three_bets_four_cards_and_naturals(night: Ruleset) -> None:
    assert list(night.wagers) == ["banker", "player", "tie"]
    told = due(["5C", "KH"], ["9D", "KS"], night.draw)
    assert (told.hand, told.citation) == (None, f"{night.law}(e)1")
    assert due(["5C"], [], night.draw).citation == f"{night.law}(e)1"


@nights
@pytest.mark.parametrize("count", range(8))
def test_20_e_2_player_draws_to_five(night: Ruleset, count: int) -> None:
    told = due(["KC", "KA234567"[count] + "H"], ["KD", "6S"], night.draw)
    assert (told.hand == "player") is (count <= 5)
    if count <= 5:
        assert told.citation == f"{night.law}(e)2"


@nights
@pytest.mark.parametrize("count", range(8))
def test_20_e_3_i_bank_after_a_stand(night: Ruleset, count: int) -> None:
    told = due(["KC", "6H"], ["KD", "KA234567"[count] + "S"], night.draw)
    assert (told.hand == "banker") is (count <= 5)
    assert told.citation.startswith(f"{night.law}(e)3.i:")


@nights
@pytest.mark.parametrize(("count", "third"), list(product(range(3), "KA23456789")))
def test_20_e_3_ii_bank_draws_to_two(night: Ruleset, count: int, third: str) -> None:
    told = due(["KC", "5H", third + "D"], ["KD", "KA2"[count] + "S"], night.draw)
    assert told.hand == "banker"
    assert told.citation.startswith(f"{night.law}(e)3.ii:")


@nights
def test_20_e_3_gap_is_filled_and_says_so(night: Ruleset) -> None:
    told = due(["KC", "5H", "8D"], ["KD", "3S"], night.draw)
    assert told.hand is None
    assert f"fallback where {night.law}(e)3 has no rule" in told.citation


@pytest.mark.parametrize(("cards", "count"), [("7C 3D", 0), ("AC 2D 4H", 7), ("AC 2D 9H", 2), ("KC QD", 0)])
def test_20_e_4_point_count(cards: str, count: int) -> None:
    assert total(cards.split()) == count


@nights
def test_20_e_4_closest_to_nine_wins(night: Ruleset) -> None:
    assert judge(["9C", "KH"], ["8D", "KS"]).winner == "player"


@nights
def test_20_e_5_even_money_and_eight_to_one(night: Ruleset) -> None:
    assert {name: wager.pays["win"] for name, wager in night.wagers.items()} == {
        "banker": "1:1",
        "player": "1:1",
        "tie": "8:1",
    }
    assert night.wagers["player"].cite("tie").source == "derived"
