"""What is done for one USB device, step by step: at pyusb's backend boundary, with libusb's errors."""

import pytest
import usb.backend.libusb1 as libusb
from hypothesis import given
from hypothesis import strategies as st
from usb_fake import Bus, Device
from usb_shape import INTERRUPT, Shape

from controller.ports import Lost, Received, Restored
from controller.runtime.clock import HandClock
from drivers.links import usb_device
from drivers.links.address import parse
from drivers.links.usb_thread import Keeper

NO_DEVICE, IO, PIPE = libusb.LIBUSB_ERROR_NO_DEVICE, libusb.LIBUSB_ERROR_IO, libusb.LIBUSB_ERROR_PIPE
BUSY, ACCESS, TIMEOUT = libusb.LIBUSB_ERROR_BUSY, libusb.LIBUSB_ERROR_ACCESS, libusb.LIBUSB_ERROR_TIMEOUT
OTHER, NOT_SUPPORTED = libusb.LIBUSB_ERROR_OTHER, libusb.LIBUSB_ERROR_NOT_SUPPORTED
ERRORS = [
    IO,
    libusb.LIBUSB_ERROR_INVALID_PARAM,
    NO_DEVICE,
    libusb.LIBUSB_ERROR_NOT_FOUND,
    BUSY,
    libusb.LIBUSB_ERROR_OVERFLOW,
    PIPE,
    libusb.LIBUSB_ERROR_INTERRUPTED,
    libusb.LIBUSB_ERROR_NO_MEM,
    NOT_SUPPORTED,
    OTHER,
]
RETRY = 1.0


class Hand:
    """Turns a keeper by hand, and keeps what it tells."""

    def __init__(self, bus, query=""):
        self.bus = bus
        self.clock = HandClock()
        self.news = []
        self.keeper = Keeper(parse(f"usb:1209:0100{query}").usb, self.clock, RETRY, self.news.append)
        self.now = 100.0

    def turn(self, times=1):
        """So many turns, each when it is due; the last pause."""
        with self.bus.installed():
            for _ in range(times):
                pause = self.keeper.turn(self.now, 200)
                self.now += pause
        return pause

    def opened(self):
        self.turn()
        assert [type(signal) for signal in self.signals] == [Restored]
        return self.news[-1].outbox

    @property
    def signals(self):
        return [news.signal for news in self.news if news.signal]

    @property
    def received(self):
        return b"".join(signal.data for signal in self.signals if isinstance(signal, Received))

    @property
    def problem(self):
        return self.news[-1].problem

    def kinds(self):
        return [type(signal) for signal in self.signals]


# -- opening ----------------------------------------------------------------------------------------------


def test_a_configured_device_is_not_configured_again():
    device = Device()
    hand = Hand(Bus(device))
    hand.opened()
    assert "set_configuration" not in device.calls
    assert device.calls[-1] == "claim_interface"


def test_an_unconfigured_device_is_configured():
    device = Device(configuration=0)
    hand = Hand(Bus(device))
    hand.opened()
    assert device.calls.count("set_configuration") == 1


def test_a_kernel_driver_is_detached_and_comes_back():
    device = Device(driver=True)
    hand = Hand(Bus(device))
    hand.opened()
    assert not device.driver
    hand.keeper.close()
    assert device.calls[-3:] == ["release_interface", "attach_kernel_driver", "close_device"]
    assert device.driver


def test_no_driver_is_attached_where_there_was_none():
    device = Device()
    hand = Hand(Bus(device))
    hand.opened()
    hand.keeper.close()
    assert device.calls[-2:] == ["release_interface", "close_device"]


@pytest.mark.parametrize("code", [OTHER, NOT_SUPPORTED])
def test_a_system_that_does_not_know_of_kernel_drivers_is_no_obstacle(code):
    device = Device()
    device.fail["is_kernel_driver_active"] = [code]
    Hand(Bus(device)).opened()


def test_the_serial_number_chooses():
    wrong, right, nameless = (
        Device(Shape(serial="A")),
        Device(Shape(serial="B", address=6)),
        Device(Shape(serial="")),
    )
    bus = Bus(wrong, nameless, right)
    hand = Hand(bus, "?serial=B")
    hand.opened()
    assert right.claimed
    assert [handle.device for handle in bus.handles] == [right]


def test_a_device_that_cannot_be_asked_does_not_hide_another():
    mute, right = Device(Shape(serial="A")), Device(Shape(serial="B", address=6))
    mute.fail["ctrl_transfer"] = [IO]
    hand = Hand(Bus(mute, right), "?serial=B")
    hand.opened()
    assert right.claimed


@pytest.mark.parametrize(
    ("shape", "query"),
    [
        (Shape(mode=INTERRUPT, into=0x83, out=0x04), ""),
        (Shape(mode=INTERRUPT, into=0x83, out=0x04), "?in=0x83&out=0x04&mode=interrupt"),
        (Shape(), "?mode=bulk&interface=0"),
        (Shape(interface=4), "?interface=4"),
    ],
)
def test_endpoints_and_mode(shape, query):
    device = Device(shape)
    hand = Hand(Bus(device), query)
    assert hand.opened().put(b"command")
    hand.bus.say(device, b"report")
    hand.turn()
    assert hand.received == b"report"
    assert device.written == [b"command"]


def test_a_device_without_an_out_endpoint_takes_nothing():
    assert Hand(Bus(Device(Shape(out=0)))).opened() is None


# -- what keeps it from opening: one line for a person ----------------------------------------------------


def refused(bus, query="", tries=3):
    """The problem, after some tries, each of which left nothing open."""
    hand = Hand(bus, query)
    problems = set()
    for _ in range(tries):
        assert hand.turn() == RETRY
        problems.add(hand.problem)
        assert bus.handles == []
    assert hand.signals == []
    (problem,) = problems
    assert "\n" not in problem
    return problem


def test_nothing_is_plugged_in():
    assert refused(Bus()) == "no USB device 1209:0100: is it plugged in and switched on?"
    assert refused(Bus(Device(Shape(product=0x0200)))).startswith("no USB device 1209:0100")


def test_two_that_fit():
    problem = refused(Bus(Device(), Device(Shape(serial="AE-0043", address=6))))
    assert problem.startswith("2 USB devices 1209:0100: add ?serial= to the address")


def test_two_with_one_serial_number_are_not_told_apart_by_chance():
    bus = Bus(Device(), Device(Shape(address=6)), Device(Shape(serial="B", address=7)))
    problem = refused(bus, "?serial=AE-0042")
    assert problem.startswith("2 USB devices 1209:0100 have the serial number AE-0042: which is which")
    assert not bus.handles


def test_another_serial_number():
    bus = Bus(Device(), Device(Shape(serial="", address=6)))
    assert refused(bus, "?serial=X") == "no USB device 1209:0100 with serial number X, only AE-0042, none"


@pytest.mark.parametrize("query", ["", "?serial=AE-0042"])
def test_no_permission_gives_the_udev_rule(query):
    device = Device()
    device.fail["open_device"] = [ACCESS] * 9
    assert (
        'no permission: add the udev rule SUBSYSTEM=="usb", ATTR{idVendor}=="1209", '
        'ATTR{idProduct}=="0100", GROUP="table-controller", MODE="0660" and plug it in again'
    ) in refused(Bus(device), query)


@pytest.mark.parametrize(
    ("driver", "words"),
    [
        (
            "usbhid",
            "interface 0 is held by the kernel driver usbhid: "
            "write 1-1:1.0 to /sys/bus/usb/drivers/usbhid/unbind",
        ),
        ("usbfs", "interface 0 is in use by another program: stop it, or replug the device"),
        (None, "interface 0 is in use by another program: stop it, or replug the device"),
    ],
)
def test_busy_names_the_holder(driver, words, tmp_path, monkeypatch):
    monkeypatch.setattr(usb_device, "SYSFS", tmp_path)
    if driver:
        (tmp_path / "1-1:1.0").mkdir()
        (tmp_path / "1-1:1.0" / "driver").symlink_to(f"../../bus/usb/drivers/{driver}")
    device = Device(driver=True)
    device.fail["detach_kernel_driver"] = [ACCESS] * 9
    assert refused(Bus(device)) == words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?interface=1", "it has no interface 1, only 0"),
        ("?in=0x83", "interface 0 has no endpoint 0x83, only 0x81, 0x02"),
        ("?out=0x03", "interface 0 has no endpoint 0x03, only 0x81, 0x02"),
        ("?mode=interrupt", "interface 0 has no interrupt IN endpoint"),
        ("?mode=interrupt&in=0x81", "endpoint 0x81 is no interrupt endpoint"),
    ],
)
def test_an_address_that_does_not_fit_the_device(query, words):
    assert refused(Bus(Device()), query) == words


def test_an_isochronous_endpoint_carries_no_bytes():
    problem = refused(Bus(Device(Shape(mode=1))))
    assert problem == "interface 0 has no bulk or interrupt IN endpoint"


def test_libusb_is_not_installed(monkeypatch):
    monkeypatch.setattr(libusb, "get_backend", lambda: None)
    news = []
    keeper = Keeper(parse("usb:1209:0100").usb, HandClock(), RETRY, news.append)
    keeper.turn(0.0, 200)
    assert news[-1].problem == "libusb is not installed: apt-get install libusb-1.0-0"


@pytest.mark.parametrize("call", ["open_device", "get_configuration", "claim_interface"])
@pytest.mark.parametrize("code", ERRORS)
def test_any_error_while_opening_is_a_problem_and_the_next_try_opens(call, code):
    device = Device()
    device.fail[call] = [code]
    bus = Bus(device)
    hand = Hand(bus)
    assert hand.turn() == RETRY
    assert hand.problem
    assert bus.handles == []
    hand.opened()
    assert hand.problem is None


def test_it_looks_once_a_second_while_the_device_is_away():
    bus = Bus()
    hand = Hand(bus)
    hand.turn()
    with bus.installed():
        assert hand.keeper.turn(hand.now - 0.75, 200) == pytest.approx(0.75)
        bus.plug(Device())
        assert hand.keeper.turn(hand.now - 0.25, 200) == pytest.approx(0.25)
    assert hand.signals == []
    hand.opened()


# -- losing it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ERRORS)
def test_any_error_but_a_time_out_is_one_loss_with_a_new_device_object(code):
    device = Device()
    bus = Bus(device)
    hand = Hand(bus)
    hand.opened()
    (first,) = bus.handles
    bus.say(device, b"before", code, b"after")
    hand.clock.at = 7.0
    assert hand.turn(2) == RETRY
    assert hand.signals[1:] == [Received(at=7.0, data=b"before"), Lost(at=7.0)]
    assert hand.problem
    assert bus.handles == []
    hand.turn(2)
    assert hand.kinds() == [Restored, Received, Lost, Restored, Received]
    assert hand.received == b"beforeafter"
    assert bus.handles != [first]


def test_time_outs_are_the_normal_idle():
    device = Device()
    hand = Hand(Bus(device))
    hand.opened()
    hand.bus.say(device, TIMEOUT, TIMEOUT, b"")
    assert hand.turn(10) == 0.0
    assert hand.kinds() == [Restored]


def test_a_stall_is_cleared_when_the_device_is_opened_again():
    device = Device()
    hand = Hand(Bus(device))
    hand.opened()
    assert "clear_halt" not in device.calls
    hand.bus.say(device, PIPE, b"after")
    hand.turn(3)
    assert device.calls.count("clear_halt") == 2
    assert hand.received == b"after"
    hand.bus.say(device, IO, b"again")
    hand.turn(3)
    assert device.calls.count("clear_halt") == 2
    assert hand.received == b"afteragain"


def test_a_device_that_leaves_with_its_driver_detached_closes_quietly():
    device = Device(driver=True)
    bus = Bus(device)
    hand = Hand(bus)
    hand.opened()
    bus.pull(device)
    hand.turn()
    assert hand.kinds() == [Restored, Lost]
    assert hand.problem == "it was unplugged or switched off"
    assert bus.handles == []


# -- writing ----------------------------------------------------------------------------------------------


def test_each_write_is_a_transfer_of_its_own_in_order():
    device = Device()
    hand = Hand(Bus(device))
    outbox = hand.opened()
    assert all(outbox.put(data) for data in (b"one", b"", b"two", b"x" * 200))
    hand.turn()
    assert device.written == [b"one", b"two", b"x" * 200]


def test_a_device_that_takes_little_gets_the_rest_later_and_is_read_meanwhile():
    device = Device()
    device.takes = 3
    hand = Hand(Bus(device))
    outbox = hand.opened()
    outbox.put(b"12345678")
    hand.bus.say(device, b"a", b"b", b"c")
    hand.turn(2)
    device.takes = 0
    hand.turn(5)
    assert hand.received == b"abc"
    assert device.written == [b"123", b"456"]
    device.takes = None
    hand.turn()
    assert device.written == [b"123", b"456", b"78"]


def test_a_full_outbox_says_so_and_empties():
    device = Device()
    device.takes = 0
    hand = Hand(Bus(device))
    outbox = hand.opened()
    while outbox.put(bytes(4096)):
        pass
    device.takes = None
    hand.turn()
    assert sum(map(len, device.written)) == 65536
    assert outbox.put(bytes(4096))


def test_a_device_that_takes_nothing_is_lost_and_gets_nothing_late():
    device = Device()
    device.takes = 0
    hand = Hand(Bus(device))
    hand.opened().put(b"clear")
    for _ in range(3):
        hand.turn()
        hand.now += 1.0
    assert hand.kinds() == [Restored]
    hand.turn()
    assert hand.kinds() == [Restored, Lost]
    assert hand.problem == "it has taken nothing for 3 s: switch it off and on"
    device.takes = None
    hand.turn(3)
    assert hand.kinds() == [Restored, Lost, Restored]
    assert device.written == []


def test_a_slow_device_is_not_lost():
    device = Device()
    device.takes = 1
    hand = Hand(Bus(device))
    hand.opened().put(b"12345678")
    for _ in range(10):
        hand.turn()
        hand.now += 1.0
    assert hand.kinds() == [Restored]
    assert device.written == [bytes([one]) for one in b"12345678"]


def test_what_was_not_written_before_a_loss_is_never_written():
    device = Device()
    device.takes = 0
    hand = Hand(Bus(device))
    before = hand.opened()
    before.put(b"stale")
    hand.bus.say(device, IO)
    hand.turn(2)
    device.takes = None
    assert before.put(b"put by somebody who has not heard of the loss")
    after = hand.news[-1].outbox
    after.put(b"fresh")
    hand.turn()
    assert device.written == [b"fresh"]


def test_an_error_while_writing_is_a_loss():
    device = Device()
    device.fail["bulk_write"] = [NO_DEVICE]
    hand = Hand(Bus(device))
    hand.opened().put(b"command")
    hand.turn()
    assert hand.kinds() == [Restored, Lost]


# -- anything ---------------------------------------------------------------------------------------------

SAID = st.lists(
    st.one_of(st.binary(min_size=1, max_size=8), st.sampled_from([*ERRORS, TIMEOUT])), max_size=40
)


@given(SAID)
def test_no_received_byte_is_lost_whatever_fails(said):
    """Full packets before an error too: one packet is read at a time."""
    device = Device(Shape(packet=8))
    bus = Bus(device)
    hand = Hand(bus)
    bus.say(device, *said)
    with bus.installed():
        while device.reads or hand.keeper.device is None:
            hand.now += hand.keeper.turn(hand.now, 200)
    errors = sum(one in ERRORS for one in said)
    assert hand.received == b"".join(one for one in said if isinstance(one, bytes))
    states = [kind for kind in hand.kinds() if kind is not Received]
    assert states == [Restored] + [Lost, Restored] * errors
    assert len(bus.handles) == 1
    hand.keeper.close()
    assert bus.handles == []
