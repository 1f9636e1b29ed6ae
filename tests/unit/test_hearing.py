"""What a table makes of the way it hears its shoe: rounds that may have gone by between two that it saw."""

import random

import pytest

from controller import facts
from controller.cards import pack
from controller.observations import (
    CardDrawn,
    DeviceResult,
    DeviceStandby,
    FrameRejected,
    LinkLost,
    LinkRestored,
    SequenceGap,
    ServiceStarted,
    ShoeLoaded,
)
from controller.orders import Order
from controller.play.house import House
from controller.play.table import Table
from controller.rules.outcome import judge
from controller.rules.ruleset import load_ruleset

RULES = load_ruleset("france")  # burns five cards unseen: no burn to report here
NATURAL = ("P1 8S", "B1 5C", "P2 KS", "B2 5D")


class Shoe:
    """A table and what its shoe says, a second apart unless said otherwise; `raised` is (code, severity)."""

    def __init__(self, boundaries="device", sequenced=True):
        self.table = Table(House(RULES, boundaries=boundaries, sequenced=sequenced))
        self.at = 0.0
        self.said = []
        self.pack = list(pack(6))
        random.Random(4).shuffle(self.pack)
        self.say(ShoeLoaded(decks=6))

    def say(self, *observations, after=1.0):
        for one in observations:
            self.at += after
            fields = {name: getattr(one, name) for name in one.__struct_fields__} | {"at": self.at}
            self.said += self.table.apply(type(one)(**fields))
        return self

    def cards(self, *words, after=1.0):
        for word in words:
            place, card = word.split()
            hand = "player" if place[0] == "P" else "banker"
            self.say(CardDrawn(card=card, slot=hand, index=int(place[1])), after=after)
        return self

    def deal(self):
        """The cards of a round, by the rules."""
        dealt = 0
        while hand := self.table.round.due if dealt else "player":
            index = len(self.table.round.coup.hands[hand]) + 1 if dealt else 1
            self.say(CardDrawn(card=self.pack.pop(), slot=hand, index=index))
            dealt += 1
        return self

    def result(self, after=0.3):
        """The shoe's result of the last round, right as ever."""
        hands = self.table.round.coup.hands
        right = judge(hands["player"], hands["banker"])
        claim = DeviceResult(
            winner=right.winner,
            player_pair=right.player_pair,
            banker_pair=right.banker_pair,
            forced_quit=False,
        )
        return self.say(claim, after=after)

    def standby(self, after=1.0):
        return self.say(DeviceStandby(), after=after)

    def round(self):
        return self.deal().result().standby()

    @property
    def raised(self):
        here = [f for f in self.said if isinstance(f, facts.IrregularityRaised)]
        return [(f.code, f.severity) for f in here if f.code not in ("not-burned", "burn-mismatch")]


WARNED, HELD = [("lost-frames", "warn")], [("lost-frames", "stop")]


def test_a_shoe_that_is_heard_raises_nothing():
    shoe = Shoe()
    for _ in range(5):
        shoe.round()
    assert shoe.raised == []


# -- gaps, results and standby ------------------------------------------------------------------------------


def test_a_gap_between_rounds_may_hide_a_whole_one():
    assert Shoe().round().say(SequenceGap(expected="1", got="7")).raised == WARNED


def test_where_each_round_is_announced_the_announcements_show_it():
    assert Shoe("announced").say(SequenceGap(expected="1", got="7")).raised == []


def test_a_result_between_rounds_is_of_a_round_that_nobody_saw():
    assert Shoe().round().result().raised == WARNED


def test_a_round_without_a_standby_before_it_comes_after_a_silence():
    shoe = Shoe().round().deal().result()
    assert shoe.cards("P1 8S").raised == WARNED


def test_a_shoe_that_never_stands_by_is_not_missed():
    shoe = Shoe()
    for _ in range(3):
        shoe.deal().result()
    assert shoe.raised == []


def test_a_card_of_another_round_closes_the_decided_one_and_is_held():
    shoe = Shoe().cards(*NATURAL).say(SequenceGap(expected="5", got="9"))
    shoe.cards("B1 2C")
    assert shoe.raised == WARNED + HELD
    assert [f.round for f in shoe.said if isinstance(f, facts.RoundConfirmed)] == [1]
    order = Order(order="resynchronise", by="pit", player=["9C"], banker=["2C"])
    shoe.said += shoe.table.apply(order)
    assert [f.round for f in shoe.said if isinstance(f, facts.RoundOpened)] == [1, 2]


# -- times --------------------------------------------------------------------------------------------------


def test_a_standby_that_comes_many_times_later_than_ever():
    shoe = Shoe().round().round()
    assert shoe.deal().result().standby(after=5.0).raised == []
    assert shoe.deal().result().standby(after=16.0).raised == WARNED


def test_a_shoe_that_always_takes_its_time_is_not_late():
    shoe = Shoe()
    for _ in range(3):
        shoe.deal().result(after=4.0).standby(after=20.0)
    assert shoe.raised == []


def test_noise_for_as_long_as_a_round_takes():
    noise = FrameRejected(reason="garbage", raw="FF00")
    assert Shoe().round().say(noise, noise, after=1.0).cards("P1 8S").raised == []
    assert Shoe().round().say(noise, noise, after=3.5).cards("P1 8S").raised == WARNED
    assert Shoe().cards("P1 8S").say(noise, noise, after=3.5).cards("B1 5C").raised == HELD


# -- the link -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("away", "raised"), [(2.9, []), (3.0, [("link-lost", "warn")])])
def test_a_link_that_was_lost_between_rounds_for_as_long_as_one_takes(away, raised):
    shoe = Shoe().round().say(LinkLost()).say(LinkRestored(), after=away)
    assert shoe.raised == raised
    assert shoe.cards("P1 8S").raised == raised


def test_what_is_stated_while_the_link_is_down_covers_nothing_after_it():
    shoe = Shoe().cards("P1 8S", "B1 5C").say(LinkLost())
    order = Order(order="resynchronise", by="pit", player=["8S"], banker=["5C"])
    shoe.said += shoe.table.apply(order)
    assert shoe.table.hold is None
    shoe.say(LinkRestored())
    assert shoe.raised == [("link-lost", "stop")] * 2


def test_a_service_that_was_away_does_not_know_for_how_long():
    shoe = Shoe().round().say(LinkLost(), LinkRestored(), ServiceStarted(version="1"), after=0.1)
    assert shoe.raised == [("link-lost", "warn")]


# -- a shoe without numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["checksum", "payload", "unknown", "overflow"])
def test_a_spoilt_report_of_a_shoe_without_numbers_may_be_a_card(reason):
    spoilt = FrameRejected(reason=reason, raw="2A30")
    assert Shoe(sequenced=False).cards("P1 8S").say(spoilt).raised == HELD
    assert Shoe(sequenced=False).round().say(spoilt).raised == []
    assert Shoe().cards("P1 8S").say(spoilt).raised == []


@pytest.mark.parametrize(("raw", "raised"), [("31305331305300", HELD), ("313053313053", [])])
def test_an_echo_of_its_characters_is_no_card(raw, raised):
    garbage = FrameRejected(reason="garbage", raw=raw)
    assert Shoe(sequenced=False).cards("P1 8S").say(garbage).raised == raised


# -- during a hold ------------------------------------------------------------------------------------------


def test_a_card_reported_again_for_its_slot_counts_once():
    shoe = Shoe().cards("P1 8S").say(SequenceGap(expected="2", got="4"))
    seen = shoe.table.shoe.cards_seen
    shoe.cards("B1 5C", "P2 KS", "B1 5C", "P2 KS")
    assert shoe.table.shoe.cards_seen == seen + 2
    shoe.cards("B1 6C")  # another piece of cardboard for the same slot
    assert shoe.table.shoe.cards_seen == seen + 3
