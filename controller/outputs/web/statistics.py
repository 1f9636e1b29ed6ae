"""What one shoe came to: its rounds one by one, and counts of everything."""

import csv
import io
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct, field

from controller import facts
from controller.cards import DECK, Card, Outcome
from controller.journal.record import Record
from controller.observations import CardDrawn, role
from controller.report.episodes import PlayedBy, decoded


class RoundLine(Struct, kw_only=True):
    """A round. `decided` null: it never was. Times are RFC 3339."""

    shoe: int
    round: int
    opened: str
    decided: str | None = None
    winner: Outcome | None = None
    player: list[Card] = field(default_factory=list)
    banker: list[Card] = field(default_factory=list)
    player_total: int | None = None
    banker_total: int | None = None
    natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False
    corrected: bool = False
    void: bool = False
    irregularities: list[str] = field(default_factory=list)


class ShoeStatistics(Struct, kw_only=True):
    """`cards`: those that left the shoe; `left`: null where nobody said what was loaded. `rate`: rounds an
    hour. `seen`: how often each card was read. `software`: each version that recorded of it.
    """

    shoe: int
    pack: str | None
    decks: int | None
    began: str
    ended: str | None
    rounds: list[RoundLine]
    winners: dict[str, int]
    pairs: dict[str, int]
    naturals: int
    void: int
    corrected: int
    burned: int
    cards: int
    unread: int
    left: int | None
    rate: float | None
    irregularities: dict[str, int]
    seen: dict[Card, int]
    software: list[str]


def statistics(records: Iterable[Record]) -> ShoeStatistics | None:
    """Of the first shoe that starts in the records; None: none does. Raises InputError."""
    tally: _Tally | None = None
    for entry in decoded(records):
        if isinstance(entry.said, facts.ShoeStarted):
            if tally is not None:
                break
            tally = _Tally(entry.said, entry.record.wall)
        elif tally is not None:
            tally.take(entry.said, entry.record.wall)
    return tally.counted() if tally else None


class _Tally:
    def __init__(self, shoe: facts.ShoeStarted, wall: str) -> None:
        self._shoe = shoe
        self._began = wall
        self._ended: str | None = None
        self._rounds: dict[int, RoundLine] = {}
        self._seen: Counter[Card] = Counter()
        self._cards = self._unread = self._burned = 0
        self._codes: Counter[str] = Counter()
        self._software: dict[str, None] = {}  # in order

    def take(self, said: object, wall: str) -> None:
        line = self._rounds.get(getattr(said, "round", None) or 0)
        match said:
            case PlayedBy():
                self._software[said.version] = None
            case CardDrawn() if role(said) == "shoe" and said.slot != "burn_count":
                self._cards += 1
                self._unread += said.card is None
                self._seen.update([said.card] if said.card else [])
            case facts.CardBurned():
                self._burned += 1
            case facts.RoundOpened():
                self._rounds[said.round] = RoundLine(shoe=self._shoe.shoe, round=said.round, opened=wall)
            case facts.IrregularityRaised():
                self._codes[said.code] += 1
                if line:
                    line.irregularities.append(said.code)
            case facts.RoundDecided() if line:
                line.decided = line.decided or wall
                line.player, line.banker = said.player_cards, said.banker_cards
                for name in (
                    "winner",
                    "player_total",
                    "banker_total",
                    "natural",
                    "player_pair",
                    "banker_pair",
                ):
                    setattr(line, name, getattr(said, name))
                line.corrected = line.corrected or said.corrected
            case facts.RoundVoided() | facts.RoundReinstated() if line:
                line.void = isinstance(said, facts.RoundVoided)
            case facts.ShoeEnded():
                self._ended = wall

    def counted(self) -> ShoeStatistics:
        """The whole, so far."""
        lines = list(self._rounds.values())
        counted = [line for line in lines if line.winner is not None and not line.void]
        winners = Counter(line.winner for line in counted)
        decks = self._shoe.decks
        return ShoeStatistics(
            shoe=self._shoe.shoe,
            pack=self._shoe.pack,
            decks=decks,
            began=self._began,
            ended=self._ended,
            rounds=lines,
            winners={winner: winners[winner] for winner in ("player", "banker", "tie")},
            pairs={
                "player": sum(line.player_pair for line in counted),
                "banker": sum(line.banker_pair for line in counted),
            },
            naturals=sum(line.natural for line in counted),
            void=sum(line.void for line in lines),
            corrected=sum(line.corrected for line in lines),
            burned=self._burned,
            cards=self._cards,
            unread=self._unread,
            left=None if decks is None else decks * len(DECK) - self._cards,
            rate=_rate(lines),
            irregularities=dict(self._codes.most_common()),
            seen=dict(self._seen),
            software=list(self._software),
        )


def _rate(lines: list[RoundLine]) -> float | None:
    """Rounds an hour, from the first opening to the last decision; None: too few to say."""
    decided = [line.decided for line in lines if line.decided]
    if len(decided) < 2:
        return None
    span = datetime.fromisoformat(decided[-1]) - datetime.fromisoformat(lines[0].opened)
    return round(len(decided) / (span.total_seconds() / 3600), 1) if span.total_seconds() > 0 else None


def as_csv(lines: Iterable[RoundLine]) -> str:
    """The rounds, one a line, with a heading."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    names = RoundLine.__struct_fields__
    writer.writerow(names)
    for line in lines:
        writer.writerow([_cell(getattr(line, name)) for name in names])
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, list):
        return " ".join(value)
    return {True: "yes", False: "no", None: ""}.get(value, value) if isinstance(value, bool | None) else value
