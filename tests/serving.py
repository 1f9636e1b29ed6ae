"""The service as its own process, for clients that are not asynchronous."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from processes import SOON


class Serving:
    """`tablectl run` with a table.toml that logs JSON; `base`: where its pages are."""

    def __init__(self, folder: Path, table: str) -> None:
        self.folder = folder
        path = folder / "table.toml"
        path.write_text(table)
        self._process = subprocess.Popen(
            (sys.executable, "-m", "controller", "run", "-c", str(path)),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self._lines: list[bytes] = []
        self._listening = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._listening.wait(SOON), self.said()
        (said,) = [entry for entry in self.log() if entry["event"] == "listening"]
        self.base = f"http://127.0.0.1:{said['port']}"

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._lines.append(line)
            if b'"listening"' in line:
                self._listening.set()

    def said(self) -> bytes:
        """All of its log so far."""
        return b"".join(self._lines)

    def log(self) -> list[dict[str, Any]]:
        """The same, entry by entry; a line that is no entry is one of level `raw`."""
        return [_entry(line) for line in list(self._lines)]

    def stop(self) -> int:
        """End it as systemd does; its exit code."""
        self._process.terminate()
        code = self._process.wait(SOON)
        self._reader.join(SOON)
        return code


def _entry(line: bytes) -> dict[str, Any]:
    try:
        said: dict[str, Any] = json.loads(line)
    except ValueError:
        return {"event": line.decode("utf-8", "replace"), "level": "raw"}
    return said
