"""The device's end of a link: a terminal at a stable path, or a small serial server."""

import asyncio
import contextlib
import fcntl
import os
import struct
import termios
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from controller.ports import ConfigurationError
from drivers.links.address import Address
from drivers.links.openings import Openings

READ_SIZE = 65536
PATIENCE = 2.0  # real seconds a host is given to read the last bytes
POLL = 0.01
MAX_UNSENT = 65536  # bytes for a client that does not read; then they are lost, as on a real line


class End(Protocol):
    """What a simulated device is plugged into."""

    async def open(self, hear: Callable[[bytes], None]) -> str:
        """Start listening, also again; gives the address a host can open. Raises ConfigurationError."""

    async def connected(self) -> None:
        """Returns once a host has opened the other side."""

    def write(self, data: bytes) -> None:
        """To every host. What a host does not take in time is lost, as on a real line."""

    async def drained(self) -> None:
        """Returns when the hosts have read everything, or have been given time to."""

    async def close(self) -> None:
        """Hang up."""


def end_of(target: Address) -> End:
    """The device's end for a parsed address. Raises ConfigurationError where there is none."""
    if target.scheme == "pty":
        return PtyEnd(Path(target.path))
    if target.scheme == "tcp":
        return TcpEnd(target.host, target.port)
    raise ConfigurationError(
        f"link '{target.scheme}:': a simulated device is reached at pty:PATH or tcp:HOST:PORT"
    )


class PtyEnd:
    """`path` becomes a symbolic link to the terminal. It holds the terminal open itself, so that a host may
    come and go; who comes and goes is seen by inotify.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._someone = asyncio.Event()

    async def open(self, hear: Callable[[bytes], None]) -> str:
        self._hear = hear
        self._master, self._terminal = os.openpty()
        tty.setraw(self._terminal)
        os.set_blocking(self._master, False)
        self._name = os.ttyname(self._terminal)
        self._openings = Openings(self._name)
        loop = asyncio.get_running_loop()
        loop.add_reader(self._openings.fileno(), self._counted)
        loop.add_reader(self._master, self._readable)
        try:
            self._point()
        except ConfigurationError:
            await self.close()
            raise
        return f"pty:{self._path}"

    async def connected(self) -> None:
        await self._someone.wait()

    def write(self, data: bytes) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, data)

    async def drained(self) -> None:
        for _ in range(int(PATIENCE / POLL)):
            await asyncio.sleep(POLL)
            if not self._openings.count or not self._unread():
                return

    async def close(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._openings.fileno())
        loop.remove_reader(self._master)
        self._openings.close()
        with contextlib.suppress(OSError):
            if self._path.readlink() == Path(self._name):
                self._path.unlink()
        os.close(self._master)
        os.close(self._terminal)

    def _point(self) -> None:
        """Make the path lead to the terminal, in one step where an old link is in the way."""
        if self._path.exists() and not self._path.is_symlink():
            raise ConfigurationError(f"link 'pty:{self._path}': there is a file of that name; name another")
        fresh = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            fresh.symlink_to(self._name)
            fresh.replace(self._path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ConfigurationError(
                f"link 'pty:{self._path}': {reason}; name a path in a folder that you may write"
            ) from None

    def _unread(self) -> int:
        answer = fcntl.ioctl(self._terminal, termios.FIONREAD, bytes(4))
        return int(struct.unpack("i", answer)[0])

    def _counted(self) -> None:
        self._openings.read()
        if self._openings.count > 0:
            self._someone.set()
            return
        # A host that was killed leaves its claim on the terminal behind, and nobody else could open it.
        fcntl.ioctl(self._terminal, termios.TIOCNXCL)

    def _readable(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._hear(os.read(self._master, READ_SIZE))


class TcpEnd:
    """A raw serial server: every client gets every byte, and each may write. Port 0: any free one."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._clients: set[asyncio.StreamWriter] = set()
        self._someone = asyncio.Event()

    async def open(self, hear: Callable[[bytes], None]) -> str:
        self._hear = hear
        try:
            self._server = await asyncio.start_server(self._serve, self._host, self._port)
        except OSError as error:
            raise ConfigurationError(
                f"link 'tcp:{self._host}:{self._port}': {(error.strerror or str(error)).lower()}; "
                "name an address of this machine and a free port"
            ) from None
        # Opened again, it must be where it was.
        self._port = self._server.sockets[0].getsockname()[1]
        return f"tcp:{self._host}:{self._port}"

    async def connected(self) -> None:
        await self._someone.wait()

    def write(self, data: bytes) -> None:
        for client in self._clients:
            if client.transport.get_write_buffer_size() + len(data) <= MAX_UNSENT:
                client.write(data)

    async def drained(self) -> None:
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(PATIENCE):
                for client in list(self._clients):
                    client.transport.set_write_buffer_limits(0)
                    await client.drain()

    async def close(self) -> None:
        self._server.close()
        for client in list(self._clients):
            client.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        self._someone.set()
        try:
            while data := await reader.read(READ_SIZE):
                self._hear(data)
        except OSError:
            pass  # the client is gone, which is all there is to know
        finally:
            self._clients.discard(writer)
            writer.close()
