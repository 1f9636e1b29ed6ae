"""One connection to the pages: who may have how many, and how long it may make others wait."""

import asyncio
import logging
import socket
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

from controller.outputs.web.guard import headers_of
from controller.outputs.web.holders import HERE, Share, Shares, holder

#: Seconds from the first byte of a request, or from a silent connection, to the end of its headers.
HEAD_S = 10.0
#: Seconds that a connection stays open between two requests.
KEEP_S = 75.0
#: Seconds in which a client takes nothing of an answer that waits for it.
STALL_S = 20.0
#: Seconds for the body of a request.
BODY_S = 10.0
#: Seconds for a TLS handshake.
SHAKE_S = 10.0
LOOK_S = 1.0

#: A browser opens six. This machine's own screen finds room whatever the network does.
SHARES = {HERE: Share(128, 128), "there": Share(32, 256)}


class _Unasked(logging.Filter):
    """Bytes that are no request are the sender's fault: no error of ours, and no traceback in the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


log = logging.getLogger("controller.web")
log.addFilter(_Unasked())


class Connections:
    """Makes them, and looks after them: `look` at every `LOOK_S`."""

    def __init__(self, shares: dict[str, Share] | None = None) -> None:
        self._shares = Shares(shares or SHARES)
        self._open: set[Connection] = set()

    def make(self, server: web.Server) -> "Connection":
        """The protocol of a new connection."""
        return Connection(self, server)

    def admit(self, connection: "Connection") -> bool:
        """False: this holder has enough."""
        if not self._shares.take(*connection.share):
            return False
        self._open.add(connection)
        return True

    def leave(self, connection: "Connection") -> None:
        """It is closed."""
        if connection in self._open:
            self._open.discard(connection)
            self._shares.give(*connection.share)

    def look(self) -> None:
        """Cut off those that keep this server waiting."""
        now = asyncio.get_running_loop().time()
        for connection in list(self._open):
            connection.look(now)


class Connection(web.RequestHandler):
    """`share`: the class and the name of its holder."""

    __slots__ = ("_answering", "_connections", "_line", "_unsent", "_until", "share")

    def __init__(self, connections: Connections, server: web.Server) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            server,
            loop=loop,
            keepalive_timeout=KEEP_S,
            access_log=None,  # type: ignore[arg-type]
            logger=log,
            auto_decompress=False,  # sixteen kilobytes would unpack to sixteen megabytes
        )
        self._connections = connections
        self._line: asyncio.Transport | None = None
        self._answering = False
        self._unsent = 0
        self._until = 0.0
        self.share = (HERE, HERE)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        self._line = transport
        self._until = self._loop.time() + HEAD_S
        name = holder((transport.get_extra_info("peername") or [None])[0])
        self.share = (HERE if name == HERE else "there", name)
        if sock := transport.get_extra_info("socket"):
            # A screen that lost its power would stay open for a quarter of an hour.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(STALL_S * 1000))
        if not self._connections.admit(self):
            transport.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._connections.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._answering:
            self._until = min(self._until, self._loop.time() + HEAD_S)
        super().data_received(data)

    def begin(self) -> None:
        """A request is whole but for its body, whose reader has times of its own."""
        self._answering = True

    def end(self) -> None:
        """It is answered, as far as its handler goes."""
        self._answering = False
        self._unsent = 0
        self._until = self._loop.time() + KEEP_S

    def look(self, now: float) -> None:
        """Cut it off when its time is over, or when an answer waits and nothing of it is taken."""
        if self._line is None or self._answering:
            return
        unsent = self._line.get_write_buffer_size()
        if unsent and unsent != self._unsent:
            self._until = now + STALL_S
        self._unsent = unsent
        if now > self._until:
            self._line.abort()

    def handle_error(self, *args: Any, **named: Any) -> web.StreamResponse:
        """Also the answer to what is no request is dressed as every other."""
        answer = super().handle_error(*args, **named)
        answer.headers.update(headers_of(secure=self.ssl_context is not None))
        return answer


@web.middleware
async def timed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Tell the connection when its request is being answered."""
    connection = request.protocol
    assert isinstance(connection, Connection)
    connection.begin()
    try:
        return await handler(request)
    finally:
        connection.end()


async def read_body(request: web.Request) -> bytes:
    """The whole body of a request. Raises HTTPRequestTimeout for one that drips."""
    try:
        async with asyncio.timeout(BODY_S):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(text="the body did not come in time\n") from None
