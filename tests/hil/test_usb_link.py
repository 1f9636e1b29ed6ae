"""The USB link's thread: many losses, several devices, closing at any time; at pyusb's backend boundary."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import usb.backend.libusb1 as libusb
from plugs import QUICK, SOON, Ear
from usb_fake import Bus, Device
from usb_shape import Shape

from controller.ports import Lost, Received, Restored
from drivers.links.usb import RETRY

ADDRESS = "usb:1209:0100"
LOSSES = 100
WAYS = [
    libusb.LIBUSB_ERROR_NO_DEVICE,
    libusb.LIBUSB_ERROR_PIPE,
    libusb.LIBUSB_ERROR_IO,
    libusb.LIBUSB_ERROR_OVERFLOW,
]


@pytest.fixture
def bus():
    with Bus(patient=True).installed() as bus:
        yield bus
    assert bus.handles == []
    assert usb_threads() == []


def usb_threads():
    return [thread for thread in threading.enumerate() if thread.name == "usb"]


def test_the_real_pace():
    assert RETRY == 1.0
    assert QUICK[0] < RETRY


async def test_a_hundred_losses_in_mid_traffic(bus):
    """By errors and by pulling; opened in between by one thread only, which is not the loop's."""
    told, heard_in = b"", set()
    async with Ear(ADDRESS) as ear:
        assert (await ear.troubled()).startswith("no USB device 1209:0100")
        for number in range(1, LOSSES + 1):
            device = Device(Shape(address=1 + number % 100), driver=number % 3 == 0)
            bus.plug(device)
            await ear.restored(number)
            assert len(bus.handles) == 1
            packets = [bytes([number, place]) * 8 for place in range(3)]
            told += b"".join(packets)
            bus.say(device, *packets)
            if number % 2:
                bus.say(device, WAYS[number // 2 % len(WAYS)])
                with bus._news:
                    bus.devices.remove(device)
            else:
                bus.pull(device)
            await ear.lost(number)
            heard_in.add(threading.get_ident())
    kinds = [type(signal) for signal in ear.signals if not isinstance(signal, Received)]
    assert kinds == [Restored, Lost] * LOSSES
    assert ear.received == told
    assert ear.link.losses == LOSSES
    times = [signal.at for signal in ear.signals]
    assert times == sorted(times)
    assert len(bus.threads) == 1
    assert bus.threads.isdisjoint(heard_in)


async def test_what_the_host_writes(bus):
    device = Device()
    bus.plug(device)
    async with Ear(ADDRESS) as ear:
        assert not ear.link.write(b"too early")
        await ear.restored()
        assert ear.link.write(b"lock")
        assert ear.link.write(b"unlock")
        bus.say(device, b"\x06")  # ends the read that is going on
        async with asyncio.timeout(SOON):
            while device.written != [b"lock", b"unlock"]:
                await asyncio.sleep(0.001)
        await ear.heard(b"\x06")
        bus.pull(device)
        await ear.lost()
        assert not ear.link.write(b"too late")
    assert not ear.link.write(b"closed")


async def test_two_devices_share_the_thread_and_disturb_each_other_in_nothing(bus):
    one, other = Device(Shape(serial="A")), Device(Shape(serial="B", address=6))
    bus.plug(one)
    bus.plug(other)
    async with Ear(f"{ADDRESS}?serial=A") as shoe, Ear(f"{ADDRESS}?serial=B") as shuffler:
        await asyncio.gather(shoe.restored(), shuffler.restored())
        for number in range(20):
            bus.say(one, bytes([number]))
            if number == 10:
                bus.pull(other)
            await shoe.heard(bytes([number]))
        await shuffler.lost()
        bus.say(one, b"end")
        await shoe.heard(b"end")
        other = Device(Shape(serial="B", address=7))
        bus.plug(other)
        bus.say(other, b"back")
        await shuffler.heard(b"back")
        await shuffler.link.close()
        bus.say(one, b"alone")
        await shoe.heard(b"alone")
    assert shoe.received == bytes(range(20)) + b"endalone"
    assert [type(signal) for signal in shuffler.signals] == [Restored, Lost, Restored, Received]
    assert len(bus.threads) == 1


async def test_a_closed_link_says_nothing_more_and_can_be_opened_again(bus):
    device = Device()
    bus.plug(device)
    ear = Ear(ADDRESS)
    for number in range(1, 11):
        async with ear:
            await ear.restored(number)
        bus.say(device, b"unheard")
        device.reads.clear()
        assert usb_threads() == []
    await asyncio.sleep(0)
    assert [type(signal) for signal in ear.signals] == [Restored] * 10
    await ear.link.close()


async def test_bytes_read_before_closing_are_handed_over(bus):
    device = Device()
    bus.plug(device)
    bus.say(device, *(bytes([number]) * 3 for number in range(50)))
    async with Ear(ADDRESS) as ear:
        await ear.restored()
    read = 150 - sum(map(len, device.reads))
    assert ear.received == b"".join(bytes([number]) * 3 for number in range(50))[:read]


async def test_closing_at_once_leaves_nothing_open(bus):
    bus.plug(Device())
    for _ in range(20):
        async with Ear(ADDRESS) as ear:
            pass
        assert all(isinstance(signal, Restored) for signal in ear.signals)


async def test_one_closes_while_another_opens(bus):
    """The thread that has nothing left to do ends at the moment in which it is wanted again."""
    for letter in "AB":
        bus.plug(Device(Shape(serial=letter, address=ord(letter))))
    bus.patient = False
    link = Ear(f"{ADDRESS}?serial=A")
    link.link.open(link)
    for number in range(200):
        await link.restored()
        other = Ear(f"{ADDRESS}?serial={'BA'[number % 2]}")
        closing = asyncio.create_task(link.link.close())
        for _ in range(number % 8):
            await asyncio.sleep(0)
        other.link.open(other)
        await closing
        assert len(usb_threads()) == 1
        link = other
    await link.restored()
    await link.link.close()


def test_a_loop_that_is_gone_ends_the_thread(bus):
    device = Device()
    bus.plug(device)
    ears = []

    async def forgetful():
        ear = Ear(ADDRESS)
        ear.link.open(ear)
        await ear.restored()
        ears.append(ear)

    asyncio.run(forgetful())
    (thread,) = usb_threads()
    bus.say(device, b"to nobody")
    thread.join(20)
    assert not thread.is_alive()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_fault_of_ours_is_a_loss_too(bus):
    """Better no shoe than one that is believed to be heard."""
    device = Device()
    bus.plug(device)
    async with Ear(ADDRESS) as ear:
        await ear.restored()
        bus.say(device, "nobody knows what this is")
        await ear.lost()
        assert "restart the service" in ear.link.problem
    async with Ear(ADDRESS) as ear:
        await ear.restored()


FORGETFUL = """
import asyncio, sys
from plugs import Ear
from usb_fake import Bus, Device

device = Device(driver=True)
bus = Bus(device, patient=True)

async def main():
    ear = Ear("usb:1209:0100")
    ear.link.open(ear)
    await ear.restored()
    assert not device.driver
    sys.exit("the program fails")

class Exit:
    def __del__(self):
        print(device.calls[-3:], bus.handles)

witness = Exit()
with bus.installed():
    asyncio.run(main())
"""


def test_a_program_that_fails_gives_the_device_back():
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", FORGETFUL],
        env={"PYTHONPATH": f"{here}:{here.parent}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == "the program fails\n"
    assert done.stdout == "['release_interface', 'attach_kernel_driver', 'close_device'] []\n"
