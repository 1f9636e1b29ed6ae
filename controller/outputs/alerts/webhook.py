"""A signed web hook: each message as a POST, taken as delivered by any answer of 200 to 299.

Signed as the public Standard Webhooks specification says, so that a receiver can use its libraries:
`webhook-id` (the message's id, the same in every attempt), `webhook-timestamp` (Unix seconds of the attempt)
and `webhook-signature`: `v1,` and the base64 of the HMAC-SHA256, with the secret, of `ID.TIMESTAMP.BODY`.
The secret file holds `whsec_` and the base64 of 24 to 64 random bytes.
"""

import hmac
import time
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from textwrap import shorten

import aiohttp

from controller.outputs.alerts.outbox import Letter
from controller.outputs.alerts.settings import WebhookSettings
from controller.outputs.patience import DeliveryError, RefusedError

#: Answers about the message and not about the receiver: bad, not acceptable, too large, of a wrong type,
#: not to be processed (RFC 9110, 15.5).
MESSAGE_REFUSED = (400, 406, 413, 415, 422)


def signature(key: bytes, message: str, timestamp: int, body: bytes) -> str:
    """The value of `webhook-signature`."""
    signed = b"%s.%d.%s" % (message.encode(), timestamp, body)
    return "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()


class Webhook:
    """Raises ConfigurationError."""

    def __init__(self, settings: WebhookSettings, base: Path, wall: Callable[[], float] = time.time) -> None:
        self._url = settings.url
        self._key = settings.secret(base)
        self._wall = wall
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=settings.tls(base), limit=1),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=settings.timeout),
        )

    async def send(self, letter: Letter) -> None:
        """Returns when the receiver has accepted it. Raises DeliveryError, RefusedError."""
        timestamp = int(self._wall())
        headers = {
            "content-type": "application/json",
            "webhook-id": letter.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(self._key, letter.id, timestamp, letter.body),
        }
        try:
            # Not redirected: what is signed goes to the address that was configured, or nowhere.
            async with self._session.post(
                self._url, data=letter.body, headers=headers, allow_redirects=False
            ) as answer:
                status = answer.status
        except TimeoutError:
            raise DeliveryError(f"{self._url}: no answer in time") from None
        except aiohttp.ClientError as error:
            # What a receiver made up may have many lines.
            raise DeliveryError(f"{self._url}: {shorten(str(error), 200)}") from None
        if status in MESSAGE_REFUSED:
            raise RefusedError(f"{self._url}: answered {status} to message {letter.id}")
        if not 200 <= status < 300:
            raise DeliveryError(f"{self._url}: answered {status}")

    async def close(self) -> None:
        """Close the connection."""
        await self._session.close()
