"""Messages to phones, chat and e-mail through apprise (the extra `alerts`), one address a target.

apprise blocks and is heavy: it is imported in a thread when the first message is sent, and works there.
"""

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from controller.outputs.alerts.message import Message
from controller.outputs.alerts.outbox import Letter
from controller.outputs.alerts.settings import AppriseSettings, Level
from controller.outputs.patience import DeliveryError

#: level -> what apprise calls it, which some services show as a colour or a picture
TYPES: dict[Level, str] = {
    "stop": "failure",
    "block": "warning",
    "warn": "info",
    "device": "warning",
    "health": "warning",
}


class Apprise:
    """Raises ConfigurationError."""

    def __init__(self, settings: AppriseSettings, base: Path) -> None:
        # Never in a message or a log: the address holds the service's token.
        self._url = settings.url(base)
        self._place = base / settings.url_file
        self._service: Any = None

    async def send(self, letter: Letter) -> None:
        """Returns when the service has taken it. Raises DeliveryError."""
        # No time-out of ours: apprise has its own, and an attempt that ran on would send a double.
        await asyncio.to_thread(self._notify, msgspec.json.decode(letter.body, type=Message))

    def _notify(self, message: Message) -> None:
        import apprise

        if self._service is None:
            service = apprise.Apprise()
            if not service.add(self._url):
                raise DeliveryError(f"{self._place}: not an address that apprise knows; mend it")
            self._service = service
        taken = self._service.notify(
            title=message.title,
            body=f"{message.text}\n{message.at}\n{message.id}",
            body_format="text",
            notify_type="success" if message.kind == "resolved" else TYPES[message.level],
        )
        if not taken:
            raise DeliveryError(f"{self._place}: the service did not take the message")

    async def close(self) -> None:
        """There is nothing to close."""
