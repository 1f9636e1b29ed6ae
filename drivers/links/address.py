"""Link addresses: `serial:/dev/serial/by-id/...?baud=4800`, `pty:PATH`, `tcp:HOST:PORT`, `usb:1209:0100`,
`memory:`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from controller.ports import ConfigurationError
from drivers.links.usb_address import UsbTarget, parse_usb

#: Line settings and what each may be in an address.
LINE: Mapping[str, Mapping[str, Any]] = {
    "baud": {str(baud): baud for baud in (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)},
    "bits": {"7": 7, "8": 8},
    "parity": {"none": "N", "even": "E", "odd": "O"},
    "stop": {"1": 1, "2": 2},
    "dtr": {"on": True, "off": False},
    "rts": {"on": True, "off": False},
}

#: Names that belong to whatever was plugged in first (field failure 9).
UNSTABLE = re.compile(r"/dev/tty(USB|ACM)\d+")


@dataclass(frozen=True)
class Address:
    """`path` for serial and pty, `host` and `port` for tcp, `usb` for usb; `line`: settings it states."""

    scheme: str
    path: str = ""
    host: str = ""
    port: int = 0
    line: Mapping[str, Any] = field(default_factory=dict)
    usb: UsbTarget | None = None


def parse(address: str) -> Address:
    """Raises ConfigurationError: what is wrong with the address and what to write instead."""
    scheme, _, rest = address.partition(":")
    readers = {"serial": _serial, "pty": _pty, "tcp": _tcp, "usb": _usb, "memory": _memory}
    if scheme not in readers:
        raise _wrong(address, f"an address begins with one of {', '.join(f'{name}:' for name in readers)}")
    return readers[scheme](address, rest)


def _serial(address: str, rest: str) -> Address:
    path, _, query = rest.partition("?")
    if not path.startswith("/"):
        raise _wrong(address, "name the device by its whole path, as serial:/dev/serial/by-id/...")
    if UNSTABLE.fullmatch(path):
        raise _wrong(
            address,
            f"{path} is another device after the next start or replug; "
            "use its name under /dev/serial/by-id or /dev/serial/by-path (`ls -l /dev/serial/by-id`)",
        )
    line = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in LINE:
            raise _wrong(address, f"no line setting {name!r}; there are {', '.join(LINE)}")
        if value not in LINE[name]:
            raise _wrong(address, f"{name} is one of {', '.join(LINE[name])}, not {value!r}")
        line[name] = LINE[name][value]
    return Address("serial", path=path, line=line)


def _pty(address: str, rest: str) -> Address:
    if not rest:
        raise _wrong(address, "name the path of the terminal, as pty:/tmp/shoe")
    return Address("pty", path=rest)


def _tcp(address: str, rest: str) -> Address:
    host, _, port = rest.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise _wrong(address, "write tcp:HOST:PORT, as tcp:192.0.2.10:4001")
    return Address("tcp", host=host.removeprefix("[").removesuffix("]"), port=int(port))


def _usb(address: str, rest: str) -> Address:
    try:
        return Address("usb", usb=parse_usb(rest))
    except ValueError as error:
        raise _wrong(address, str(error)) from None


def _memory(address: str, rest: str) -> Address:
    return Address("memory")


def _wrong(address: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(f"link {address!r}: {remedy}")
