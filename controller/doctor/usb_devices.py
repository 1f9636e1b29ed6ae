"""USB devices: what is plugged in, how a link names it, who may use it, and adapters without a port."""

from collections.abc import Iterator
from typing import NamedTuple

from controller.doctor.findings import Finding, Table, Wanted, mend, ok
from controller.doctor.serial_ports import ADAPTERS, ports, users
from controller.doctor.system import System

CHECK = "usb"
HUB = "09"  # class of a device
FIELDS = (
    "bDeviceClass", "busnum", "devnum", "idProduct", "idVendor", "manufacturer", "product", "serial",
)  # fmt: skip


class Usb(NamedTuple):
    """`folder`: in /sys."""

    folder: str
    vendor: str
    product: str
    serial: str
    title: str
    node: str

    @property
    def identity(self) -> str:
        """As lsusb writes it."""
        return f"{self.vendor}:{self.product}"

    @property
    def link(self) -> str:
        """The address for table.toml."""
        return f"usb:{self.identity}" + (f"?serial={self.serial}" if self.serial else "")


def usb_devices(system: System) -> list[Usb]:
    """Every device but the hubs."""
    found = []
    for name in system.glob("/sys/bus/usb/devices/*/idVendor"):
        folder = name.rpartition("/")[0]
        told = {field: system.text(f"{folder}/{field}") for field in FIELDS}
        if told["bDeviceClass"] == HUB:
            continue
        title = f"{told['manufacturer']} {told['product']}".strip() or "unnamed"
        number, device = (int(told[field] or 0) for field in ("busnum", "devnum"))
        node = f"/dev/bus/usb/{number:03}/{device:03}"
        found.append(
            Usb(system.real(folder), told["idVendor"], told["idProduct"], told["serial"], title, node)
        )
    return found


def check_usb(system: System, table: Table) -> Iterator[Finding]:
    """Every device, then the table's that are not there."""
    found = usb_devices(system)
    serial = {port.usb for port in ports(system)}
    wanted = [w for w in table.devices if w.scheme == "usb"]
    for device in found:
        used = next((w for w in wanted if _is(w, device)), None)
        if used:
            yield _usable(system, used, device)
        elif device.vendor in ADAPTERS and device.folder not in serial:
            says = f"{device.title}: a serial adapter ({ADAPTERS[device.vendor]}) without a port"
            remedy = "see whether brltty took it (below), else load its module: sudo modprobe usbserial"
            yield mend(CHECK, device.identity, says, remedy, needed=not table.is_known)
        else:
            port = next((p.name for p in ports(system) if p.usb == device.folder), "")
            yield ok(CHECK, device.link, device.title + (f", the port {port}" if port else ""))
    for missing in wanted:
        if not any(_is(missing, device) for device in found):
            known = ", ".join(device.link for device in found) or "none at all"
            says = f"{missing.link} is not there"
            yield mend(CHECK, missing.name, says, f"plug it in, or name one that is: {known}")


def _is(wanted: Wanted, device: Usb) -> bool:
    _, _, asked = wanted.link.partition("serial=")
    return wanted.place.lower() == device.identity and asked.partition("&")[0] in ("", device.serial)


def _usable(system: System, wanted: Wanted, device: Usb) -> Finding:
    owned = system.owned(device.node)
    shut = [who.name for who in users(system) if owned and not who.may_use(owned)]
    if not shut:
        return ok(CHECK, wanted.name, f"{device.title} is there")
    match = f'ATTR{{idVendor}}=="{device.vendor}", ATTR{{idProduct}}=="{device.product}"'
    rule = f'SUBSYSTEM=="usb", {match}, GROUP="table-controller", MODE="0660"'
    remedy = f"{rule} in /etc/udev/rules.d/60-table.rules; then plug it again"
    return mend(CHECK, wanted.name, f"{' and '.join(shut)} may not use {device.title}", remedy)
