"""The checks, in the order in which they are told."""

from collections.abc import Callable, Iterator

from controller.doctor.findings import Finding, Table
from controller.doctor.listening import Listen, check_attached, listen
from controller.doctor.machine import check_clock, check_disk, check_watchdog
from controller.doctor.serial_ports import check_meddlers, check_ports
from controller.doctor.system import System
from controller.doctor.usb_devices import check_usb

CHECKS: tuple[Callable[[System, Table], Iterator[Finding]], ...] = (
    check_ports,
    check_usb,
    check_meddlers,
    check_clock,
    check_disk,
    check_watchdog,
)


def examine(system: System, table: Table, seconds: float = 0.0, listen: Listen = listen) -> Iterator[Finding]:
    """Everything that is found. `seconds`: how long to listen at each port; 0: not at all."""
    for check in CHECKS:
        yield from check(system, table)
    if seconds:
        yield from check_attached(system, table, seconds, listen)
