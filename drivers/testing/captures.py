"""What devices and hosts say to each other, captured from simulators in virtual time: food for the fuzzer."""

from functools import cache
from importlib.resources import files
from typing import Any

from controller.displays import Display
from controller.observations import LinkLost, LinkRestored
from controller.ports import Commanded, Driver, DriverSpec, Received, Restored, Silence, Simulator, Stage
from controller.scenarios import find_scenario
from controller.views.view import TableInfo, TableView

SECONDS = 120.0  # of a device's own play
STEPS = 3000


@cache
def scenarios() -> tuple[str, ...]:
    """The scenarios that are shipped, sorted."""
    return tuple(
        sorted(f.name for f in (files("config") / "scenarios").iterdir() if f.name.endswith(".deal"))
    )


def captured(spec: DriverSpec, settings: Any, seed: int = 0) -> tuple[bytes, bytes]:
    """(what the device said, what the host said): left alone, in every scenario, and when commanded."""
    from_device, from_host = bytearray(), bytearray()
    for scenario in (None, *scenarios()):
        if spec.simulator is None:
            break
        device = spec.simulator(settings, seed=seed, log=lambda _: None)
        if scenario is not None:
            if not isinstance(device, Stage):
                break
            acts = [act.event for act in find_scenario(scenario).acts if act.by == spec.kind]
            device.play([event for event in acts if not isinstance(event, LinkLost | LinkRestored)], 0.0)
        _converse(spec.driver(settings), device, from_device, from_host)
    host = spec.driver(settings)
    host.apply(Restored(at=0.0))
    for place, command in enumerate(spec.commands):
        host.apply(Commanded(at=100.0 * place, command=command, by="fuzz"))
        from_host += host.outgoing()
        host.apply(Silence(at=100.0 * place + 50))
    if isinstance(host, Display):
        host.show(TableView(TableInfo(id="T", name="Fuzz"), "board").state(with_roads=False))
        from_host += host.outgoing()
    return bytes(from_device), bytes(from_host)


def _converse(host: Driver, device: Simulator, from_device: bytearray, from_host: bytearray) -> None:
    host.apply(Restored(at=0.0))
    for _ in range(STEPS):
        times = [time for time in (device.next_at(), host.deadline()) if time is not None]
        if not times or (now := min(times)) > SECONDS:
            return
        for data in device.advance(now):
            from_device += data
            host.apply(Received(at=now, data=data))
        if (deadline := host.deadline()) is not None and deadline <= now:
            host.apply(Silence(at=now))
        if data := host.outgoing():
            from_host += data
            device.receive(data, now)
