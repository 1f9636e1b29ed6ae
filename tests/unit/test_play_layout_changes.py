"""Wagers where a round is changed after the next one was opened, and where shoes change."""

import pytest
from felt import NATURAL, RULES, Felt, dealt

from controller import facts
from controller import observations as seen
from controller.play.house import House


def place(felt: Felt, seat: int, wager: str, amount: str = "100") -> list[facts.Fact]:
    return felt.apply(seen.WagerPlaced(seat=seat, wager=wager, amount=amount))


def remove(felt: Felt, seat: int, wager: str, amount: str | None = None) -> list[facts.Fact]:
    return felt.apply(seen.WagerRemoved(seat=seat, wager=wager, amount=amount))


def settled(felt: Felt, words: str) -> list[tuple[int | None, str, str]]:
    """What the words settle: seat, wager, outcome."""
    before = len(felt.told)
    felt.tell(words)
    lines = [fact for fact in felt.told[before:] if isinstance(fact, facts.WagerSettled)]
    return [(line.seat, line.wager, line.outcome) for line in lines]


def played() -> Felt:
    """A confirmed round that Player won, with a wager on it."""
    felt = Felt()
    felt.tell("open")
    place(felt, 1, "player")
    assert settled(felt, f"close {NATURAL} confirm") == [(1, "player", "win")]
    return felt


def test_a_round_is_settled_anew_also_after_the_next_bets_were_closed() -> None:
    felt = played()
    felt.tell("open")
    place(felt, 2, "banker")
    felt.tell("close")
    assert settled(felt, "fix:B2=7C") == [(1, "player", "void")]
    assert settled(felt, f"{NATURAL} confirm") == [(2, "banker", "lose")]


def test_a_round_that_goes_on_returns_the_stakes_of_the_betting_that_gives_way() -> None:
    felt = played()
    felt.tell("open")
    place(felt, 2, "banker")
    assert settled(felt, "close fix:P1=3S") == [(2, "banker", "void")]
    assert settled(felt, "8H confirm") == [(1, "player", "lose")]


def test_a_reinstated_round_leaves_the_next_bets_alone() -> None:
    felt = Felt()
    felt.tell("open")
    place(felt, 1, "player")
    felt.tell(f"close {NATURAL} void open")
    place(felt, 2, "banker")
    assert settled(felt, "back") == [(1, "player", "win")]
    assert place(felt, 3, "tie") == []
    assert settled(felt, f"close {NATURAL} confirm") == [(2, "banker", "lose"), (3, "tie", "lose")]


def test_a_round_that_was_never_decided_takes_its_stakes_up_again() -> None:
    felt = Felt()
    felt.tell("open")
    place(felt, 1, "player")
    assert settled(felt, "close 9S call void") == [(1, "player", "void")]
    assert settled(felt, "open back accept 2D KH 3C confirm") == [(1, "player", "win")]


def test_a_losing_stake_may_not_be_taken_once_the_decision_is_taken_back() -> None:
    felt = Felt()
    felt.tell("open")
    place(felt, 1, "banker")
    felt.tell(f"close {NATURAL} fix:P1=3S")
    remove(felt, 1, "banker")
    assert felt.raised == ["late-wager"]


def test_the_next_shoes_rounds_are_others() -> None:
    felt = played()
    felt.tell("load:8 open")
    assert settled(felt, "void") == []


def test_no_more_is_taken_back_than_lies_there() -> None:
    felt = Felt()
    felt.tell("open")
    place(felt, 1, "player")
    (much,) = remove(felt, 1, "player", "150")
    (none,) = remove(felt, 2, "player")
    assert isinstance(much, facts.WagerRefused)
    assert isinstance(none, facts.WagerRefused)
    assert (much.reason, none.reason) == ("100.00 lies there", "nothing lies there")


def test_other_rules_wait_for_the_next_shoe() -> None:
    felt = dealt("2C")
    felt.table.play_by(House(RULES, 6, "device"))
    assert (felt.table.boundaries, felt.table.decks) == ("announced", 8)
    felt.tell("void open void")
    assert felt.table.boundaries == "announced"
    felt.tell("load:6")
    assert (felt.table.boundaries, felt.table.decks) == ("device", 6)
    felt.table.play_by(House(RULES, 8, "first_card"))
    assert felt.table.boundaries == "first_card"


@pytest.mark.parametrize("words", ["open 9S", "open 9S KD"])
def test_no_wager_moves_while_an_early_card_lies_on_the_table(words: str) -> None:
    """Who has seen a round's first card bets on it: 13:69F-7 wagers (e)."""
    felt = Felt()
    felt.tell("open")
    place(felt, 1, "player")
    felt.tell(words)
    for facts_ in (place(felt, 2, "player"), place(felt, 1, "banker"), remove(felt, 1, "player")):
        (refused,) = facts_
        assert isinstance(refused, facts.WagerRefused)
        assert refused.reason.startswith("a card has left the shoe")
    assert felt.tell("move:player").split() == [
        *("ok:move_card", "bets1", "P1=9S", "~late-wager", "~late-wager", "~late-wager"),
    ]
    assert settled(felt, "2D KH 3C confirm") == [(1, "player", "win")]


def test_once_the_early_card_is_burned_wagers_are_taken_again() -> None:
    felt = Felt()
    felt.tell("open 9S burn")
    assert place(felt, 2, "player") == []
    assert settled(felt, "close 9S 2D KH 3C confirm") == [(2, "player", "win")]
