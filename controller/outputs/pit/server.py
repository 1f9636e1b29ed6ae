"""The pit console: many tables on one page, for those who may see the pit. It shows, and orders nothing."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator

import msgspec
from aiohttp import web

from controller.outputs.pit.follower import Follower
from controller.outputs.pit.glance import Glance
from controller.outputs.pit.settings import PitConfiguration
from controller.outputs.web.assets import Asset, assets, serving
from controller.outputs.web.connection import timed
from controller.outputs.web.entrance import BODY, ENTRANCE, Entrance
from controller.outputs.web.feed import event
from controller.outputs.web.guard import dress, own_host, own_pages
from controller.outputs.web.holders import holder
from controller.outputs.web.listener import Listener
from controller.outputs.web.openapi import Endpoint, routes
from controller.outputs.web.server import TICK_S
from controller.outputs.web.sessions import VIEWS, Session
from controller.outputs.web.streams import SHARES, Client, Streams
from controller.outputs.web.tls import Tls
from controller.people import People
from controller.views.disclosure import Audience

PACKAGE = "controller.outputs.pit"
#: What the pages share with those of a table.
SHARED = re.compile(
    r"/((alerts|ask|chips|devices|login|make|sound|stream|text|tile|times)\.js|(board|desk)\.css|icon(-alert)?\.svg"
    r"|text/(dealer/)?[\w-]+\.json)"
)

ENDPOINTS = (
    Endpoint(path="/api/about", says="Whose console this is, and in which language.", handler="_about"),
    Endpoint(path="/events", says="All tables, then each that changes, and a tick.", handler="_events"),
    Endpoint(path="/healthz", says="How many tables there are, and are heard.", handler="_healthz"),
)


class PitServer:
    """`port` once it is started. Raises ConfigurationError."""

    audience: Audience = "pit"

    def __init__(self, config: PitConfiguration, now: Callable[[], float] = time.monotonic) -> None:
        self._config = config
        self.port = 0
        self._entrance = Entrance(People(config.state), now)
        self._streams = Streams(SHARES)
        self._followers = {
            f"table-{at}": Follower(section, config.folder, self._changed)
            for at, section in enumerate(config.table, 1)
        }
        self._tasks: list[asyncio.Task[None]] = []
        app = web.Application(
            middlewares=[timed, own_host(config.pit.names), own_pages], client_max_size=BODY
        )
        app.on_response_prepare.append(dress)
        app.on_shutdown.append(self._end_streams)
        app.router.add_routes(routes(ENTRANCE, self._entrance))
        app.router.add_routes(routes(ENDPOINTS, self))
        style = Asset("/theme.css", config.pit.style(config.folder), "text/css")
        for path, body, kind in (*files(), style):
            app.router.add_get(path, serving(body, kind), allow_head=False)
        certificate = config.pit.certificate(config.folder)
        self._listener = Listener(app, Tls(*certificate) if certificate else None)

    async def start(self) -> None:
        """Listen, and begin to follow the tables. Raises ConfigurationError."""
        self.port = await self._listener.start(self._config.pit.host, self._config.pit.port)
        acts = [follower.follow() for follower in self._followers.values()]
        self._tasks = [asyncio.create_task(act) for act in (*acts, self._tick_for_ever())]

    async def failed(self) -> None:
        """Never returns. Raises what ended the following of a table, which nothing should."""
        await asyncio.gather(*self._tasks)

    async def stop(self) -> None:
        """Let the tables go, end every stream and close the port."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._listener.stop()

    def glances(self) -> dict[str, Glance]:
        """Every table as it was heard last, in the order of the configuration."""
        return {key: follower.glance for key, follower in self._followers.items()}

    def _changed(self, follower: Follower) -> None:
        changed = {key: one.glance for key, one in self._followers.items() if one is follower}
        self._streams.offer(self, event("table", changed))

    async def _tick_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._listener.tend()
            self._entrance.review()
            self._streams.end(lambda client: client.token is None or not self._entrance.keep(client.token))
            self._streams.offer(self, event("tick", {"now": time.time()}))

    async def _end_streams(self, _: web.Application) -> None:
        self._streams.end(lambda _: True)

    # -- requests --------------------------------------------------------------------------------------

    def _someone(self, request: web.Request) -> Session:
        session = self._entrance.session(request)
        if session is None or self.audience not in VIEWS[session.role]:
            raise web.HTTPForbidden(text="log in as a supervisor\n")
        return session

    async def _events(self, request: web.Request) -> web.StreamResponse:
        session = self._someone(request)
        client = Client(self, request.transport, session.token)
        if not self._streams.open(client, session.name, holder(request.remote)):
            raise web.HTTPServiceUnavailable(text="too many pages are open here; close one\n")
        # Photographed in the instant in which it was registered: nothing can come between.
        snapshot = event("snapshot", self.glances())
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        )
        try:
            await response.prepare(request)
            await response.write(snapshot)
            while (chunk := await client.queue.get()) is not None:
                await response.write(chunk)
        except ConnectionResetError:
            pass  # the page went away
        finally:
            self._streams.close(client)
        return response

    async def _about(self, _: web.Request) -> web.Response:
        about = {"name": self._config.pit.name, "language": self._config.pit.language}
        return web.Response(body=msgspec.json.encode(about), content_type="application/json")

    async def _healthz(self, _: web.Request) -> web.Response:
        """Tables that are away are shown and sound; the console works all the same."""
        glances = self.glances().values()
        return web.json_response(
            {"healthy": True, "tables": len(glances), "heard": sum(one.reach == "up" for one in glances)}
        )


def files() -> Iterator[Asset]:
    """The console's own pages, and what they share with a table's."""
    for asset in assets():
        if SHARED.fullmatch(asset.path):
            yield asset
    yield from assets(PACKAGE)
