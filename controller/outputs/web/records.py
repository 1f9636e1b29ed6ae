"""The journal as the pit reads it: where each shoe and each irregularity lies, and short reads from there."""

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from itertools import takewhile
from pathlib import Path

from msgspec import Struct
from msgspec.json import Decoder, decode

from controller import facts
from controller.journal.archive import Part, archived
from controller.journal.errors import JournalError
from controller.journal.reader import begin_of, cause_of, connect, kind_of, record_at
from controller.journal.reader import records as read
from controller.journal.record import Record
from controller.observations import Observation
from controller.outputs.web.search import Hit, Query, search
from controller.outputs.web.statistics import RoundLine, ShoeStatistics, statistics
from controller.ports import InputError
from controller.report.incident import Incident
from controller.report.select import Report, Selection, build
from controller.runtime.carried import Carried
from controller.runtime.replaying import understood
from controller.views.disclosure import Devices, DeviceState, Item

_decode = Decoder(facts.AnyFact).decode
_RAISED = b'"type":"irregularity_raised"'
#: Records that one search reads before it answers with what it has.
BUDGET = 60_000
#: Irregularities whose devices' states are kept.
REMEMBERED = 500


class Place(Struct, frozen=True):
    """A shoe's number, the journal number of its start, and that of what started it."""

    shoe: int
    seq: int
    cause: int


class Evidence(Struct, frozen=True, kw_only=True):
    """`devices`: as they were when it was raised. `orders`: those of the shoe that were given before it."""

    incident: Incident
    devices: list[DeviceState]
    orders: list[Hit]


class Found(Struct, frozen=True, kw_only=True):
    """Newest first. `before`: go on from this number; null: that was all."""

    hits: list[Hit]
    before: int | None


class Records:
    """Follows the journal's items to know their places; every other method reads the file: not for a loop.

    Where those lie that were archived before the service started is read when it is first asked for.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._began = 1  # the first record of the journal when it was opened
        self._older: list[Place] | None = None
        self._followed: list[Place] = []
        self._walls: dict[float, datetime] = {}  # of a shoe's first record
        self._raised: dict[int, int] = {}  # irregularity -> journal number
        self._devices: dict[str, DeviceState] = {}
        self._then: dict[int, list[DeviceState]] = {}  # irregularity -> the devices' states
        self._states = Devices()
        self._cause = 0  # the last report or order
        self.last = 0

    def see(self, seq: int, item: Item) -> None:
        """The next item of the journal."""
        if not self.last:
            self._began = seq
        self.last = seq
        if isinstance(item, Observation):
            self._cause = seq
            for state in self._states.see(item):
                self._devices = {**self._devices, state.device: state}
        match item:
            case facts.ShoeStarted():
                self._followed.append(Place(item.shoe, seq, self._cause))
            case facts.IrregularityRaised() if item.id not in self._raised:
                self._raised[item.id] = seq
                self._then[item.id] = list(self._devices.values())
                if len(self._then) > REMEMBERED:
                    del self._then[next(iter(self._then))]

    @property
    def shoes(self) -> list[Place]:
        """Every shoe, the newest last."""
        if self._older is None:
            followed = self._followed[0].seq if self._followed else self._began
            self._older = [place for place in self._archived() if place.seq < followed]
        return [*self._older, *self._followed]

    def _parts(self) -> list[Part]:
        """The files of the archive that the journal goes on behind."""
        with closing(connect(self._path)) as connection:
            return archived(self._path, begin_of(connection))

    def _archived(self) -> Iterator[Place]:
        """The shoes that the archive has: a configuration follows each one's start."""
        for part in self._parts():
            # One that is damaged must not hide the others: its shoes are missing here, and audit says why.
            with suppress(JournalError):
                yield from self._begun(part)

    def _begun(self, part: Part) -> list[Place]:
        places = []
        with closing(connect(part.path)) as connection:
            for begun in kind_of(connection, "configuration"):
                started = record_at(connection, begun.seq - 1)
                fact = started and _fact(started)
                if started and isinstance(fact, facts.ShoeStarted):
                    cause = cause_of(connection, started.seq)
                    places.append(Place(fact.shoe, started.seq, cause.seq if cause else started.seq))
        return places

    def _seq_of(self, number: int) -> int | None:
        """The journal number of an irregularity; None: there is no such one."""
        seq = self._raised.get(number)
        if seq is not None:
            with closing(connect(self._path)) as connection:
                here = record_at(connection, seq)
            if here is None or here.kind == "fact":
                return seq
        if self._raised and number > max(self._raised):
            return None
        return self._search(number)

    def _search(self, number: int) -> int | None:
        """From the newest shoe in the archive that began before it was raised."""
        after = 0
        for part in reversed(self._parts()):
            with closing(connect(part.path)) as connection:
                carried = next(kind_of(connection, "carried"), None)
            if carried is None or _last_id(carried) < number:
                after = part.first - 1
                break
        for record in read(self._path, after):
            fact = _fact(record) if record.kind == "fact" and _RAISED in record.body else None
            if isinstance(fact, facts.IrregularityRaised) and fact.id >= number:
                return record.seq if fact.id == number else None
        return None

    def evidence(self, number: int) -> Evidence:
        """Of an irregularity. Raises InputError: there is no such one; JournalError."""
        seq = self._seq_of(number)
        if seq is None:
            newest = max(self._raised, default=0)
            raise InputError(f"irregularity {number}: there is none; the newest is {newest}")
        at = self._at(seq)
        # It may have been answered when the next shoe was in play already.
        report = build(self._read(at, at + 1), Selection(irregularity=number))
        earlier = (record for record in self._read(at) if record.seq < seq)
        orders = list(search(earlier, Query(orders=True), self._number(at)))
        return Evidence(incident=report.incidents[0], devices=self._then.get(number, []), orders=orders)

    def find(self, query: Query, limit: int, before: int | None = None) -> Found:
        """The newest hits, or the newest before a journal number. Raises InputError, JournalError."""
        before = self.last + 1 if before is None else before
        hits: list[Hit] = []
        read_so_far = 0
        for at in range(self._at(before - 1), -2, -1):
            after, upto = self._span(at, at)
            if not self._concerns(at, query):
                continue
            records = (record for record in self._read(at) if record.seq < before)
            hits += reversed(list(search(records, query, self._number(at))))
            if len(hits) > limit:
                return Found(hits=hits[:limit], before=hits[limit - 1].seq)
            read_so_far += int(min(upto, self.last)) - after
            if read_so_far > BUDGET and at >= 0:
                return Found(hits=hits, before=after + 1)
        return Found(hits=hits, before=None)

    def statistics(self, shoe: int) -> ShoeStatistics:
        """Raises InputError: there is no such shoe; JournalError."""
        found = statistics(self._read(self._place(shoe)))
        if found is None:
            raise InputError(f"shoe {shoe}: no longer in the record; `keep` in [journal] says how many are")
        return found

    def rounds(self, selection: Selection) -> Iterator[RoundLine]:
        """The rounds of the shoe or the time. Raises InputError, JournalError."""
        places = range(len(self.shoes)) if selection.shoe is None else [self._place(selection.shoe)]
        query = Query(begin=selection.begin, end=selection.end)
        for at in places:
            if self._concerns(at, query) and (found := statistics(self._read(at))):
                yield from found.rounds

    def report(self, selection: Selection) -> Report:
        """Raises InputError, JournalError."""
        if selection.irregularity is not None:
            at = self._at(self._seq_of(selection.irregularity) or 0)
            return build(self._read(at, at + 1), selection)
        if selection.shoe is not None:
            at = self._place(selection.shoe)
            return build(self._read(at, at + 1), selection)
        query = Query(begin=selection.begin)
        first = next((at for at in range(-1, len(self.shoes)) if self._concerns(at, query)), -1)
        return build(self._read(first, len(self.shoes)), selection)

    # -- places: 0 is the first shoe, -1 what lies before it -------------------------------------------

    def _at(self, seq: int) -> int:
        """The shoe in which a journal number lies."""
        return bisect_right(self.shoes, seq, key=lambda place: place.seq) - 1

    def _number(self, at: int) -> int | None:
        return self.shoes[at].shoe if at >= 0 else None

    def _place(self, shoe: int) -> int:
        shoes = self.shoes
        for at in range(len(shoes) - 1, -1, -1):
            if shoes[at].shoe == shoe:
                return at
        has = ", ".join(str(place.shoe) for place in shoes[-5:]) or "none"
        raise InputError(f"shoe {shoe}: there is none; the newest are {has}")

    def _span(self, first: int, last: int) -> tuple[int, float]:
        """The journal number behind which the first shoe begins, and that of the end of the last."""
        after = self.shoes[first].seq - 1 if first >= 0 else 0
        following = self.shoes[last + 1 : last + 2]
        return after, following[0].seq - 1 if following else float("inf")

    def _read(self, first: int, last: int | None = None) -> Iterator[Record]:
        """The records of these shoes; of one where no last is given."""
        after, upto = self._span(first, first if last is None else last)
        if first >= 0 and last is not None:
            # A report begins with what started the shoe.
            after = self.shoes[first].cause - 1
        yield from takewhile(lambda record: record.seq <= upto, read(self._path, after))

    def _concerns(self, at: int, query: Query) -> bool:
        """A hit may lie in this shoe."""
        if query.shoe is not None and query.shoe != self._number(at):
            return False
        if query.begin is None and query.end is None:
            return True
        after, upto = self._span(at, at)
        began, ended = self._wall(after + 1), self._wall(upto + 1)
        early = query.begin is not None and ended is not None and ended <= query.begin
        late = query.end is not None and began is not None and began >= query.end
        return not early and not late

    def _wall(self, seq: float) -> datetime | None:
        """When the record of this number was written; None: there is none yet."""
        if seq > self.last:
            return None
        if seq not in self._walls and (record := next(read(self._path, seq - 1), None)):
            with understood(record):
                self._walls[seq] = datetime.fromisoformat(record.wall)
        return self._walls.get(seq)


def _fact(record: Record) -> facts.AnyFact:
    """Raises JournalError."""
    with understood(record):
        return _decode(record.body)


def _last_id(carried: Record) -> int:
    """The number of the last irregularity before a record of what was carried over. Raises JournalError."""
    with understood(carried):
        return decode(carried.body, type=Carried).table.last_id
