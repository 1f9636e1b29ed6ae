"""The web server: pages, snapshots and event streams for browsers, on the service's own event loop."""

import asyncio
import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import get_args

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CONTENT_TYPE_LATEST

from controller.disclosure import AUDIENCES, Audience, Item
from controller.health.watch import Page
from controller.outputs.web.archive import Archive
from controller.outputs.web.assets import assets, theme
from controller.outputs.web.desk import BODY, Desk
from controller.outputs.web.feed import Feed
from controller.outputs.web.guard import dress, own_host
from controller.outputs.web.sessions import VIEWS
from controller.ports import ConfigurationError
from controller.view import TableInfo

#: after -> journalled items in order, from a place at or before `after` where no round was open.
History = Callable[[int], Iterable[tuple[int, Item]]]
#: -> (in order, what to show). Called on the loop.
Health = Callable[[], tuple[bool, Mapping[str, object]]]

#: Every other view needs a login.
PUBLIC: frozenset[Audience] = frozenset(("board",))
TICK_S = 1.0
#: Seconds that the journal may be behind before the pages say so.
LATE_S = 1.0
#: Chunks that a client may be behind before it is cut off; it reconnects and gets a snapshot.
BEHIND = 64
STREAMS = 64


class _Client:
    """One open stream: chunks wait in a bounded queue; None ends it."""

    def __init__(self, feed: Feed, transport: asyncio.Transport | None, token: str | None) -> None:
        self.feed = feed
        self.token = token  # the session that it needs
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(BEHIND)
        self._transport = transport

    def offer(self, chunk: bytes | None) -> bool:
        """False: it is too far behind, and was cut off."""
        if not self.queue.full():
            self.queue.put_nowait(chunk)
            return True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)
        if self._transport is not None:
            self._transport.abort()
        return False


class WebServer:
    """Feed it with `publish`, also before `start`: what went before rebuilds the state."""

    def __init__(
        self,
        table: TableInfo,
        *,
        history: History,
        health: Health,
        metrics: Callable[[], bytes] = bytes,
        open_views: Collection[Audience] = PUBLIC,
        names: Collection[str] = (),
        streams: int = STREAMS,
        desk: Desk | None = None,
        archive: Archive | None = None,
        style: bytes | None = None,
    ) -> None:
        self._desk = desk
        self._archive = archive
        self._history = history
        self._health = health
        self._metrics = metrics
        self._open_views = frozenset(open_views)
        self._streams = streams
        self._feeds = {audience: Feed(table, audience) for audience in AUDIENCES}
        self._clients: set[_Client] = set()
        #: when a page last said that it shows a view
        self._shown: dict[Audience, float] = {}
        self._tick: asyncio.Task[None] | None = None
        app = web.Application(middlewares=[own_host(names)], client_max_size=BODY)
        app.on_response_prepare.append(dress)
        app.on_shutdown.append(self._end_streams)
        for path, body, kind in assets():
            app.router.add_get(path, _page(body, kind), allow_head=False)
        app.router.add_get("/theme.css", _page(style or theme("felt"), "text/css"), allow_head=False)
        app.router.add_get("/events", self._events, allow_head=False)
        app.router.add_get("/api/snapshot", self._snapshot, allow_head=False)
        app.router.add_post("/api/shown", self._show)
        app.router.add_get("/healthz", self._healthz, allow_head=False)
        app.router.add_get("/metrics", self._scrape, allow_head=False)
        if desk is not None:
            app.router.add_routes(desk.routes())
        if archive is not None:
            app.router.add_routes(archive.routes())
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=2)

    async def start(self, host: str, port: int) -> int:
        """Listen; the port, which the system chooses for 0. Raises ConfigurationError."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        try:
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            raise ConfigurationError(
                f"web: cannot listen on {host}:{port}: {_reason(error)}; "
                "choose another address for `listen` under [web]"
            ) from None
        self._tick = asyncio.create_task(self._tick_for_ever())
        bound: int = self._runner.addresses[0][1]
        return bound

    async def stop(self) -> None:
        """End every stream and close the port."""
        if self._tick is not None:
            self._tick.cancel()
        await self._runner.cleanup()

    def publish(self, batch: Sequence[tuple[int, Item]]) -> None:
        """Show durable items: observations, orders and facts with their journal numbers, in order."""
        if self._archive is not None:
            for seq, item in batch:
                self._archive.records.see(seq, item)
        for feed in self._feeds.values():
            chunk = feed.take(batch)
            if chunk:
                self._offer(feed, chunk)

    def pages(self) -> Mapping[str, Page]:
        """The pages of each view."""
        now = time.monotonic()
        streams = Counter(client.feed.audience for client in self._clients)
        return {
            view: Page(streams[view], now - self._shown[view] if view in self._shown else None)
            for view in AUDIENCES
        }

    def _offer(self, feed: Feed, chunk: bytes) -> None:
        self._clients = {c for c in self._clients if c.feed is not feed or c.offer(chunk)}

    async def _tick_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._end_sessions()
            healthy, report = self._health()
            lag = report.get("journal_lag_s", 0.0)
            # What else has to be mended does not make the pages late.
            late = not report.get("working", healthy) or (isinstance(lag, float) and lag > LATE_S)
            for feed in self._feeds.values():
                self._offer(feed, feed.tick(late))

    def _end_sessions(self) -> None:
        """Cut off the streams of those whose session is over."""
        for client in self._clients:
            if client.token is not None and self._desk and not self._desk.is_live(client.token):
                client.offer(None)

    async def _end_streams(self, _: web.Application) -> None:
        for client in self._clients:
            client.offer(None)

    # -- requests --------------------------------------------------------------------------------------

    def _feed(self, request: web.Request) -> Feed:
        view = request.query.get("view", "board")
        if view not in get_args(Audience):
            raise web.HTTPBadRequest(text=f"view: one of {', '.join(AUDIENCES)}\n")
        if view not in self._open_views:
            session = self._desk.session(request) if self._desk else None
            if session is None or view not in VIEWS[session.role]:
                raise web.HTTPForbidden(text=f"the view {view} needs a login\n")
        return self._feeds[view]

    async def _events(self, request: web.Request) -> web.StreamResponse:
        feed = self._feed(request)
        if len(self._clients) >= self._streams:
            raise web.HTTPServiceUnavailable(
                text="too many pages are open; close one\n", headers={"Retry-After": "5"}
            )
        after = _number(request.headers.get("Last-Event-ID", ""))
        # Registered and photographed in the same instant: nothing can come between.
        session = self._desk.session(request) if self._desk else None
        guarded = session is not None and feed.audience not in self._open_views
        client = _Client(feed, request.transport, session.token if session and guarded else None)
        self._clients.add(client)
        snapshot, upto = feed.snapshot(numbered=after is None), feed.last
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        )
        try:
            await response.prepare(request)
            await response.write(snapshot)
            if after is not None and after < upto:
                await response.write(await asyncio.to_thread(self._missed, feed, after, upto))
            while (chunk := await client.queue.get()) is not None:
                await response.write(chunk)
        except ConnectionResetError:
            pass  # the page went away
        finally:
            self._clients.discard(client)
        return response

    def _missed(self, feed: Feed, after: int, upto: int) -> bytes:
        return feed.missed(self._history(after), after, upto)

    async def _snapshot(self, request: web.Request) -> web.Response:
        return web.Response(body=self._feed(request).document(), content_type="application/json")

    async def _show(self, request: web.Request) -> web.Response:
        """A page says every few seconds that it is alive and shows what it hears."""
        view = request.query.get("view")
        if view not in AUDIENCES:
            raise web.HTTPBadRequest(text=f"view: one of {', '.join(AUDIENCES)}\n")
        self._shown[view] = time.monotonic()
        return web.Response(status=204)

    async def _healthz(self, _: web.Request) -> web.Response:
        """`pages_shown_s`: seconds since a page said that it shows a view; null: none ever did."""
        healthy, report = self._health()
        pages = self.pages()
        shown = {v: None if page.silent is None else round(page.silent, 1) for v, page in pages.items()}
        streams = {v: page.streams for v, page in pages.items()}
        said = {**report, "pages_shown_s": shown, "streams": streams}
        return web.json_response(said, status=200 if healthy else 503)

    async def _scrape(self, _: web.Request) -> web.Response:
        """For Prometheus, and for whoever may ask for `/healthz`."""
        return web.Response(body=self._metrics(), headers={"Content-Type": CONTENT_TYPE_LATEST})


def _reason(error: OSError) -> str:
    # asyncio puts a sentence of its own around the system's words; a resolver's numbers are its own.
    if error.errno is None or isinstance(error, socket.gaierror):
        return (error.strerror or str(error)).lower()
    return os.strerror(error.errno).lower()


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def _page(body: bytes, kind: str) -> Handler:
    async def handler(_: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind, charset="utf-8")

    return handler
