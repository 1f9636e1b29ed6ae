"""Packs on their way into the shoe: what the shuffler said of each, and whether it may be dealt.

A count is no verification: a stray card can make up for a missing one. Only a shuffle whose cards were
recognised, none missing and none extra, verifies a pack (N.J.A.C. 13:69E-1.18A(b); COMAR 36.05.03.27 C).
"""

from collections.abc import Iterable
from typing import Protocol

from controller.cards import DECK
from controller.observations import ShuffleFinished, ShuffleStarted


class Context(Protocol):
    """What the packs must know of their table, and whom they tell."""

    decks: int
    shuffler: bool
    continuous: bool

    def irregular(self, code: str, *, detail: str = "") -> None:
        """Raise an irregularity."""


class Packs:
    """The finished shuffles, by pack; None: a shuffler that names no packs."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._finished: dict[str | None, ShuffleFinished] = {}

    def known(self) -> list[ShuffleFinished]:
        """The finished shuffles."""
        return list(self._finished.values())

    def know(self, finished: Iterable[ShuffleFinished]) -> None:
        """Shuffles that were heard of before."""
        self._finished = {event.pack: event for event in finished}

    def started(self, event: ShuffleStarted) -> None:
        """A pack is shuffled again: what was known of it is void."""
        self._finished.pop(event.pack, None)

    def finished(self, event: ShuffleFinished) -> None:
        """A shuffle ended: right, or with cards missing, extra, or too few or many."""
        self._finished[event.pack] = event
        expected = self.context.decks * len(DECK)
        if event.missing or event.extra:
            words = [
                f"{what} {' '.join(cards)}"
                for what, cards in (("missing", event.missing), ("extra", event.extra))
                if cards
            ]
            self.context.irregular("composition-mismatch", detail=f"{_name(event.pack)}: {'; '.join(words)}")
        elif event.count is not None and event.count != expected:
            counted = f"{event.count} cards were counted, and a pack has {expected}"
            self.context.irregular("shuffler-count-mismatch", detail=f"{_name(event.pack)}: {counted}")

    def loaded(self, pack: str | None) -> None:
        """A pack enters play; one that no matching shuffle has verified is told."""
        if self.context.continuous or not (self.context.shuffler or pack or self._finished):
            return  # shuffled by hand, or never out of the shuffler
        if why := self._unverified(self._finished.pop(pack, None)):
            self.context.irregular("unverified-pack", detail=f"{_name(pack)} enters play: {why}")

    def _unverified(self, shuffle: ShuffleFinished | None) -> str | None:
        if shuffle is None:
            return "no finished shuffle of it is known"
        if shuffle.missing is None or shuffle.extra is None:
            return "its cards were counted, not recognised"
        if shuffle.missing or shuffle.extra:
            return "its cards are not those of a pack"
        if shuffle.count is not None and shuffle.count != self.context.decks * len(DECK):
            return f"{shuffle.count} cards were counted"
        return None


def _name(pack: str | None) -> str:
    return f"pack {pack}" if pack else "the pack"
