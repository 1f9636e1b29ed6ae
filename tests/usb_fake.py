"""A bus behind pyusb in place of libusb: the same calls, the same errors, and it can be made to fail."""

import contextlib
import struct
import threading
from collections import deque
from types import SimpleNamespace
from unittest import mock

import usb.backend
import usb.backend.libusb1 as libusb
from usb_shape import CONFIGURATION, Shape

OK = 0
UNCONFIGURED = 0


class Device:
    """A plugged-in device. `reads`: packets, and libusb's error codes, in order; then it has nothing to say.

    `fail`: by the name of a call, the codes with which its next ones fail. `takes`: how many bytes a write
    may have before it times out; None: any.
    """

    def __init__(self, shape=None, *, driver=False, configuration=CONFIGURATION):
        self.shape = shape or Shape()
        self.driver = driver
        self.configuration = configuration
        self.claimed = None
        self.halted = False
        self.reads = deque()
        self.written = []
        self.takes = None
        self.fail = {}
        self.calls = []


class Handle:
    def __init__(self, device):
        self.device = device


class Bus(usb.backend.IBackend):
    """`patient`: a read without data waits for its time-out, else it is over at once."""

    def __init__(self, *devices, patient=False):
        super().__init__()
        self.devices = list(devices)
        self.handles = []
        self.threads = set()
        self._news = threading.Condition()
        self.patient = patient

    @contextlib.contextmanager
    def installed(self):
        """What pyusb finds meanwhile."""
        with mock.patch.object(libusb, "get_backend", lambda: self):
            yield self

    def plug(self, device):
        with self._news:
            self.devices.append(device)
            self._news.notify_all()

    def pull(self, device):
        """Whatever is done to the device from now on fails; what it has said is still there to be read."""
        with self._news:
            self.devices.remove(device)
            self._news.notify_all()

    def say(self, device, *packets):
        """The device has packets, or errors, for the host."""
        with self._news:
            device.reads.extend(packets)
            self._news.notify_all()

    # -- descriptors --------------------------------------------------------------------------------------

    def enumerate_devices(self):
        self.threads.add(threading.get_ident())
        return iter(list(self.devices))

    def get_parent(self, device):
        return None

    def get_device_descriptor(self, device):
        names = (
            "bLength bDescriptorType bcdUSB bDeviceClass bDeviceSubClass bDeviceProtocol bMaxPacketSize0 "
            "idVendor idProduct bcdDevice iManufacturer iProduct iSerialNumber bNumConfigurations"
        )
        raw = device.shape.descriptors()[:18]
        return SimpleNamespace(
            **dict(zip(names.split(), struct.unpack("<BBHBBBBHHHBBBB", raw), strict=True)),
            bus=device.shape.bus,
            address=device.shape.address,
            port_number=device.shape.port,
            port_numbers=(device.shape.port,),
            speed=2,
        )

    def get_configuration_descriptor(self, device, index):
        names = (
            "bLength bDescriptorType wTotalLength bNumInterfaces bConfigurationValue iConfiguration "
            "bmAttributes bMaxPower"
        )
        values = struct.unpack_from("<BBHBBBBB", device.shape.descriptors(), 18)
        return SimpleNamespace(**dict(zip(names.split(), values, strict=True)), extra_descriptors=[])

    def get_interface_descriptor(self, device, index, alternate, configuration):
        if index or alternate:
            raise IndexError("no such interface")
        names = (
            "bLength bDescriptorType bInterfaceNumber bAlternateSetting bNumEndpoints bInterfaceClass "
            "bInterfaceSubClass bInterfaceProtocol iInterface"
        )
        values = struct.unpack_from("<9B", device.shape.descriptors(), 27)
        return SimpleNamespace(**dict(zip(names.split(), values, strict=True)), extra_descriptors=[])

    def get_endpoint_descriptor(self, device, index, interface, alternate, configuration):
        names = "bLength bDescriptorType bEndpointAddress bmAttributes wMaxPacketSize bInterval"
        values = struct.unpack_from("<BBBBHB", device.shape.descriptors(), 36 + 7 * index)
        return SimpleNamespace(
            **dict(zip(names.split(), values, strict=True)), bRefresh=0, bSynchAddress=0, extra_descriptors=[]
        )

    # -- handles ------------------------------------------------------------------------------------------

    def open_device(self, device):
        self._called(device, "open_device")
        handle = Handle(device)
        self.handles.append(handle)
        return handle

    def close_device(self, handle):
        handle.device.calls.append("close_device")
        self.handles.remove(handle)
        if handle.device.claimed is handle:
            handle.device.claimed = None

    def get_configuration(self, handle):
        self._called(handle.device, "get_configuration")
        return handle.device.configuration

    def set_configuration(self, handle, value):
        self._called(handle.device, "set_configuration")
        handle.device.configuration = value

    def is_kernel_driver_active(self, handle, interface):
        self._called(handle.device, "is_kernel_driver_active")
        return handle.device.driver

    def detach_kernel_driver(self, handle, interface):
        self._called(handle.device, "detach_kernel_driver")
        handle.device.driver = False

    def attach_kernel_driver(self, handle, interface):
        self._called(handle.device, "attach_kernel_driver")
        handle.device.driver = True

    def claim_interface(self, handle, interface):
        self._called(handle.device, "claim_interface")
        if handle.device.driver or handle.device.claimed:
            libusb._check(libusb.LIBUSB_ERROR_BUSY)
        handle.device.claimed = handle

    def release_interface(self, handle, interface):
        self._called(handle.device, "release_interface")
        handle.device.claimed = None

    def clear_halt(self, handle, endpoint):
        self._called(handle.device, "clear_halt")
        handle.device.halted = False

    # -- transfers ----------------------------------------------------------------------------------------

    def ctrl_transfer(self, handle, kind, request, value, index, data, timeout):
        self._called(handle.device, "ctrl_transfer")
        assert timeout > 0
        text = handle.device.shape.strings.get(value & 0xFF)
        if text is None:
            libusb._check(libusb.LIBUSB_ERROR_PIPE)
        data[: len(text)] = type(data)("B", text)
        return len(text)

    def bulk_read(self, handle, endpoint, interface, buffer, timeout):
        """As libusb reads: packet after packet, until the buffer is full, one is short or one fails."""
        assert timeout > 0
        device = handle.device
        assert device.claimed is handle
        got = b""
        while True:
            code, packet = self._next(device, timeout)
            if code == libusb.LIBUSB_ERROR_TIMEOUT and got:
                break
            libusb._check(code)  # pyusb raises here, and what was got before is lost
            got += packet
            if len(packet) < device.shape.packet or len(got) >= len(buffer):
                break
        buffer[: len(got)] = type(buffer)("B", got)
        return len(got)

    def bulk_write(self, handle, endpoint, interface, data, timeout):
        self._called(handle.device, "bulk_write")
        assert timeout > 0
        assert handle.device.claimed is handle
        taken = data.tobytes()[: handle.device.takes]
        if data and not taken:
            libusb._check(libusb.LIBUSB_ERROR_TIMEOUT)
        handle.device.written.append(taken)
        return len(taken)

    intr_read, intr_write = bulk_read, bulk_write

    def _next(self, device, timeout):
        self.threads.add(threading.get_ident())
        with self._news:
            if self.patient:
                self._news.wait_for(lambda: device.reads or device not in self.devices, timeout / 1000)
            if device.halted:
                return libusb.LIBUSB_ERROR_PIPE, b""
            if not device.reads:
                away = device not in self.devices
                return libusb.LIBUSB_ERROR_NO_DEVICE if away else libusb.LIBUSB_ERROR_TIMEOUT, b""
            said = device.reads.popleft()
        if isinstance(said, bytes):
            return OK, said
        device.halted = said == libusb.LIBUSB_ERROR_PIPE
        return said, b""

    def _called(self, device, name):
        self.threads.add(threading.get_ident())
        device.calls.append(name)
        if codes := device.fail.get(name):
            libusb._check(codes.pop(0))
        if device not in self.devices:
            libusb._check(libusb.LIBUSB_ERROR_NO_DEVICE)
