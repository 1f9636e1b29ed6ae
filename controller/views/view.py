"""What a page shows of one table: a fold of what its audience has been told, and nothing else.

A view is rebuilt by replaying the journalled items from the start of the shoe.
"""

from functools import lru_cache
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field, structs

from controller import facts
from controller.cards import HANDS, Card, Hand, Outcome
from controller.roads import Roads, Round, Tail, draw
from controller.rules.drawing import POINTS, total
from controller.rules.terms import Dealing
from controller.views.disclosure import Audience, CardFaceDown, DeviceState, Disclosure, Item, PleaseWait
from controller.views.floor import Due, Floor, FloorState, House, Standing

RoundPhase = Literal["idle", "betting", "dealing", "decided", "confirmed", "void"]
ShoePhase = Literal["none", "burning", "in_play", "ending", "last_round", "ended"]


class Limit(Struct, frozen=True, kw_only=True):
    """The least and the most that may be placed on a wager."""

    wager: str
    min: int
    max: int


class TableInfo(Struct, frozen=True, kw_only=True):
    """What the configuration says of the table. `announced`: a result counts once it is confirmed.

    `limits`: as the board shows them. `footer`: its last line; null: the language's own. `house`: for dealer
    and pit.
    """

    id: str
    name: str
    language: str = "en"
    dealing: Dealing = "face-up"
    announced: bool = True
    tail: Tail = "redrop"
    limits: tuple[Limit, ...] = ()
    footer: str | None = None
    house: House | UnsetType = UNSET


class HandView(Struct, frozen=True):
    """`cards`: null lies face down. `total`: null while a card does, or there is none."""

    cards: list[Card | None]
    total: int | None


class DrawView(Struct, frozen=True, kw_only=True):
    """Whose card is due and what that follows from: the counts on two cards, the value of Player's third."""

    hand: Hand
    citation: str
    player_total: int
    banker_total: int
    third: int | None


class ResultView(Struct, frozen=True, kw_only=True):
    """`margin`: by how many points the winner is ahead."""

    winner: Outcome
    margin: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    dragon_7: bool
    panda_8: bool
    corrected: bool


class ShoeView(Struct, frozen=True, kw_only=True):
    """`rounds_left`: after the cut card, how many may follow the present one."""

    number: int | None
    phase: ShoePhase
    rounds_left: int | None


class RoundView(Struct, frozen=True, kw_only=True):
    number: int | None
    phase: RoundPhase


class TableState(Struct, frozen=True, kw_only=True):
    """`seq`: the last journal number told to the audience. `roads`: absent where they are as before.

    `floor`: absent for the board.
    """

    seq: int
    table: TableInfo
    shoe: ShoeView
    round: RoundView
    player: HandView
    banker: HandView
    draw: DrawView | None
    result: ResultView | None
    wait: bool
    irregularities: list[facts.IrregularityRaised]
    devices: dict[str, DeviceState]
    roads: Roads | UnsetType = UNSET
    floor: FloorState | UnsetType = UNSET


class _Record(Struct):
    """A round of the present shoe."""

    number: int
    bets_closed: bool = False
    cards: dict[Hand, list[Card | None]] = field(default_factory=lambda: {"player": [], "banker": []})
    draw: facts.DrawCalled | None = None
    decided: facts.RoundDecided | None = None
    confirmed: bool = False
    void: bool = False

    @property
    def phase(self) -> RoundPhase:
        if self.void:
            return "void"
        if self.decided is not None:
            return "confirmed" if self.confirmed else "decided"
        return "dealing" if self.bets_closed else "betting"

    def fold(self, fact: facts.Fact) -> None:
        """What is said of this round."""
        match fact:
            case facts.BetsClosed():
                self.bets_closed = True
            case facts.CardDealt() | CardFaceDown():
                cards = self.cards[fact.hand]
                cards.extend([None] * (fact.index - len(cards)))
                cards[fact.index - 1] = fact.card
                if self.draw and self.draw.hand == fact.hand:
                    self.draw = None
            case facts.CardRemoved():
                self.decided = None
                del self.cards[fact.hand][fact.index - 1 :]
            case facts.DrawCalled():
                self.draw = fact
                if fact.hand is not None:
                    # A correction may take a decision, and the card due, back.
                    self.decided, self.confirmed = None, False
                    del self.cards[fact.hand][2:]
            case facts.RoundDecided():
                self.decided, self.draw = fact, None
                self.cards = {"player": [*fact.player_cards], "banker": [*fact.banker_cards]}
            case facts.RoundConfirmed():
                self.confirmed = True
            case facts.RoundVoided():
                self.void = True
            case facts.RoundReinstated():
                self.void = False


class TableView:
    """One audience's view: take in every journalled item with its number, in order."""

    def __init__(self, table: TableInfo, audience: Audience) -> None:
        self.table = table if audience != "board" else structs.replace(table, house=UNSET)
        self.seq = 0
        #: how often the state has changed
        self.changes = 0
        self._floor = Floor(self.table.house) if isinstance(self.table.house, House) else None
        self._disclosure = Disclosure(audience, table.dealing)
        self._shoe = ShoeView(number=None, phase="none", rounds_left=None)
        self._rounds: dict[int, _Record] = {}
        self._present = _Record(0)
        self._roads: Roads | None = None
        self._wait = False
        self._irregularities: dict[int, facts.IrregularityRaised] = {}
        self._devices: dict[str, DeviceState] = {}

    def see(self, seq: int, item: Item) -> list[facts.Fact]:
        """Fold the item; what the audience is told by it."""
        told = self._disclosure.see(item)
        for fact in told:
            self._fold(fact)
        self.changes += len(told)
        if self._floor is not None:
            before = self._floor.changes
            self._floor.see(item, told)
            self.changes += self._floor.changes - before
        if self._disclosure.complete:
            self.seq = seq
        return told

    def state(self, with_roads: bool = True) -> TableState:
        """The whole state, or all but the roads."""
        now = self._present
        return TableState(
            seq=self.seq,
            table=self.table,
            shoe=self._shoe,
            round=RoundView(number=now.number or None, phase=now.phase if now.number else "idle"),
            player=_hand(now.cards["player"]),
            banker=_hand(now.cards["banker"]),
            draw=_due(now),
            result=_result(now.decided) if now.decided else None,
            wait=self._wait,
            irregularities=list(self._irregularities.values()),
            devices=self._devices,
            roads=self.roads() if with_roads else UNSET,
            floor=UNSET if self._floor is None else self._floor.state(self._next(), self._changeable()),
        )

    def roads(self) -> Roads:
        """The roads of the present shoe."""
        if self._roads is None:
            results = [
                r.decided
                for r in self._rounds.values()
                if r.decided and not r.void and (r.confirmed or not self.table.announced)
            ]
            self._roads = _drawn(tuple(map(_road_round, results)), self.table.tail)
        return self._roads

    def _next(self) -> Due | None:
        """The slot that the next card is for; null also where only face-down cards could tell."""
        now = self._present
        if now.phase == "dealing":
            if now.draw is not None and now.draw.hand is not None:
                return Due(now.draw.hand, 3)
            dealt = sum(len(cards) for cards in now.cards.values())
            return Due(HANDS[dealt % 2], dealt // 2 + 1) if dealt < 4 else None
        between = now.phase in ("confirmed", "void") or now.number == 0
        return (
            Due("player", 1) if between and not self.table.announced and self._shoe.phase != "ended" else None
        )

    def _changeable(self) -> list[Standing]:
        """The present round, and until its first card the one before."""
        present = self._present
        rounds = [present] if any(present.cards.values()) else [self._rounds.get(present.number - 1)]
        return [
            Standing(
                round=record.number,
                player=list(record.cards["player"]),
                banker=list(record.cards["banker"]),
                void=record.void,
                confirmed=record.confirmed,
            )
            for record in rounds
            if record is not None and any(record.cards.values())
        ]

    def _fold(self, fact: facts.Fact) -> None:
        match fact:
            case PleaseWait():
                self._wait = fact.wait
            case DeviceState():
                self._devices = {**self._devices, fact.device: fact}
            case facts.IrregularityRaised():
                self._irregularities[fact.id] = fact
            case facts.IrregularityResolved():
                self._irregularities.pop(fact.id, None)
            case facts.ShoeStarted():
                self._shoe = ShoeView(number=fact.shoe, phase="burning", rounds_left=None)
                self._rounds, self._present, self._roads = {}, _Record(0), None
            case facts.ShoeEnding():
                self._shoe = ShoeView(number=fact.shoe, phase="ending", rounds_left=fact.rounds_left)
            case facts.LastRoundCalled():
                self._shoe = ShoeView(number=fact.shoe, phase="last_round", rounds_left=0)
            case facts.ShoeEnded():
                self._shoe = ShoeView(number=fact.shoe, phase="ended", rounds_left=None)
            case facts.RoundOpened():
                self._present = self._rounds[fact.round] = _Record(fact.round)
                if self._shoe.phase in ("none", "burning"):
                    self._shoe = structs.replace(self._shoe, phase="in_play")
            case _:
                self._fold_round(fact)

    def _fold_round(self, fact: facts.Fact) -> None:
        record = self._rounds.get(getattr(fact, "round", 0))
        if record is None:
            return
        before = (record.decided, record.confirmed, record.void)
        record.fold(fact)
        if (record.decided, record.confirmed, record.void) != before:
            self._roads = None
        if isinstance(fact, facts.DrawCalled | facts.RoundReinstated) and not record.decided:
            # It goes on, although the next one may have been open for betting.
            self._present = record


#: Every audience sees the same roads, so they are drawn for the first and kept for the others.
_drawn = lru_cache(maxsize=2)(draw)


def _hand(cards: list[Card | None]) -> HandView:
    known = [card for card in cards if card is not None]
    return HandView(list(cards), total(known) if known and len(known) == len(cards) else None)


def _due(record: _Record) -> DrawView | None:
    called = record.draw
    if called is None or called.hand is None or record.void:
        return None
    # Two cards of each hand lie open whenever a draw is called.
    player, banker = ([card for card in record.cards[hand] if card] for hand in HANDS)
    return DrawView(
        hand=called.hand,
        citation=called.citation,
        player_total=total(player[:2]),
        banker_total=total(banker[:2]),
        third=POINTS[player[2]] if len(player) > 2 else None,
    )


def _result(fact: facts.RoundDecided) -> ResultView:
    return ResultView(
        winner=fact.winner,
        margin=abs(fact.player_total - fact.banker_total),
        natural=fact.natural,
        player_pair=fact.player_pair,
        banker_pair=fact.banker_pair,
        dragon_7=fact.dragon_7,
        panda_8=fact.panda_8,
        corrected=fact.corrected,
    )


def _road_round(fact: facts.RoundDecided) -> Round:
    return Round(
        outcome=fact.winner,
        banker_pair=fact.banker_pair,
        player_pair=fact.player_pair,
        natural=fact.natural,
    )
