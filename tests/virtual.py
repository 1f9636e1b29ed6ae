"""A shoe dealt in virtual time, and the core of the service that hears it: no process, port or clock."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from controller.journal.audit import Mismatch
from controller.journal.record import Entry, Record, Tip, chained
from controller.ports import AnySignal, Received, Restored, find_driver
from controller.rules.ruleset import load_ruleset
from controller.runtime.core import Core, Device, Inputs
from controller.runtime.replaying import Rederivation, recover

SPEC = find_driver("angel-eye")
Item = dict[str, Any]


def inputs(**settings: Any) -> Inputs:
    """A table of mini-baccarat at an Angel Eye; `settings` are the driver's own."""
    return Inputs(
        version="0",
        boot="-",
        speed=1.0,
        boundaries="device",
        decks=8,
        dealing="face-up",
        seats=7,
        wagers=[],
        ruleset=load_ruleset("nj-mini-baccarat").text,
        configuration={},
        carries=True,
        devices=[Device(name="shoe", driver="angel-eye", settings=settings)],
    )


def dealt(**options: Any) -> list[AnySignal]:
    """What the line says while a simulated shoe is dealt out, one signal a write."""
    assert SPEC.simulator is not None
    shoe = SPEC.simulator(SPEC.settings()(), **options)
    shoe.advance(0.0)
    signals: list[AnySignal] = [Restored(at=0.0)]
    while (due := shoe.next_at()) is not None:
        signals += [Received(at=due, data=data) for data in shoe.advance(due)]
    return signals


class Life:
    """One life of the service, from its start to its death; `entries` are what its journal then holds."""

    def __init__(self, before: Sequence[Entry] = ()) -> None:
        self.entries = list(before)
        self.core = recover(_records(before)) if before else Core()
        self.entries += self.core.begin(inputs()).entries

    def hear(self, *signals: AnySignal) -> None:
        for signal in signals:
            self.entries += self.core.hear("shoe", signal).entries

    def said(self, *kinds: str) -> list[Item]:
        """What the records of these kinds say, in order."""
        return [msgspec.json.decode(entry.body) for entry in self.entries if entry.kind in kinds]


def rederive(records: Iterable[Record]) -> list[Mismatch]:
    """Every record that does not follow from the inputs before it."""
    again = Rederivation()
    found = [again.take(record) for record in records]
    return [mismatch for mismatch in (*found, again.end()) if mismatch]


def _records(entries: Sequence[Entry]) -> Iterator[Record]:
    return iter(chained(Tip(0, bytes(32)), ((entry, "2025-03-01T10:00:00.000+00:00") for entry in entries)))
