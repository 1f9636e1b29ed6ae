"""The hands at a simulated shoe: a dealer's or a script's acts, in time, and the truth about them."""

import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf

from msgspec.structs import replace

from controller.cards import Card
from controller.observations import (
    CardDrawn,
    CutCardDrawn,
    DeviceStarted,
    Observation,
    ShoeLoaded,
)
from drivers.shoes.acts import CUT, Act, Fetch, Item, Load, Power, Pull, Settle, Step
from drivers.shoes.dealer import Dealing


class Pack:
    """The cards in a shoe, and the cut card among them."""

    def __init__(self, load: Load | None = None) -> None:
        self._items: deque[str] = deque(load.cards if load else ())
        if load and load.cut_at is not None:
            self._items.insert(len(self._items) - load.cut_at, CUT)

    def take(self) -> Item:
        """The next item; None when there is none."""
        return self._items.popleft() if self._items else None


class Hands:
    """Performs acts on `shoe(act, item, at)`, one at a time, in order of time; a dealer may be at work too.

    `log` gets the truth: what was loaded, which card went where, which rounds were dealt.
    """

    def __init__(
        self,
        shoe: Callable[[Act, Item, float], None],
        dealing: Dealing | None,
        log: Callable[[Observation], None],
    ) -> None:
        self._shoe = shoe
        self._dealing = dealing
        self._log = log
        self._pack = Pack()
        self._due: list[tuple[float, int, Act, bool]] = []
        self._number = count()
        self._begun = False
        self._brought: deque[tuple[str, Sequence[Card]]] = deque()
        self._waiting: Fetch | None = None

    def do(self, act: Act, at: float) -> None:
        """An act from outside the dealer's own, at its time."""
        heappush(self._due, (at, next(self._number), act, False))

    def bring(self, name: str, cards: Sequence[Card], at: float) -> None:
        """A pack is there to be fetched."""
        self._brought.append((name, cards))
        if self._waiting is not None:
            heappush(self._due, (at, next(self._number), self._waiting, True))
            self._waiting = None

    def next_at(self) -> float | None:
        """When the next act is due; a dealer who has not begun is ready at any time (0.0), one who waits for
        a pack at none (infinity).
        """
        if self._dealing and not self._begun:
            return 0.0
        if self._due:
            return self._due[0][0]
        return inf if self._waiting else None

    def begin(self, at: float) -> None:
        """The dealer starts work; no effect later on."""
        if self._dealing and not self._begun:
            self._plan(next(self._dealing, None), at)
        self._begun = True

    def dismiss(self) -> None:
        """The dealer leaves, and does nothing more."""
        self._dealing = self._waiting = None
        self._due = [due for due in self._due if not due[3]]
        heapify(self._due)

    def perform(self) -> None:
        """The next act, at the time it is due."""
        at, _, act, own = heappop(self._due)
        if isinstance(act, Fetch):
            if not self._brought:
                self._waiting = act
                return
            name, cards = self._brought.popleft()
            act = Load(cards=tuple(cards), decks=act.decks, cut_at=act.cut_at, pack=name)
        item = self._act(act, at)
        if own and self._dealing:
            with contextlib.suppress(StopIteration):
                self._plan(self._dealing.send(item), at)

    def _plan(self, step: Step | None, since: float) -> None:
        if step:
            heappush(self._due, (since + step.after, next(self._number), step.act, True))

    def _act(self, act: Act, at: float) -> Item:
        item: Item = None
        match act:
            case Load():
                self._pack = Pack(act)
                self._log(ShoeLoaded(at=at, decks=act.decks, pack=act.pack))
            case Power(on=True):
                self._log(DeviceStarted(at=at))
            case Pull(slot=slot, index=index):
                item = act.item or self._pack.take()
                if item == CUT:
                    self._log(CutCardDrawn(at=at))
                elif item is not None:
                    self._log(CardDrawn(at=at, card=item, slot=slot, index=index))
            case Settle(dealt=dealt):
                self._log(replace(dealt, at=at))
        self._shoe(act, item, at)
        return item
