"""One USB device through pyusb, which only this file imports. Call it from one thread (field failure 26)."""

import array
import contextlib
import errno
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import usb.backend.libusb1
import usb.control
import usb.core
import usb.util

from controller.ports import ControllerError
from drivers.links.usb_address import UsbTarget

#: A control transfer's limit; 0 would block for ever (field failure 25).
CONTROL_MS = 200

#: pyusb raises the last three for descriptors that make no sense and for what a system cannot do.
PORT_ERRORS = (usb.core.USBError, NotImplementedError, ValueError, IndexError)

SYSFS = Path("/sys/bus/usb/devices")
MODES = {usb.util.ENDPOINT_TYPE_BULK: "bulk", usb.util.ENDPOINT_TYPE_INTR: "interrupt"}
LANGUAGES = 0  # the string descriptor that lists the languages of the others

REASONS = {
    errno.ENODEV: "it was unplugged or switched off",
    errno.EIO: "transfers to it fail: use a short cable and a powered hub",
    errno.EPIPE: "it refused a transfer (stalled)",
    errno.EOVERFLOW: "it sent more than its descriptors allow",
    errno.ETIMEDOUT: "it does not answer",
    errno.EACCES: (
        'no permission: add the udev rule SUBSYSTEM=="usb", ATTR{{idVendor}}=="{vendor:04x}", '
        'ATTR{{idProduct}}=="{product:04x}", GROUP="table-controller", MODE="0660" and plug it in again'
    ),
}

# Without a handler of their own, pyusb's complaints would go to the terminal at every try.
logging.getLogger("usb").addHandler(logging.NullHandler())


class UsbDeviceError(ControllerError):
    """Why the device cannot be used now. `stalled`: its endpoints are halted until that is cleared."""

    def __init__(self, reason: str, stalled: bool = False) -> None:
        super().__init__(reason)
        self.stalled = stalled


def open_device(target: UsbTarget, unstall: bool = False) -> "UsbDevice":
    """Find and claim the device. Raises UsbDeviceError, and then nothing stays open."""
    with _explained(target):
        device = _find(target)
    opened = UsbDevice(device, target)
    try:
        opened.claim(unstall)
    except UsbDeviceError:
        opened.close()
        raise
    return opened


class UsbDevice:
    """One interface of a device; the handle is open from the first call until `close`."""

    def __init__(self, device: Any, target: UsbTarget) -> None:
        self._device = device
        self._target = target
        self._detached = False
        self._into: Any = None
        self._out: Any = None

    @property
    def writable(self) -> bool:
        """Whether it has an OUT endpoint."""
        return self._out is not None

    def claim(self, unstall: bool = False) -> None:
        """Take the interface from whatever kernel driver has it. Raises UsbDeviceError."""
        number = self._target.interface
        with _explained(self._target):
            configuration = _configuration(self._device)
            self._choose(configuration)
            # Where it cannot be told or done, the claim says who is in the way (field failure 22).
            with contextlib.suppress(*PORT_ERRORS):
                if self._device.is_kernel_driver_active(number):
                    self._device.detach_kernel_driver(number)
                    self._detached = True
            try:
                usb.util.claim_interface(self._device, number)
            except usb.core.USBError as error:
                if error.errno == errno.EBUSY:
                    raise UsbDeviceError(self._holder(configuration.bConfigurationValue)) from None
                raise
            if unstall:
                for endpoint in filter(None, (self._into, self._out)):
                    self._device.clear_halt(endpoint)

    def read(self, timeout: int) -> bytes:
        """One packet; empty after so many milliseconds. Raises UsbDeviceError.

        More at once would be lost with an error behind it: pyusb drops the count of what came before.
        """
        packet = array.array("B", bytes(self._into.wMaxPacketSize & 0x7FF))
        with _explained(self._target):
            try:
                count = self._device.read(self._into, packet, timeout)
            except usb.core.USBTimeoutError:
                return b""
        return packet[:count].tobytes()

    def write(self, data: bytes, timeout: int) -> int:
        """How many bytes it took within so many milliseconds. Raises UsbDeviceError."""
        with _explained(self._target):
            try:
                return int(self._device.write(self._out, data, timeout))
            except usb.core.USBTimeoutError:
                return 0

    def close(self) -> None:
        """Give the interface back to the kernel driver that had it, and the handle up."""
        number = self._target.interface
        with contextlib.suppress(*PORT_ERRORS):
            usb.util.release_interface(self._device, number)
        if self._detached:
            with contextlib.suppress(*PORT_ERRORS):
                self._device.attach_kernel_driver(number)
        with contextlib.suppress(*PORT_ERRORS):
            usb.util.dispose_resources(self._device)

    def _choose(self, configuration: Any) -> None:
        target = self._target
        interface = usb.util.find_descriptor(
            configuration, bInterfaceNumber=target.interface, bAlternateSetting=0
        )
        if interface is None:
            there = ", ".join(sorted({str(one.bInterfaceNumber) for one in configuration}))
            raise UsbDeviceError(f"it has no interface {target.interface}, only {there}")
        self._into = _endpoint(interface, target, usb.util.ENDPOINT_IN, target.endpoint_in)
        self._out = _endpoint(interface, target, usb.util.ENDPOINT_OUT, target.endpoint_out)
        if self._into is None:
            raise UsbDeviceError(f"interface {target.interface} has no {_wanted(target)} IN endpoint")

    def _holder(self, configuration: int) -> str:
        device, number = self._device, self._target.interface
        ports = ".".join(str(port) for port in device.port_numbers or ())
        place = f"{device.bus}-{ports}:{configuration}.{number}"
        try:
            driver = (SYSFS / place / "driver").readlink().name
        except OSError:
            driver = "usbfs"
        if driver == "usbfs":
            return f"interface {number} is in use by another program: stop it, or replug the device"
        return (
            f"interface {number} is held by the kernel driver {driver}: "
            f"write {place} to /sys/bus/usb/drivers/{driver}/unbind"
        )


def _find(target: UsbTarget) -> Any:
    backend = usb.backend.libusb1.get_backend()
    if backend is None:
        raise UsbDeviceError("libusb is not installed: apt-get install libusb-1.0-0")
    found = list(
        usb.core.find(find_all=True, backend=backend, idVendor=target.vendor, idProduct=target.product)
    )
    for device in found:
        device.default_timeout = CONTROL_MS
    if not found:
        raise UsbDeviceError(f"no USB device {target.name}: is it plugged in and switched on?")
    if target.serial is not None:
        return _by_serial(found, target)
    if len(found) > 1:
        raise UsbDeviceError(
            f"{len(found)} USB devices {target.name}: add ?serial= to the address "
            f"(`lsusb -v -d {target.name}` shows iSerial)"
        )
    return found[0]


def _by_serial(found: Iterable[Any], target: UsbTarget) -> Any:
    """The device with the serial number; the handles of the others are closed."""
    fitting: list[Any] = []
    others: list[str] = []
    for device in found:
        try:
            with _explained(target):
                serial = _serial(device)
        except UsbDeviceError as trouble:
            serial = f"one that cannot be read ({trouble})"
        if serial == target.serial:
            fitting.append(device)
            continue
        usb.util.dispose_resources(device)
        others.append(serial or "none")
    if len(fitting) == 1:
        return fitting[0]
    for device in fitting:
        usb.util.dispose_resources(device)
    if fitting:
        raise UsbDeviceError(
            f"{len(fitting)} USB devices {target.name} have the serial number {target.serial}: "
            "which is which cannot be told; unplug all but one"
        )
    raise UsbDeviceError(
        f"no USB device {target.name} with serial number {target.serial}, only {', '.join(others)}"
    )


def _serial(device: Any) -> str:
    # pyusb's own property hides why it cannot read: a missing permission looks like a missing language.
    if not device.iSerialNumber:
        return ""
    table = usb.control.get_descriptor(device, 254, usb.util.DESC_TYPE_STRING, LANGUAGES)
    language = int.from_bytes(table[2:4], "little")
    return str(usb.util.get_string(device, device.iSerialNumber, language))


def _configuration(device: Any) -> Any:
    """The active configuration; a device that has none gets its first. Setting it anew would reset it."""
    try:
        return device.get_active_configuration()
    except usb.core.USBError as error:
        if error.backend_error_code is not None:
            raise
    device.set_configuration()
    return device.get_active_configuration()


def _endpoint(interface: Any, target: UsbTarget, direction: int, address: int | None) -> Any:
    """The endpoint at `address`, else the first that carries bytes; None where there is none."""
    for endpoint in interface:
        mode = MODES.get(usb.util.endpoint_type(endpoint.bmAttributes))
        if address is None:
            if (
                usb.util.endpoint_direction(endpoint.bEndpointAddress) == direction
                and mode
                and target.mode in (None, mode)
            ):
                return endpoint
        elif endpoint.bEndpointAddress == address:
            if mode is None or target.mode not in (None, mode):
                raise UsbDeviceError(f"endpoint 0x{address:02x} is no {_wanted(target)} endpoint")
            return endpoint
    if address is not None:
        there = ", ".join(f"0x{one.bEndpointAddress:02x}" for one in interface)
        raise UsbDeviceError(
            f"interface {target.interface} has no endpoint 0x{address:02x}, only {there or 'none'}"
        )
    return None


def _wanted(target: UsbTarget) -> str:
    return target.mode or "bulk or interrupt"


@contextlib.contextmanager
def _explained(target: UsbTarget) -> Iterator[None]:
    """Turns what pyusb raises into a UsbDeviceError."""
    try:
        yield
    except PORT_ERRORS as error:
        number = getattr(error, "errno", None)
        text = REASONS.get(number or 0, f"libusb says: {error}")
        reason = text.format(vendor=target.vendor, product=target.product)
        raise UsbDeviceError(reason, stalled=number == errno.EPIPE) from error
