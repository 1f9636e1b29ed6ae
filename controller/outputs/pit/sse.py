"""Server-sent events as our own servers write them: lines end with a line feed, data is one line."""

from typing import NamedTuple

from controller.ports import ControllerError

#: Bytes of one event. A state with its roads takes a hundredth.
MOST = 4 << 20


class StreamError(ControllerError):
    """What came is no stream of events."""


class Said(NamedTuple):
    """One event."""

    name: str
    data: bytes


class Events:
    """Feed it bytes as they come."""

    def __init__(self) -> None:
        self._rest = b""

    def take(self, data: bytes) -> list[Said]:
        """The events that these bytes complete. Raises StreamError for one without end."""
        *whole, self._rest = (self._rest + data).split(b"\n\n")
        if len(self._rest) > MOST:
            raise StreamError(f"an event of more than {MOST} bytes came")
        return [_said(block) for block in whole]


def _said(block: bytes) -> Said:
    fields = dict(line.partition(b": ")[::2] for line in block.split(b"\n"))
    return Said(fields.get(b"event", b"message").decode("utf-8", "replace"), fields.get(b"data", b""))
