"""What holds for every round: the bonus partition, conserved money, a deal that always ends."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import HANDS, Card, Hand, pack
from controller.rules.drawing import due, total
from controller.rules.explanation import explain
from controller.rules.kinds import KINDS, LOSE, WAGERS
from controller.rules.odds import enumerate_rounds
from controller.rules.outcome import Result, is_natural, judge
from controller.rules.ruleset import load_ruleset, ruleset_names
from controller.rules.terms import outcome_of
from controller.rules.wagers import house_gain, settle

PACK = list(pack(8))
RULESETS = {name: load_ruleset(name) for name in ruleset_names()}

cards = st.lists(st.sampled_from(PACK), min_size=6, max_size=6)
cents = st.integers(1, 10**9).map(lambda n: f"{n // 100}.{n % 100:02d}")
hands = st.one_of(*(st.lists(st.sampled_from(PACK), min_size=n, max_size=n) for n in (2, 3)))


def played(drawn: list[Card]) -> Result:
    result = explain(drawn, RULESETS["nj-mini-baccarat"].draw).result
    assert result is not None
    return result


@given(cards)
def test_a_round_takes_four_to_six_cards_and_then_no_more(drawn: list[Card]) -> None:
    told = explain(drawn, RULESETS["nj-mini-baccarat"].draw)
    assert told.result is not None
    assert told.result.cards == len(told.steps) in (4, 5, 6)
    assert len(told.steps) + len(told.surplus) == 6
    assert due(told.result.player_cards, told.result.banker_cards).hand is None


@given(cards)
def test_the_result_follows_from_the_cards(drawn: list[Card]) -> None:
    result = played(drawn)
    more = total(result.player_cards) - total(result.banker_cards)
    assert result.winner == ("player" if more > 0 else "banker" if more < 0 else "tie")
    assert result.natural is (is_natural(result.player_cards) or is_natural(result.banker_cards))
    assert not (result.natural and result.cards > 4)
    assert not (result.dragon_7 and result.panda_8)


def won(own: list[Card], other: list[Card]) -> list[str]:
    """Every branch of 13:69F-7 wagers (a)5 that a pair of hands fulfils, written as the text says it."""
    own_natural, other_natural = (len(h) == 2 and total(h) in (8, 9) for h in (own, other))
    ahead = total(own) - total(other)
    branches = {
        "win": (own_natural and not other_natural)
        or (own_natural and other_natural and (total(own), total(other)) == (9, 8))
        or (not own_natural and ahead >= 4),
        "lose": (own_natural and other_natural and (total(own), total(other)) == (8, 9))
        or (not own_natural and ahead <= 3),
        "void": own_natural and other_natural and ahead == 0,
    }
    return [name for name, holds in branches.items() if holds]


@pytest.mark.parametrize("selected", HANDS)
def test_the_bonus_wager_is_a_complete_partition_of_every_ending(selected: str) -> None:
    bonus = RULESETS["nj-mini-baccarat"].wagers[f"{selected}_bonus"]
    for result, _ in enumerate_rounds(6).results:
        pair = (result.player_cards, result.banker_cards)
        branches = won(*(pair if selected == "player" else pair[::-1]))
        kind = KINDS[f"{selected}_bonus"].classify(result)
        assert branches == [outcome_of(bonus.price(kind))], result


@given(hands, hands, st.sampled_from(HANDS))
def test_the_bonus_branches_exclude_each_other(own: list[Card], other: list[Card], selected: Hand) -> None:
    bonus = RULESETS["nj-mini-baccarat"].wagers[f"{selected}_bonus"]
    result = judge(own, other) if selected == "player" else judge(other, own)
    assert won(own, other) == [outcome_of(bonus.price(KINDS[f"{selected}_bonus"].classify(result)))]


@given(hands, hands)
def test_every_wager_has_a_class_for_every_result(player: list[Card], banker: list[Card]) -> None:
    for name in WAGERS:
        kind = KINDS[name]
        assert kind.classify(judge(player, banker)) in (*kind.must, *kind.may, LOSE)


@pytest.mark.parametrize("name", RULESETS)
@given(drawn=cards, amounts=st.lists(st.tuples(st.integers(1, 7), st.integers(0, 15), cents), max_size=20))
def test_settlement_conserves_money(
    name: str, drawn: list[Card], amounts: list[tuple[int, int, str]]
) -> None:
    """Chips only change hands: what the house gains is what the seats lose, to the last cent."""
    ruleset, result = RULESETS[name], played(drawn)
    offered = list(ruleset.wagers)
    purses = dict.fromkeys(range(1, 8), Fraction(0))
    settled = []
    for seat, index, amount in amounts:
        one = settle(ruleset, result, offered[index % len(offered)], amount, seat)
        settled.append(one)
        back = {"win": Fraction(one.amount) + Fraction(one.pays), "void": Fraction(one.amount), "lose": 0}
        purses[seat] += back[one.outcome] - Fraction(one.amount) - Fraction(one.vigorish)
        assert (Fraction(one.pays) > 0) is (one.outcome == "win")
        assert Fraction(one.vigorish) <= Fraction(one.amount) / 4 + Fraction(one.pays) / 20
    assert house_gain(settled) == -sum(purses.values())


@given(drawn=cards, amount=cents)
def test_opposite_bets_cost_the_vigorish_only(drawn: list[Card], amount: str) -> None:
    ruleset, result = RULESETS["nj-mini-baccarat"], played(drawn)
    both = [settle(ruleset, result, hand, amount) for hand in HANDS]
    expected = Fraction(amount) / 20 if result.winner == "banker" else 0
    assert house_gain(both) == expected
