"""The web server: pages, snapshots and event streams for browsers, on the service's own event loop."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from controller.health.watch import Page
from controller.outputs.web.archive import Archive
from controller.outputs.web.assets import Asset, assets, serving, theme
from controller.outputs.web.connection import timed
from controller.outputs.web.desk import Desk
from controller.outputs.web.entrance import BODY
from controller.outputs.web.feed import MISSED_RECORDS, Feed
from controller.outputs.web.guard import dress, own_host, own_pages
from controller.outputs.web.holders import Share, holder
from controller.outputs.web.listener import Listener
from controller.outputs.web.openapi import PATH, Endpoint, Parameter, document, routes
from controller.outputs.web.pit_key import PitKey
from controller.outputs.web.sessions import VIEWS
from controller.outputs.web.streams import SHARES, Client, Streams
from controller.outputs.web.tls import Tls
from controller.views.disclosure import AUDIENCES, Audience, Item
from controller.views.view import TableInfo, TableState

#: after -> journalled items in order, from a place at or before `after` where no round was open.
History = Callable[[int], Iterable[tuple[int, Item]]]
#: -> (in order, what to show). Called on the loop.
Health = Callable[[], tuple[bool, Mapping[str, object]]]

#: Every other view needs a login.
PUBLIC: frozenset[Audience] = frozenset(("board",))
#: As whom a pit console has its streams; nobody's name has a blank.
CONSOLE = "pit console"
TICK_S = 1.0
#: Seconds that the journal may be behind before the pages say so.
LATE_S = 1.0
_VIEW = Parameter("view", {"enum": list(AUDIENCES)})
ENDPOINTS = (
    Endpoint(
        path="/events",
        says="The view as server-sent events: a snapshot, then facts, states and a tick every second.",
        handler="_events",
        who="view",
        query=(_VIEW,),
        answer=bytes,
        media=("text/event-stream",),
        text=(400, 403, 503),
    ),
    Endpoint(
        path="/api/snapshot",
        says="The state of the table, as a view shows it.",
        handler="_snapshot",
        who="view",
        query=(_VIEW,),
        answer=TableState,
        text=(400, 403),
    ),
    Endpoint(
        method="post",
        path="/api/shown",
        says="A page tells every few seconds that it shows a view.",
        handler="_show",
        query=(Parameter("view", {"enum": list(AUDIENCES)}, required=True),),
        text=(400,),
    ),
    Endpoint(
        path="/healthz",
        says="Whether the service works, and what has to be mended; 503: it does not.",
        handler="_healthz",
        answer=dict[str, Any],
        other={503: dict[str, Any]},
    ),
    Endpoint(
        path="/metrics",
        says="Figures for Prometheus.",
        handler="_scrape",
        answer=bytes,
        media=("text/plain",),
    ),
    Endpoint(path=PATH, says="This description.", handler="_describe", answer=dict[str, Any]),
)


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
        shares: Mapping[str, Share] = SHARES,
        tls: Tls | None = None,
        version: str = "",
        desk: Desk | None = None,
        archive: Archive | None = None,
        pit_key: str | None = None,
        style: bytes | None = None,
    ) -> None:
        self._desk = desk
        self._archive = archive
        self._pit_key = PitKey(pit_key)
        self._history = history
        self._health = health
        self._metrics = metrics
        self._open_views = frozenset(open_views)
        self._feeds = {audience: Feed(table, audience) for audience in AUDIENCES}
        self._streams = Streams(shares)
        #: what streams have missed is read for one after the other: it takes a core
        self._reading = asyncio.Semaphore(1)
        #: when a page last said that it shows a view
        self._shown: dict[Audience, float] = {}
        self._tick: asyncio.Task[None] | None = None
        app = web.Application(middlewares=[timed, own_host(names), own_pages], client_max_size=BODY)
        app.on_response_prepare.append(dress)
        app.on_shutdown.append(self._end_streams)
        self.endpoints = [*ENDPOINTS]
        app.router.add_routes(routes(ENDPOINTS, self))
        for part in (desk, archive):
            if part is not None:
                self.endpoints += part.endpoints
                app.router.add_routes(routes(part.endpoints, part))
        files = [*assets(), Asset("/theme.css", style or theme("felt"), "text/css")]
        for path, body, kind in files:
            self.endpoints.append(
                Endpoint(path=path, says="A file of the pages.", answer=bytes, media=(kind,), tag="pages")
            )
            app.router.add_get(path, serving(body, kind), allow_head=False)
        self._described = msgspec.json.format(msgspec.json.encode(document(self.endpoints, version)))
        self.app = app
        self._listener = Listener(app, tls)

    async def start(self, host: str, port: int) -> int:
        """Listen; the port, which the system chooses for 0. Raises ConfigurationError."""
        bound = await self._listener.start(host, port)
        self._tick = asyncio.create_task(self._tick_for_ever())
        return bound

    async def stop(self) -> None:
        """End every stream and close the port."""
        if self._tick is not None:
            self._tick.cancel()
        await self._listener.stop()

    def publish(self, batch: Sequence[tuple[int, Item]]) -> None:
        """Show durable items: observations, orders and facts with their journal numbers, in order."""
        if self._archive is not None:
            for seq, item in batch:
                self._archive.records.see(seq, item)
        for feed in self._feeds.values():
            if self._streams.follow(feed):
                self._streams.offer(feed, feed.take(batch))
            else:
                for seq, item in batch:
                    feed.see(seq, item)

    def pages(self) -> Mapping[str, Page]:
        """The pages of each view."""
        now = time.monotonic()
        streams = self._streams.count()
        return {
            view: Page(streams[view], now - self._shown[view] if view in self._shown else None)
            for view in AUDIENCES
        }

    async def _tick_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._listener.tend()
            self._end_sessions()
            healthy, report = self._health()
            lag = report.get("journal_lag_s", 0.0)
            # What else has to be mended does not make the pages late.
            late = not report.get("working", healthy) or (isinstance(lag, float) and lag > LATE_S)
            for feed in self._feeds.values():
                self._streams.offer(feed, feed.tick(late))

    def _end_sessions(self) -> None:
        """Log out who is gone, and end the streams of those whose session is over."""
        if desk := self._desk:
            desk.review()
            self._streams.end(lambda client: client.token is not None and not desk.is_live(client.token))

    async def _end_streams(self, _: web.Application) -> None:
        self._streams.end(lambda _: True)

    # -- requests --------------------------------------------------------------------------------------

    def _feed(self, request: web.Request) -> Feed:
        view = request.query.get("view", "board")
        if view not in AUDIENCES:
            raise web.HTTPBadRequest(text=f"view: one of {', '.join(AUDIENCES)}\n")
        if view == "pit" and self._pit_key.given(request):
            self._pit_key.check(request)
        elif view not in self._open_views:
            session = self._desk.session(request) if self._desk else None
            if session is None or view not in VIEWS[session.role]:
                raise web.HTTPForbidden(text=f"the view {view} needs a login\n")
        return self._feeds[view]

    async def _events(self, request: web.Request) -> web.StreamResponse:
        feed = self._feed(request)
        after = _number(request.headers.get("Last-Event-ID", ""))
        # Registered and photographed in the same instant: nothing can come between.
        keyed = feed.audience == "pit" and self._pit_key.given(request)
        session = self._desk.session(request) if self._desk and not keyed else None
        guarded = session is not None and feed.audience not in self._open_views
        client = Client(feed, request.transport, session.token if session and guarded else None)
        who = CONSOLE if keyed else session.name if session else None
        if not self._streams.open(client, who, holder(request.remote)):
            raise web.HTTPServiceUnavailable(
                text="too many pages are open here; close one\n", headers={"Retry-After": "5"}
            )
        snapshot, upto = feed.snapshot(numbered=after is None), feed.last
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        )
        try:
            await response.prepare(request)
            await response.write(snapshot)
            if after is not None and upto - MISSED_RECORDS <= after < upto:
                async with self._reading:
                    missed = await asyncio.to_thread(self._missed, feed, after, upto)
                await response.write(missed)
            while (chunk := await client.queue.get()) is not None:
                await response.write(chunk)
        except ConnectionResetError:
            pass  # the page went away
        finally:
            self._streams.close(client)
        return response

    def _missed(self, feed: Feed, after: int, upto: int) -> bytes:
        return feed.missed(self._history(after), after, upto)

    async def _describe(self, _: web.Request) -> web.Response:
        return web.Response(body=self._described, content_type="application/json")

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


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
