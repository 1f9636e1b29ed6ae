"""Writes what umockdev replays: a device's description and its traffic as usbmon would have recorded it.

A capture of a real device replays in the same way. With the device at, say, bus 1, device 5:

    umockdev-record /dev/bus/usb/001/005 > shoe.umockdev
    modprobe usbmon && tcpdump -i usbmon1 -w shoe.pcap      # while `tablectl run` has the device
    umockdev-run -d shoe.umockdev -p /sys/devices/.../usb1/1-1=shoe.pcap -- tablectl run -c table.toml

The device must be recorded while this product reads it: a replayed read must ask for as many bytes as the
recorded one did. Replay keeps the order of the transfers, not their times, and waits for a recorded write
until the host writes the same bytes. Other devices on the bus may be in the file.

The format: pcap, link type 220, 64 bytes of header before each event; the kernel's
Documentation/usb/usbmon.rst describes the header.
"""

import struct
from dataclasses import dataclass

from usb_shape import INTERRUPT

FILE = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0x40000, 220)
EVENT = struct.Struct("<QBBBBHBBqiiII8siiII")
IN_PROGRESS = -115
TYPES = {"interrupt": 1, "control": 2, "bulk": 3}
GET_DESCRIPTOR = 6
ASKED = 254  # bytes that pyusb asks for when it reads a string


@dataclass(frozen=True)
class Transfer:
    """`data`: what was read or written; `status`: 0, or what the kernel gave instead, as -ENODEV."""

    at: float
    endpoint: int
    data: bytes = b""
    status: int = 0
    setup: bytes = b""


def strings(shape, at=0.0):
    """A host reads the serial number: first the languages there are, then the text."""
    return [
        Transfer(
            at,
            0x80,
            shape.strings[number],
            setup=struct.pack("<BBBBHH", 0x80, GET_DESCRIPTOR, number, 3, language, ASKED),
        )
        for number, language in ((0, 0), (2, 0x0409))
    ]


def dealt(shape, shoe, commands=()):
    """Everything a simulated shoe sends until it is finished, cut into packets.

    `commands`: (after so many writes of the shoe, bytes from the host).
    """
    transfers, told = [], 0
    waiting = dict(commands)
    while (at := shoe.next_at()) is not None:
        for data in shoe.advance(at):
            for start in range(0, len(data), shape.packet):
                transfers.append(Transfer(at, shape.into, data[start : start + shape.packet]))
            told += 1
            if command := waiting.pop(told, None):
                transfers.append(Transfer(at, shape.out, command))
                shoe.receive(command, at)
    return transfers


def pcap(shape, transfers):
    """The capture file."""
    events = []
    for number, transfer in enumerate(transfers, 1):
        events += _events(shape, number, transfer)
    return FILE + b"".join(events)


def _events(shape, number, transfer):
    """A submission and its completion."""
    inward = bool(transfer.endpoint & 0x80)
    kind = "control" if transfer.setup else "interrupt" if shape.mode == INTERRUPT else "bulk"
    asked = len(transfer.data)
    if inward:
        asked = ASKED if transfer.setup else shape.packet
    one = (shape, number, kind, transfer)
    yield _event(*one, "S", IN_PROGRESS, asked, b"" if inward else transfer.data)
    yield _event(*one, "C", transfer.status, len(transfer.data), transfer.data if inward else b"")


def _event(shape, number, kind, transfer, event, status, length, data):
    seconds, fraction = divmod(transfer.at, 1)
    header = EVENT.pack(
        number,
        ord(event),
        TYPES[kind],
        transfer.endpoint,
        shape.address,
        shape.bus,
        0 if transfer.setup and event == "S" else ord("-"),
        0 if data else ord("<" if transfer.endpoint & 0x80 else ">"),
        int(seconds),
        int(fraction * 1e6),
        status,
        length,
        len(data),
        transfer.setup if event == "S" else b"",
        0,
        0,
        0,
        0,
    )
    size = len(header) + len(data)
    return struct.pack("<IIII", int(seconds), int(fraction * 1e6), size, size) + header + data


def description(shape):
    """The device and the hub it hangs on, as `umockdev-record` writes them."""
    return hub(shape) + device(shape)


def hub(shape):
    """The description of the bus's root hub."""
    raw = bytes.fromhex(
        "12010002090001406B1D020012050302010109021900010100E0000904000001090000000705810304000C"
    )
    return _described(shape.bus, 1, _hub(shape), raw, 0x1D6B, 2)


def device(shape):
    """The description of the device."""
    raw = shape.descriptors()
    return _described(shape.bus, shape.address, place(shape), raw, shape.vendor, shape.product)


def place(shape):
    """Its path under /sys."""
    return f"{_hub(shape)}/{shape.bus}-{shape.port}"


def _hub(shape):
    return f"/devices/pci0000:00/0000:00:14.0/usb{shape.bus}"


def _described(bus, address, path, descriptors, vendor, product):
    return f"""\
P: {path}
N: bus/usb/{bus:03}/{address:03}={descriptors.hex().upper()}
E: DEVNAME=/dev/bus/usb/{bus:03}/{address:03}
E: DEVTYPE=usb_device
E: DRIVER=usb
E: PRODUCT={vendor:x}/{product:x}/100
E: BUSNUM={bus:03}
E: DEVNUM={address:03}
E: MAJOR=189
E: MINOR={address - 1}
E: SUBSYSTEM=usb
A: bConfigurationValue=1
A: busnum={bus}
A: dev=189:{address - 1}
A: devnum={address}
H: descriptors={descriptors.hex().upper()}
A: idProduct={product:04x}
A: idVendor={vendor:04x}
A: speed=12

"""
