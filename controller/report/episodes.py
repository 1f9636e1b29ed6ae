"""Records by round: an episode is everything from a round's (or a shoe's) opening to the next one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from controller import facts
from controller.journal.record import Kind, Record
from controller.orders import Event
from controller.ports import AnySignal, InputError
from controller.views.disclosure import Item


class PlayedBy(Struct, frozen=True):
    """What a report needs of the inputs that a service journals at its start."""

    version: str
    boundaries: str
    dealing: str
    decks: int
    ruleset: str
    configuration: dict[str, Any]


class Moment(Struct, frozen=True):
    """A record's number and its wall time (RFC 3339)."""

    seq: int
    wall: str


class Entry(NamedTuple):
    """A record and what it says."""

    record: Record
    said: Item | AnySignal | PlayedBy

    @property
    def moment(self) -> Moment:
        """When it was recorded, and as which number."""
        return Moment(self.record.seq, self.record.wall)


#: What came in, and what followed from it.
Group = list[Entry]


@dataclass
class Episode:
    """`inputs`: what the table played by. `round` None: no round was opened since the shoe began."""

    inputs: PlayedBy
    shoe: int | None
    round: int | None
    groups: list[Group] = field(default_factory=list)

    def entries(self) -> Iterator[Entry]:
        """All of them in order."""
        for group in self.groups:
            yield from group


_DECODERS: dict[Kind, msgspec.json.Decoder[Any]] = {
    "start": msgspec.json.Decoder(PlayedBy),
    "configuration": msgspec.json.Decoder(PlayedBy),
    "signal": msgspec.json.Decoder(AnySignal),
    "observation": msgspec.json.Decoder(Event),
    "input": msgspec.json.Decoder(Event),
    "fact": msgspec.json.Decoder(facts.AnyFact),
}
#: What follows from something else; every other record begins a group.
_FOLLOWING = ("observation", "fact", "configuration")


def decoded(records: Iterable[Record]) -> Iterator[Entry]:
    """Each record with what it says. Raises InputError for one that cannot be read."""
    for record in records:
        if record.kind == "carried":
            continue  # it says nothing new
        try:
            said = _DECODERS[record.kind].decode(record.body)
            # Whoever reads on compares it with others.
            if datetime.fromisoformat(record.wall).tzinfo is None:
                raise ValueError(f"{record.wall!r} is no time")
        except (msgspec.MsgspecError, LookupError, ValueError, RecursionError) as error:
            raise InputError(
                f"record {record.seq}: {error}; ask `tablectl audit` what is wrong with this journal"
            ) from None
        yield Entry(record, said)


def groups(entries: Iterable[Entry]) -> Iterator[Group]:
    """What came in with what followed from it."""
    group: Group = []
    for entry in entries:
        if group and entry.record.kind not in _FOLLOWING:
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def episodes(records: Iterable[Record]) -> Iterator[Episode]:
    """The journal cut into rounds, one in memory at a time. Raises InputError."""
    inputs: PlayedBy | None = None
    shoe: int | None = None
    episode: Episode | None = None
    for group in groups(decoded(records)):
        opened: int | None = None
        begins = False
        for _, said in group:
            match said:
                case PlayedBy():
                    inputs = said
                case facts.ShoeStarted():
                    shoe, opened, begins = said.shoe, None, True
                case facts.RoundOpened():
                    opened, begins = said.round, True
        if inputs is None:
            continue
        if episode is None or begins:
            if episode is not None:
                yield episode
            episode = Episode(inputs, shoe, opened)
        episode.groups.append(group)
    if episode is not None:
        yield episode
