"""What comes by the clock alone: a card that is overdue, a device that is silent for too long.

Both enter as events with a time, so that a replay has them at the same place.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from controller.cards import Hand
from controller.observations import TimerExpired
from controller.orders import Event
from controller.ports import AnySignal, Silence
from controller.runtime.clock import Clock
from controller.runtime.core import Core


class Timers:
    """The timers of one table. `overdue`: seconds of table time that a card may take; 0: for ever."""

    def __init__(
        self,
        clock: Clock,
        overdue: float,
        enter: Callable[[Event], None],
        hear: Callable[[str, AnySignal], None],
    ) -> None:
        self._clock = clock
        self._after = overdue
        self._enter = enter
        self._hear = hear
        #: the card that is due, as (round, hand, index), and when it is overdue
        self._awaited: tuple[int, Hand, int] | None = None
        self._overdue: asyncio.TimerHandle | None = None
        self._silences: dict[str, asyncio.TimerHandle] = {}
        self._stopped = False

    def renew(self, core: Core) -> None:
        """Set them by what is known now, unless they were stopped."""
        if self._stopped:
            return
        for device, driver in core.drivers.items():
            self._await_word(device, driver.deadline())
        self._await_card(core.table.awaited)

    def stop(self) -> None:
        """Nothing is told any more."""
        self._stopped = True
        for timer in (self._overdue, *self._silences.values()):
            if timer is not None:
                timer.cancel()

    def _await_card(self, awaited: tuple[int, Hand, int] | None) -> None:
        if awaited == self._awaited or not self._after:
            return
        if self._overdue is not None:
            self._overdue.cancel()
        self._awaited, self._overdue = awaited, None
        if awaited is not None:
            self._overdue = self._later(self._after, partial(self._card_overdue, *awaited))

    def _card_overdue(self, number: int, hand: Hand, index: int) -> None:
        now = self._clock.now()
        self._enter(TimerExpired(at=now, timer="card-overdue", round=number, hand=hand, index=index))

    def _await_word(self, device: str, deadline: float | None) -> None:
        if timer := self._silences.pop(device, None):
            timer.cancel()
        if deadline is not None:
            wait = max(0.0, deadline - self._clock.now())
            self._silences[device] = self._later(wait, partial(self._silent, device))

    def _silent(self, device: str) -> None:
        self._hear(device, Silence(at=self._clock.now()))

    def _later(self, seconds: float, tell: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._clock.real(seconds), tell)
