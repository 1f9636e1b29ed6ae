"""How fast journalled shoes go through the machines, beside bare machines that fire the same triggers."""

import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from transitions import Machine

from controller.bench.measure import Figure
from controller.bench.wire import DRIVER
from controller.observations import ShoeLoaded
from controller.orders import Event
from controller.play.house import House
from controller.play.machine import Model, Row
from controller.play.round import TABLE as ROUND
from controller.play.shoe import TABLE as SHOE
from controller.play.table import Table
from controller.ports import Received, find_driver
from controller.rules.ruleset import load_ruleset

SHOES = 8


def measure(effort: float) -> Sequence[Figure]:
    """The rate of `Table.apply` over whole shoes."""
    events = shoes(max(1, int(SHOES * effort)))
    fired = _fired(events)
    # In turn, so that what else the machine does is in both.
    runs = [(_play(events), _bare(fired)) for _ in range(5)]
    spent, bare = (min(times) for times in zip(*runs, strict=True))
    return [
        Figure(
            name="journalled shoes through the machines",
            value=spent / bare,
            unit="x of bare machines firing the same triggers",
            goal=2.0,
            note=f"{len(events) / spent:,.0f} events/s, {len(fired) / bare:,.0f} bare triggers/s",
        )
    ]


@cache
def shoes(count: int) -> tuple[Event, ...]:
    """What the driver observed of so many simulated shoes."""
    spec = find_driver(DRIVER)
    settings = spec.settings()()
    driver = spec.driver(settings)
    assert spec.simulator is not None
    simulator = spec.simulator(settings, seed=7, shoes=count)
    events: list[Event] = [ShoeLoaded(decks=8)]
    at: float | None = 0.0
    while at is not None:
        for data in simulator.advance(at):
            events += driver.apply(Received(at=at, data=data))  # type: ignore[arg-type]
        at = simulator.next_at()
    return tuple(events)


def _house() -> House:
    return House(load_ruleset("nj-mini-baccarat"), boundaries="device")


def _play(events: Sequence[Event]) -> float:
    table = Table(_house())
    began = time.perf_counter()
    for event in events:
        table.apply(event)
    return time.perf_counter() - began


def _fired(events: Sequence[Event]) -> list[tuple[str, str, str]]:
    """Every transition of the round's and the shoe's machine: (from, trigger, to)."""
    table = Table(_house())
    fired: list[tuple[str, str, str]] = []
    _spy(table.round, ROUND, fired)
    _spy(table.shoe, SHOE, fired)
    for event in events:
        table.apply(event)
    return fired


def _spy(model: Model, rows: Sequence[Row], fired: list[tuple[str, str, str]]) -> None:
    kind = type(model).__name__

    def spying(name: str, trigger: Callable[..., bool], **event: Any) -> bool:
        before = model.phase
        done = trigger(**event)
        fired.append((f"{kind}_{before}", name, f"{kind}_{model.phase}"))
        return done

    for name in {row.trigger for row in rows}:
        setattr(model, name, partial(spying, name, getattr(model, name)))


def _bare(fired: Sequence[tuple[str, str, str]]) -> float:
    """Seconds that machines without guards and actions take for the same transitions."""
    kinds = {source.partition("_")[0] for source, _, _ in fired}
    models = {}
    for kind in kinds:
        mine = [t for t in dict.fromkeys(fired) if t[0].startswith(kind)]
        states = sorted({state for source, _, target in mine for state in (source, target)})
        # A trigger that may lead to several states becomes one trigger for each.
        rows = [
            {"trigger": f"{name}_{target}", "source": source, "dest": target} for source, name, target in mine
        ]
        first = next(source for source, _, _ in fired if source.startswith(kind))
        models[kind] = Machine(
            states=states, initial=first, transitions=rows, auto_transitions=False, send_event=True
        )
    steps = [(models[source.partition("_")[0]], f"{name}_{target}") for source, name, target in fired]
    began = time.perf_counter()
    for machine, trigger in steps:
        machine.trigger(trigger)
    return time.perf_counter() - began
