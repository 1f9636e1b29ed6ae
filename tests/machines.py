"""A made-up machine for the doctor: files as the kernel shows them, under a folder."""

from controller.doctor.system import Owned, System

PASSWD = (
    "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\ntable-controller:x:990:990::/:/bin/false"
)
GROUPS = "root:x:0:\ndialout:x:20:ann\nann:x:1000:\ntable-controller:x:990:\nplugdev:x:46:"
CABLE = {"vendor": "0403", "product": "6001", "serial": "A50285BI", "title": "FT232R USB UART"}
CHEAP = {"vendor": "1a86", "product": "7523", "serial": "", "title": "USB Serial"}


class Machine(System):
    """Ann, of the group dialout, asks; the rest is as good as can be until a test says otherwise."""

    def __init__(self, folder):
        super().__init__(folder)
        self.folder = folder
        self.owners = {}
        self.wall = 1_790_000_000.0
        self.kept_right = True
        self.room = 8 << 30
        self.seconds = [0.004] * 20
        self.write("/etc/passwd", PASSWD)
        self.write("/etc/group", GROUPS)
        self.ask_as(1000, 20)
        self.write("/proc/mounts", "/dev/nvme0n1p2 / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0")
        self.write("/var/lib/table-controller/journal", "")

    def write(self, name, text):
        path = self.folder / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def point(self, name, target):
        path = self.folder / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def ask_as(self, uid, *gids):
        groups = " ".join(map(str, gids))
        self.write(
            "/proc/self/status", f"Name:\ttablectl\nUid:\t{uid}\t{uid}\nGid:\t{uid}\t{uid}\nGroups:\t{groups}"
        )

    def adapter(self, name="ttyUSB0", port="1-1", *, vendor, product, serial, title, tty=True):
        """A USB adapter in a socket, with its names under /dev/serial."""
        device = f"/sys/devices/pci0/usb1/{port}"
        for field, text in {
            "idVendor": vendor, "idProduct": product, "product": title, "busnum": "1", "devnum": "7",
        }.items():  # fmt: skip
            self.write(f"{device}/{field}", text)
        if serial:
            self.write(f"{device}/serial", serial)
        self.point(f"/sys/bus/usb/devices/{port}", f"../../../devices/pci0/usb1/{port}")
        self.node("/dev/bus/usb/001/007", 0o664, 0, 0)
        if not tty:
            return
        self.write(f"{device}/{port}:1.0/{name}/tty/{name}/type", "")
        self.point(f"{device}/{port}:1.0/{name}/tty/{name}/device", f"../../../{name}")
        self.point(f"/sys/class/tty/{name}", f"../../devices/pci0/usb1/{port}/{port}:1.0/{name}/tty/{name}")
        self.write(f"/sys/bus/usb-serial/devices/{name}/latency_timer", "1")
        self.node(f"/dev/{name}")
        self.point(f"/dev/serial/by-path/pci-usb-0:{port}:1.0-port0", f"../../{name}")
        number = f"_{serial}" if serial else ""
        by_id = f"/dev/serial/by-id/usb-{title.replace(' ', '_')}{number}-if00-port0"
        if not self.exists(by_id):
            self.point(by_id, f"../../{name}")

    def board_port(self, name, **files):
        """A port of the board itself."""
        self.write(f"/sys/devices/platform/{name}/tty/{name}/type", "4")
        self.point(f"/sys/devices/platform/{name}/tty/{name}/device", f"../../../{name}")
        self.point(f"/sys/class/tty/{name}", f"../../devices/platform/{name}/tty/{name}")
        for file, text in files.items():
            self.write(f"/sys/devices/platform/{name}/{file.replace('__', '/')}", text)
        self.node(f"/dev/{name}")

    def node(self, name, mode=0o660, uid=0, gid=20):
        self.write(name, "")
        self.owners[name] = Owned(mode, uid, gid)

    def process(self, pid, name, command="", opened=None):
        self.write(f"/proc/{pid}/comm", name + "\n")
        self.write(f"/proc/{pid}/cmdline", "\0".join((command or name).split()) + "\0")
        if opened:
            self.point(f"/proc/{pid}/fd/3", opened)

    def owned(self, name):
        return self.owners.get(name) or super().owned(name)

    def now(self):
        return self.wall

    def synchronised(self):
        return self.kept_right

    def free(self, folder):
        if not self.exists(folder):
            raise FileNotFoundError(2, "No such file or directory")
        return self.room

    def commits(self, folder):
        return self.seconds
