"""What is attached: told by valid frames, never by a port that opens. Nothing is ever written."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from controller.doctor.findings import Finding, Table, Wanted, mend, ok
from controller.doctor.serial_ports import ports
from controller.doctor.system import System
from controller.ports import (
    AnySignal,
    ConfigurationError,
    DriverSpec,
    Link,
    Received,
    driver_names,
    find_driver,
    find_link,
)

CHECK = "listening"
#: Kinds of devices that report by themselves.
SPEAKING = ("shoe", "shuffler", "sensor")
#: A port whose device is not known is opened as quietly as can be (field failure 10).
QUIET = {"dtr": False, "rts": False}
REMEDY = "let a card be drawn while doctor listens (--listen 30); check cable, speed and power"


class Heard(NamedTuple):
    """What came; `problem`: why the port could not be opened, None where it was."""

    data: bytes
    problem: str | None


#: Listens at an address with these line settings for so many seconds.
Listen = Callable[[str, dict[str, Any], float], Heard]


def listen(address: str, line: dict[str, Any], seconds: float) -> Heard:
    """At a real port, through its link. Raises ConfigurationError for an address that no port can have."""
    return asyncio.run(_listen(find_link(address).open, address, line, seconds))


async def _listen(opens: Callable[..., Link], address: str, line: dict[str, Any], seconds: float) -> Heard:
    from controller.runtime.clock import Clock

    data = bytearray()
    opened = False

    def hear(signal: AnySignal) -> None:
        nonlocal opened
        opened = True
        if isinstance(signal, Received):
            data.extend(signal.data)

    link = opens(address, clock=Clock(), **line)
    link.open(hear)
    try:
        await asyncio.sleep(seconds)
        problem = None if opened else str(getattr(link, "problem", None) or "it did not open")
    finally:
        await link.close()
    return Heard(bytes(data), problem)


def check_attached(system: System, table: Table, seconds: float, listen: Listen) -> Iterator[Finding]:
    """Each device of the table with its own driver; of a table that is not known, every free adapter with
    every driver.
    """
    for wanted in table.devices:
        # What is said of a port that is not there, or in use, need not be said twice.
        gone = wanted.scheme in ("serial", "pty") and not system.exists(wanted.place)
        busy = wanted.scheme == "serial" and bool(system.holders(system.real(wanted.place)))
        if not gone and not busy and wanted.scheme != "gpio":
            yield from _device(wanted, seconds, listen)
    if table.is_known:
        return
    drivers = _drivers()
    for port in ports(system):
        if port.usb and not system.holders(port.node):
            yield _unknown(port.stable, drivers, seconds, listen)


def _device(wanted: Wanted, seconds: float, listen: Listen) -> Iterator[Finding]:
    try:
        spec = find_driver(wanted.driver)
        heard = listen(wanted.link, dict(spec.serial), seconds)
    except ConfigurationError as error:
        yield mend(CHECK, wanted.name, str(error), "mend table.toml; see tablectl check-config")
        return
    if heard.problem:
        yield mend(CHECK, wanted.name, f"{wanted.link}: {heard.problem}", "see what is said of the port")
    elif spec.probe is None or spec.kind not in SPEAKING:
        yield ok(CHECK, wanted.name, f"{wanted.link} opens; {wanted.driver} does not speak by itself")
    else:
        yield _judged(wanted.name, {wanted.driver: spec}, [heard.data], seconds)


def _unknown(name: str, drivers: dict[str, DriverSpec], seconds: float, listen: Listen) -> Finding:
    """Listens at each speed that a driver has, until one of them knows what it hears."""
    lines = {tuple(sorted(spec.serial.items())): dict(spec.serial) for spec in drivers.values()}
    heard = []
    for line in lines.values():
        same = {n: spec for n, spec in drivers.items() if spec.serial == line}
        told = listen(f"serial:{name}", {**line, **QUIET}, seconds)
        if told.problem:
            return mend(CHECK, name, told.problem, "see what is said of the port", needed=False)
        heard.append(told.data)
        if _known(same, told.data):
            return _judged(name, same, [told.data], seconds)
    return _judged(name, {}, heard, seconds)


def _judged(name: str, drivers: dict[str, DriverSpec], heard: list[bytes], seconds: float) -> Finding:
    known = [n for data in heard for n in _known(drivers, data)]
    if known:
        return ok(CHECK, name, f"{' or '.join(dict.fromkeys(known))} is speaking")
    if any(heard):
        says = f"{sum(map(len, heard))} bytes came and no frame fits: wrong speed, or another device?"
        return mend(CHECK, name, says, REMEDY, needed=bool(drivers))
    return mend(CHECK, name, f"silent for {seconds:g} s", REMEDY, needed=False)


def _known(drivers: dict[str, DriverSpec], data: bytes) -> list[str]:
    return [name for name, spec in drivers.items() if spec.probe and spec.probe(data)]


def _drivers() -> dict[str, DriverSpec]:
    specs = {name: find_driver(name) for name in driver_names()}
    return {name: spec for name, spec in specs.items() if spec.probe and spec.kind in SPEAKING}
