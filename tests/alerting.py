"""A played table with alerts: the clock stands still until it is set, and attempts follow at once."""

from base64 import b64encode
from pathlib import Path
from typing import Any

from playing import Play

from controller.observations import CardDrawn, DeviceFault, LinkLost, LinkRestored
from controller.orders import Order
from controller.outputs.alerts.alerts import Alerts
from controller.outputs.alerts.outbox import Outbox
from controller.outputs.alerts.settings import AlertSection
from controller.outputs.patience import Patience
from controller.runtime.clock import HandClock
from controller.views.view import TableInfo

SECRET = b"thirty-two bytes of a secret key"


def impatient(what: str) -> Patience:
    """Tries again nearly at once."""
    return Patience(what, first=0.005, longest=0.02)


def webhook(folder: Path, url: str, **more: Any) -> AlertSection:
    """A section of table.toml for a web hook, with its secret in the folder."""
    secret = folder / "webhook.key"
    if not secret.exists():
        secret.touch(0o600)
        secret.write_text(f"whsec_{b64encode(SECRET).decode()}\n")
    return AlertSection.model_validate({"kind": "webhook", "url": url, "secret_file": "webhook.key"} | more)


class Station:
    """Alerts that can be stopped and started again, and killed, on the same outbox and the same journal."""

    def __init__(self, folder: Path, *sections: AlertSection, dealing: Any = "face-up") -> None:
        self.folder = folder
        self.sections = sections
        self.play = Play()
        self.clock = HandClock(1000.0)
        self.wall = 1_800_000_000.0
        self.table = TableInfo(id="MB-01", name="Mini-Baccarat 1", dealing=dealing)
        self.alerts: Alerts

    async def __aenter__(self) -> "Station":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.alerts.stop()

    def make(self, **options: Any) -> None:
        """New alerts, fed with everything so far."""
        self.alerts = Alerts(
            self.sections,
            self.table,
            self.folder,
            self.folder,
            self.play.items[-1][0] if self.play.items else 0,
            self.clock,
            wall=lambda: self.wall,
            outbox=options.pop("outbox", Outbox),
            patience=impatient,
        )
        self.alerts.publish(self.play.items)

    async def start(self, **options: Any) -> None:
        self.make(**options)
        await self.alerts.start()

    def do(self, *events: Any) -> None:
        self.alerts.publish(self.play.do(*events))

    def pass_time(self, seconds: float) -> None:
        """Both clocks go on, and the alerts look at theirs."""
        self.clock.at += seconds
        self.wall += seconds
        self.alerts.tick()

    # -- what can go wrong at a table: one way for each severity

    def stop_play(self, card: str = "4S") -> None:
        """`early-card`, a stop."""
        self.do(CardDrawn(card=card))

    def block_play(self) -> None:
        """`shuffler-fault`, a block. The shuffler itself is faulty then."""
        self.do(DeviceFault(device="shuffler", fault="jam", active=True))

    def warn(self) -> None:
        """`button-misuse`, a warning."""
        self.do(DeviceFault(fault="button-misuse", active=True))

    def lose(self, device: str = "sign") -> None:
        self.do(LinkLost(device=device))

    def find(self, device: str = "sign") -> None:
        self.do(LinkRestored(device=device))

    def answer(self, order: str = "burn_card", irregularity: int | None = None) -> None:
        """Smith decides."""
        self.do(Order(order=order, by="smith", reason="seen", irregularity=irregularity))
