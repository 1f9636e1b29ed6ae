"""Following one table: its event stream, read by key, asked for again for ever."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from msgspec import structs

from controller.outputs.address import trust
from controller.outputs.patience import DeliveryError, Patience
from controller.outputs.pit.glance import Glance, MeaningError, Tick, Told, heard, not_heard, read
from controller.outputs.pit.settings import TableSection
from controller.outputs.pit.sse import Events, Said, StreamError
from controller.outputs.web.settings import read_key

#: Seconds without a byte after which a table is not heard; it ticks every second.
SILENCE = 2.2
#: Seconds between attempts: the first pause, and the longest.
PAUSES = (0.5, 4.0)
#: Characters of a refusal that are shown.
SHOWN = 200


class Follower:
    """`glance` is the newest; `tell` is called at every change of it. Raises ConfigurationError."""

    def __init__(self, section: TableSection, folder: Path, tell: Callable[["Follower"], None]) -> None:
        self._section = section
        self._headers = {"Authorization": f"Bearer {read_key(folder / section.key_file)}"}
        self._tls = trust(folder, section.ca_file)
        self._tell = tell
        name = section.name or urlsplit(section.url).netloc
        self.glance = Glance(name=name, url=f"{section.url}/pit")
        self._patience = Patience(f"{name} {section.url}" if section.name else section.url, *PAUSES)

    async def follow(self) -> None:
        """Until it is cancelled."""
        async with aiohttp.ClientSession(
            headers=self._headers,
            connector=aiohttp.TCPConnector(ssl=self._tls, force_close=True),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, connect=SILENCE, sock_read=SILENCE),
        ) as http:
            while True:
                stream = await self._patience.insist(lambda: self._open(http))
                self._lose(await self._hear(stream))
                await asyncio.sleep(PAUSES[0])

    async def _open(self, http: aiohttp.ClientSession) -> aiohttp.ClientResponse:
        """The stream. Nothing of what was missed is asked for: it begins with the whole state.

        Raises DeliveryError.
        """
        try:
            # Not redirected: the key goes to the address that was configured, or nowhere.
            stream = await http.get(f"{self._section.url}/events?view=pit", allow_redirects=False)
            if stream.status == 200 and stream.content_type == "text/event-stream":
                return stream
            async with stream:
                said = (await stream.content.read(SHOWN)).decode("utf-8", "replace").strip()
        except (aiohttp.ClientError, OSError) as error:
            self._lose(_reason(error))
            raise DeliveryError(_reason(error)) from None
        refused = stream.status == 403
        what = f"refuses the key in {self._section.key_file}" if refused else f"answers {stream.status}"
        if stream.status == 200:
            what, said = "answers, but not as a table does", "look at its url"
        self._lose(f"it {what}: {said}" if said else f"it {what}", refused=refused)
        raise DeliveryError(self.glance.why)

    async def _hear(self, stream: aiohttp.ClientResponse) -> str:
        """Take in what it says; why it says no more."""
        events = Events()
        async with stream:
            try:
                async for data in stream.content.iter_any():
                    for said in events.take(data):
                        self._take(said)
            except (aiohttp.ClientError, OSError) as error:
                return _reason(error)
            except (StreamError, MeaningError) as error:
                return str(error)
        return "it ended the connection"

    def _take(self, said: Said) -> None:
        if said.name in ("snapshot", "state"):
            whole, name = said.name == "snapshot", self._section.name
            self._show(heard(self.glance, read(said.data, Told), time.time(), whole=whole, name=name))
        elif said.name == "tick":
            self._show(structs.replace(self.glance, late=read(said.data, Tick).late))

    def _lose(self, why: str, *, refused: bool = False) -> None:
        self._show(not_heard(self.glance, why, time.time(), refused=refused))

    def _show(self, glance: Glance) -> None:
        if glance != self.glance:
            self.glance = glance
            self._tell(self)


def _reason(error: Exception) -> str:
    """For a person who may know nothing of networks, in a line."""
    match error:
        case TimeoutError():
            return "it does not answer"
        case aiohttp.ClientConnectorCertificateError():
            why = getattr(error.certificate_error, "verify_message", error.certificate_error)
            return f"its certificate is not trusted: {why}; name who signed it as ca_file"
        case aiohttp.ClientConnectorError(os_error=OSError(errno=int(number))):
            return os.strerror(number).lower()
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError() | ConnectionError():
            return "it ended the connection"
    return " ".join(str(error).split()) or type(error).__name__
