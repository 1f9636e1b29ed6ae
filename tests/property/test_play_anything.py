"""Arbitrary observations and orders, legal or not: the table never fails, never contradicts the cards, never
lets go of a held round by itself, and does the same again when the same is told again.
"""

from collections import Counter
from typing import Any

import msgspec
from felt import RULES
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from snapshot import freeze

from controller import facts
from controller import observations as seen
from controller.cards import DECK, HANDS, Card
from controller.orders import ORDER_FIELDS, Event, Order
from controller.play.house import House
from controller.play.irregularities import CODES
from controller.play.legal import claim
from controller.play.reports import SHOE_FAULTS
from controller.play.resting import Resting, resting, resumed
from controller.play.round import DUE
from controller.play.table import Table
from controller.rules.drawing import due
from controller.rules.outcome import Result, judge

#: few, so that a card comes more often than the pack holds it
POOL = ("2C", "9D", "3H", "7S", "KC", "9S", "AD", "5H")
cards = st.sampled_from(POOL) | st.sampled_from(DECK)
hands = st.sampled_from(HANDS)
indexes = st.integers(1, 3)
names = st.sampled_from([None, None, "shoe", "shuffler", "sign"])
FAULTS = (*SHOE_FAULTS, "order-disclosed", "code-9")
results = st.builds(
    seen.DeviceResult,
    winner=st.sampled_from(["player", "banker", "tie", None]),
    player_pair=st.booleans(),
    banker_pair=st.booleans(),
    forced_quit=st.integers(0, 5).map(lambda n: n == 0),
)
any_card = st.builds(
    seen.CardDrawn,
    card=cards | st.none(),
    slot=st.sampled_from([None, None, "player", "banker", "burn", "first", "burn_count"]),
    index=st.none() | indexes,
    mode=st.sampled_from([None] * 6 + ["lock", "error", "setting"]),
)
device = st.one_of(
    st.builds(seen.DeviceFault, fault=st.sampled_from(FAULTS), active=st.booleans(), device=names),
    st.builds(seen.LinkLost, device=names, at=st.none() | st.floats(0, 100)),
    st.builds(seen.LinkRestored, device=names, at=st.none() | st.floats(0, 100)),
    st.builds(seen.DeviceStarted, device=names),
    st.builds(seen.SequenceGap, expected=st.just("1"), got=st.just("3")),
    st.builds(seen.CardCarried, card=cards, slot=hands, index=indexes),
    st.builds(seen.ShoeLoaded, decks=st.sampled_from([1, 8])),
    st.just(seen.CutCardDrawn()),
    st.just(seen.DeviceStandby()),
    st.just(seen.ServiceStarted(version="1")),
    st.builds(
        seen.TimerExpired, timer=st.just("card-overdue"), round=st.integers(1, 3), hand=hands, index=indexes
    ),
    st.just(seen.SupervisorCalled(reason="other")),
)
wagers = st.one_of(
    st.builds(
        seen.WagerPlaced,
        seat=st.integers(1, 8),
        wager=st.sampled_from(["player", "banker", "tie", "cards_4", "super_6"]),
        amount=st.just("25"),
    ),
    st.builds(seen.WagerRemoved, seat=st.integers(1, 8), wager=st.just("player")),
    st.builds(seen.VigorishCollected, seat=st.integers(1, 8), amount=st.just("5")),
    st.just(seen.WagersPaid()),
)
announcements = st.sampled_from([seen.BetsOpened(), seen.BetsClosed(), seen.ResultConfirmed()])
stated = st.lists(cards, max_size=3)
fields: dict[str, st.SearchStrategy[Any]] = {
    "to": hands,
    "card": cards,
    "hand": hands,
    "index": indexes,
    "player": stated,
    "banker": stated,
    "decks": st.sampled_from([1, 8]),
}


@st.composite
def orders(draw: st.DrawFn, names: tuple[str, ...] = tuple(ORDER_FIELDS), last_id: int = 3) -> Order:
    name = draw(st.sampled_from(names))
    must = {field: draw(fields[field]) for field in ORDER_FIELDS[name][0]}  # type: ignore[index]
    if name == "end_shoe":
        must["remaining"] = draw(st.none() | st.integers(0, 60))
    number = draw(st.none() | st.none() | st.integers(1, last_id + 1))
    return Order(order=name, by="ann", irregularity=number, **must)  # type: ignore[arg-type]


LAYOUT = facts.WagerRefused | facts.VigorishOwed
#: what may still be concluded while a round is held
OF_A_HOLD = facts.ShoeStarted | facts.ShoeEnding | facts.LastRoundCalled | LAYOUT


class AnyTable(RuleBasedStateMachine):
    """`events` and what they gave; `shown`: the hands of each round as the facts tell them."""

    @initialize(
        boundaries=st.sampled_from(["announced", "device", "first_card"]), decks=st.sampled_from([1, 2, 8])
    )
    def begin(self, boundaries: Any, decks: int) -> None:
        self.house = House(RULES, decks, boundaries)
        self.table = Table(self.house)
        self.events: list[Event] = []
        self.told: list[list[facts.Fact]] = []
        self.shown: dict[tuple[int, str], list[Card]] = {}
        self.burned: Counter[Card] = Counter()
        self.opened = 0

    # -- what happens ----------------------------------------------------------------------------------

    @rule(event=any_card)
    def a_card(self, event: Event) -> None:
        self.tell(event)

    @precondition(lambda self: self.table.round.due)
    @rule(card=cards, named=st.booleans(), more=st.integers(0, 5))
    def the_card_that_is_due(self, card: Card, named: bool, more: int) -> None:
        for _ in range(1 + more):
            hand = self.table.round.due
            if hand is None:
                return
            index = len(self.table.round.coup.hands[hand]) + 1
            where: dict[str, Any] = {"slot": hand, "index": index} if named else {}
            self.tell(seen.CardDrawn(card=card, **where))
            card = POOL[(POOL.index(card) + 1) % len(POOL)] if card in POOL else "KC"

    @rule(event=announcements)
    def an_announcement(self, event: Event) -> None:
        self.tell(event)

    @rule()
    def bets(self) -> None:
        self.tell(seen.BetsOpened())
        self.tell(seen.BetsClosed())

    @rule(event=results, right=st.booleans())
    def a_result(self, event: seen.DeviceResult, right: bool) -> None:
        coup = self.table.round.coup
        if right and coup.due(self.table.draw) is None and coup.dealt:
            event = claim(judge(coup.hands["player"], coup.hands["banker"]))
        self.tell(event)

    @rule(event=device | wagers)
    def something_else(self, event: Event) -> None:
        self.tell(event)

    @rule(order=orders())
    def any_order(self, order: Order) -> None:
        self.tell(order)

    @precondition(lambda self: self.table.hold)
    @rule(data=st.data())
    def an_order_that_is_offered(self, data: st.DataObject) -> None:
        hold = self.table.hold
        assert hold is not None
        order = data.draw(orders(CODES[hold.code].orders))
        due_now = self.table.round.due
        coup = self.table.round.coup
        changed: dict[str, Any] = {"irregularity": None}
        if order.order == "move_card" and due_now:
            changed["to"] = due_now
        if order.order == "resynchronise" and data.draw(st.booleans()):
            changed |= {"player": list(coup.hands["player"]), "banker": list(coup.hands["banker"])}
        self.tell(msgspec.structs.replace(order, **changed))

    @precondition(lambda self: self.table.round.coup.dealt)
    @rule(data=st.data(), card=cards)
    def a_correction(self, data: st.DataObject, card: Card) -> None:
        hand = data.draw(hands)
        count = len(self.table.round.coup.hands[hand])
        index = data.draw(st.integers(1, max(1, count)))
        self.tell(Order(order="correct_card", by="ann", hand=hand, index=index, card=card))  # type: ignore[arg-type]

    # -- and what must hold ----------------------------------------------------------------------------

    def tell(self, event: Event) -> None:
        table = self.table
        hold, blocked, phase, last = table.hold, table.blocked(), table.round.phase, table.last_id
        before = freeze(table)
        told = table.apply(event)
        self.events.append(event)
        self.told.append(told)
        if hold is not None and not isinstance(event, Order):
            assert table.hold is hold, "it got out of a hold by itself"
            assert table.round.phase == phase
            assert all(isinstance(fact, OF_A_HOLD) for fact in told)
        if hold is not None and table.hold is not hold:
            assert [f.id for f in told if isinstance(f, facts.IrregularityResolved)][:1] == [hold.id]
        if blocked and not isinstance(event, Order):
            assert not any(isinstance(f, facts.RoundOpened) for f in told)
        if any(isinstance(f, facts.OrderRefused) for f in told):
            assert len(told) == 1
            assert freeze(table) == before, "a refused order changed something"
        ids = [f.id for f in told if isinstance(f, facts.IrregularityRaised)]
        assert ids == list(range(last + 1, last + 1 + len(ids)))
        for fact in told:
            self.check(fact)
        if rest := resting(table):
            carried = msgspec.json.decode(msgspec.json.encode(rest), type=Resting)
            assert freeze(resumed(self.house, carried)) == freeze(table), "something was not carried over"

    def check(self, fact: facts.Fact) -> None:
        match fact:
            case facts.ShoeStarted():
                self.shown, self.burned, self.opened = {}, Counter(), 0
            case facts.CardBurned(card=str()):
                self.burned[str(fact.card)] += 1
            case facts.RoundOpened():
                assert fact.round > self.opened, "a round's number came twice"
                self.opened = fact.round
            case facts.CardDealt():
                hand = self.shown.setdefault((fact.round, fact.hand), [])
                assert fact.index <= len(hand) + 1, "a card was skipped"
                hand[fact.index - 1 : fact.index] = [fact.card]
            case facts.CardRemoved():
                hand = self.shown[fact.round, fact.hand]
                assert (len(hand), hand.pop()) == (fact.index, fact.card)
            case facts.RoundDecided():
                lie = [fact.player_cards, fact.banker_cards]
                result = {name: getattr(fact, name) for name in Result.__struct_fields__}
                assert Result(**result) == judge(*lie)
                assert due(*lie).hand is None
                for hand, lying in zip(HANDS, lie, strict=True):
                    assert self.shown[fact.round, hand] == lying
            case facts.IrregularityRaised(severity="stop"):
                gone = fact.id not in self.table.open
                assert gone or (self.table.hold is not None and self.table.hold.id == fact.id)

    @invariant()
    def the_phase_is_that_of_the_cards(self) -> None:
        if not hasattr(self, "table"):
            return
        phase, coup = self.table.round.phase, self.table.round.coup
        if phase in (*DUE, "decided", "confirmed") and not coup.voided:
            assert coup.stands(self.table.draw) == phase
        for hand, lie in coup.hands.items():
            assert self.shown.get((coup.number, hand), []) == lie

    @invariant()
    def every_card_lies_in_one_place_and_was_counted(self) -> None:
        if not hasattr(self, "table"):
            return
        table = self.table
        shoe, hold = table.shoe, table.hold
        lie = Counter(table.round.coup.dealt) + self.burned
        lie += Counter(table.round.before.dealt if table.round.before else [])
        loose = [drawn for _, drawn in table.surplus] + ([table.carried] if table.carried else [])
        if hold and hold.drawn and not (hold.code == "card-conflict" and hold.drawn.slot is None):
            loose.append(hold.drawn.read)
        lie += Counter(drawn.card for drawn in loose if drawn.card)
        assert lie - shoe.seen == Counter(), "a card lies in two places"
        assert all(count >= 0 for count in shoe.seen.values())
        assert shoe.cards_seen >= shoe.seen.total()

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        again = Table(self.house)
        recorded = [msgspec.json.encode(event) for event in self.events]
        replayed = [again.apply(msgspec.json.decode(line, type=Event)) for line in recorded]  # type: ignore[arg-type]
        assert replayed == self.told
        assert freeze(again) == freeze(self.table)
        for told in self.told:
            for fact in told:
                assert msgspec.json.decode(msgspec.json.encode(fact), type=facts.AnyFact) == fact  # type: ignore[arg-type]


TestAnyTable = AnyTable.TestCase
TestAnyTable.settings = settings(max_examples=60, stateful_step_count=60)
