"""The round machine: where one round stands, and which observation is out of place.

Rules:
1. A state names what comes next: in `player_1` Player's first card is due, in `decided` nothing more is.
2. Everything that moves the machine is in `TABLE`. The last row of a trigger in a state has no condition.
3. Where an observation has no place, that last row raises an irregularity; where it says nothing about this
   round (a result before the first card, an announcement given twice), it is ignored.
4. Actions change this round's data and tell the table what was concluded. They fire no trigger: what must
   follow is left as `follow_up`.
5. Remedies are ordinary triggers: `opened`, `bets_ended`, `placed`, `closed`, `voided`, `withdrawn`,
   `derived`, `cleared`.
"""

from collections.abc import Iterable
from typing import Protocol

from transitions import EventData

from controller import facts
from controller.cards import HANDS, Card, Hand
from controller.observations import DeviceResult
from controller.play.boundaries import Boundaries as Boundaries
from controller.play.coup import Coup, claimed
from controller.play.irregularities import Drawn
from controller.play.machine import Model, Row, build
from controller.rules.drawing import DrawTable, due

OPEN = ("idle", "confirmed", "void")
DUE = ("player_1", "banker_1", "player_2", "banker_2", "player_3", "banker_3")
STATES = ("idle", "betting", *DUE, "decided", "confirmed", "void")
#: From a round's first card to its decision.
DEALING = DUE[1:]
#: Where a result that comes late is about the last finished round.
LATE = ("confirmed", "betting", "player_1")


def _dealing_rows() -> Iterable[Row]:
    """Each due card goes to its hand; after the fourth the rules say what follows."""
    for state, following in zip(DUE, (*DUE[1:], "decided"), strict=True):
        if state in ("banker_2", "player_3"):
            for hand in HANDS if state == "banker_2" else ("banker",):
                yield Row("placed", (state,), f"{hand}_3", (f"then={hand}",), ("deal", "call"))
            yield Row("placed", (state,), "decided", (), ("deal", "call", "decide"))
        elif following == "decided":
            yield Row("placed", (state,), following, (), ("deal", "call", "decide"))
        else:
            yield Row("placed", (state,), following, (), ("deal",))


TABLE: tuple[Row, ...] = (
    # -- "place your bets" -----------------------------------------------------------------------------
    Row("bets_opened", STATES, None, ("not announced",)),
    Row("bets_opened", OPEN, "betting", ("may_open",), ("open",)),
    Row("bets_opened", OPEN, None, ("blocked",)),
    Row("bets_opened", OPEN, None, (), ("raise past-last-round",)),
    Row("bets_opened", ("betting",), None),
    Row("bets_opened", ("decided",), "confirmed", (), ("close", "again")),
    Row("bets_opened", DUE, None, (), ("raise underdraw",)),
    # -- "no more bets" --------------------------------------------------------------------------------
    Row("bets_closed", STATES, None, ("not announced",)),
    Row("bets_closed", ("betting",), "banker_1", ("carrying",), ("no_more_bets", "deal_carried")),
    Row("bets_closed", ("betting",), "player_1", (), ("no_more_bets",)),
    Row("bets_closed", OPEN, "betting", ("may_open",), ("open", "again")),
    Row("bets_closed", OPEN, None, ("blocked",)),
    Row("bets_closed", OPEN, None, (), ("raise past-last-round",)),
    Row("bets_closed", (*DUE, "decided"), None),
    # -- a card leaves the shoe ------------------------------------------------------------------------
    Row("card", DUE, None, ("sound", "fits"), ("place",)),  # by far the most cards
    Row("card", ("decided",), "confirmed", ("begins_next",), ("close", "again")),
    Row("card", (*DUE, "decided"), None, ("repeated",)),
    Row("card", (*DUE, "decided"), None, ("filled",), ("raise card-conflict",)),
    Row("card", ("betting",), None, (), ("raise early-card",)),
    Row("card", OPEN, None, ("outside_game",), ("raise early-card",)),
    Row("card", OPEN, None, ("announced",), ("raise early-card",)),
    Row("card", OPEN, None, ("blocked",), ("raise early-card",)),
    Row(
        "card", OPEN, "banker_1", ("may_open", "carrying"), ("open", "no_more_bets", "deal_carried", "again")
    ),
    Row("card", OPEN, "player_1", ("may_open",), ("open", "no_more_bets", "again")),
    Row("card", OPEN, None, (), ("raise past-last-round",)),
    Row("card", DUE, None, ("outside_game",), ("raise overdraw",)),
    Row("card", DUE, None, ("foreign",), ("raise foreign-card",)),  # such a report names no slot
    Row("card", DUE, None, ("fits", "unread"), ("raise unread-card",)),
    Row("card", DUE, None, ("fits", "impossible"), ("raise impossible-card",)),
    Row("card", DUE, None, (), ("raise wrong-slot",)),
    Row("card", ("decided",), None, (), ("raise overdraw",)),
    *_dealing_rows(),
    # -- the shoe's own result -------------------------------------------------------------------------
    Row("result", (*DEALING, "decided"), None, ("quit",), ("raise forced-quit",)),
    Row("result", DEALING, None, (), ("raise underdraw",)),
    Row("result", ("decided",), None, ("disagrees",), ("claim", "raise result-mismatch")),
    Row("result", ("decided",), "confirmed", ("device",), ("claim", "close")),
    Row("result", ("decided",), None, (), ("claim",)),
    Row("result", LATE, None, ("not finished",)),
    Row("result", LATE, None, ("waiting",)),  # it may be of a round that nobody saw
    Row("result", LATE, None, ("told",)),
    Row("result", LATE, None, ("quit", "unclaimed"), ("raise forced-quit",)),
    Row("result", LATE, None, ("quit",)),
    Row("result", LATE, None, ("disagrees",), ("claim", "raise result-mismatch")),
    Row("result", LATE, None, (), ("claim",)),
    Row("result", ("idle", "void"), None),
    # -- "result confirmed" ----------------------------------------------------------------------------
    Row("confirm", STATES, None, ("not announced",)),
    Row("confirm", ("decided",), "confirmed", (), ("close",)),
    Row("confirm", DUE, None, (), ("raise underdraw",)),
    Row("confirm", ("betting", *OPEN), None),
    # -- remedies --------------------------------------------------------------------------------------
    Row("opened", OPEN, "betting", (), ("open",)),
    Row("bets_ended", ("betting",), "player_1", (), ("no_more_bets",)),
    Row("closed", ("decided",), "confirmed", (), ("close",)),
    Row("closed", tuple(s for s in STATES if s != "decided"), None),
    Row("voided", STATES, "void", (), ("void",)),
    Row("withdrawn", ("betting", "player_1"), "void", (), ("withdraw",)),
    *(Row("derived", STATES, state, (f"stands={state}",)) for state in (*DUE, "confirmed")),
    Row("derived", STATES, "decided"),
    Row("cleared", STATES, "idle", (), ("forget",)),
)


class Context(Protocol):
    """What a round must know of its table, and whom it tells."""

    boundaries: Boundaries
    carried: Drawn | None
    #: why the table waits for a clean boundary
    waiting: str | None

    @property
    def draw(self) -> DrawTable: ...

    def may_open(self) -> bool:
        """Nothing blocks the next round, and the shoe has one left."""

    def blocked(self) -> bool:
        """An irregularity must be answered before another round."""

    def next_number(self) -> int:
        """The number of the round that opens now."""

    def moved(self, what: str) -> None:
        """A round was `opened`, `closed` (finished or void) or `withdrawn` (as if it had not been opened)."""

    def emit(self, fact: facts.Fact) -> None:
        """Conclude a fact."""

    def irregular(self, code: str, drawn: Drawn | None = None, *, number: int | None = None) -> None:
        """Raise an irregularity about a round; None: about none."""


class Round(Model):
    """The present round of a table; `before` is the last one with cards, until the next one's first card."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.coup = Coup()
        self.before: Coup | None = None
        self._moved: list[str] = []
        build(self, STATES, "idle", TABLE)

    def settle(self) -> None:
        moved, self._moved = self._moved, []
        for what in moved:
            self.context.moved(what)

    @property
    def due(self) -> Hand | None:
        """Whose card is due; None: nobody's."""
        if self.phase not in DUE:
            return None
        return "player" if self.phase.startswith("player") else "banker"

    @property
    def dealing(self) -> bool:
        """From the first card to the decision."""
        return self.phase in DEALING

    def renew(self, number: int) -> None:
        """A new round; the one before stays correctable."""
        if self.coup.dealt:
            self.before = self.coup
        self.coup = Coup(number)

    def recall(self) -> None:
        """The round before is the present one again."""
        assert self.before is not None
        self.coup, self.before = self.before, None

    def numbered(self, number: int) -> Coup | None:
        """The present round or the one before, by its number."""
        return next((c for c in (self.coup, self.before) if c is not None and c.number == number), None)

    @property
    def last_finished(self) -> Coup | None:
        """The round whose result can still be compared: until the next round's first card."""
        coup = self.coup if self.phase in ("decided", "confirmed") else self.before
        return coup if coup is not None and not coup.voided else None

    # -- guards ----------------------------------------------------------------------------------------

    def announced(self, _: EventData) -> bool:
        return self.context.boundaries == "announced"

    def device(self, _: EventData) -> bool:
        return self.context.boundaries == "device"

    def may_open(self, _: EventData) -> bool:
        return self.context.may_open()

    def blocked(self, _: EventData) -> bool:
        return self.context.blocked()

    def carrying(self, _: EventData) -> bool:
        carried = self.context.carried
        return carried is not None and carried.card is not None

    def lies(self, drawn: Drawn) -> Card | None:
        """The card that lies in the slot which the shoe names."""
        if drawn.mode or (drawn.slot != "player" and drawn.slot != "banker") or drawn.index is None:
            return None
        cards = self.coup.hands[drawn.slot]
        return cards[drawn.index - 1] if drawn.index <= len(cards) else None

    def filled(self, event: EventData) -> bool:
        return self.lies(event.kwargs["drawn"]) is not None

    def repeated(self, event: EventData) -> bool:
        return self.is_repeat(event.kwargs["drawn"])

    def is_repeat(self, drawn: Drawn) -> bool:
        """The same slot, the same index, the same card again: no other piece of cardboard."""
        lies = self.lies(drawn) if self.phase in (*DUE, "decided") else None
        if lies is None or self.opens_next(drawn):
            return False
        return drawn.card == lies or (
            drawn.card is None and (drawn.slot, drawn.index) in self.coup.identified
        )

    def opens_next(self, drawn: Drawn) -> bool:
        """Nothing but cards closes a round, and this one can be the next round's first."""
        by_card = self.context.boundaries == "first_card" and self.phase == "decided"
        return by_card and self.may_begin(drawn)

    def outside_game(self, event: EventData) -> bool:
        return event.kwargs["drawn"].mode is not None

    def begins_next(self, event: EventData) -> bool:
        return self.opens_next(event.kwargs["drawn"])

    def may_begin(self, drawn: Drawn) -> bool:
        """It can be a round's first: it names no slot, or Player's first card (after a carry, Banker's)."""
        if drawn.mode is not None:
            return False
        firsts = ("player", "banker") if self.context.carried else ("player",)
        return drawn.slot is None or (drawn.slot in firsts and drawn.index in (None, 1))

    def fits(self, event: EventData) -> bool:
        """The card names no slot, or the very one that is due."""
        drawn: Drawn = event.kwargs["drawn"]
        hand = self.due
        if drawn.slot is None or hand is None:
            return drawn.slot is None
        return drawn.slot == hand and drawn.index in (None, len(self.coup.hands[hand]) + 1)

    def sound(self, event: EventData) -> bool:
        """It was read, in a game, and the pack can hold it."""
        drawn: Drawn = event.kwargs["drawn"]
        plain = drawn.card is not None and drawn.mode is None
        return plain and not drawn.impossible and drawn.fault != "foreign-card"

    def unread(self, event: EventData) -> bool:
        return event.kwargs["drawn"].card is None

    def foreign(self, event: EventData) -> bool:
        return bool(event.kwargs["drawn"].fault == "foreign-card")

    def impossible(self, event: EventData) -> bool:
        return bool(event.kwargs["drawn"].impossible)

    def then(self, hand: str, event: EventData) -> bool:
        """With the card that is being placed, the next one is `hand`'s."""
        mine: Hand = "player" if event.state.name.startswith("player") else "banker"
        hands = {h: [*c, event.kwargs["card"]] if h == mine else c for h, c in self.coup.hands.items()}
        return due(hands["player"], hands["banker"], self.context.draw).hand == hand

    def quit(self, event: EventData) -> bool:
        return bool(event.kwargs["result"].forced_quit)

    def finished(self, _: EventData) -> bool:
        return self.last_finished is not None

    def waiting(self, _: EventData) -> bool:
        return self.context.waiting is not None

    def disagrees(self, event: EventData) -> bool:
        assert self.last_finished is not None
        return self.last_finished.disagrees(event.kwargs["result"])

    def unclaimed(self, _: EventData) -> bool:
        return self.last_finished is not None and self.last_finished.claim is None

    def told(self, event: EventData) -> bool:
        """The shoe said the same before."""
        return self.is_told_again(event.kwargs["result"])

    def is_told_again(self, result: DeviceResult) -> bool:
        """It is what the shoe said of the last finished round."""
        claim = self.last_finished.claim if self.last_finished else None
        return claim is not None and claimed(claim) == claimed(result)

    def stands(self, state: str, _: EventData) -> bool:
        """The hands as they lie put the round into `state`."""
        return self.coup.stands(self.context.draw) == state

    # -- actions ---------------------------------------------------------------------------------------

    def irregular(self, code: str, event: EventData) -> None:
        number = self.coup.number if self.phase not in OPEN else None
        if event.event.name == "result" and self.phase in LATE and self.last_finished:
            number = self.last_finished.number
        self.context.irregular(code, event.kwargs.get("drawn"), number=number)

    def open(self, _: EventData) -> None:
        self.renew(self.context.next_number())
        self.context.emit(facts.RoundOpened(round=self.coup.number))
        self._moved.append("opened")

    def no_more_bets(self, _: EventData) -> None:
        self.context.emit(facts.BetsClosed(round=self.coup.number))

    def place(self, event: EventData) -> None:
        self.follow_up = ("placed", {"card": event.kwargs["drawn"].card})

    def deal(self, event: EventData) -> None:
        assert event.transition is not None
        hand: Hand = "player" if event.transition.source.startswith("player") else "banker"
        self._deal(hand, event.kwargs["card"])

    def deal_carried(self, _: EventData) -> None:
        carried, self.context.carried = self.context.carried, None
        assert carried is not None and carried.card is not None
        self.coup.carried = carried.card
        self._deal("player", carried.card)

    def _deal(self, hand: Hand, card: Card) -> None:
        self.before = None
        cards = self.coup.hands[hand]
        cards.append(card)
        self.context.emit(facts.CardDealt(round=self.coup.number, hand=hand, index=len(cards), card=card))

    def call(self, _: EventData | None = None) -> None:
        """Say whose card is due, or that none is."""
        called = due(self.coup.hands["player"], self.coup.hands["banker"], self.context.draw)
        self.context.emit(
            facts.DrawCalled(round=self.coup.number, hand=called.hand, citation=called.citation)
        )

    def decide(self, _: EventData) -> None:
        self.context.emit(self.coup.decision())
        if self.coup.claim is not None:
            # The shoe gave its result before a correction made another card due.
            self.follow_up = ("result", {"result": self.coup.claim})

    def claim(self, event: EventData) -> None:
        assert self.last_finished is not None
        self.last_finished.claim = event.kwargs["result"]
        self.last_finished.accepted = False

    def close(self, _: EventData) -> None:
        self.coup.closed = True
        self.context.emit(facts.RoundConfirmed(round=self.coup.number))
        self._moved.append("closed")

    def void(self, _: EventData) -> None:
        self.coup.voided = True
        self.context.emit(facts.RoundVoided(round=self.coup.number))
        if not self.coup.closed:
            self._moved.append("closed")

    def withdraw(self, _: EventData) -> None:
        self.context.emit(facts.RoundVoided(round=self.coup.number))
        self._moved.append("withdrawn")

    def forget(self, _: EventData) -> None:
        """A new pack: no earlier round may be changed any more."""
        self.coup, self.before = Coup(), None
