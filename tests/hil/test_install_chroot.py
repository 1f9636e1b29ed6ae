"""The installation on a bare Debian: in a root folder whose system is not running, then booted, then removed.

The tests go through the life of one installation, in the order in which they stand here.
"""

import shutil
from collections.abc import Iterator

import pytest
from bare_machine import BareMachine, Booted, Done, until

INSTALL = ("sh", "/srv/clone/systemd/install.sh")
TABLE = "/etc/table-controller/table.toml"
RECORD = "/var/lib/table-controller"
UNIT = "table-controller.service"
PIT = "/etc/table-controller/pit.toml"
PIT_UNIT = "table-pit.service"
AS_SERVICE = ("setpriv", "--reuid=table-controller", "--regid=table-controller", "--init-groups")

#: place -> owner, group, mode
PLACES = {
    "/etc/systemd/system/table-controller.service": "root root 644",
    "/etc/systemd/system/table-controller-alert@.service": "root root 644",
    "/etc/systemd/system/table-controller-kiosk.service": "root root 644",
    "/etc/systemd/system/multi-user.target.wants/table-controller.service": "root root 777",
    "/etc/systemd/system/ModemManager.service": "root root 777",
    "/etc/systemd/system/brltty.service": "root root 777",
    "/etc/systemd/system/table-pit.service": "root root 644",
    "/etc/udev/rules.d/65-table-controller.rules": "root root 644",
    "/etc/modules-load.d/table-controller.conf": "root root 644",
    "/etc/sysusers.d/table-controller.conf": "root root 644",
    "/etc/tmpfiles.d/table-controller.conf": "root root 644",
    "/etc/systemd/system.conf.d/table-controller.conf": "root root 644",
    "/etc/systemd/journald.conf.d/table-controller.conf": "root root 644",
    "/etc/table-controller": "root table-controller 750",
    TABLE: "root table-controller 640",
    "/var/lib/table-controller": "table-controller table-controller 750",
    "/opt/table-controller": "root root 755",
    "/opt/table-controller/bin/alert": "root root 755",
    "/opt/table-controller/bin/kiosk": "root root 755",
    "/usr/local/bin/tablectl": "root root 777",
}

ONE_TABLE = """[[table]]
url = "http://127.0.0.1:8080"
key_file = "mb-01.key"
"""

#: Installing takes a minute where the network is fast.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BareMachine]:
    root = tmp_path_factory.mktemp("debian") / "table-machine"
    yield BareMachine(root)
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def installation(machine: BareMachine) -> Done:
    """The first one."""
    return machine.run(*INSTALL)


@pytest.fixture(scope="module")
def installed(machine: BareMachine, installation: Done) -> BareMachine:
    assert installation.returncode == 0, installation.stdout + installation.stderr
    return machine


def state_of(machine: BareMachine) -> str:
    """Name, time, size and mode of everything that an installation writes."""
    places = ("/etc", "/opt", "/usr/local", "/var/lib/table-controller", "/usr/lib/systemd")
    return machine.run("find", *places, "!", "-type", "d", "-printf", r"%p %T@ %s %m %u\n").stdout


def left(machine: BareMachine) -> set[str]:
    """What has the product's name."""
    places = ("/etc", "/opt", "/usr/local", "/var/lib")
    return set(machine.run("find", *places, "-name", "*table-controller*").stdout.split())


def test_it_says_what_it_did_and_what_is_next(installation: Done) -> None:
    assert installation.returncode == 0, installation.stdout + installation.stderr
    for said in ("software: installing", f"file: {next(iter(PLACES))}", "masked: ModemManager", "Next:"):
        assert said in installation.stdout


def test_everything_is_in_its_place_with_its_owner_and_mode(installed: BareMachine) -> None:
    told = installed.run("stat", "--format=%n|%U %G %a", *PLACES)
    assert dict(line.split("|") for line in told.stdout.splitlines()) == PLACES, told.stderr


def test_nothing_of_the_software_can_be_written_by_the_service(installed: BareMachine) -> None:
    found = installed.run(
        "find", "/opt/table-controller", "-not", "-user", "root", "-o", "-perm", "/022", "-type", "f"
    )
    assert (found.stdout, found.stderr) == ("", "")


def test_the_service_user_can_start_it_and_read_its_configuration(installed: BareMachine) -> None:
    version = installed.run(*AS_SERVICE, "tablectl", "--version")
    assert version.stdout.startswith("0."), version.stderr
    check = installed.run(*AS_SERVICE, "tablectl", "check-config", TABLE)
    assert check.returncode == 0, check.stderr
    assert check.stderr.startswith(f"{TABLE}: ok, MB-01 plays nj-mini-baccarat\n")
    assert '\nstate = "/var/lib/table-controller" ' in (installed.root / TABLE[1:]).read_text()


def test_every_part_of_the_lock_is_there_and_fits(installed: BareMachine) -> None:
    check = installed.run("/opt/table-controller/venv/bin/python", "-m", "pip", "check")
    assert check.stdout == "No broken requirements found.\n", check.stdout


@pytest.mark.parametrize("unit", [UNIT, "table-controller-alert@.service", PIT_UNIT])
def test_systemd_finds_no_fault_in_a_unit(installed: BareMachine, unit: str) -> None:
    verified = installed.run("systemd-analyze", "verify", f"/etc/systemd/system/{unit}")
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")


def test_the_kiosk_lacks_nothing_but_what_its_option_brings(installed: BareMachine) -> None:
    verified = installed.run(
        "systemd-analyze", "verify", "/etc/systemd/system/table-controller-kiosk.service"
    )
    faults = verified.stderr.splitlines()
    assert faults
    assert all("/usr/bin/cage is not" in fault or "seatd.service" in fault for fault in faults), faults


def test_a_second_run_changes_nothing_and_keeps_the_configuration(installed: BareMachine) -> None:
    table = installed.root / TABLE[1:]
    table.write_text(table.read_text().replace("Mini-Baccarat 1", "Mini-Baccarat 7"))
    before = state_of(installed)
    again = installed.run(*INSTALL)
    assert again.returncode == 0, again.stderr
    assert "software: up to date" in again.stdout
    assert "file: " not in again.stdout
    assert state_of(installed) == before
    assert "Mini-Baccarat 7" in table.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--help-me"], "'--help-me' is not known"),
        (["--purge"], "--purge removes the record: it goes with --uninstall only"),
        (["--kiosk", "--uninstall"], "--uninstall removes all that is there: say it alone"),
        (["--kiosk", "--pit"], "--kiosk shows a table's board, and --pit installs no table: say one of them"),
    ],
)
def test_a_wrong_word_is_one_clear_line(installed: BareMachine, words: list[str], said: str) -> None:
    done = installed.run(*INSTALL, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"install: {said}")
    assert done.stderr.count("\n") == 1


def test_a_pit_desk_gets_its_console(installed: BareMachine) -> None:
    """Beside the table here, so that one machine shows both."""
    enabled = installed.root / f"etc/systemd/system/multi-user.target.wants/{PIT_UNIT}"
    assert not enabled.is_symlink()
    done = installed.run(*INSTALL, "--pit")
    assert done.returncode == 0, done.stderr
    assert f"tablectl user add NAME --role supervisor -c {PIT}" in done.stdout
    assert enabled.is_symlink()
    pit = installed.root / PIT[1:]
    text = pit.read_text()
    assert '\nstate = "/var/lib/table-controller/pit" ' in text
    pit.write_text(text[: text.index("[[table]]")] + ONE_TABLE)
    key = pit.with_name("mb-01.key")
    key.write_text("0123456789abcdef0123456789abcdef\n")
    installed.run("chown", "table-controller:", "/etc/table-controller/mb-01.key")
    key.chmod(0o600)
    check = installed.run(*AS_SERVICE, "tablectl", "check-config", PIT)
    assert check.returncode == 0, check.stderr
    assert installed.run("stat", "--format=%U %G %a", PIT).stdout == "root table-controller 640\n"


def test_without_root_it_says_so(installed: BareMachine) -> None:
    done = installed.run("setpriv", "--reuid=nobody", "--clear-groups", *INSTALL)
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "install: this needs root; start it with sudo\n",
    )


@pytest.fixture(scope="class")
def booted(installed: BareMachine) -> Iterator[Booted]:
    with installed.booted() as booted:
        until(lambda: booted.show(UNIT, "ActiveState") == "active")
        yield booted


class TestBooted:
    """Its own systemd runs as the first process."""

    def test_it_starts_with_the_machine_and_says_what_it_does(self, booted: Booted) -> None:
        assert booted.show(UNIT, "StatusText") == "shoe: no such device: is it plugged in?"
        assert booted.show(UNIT, "NRestarts") == "0"
        ask = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080/').status)"
        assert booted.run("/opt/table-controller/venv/bin/python", "-c", ask).stdout == "200\n"

    def test_the_console_starts_with_the_machine_and_ends_in_order(self, booted: Booted) -> None:
        ask = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8090/').status)"
        python = "/opt/table-controller/venv/bin/python"
        until(lambda: booted.run(python, "-c", ask).stdout == "200\n")
        booted.run("systemctl", "stop", PIT_UNIT)
        assert booted.show(PIT_UNIT, "Result") == "success"
        assert booted.log("--priority=crit") == []

    def test_the_process_has_no_privileges(self, booted: Booted) -> None:
        status = booted.run("cat", f"/proc/{booted.show(UNIT, 'MainPID')}/status").stdout
        lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert {lines[name] for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
        assert (lines["NoNewPrivs"], lines["Seccomp"]) == ("1", "2")
        uid = booted.run("id", "-u", "table-controller").stdout.strip()
        assert set(lines["Uid"].split()) == {uid}

    @pytest.mark.parametrize(
        ("place", "can"),
        [
            ("/var/lib/table-controller", True),
            ("/tmp", True),
            ("/etc", False),
            ("/opt", False),
            ("/home", False),
        ],
    )
    def test_what_the_process_can_write(self, booted: Booted, place: str, can: bool) -> None:
        pid = booted.show(UNIT, "MainPID")
        # As root in the service's view of the files: what stops it is the view and not the owner.
        touched = booted.run("nsenter", f"--target={pid}", "--mount", "touch", f"{place}/touched")
        assert (touched.returncode == 0) == can, touched.stderr

    def test_it_comes_back_when_it_is_killed_and_one_alert_is_raised(self, booted: Booted) -> None:
        for times in (1, 2):
            booted.run("systemctl", "kill", "--signal=KILL", UNIT)
            until(lambda times=times: booted.show(UNIT, "NRestarts") == str(times))  # type: ignore[misc]
            until(lambda: booted.show(UNIT, "ActiveState") == "active")
        (alert,) = booted.log("--priority=crit")
        assert alert.startswith(f"{UNIT} failed (signal) and is started again, as 0 times before")
        audit = booted.run("tablectl", "audit", RECORD)
        assert audit.returncode == 0, audit.stdout + audit.stderr

    def test_a_frozen_process_is_ended_by_the_watchdog_and_says_where_it_stood(self, booted: Booted) -> None:
        folder = f"/run/systemd/system/{UNIT}.d"
        quick = f"mkdir {folder}; printf '[Service]\\nWatchdogSec=2\\n' >{folder}/quick.conf"
        booted.run("sh", "-c", f"{quick}; systemctl daemon-reload; systemctl restart {UNIT}")
        before = booted.show(UNIT, "WatchdogTimestampMonotonic")
        # It lives longer than that: it is fed.
        until(lambda: int(booted.show(UNIT, "WatchdogTimestampMonotonic")) > int(before) + 3_000_000)
        assert booted.show(UNIT, "NRestarts") == "0"
        booted.run("systemctl", "kill", "--signal=STOP", UNIT)
        until(lambda: booted.show(UNIT, "NRestarts") == "1")
        log = booted.log(f"--unit={UNIT}")
        assert f"{UNIT}: Failed with result 'watchdog'." in log
        assert "Fatal Python error: Aborted" in log

    def test_a_stop_is_orderly_and_no_alert(self, booted: Booted) -> None:
        until(lambda: booted.show(UNIT, "ActiveState") == "active")
        booted.run("systemctl", "stop", UNIT)
        assert booted.show(UNIT, "Result") == "success"
        assert any('"event":"stopped"' in line for line in booted.log(f"--unit={UNIT}", "--lines=4"))
        assert len(booted.log("--priority=crit")) == 1

    def test_an_update_is_taken_up_by_the_running_service(self, booted: Booted) -> None:
        booted.run("systemctl", "start", UNIT)
        process = booted.show(UNIT, "MainPID")
        booted.run("sed", "-i", "s/^OOMScoreAdjust=.*/OOMScoreAdjust=0/", f"/etc/systemd/system/{UNIT}")
        updated = booted.run(*INSTALL)
        assert updated.returncode == 0, updated.stderr
        assert f"file: /etc/systemd/system/{UNIT}" in updated.stdout
        assert booted.show(UNIT, "OOMScoreAdjust") == "-800"
        assert booted.show(UNIT, "ActiveState") == "active"
        assert booted.show(UNIT, "MainPID") != process

    def test_uninstalled_it_is_stopped_and_leaves_configuration_and_record(
        self, booted: Booted, machine: BareMachine
    ) -> None:
        done = booted.run(*INSTALL, "--uninstall")
        assert done.returncode == 0, done.stderr
        assert booted.show(UNIT, "LoadState") == "not-found"
        assert booted.run("pgrep", "tablectl").stdout == ""
        assert left(machine) == {"/etc/table-controller", RECORD}
        assert (machine.root / RECORD[1:] / "journal.db").exists()
        for link in ("etc/systemd/system/ModemManager.service", "usr/local/bin/tablectl"):
            assert not (machine.root / link).is_symlink()


def test_installed_again_it_keeps_what_was_left(machine: BareMachine) -> None:
    again = machine.run(*INSTALL)
    assert again.returncode == 0, again.stderr
    assert f"configuration: {TABLE} is kept" in again.stdout
    audit = machine.run(*AS_SERVICE, "tablectl", "audit", RECORD)
    assert audit.returncode == 0, audit.stdout + audit.stderr


def test_purged_it_leaves_nothing(machine: BareMachine) -> None:
    done = machine.run(*INSTALL, "--uninstall", "--purge")
    assert done.returncode == 0, done.stderr
    assert left(machine) == set()
    assert machine.run("getent", "passwd", "table-controller", "table-kiosk").stdout == ""
    assert not (
        machine.root / "etc/systemd/system/multi-user.target.wants/table-controller.service"
    ).is_symlink()
