"""Real receivers on the loopback that can be stopped and started again: HTTP, and Mosquitto."""

import asyncio
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec
import paho.mqtt.client as paho
from aiohttp import web
from paho.mqtt.enums import CallbackAPIVersion

#: Seconds after which something that must happen has not happened.
LONG = 30.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Post(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> Any:
        return msgspec.json.decode(self.body)


def ok(post: Post) -> int:
    return 200


class Receiver:
    """An HTTP server. `answer`: with which status, 0: hangs up instead.

    `posts`: everything it was sent; `accepted`: what of it was answered with 200.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.port = free_port()
        self.posts: list[Post] = []
        self.accepted: list[Post] = []
        self.answer: Callable[[Post], int] = ok
        #: answers wait for this
        self.open = asyncio.Event()
        self.open.set()
        self._tls = tls
        self._news = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/alerts"

    @property
    def said(self) -> list[Any]:
        return [post.said for post in self.posts]

    async def start(self) -> "Receiver":
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._take)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port, ssl_context=self._tls).start()
        return self

    async def stop(self) -> None:
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    async def until(self, enough: Callable[[], bool]) -> None:
        """Wait until what was received is enough."""
        async with asyncio.timeout(LONG), self._news:
            await self._news.wait_for(enough)

    async def count(self, number: int) -> list[Any]:
        """What was said, once so many posts came."""
        await self.until(lambda: len(self.posts) >= number)
        return self.said

    async def _take(self, request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        post = Post(request.path, headers, await request.read())
        self.posts.append(post)
        async with self._news:
            self._news.notify_all()
        await self.open.wait()
        status = self.answer(post)
        if status == 200:
            self.accepted.append(post)
        if status == 0:
            assert request.transport
            request.transport.close()
        return web.Response(status=status or 500, headers={"location": "/elsewhere"} if status == 302 else {})


def program(name: str) -> str:
    """Debian keeps servers where only root's path leads."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/bin")
    assert found, f"{name} is not installed: apt-get install mosquitto"
    return found


class Mosquitto:
    """A real broker that keeps its sessions over a restart."""

    def __init__(self, folder: Path, *listener: str) -> None:
        self.port = free_port()
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        lines = [
            "user root",
            "per_listener_settings true",
            f"listener {self.port} 127.0.0.1",
            *(listener or ("allow_anonymous true",)),
            "persistence true",
            f"persistence_location {folder}/",
            "max_queued_messages 10000",
        ]
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Returns when it takes connections; does nothing when it runs."""
        if self._process and self._process.poll() is None:
            return
        command = [program("mosquitto"), "-c", str(self._folder / "mosquitto.conf")]
        with (self._folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + LONG
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=LONG).close()
                return
            except ConnectionRefusedError:
                assert self._process.poll() is None, (self._folder / "mosquitto.log").read_text()
                assert time.monotonic() < end, "Mosquitto does not listen"
                time.sleep(0.01)

    def freeze(self) -> None:
        """Connections stay, and nothing answers, until `thaw`."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """As an administrator would: it keeps what it has acknowledged."""
        if self._process:
            self._process.terminate()
            self._process.wait(LONG)
            self._process = None


class Published(NamedTuple):
    topic: str
    body: bytes
    retain: bool

    @property
    def said(self) -> Any:
        return msgspec.json.decode(self.body)


class Listener:
    """A subscriber with a lasting session, so that nothing published while it is away is lost to it."""

    def __init__(self, broker: Mosquitto, *topics: str) -> None:
        self.heard: list[Published] = []
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Condition()
        self._ready = asyncio.Event()
        self._topics = topics
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=uuid4().hex, clean_session=False)
        self._client.on_connect = self._connected
        self._client.on_subscribe = lambda *_: self._loop.call_soon_threadsafe(self._ready.set)
        self._client.on_message = self._message
        self._client.reconnect_delay_set(1, 1)
        self._broker = broker

    async def __aenter__(self) -> "Listener":
        self._client.connect("127.0.0.1", self._broker.port)
        self._client.loop_start()
        async with asyncio.timeout(LONG):
            await self._ready.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    async def until(self, enough: Callable[[], bool]) -> None:
        """Wait until what was heard is enough."""
        async with asyncio.timeout(LONG), self._news:
            await self._news.wait_for(enough)

    async def count(self, number: int) -> list[Published]:
        """What was heard, once it is so much."""
        await self.until(lambda: len(self.heard) >= number)
        return self.heard

    def _connected(self, client: paho.Client, *_: object) -> None:
        client.subscribe([(topic, 1) for topic in self._topics])

    def _message(self, _client: object, _data: object, message: paho.MQTTMessage) -> None:
        heard = Published(message.topic, message.payload, message.retain)
        self._loop.call_soon_threadsafe(self._hear, heard)

    def _hear(self, heard: Published) -> None:
        self.heard.append(heard)
        self._loop.create_task(self._tell())

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()


def without_doubles(said: Sequence[Any]) -> list[Any]:
    """What a receiver is left with that drops the ids it has seen."""
    return list({one["id"]: one for one in said}.values())


async def eventually(true: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until a condition holds that nothing announces."""
    async with asyncio.timeout(LONG):
        while not true():
            await asyncio.sleep(0.005)
