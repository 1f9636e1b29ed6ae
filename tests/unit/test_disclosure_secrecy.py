"""The bytes sent to the board and the dealer are the same for any two hands that differ only face down."""

import pytest
from floors import house
from hypothesis import given
from hypothesis import strategies as st
from playing import Play

from controller.cards import DECK
from controller.disclosure import Audience
from controller.observations import CardDrawn, HandCalled
from controller.outputs.web.feed import Feed
from controller.rules.terms import Dealing
from controller.view import TableInfo

PLAYER, BANKER = HandCalled(hand="player"), HandCalled(hand="banker")

cards = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)
hidden = pytest.mark.parametrize("audience", ["board", "dealer"])
face_down = pytest.mark.parametrize("dealing", ["player-down", "both-down"])


class Screen:
    """What one audience was sent, write by write."""

    def __init__(self, audience: Audience, dealing: Dealing) -> None:
        self.play = Play()
        self.feed = Feed(TableInfo(id="MB-01", name="Table 1", dealing=dealing, house=house()), audience)
        self.writes: list[bytes] = []
        self.send(self.play.open())

    def send(self, items: list[tuple[int, object]]) -> None:
        chunk = self.feed.take(items)  # type: ignore[arg-type]
        if chunk:
            self.writes.append(chunk)

    def deal(self, drawn: list[str], upto: int = 6) -> None:
        """Cards as far as the rules call for them, each in an instant of its own."""
        coup = self.play.table.round
        for card in drawn[len(coup.coup.dealt) : upto]:
            if coup.due:
                self.send(self.play.do(CardDrawn(card=card)))

    def call(self, *hands: HandCalled) -> None:
        for hand in hands:
            self.send(self.play.do(hand))

    def seen(self) -> tuple[bytes, ...]:
        return (*self.writes, self.feed.snapshot(), self.feed.tick())


@hidden
@face_down
@given(one=cards, other=cards)
def test_nothing_tells_two_uncalled_rounds_apart(
    audience: Audience, dealing: Dealing, one: list[str], other: list[str]
) -> None:
    screens = [Screen(audience, dealing) for _ in range(2)]
    for screen, drawn in zip(screens, (one, other), strict=True):
        screen.deal(drawn)
    assert screens[0].seen() == screens[1].seen()


@hidden
@given(one=cards, other=cards)
def test_the_players_call_tells_nothing_of_the_banker_whose_cards_lie_face_down(
    audience: Audience, one: list[str], other: list[str]
) -> None:
    other = [one[0], other[1], one[2], other[3]]
    screens = [Screen(audience, "both-down") for _ in range(2)]
    for screen, drawn in zip(screens, (one[:4], other), strict=True):
        screen.deal(drawn)
        screen.call(PLAYER)
    assert screens[0].seen() == screens[1].seen()


@hidden
@given(one=cards, other=cards)
def test_third_cards_tell_nothing_before_they_are_called(
    audience: Audience, one: list[str], other: list[str]
) -> None:
    screens = [Screen(audience, "player-down") for _ in range(2)]
    for screen, drawn in zip(screens, (one, one[:4] + other[4:]), strict=True):
        screen.deal(drawn, 4)
        screen.call(PLAYER)
        if screen.play.table.round.due == "banker":
            return  # Player stays: the one third card is Banker's, and its coming decides the round
        screen.deal(drawn)
    assert screens[0].seen() == screens[1].seen()


@face_down
@given(drawn=cards, calls=st.lists(st.sampled_from((PLAYER, BANKER)), max_size=4))
def test_facts_missed_are_the_facts_sent(dealing: Dealing, drawn: list[str], calls: list[HandCalled]) -> None:
    screen = Screen("board", dealing)
    screen.deal(drawn, 4)
    screen.call(*calls[:2])
    screen.deal(drawn)
    screen.call(*calls[2:])
    sent = [
        event for chunk in screen.writes for event in chunk.split(b"\n\n") if b"event: state" not in event
    ]
    again = screen.feed.missed(screen.play.items, 0, screen.feed.last)
    assert [e for e in again.split(b"\n\n") if e] == [e for e in sent if e]
