"""What must hold behind a crash: the record opens and holds, and nothing that was told is lost."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, structs

from controller.config import Configuration
from controller.facts import IrregularityRaised
from controller.journal.audit import verify
from controller.journal.copies import keep_aside
from controller.journal.errors import DamagedError
from controller.journal.reader import connect, last, records
from controller.journal.record import Record
from controller.journal.store import Store
from controller.ports import AnySignal, ControllerError, Lost, Received, Restored, Resumed
from controller.runtime.clock import Clock
from controller.runtime.configured import inputs_of
from controller.runtime.core import Core, Derived
from controller.runtime.replaying import Rederivation, recover
from drivers.testing.crashes.lives import RECORDED, TABLE, answers_to, configuration, dealer, standing
from drivers.testing.crashes.marks import MARKS, Item, cards, first_misplaced, rounds

#: More rounds than any case deals.
ENOUGH = 150
#: Signals of the shoe that are heard behind a crash: some rounds.
PLAYED = 40
#: Seconds of the clock that a restart takes at least.
MOMENT = 0.5
WALL = "2025-03-01T10:00:00.000+00:00"
#: A record that damage is named by, or what else a journal consists of.
NAMED = re.compile(
    r"\brecords? \d+|\bup to the last, \d+|\bjournal ends with \d+|\bhead\b|database|journal's description"
)
#: The files whose content is evidence.
EVIDENCE = ("journal.db", "journal.db-wal", "journal.head")

Result = Literal["identical", "held", "refused"]


class Judged(Struct, frozen=True, kw_only=True):
    """`identical`: behind the crash nothing was raised, and the facts go on as those of an undisturbed run;
    `held`: something was raised or said to be missing, and nothing recorded that did not happen; `refused`:
    damage was named, the journal kept aside, and play went on in a new one. `violations`: what must never be.
    """

    result: Result
    violations: list[str]


class Broken(Exception):  # noqa: N818 - nothing went wrong with the campaign
    """Something that must never be."""


#: What else software says that met something it did not expect.
FAULTS = (
    ControllerError, sqlite3.Error, msgspec.MsgspecError,
    ArithmeticError, AssertionError, AttributeError, LookupError, OSError, TypeError, ValueError,
)  # fmt: skip


class Happened(Struct, frozen=True, kw_only=True):
    """What an undisturbed run says of a shoe."""

    cards: list[object]
    rounds: list[object]


@cache
def undisturbed(seed: int) -> Happened:
    """The shoe of that seed, heard in virtual time by a service that nothing happens to."""
    shoe = dealer(seed, rounds=ENOUGH)
    core, said = Core(), list[Item]()
    core.begin(inputs_of(configuration(Path("/"), "pty:/nowhere"), Clock(RECORDED)))

    def hear(signal: AnySignal) -> None:
        said.extend(plain(msgspec.json.encode(item)) for _, item in core.hear("shoe", signal).items)

    shoe.advance(0.0)
    hear(Restored(at=0.0))
    while (due := shoe.next_at()) is not None:
        for data in shoe.advance(due):
            hear(Received(at=due, data=data))
    return Happened(cards=list(cards(said)), rounds=list(rounds(said)))


def plain(item: bytes) -> Item:
    """What was told, as plain values."""
    value: Item = msgspec.json.decode(item)
    return value


def items_of(journal: Iterable[Record]) -> Iterator[Item]:
    """What the records say, as plain values."""
    for record in journal:
        if record.kind in ("observation", "input", "fact"):
            yield msgspec.json.decode(record.body)


def audited(path: Path) -> None:
    """Raises Broken unless every record holds and follows from the inputs."""
    if (first := verify(path, Rederivation()).first) is not None:
        raise Broken(f"audit: {first}")


def compared(before: Iterable[Item], since: Iterable[Item], happened: Happened) -> Result:
    """What was said `before` the last crash, and `since`. Raises Broken where a card or a round was lost,
    doubled or changed without a word.
    """
    before, since = list(before), list(since)
    said = before + since
    if (run := first_misplaced(cards(said), happened.cards)) is not None:
        raise Broken(f"cards that were not dealt so: {run}")
    if (run := first_misplaced(rounds(_given_up(said)), happened.rounds)) is not None:
        raise Broken(f"rounds that were not dealt so: {run}")
    raised = any(item["type"] == "irregularity_raised" for item in since)
    in_one_piece = _given_up(before + [item for item in since if item["type"] not in MARKS])
    missed = raised or first_misplaced(rounds(in_one_piece), happened.rounds) is not None
    return "held" if missed else "identical"


def _given_up(said: Iterable[Item]) -> list[Item]:
    """A round that was given up by order is not silently missing."""
    return [{"type": MARKS[0]} if item["type"] == "round_voided" else item for item in said]


def stands(path: Path, told: Mapping[int, str]) -> Core:
    """What is recovered. Raises Broken unless the table stands as it did when this was told of it."""
    with closing(connect(path)) as connection:
        core = recover(records(connection))
        newest = last(connection)
    if newest and newest.seq in told and (now := standing(core.table)) != told[newest.seq]:
        raise Broken(f"behind record {newest.seq} the table stood at {told[newest.seq]} and now at {now}")
    return core


# -- a state as it was left, against the record that was made in the end -----------------------------------


class Reference(Struct, frozen=True, kw_only=True):
    """What a recorded run came to. `standings`: how the table stood behind a record."""

    seed: int
    journal: list[Record]
    standings: dict[int, str]
    config: Configuration


class Away(Struct, frozen=True, kw_only=True):
    """How long nobody listened: over a start of the machine, in which `unheard` signals went by; or (`boot`
    empty) for a moment, in which what came waited to be read.
    """

    boot: str = ""
    unheard: int = 0

    def signals(self, core: Core, journal: list[Record], tip: int) -> list[AnySignal]:
        """What the recovered core is told of the shoe."""
        coming = _signals(journal[tip:])
        if core.inputs is None:
            return coming
        if self.boot:
            coming = coming[self.unheard :]
            at = coming[0].at if coming else 0.0
            return [Lost(at=at), Restored(at=at), *coming]
        heard = next((signal.at for signal in reversed(_signals(journal[:tip]))), None)
        at = None if heard is None else heard + MOMENT
        return [Resumed(at=at, heard=heard), Restored(at=at), *coming]


def left_behind(folder: Path, reference: Reference, told: int, away: Away, *, lawful: bool = True) -> Judged:
    """The state in `folder` was left when record `told` had been told to the world, and the shoe deals on.
    `lawful`: neither a kill nor a power cut may cost a record, so that nothing may be refused.
    """
    path = folder / "journal.db"
    try:
        return Judged(result=_left_behind(path, reference, told, away, lawful), violations=[])
    except (Broken, *FAULTS) as broken:
        return Judged(result="held", violations=[f"{type(broken).__name__}: {broken}"])


def _left_behind(path: Path, reference: Reference, told: int, away: Away, lawful: bool) -> Result:
    before = _evidence(path)
    try:
        store = Store(path, TABLE)
    except DamagedError as error:
        if lawful:
            raise Broken(f"refused: {error.what}") from None
        _kept_aside(path, error, before, reference)
        return "refused"
    try:
        _same(path, store, reference, told)
        core = stands(path, reference.standings)
        tip = store.tip.seq
        signals = away.signals(core, reference.journal, tip)
        _play_on(store, core, reference.config, signals, away.boot)
    finally:
        store.close()
    audited(path)
    journal = list(records(path))
    return compared(items_of(journal[:tip]), items_of(journal[tip:]), undisturbed(reference.seed))


def _same(path: Path, store: Store, reference: Reference, told: int) -> None:
    found = list(records(path))
    if len(found) < told:
        raise Broken(f"record {told} had been told and the journal ends with {len(found)}")
    for record, wanted in zip(found, reference.journal, strict=False):
        if record != wanted:
            raise Broken(f"record {record.seq} is not what it was")
    if store.tip.seq != len(found):
        raise Broken(f"{len(found)} records and the last has number {store.tip.seq}")


def _kept_aside(path: Path, error: DamagedError, before: dict[str, str], reference: Reference) -> None:
    """As the message says: kept aside as evidence, and a new journal is begun."""
    if not NAMED.search(error.what):
        raise Broken(f"refused without saying where: {error.what}")
    if _evidence(path) != before:
        raise Broken(f"refused ({error.what}), and its files were changed meanwhile")
    aside = keep_aside(path.parent)
    store = Store(path, TABLE)
    try:
        _play_on(store, Core(), reference.config, _signals(reference.journal), "another")
    finally:
        store.close()
    audited(path)
    if verify(aside / path.name).ok:
        raise Broken(f"refused ({error.what}), and the audit of what was kept aside finds nothing")


def _evidence(path: Path) -> dict[str, str]:
    files = (path.with_name(name) for name in EVIDENCE)
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in files if file.exists()}


def _signals(journal: Iterable[Record]) -> list[AnySignal]:
    """What came of the shoe. Where the recorded service itself was away, the line was."""
    decode = msgspec.json.Decoder(AnySignal).decode
    heard = (decode(record.body) for record in journal if record.kind == "signal")
    return [Lost(at=signal.at) if isinstance(signal, Resumed) else signal for signal in heard]


def _play_on(store: Store, core: Core, config: Configuration, signals: list[AnySignal], boot: str) -> None:
    """The shoe is heard again, and whoever is there answers the holds."""

    def write(derived: Derived) -> None:
        store.write((entry, WALL) for entry in derived.entries)
        store.mark()
        for _, item in derived.items:
            if isinstance(item, IrregularityRaised):
                for order in answers_to(item):
                    write(core.enter(order))

    inputs = inputs_of(config, Clock(RECORDED))
    write(core.begin(structs.replace(inputs, boot=boot) if boot else inputs))
    for irregularity in list(core.table.open.values()):
        if irregularity.raised:
            for order in answers_to(irregularity.raised):
                write(core.enter(order))
    for signal in signals[:PLAYED]:
        write(core.hear("shoe", signal))
