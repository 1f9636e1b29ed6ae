"""What the doctor finds on made-up machines, and what it advises."""

import pytest
from machines import CABLE, CHEAP, Machine

from controller.doctor.checks import examine
from controller.doctor.findings import Table, Wanted
from controller.doctor.listening import Heard
from controller.doctor.system import Owned
from controller.ports import find_driver

BY_ID = "/dev/serial/by-id/usb-FT232R_USB_UART_A50285BI-if00-port0"
STATE = "/var/lib/table-controller"
SHOE = Wanted("shoe", "angel-eye", f"serial:{BY_ID}?baud=4800")
TABLE = Table((SHOE,), STATE, is_known=True)
ANY = Table(state=STATE)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def cabled(machine):
    machine.adapter(**CABLE)
    return machine


def wrong(machine, table=TABLE):
    """(level, about, what is said) of everything that is not ok; each has a remedy."""
    found = [one for one in examine(machine, table) if one.level != "ok"]
    assert all(one.remedy for one in found)
    return [(one.level, one.about, one.says) for one in found]


def remedies(machine, table=TABLE):
    return [one.remedy for one in examine(machine, table) if one.level != "ok"]


# -- serial ports -----------------------------------------------------------------------------------------


def test_a_machine_in_order(cabled):
    assert wrong(cabled) == []
    assert wrong(cabled, ANY) == []


def test_every_port_is_listed_by_a_name_that_stays(cabled):
    cabled.adapter("ttyUSB1", "1-2", **CHEAP)
    cabled.adapter("ttyUSB2", "1-3", **CHEAP)
    cabled.board_port("ttyAMA0")
    listed = [one.about for one in examine(cabled, ANY) if one.check == "serial"]
    assert listed == [
        "/dev/ttyAMA0",
        BY_ID,
        "/dev/serial/by-id/usb-USB_Serial-if00-port0",
        "/dev/serial/by-path/pci-usb-0:1-3:1.0-port0",
    ]
    # Two adapters without a number fight for one name (field failure 9).
    assert wrong(cabled, ANY) == [
        (
            "advice",
            "/dev/serial/by-id/usb-USB_Serial-if00-port0",
            "the adapter has no serial number, so another of its kind would take its name",
        )
    ]


def test_a_place_for_a_port_without_a_chip_is_no_port(machine):
    machine.board_port("ttyS3", type="0")
    machine.write("/sys/devices/platform/ttyS3/tty/ttyS3/type", "0")
    assert "there is no serial port" in [one.says for one in examine(machine, ANY)]


def test_the_tables_port_is_not_there(machine):
    machine.board_port("ttyAMA0")
    assert wrong(machine) == [("mend", "shoe", f"{BY_ID} is not there")]
    assert remedies(machine) == ["plug it in, or name one that is: /dev/ttyAMA0"]


def test_the_user_is_not_in_the_ports_group(cabled):
    cabled.ask_as(1000, 1000)
    assert wrong(cabled) == [("mend", f"shoe: {BY_ID}", "ann may not use it (group dialout)")]
    assert remedies(cabled) == ["sudo usermod -aG dialout ann; then log in again"]


def test_the_user_of_the_service_must_be_able_to_use_it_too(cabled):
    unit = "/etc/systemd/system/table-controller.service"
    cabled.write(unit, "[Service]\nUser=table-controller\nWatchdogSec=10\n")
    assert wrong(cabled) == [("mend", f"shoe: {BY_ID}", "table-controller may not use it (group dialout)")]
    cabled.write(unit, "[Service]\nUser=table-controller\nSupplementaryGroups=dialout\nWatchdogSec=10\n")
    assert wrong(cabled) == []


def test_root_may_use_everything(cabled):
    cabled.ask_as(0)
    assert wrong(cabled) == []


def test_another_program_has_the_port_open(cabled):
    cabled.process(812, "screen", "screen /dev/ttyUSB0", opened="/dev/ttyUSB0")
    assert wrong(cabled) == [("mend", f"shoe: {BY_ID}", "screen (812) has it open and takes its bytes")]


def test_the_controller_itself_is_no_thief(cabled):
    command = "/opt/table/bin/python /opt/table/bin/tablectl run -c /etc/table.toml"
    cabled.process(812, "tablectl", command, opened="/dev/ttyUSB0")
    assert wrong(cabled) == []
    assert "ttyUSB0, the controller has it open" in [one.says for one in examine(cabled, TABLE)]


@pytest.mark.parametrize(("table", "level"), [(TABLE, "mend"), (ANY, "mend")])
def test_modem_manager_tries_every_adapter(cabled, table, level):
    cabled.process(300, "ModemManager")
    assert wrong(cabled, table) == [(level, "ModemManager", "is running and takes serial adapters")]
    assert remedies(cabled, table) == ["sudo systemctl mask --now ModemManager"]


def test_programs_in_the_way_of_nothing_are_only_mentioned(machine):
    machine.process(300, "ModemManager")
    machine.process(301, "brltty")
    assert [level for level, *_ in wrong(machine, ANY)] == ["advice", "advice"]


def test_brltty_takes_cheap_adapters_for_braille_displays(machine):
    machine.adapter(tty=False, **CHEAP)
    machine.process(301, "brltty")
    assert wrong(machine, ANY) == [
        ("mend", "1a86:7523", "USB Serial: a serial adapter (CH340) without a port"),
        ("mend", "brltty", "is running and takes serial adapters"),
    ]


def test_a_login_prompt_sits_on_the_port(machine):
    machine.board_port("ttyAMA0")
    machine.process(500, "agetty", "/sbin/agetty -o -p 115200 ttyAMA0 vt220")
    shoe = Wanted("shoe", "angel-eye", "serial:/dev/ttyAMA0")
    assert wrong(machine, Table((shoe,), STATE, is_known=True)) == [
        ("mend", "shoe: /dev/ttyAMA0", "a login prompt (agetty) sits on it")
    ]
    # A port that no table uses may have one.
    assert [level for level, *_ in wrong(machine, ANY)] == ["advice"]


@pytest.mark.parametrize("console", ["serial0,115200", "ttyAMA0"])
def test_the_kernels_console_is_on_the_port(machine, console):
    machine.board_port("ttyAMA0")
    machine.point("/dev/serial0", "ttyAMA0")
    machine.write("/proc/cmdline", f"console={console} console=tty1 root=/dev/mmcblk0p2\n")
    shoe = Wanted("shoe", "angel-eye", "serial:/dev/serial0")
    assert wrong(machine, Table((shoe,), STATE, is_known=True)) == [
        ("mend", "shoe: /dev/ttyAMA0", "the kernel writes its messages to it")
    ]


def test_the_mini_uart_of_a_raspberry_pi_is_refused(machine):
    machine.board_port("ttyS0", of_node__compatible="brcm,bcm2835-aux-uart")
    shoe = Wanted("shoe", "angel-eye", "serial:/dev/ttyS0")
    ((level, about, says),) = wrong(machine, Table((shoe,), STATE, is_known=True))
    assert (level, about) == ("mend", "shoe: /dev/ttyS0")
    assert says.startswith("the mini UART: ")


def test_the_latency_timer_of_an_ftdi_adapter(cabled):
    cabled.write("/sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16\n")
    assert wrong(cabled) == [
        ("advice", f"shoe: {BY_ID}", "its latency timer holds each card back for up to 16 ms")
    ]


# -- USB --------------------------------------------------------------------------------------------------

UNIT = {"vendor": "1209", "product": "0100", "serial": "S7", "title": "Open shuffler"}


def usb_table(link):
    return Table((Wanted("shuffler", "open-shuffler", link),), STATE, is_known=True)


def test_a_usb_device_is_listed_by_its_link(machine):
    machine.adapter(tty=False, **UNIT)
    assert ("usb:1209:0100?serial=S7", "Open shuffler") in [(f.about, f.says) for f in examine(machine, ANY)]


def test_a_usb_device_needs_a_rule(machine):
    machine.adapter(tty=False, **UNIT)
    assert wrong(machine, usb_table("usb:1209:0100")) == [
        ("mend", "shuffler", "ann may not use Open shuffler")
    ]
    (remedy,) = remedies(machine, usb_table("usb:1209:0100"))
    assert 'ATTR{idVendor}=="1209", ATTR{idProduct}=="0100", GROUP="table-controller"' in remedy
    machine.node("/dev/bus/usb/001/007", 0o660, 0, 20)
    assert wrong(machine, usb_table("usb:1209:0100?serial=S7&mode=bulk")) == []


def test_a_usb_device_is_not_there(machine):
    machine.adapter(tty=False, **UNIT)
    link = "usb:1209:0100?serial=S8"
    assert wrong(machine, usb_table(link)) == [("mend", "shuffler", f"{link} is not there")]


# -- clock, disk, watchdog --------------------------------------------------------------------------------


def test_a_clock_that_nothing_keeps_right(cabled):
    cabled.kept_right = False
    ((level, about, says),) = wrong(cabled)
    assert (level, about) == ("advice", "wall clock")
    assert says.endswith("UTC, and nothing keeps it right")


def test_a_clock_that_was_never_set(cabled):
    cabled.wall = 60.0
    assert wrong(cabled) == [("mend", "wall clock", "it says 1970-01-01 00:01 UTC, which is long past")]


@pytest.mark.parametrize(("room", "level"), [(900 << 20, "advice"), (100 << 20, "mend")])
def test_little_room(cabled, room, level):
    cabled.room = room
    assert wrong(cabled) == [(level, STATE, f"{room / (1 << 30):.1f} GiB free")]


@pytest.mark.parametrize(("worst", "level"), [(0.8, "advice"), (6.0, "mend")])
def test_a_slow_disk(cabled, worst, level):
    cabled.seconds = [0.004] * 19 + [worst]
    assert wrong(cabled) == [(level, STATE, f"a commit takes 4.0 ms, at worst {worst * 1000:.1f} ms")]


def test_an_sd_card(cabled):
    cabled.write("/proc/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0")
    cabled.write("/sys/block/mmcblk0/device/type", "SD\n")
    assert wrong(cabled) == [("advice", STATE, "on an SD card, which a power cut may spoil")]
    cabled.write("/sys/block/mmcblk0/device/type", "MMC\n")
    assert wrong(cabled) == []


def test_a_record_in_memory(cabled):
    cabled.write("/proc/mounts", "/dev/sda1 / ext4 rw 0 0\ntmpfs /var/lib tmpfs rw 0 0")
    assert wrong(cabled) == [("mend", STATE, "on tmpfs: a power cut takes the whole record with it")]


def test_a_disk_that_cannot_be_written(cabled):
    def full(folder):
        raise OSError(28, "No space left on device")

    cabled.commits = full
    assert wrong(cabled) == [("mend", STATE, "cannot be written: no space left on device")]


def test_a_file_of_the_record_that_is_root_s(cabled):
    cabled.write(f"{STATE}/journal.lock", "")
    cabled.owners[STATE] = Owned(0o755, 990, 990)
    cabled.owners[f"{STATE}/journal"] = Owned(0o644, 990, 990)
    cabled.owners[f"{STATE}/journal.lock"] = Owned(0o644, 0, 0)
    says = "journal.lock: of another user than the folder, who may not open it"
    assert wrong(cabled) == [("mend", STATE, says)]
    cabled.owners[f"{STATE}/journal.lock"] = Owned(0o644, 990, 990)
    assert wrong(cabled) == []


def test_a_watchdog_that_nobody_uses(cabled):
    cabled.write("/sys/class/watchdog/watchdog0/state", "inactive\n")
    assert wrong(cabled) == [("advice", "hardware", "there is one, and nobody uses it")]
    cabled.write("/etc/systemd/system.conf.d/watchdog.conf", "[Manager]\nRuntimeWatchdogSec=15\n")
    assert wrong(cabled) == []


def test_a_service_that_systemd_does_not_watch(cabled):
    cabled.write("/etc/systemd/system/table-controller.service", "[Service]\nExecStart=tablectl run\n")
    assert wrong(cabled) == [("mend", "service", "systemd does not watch it")]


# -- listening --------------------------------------------------------------------------------------------


def reports(name, **options):
    """What a simulated device says first."""
    spec = find_driver(name)
    device = spec.simulator(spec.settings()(), **options)
    device.advance(0.0)
    return b"".join(data for _ in range(40) for data in device.advance(device.next_at()))


class Ears:
    """Listens at made-up ports: what is said at a speed."""

    def __init__(self, said):
        self.said = said
        self.asked = []

    def __call__(self, address, line, seconds):
        self.asked.append((address, line))
        said = self.said.get(line.get("baud"), b"")
        return said if isinstance(said, Heard) else Heard(said, None)


def told(machine, table, ears):
    found = [one for one in examine(machine, table, 2.0, ears) if one.check == "listening"]
    return [(one.level, one.about, one.says) for one in found]


@pytest.mark.parametrize(
    ("name", "baud"), [("angel-eye", 4800), ("bee-tek-a", 9600), ("bee-tek-b", 9600), ("open-shuffler", 9600)]
)
def test_an_unknown_device_is_told_by_its_frames(cabled, name, baud):
    baud = find_driver(name).serial.get("baud", baud)
    ears = Ears({baud: reports(name)})
    assert told(cabled, ANY, ears) == [("ok", BY_ID, f"{name} is speaking")]
    # An unknown device is opened as quietly as can be.
    assert all(line["dtr"] is False and line["rts"] is False for _, line in ears.asked)


def test_bytes_that_no_frame_fits(cabled):
    says = "8 bytes came and no frame fits: wrong speed, or another device?"
    assert told(cabled, ANY, Ears({9600: b"\x00\xff" * 4})) == [("advice", BY_ID, says)]
    assert told(cabled, TABLE, Ears({4800: b"\x00\xff" * 4})) == [("mend", "shoe", says)]


def test_a_silent_port(cabled):
    assert told(cabled, TABLE, Ears({})) == [("advice", "shoe", "silent for 2 s")]


def test_a_device_of_the_table_is_heard_by_its_own_driver(cabled):
    ears = Ears({4800: reports("angel-eye")})
    assert told(cabled, TABLE, ears) == [("ok", "shoe", "angel-eye is speaking")]
    assert ears.asked == [(SHOE.link, {"baud": 4800})]
    assert told(cabled, TABLE, Ears({4800: reports("bee-tek-a")}))[0][0] == "mend"


def test_a_port_that_does_not_open(cabled):
    ears = Ears({4800: Heard(b"", "in use by another program")})
    assert told(cabled, TABLE, ears) == [("mend", "shoe", f"{SHOE.link}: in use by another program")]


def test_a_display_does_not_speak(cabled):
    sign = Wanted("sign", "alpha-sign", f"serial:{BY_ID}")
    found = told(cabled, Table((sign,), STATE, is_known=True), Ears({}))
    assert found == [("ok", "sign", f"{sign.link} opens; alpha-sign does not speak by itself")]


def test_nobody_listens_at_a_port_that_is_in_use_or_away(machine, cabled):
    cabled.process(812, "screen", opened="/dev/ttyUSB0")
    assert told(cabled, TABLE, Ears({})) == []
    gone = Wanted("shoe", "angel-eye", "serial:/dev/serial/by-id/gone")
    assert told(cabled, Table((gone,), STATE, is_known=True), Ears({})) == []


def test_lamps_are_not_listened_to(cabled):
    lamps = Wanted("lamps", "lamps", "gpio:")
    assert told(cabled, Table((lamps,), STATE, is_known=True), Ears({})) == []
