"""The shoe machine: from a new pack to its last round; burn, cut card, and which cards were seen.

Rules:
1. Everything that moves the machine is in `TABLE`; the last row of a trigger in a state has no condition.
2. Every physical card is counted once, whatever becomes of it; the cut card is no card and never counted.
3. A cut card inside a round leaves that round and as many as the ruleset says; between rounds, or before a
   round's first card, the round that follows is the last.
"""

from collections import Counter, deque
from typing import Protocol

from msgspec import Struct
from transitions import EventData

from controller import facts
from controller.cards import DECK, Card
from controller.play.irregularities import Drawn
from controller.play.machine import Model, Row, build
from controller.play.shuffle_watch import ShuffleWatch
from controller.rules.ruleset import Ruleset, burn_value

STATES = ("empty", "loaded", "burning", "in_play", "ending", "last_round", "ended")
_NEW = ("loaded", "burning")
_STARTED = ("loaded", "burning", "in_play", "ending", "last_round")
_LAST = ("count_cut", "announce_end", "call_last")

TABLE: tuple[Row, ...] = (
    Row("loaded", ("empty", "ended"), "loaded", (), ("forget_all", "start")),
    # nobody loaded it: it is what the first card, or the first round, comes from
    Row("met", ("empty",), "in_play", (), ("start",)),
    Row("met", tuple(s for s in STATES if s != "empty"), None),
    Row("burned", _NEW, "burning", (), ("burn",)),
    Row("burned", ("in_play", "ending", "last_round", "ended"), None, (), ("burn",)),
    Row("opened", _NEW, "in_play", (), ("count_round", "check_burn")),
    Row("opened", ("in_play",), None, (), ("count_round",)),
    Row("opened", ("ending",), "last_round", ("none_after_this",), ("count_round", "call_last")),
    Row("opened", ("ending",), None, (), ("count_round",)),
    Row("opened", ("last_round", "ended"), None, (), ("raise past-last-round",)),
    # the round opened last had no card, and the one before it goes on
    Row("withdrawn", ("last_round",), "ending", (), ("give_round_back",)),
    Row("withdrawn", tuple(s for s in STATES if s != "last_round"), None, (), ("give_round_back",)),
    # the last round had been closed, and goes on
    Row("resumed", ("ended",), "last_round"),
    Row("resumed", tuple(s for s in STATES if s != "ended"), None),
    Row("cut", _NEW, "ending", ("no_burn",), ("count_cut", "announce_end")),
    Row("cut", _NEW, None, ("cut_card_left",), ("misplace", "raise cut-card-misplaced")),
    Row("cut", _NEW, None, (), ("misplace", "raise cut-card-repeated")),
    Row("cut", ("in_play",), "last_round", ("present_round_is_last", "cut_card_left"), _LAST),
    Row("cut", ("in_play",), "last_round", ("present_round_is_last",), (*_LAST, "raise cut-card-repeated")),
    Row("cut", ("in_play",), "ending", ("cut_card_left",), ("count_cut", "announce_end")),
    Row("cut", ("in_play",), "ending", (), ("count_cut", "announce_end", "raise cut-card-repeated")),
    Row("cut", ("ending", "last_round", "ended"), None, ("cut_card_left",), ("count_cut",)),
    Row("cut", ("ending", "last_round", "ended"), None, (), ("count_cut", "raise cut-card-repeated")),
    Row("closed", ("last_round",), "ended", (), ("end",)),
    Row("closed", ("empty", "loaded", "burning", "in_play", "ending", "ended"), None),
    Row("taken_out", _STARTED, "ended", (), ("end",)),
    Row("taken_out", ("ended",), None, (), ("check_remaining",)),
    Row("taken_out", ("empty",), None),
)


class Loaded(Struct, frozen=True, kw_only=True):
    """A pack of which no card is out. `dealt`: what the shoes before it dealt, a list each."""

    number: int
    decks: int | None
    pack: str | None
    burn_expected: bool
    dealt: list[list[Card | None]]


class Context(Protocol):
    """What a shoe must know of its table, and whom it tells."""

    @property
    def ruleset(self) -> Ruleset: ...

    @property
    def decks(self) -> int: ...

    @property
    def continuous(self) -> bool:
        """Cards go back during play."""

    def in_round(self) -> bool:
        """From a round's first card to its decision."""

    def round_open(self) -> bool:
        """A round is open, and none of its cards is out yet."""

    def emit(self, fact: facts.Fact) -> None:
        """Conclude a fact."""

    def irregular(self, code: str, drawn: Drawn | None = None, *, detail: str = "") -> None:
        """Raise an irregularity."""


class Shoe(Model):
    """The present shoe of a table. `decks` None: nobody said how many were loaded."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.number = 0
        #: why the pack cannot have been shuffled, not raised yet
        self.suspicion: str | None = None
        self._suspected = False
        #: the orders of the last shoes; many houses use two packs in turn
        self._dealt: deque[list[Card | None]] = deque(maxlen=2)
        self._shuffle = ShuffleWatch(context.decks)
        self._forget()
        build(self, STATES, "empty", TABLE)

    def _forget(self) -> None:
        self.decks: int | None = None
        self.pack: str | None = None
        self.seen: Counter[Card] = Counter()
        self.cards_seen = 0
        self.first_drawn = False
        self.first: Card | None = None
        self.burned_cards = 0
        #: a pack was loaded here, so its burn can be checked
        self.burn_expected = False
        self.rounds = 0
        self.cut_cards = 0
        #: rounds that may still be opened; None: the cut card has not come
        self.rounds_left: int | None = None
        self.miscounted = False

    def new_pack(self) -> Loaded | None:
        """The pack that was just loaded; None once a card, or a round, was seen of it."""
        if self.phase != "loaded" or self.cards_seen or self.cut_cards:
            return None
        return Loaded(
            number=self.number,
            decks=self.decks,
            pack=self.pack,
            burn_expected=self.burn_expected,
            dealt=[list(order) for order in self._dealt],
        )

    def put_in(self, pack: Loaded) -> None:
        """A new shoe begins with this pack; nothing is concluded from it."""
        self.number, self.decks, self.pack = pack.number, pack.decks, pack.pack
        self.burn_expected = pack.burn_expected
        self._dealt.extend(list(order) for order in pack.dealt)
        self._begin_watch()
        self.phase = "loaded"

    # -- counting --------------------------------------------------------------------------------------

    @property
    def cards_left(self) -> int | None:
        """Cards that the shoe still holds; None: nobody said what was loaded."""
        return None if self.decks is None else self.decks * len(DECK) - self.cards_seen

    @property
    def copies(self) -> int:
        """How many of each card the pack holds."""
        return self.decks or self.context.decks

    def see(self, card: Card | None) -> bool:
        """Count a card; True when the pack cannot hold so many of it."""
        self.cards_seen += 1
        if card is None:
            return False
        self.seen[card] += 1
        return self.seen[card] > self.copies and not self.context.continuous

    def watch(self, card: Card | None) -> None:
        """Whether this card still leaves it possible that the pack was shuffled."""
        reason = self._shuffle.see(card)
        if reason and not self._suspected:
            self.suspicion, self._suspected = reason, True

    def forget(self, card: Card | None) -> None:
        """Take a reading back: the card was another one."""
        self.cards_seen -= 1
        if card is not None:
            self.seen[card] -= 1

    def give_round_back(self, _: EventData) -> None:
        if self.rounds_left is not None:
            self.rounds_left += 1

    def may_open(self) -> bool:
        """The shoe has a round left."""
        return self.phase not in ("last_round", "ended")

    @property
    def burning(self) -> bool:
        """A new pack is in the shoe and no round was opened yet."""
        return self.phase in _NEW

    def burn_due(self) -> int | None:
        """Cards still to be burned, the first one included; None: no burn, or its size is not known."""
        policy = self.context.ruleset.burn
        if policy.policy == "none":
            return None
        if policy.policy == "fixed":
            return (policy.count or 0) - self.burned_cards
        if not self.first_drawn:
            return 1
        return None if self.first is None else burn_value(self.first) - self.burned_cards

    # -- guards ----------------------------------------------------------------------------------------

    def no_burn(self, _: EventData) -> bool:
        return self.context.ruleset.burn.policy == "none"

    def cut_card_left(self, _: EventData) -> bool:
        return self.cut_cards < self.context.ruleset.cut_cards

    def present_round_is_last(self, _: EventData) -> bool:
        if self.context.round_open():
            return True
        return self.context.in_round() and self.context.ruleset.rounds_after_cut_card == 0

    def none_after_this(self, _: EventData) -> bool:
        return self.rounds_left == 1

    # -- actions ---------------------------------------------------------------------------------------

    def irregular(self, code: str, event: EventData) -> None:
        self.context.irregular(code)

    def forget_all(self, _: EventData) -> None:
        self._forget()

    def start(self, event: EventData) -> None:
        self.number += 1
        self.decks = event.kwargs.get("decks")
        self.pack = event.kwargs.get("pack")
        self.burn_expected = event.kwargs.get("burn_expected", False)
        self._dealt.append(self._shuffle.order)
        self._begin_watch()
        self.suspicion, self._suspected = None, False
        self.context.emit(
            facts.ShoeStarted(shoe=self.number, decks=self.decks or self.context.decks, pack=self.pack)
        )

    def _begin_watch(self) -> None:
        self._shuffle = ShuffleWatch(self.copies, [card for order in self._dealt for card in order])

    def burn(self, event: EventData) -> None:
        card: Card | None = event.kwargs["card"]
        if event.kwargs["first"] and self.context.ruleset.burn.policy == "first-card":
            self.first_drawn, self.first = True, card
        else:
            self.burned_cards += 1
        self.context.emit(facts.CardBurned(card=card))

    def count_round(self, _: EventData) -> None:
        self.rounds += 1
        if self.rounds_left is not None:
            self.rounds_left -= 1

    def check_burn(self, _: EventData) -> None:
        policy = self.context.ruleset.burn.policy
        drawn = self.first_drawn or self.burned_cards > 0
        if policy == "none" or not self.burn_expected:
            return
        if not drawn:
            self.context.irregular("not-burned")
        elif policy == "first-card" and not self.first_drawn:
            self.context.irregular("burn-mismatch", detail="cards were burned before a first one was shown")
        elif due := self.burn_due():
            wanted = self.burned_cards + due
            counted = f"{self.burned_cards} cards were burned, and {wanted} had to be"
            self.context.irregular("burn-mismatch", detail=counted)

    def count_cut(self, _: EventData) -> None:
        self.cut_cards += 1
        if self.rounds_left is None:
            if self.context.round_open():
                self.rounds_left = 0
            else:
                inside = self.context.in_round()
                self.rounds_left = self.context.ruleset.rounds_after_cut_card if inside else 1

    def misplace(self, _: EventData) -> None:
        # It lay among the first cards, so it says nothing about the end of the shoe.
        self.cut_cards += 1

    def announce_end(self, _: EventData) -> None:
        assert self.rounds_left is not None
        self.context.emit(
            facts.ShoeEnding(shoe=self.number, cards_seen=self.cards_seen, rounds_left=self.rounds_left)
        )

    def call_last(self, _: EventData) -> None:
        self.context.emit(facts.LastRoundCalled(shoe=self.number, round=self.rounds))

    def end(self, event: EventData) -> None:
        remaining: int | None = event.kwargs.get("remaining")
        left = self.cards_left if remaining is None else remaining
        if self.cut_cards == 0 and left is not None and left < CARDS_OF_A_ROUND:
            self.context.irregular("cut-card-missing")
        self.check_remaining(event)
        self.context.emit(facts.ShoeEnded(shoe=self.number, rounds=self.rounds, cards_seen=self.cards_seen))

    def check_remaining(self, event: EventData) -> None:
        """Cards seen and cards counted in the shoe must add up to what was loaded."""
        remaining: int | None = event.kwargs.get("remaining")
        if remaining is not None and self.cards_left not in (None, remaining):
            self._miscount(f"{self.cards_seen} cards were seen and {remaining} are left")

    def check_count(self) -> None:
        """More cards were seen than a pack has."""
        if self.cards_seen > self.copies * len(DECK):
            self._miscount(f"{self.cards_seen} cards were seen")

    def _miscount(self, counted: str) -> None:
        if not self.miscounted:
            self.miscounted = True
            loaded = self.copies * len(DECK)
            self.context.irregular("count-mismatch", detail=f"{counted}, and {loaded} were loaded")


#: The most that one round can need (13:69F-7.9).
CARDS_OF_A_ROUND = 6
