"""What a disk may hold behind a power cut: everything synced, and of the rest any part.

A write that was not synced may be kept, lost, or torn between sectors, whatever was written before or behind
it. Names (of files created, renamed, removed) come to the disk in their order, and are certain once their
folder was synced. After a sync that failed the system forgets what it could not write, so that a later sync
which works makes none of it certain, but for the rest of a page that is written again.
"""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

SECTOR, PAGE = 512, 4096
#: How likely what is not synced is kept, one of them for a cut; 0: back to the last sync.
KEPT = (0.0, 0.0, 0.1, 0.5, 0.9, 1.0)
TORN = 0.15

What = Literal[
    "create", "write", "truncate", "sync", "sync-folder", "rename", "unlink", "folder", "sync-failed", "said"
]
_WHATS: tuple[What, ...] = What.__args__  # type: ignore[attr-defined]
_OP = struct.Struct("<IIQQ")


class Op(NamedTuple):
    """One line of the shim's log. `place`: its offset in the log. `at`: an offset, a size, or up to where in
    the log everything was written before a sync began.
    """

    place: int
    what: What
    inode: int
    at: int
    data: bytes

    @property
    def name(self) -> str:
        return self.data.decode()


def operations(log: bytes) -> Iterator[Op]:
    """The log's lines; the last may have been torn by a kill."""
    place = 0
    while place + _OP.size <= len(log):
        what, length, inode, at = _OP.unpack_from(log, place)
        begin = place + _OP.size
        if begin + length > len(log):
            return
        yield Op(place, _WHATS[what - 1], inode, at, log[begin : begin + length])
        place = begin + length


class _Change(NamedTuple):
    """A write within one page, or (`page` -1) a new size."""

    place: int
    page: int
    at: int
    data: bytes


class File:
    """`certain`: what is on the disk. `open`: what is not yet. `forgotten`: what a failed sync left."""

    def __init__(self) -> None:
        self.certain = bytearray()
        self.open: list[_Change] = []
        self.forgotten: list[_Change] = []

    def write(self, op: Op) -> None:
        at, data = op.at, op.data
        while data:
            size = PAGE - at % PAGE
            self.open.append(_Change(op.place, at // PAGE, at, data[:size]))
            at, data = at + size, data[size:]

    def truncate(self, op: Op) -> None:
        self.open.append(_Change(op.place, -1, op.at, b""))

    def sync(self, upto: int) -> None:
        now = [change for change in self.open if change.place < upto]
        pages = {change.page for change in now} | {-1}
        settled = [change for change in self.forgotten if change.page in pages] + now
        for change in sorted(settled, key=lambda change: change.place):
            _apply(self.certain, change.page, change.at, change.data)
        self.open = [change for change in self.open if change.place >= upto]
        self.forgotten = [change for change in self.forgotten if change.page not in pages]

    def sync_failed(self, upto: int) -> None:
        self.forgotten += [change for change in self.open if change.place < upto]
        self.open = [change for change in self.open if change.place >= upto]

    def left(self, draw: Random, kept: float) -> bytes:
        """What may be on the disk."""
        content = bytearray(self.certain)
        for change in (*self.forgotten, *self.open):
            fate = draw.random()
            if 0 < kept < 1 and fate < TORN:
                for offset in range(0, len(change.data), SECTOR):
                    if draw.random() < kept:
                        _apply(
                            content, change.page, change.at + offset, change.data[offset : offset + SECTOR]
                        )
            elif draw.random() < kept:
                _apply(content, change.page, change.at, change.data)
        return bytes(content)


def _apply(content: bytearray, page: int, at: int, data: bytes) -> None:
    if page < 0:
        del content[at:]
    content.extend(bytes(max(0, at - len(content))))
    content[at : at + len(data)] = data


class Disk:
    """What happened to a folder that was empty, up to the last operation done. `said`: what was told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._files: dict[int, File] = {}
        self._names: dict[str, File | None] = {}  # None: a folder
        self._naming: list[tuple[int, str, Op, File | None]] = []  # with the folder it is in

    def do(self, ops: Iterable[Op]) -> None:
        """What was done next."""
        for op in ops:
            self._do(op)

    def _do(self, op: Op) -> None:
        match op.what:
            case "create":
                file = self._files[op.inode] = File()
                self._name(op, op.name, file)
            case "folder" | "unlink":
                self._name(op, op.name)
            case "rename":
                self._name(op, op.name.partition("\0")[2])
            case "write":
                self._files[op.inode].write(op)
            case "truncate":
                self._files[op.inode].truncate(op)
            case "sync":
                self._files[op.inode].sync(op.at)
            case "sync-failed" if op.inode in self._files:
                self._files[op.inode].sync_failed(op.at)
            case "sync-folder":
                self._sync_folder(op)
            case "said":
                self.said.append(op.name)

    def _name(self, op: Op, name: str, file: File | None = None) -> None:
        self._naming.append((op.place, str(Path(name).parent), op, file))

    def _sync_folder(self, op: Op) -> None:
        here = op.name or "."
        mine = [n for n, (place, folder, *_) in enumerate(self._naming) if folder == here and place < op.at]
        through = mine[-1] + 1 if mine else 0
        for _, _, naming, file in self._naming[:through]:
            _rename(self._names, naming, file)
        del self._naming[:through]

    def left(self, draw: Random, kept: float | None = None) -> dict[str, bytes | None]:
        """The files (None: a folder) that a power cut may leave now. `kept` 1: as a killed process does."""
        kept = draw.choice(KEPT) if kept is None else kept
        names = dict(self._names)
        through = len(self._naming) if kept == 1 else draw.randint(0, len(self._naming))
        for _, _, naming, file in self._naming[:through]:
            _rename(names, naming, file)
        return {name: None if file is None else file.left(draw, kept) for name, file in names.items()}


def _rename(names: dict[str, File | None], op: Op, file: File | None) -> None:
    match op.what:
        case "create" | "folder":
            names[op.name] = file
        case "rename":
            old, _, new = op.name.partition("\0")
            for name in [n for n in names if n == old or n.startswith(old + "/")]:
                names[new + name.removeprefix(old)] = names.pop(name)
        case _:
            names.pop(op.name, None)


def put(folder: Path, left: dict[str, bytes | None]) -> None:
    """Lay these files into a new folder."""
    folder.mkdir(parents=True)
    for name in sorted(left):
        content = left[name]
        if content is None:
            (folder / name).mkdir(parents=True, exist_ok=True)
        else:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
