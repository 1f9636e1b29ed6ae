"""Files that others change while the service runs."""

from collections.abc import Sequence
from pathlib import Path

Stamp = tuple[int, int, int]


class Changes:
    """Whether any of some files is another than it was; one that is not there counts as well."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._stamps = self._look()

    def seen(self) -> bool:
        """True once for each change."""
        before, self._stamps = self._stamps, self._look()
        return self._stamps != before

    def _look(self) -> list[Stamp | None]:
        return [_stamp(path) for path in self._paths]


def _stamp(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
