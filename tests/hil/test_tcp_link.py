"""The link to a serial server: pyserial's socket, on real TCP."""

import asyncio
import contextlib
from pathlib import Path

from plugs import Ear, descriptors

from controller.ports import Lost, Restored


class Server:
    """A serial server that can be switched off and on again at the same port."""

    def __init__(self):
        self.port = 0
        self.heard = bytearray()
        self.clients = []
        self.accepted = asyncio.Event()
        self.news = asyncio.Event()

    async def start(self, greeting=b""):
        self.greeting = greeting
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def _serve(self, reader, writer):
        self.clients.append(writer)
        self.accepted.set()
        writer.write(self.greeting)
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                self.heard += data
                self.news.set()
        writer.close()

    def stop(self, rudely=False):
        self.server.close()
        for client in self.clients:
            if rudely:
                client.transport.abort()
            else:
                client.close()
        self.clients.clear()
        self.accepted.clear()


async def test_bytes_both_ways_and_what_comes_with_the_connection():
    server = Server()
    await server.start(greeting=b"\x05boot")
    async with Ear(f"tcp:127.0.0.1:{server.port}") as ear:
        await ear.heard(b"\x05boot")
        assert ear.link.write(b"command")
        async with asyncio.timeout(20):
            await server.news.wait()
        assert bytes(server.heard) == b"command"
        server.clients[0].write(b"card")
        await ear.heard(b"card")
    server.stop()


async def test_each_loss_is_one_loss_and_the_server_is_found_again():
    server, before = Server(), descriptors()
    await server.start()
    async with Ear(f"tcp:127.0.0.1:{server.port}") as ear:
        for number in range(1, 6):
            await ear.restored(number)
            await server.accepted.wait()
            server.stop(rudely=number % 2 == 0)
            await ear.lost(number)
            await server.start()
        await ear.restored(6)
        await server.accepted.wait()
        assert [type(signal) for signal in ear.signals] == [Restored, Lost] * 5 + [Restored]
        server.stop()
        await ear.lost(6)
    assert descriptors() == before


async def test_a_server_that_is_not_there_is_a_problem():
    server = Server()
    await server.start()
    server.stop()
    async with Ear(f"tcp:127.0.0.1:{server.port}") as ear:
        assert "refused" in (await ear.troubled()).lower()
        await server.start()
        await ear.restored()
    server.stop()


async def test_a_dead_peer_is_probed_for():
    """The kernel's keep-alive timer runs (`02` in the timer column) while nothing is said."""
    server = Server()
    await server.start()
    async with Ear(f"tcp:127.0.0.1:{server.port}") as ear:
        await ear.restored()
        rows = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
        ours = [row for row in rows if row[2].endswith(f":{server.port:04X}") and row[3] == "01"]
        assert [row[5][:2] for row in ours] == ["02"]
    server.stop()
