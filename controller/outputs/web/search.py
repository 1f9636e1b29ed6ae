"""Searching a shoe's records: what each says, in words, and in which round it was."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec
from msgspec import Raw, Struct

from controller import facts
from controller.cards import Card
from controller.journal.record import Record
from controller.observations import Observation
from controller.orders import Order
from controller.ports import Received, Signal
from controller.report.episodes import Entry, decoded
from controller.report.words import person, spoken, words


class Query(Struct, frozen=True, kw_only=True):
    """All that is given must hold. `begin`, `end`: wall times, the end not included. `frames`: raw bytes too.

    `orders`: nothing but orders.
    """

    shoe: int | None = None
    round: int | None = None
    card: Card | None = None
    code: str | None = None
    begin: datetime | None = None
    end: datetime | None = None
    frames: bool = False
    orders: bool = False


class Hit(Struct, frozen=True, kw_only=True):
    """A record that was looked for. `round` null: between rounds. `said`: the record itself."""

    seq: int
    wall: str
    kind: str
    device: str | None
    shoe: int | None
    round: int | None
    who: str
    text: str
    quote: str
    said: Raw


def search(records: Iterable[Record], query: Query, shoe: int | None = None) -> Iterator[Hit]:
    """The hits among records that begin where no round is open; `shoe`: the one that is in play there.

    Raises InputError for a record that cannot be read.
    """
    round_: int | None = None
    asked: set[int] = set()  # the irregularities with the code
    for entry in decoded(records):
        said = entry.said
        match said:
            case facts.ShoeStarted():
                shoe, round_ = said.shoe, None
            case facts.RoundOpened():
                round_ = said.round
            case facts.IrregularityRaised() if said.code == query.code:
                asked.add(said.id)
        number = getattr(said, "round", None)
        if _fits(entry, query, shoe, round_ if number is None else number, asked):
            yield _hit(entry, shoe, round_ if number is None else number)


def _fits(entry: Entry, query: Query, shoe: int | None, number: int | None, asked: set[int]) -> bool:
    said = entry.said
    if not isinstance(said, Observation | facts.Fact) and not (query.frames and isinstance(said, Signal)):
        return False
    if query.orders and not isinstance(said, Order):
        return False
    if query.shoe not in (None, shoe) or query.round not in (None, number):
        return False
    if query.card is not None and query.card not in _cards(said):
        return False
    if query.code is not None and not _is_about(said, asked):
        return False
    at = datetime.fromisoformat(entry.record.wall)
    return (query.begin is None or at >= query.begin) and (query.end is None or at < query.end)


def _cards(said: object) -> Iterator[Card]:
    """Every card that a record names."""
    for field in ("card", "player_cards", "banker_cards", "player", "banker", "missing", "extra"):
        value = getattr(said, field, None)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from value


def _is_about(said: object, asked: set[int]) -> bool:
    match said:
        case facts.IrregularityRaised() | facts.IrregularityResolved():
            return said.id in asked
        case Order():
            return said.irregularity in asked
    return False


def _hit(entry: Entry, shoe: int | None, number: int | None) -> Hit:
    record, said = entry
    return Hit(
        seq=record.seq,
        wall=record.wall,
        kind=record.kind,
        device=record.device,
        shoe=shoe,
        round=number,
        who=person(said) if isinstance(said, Observation | facts.Fact) else "",
        text=words(said) if isinstance(said, Observation | facts.Fact) else _frame(said),
        quote=spoken(said) if isinstance(said, Observation | facts.Fact) else "",
        said=Raw(record.body),
    )


def _frame(said: object) -> str:
    if isinstance(said, Received):
        return said.data.hex(" ").upper()
    return msgspec.json.encode(said).decode()
