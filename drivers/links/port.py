"""A serial port or serial server as a Link: pyserial, on the event loop. The only file that imports it.

One thread reads and writes (field failure 4); only opening and closing, which may wait for a device or a
network, happen in a worker thread. Nothing received is ever flushed.
"""

import asyncio
import contextlib
import errno
import fcntl
import os
import socket
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from typing import Any

import serial
from serial.urlhandler import protocol_socket

from controller.ports import AnySignal, Lost, Received, Restored
from controller.runtime.clock import Clock
from drivers.links.address import Address

#: Real seconds before each further try to open the port; the last repeats.
BACK_OFF: Sequence[float] = (1, 2, 5, 10)

READ_SIZE = 65536  # bytes of one wake-up, so that a flood does not hold the loop
MAX_UNSENT = 65536  # bytes waiting for a port that does not take them
STUCK = 3.0  # seconds without taking any; what is given so late may do harm, so the port is lost

#: A dead peer of a serial server is noticed within some 15 s: seconds idle, seconds between probes, probes.
KEEP_ALIVE = {socket.TCP_KEEPIDLE: 5, socket.TCP_KEEPINTVL: 3, socket.TCP_KEEPCNT: 3}

#: termios.error is no OSError (field failure 3); pyserial raises ValueError for a speed the port cannot do.
PORT_ERRORS = (OSError, termios.error, ValueError)

REASONS = {
    errno.ENOENT: "no such device: is it plugged in?",
    errno.EACCES: "permission denied: the user must be in the device's group (often dialout)",
    errno.EBUSY: "in use by another program",
    errno.EAGAIN: "in use by another program",
    errno.EIO: "the device does not answer",
    errno.ENOTTY: "not a serial port; name a device under /dev/serial/by-id",
}


class _Tty(serial.Serial):
    def _reset_input_buffer(self) -> None:
        """Keeps what arrived while the port was being opened (field failure 21)."""

    def open(self) -> None:
        super().open()
        # flock stops those who ask for it, TIOCEXCL everybody but root (field failure 7).
        fcntl.ioctl(self.fileno(), termios.TIOCEXCL)
        # A pty has no such mode (field failure 13).
        with contextlib.suppress(ValueError, OSError):
            self.set_low_latency_mode(True)

    def close(self) -> None:
        if self.is_open:
            # The mark outlives us where somebody else keeps a pty open.
            with contextlib.suppress(*PORT_ERRORS):
                fcntl.ioctl(self.fileno(), termios.TIOCNXCL)
        super().close()


class _Socket(protocol_socket.Serial):
    def reset_input_buffer(self) -> None:
        """Keeps what the server sent with the connection."""

    def open(self) -> None:
        super().open()
        with socket.socket(fileno=os.dup(self.fileno())) as same:
            same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            same.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in KEEP_ALIVE.items():
                same.setsockopt(socket.IPPROTO_TCP, option, value)


Port = _Tty | _Socket


def _make(address: Address, line: Mapping[str, Any]) -> Port:
    """A port, not yet open. DTR and RTS are set before it is (field failure 10)."""
    if address.scheme == "tcp":
        server = _Socket()
        host = f"[{address.host}]" if ":" in address.host else address.host
        server.port = f"socket://{host}:{address.port}"
        return server
    port = _Tty(
        baudrate=line.get("baud", 9600),
        bytesize=line.get("bits", 8),
        parity=line.get("parity", "N"),
        stopbits=line.get("stop", 1),
        timeout=0,
        exclusive=True,
    )
    port.dtr, port.rts = line.get("dtr", True), line.get("rts", True)
    port.port = address.path
    return port


def _close(port: Port) -> None:
    with contextlib.suppress(*PORT_ERRORS):
        port.close()


class PortLink:
    """Opens the port, reads it, notices its loss and opens it again, until closed.

    `problem`: why the port is not open, for a person; None while it is.
    """

    def __init__(
        self,
        address: str,
        target: Address,
        line: Mapping[str, Any],
        clock: Clock,
        back_off: Sequence[float] = BACK_OFF,
    ) -> None:
        self.address = address
        self.problem: str | None = "not opened yet"
        self._target = target
        self._line = line
        self._clock = clock
        self._back_off = back_off
        self._listener: Callable[[AnySignal], None] = lambda _: None
        self._keeper: asyncio.Task[None] | None = None
        self._fd: int | None = None
        self._lost = asyncio.Event()
        self._unsent = bytearray()
        self._stuck: asyncio.TimerHandle | None = None

    def open(self, listener: Callable[[AnySignal], None]) -> None:
        """Start trying; the signals come on the running loop."""
        self._listener = listener
        self._keeper = asyncio.get_running_loop().create_task(self._keep())

    def write(self, data: bytes) -> bool:
        """Queue bytes; False when the port is not open or takes nothing."""
        if self._fd is None or len(self._unsent) + len(data) > MAX_UNSENT:
            return False
        self._unsent += data
        self._writable()
        return True

    async def close(self) -> None:
        """Release the port; no signal after this returns."""
        if self._keeper is None:
            return
        self._keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._keeper
        self._keeper = None

    # -- opening ------------------------------------------------------------------------------------------

    async def _keep(self) -> None:
        pauses = self._pauses()
        while True:
            port = _make(self._target, self._line)
            try:
                if await self._opened(port):
                    self._attach(port.fileno())
                    await self._lost.wait()
                    pauses = self._pauses()
            finally:
                self._detach()
                await _to_the_end(partial(_close, port))
            await asyncio.sleep(next(pauses))

    def _pauses(self) -> Iterator[float]:
        return chain(self._back_off, repeat(self._back_off[-1]))

    async def _opened(self, port: Port) -> bool:
        try:
            await _to_the_end(port.open)
        except PORT_ERRORS as error:
            self.problem = _reason(error)
            return False
        return True

    def _attach(self, fd: int) -> None:
        self._fd = fd
        self._lost.clear()
        self.problem = None
        self._listener(Restored(at=self._clock.now()))
        asyncio.get_running_loop().add_reader(fd, self._readable, fd)

    def _detach(self) -> None:
        if self._fd is None:
            return
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._fd)
        loop.remove_writer(self._fd)
        self._fd = None
        self._unsent.clear()
        self._wait_for_it(False)

    # -- reading and writing ------------------------------------------------------------------------------

    def _readable(self, fd: int) -> None:
        try:
            data = os.read(fd, READ_SIZE)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(_reason(error))
            return
        if data:
            self._listener(Received(at=self._clock.now(), data=data))
        else:
            # Readable and empty at once: gone, or another program takes the bytes (field failure 1).
            self._lose("the device is gone, or another program reads it")

    def _writable(self) -> None:
        if self._fd is None:
            return
        try:
            sent = os.write(self._fd, self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self._lose(_reason(error))
            return
        del self._unsent[:sent]
        if sent:
            self._wait_for_it(False)
        self._wait_for_it(bool(self._unsent))
        loop = asyncio.get_running_loop()
        if self._unsent:
            loop.add_writer(self._fd, self._writable)
        else:
            loop.remove_writer(self._fd)

    def _wait_for_it(self, waiting: bool) -> None:
        if waiting and self._stuck is None:
            what = f"the device has taken nothing for {STUCK:g} s: switch it off and on"
            self._stuck = asyncio.get_running_loop().call_later(STUCK, self._lose, what)
        elif not waiting and self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _lose(self, reason: str) -> None:
        self.problem = reason
        self._detach()
        self._lost.set()
        self._listener(Lost(at=self._clock.now()))


async def _to_the_end(call: Callable[[], None]) -> None:
    """Runs `call` in a worker thread. It cannot be stopped there: a cancellation waits for it."""
    working = asyncio.get_running_loop().run_in_executor(None, call)
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait({working})
        working.exception()
        raise


def _reason(error: Exception) -> str:
    number = getattr(error, "errno", None) or (error.args[0] if error.args else None)
    return REASONS.get(number, str(error)) if isinstance(number, int) else str(error)
