"""One card a line. Both roles: `encode` is the shoe's, `Decoder` the host's."""

from controller.cards import Card, is_card

LONGEST = 16  # bytes a line may have


def encode(card: Card) -> bytes:
    """The line for a card."""
    return card.encode() + b"\n"


class Decoder:
    """Gives cards, and as bytes the lines that are none."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes) -> list[Card | bytes]:
        """What these bytes complete, the same however they are cut into reads."""
        read: list[Card | bytes] = []
        for byte in data:
            if byte == ord("\n"):
                read.append(self._read(self._held))
                self._held = b""
                continue
            self._held += bytes([byte])
            if len(self._held) > LONGEST:
                read += self.end()
        return read

    def end(self) -> list[Card | bytes]:
        """What was begun and will not be completed."""
        held, self._held = self._held, b""
        return [held] if held else []

    @staticmethod
    def _read(line: bytes) -> Card | bytes:
        text = line.decode("ascii", "replace")
        return text if is_card(text) else line + b"\n"
