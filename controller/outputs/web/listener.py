"""The port of the pages: an application on it, with TLS or without, and no patience for slow clients."""

import asyncio
import os
import socket

from aiohttp import web

from controller.outputs.web.connection import SHAKE_S, Connections
from controller.outputs.web.tls import Tls
from controller.ports import ConfigurationError


class Listener:
    """`tend` it about once a second. `tls` None: plain HTTP."""

    def __init__(
        self, app: web.Application, tls: Tls | None = None, connections: Connections | None = None
    ) -> None:
        self._runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=2)
        self._tls = tls
        self._connections = connections or Connections()
        self._listening: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; the port, which the system chooses for 0. Raises ConfigurationError."""
        await self._runner.setup()
        server = self._runner.server
        assert server is not None
        try:
            self._listening = await asyncio.get_running_loop().create_server(
                lambda: self._connections.make(server),
                host,
                port,
                ssl=self._tls.context if self._tls else None,
                ssl_handshake_timeout=SHAKE_S if self._tls else None,
            )
        except OSError as error:
            await self._runner.cleanup()
            raise ConfigurationError(
                f"web: cannot listen on {host}:{port}: {_reason(error)}; choose another address for `listen`"
            ) from None
        bound: int = self._listening.sockets[0].getsockname()[1]
        return bound

    def tend(self) -> None:
        """Cut off who is too slow, and show a certificate that was renewed."""
        self._connections.look()
        if self._tls is not None:
            self._tls.renew()

    async def stop(self) -> None:
        """Close the port, then what is open."""
        if self._listening is not None:
            self._listening.close()
        await self._runner.cleanup()


def _reason(error: OSError) -> str:
    # asyncio puts a sentence of its own around the system's words; a resolver's numbers are its own.
    if error.errno is None or isinstance(error, socket.gaierror):
        return (error.strerror or str(error)).lower()
    return os.strerror(error.errno).lower()
