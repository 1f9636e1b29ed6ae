"""Which irregularities a report is about, and what was played meanwhile."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from msgspec import Struct

from controller import facts
from controller.journal.record import Record
from controller.observations import CardDrawn, role
from controller.ports import InputError
from controller.report.episodes import Entry, Episode, Group, Moment, PlayedBy, episodes
from controller.report.incident import Incident, concerns, incidents


class Selection(Struct, frozen=True, kw_only=True):
    """All that is given must hold. `begin`, `end`: wall times, the end not included."""

    irregularity: int | None = None
    shoe: int | None = None
    begin: datetime | None = None
    end: datetime | None = None

    def covers(self, shoe: int | None, entry: Entry) -> bool:
        """The entry is of the shoe and the time that are reported on."""
        at = datetime.fromisoformat(entry.record.wall)
        early = self.begin is not None and at < self.begin
        late = self.end is not None and at >= self.end
        return self.shoe in (None, shoe) and not early and not late

    def words(self) -> str:
        """What the report is about, as a heading."""
        said = [f"Irregularity {self.irregularity}"] if self.irregularity is not None else []
        said += [f"Shoe {self.shoe}"] if self.shoe is not None else []
        said += [f"from {clock(self.begin)}"] if self.begin else []
        said += [f"to {clock(self.end)}"] if self.end else []
        text = ", ".join(said) or "The whole journal"
        return text[0].upper() + text[1:]


class Proof(Struct, frozen=True, kw_only=True):
    """The records that were read; `hash`: of the last one, which closes the chain so far (hexadecimal)."""

    first: Moment
    last: Moment
    hash: str


class Report(Struct, frozen=True, kw_only=True):
    """`rounds`, `cards`: those decided and drawn in the shoe or the time that is reported on. `software`:
    each version, with the hash of its files, that recorded of it.

    `raised`: how often each code. `still_open`: irregularities that nobody has answered.
    """

    table: str
    name: str
    about: str
    software: list[str]
    shoes: list[int]
    rounds: int
    cards: int
    raised: dict[str, int]
    still_open: int
    proof: Proof
    incidents: list[Incident]


def clock(at: datetime) -> str:
    """`14 Mar 2026 20:00 UTC`."""
    return f"{at.astimezone(UTC):%d %b %Y %H:%M} UTC"


def moment(text: str, option: str) -> datetime:
    """A time or a date as ISO 8601 writes it; without an offset it is UTC. Raises InputError."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"{option} {text!r}: no time; write it as 2026-03-14T20:00, in UTC") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def build(records: Iterable[Record], selection: Selection) -> Report:
    """The report on a journal's records, read once.

    Raises InputError: unreadable, empty, no such number or shoe.
    """
    tally = _Tally(selection)
    for episode in episodes(tally.watched(records)):
        tally.take(episode)
    return tally.report()


class _Tally:
    """Keeps the rounds with the irregularities that are asked for, and what later rounds say about them."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._first: Record | None = None
        self._last: Record | None = None
        self._episode: Episode | None = None
        self._kept: list[Episode] = []
        self._ids: set[int] = set()
        self._known = 0
        self._later: list[Group] = []
        self._shoes: set[int] = set()
        self._all_shoes: set[int] = set()
        self._rounds: set[tuple[int | None, int]] = set()
        self._cards = 0
        self._recorder: str | None = None
        self._software: dict[str, None] = {}  # in order

    def watched(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records, remembering the first and the last."""
        for record in records:
            self._first = self._first or record
            self._last = record
            yield record

    def take(self, episode: Episode) -> None:
        """One round."""
        self._episode = episode
        self._all_shoes.update([] if episode.shoe is None else [episode.shoe])
        self._later += [group for group in episode.groups if any(concerns(group, n) for n in self._ids)]
        found = False
        for entry in episode.entries():
            self._count(episode, entry)
            if isinstance(entry.said, facts.IrregularityRaised):
                self._known = entry.said.id
                if self._wanted(episode, entry, entry.said.id):
                    self._ids.add(entry.said.id)
                    found = True
        if found:
            self._kept.append(episode)

    def _wanted(self, episode: Episode, entry: Entry, number: int) -> bool:
        return self._selection.irregularity in (None, number) and self._selection.covers(episode.shoe, entry)

    def _count(self, episode: Episode, entry: Entry) -> None:
        if isinstance(entry.said, PlayedBy):
            self._recorder = entry.said.version
        if not self._selection.covers(episode.shoe, entry):
            return
        self._software[self._recorder or episode.inputs.version] = None
        match entry.said:
            case CardDrawn() if role(entry.said) == "shoe":
                self._cards += 1
            case facts.RoundDecided():
                self._rounds.add((episode.shoe, entry.said.round))
        if episode.shoe is not None:
            self._shoes.add(episode.shoe)

    def report(self) -> Report:
        """What was kept, as one document."""
        number = self._selection.irregularity
        if number is not None and not self._ids:
            has = f"it has 1 to {self._known}" if self._known else "it has none"
            raise InputError(f"no irregularity {number} there; {has}")
        if self._episode is None or self._first is None or self._last is None:
            raise InputError("the journal is empty; nothing was recorded yet")
        shoe, shoes = self._selection.shoe, sorted(self._all_shoes)
        if shoe is not None and shoe not in shoes:
            has = f"it has {shoes[0]} to {shoes[-1]}" if shoes else "it has none"
            raise InputError(f"no shoe {shoe} there; {has}")
        found = [
            incident
            for episode in self._kept
            for incident in incidents(episode, self._later)
            if incident.id in self._ids
        ]
        table = self._episode.inputs.configuration.get("table", {})
        return Report(
            table=str(table.get("id", "")),
            name=str(table.get("name", "")),
            about=self._selection.words(),
            software=list(self._software),
            shoes=sorted(self._shoes),
            rounds=len(self._rounds),
            cards=self._cards,
            raised=dict(Counter(incident.code for incident in found).most_common()),
            still_open=sum(incident.answered is None for incident in found),
            proof=Proof(
                first=Moment(self._first.seq, self._first.wall),
                last=Moment(self._last.seq, self._last.wall),
                hash=self._last.hash.hex(),
            ),
            incidents=found,
        )
