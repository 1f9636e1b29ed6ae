"""The open event streams: bounded queues, and room for everybody who needs a screen."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from controller.outputs.web.holders import HERE, Share, Shares
from controller.views.disclosure import Audience

#: Chunks that a client may be behind before it is cut off; it reconnects and gets a snapshot.
BEHIND = 64
#: A person who is logged in; this machine's own screens; anybody else. A full hall of screens, or of
#: attackers, takes no room from a person, nor from the screen that is plugged in here.
SHARES: Mapping[str, Share] = {"session": Share(8, 48), HERE: Share(32, 32), "there": Share(8, 64)}


class Feed(Protocol):
    """What a stream follows."""

    audience: Audience


class Client:
    """One open stream: chunks wait in a bounded queue; None ends it. `token`: the session that it needs."""

    def __init__(self, feed: Feed, transport: asyncio.Transport | None, token: str | None) -> None:
        self.feed = feed
        self.token = token
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(BEHIND)
        self.share = ("", "")
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


class Streams:
    """Every stream, each counted against the share of its holder."""

    def __init__(self, shares: Mapping[str, Share]) -> None:
        self._shares = Shares(dict(shares))
        self._clients: set[Client] = set()

    def open(self, client: Client, session: str | None, who: str) -> bool:
        """Take a client in. `session`: of whom; `who`: the holder of its address. False: there is no room."""
        share = ("session", session) if session else (HERE if who == HERE else "there", who)
        if not self._shares.take(*share):
            return False
        client.share = share
        self._clients.add(client)
        return True

    def close(self, client: Client) -> None:
        """The stream has ended."""
        self._clients.discard(client)
        self._shares.give(*client.share)

    def count(self) -> Counter[Audience]:
        """How many follow each view."""
        return Counter(client.feed.audience for client in self._clients)

    def follow(self, feed: Feed) -> bool:
        """Whether anybody does."""
        return any(client.feed is feed for client in self._clients)

    def offer(self, feed: Feed, chunk: bytes) -> None:
        """Send everybody who follows a feed a chunk; an empty one tells nothing."""
        for client in self._clients:
            if chunk and client.feed is feed:
                client.offer(chunk)

    def end(self, which: Callable[[Client], bool]) -> None:
        """End those streams."""
        for client in self._clients:
            if which(client):
                client.offer(None)
