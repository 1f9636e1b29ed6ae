"""A short evening at a table with an Angel Eye shoe, with the irregularities that reports are tested on."""

from pathlib import Path

from controller.observations import CardDrawn, DeviceFault, DeviceResult, DeviceStarted, Observation
from controller.orders import Order
from controller.ports import Received, Restored
from drivers.shoes.angel_eye.codec import Report
from drivers.shoes.angel_eye.meaning import spell
from tests.recording import Recording


class Shoe:
    """Sends reports the way the shoe does, numbered 1 to 9 and 0."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._sent = 0

    def report(self, *observations: Observation) -> None:
        for observation in observations:
            self._sent += 1
            code, payload = spell(observation)
            frame = Report(str(self._sent % 10), code, payload).raw
            self._recording.hear("shoe", Received(data=frame, at=float(self._sent)))

    def cards(self, text: str) -> None:
        """`P1 2C` and so on: hand, index and card."""
        words = text.split()
        for place, card in zip(words[::2], words[1::2], strict=True):
            hand = "player" if place[0] == "P" else "banker"
            self.report(CardDrawn(card=card, slot=hand, index=int(place[1])))

    def result(self, winner: str) -> None:
        self.report(DeviceResult(winner=winner, player_pair=False, banker_pair=False, forced_quit=False))  # type: ignore[arg-type]


def evening(path: Path) -> Path:
    """Not burned, wrong slot (moved), overdraw (refused, burned), unread (void), pushed back (open)."""
    recording = Recording(path, "device", shoe="angel-eye")
    shoe = Shoe(recording)
    recording.hear("shoe", Restored(at=0.0))
    shoe.report(DeviceStarted())
    recording.enter(Order(order="new_shoe", by="JD", decks=8))
    # 1: nobody burned; 2: Player stays on seven, and the card is given to Player
    shoe.cards("P1 3C B1 2D P2 4H B2 KS P3 9H")
    recording.wait(41)
    recording.enter(
        Order(
            order="move_card",
            to="banker",
            by="Ana Silva",
            confirmed_by="JD",
            reason="Player stands on seven; the nine is <Banker's>",
            irregularity=2,
        )
    )
    shoe.result("player")
    recording.enter(Order(order="acknowledge", by="Ana Silva", reason="burned by hand", irregularity=1))
    # 3: a fifth card after a natural
    recording.wait(30)
    shoe.cards("P1 9C B1 3D P2 KH B2 2S P3 7D")
    recording.wait(12)
    recording.enter(Order(order="move_card", to="player", by="KS", reason="it lay there"))
    recording.enter(Order(order="burn_card", by="Ana Silva", reason="exposed by the dealer"))
    shoe.result("player")
    # 4: a card that was not read
    shoe.cards("P1 5C B1 5D")
    shoe.report(DeviceFault(fault="unreadable", active=True, error_mode=False))
    recording.enter(Order(order="annotate", by="JD", reason="camera 4 shows it all", irregularity=2))
    recording.wait(95)
    recording.enter(Order(order="void_round", by="Ana Silva", reason="nobody saw the card"))
    # 5: a card is pushed back, and nobody has answered it
    shoe.cards("P1 AC B1 6D P2 8D")
    shoe.report(DeviceFault(fault="reverse-midway", active=True, error_mode=False))
    return recording.close()
