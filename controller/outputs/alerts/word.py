"""A word to every alert target from outside the service: it failed, or somebody tries the targets.

Nothing is kept: a target that does not take it now is named, and that is all.
"""

import asyncio
import secrets
from datetime import UTC, datetime

import msgspec

from controller.config import Configuration
from controller.outputs.alerts.alerts import sender_for
from controller.outputs.alerts.cases import HealthState
from controller.outputs.alerts.courier import Sender
from controller.outputs.alerts.message import Message
from controller.outputs.alerts.outbox import Letter
from controller.outputs.alerts.settings import AlertSection
from controller.outputs.patience import DeliveryError

#: The code that receivers see.
CODE = "service"


async def tell(config: Configuration, text: str) -> dict[str, str | None]:
    """target -> why it did not take the text; None: it did. Raises ConfigurationError."""
    senders = {s.target: sender_for(_aside(s), config.folder, config.table.id) for s in config.alert}
    faults = await asyncio.gather(*(_send(sender, name, config, text) for name, sender in senders.items()))
    return dict(zip(senders, faults, strict=True))


def _aside(section: AlertSection) -> AlertSection:
    """Beside the service's own connection to a broker, and with nothing that the broker keeps."""
    if section.kind != "mqtt":
        return section
    return section.model_copy(update={"name": f"{section.target}-word", "retain": False})


async def _send(sender: Sender, target: str, config: Configuration, text: str) -> str | None:
    table = config.table
    name = secrets.token_hex(16)
    message = Message(
        id=name,
        incident=name,
        table=table.id,
        kind="raised",
        level="health",
        code=CODE,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        open_s=0.0,
        times=1,
        ids=[],
        title=f"{table.name}: health",
        text=f"{table.id}: {text}",
        fact=msgspec.Raw(msgspec.json.encode(HealthState(code=CODE, well=False, words=text))),
    )
    try:
        await sender.send(Letter(0, target, name, msgspec.json.encode(message)))
    except DeliveryError as error:
        return str(error)
    finally:
        await sender.close()
    return None
