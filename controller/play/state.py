"""The table as it stands: the round, the shoe and the irregularities that hold them; what handlers change."""

from controller import facts
from controller.cards import Hand
from controller.orders import Order
from controller.play.boundaries import Boundaries
from controller.play.coup import Hands
from controller.play.ear import Ear
from controller.play.house import House
from controller.play.irregularities import CODES, DRAW, Drawn, Irregularity, offered, severity
from controller.play.layout import Layout
from controller.play.packs import Packs
from controller.play.round import DEALING, OPEN, Round
from controller.play.shoe import Shoe
from controller.rules.drawing import DrawTable, due
from controller.rules.remedies import Pack, cited, left_open, propose
from controller.rules.ruleset import Ruleset
from controller.rules.situations import Reason, Situation, situation
from controller.rules.terms import Dealing


class TableState:
    """One table.

    `waiting`: why it waits for the next round's first card, or None. `hold`: what holds the round; one of
    `open`, the irregularities that nobody has answered.
    """

    ruleset: Ruleset
    decks: int
    boundaries: Boundaries
    dealing: Dealing
    seats: int
    wagers: tuple[str, ...]
    pack: Pack | None
    shuffler: bool
    continuous: bool
    sequenced: bool
    manual: bool

    def __init__(self, house: House) -> None:
        self._play_by(house)
        self.is_open = True
        self.waiting: str | None = None
        self.carried: Drawn | None = None
        self.round = Round(self)
        self.shoe = Shoe(self)
        self.layout: Layout = Layout(self)
        self.packs: Packs = Packs(self)
        self.open: dict[int, Irregularity] = {}
        self.hold: Irregularity | None = None
        #: what is to be raised when the hold is over: code, severity, round, detail
        self.withheld: list[tuple[str, facts.Severity, int | None, str]] = []
        self.last_id = 0
        #: surplus cards of a corrected round, with its number, still to be answered one by one
        self.surplus: list[tuple[int, Drawn]] = []
        #: how the last card of the burn that was not read was reported: as a `card` or as a `fault`
        self.unread_in_burn: str | None = None
        self.ear = Ear()
        self.fresh = True
        self._next_house: House | None = None
        self._facts: list[facts.Fact] = []

    def play_by(self, house: House) -> None:
        """Other rules from now on; a shoe that has begun is dealt to its end by those it began with."""
        self._next_house = house
        self._adopt_house()

    def _adopt_house(self) -> None:
        if self._next_house and self.shoe.phase in ("empty", "loaded", "ended") and self.round.phase in OPEN:
            self._play_by(self._next_house)
            self._next_house = None

    def _play_by(self, house: House) -> None:
        self.ruleset, self.decks, self.boundaries = house.ruleset, house.decks, house.boundaries
        self.dealing, self.seats = house.dealing, house.seats or house.ruleset.seats.max
        self.wagers = house.wagers or tuple(house.ruleset.wagers)
        self.pack = house.pack
        self.shuffler, self.continuous = house.shuffler, house.continuous
        self.sequenced, self.manual = house.sequenced, house.manual

    # -- what the machines ask and tell ----------------------------------------------------------------

    @property
    def draw(self) -> DrawTable:
        return self.ruleset.draw

    def blocked(self) -> bool:
        return not self.is_open or any(i.severity == "block" for i in self.open.values())

    def may_open(self) -> bool:
        return not self.blocked() and self.shoe.may_open()

    def in_round(self) -> bool:
        return self.round.dealing

    @property
    def concealed(self) -> bool:
        """Cards of the present round lie face down: a hand has one that was not called (7.7(d) to (g))."""
        coup = self.round.coup
        down = any(coup.called[hand] < len(cards) for hand, cards in coup.hands.items())
        return self.dealing != "face-up" and self.round.phase in (*DEALING, "decided") and down

    @property
    def in_deal(self) -> bool:
        """From a round's first card to its decision; nobody may tell that it is decided while cards lie
        face down, so then to the call of both hands.
        """
        return self.round.dealing or self.concealed

    @property
    def card_out(self) -> bool:
        return self.hold is not None and self.hold.code == "early-card"

    def round_open(self) -> bool:
        return self.round.phase in ("betting", "player_1")

    def next_number(self) -> int:
        return self.shoe.rounds + 1

    def moved(self, what: str) -> None:
        self.shoe.fire(what)

    @property
    def awaited(self) -> tuple[int, Hand, int] | None:
        """The card that is due, as (round, hand, index); None while none is, or the round is held."""
        hand, coup = self.round.due, self.round.coup
        if hand is None or self.hold is not None:
            return None
        index = len(coup.hands[hand]) + 1
        # That a third card is due tells about cards which lie face down.
        return None if index > 2 and self.concealed else (coup.number, hand, index)

    def emit(self, fact: facts.Fact) -> None:
        self._facts.append(fact)

    def irregular(
        self,
        code: str,
        drawn: Drawn | None = None,
        *,
        level: facts.Severity | None = None,
        number: int | None = None,
        detail: str = "",
        reason: Reason | None = None,
    ) -> None:
        """Raise `code`. `number` None: the open round's. `reason`: why the dealer called.

        During a hold what may hold a round is evidence of it; everything else is raised when it is over.
        """
        never_holds = (level or CODES[code].gravity) in ("warn", "block")
        level = level or severity(code, self.in_deal)
        if number is None and self.round.phase not in OPEN:
            number = self.round.coup.number
        item = Irregularity(self.last_id + 1, code, level, number, drawn, self.round.due)
        detail = detail or self._detail(item)
        if self.hold:
            kept = (code, level, number, f"{detail} (while the round was held)")
            if never_holds and kept not in self.withheld:
                self.withheld.append(kept)
            return
        self.last_id = item.id
        self.open[item.id] = item
        item.raised = facts.IrregularityRaised(
            id=item.id,
            code=code,
            round=number,
            severity=level,
            detail=detail,
            citation=self._citation(item, reason),
            remedies=self._remedies(item, reason),
            says="" if self.pack is None else left_open(self.pack, code, self._words(item, reason)),
        )
        self.emit(item.raised)
        if level == "stop":
            self.hold = item

    def _remedies(self, item: Irregularity, reason: Reason | None) -> list[facts.Remedy]:
        """What may answer it: first what the pack proposes in this situation."""
        lawful = offered(item.code, item.severity, item.drawn)
        if self.pack is None:
            return lawful
        return propose(self.pack, item.code, self._words(item, reason), lawful)

    def _citation(self, item: Irregularity, reason: Reason | None) -> str | None:
        """The rule that is broken, where it is of the law in force; else what the pack cites, if anything."""
        citation = CODES[item.code].citation
        if citation == DRAW:
            hands = self._hands_of(item)
            return due(hands["player"], hands["banker"], self.draw).citation
        if citation is None or not citation.startswith(self.ruleset.law):
            citation = None if self.pack is None else cited(self.pack, item.code, self._words(item, reason))
        return citation

    def _hands_of(self, item: Irregularity) -> Hands:
        """As they lie in the round that it is about; empty: it is about none."""
        coup = None if item.round is None else self.round.numbered(item.round)
        return {"player": [], "banker": []} if coup is None else coup.hands

    def _words(self, item: Irregularity, reason: Reason | None) -> Situation:
        drawn = item.drawn
        return situation(
            self._hands_of(item),
            self.draw,
            held=item.severity == "stop",
            to=drawn.slot if drawn and drawn.slot in ("player", "banker") else None,
            last_coup=not self.shoe.may_open(),
            reason=reason,
        )

    def _detail(self, item: Irregularity) -> str:
        drawn = item.drawn or Drawn(None)
        if item.code == "overdraw" and drawn.mode and item.due:
            return f"{drawn.card or 'a card'} was drawn outside the game, and {item.due} is due"
        coup = None if item.round is None else self.round.numbered(item.round)
        if item.code == "result-mismatch" and coup is not None and (difference := coup.difference()):
            return difference
        words = {
            "card": drawn.card or "a card",
            "slot": drawn.place,
            "due": item.due or "no hand",
            "lies": self.round.lies(drawn),
        }
        return CODES[item.code].says.format(**words)

    def resolve(self, item: Irregularity, order: Order) -> None:
        """The order answers the irregularity."""
        del self.open[item.id]
        if self.hold is item:
            self.hold = None
        self.emit(
            facts.IrregularityResolved(id=item.id, remedy=order.order, by=order.by, reason=order.reason)
        )

    # -- the shoe --------------------------------------------------------------------------------------

    def load_shoe(self, decks: int | None, pack: str | None, *, burn_expected: bool = True) -> None:
        """A new pack is in the shoe, and no round is being dealt. `decks` None: the table's own."""
        self.finish_round()
        self.waiting = None
        self.carried = None
        self.unread_in_burn = None
        if self.shoe.phase not in ("empty", "ended"):
            self.shoe.fire("taken_out")
        self.round.fire("cleared")
        for item in self.open.values():
            item.leave_shoe()
        self._adopt_house()
        self.shoe.fire("loaded", decks=decks or self.decks, pack=pack, burn_expected=burn_expected)
        self.packs.loaded(pack)

    def finish_round(self) -> None:
        """Nothing more will come for the open round: its decision stands; without cards it is void."""
        if self.round.phase == "decided":
            self.round.fire("closed")
        elif self.round_open():
            self.round.fire("voided")
