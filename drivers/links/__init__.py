"""Links: one address opens any port. Serial ports, terminals, serial servers, USB devices and memory."""

import os
from collections.abc import Awaitable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from controller.ports import Link, LinkSpec, Simulator
from drivers.links.address import parse

if TYPE_CHECKING:
    from controller.runtime.clock import Clock


def check_link(address: str) -> None:
    """Raises ConfigurationError for an address that no port can have."""
    parse(address)


def open_link(address: str, *, clock: "Clock", back_off: Sequence[float] | None = None, **line: Any) -> Link:
    """The link at an address, not yet open. `line`: `baud`, `bits`, `parity`, `stop`, `dtr`, `rts` where the
    address does not state them. `back_off`: real seconds before each further try, the last repeats.
    """
    target = parse(address)
    if target.scheme == "memory":
        from drivers.links.memory import MemoryLink

        return MemoryLink(clock, address)
    if target.usb:
        from drivers.links.usb import RETRY, UsbLink

        return UsbLink(address, target.usb, clock, back_off[0] if back_off else RETRY)
    from drivers.links.port import BACK_OFF, PortLink

    if target.scheme == "pty":
        line = {}  # a terminal refuses parity and seven bits (field failure 16)
    return PortLink(address, target, {**line, **target.line}, clock, back_off or BACK_OFF)


def serve_link(simulator: Simulator, address: str, **options: Any) -> Awaitable[None]:
    """Play a simulated device at a `pty:` or `tcp:` address; the options are those of drivers.links.serve."""
    from drivers.links.serve import serve

    return serve(simulator, address, **options)


def holds(address: str) -> Collection[str]:
    """The port, by the name that it has whatever it is called by."""
    target = parse(address)
    match target.scheme:
        case "memory":
            return ()
        case "tcp":
            return (f"{target.host.lower()} port {target.port}",)
        case "usb":
            assert target.usb
            serial = f" {target.usb.serial}" if target.usb.serial else ""
            return (f"USB device {target.usb.name}{serial} interface {target.usb.interface}",)
    return (os.path.realpath(target.path),)


SPEC = LinkSpec(check=check_link, open=open_link, serve=serve_link, holds=holds)
