"""The bytes sent to the board and the dealer are the same for any two hands that differ only face down."""

import pytest
from floors import house
from hypothesis import given
from hypothesis import strategies as st
from playing import Play

from controller.cards import DECK
from controller.observations import (
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    DeviceStarted,
    HandCalled,
    LinkLost,
    LinkRestored,
    SequenceGap,
    ShoeLoaded,
    SupervisorCalled,
    TimerExpired,
)
from controller.outputs.web.feed import Feed
from controller.rules.terms import Dealing
from controller.views.disclosure import Audience
from controller.views.view import TableInfo

PLAYER, BANKER = HandCalled(hand="player"), HandCalled(hand="banker")

cards = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)
hidden = pytest.mark.parametrize("audience", ["board", "dealer"])
face_down = pytest.mark.parametrize("dealing", ["player-down", "both-down"])


class Screen:
    """What one audience was sent, write by write."""

    def __init__(self, audience: Audience, dealing: Dealing) -> None:
        self.play = Play(dealing=dealing)
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


#: What may come while four cards lie face down, and says nothing of them.
EVENTS = [
    SupervisorCalled(reason="exposed-card"),
    LinkLost(),
    LinkRestored(),
    SequenceGap(expected="1", got="3"),
    DeviceStarted(),
    ShoeLoaded(decks=8),
    CutCardDrawn(),
    *(
        DeviceFault(fault=fault, active=True)
        for fault in ("jam", "shoe-opened", "reverse-exit", "draw-timeout")
    ),
    *(TimerExpired(timer="card-overdue", round=1, hand=hand, index=3) for hand in ("player", "banker")),
]


@hidden
@face_down
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_whatever_happens_beside_them_four_uncalled_cards_stay_secret(
    audience: Audience, dealing: Dealing, event: object
) -> None:
    """Player draws; a natural; both stand."""
    seen = []
    for drawn in ("2C 3C 2D 3D", "9C 3C KD 3D", "6C 7C KD TD"):
        screen = Screen(audience, dealing)
        screen.deal(drawn.split())
        screen.send(screen.play.do(event))  # type: ignore[arg-type]
        seen.append(screen.seen())
    assert seen[0] == seen[1] == seen[2]


@face_down
def test_no_third_card_is_awaited_before_both_hands_are_called(dealing: Dealing) -> None:
    play = Play(dealing=dealing)
    play.open()
    play.cards("2C 3C 2D")
    assert play.table.awaited == (1, "banker", 2)
    play.cards("3D")
    assert play.table.awaited is None
    play.do(PLAYER)
    assert play.table.awaited is None
    play.do(BANKER)
    assert play.table.awaited == (1, "player", 3)


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
