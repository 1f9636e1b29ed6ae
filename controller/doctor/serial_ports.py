"""Serial ports: by which name they stay found, who may use them, and who is in the way."""

from collections.abc import Iterator
from typing import NamedTuple

from controller.doctor.findings import Finding, Table, advice, mend, ok
from controller.doctor.system import System, Who

CHECK = "serial"
UNIT = "table-controller.service"
MINI_UART = "bcm2835-aux-uart"
#: Vendors of chips that turn USB into a serial port.
ADAPTERS = {"0403": "FTDI", "067b": "Prolific", "10c4": "CP210x", "1a86": "CH340"}
#: What brltty takes for Braille displays (field failure 20).
BRAILLE = ("10c4", "1a86")
LOW = "1"  # milliseconds of an FTDI adapter's latency timer


class Port(NamedTuple):
    """`usb`: the folder of the USB device that it is part of, empty for none."""

    node: str
    by_id: str
    by_path: str
    usb: str

    @property
    def name(self) -> str:
        """The kernel's name for it: ttyUSB0."""
        return self.node.rpartition("/")[2]

    @property
    def stable(self) -> str:
        """The name to write into table.toml."""
        return self.by_id or self.by_path or self.node


def ports(system: System) -> list[Port]:
    """Every serial port with hardware behind it."""
    aliases: dict[str, dict[str, str]] = {"by-id": {}, "by-path": {}}
    for kind, names in aliases.items():
        for name in system.glob(f"/dev/serial/{kind}/*"):
            names.setdefault(system.real(name), name)
    found = []
    for name in system.glob("/sys/class/tty/*/device"):
        tty = name.split("/")[4]
        # A port of type 0 is a place for one, without a chip.
        if system.text(f"/sys/class/tty/{tty}/type") == "0" or not system.exists(f"/dev/{tty}"):
            continue
        node = f"/dev/{tty}"
        by_id, by_path = (names.get(node, "") for names in aliases.values())
        found.append(Port(node, by_id, by_path, _usb_of(system, name)))
    return found


def _usb_of(system: System, name: str) -> str:
    folder = system.real(name)
    while folder.startswith("/sys/devices/"):
        if system.exists(f"{folder}/idVendor"):
            return folder
        folder = folder.rpartition("/")[0]
    return ""


def users(system: System) -> list[Who]:
    """Who must be able to use a device: who asks, and the user of an installed service."""
    people = [system.me()]
    unit = system.text(f"/etc/systemd/system/{UNIT}") or system.text(f"/usr/lib/systemd/system/{UNIT}")
    said = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
    service = system.user(said.get("User", ""), said.get("SupplementaryGroups", "").split())
    return [*people, *([service] if service and service.uid != people[0].uid else [])]


# -- the checks -------------------------------------------------------------------------------------------


def check_ports(system: System, table: Table) -> Iterator[Finding]:
    """Every port: its stable name, and what is wrong with it; then the table's ports that are not there."""
    found = ports(system)
    wanted = {system.real(w.place): w.name for w in table.devices if w.scheme in ("serial", "pty")}
    for port in found:
        used = wanted.pop(port.node, None)
        # Of a table that is not known, an adapter is as good as wanted; a port of the board may be anything.
        needed = used is not None or (not table.is_known and bool(port.usb))
        where = f"{used}: {port.stable}" if used else port.stable
        troubles = [t for check in PORT_CHECKS if (t := check(system, port, where, needed))]
        state = "the controller has it open" if system.holders(port.node) else "free to use"
        yield from troubles or [ok(CHECK, where, f"{port.name}, {state}")]
    for node, name in wanted.items():
        if system.exists(node):
            yield ok(CHECK, name, f"{node} is there")
        else:
            known = ", ".join(port.stable for port in found) or "none at all"
            yield mend(CHECK, name, f"{node} is not there", f"plug it in, or name one that is: {known}")
    if not found and not wanted:
        yield ok(CHECK, "ports", "there is no serial port")


def _permission(system: System, port: Port, where: str, needed: bool) -> Finding | None:
    owned = system.owned(port.node)
    if owned is None:
        return None
    shut = [who for who in users(system) if not who.may_use(owned)]
    if not shut:
        return None
    group = next((name for name, (gid, _) in system.groups().items() if gid == owned.gid), str(owned.gid))
    says = f"{' and '.join(who.name for who in shut)} may not use it (group {group})"
    remedy = "; ".join(f"sudo usermod -aG {group} {who.name}" for who in shut)
    return mend(CHECK, where, says, f"{remedy}; then log in again", needed=needed)


def _holders(system: System, port: Port, where: str, needed: bool) -> Finding | None:
    others = [pid for pid in system.holders(port.node) if not is_service(system.command(pid))]
    if not others:
        return None
    names = system.processes()
    who = ", ".join(f"{names.get(pid, '?')} ({pid})" for pid in others)
    return mend(CHECK, where, f"{who} has it open and takes its bytes", f"end {who}", needed=needed)


def is_service(command: str) -> bool:
    """This is how the controller itself is started."""
    words = [word.rpartition("/")[2] for word in command.split()]
    return "run" in words and ("tablectl" in words or "controller" in words)


def _getty(system: System, port: Port, where: str, needed: bool) -> Finding | None:
    for pid, name in system.processes().items():
        if name.endswith("getty") and port.name in map(_last, system.command(pid).split()):
            remedy = f"sudo systemctl disable --now serial-getty@{port.name}.service"
            return mend(CHECK, where, f"a login prompt ({name}) sits on it", remedy, needed=needed)
    return None


def _console(system: System, port: Port, where: str, needed: bool) -> Finding | None:
    words = system.text("/proc/cmdline").split()
    for word in words:
        if word.startswith("console=") and _node(system, word[8:].partition(",")[0]) == port.node:
            remedy = (
                f"take `{word}` out of the kernel's command line (/boot/firmware/cmdline.txt) and restart"
            )
            return mend(CHECK, where, "the kernel writes its messages to it", remedy, needed=needed)
    return None


def _mini_uart(system: System, port: Port, where: str, needed: bool) -> Finding | None:
    if MINI_UART not in system.text(f"/sys/class/tty/{port.name}/device/of_node/compatible"):
        return None
    says = "the mini UART: its speed follows the processor's clock, and it has no parity"
    return mend(CHECK, where, says, "use a USB adapter, or the PL011 port /dev/ttyAMA0", needed=needed)


def _latency(system: System, port: Port, where: str, needed: bool) -> Finding | None:
    timer = system.text(f"/sys/bus/usb-serial/devices/{port.name}/latency_timer")
    if timer in ("", LOW):
        return None
    rule = 'ACTION=="add", SUBSYSTEM=="usb-serial", DRIVER=="ftdi_sio", ATTR{latency_timer}="1"'
    says = f"its latency timer holds each card back for up to {timer} ms"
    return advice(
        CHECK, where, says, f"write {rule} into /etc/udev/rules.d/60-latency.rules and plug it again"
    )


def _no_number(system: System, port: Port, where: str, needed: bool) -> Finding | None:
    if not port.usb or not port.by_path or system.exists(f"{port.usb}/serial") or "by-path" in where:
        return None
    says = "the adapter has no serial number, so another of its kind would take its name"
    return advice(CHECK, where, says, f"name it {port.by_path}, and leave it in that socket")


PORT_CHECKS = (_permission, _holders, _getty, _console, _mini_uart, _latency, _no_number)


def check_meddlers(system: System, table: Table) -> Iterator[Finding]:
    """Programs that try every new serial port (field failures 19, 20)."""
    running = set(system.processes().values())
    vendors = {system.text(name) for name in system.glob("/sys/bus/usb/devices/*/idVendor")}
    serial = any(w.scheme == "serial" for w in table.devices)
    for name, needed in (
        ("ModemManager", serial or not vendors.isdisjoint(ADAPTERS)),
        ("brltty", not vendors.isdisjoint(BRAILLE)),
    ):
        if name in running:
            remedy = f"sudo systemctl mask --now {name}"
            yield mend("programs", name, "is running and takes serial adapters", remedy, needed=needed)
        else:
            yield ok("programs", name, "is not running")


def _last(word: str) -> str:
    return word.rpartition("/")[2]


def _node(system: System, name: str) -> str:
    return system.real(f"/dev/{name}")
