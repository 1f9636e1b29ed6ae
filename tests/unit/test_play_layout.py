"""Wagers at the table: what counts, what is frozen, what is settled, what is owed (13:69F-7 wagers)."""

from typing import Any

import msgspec
import pytest

from controller.orders import Event
from controller.play.house import House
from controller.play.table import Table
from controller.rules.ruleset import load_ruleset

NATURAL = ("9S", "2D", "KH", "3C")  # Player 9, Banker 5
TIE = ("9S", "4D", "KH", "5C")


class Game:
    """A table that is told short lines and keeps every fact."""

    def __init__(self, ruleset: str = "nj-mini-baccarat", **house: Any) -> None:
        self.table = Table(House(load_ruleset(ruleset), **house))
        self.facts: list[dict[str, Any]] = []

    def say(self, type_: str, /, **fields: Any) -> list[dict[str, Any]]:
        event = msgspec.convert({"type": type_, **fields}, Event)
        new = [msgspec.to_builtins(fact) for fact in self.table.apply(event)]
        self.facts += new
        return new

    def place(self, seat: int, wager: str, amount: str, **more: Any) -> list[dict[str, Any]]:
        return self.say("wager_placed", seat=seat, wager=wager, amount=amount, **more)

    def deal(self, *cards: str) -> list[dict[str, Any]]:
        return [fact for card in cards for fact in self.say("card_drawn", card=card)]

    def order(self, name: str, **fields: Any) -> list[dict[str, Any]]:
        return self.say("order", order=name, by="ann", **fields)

    def open(self) -> None:
        self.say("bets_opened")

    def close(self) -> list[dict[str, Any]]:
        return self.say("bets_closed")

    def confirm(self) -> list[dict[str, Any]]:
        return self.say("result_confirmed")


def only(kind: str, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [fact for fact in told if fact["type"] == kind]


def lines(told: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    keys = ("seat", "wager", "amount", "outcome", "pays", "vigorish")
    return [tuple(fact[k] for k in keys) for fact in only("wager_settled", told)]


def test_wagers_placed_in_time_are_settled_when_the_result_is_confirmed() -> None:
    game = Game()
    game.open()
    game.place(1, "player", "100")
    game.place(1, "player", "50")
    game.place(3, "tie", "5")
    game.close()
    assert lines(game.deal(*NATURAL)) == []
    assert lines(game.confirm()) == [
        (1, "player", "150.00", "win", "150.00", "0.00"),
        (3, "tie", "5.00", "lose", "0.00", "0.00"),
    ]


def test_a_stake_taken_back_in_time_does_not_count() -> None:
    game = Game()
    game.open()
    game.place(1, "player", "100")
    game.place(2, "banker", "40")
    game.say("wager_removed", seat=1, wager="player")
    game.say("wager_removed", seat=2, wager="banker", amount="15")
    game.close()
    game.deal(*NATURAL)
    assert lines(game.confirm()) == [(2, "banker", "25.00", "lose", "0.00", "0.00")]


@pytest.mark.parametrize("move", ["place", "remove"])
@pytest.mark.parametrize("after", ["closed", "dealt", "decided", "frozen"])
def test_wagers_d_and_e_nothing_moves_after_no_more_bets(move: str, after: str) -> None:
    game = Game()
    game.open()
    game.place(1, "player", "100")
    game.close()
    if after != "closed":
        game.deal(*NATURAL[:2])
    if after in ("decided", "frozen"):
        game.deal(*NATURAL[2:])
    if after == "frozen":
        game.confirm()
    if move == "place":
        told = game.place(2, "player", "10")
    else:
        told = game.say("wager_removed", seat=1, wager="player")
    raised = only("irregularity_raised", told)
    if (move, after) == ("remove", "frozen"):
        assert raised == []  # a winner takes the stake that has been paid
    else:
        assert [(r["code"], r["severity"]) for r in raised] == [("late-wager", "warn")]
        assert "seat" in raised[0]["detail"]
    if after != "frozen":
        game.deal(*NATURAL[len([f for f in game.facts if f["type"] == "card_dealt"]) :])
        assert lines(game.confirm()) == [(1, "player", "100.00", "win", "100.00", "0.00")]


def test_taking_a_losing_stake_after_the_decision_is_settlement() -> None:
    game = Game()
    game.open()
    game.place(1, "banker", "100")
    game.close()
    game.deal(*NATURAL)
    assert game.say("wager_removed", seat=1, wager="banker") == []
    assert lines(game.confirm()) == [(1, "banker", "100.00", "lose", "0.00", "0.00")]


@pytest.mark.parametrize("release", ["wagers_paid", "bets_opened"])
def test_wagers_are_frozen_until_the_decision_is_carried_out(release: str) -> None:
    game = Game()
    game.open()
    game.close()
    game.deal(*NATURAL)
    game.confirm()
    assert only("irregularity_raised", game.place(1, "player", "10"))
    game.say(release)
    assert game.place(1, "player", "10") == []


def test_a_wager_that_the_ruleset_does_not_offer_is_refused() -> None:
    game = Game()
    game.open()
    (refused,) = game.place(1, "dragon_7", "10")
    assert refused["type"] == "wager_refused"
    assert "offers no wager 'dragon_7'" in refused["reason"]
    (refused,) = game.place(9, "player", "10")
    assert "7 seats" in refused["reason"]
    (refused,) = game.place(1, "player", "0")
    assert refused["type"] == "wager_refused"


def test_a_table_may_show_fewer_wagers_than_its_ruleset() -> None:
    game = Game(wagers=("player", "banker", "tie"))
    game.open()
    (refused,) = game.place(1, "cards_4", "10")
    assert "the layout shows no wager 'cards_4'" in refused["reason"]
    assert game.place(1, "tie", "10") == []


def test_wagers_c_a_verbal_wager_needs_dealer_and_supervisor() -> None:
    game = Game()
    game.open()
    (refused,) = game.place(1, "player", "100", kind="verbal", confirmed_by=["dealer"])
    assert "(c)" in refused["reason"]
    assert game.place(1, "player", "100", kind="verbal", confirmed_by=["dealer", "ann"]) == []
    assert game.place(2, "player", "25", kind="match_play") == []
    game.close()
    game.deal(*NATURAL)
    assert [line[:2] for line in lines(game.confirm())] == [(1, "player"), (2, "player")]


def test_wagers_b_a_bonus_may_need_a_main_wager_beside_it() -> None:
    text = load_ruleset("nj-mini-baccarat").text.replace(
        "needs_main_wager = false", "needs_main_wager = true"
    )
    from controller.rules.ruleset import parse_ruleset

    game = Game()
    game.table = Table(House(parse_ruleset(text, "test")))
    game.open()
    game.place(1, "player_bonus", "10")
    game.place(2, "player_bonus", "10")
    game.place(2, "banker", "10")
    refused = only("wager_refused", game.close())
    assert [(r["seat"], r["wager"]) for r in refused] == [(1, "player_bonus")]


def test_a_void_round_returns_every_stake_and_a_reinstated_one_settles_again() -> None:
    game = Game()
    game.open()
    game.place(1, "player", "100")
    game.close()
    game.deal(*NATURAL)
    game.confirm()
    assert lines(game.order("void_round")) == [(1, "player", "100.00", "void", "0.00", "0.00")]
    assert lines(game.order("reinstate_round")) == [(1, "player", "100.00", "win", "100.00", "0.00")]


def test_a_corrected_result_is_settled_anew() -> None:
    game = Game()
    game.open()
    game.place(1, "player", "100")
    game.close()
    game.deal(*NATURAL)
    game.confirm()
    game.open()
    game.place(2, "banker", "5")
    # Banker's 3C was a 7C: 9 each
    told = game.order("correct_card", hand="banker", index=2, card="7C")
    assert lines(told) == [(1, "player", "100.00", "void", "0.00", "0.00")]
    game.close()
    game.deal(*NATURAL)
    assert lines(game.confirm()) == [(2, "banker", "5.00", "lose", "0.00", "0.00")]


def test_a_correction_that_makes_a_card_due_takes_the_round_up_again() -> None:
    game = Game()
    game.open()
    game.place(1, "player", "100")
    game.close()
    game.deal("4S", "3D", "5H", "4C")  # Player natural 9
    game.confirm()
    game.open()
    game.place(2, "banker", "5")
    told = game.order("correct_card", hand="player", index=2, card="AH")  # 5: draws
    assert [r["seat"] for r in only("wager_refused", told)] == [2]
    game.deal("4D", "KS")  # 9 against Banker 7, which stays: the second card is not due
    game.order("burn_card")
    assert lines(game.confirm()) == [(1, "player", "100.00", "win", "100.00", "0.00")]


def test_a_card_too_many_changes_no_wager_on_the_number_of_cards() -> None:
    game = Game()
    game.open()
    game.place(1, "cards_4", "10")
    game.place(1, "cards_5", "10")
    game.close()
    game.deal(*NATURAL)
    game.deal("5S")
    game.order("burn_card")
    assert [(line[1], line[3]) for line in lines(game.confirm())] == [("cards_4", "win"), ("cards_5", "lose")]


def test_deferred_vigorish_is_owed_by_the_seat_until_it_is_collected() -> None:
    from controller.rules.ruleset import parse_ruleset

    text = load_ruleset("nj-mini-baccarat").text
    assert 'collected = "each-round"' in text
    later = parse_ruleset(text.replace('collected = "each-round"', 'collected = "later"'), "test")
    game = Game()
    game.table = Table(House(later))
    for _ in range(2):
        game.open()
        game.place(4, "banker", "100")
        game.close()
        game.deal("2S", "9D", "KH", "KC")
        told = game.confirm()
    assert only("vigorish_owed", told) == [{"type": "vigorish_owed", "seat": 4, "amount": "10.00"}]
    told = game.order("void_round")
    assert only("vigorish_owed", told)[-1]["amount"] == "5.00"
    (refused,) = game.say("vigorish_collected", seat=4, amount="6")
    assert "owes 5.00" in refused["reason"]
    assert game.say("vigorish_collected", seat=4, amount="4.50")[-1]["amount"] == "0.50"
    # Taken back after it was paid: the house owes the seat.
    game.order("reinstate_round")
    game.say("vigorish_collected", seat=4, amount="5.50")
    assert only("vigorish_owed", game.order("void_round"))[-1]["amount"] == "-5.00"
    (refused,) = game.say("vigorish_collected", seat=4, amount="6")
    assert "owes -5.00" in refused["reason"]


def test_7_7_d_to_i_the_highest_wager_is_handed_the_cards() -> None:
    game = Game(dealing="both-down")
    game.open()
    game.place(2, "player", "100")
    game.place(5, "player", "100")
    told = only("hand_assigned", game.close())
    assert [(h["hand"], h["seat"]) for h in told] == [("player", 2), ("banker", None)]
    assert told[0]["citation"].endswith("7.7(h)")


def test_without_announcements_wagers_close_with_the_first_card() -> None:
    game = Game(boundaries="device")
    game.place(1, "player", "100")
    for index, card in enumerate(NATURAL):
        hand = "player" if index % 2 == 0 else "banker"
        game.say("card_drawn", card=card, slot=hand, index=index // 2 + 1)
    assert only("irregularity_raised", game.place(1, "tie", "1"))
    result = {"winner": "player", "player_pair": False, "banker_pair": False, "forced_quit": False}
    told = game.say("device_result", **result)
    assert lines(told) == [(1, "player", "100.00", "win", "100.00", "0.00")]
    assert game.say("wager_removed", seat=1, wager="player") == []
    assert game.place(1, "tie", "1") == []


def test_a_tie_is_void_for_banker_or_charged_as_the_ruleset_says() -> None:
    for ruleset, charge in (("nj-mini-baccarat", "0.00"), ("nj-mini-baccarat-tie-vigorish", "25.00")):
        game = Game(ruleset)
        game.open()
        game.place(1, "banker", "100")
        game.close()
        game.deal(*TIE)
        assert lines(game.confirm()) == [(1, "banker", "100.00", "void", "0.00", charge)]
