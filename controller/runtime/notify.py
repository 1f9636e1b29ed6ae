"""What the service tells its service manager: sd_notify(3), and when it feeds the watchdog.

No disk, no thread: what freezes the loop or stalls the journal must not be hidden (field failure 52).
"""

import os
import socket
import time
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import suppress
from typing import TypeVar

#: Seconds by which the loop may be late, and for which an entry may wait for the disk, until it is a fault.
LATE = 1.0
LAG = 5.0
#: Seconds for which a replay asks at a time, and between two such requests.
EXTENSION = 30.0
ASK = 1.0

_Item = TypeVar("_Item")


class Notifier:
    """Speaks to the manager that the environment names; says nothing where there is none.

    The names are taken out of the environment, so that no child process speaks for the service.
    """

    def __init__(self, environ: MutableMapping[str, str]) -> None:
        address = environ.pop("NOTIFY_SOCKET", "")
        period = int(environ.pop("WATCHDOG_USEC", "0")) / 1e6
        pid = environ.pop("WATCHDOG_PID", None)
        #: seconds between two messages to the watchdog; None: nobody waits for them
        self.interval = period / 2 if period and pid in (None, str(os.getpid())) else None
        self._fed = float("-inf")
        self._status = ""
        # An address that begins with @ is abstract: the kernel wants a zero byte instead.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        kind = socket.SOCK_DGRAM | socket.SOCK_NONBLOCK
        self._socket = socket.socket(socket.AF_UNIX, kind) if address else None

    def extending(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """The same items; while they take their time, the manager is asked to wait."""
        asked = float("-inf")
        for number, item in enumerate(items):
            if (now := time.monotonic()) - asked >= ASK:
                asked = now
                self._tell(
                    EXTEND_TIMEOUT_USEC=int(EXTENSION * 1e6),
                    STATUS=f"reading the journal, {number} records so far",
                )
            yield item

    def ready(self) -> None:
        """The table is recovered, and every link is open or its absence is known."""
        self._tell(READY=1)

    def stopping(self) -> None:
        """The end begins; what is queued is still written."""
        self._tell(STOPPING=1, STATUS="stopping")

    def beat(self, lateness: float, lag: float, status: str) -> None:
        """Feed the watchdog when it is time and all is well; `status` is for a person.

        `lateness`: seconds by which the loop is late. `lag`: seconds that an entry has waited for the disk.
        """
        fault = _fault(lateness, lag)
        if (fault or status) != self._status:
            self._status = fault or status
            self._tell(STATUS=self._status)
        now = time.monotonic()
        if not fault and self.interval is not None and now - self._fed >= self.interval:
            self._fed = now
            self._tell(WATCHDOG=1)

    def close(self) -> None:
        """Release the socket; nothing is said after this."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, **said: object) -> None:
        if self._socket is not None:
            message = "\n".join(f"{name}={value}" for name, value in said.items())
            # A manager that does not listen is no reason to stop.
            with suppress(OSError):
                self._socket.sendto(message.encode(), self._address)


def _fault(lateness: float, lag: float) -> str:
    """Why the watchdog must not be fed; empty: nothing is wrong."""
    if lateness >= LATE:
        return f"the event loop is late by {lateness:.1f} s"
    if lag >= LAG:
        return f"the journal has not moved for {lag:.0f} s: look at its disk"
    return ""
