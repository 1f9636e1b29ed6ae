"""A connection to an MQTT broker: opened when first needed, and again after a loss (MQTT 3.1.1, QoS 1).

aiomqtt is the extra `broker`, imported only when a broker is configured.
"""

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiomqtt

from controller.outputs.alerts.settings import MqttSettings
from controller.outputs.patience import DeliveryError

#: Seconds between signs of life on an idle connection; a broker that is gone is noticed in twice that.
KEEPALIVE = 15
_PORTS = {"mqtt": 1883, "mqtts": 8883}


class Connection:
    """`status`: a topic that retains `online` while this is connected, else `offline` (the last will).

    Raises ConfigurationError.
    """

    def __init__(
        self, settings: MqttSettings, base: Path, identifier: str, status: str | None = None
    ) -> None:
        self._settings = settings
        self._identifier = identifier
        self._status = status
        self._password = settings.password(base)
        self._tls = settings.tls(base)
        self._stack = AsyncExitStack()
        self._client: aiomqtt.Client | None = None
        self._loss: asyncio.Task[None] | None = None

    @property
    def loss(self) -> asyncio.Task[None]:
        """Done when the connection that `open` made is lost."""
        assert self._loss is not None
        return self._loss

    async def open(self) -> None:
        """Connect, unless connected. Raises DeliveryError."""
        if self._loss is not None and not self._loss.done():
            return
        await self._drop()
        try:
            await self._connect()
        except aiomqtt.MqttError as error:
            raise await self._fault(error) from None

    async def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Returns when the broker has acknowledged it. Raises DeliveryError."""
        await self.open()
        try:
            await self._send(topic, payload, retain)
        except aiomqtt.MqttError as error:
            raise await self._fault(error) from None

    async def close(self) -> None:
        """Say goodbye, if connected."""
        if self._status is not None and self._loss is not None and not self._loss.done():
            with suppress(aiomqtt.MqttError):
                await self._send(self._status, b"offline", True)
        await self._drop()

    async def _connect(self) -> None:
        url = urlsplit(self._settings.url)
        assert url.hostname is not None
        client = aiomqtt.Client(
            url.hostname,
            url.port or _PORTS[url.scheme],
            username=self._settings.user,
            password=self._password,
            identifier=self._identifier,
            tls_context=self._tls,
            keepalive=KEEPALIVE,
            timeout=self._settings.timeout,
            will=aiomqtt.Will(self._status, b"offline", qos=1, retain=True) if self._status else None,
        )
        self._client = await self._stack.enter_async_context(client)
        self._loss = asyncio.create_task(_loss(client))
        if self._status is not None:
            await self._send(self._status, b"online", True)

    async def _send(self, topic: str, payload: bytes, retain: bool) -> None:
        """aiomqtt waits out its time when the connection goes meanwhile: this does not."""
        assert self._client is not None and self._loss is not None
        sent = asyncio.ensure_future(self._client.publish(topic, payload, qos=1, retain=retain))
        try:
            await asyncio.wait({sent, self._loss}, return_when=asyncio.FIRST_COMPLETED)
            if not sent.done():
                raise aiomqtt.MqttError("the connection was lost")
            sent.result()
        finally:
            sent.cancel()

    async def _fault(self, error: aiomqtt.MqttError) -> DeliveryError:
        """Hang up: what the broker has got is not known."""
        await self._drop()
        return DeliveryError(f"{self._settings.url}: {error}")

    async def _drop(self) -> None:
        if self._loss is not None:
            self._loss.cancel()
        self._client = self._loss = None
        with suppress(aiomqtt.MqttError, OSError):
            await self._stack.aclose()


async def _loss(client: aiomqtt.Client) -> None:
    """Ends when the connection does."""
    with suppress(aiomqtt.MqttError):
        async for _ in client.messages:
            pass
