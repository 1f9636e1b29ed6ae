"""The units and the files beside them: what is required stands there, and how systemd itself judges it."""

import re
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = {path.name: path.read_text() for path in SYSTEMD.glob("*.service")}
SERVICE = "table-controller.service"

#: unit -> the highest exposure that systemd-analyze may find. The kiosk needs a terminal and a seat.
EXPOSED = {SERVICE: 2.5, "table-controller-alert@.service": 2.5, "table-pit.service": 2.5}


def values(unit: str, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", UNITS[unit], re.MULTILINE)


def lines(name: str) -> list[str]:
    """The lines of a file that say something."""
    return [line for line in (SYSTEMD / name).read_text().splitlines() if line and line[0] not in "#;"]


@pytest.mark.parametrize("unit", EXPOSED)
def test_the_exposure_of_a_unit_is_low(unit: str) -> None:
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager",
         f"--threshold={EXPOSED[unit] * 10:.0f}", str(SYSTEMD / unit)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert judged.returncode == 0, judged.stdout + judged.stderr
    (exposure,) = re.findall(r"Overall exposure level for \S+: (\d+\.\d)", judged.stdout)
    assert float(exposure) <= EXPOSED[unit]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Type", ["notify"]),
        ("NotifyAccess", ["main"]),
        ("Restart", ["always"]),
        ("RestartSec", ["2"]),
        ("StartLimitIntervalSec", ["0"]),
        ("OnFailure", ["table-controller-alert@%n.service"]),
        ("User", ["table-controller"]),
        ("StateDirectory", ["table-controller"]),
        ("ProtectSystem", ["strict"]),
        ("NoNewPrivileges", ["yes"]),
        ("CapabilityBoundingSet", [""]),
        # One takes pseudo terminals away (field failure 47), the other binds the service to a device (53).
        ("PrivateDevices", []),
        ("BindsTo", []),
        ("DevicePolicy", ["closed"]),
        (
            "DeviceAllow",
            [f"char-{kind} rw" for kind in ("ttyUSB", "ttyACM", "ttyAMA", "usb_device", "gpiochip")],
        ),
    ],
)
def test_the_service_is_set_up_as_required(key: str, value: list[str]) -> None:
    assert values(SERVICE, key) == value


@pytest.mark.parametrize("unit", [SERVICE, "table-controller-kiosk.service"])
def test_a_failure_is_told_by_either_way(unit: str) -> None:
    """Before systemd 254 OnFailure= does not fire while a unit is restarted for ever (field failure 50)."""
    assert values(unit, "OnFailure") == ["table-controller-alert@%n.service"]
    assert values(unit, "ExecStopPost") == ["-+/opt/table-controller/bin/alert-unless-success %n"]
    assert values(unit, "StartLimitIntervalSec") == ["0"]


def test_the_modules_that_device_allow_needs_are_loaded_before() -> None:
    assert {"usbserial", "ftdi_sio", "cp210x", "ch341", "cdc_acm"} <= set(lines("modules-load.conf"))
    assert "systemd-modules-load.service" in values(SERVICE, "After")[0].split()


def test_the_watchdog_outlasts_a_slow_card() -> None:
    """It is fed until the journal has stood for 5 s; syncs of 31 s were seen (field failure 52)."""
    assert int(values(SERVICE, "WatchdogSec")[0]) / 2 + 5 > 31


@pytest.mark.parametrize(
    "said",
    [
        'ATTR{latency_timer}="1"',
        'ENV{ID_MM_DEVICE_IGNORE}="1"',
        'SYMLINK+="table/usb-%b-if$env{ID_USB_INTERFACE_NUM}"',
        'KERNEL=="ttyUSB*|ttyACM*|ttyAMA*", GROUP="table-controller", MODE="0660"',
        'ENV{ID_USB_INTERFACES}=="*:ff*", GROUP="table-controller", MODE="0660"',
    ],
)
def test_the_rules_of_the_ports(said: str) -> None:
    assert any(said in line for line in lines("table-controller.rules"))


def test_every_jump_of_the_rules_has_its_label() -> None:
    text = "\n".join(lines("table-controller.rules"))
    assert set(re.findall(r'GOTO="(\w+)"', text)) == set(re.findall(r'LABEL="(\w+)"', text))


def test_the_users_have_no_shell_and_the_groups_of_ports() -> None:
    users = lines("sysusers.conf")
    assert any(line.startswith("u table-controller -") for line in users)
    assert {"m table-controller dialout", "m table-controller gpio"} <= set(users)


def test_the_browser_begins_with_an_empty_folder_and_shows_no_bubble() -> None:
    kiosk = (SYSTEMD / "kiosk.sh").read_text()
    assert '--user-data-dir="$RUNTIME_DIRECTORY/profile"' in kiosk
    assert "--hide-crash-restore-bubble" in kiosk
    assert values("table-controller-kiosk.service", "RuntimeDirectory") == ["table-kiosk"]
    assert values("table-controller-kiosk.service", "RuntimeDirectoryPreserve") == []


def test_the_systems_log_is_bounded_and_gathered() -> None:
    limits = dict(line.split("=") for line in lines("journald.conf") if "=" in line)
    assert limits["SystemMaxUse"] == "200M"
    assert limits["SyncIntervalSec"] == "5min"


def test_every_file_is_installed_or_known() -> None:
    installed = re.findall(
        r"^(\S+)\s+(?:/etc|\$opt)/\S+\s+\d{3}$", (SYSTEMD / "install.sh").read_text(), re.MULTILINE
    )
    others = {"install.sh", "setup", "lock", "requirements.lock", "table-pit.service"}
    assert set(installed) | others == {path.name for path in SYSTEMD.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    "script", ["install.sh", "alert.sh", "alert-unless-success.sh", "kiosk.sh", "lock", "setup"]
)
def test_every_script_can_be_read_by_the_shell(script: str) -> None:
    read = subprocess.run(["sh", "-n", str(SYSTEMD / script)], capture_output=True, text=True)
    assert (read.returncode, read.stderr) == (0, "")
