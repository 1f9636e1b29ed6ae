"""What was told before: for pages and targets that come anew, were away, or start with the service."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from controller.journal.reader import begin_of, beginning_of, connect, records
from controller.journal.record import Record
from controller.runtime.outward import Outward
from controller.runtime.replaying import items
from controller.views.disclosure import Item

Numbered = Iterator[tuple[int, Item]]


def told_since(journal: Path, after: int) -> Numbered:
    """From the start of the shoe in which number `after` lies: no round is open there."""
    yield from items(records(journal, beginning_of(journal, after)))


def known(
    journal: Path, outward: Iterable[Outward], passing: Callable[[Iterator[Record]], Iterator[Record]]
) -> Numbered:
    """What pages and targets must have been told of at a start: the present shoe with what still stands from
    before, and as much as a target missed. `passing`: sees every record on its way.
    """
    with closing(connect(journal)) as connection:
        after = begin_of(connection) - 1
    missed = [up_to for target in outward if (up_to := target.caught_up_to) is not None]
    if missed and min(missed) < after:
        after = beginning_of(journal, min(missed))
    yield from items(passing(records(journal, after)), carried=True)
