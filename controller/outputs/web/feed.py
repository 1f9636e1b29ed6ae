"""What the pages of one audience are sent: server-sent events made of what the audience was told."""

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from controller.facts import Fact
from controller.views.disclosure import Audience, Disclosure, Item
from controller.views.view import TableInfo, TableView

#: More missed facts than these are not sent again: the snapshot says where the table stands.
MISSED_FACTS = 2000
#: Nor is further back read: some shoes, where the archive may have thousands.
MISSED_RECORDS = 20_000

_encode = msgspec.json.Encoder().encode


def event(name: str, data: object, number: int | None = None) -> bytes:
    """One server-sent event; `number` becomes its id."""
    head = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (head, name.encode(), _encode(data))


class Feed:
    """One audience's events. Ids are journal numbers, given only where they tell nothing that is withheld."""

    def __init__(self, table: TableInfo, audience: Audience) -> None:
        self.audience = audience
        self.last = 0  # the last journal number taken in, told or not
        self._dealing = table.dealing
        self._view = TableView(table, audience)

    def take(self, batch: Sequence[tuple[int, Item]]) -> bytes:
        """Fold journalled items; the facts they tell and the state they leave, or nothing."""
        roads, changes = self._view.roads(), self._view.changes
        events = []
        for seq, item in batch:
            told = self.see(seq, item)
            events += _facts(told, seq if self._view.seq == seq else None)
        if self._view.changes == changes:
            return b""
        state = self._view.state(with_roads=self._view.roads() != roads)
        return b"".join([*events, event("state", state, self._view.seq)])

    def see(self, seq: int, item: Item) -> list[Fact]:
        """Fold one item, of which nobody is sent anything; what it tells."""
        self.last = seq
        return self._view.see(seq, item)

    def snapshot(self, numbered: bool = True) -> bytes:
        """The whole state as an event; without an id when facts missed before it follow."""
        return event("snapshot", self._view.state(), self._view.seq if numbered else None)

    def document(self) -> bytes:
        """The whole state as JSON."""
        return _encode(self._view.state())

    def tick(self, late: bool = False) -> bytes:
        """A sign of life with the last number told. `late`: the record is behind what happens."""
        return event("tick", {"seq": self._view.seq, "late": True} if late else {"seq": self._view.seq})

    def missed(self, items: Iterable[tuple[int, Item]], after: int, upto: int) -> bytes:
        """The facts told by the items above `after`, up to `upto`; `items` begin where no round is open."""
        disclosure = Disclosure(self.audience, self._dealing)
        events: deque[bytes] = deque(maxlen=MISSED_FACTS)
        for seq, item in items:
            if seq > upto:
                break
            told = disclosure.see(item)
            if seq > after:
                events.extend(_facts(told, seq if disclosure.complete else None))
        return b"".join(events)


def _facts(told: Sequence[Fact], number: int | None) -> list[bytes]:
    """Events named for their fact's type; only the last has the number, so that none can be skipped."""
    return [
        event(fact.__struct_config__.tag, fact, number if fact is told[-1] else None)  # type: ignore[arg-type]
        for fact in told
    ]
