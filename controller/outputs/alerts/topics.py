"""An alert target on an MQTT broker.

Every message is published on `TOPIC/TABLE/AUDIENCE/alert`. With `retain`, the newest message of each open
incident is also kept on `TOPIC/TABLE/AUDIENCE/open/INCIDENT`, and cleared when it is answered: whoever
subscribes to `TOPIC/+/pit/open/#` sees at once what is open at every table.
"""

from pathlib import Path

import msgspec

from controller.outputs.alerts.message import Message
from controller.outputs.alerts.outbox import Letter
from controller.outputs.alerts.settings import AlertSection, MqttAlertSettings
from controller.outputs.mqtt import Connection


class Topics:
    """Raises ConfigurationError."""

    def __init__(self, section: AlertSection, settings: MqttAlertSettings, base: Path, table: str) -> None:
        self._retain = settings.retain
        self._topic = f"{settings.topic}/{table}/{section.audience}"
        self._connection = Connection(settings, base, f"table-{table}-alert-{section.target}")

    async def send(self, letter: Letter) -> None:
        """Returns when the broker has acknowledged it. Raises DeliveryError."""
        await self._connection.publish(f"{self._topic}/alert", letter.body)
        if self._retain:
            message = msgspec.json.decode(letter.body, type=Message)
            ended = message.kind in ("resolved", "withdrawn")
            kept = b"" if ended else letter.body
            await self._connection.publish(f"{self._topic}/open/{message.incident}", kept, retain=True)

    async def close(self) -> None:
        """Say goodbye."""
        await self._connection.close()
