"""The evidence of one irregularity: the cards in order, how the hands lay, the raw frames around it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct

from controller import facts
from controller.cards import Card, Hand
from controller.observations import CardDrawn, Observation, role
from controller.orders import Order
from controller.ports import Received
from controller.report.episodes import Entry, Group, Moment
from controller.report.words import slot
from controller.rules.drawing import DrawTable, due, total

#: Raw frames shown up to the one that raised the irregularity, and after it.
FRAMES_BEFORE, FRAMES_AFTER = 12, 8


class Lying(Struct, frozen=True, kw_only=True):
    """Both hands as they lay; a total is null without cards."""

    player: list[Card]
    banker: list[Card]
    player_total: int | None
    banker_total: int | None


class CardRow(Struct, frozen=True, kw_only=True):
    """A card that left the shoe: the slot that was due, the one that the shoe named, what became of it."""

    moment: Moment
    card: Card | None
    due: str
    reported: str
    became: str
    raised: bool


class Frame(Struct, frozen=True, kw_only=True):
    """Bytes as they came from a device. `raised`: the irregularity followed from them."""

    moment: Moment
    device: str
    hex: str
    text: str
    raised: bool


@dataclass
class _Row:
    entry: Entry
    due: str
    became: str
    raised: bool

    def shown(self) -> CardRow:
        item = self.entry.said
        assert isinstance(item, CardDrawn)
        reported = slot(item.slot, item.index) if item.slot else "not said"
        return CardRow(
            moment=self.entry.moment,
            card=item.card,
            due=self.due,
            reported=f"{reported}, {item.mode} mode" if item.mode else reported,
            became=self.became,
            raised=self.raised,
        )


#: What an order makes of the card that it means, where no fact says so.
_FATES = {
    "carry_card": "carried to the next round",
    "accept": "belongs to no hand",
    "void_round": "void with its round",
    "resynchronise": "as the supervisor stated",
}


class Evidence:
    """Follows the groups of a round. `raised`: the irregularity, which came in group `at`."""

    def __init__(
        self, draw: DrawTable, groups: Sequence[Group], at: int, raised: facts.IrregularityRaised
    ) -> None:
        self.before: Lying | None = None
        self._draw = draw
        self._raised = raised
        self._hands: dict[Hand, list[Card]] = {"player": [], "banker": []}
        self._open = self._closed = False  # a round is open; its bets are closed
        self._holds: set[int] = set()
        self._rows: list[_Row] = []
        for number, group in enumerate(groups):
            for step in steps(group):
                self._take(step, number == at)

    @property
    def rows(self) -> list[CardRow]:
        """The cards, in the order in which they left the shoe."""
        return [row.shown() for row in self._rows]

    def lying(self) -> Lying:
        """The hands as they lie now."""
        player, banker = self._hands["player"], self._hands["banker"]
        return Lying(
            player=list(player),
            banker=list(banker),
            player_total=total(player) if player else None,
            banker_total=total(banker) if banker else None,
        )

    def _take(self, step: Group, in_group: bool) -> None:
        """One report, announcement or order, with what followed from it."""
        said = [entry.said for entry in step]
        raised = in_group and self._raised in said
        if any(isinstance(fact, facts.RoundOpened) for fact in said):
            self._hands = {"player": [], "banker": []}
            self._open, self._closed = True, False
        if any(isinstance(fact, facts.BetsClosed) for fact in said):
            self._closed = True
        if raised:
            self.before = self.lying()
        first = step[0]
        if (
            isinstance(first.said, CardDrawn)
            and role(first.said) == "shoe"
            and first.said.slot != "burn_count"
        ):
            self._rows.append(_Row(first, self._due(), self._fate(said), raised))
        for item in said:
            self._conclude(item, said)

    def _due(self) -> str:
        if not self._open:
            return "no round open"
        if not self._closed:
            return "bets are open"
        hand = due(self._hands["player"], self._hands["banker"], self._draw).hand
        return slot(hand, len(self._hands[hand]) + 1) if hand else "no card"

    def _fate(self, said: Sequence[object]) -> str:
        for fact in said:
            match fact:
                case facts.CardDealt():
                    return slot(fact.hand, fact.index)
                case facts.CardBurned():
                    return "burned"
                case facts.IrregularityRaised(severity="stop"):
                    return "held"
        return "kept as evidence" if self._holds else "counted"

    def _conclude(self, item: object, said: Sequence[object]) -> None:
        match item:
            case facts.CardDealt():
                cards = self._hands[item.hand]
                cards[item.index - 1 : item.index] = [item.card]
            case facts.RoundDecided():
                self._hands = {"player": list(item.player_cards), "banker": list(item.banker_cards)}
            case Order(order="resynchronise", player=list(), banker=list()) if not _refused(said):
                self._hands = {"player": list(item.player or ()), "banker": list(item.banker or ())}
            case facts.RoundConfirmed() | facts.RoundVoided():
                self._open = False
            case facts.RoundReinstated():
                self._open = self._closed = True
            case facts.IrregularityRaised(severity="stop"):
                self._holds.add(item.id)
            case facts.IrregularityResolved():
                self._holds.discard(item.id)
                if item.id == self._raised.id:
                    self._decide(item, said)

    def _decide(self, resolved: facts.IrregularityResolved, said: Sequence[object]) -> None:
        """What the answer made of the card that raised the irregularity."""
        after = [f for f in said if isinstance(f, facts.CardDealt | facts.CardBurned)]
        fate = self._fate(after) if after else _FATES.get(resolved.remedy)
        for row in self._rows:
            if row.raised and fate:
                row.became = f"{row.became}, then {fate}"


def steps(group: Group) -> Iterator[Group]:
    """Each report or order of a group with what followed from it; the signal before them is left out."""
    step: Group = []
    for entry in group:
        if isinstance(entry.said, Observation):
            if step:
                yield step
            step = [entry]
        elif step and isinstance(entry.said, facts.Fact):
            step.append(entry)
    if step:
        yield step


def _refused(said: Sequence[object]) -> bool:
    return any(isinstance(fact, facts.OrderRefused) for fact in said)


def frames(groups: Sequence[Group], at: int) -> list[Frame]:
    """What came over the wires shortly before and after group `at`."""
    received = [
        (number, entry)
        for number, group in enumerate(groups)
        for entry in group
        if isinstance(entry.said, Received)
    ]
    until = sum(number <= at for number, _ in received)
    return [
        Frame(
            moment=entry.moment,
            device=entry.record.device or "",
            hex=entry.said.data.hex(" ").upper(),
            text="".join(chr(byte) if 32 <= byte < 127 else "·" for byte in entry.said.data),
            raised=number == at,
        )
        for number, entry in received[max(0, until - FRAMES_BEFORE) : until + FRAMES_AFTER]
        if isinstance(entry.said, Received)
    ]
