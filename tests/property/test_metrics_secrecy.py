"""The metrics are the same text for any two rounds that differ only face down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import Play

from controller.cards import DECK
from controller.health.links import Links
from controller.health.metrics import Metrics
from controller.observations import (
    CardDrawn,
    CutCardDrawn,
    DeviceFault,
    FrameRejected,
    HandCalled,
    LinkLost,
    LinkRestored,
    SequenceGap,
    SupervisorCalled,
)
from controller.rules.terms import Dealing

PLAYER, BANKER = HandCalled(hand="player"), HandCalled(hand="banker")
face_down = pytest.mark.parametrize("dealing", ["player-down", "both-down"])
cards = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)


class Scrape:
    """A played table and what was read of it, step by step; times do not matter and are all the same."""

    def __init__(self, dealing: Dealing) -> None:
        self.play = Play(dealing=dealing)
        self.metrics = Metrics(dealing, Links(), {}, lambda: ())
        self.read: list[list[str]] = []
        self.take(self.play.open())

    def take(self, items: list[tuple[int, object]]) -> None:
        """One input became durable: a report, decided, on the disk and shown."""
        self.metrics.take(item for _, item in items)  # type: ignore[misc]
        for name in ("decision", "durable", "shown", "commit"):
            self.metrics.measure(f"table_{name}_seconds", 0.001)
        lines = self.metrics.text().decode().splitlines()
        # What the process itself takes depends on more than cards.
        beside = ("process_", "# ")
        self.read.append([line for line in lines if not line.startswith(beside) and "_created" not in line])

    def deal(self, drawn: list[str], upto: int = 6) -> None:
        """Cards as far as the rules call for them."""
        coup = self.play.table.round
        for card in drawn[len(coup.coup.dealt) : upto]:
            if coup.due:
                self.take(self.play.do(CardDrawn(card=card)))

    def last(self) -> list[str]:
        return self.read[-1]


@face_down
@given(one=cards, other=cards)
def test_nothing_tells_two_uncalled_rounds_apart(dealing: Dealing, one: list[str], other: list[str]) -> None:
    scrapes = [Scrape(dealing) for _ in range(2)]
    for scrape, drawn in zip(scrapes, (one, other), strict=True):
        scrape.deal(drawn, 4)
    assert scrapes[0].read == scrapes[1].read
    for scrape, drawn in zip(scrapes, (one, other), strict=True):
        scrape.deal(drawn)
    # Further cards are there to be seen; nothing is counted for them either.
    assert scrapes[0].last() == scrapes[1].last()


@given(one=cards, other=cards)
def test_the_players_call_tells_nothing_of_the_banker(one: list[str], other: list[str]) -> None:
    other = [one[0], other[1], one[2], other[3]]
    scrapes = [Scrape("both-down") for _ in range(2)]
    for scrape, drawn in zip(scrapes, (one[:4], other), strict=True):
        scrape.deal(drawn)
        scrape.take(scrape.play.do(PLAYER))
    assert scrapes[0].read == scrapes[1].read


EVENTS = [
    SupervisorCalled(reason="exposed-card"),
    LinkLost(),
    LinkRestored(),
    SequenceGap(expected="1", got="3"),
    FrameRejected(reason="checksum", raw="00"),
    CutCardDrawn(),
    *(DeviceFault(fault=fault, active=True) for fault in ("jam", "shoe-opened", "overdraw")),
]


@face_down
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_whatever_happens_beside_them_four_uncalled_cards_stay_secret(
    dealing: Dealing, event: object
) -> None:
    """Player draws; a natural; both stand."""
    read = []
    for drawn in ("2C 3C 2D 3D", "9C 3C KD 3D", "6C 7C KD TD"):
        scrape = Scrape(dealing)
        scrape.deal(drawn.split())
        scrape.take(scrape.play.do(event))  # type: ignore[arg-type]
        read.append(scrape.read)
    assert read[0] == read[1] == read[2]


@face_down
def test_all_of_it_is_counted_once_the_cards_lie_open(dealing: Dealing) -> None:
    scrape = Scrape(dealing)
    scrape.deal(["9C", "2D", "KH", "3S"])
    assert "table_cards_total 0.0" in scrape.last()
    for call in (PLAYER, BANKER):
        scrape.take(scrape.play.do(call))
    assert {"table_cards_total 4.0", "table_commit_seconds_count 7.0"} <= set(scrape.last())
    assert 'table_results_total{winner="player"} 1.0' in scrape.last()
