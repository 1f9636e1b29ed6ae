"""Trying again until it works: what every receiver outside the table needs."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import structlog

from controller.ports import ControllerError

T = TypeVar("T")


class DeliveryError(ControllerError):
    """A message was not delivered, as far as is known; it is sent again."""


class RefusedError(DeliveryError):
    """A receiver that works will not have this very message; others may pass."""


class Patience:
    """Real seconds between attempts double from `first` to `longest`. The log hears of a spell's two ends."""

    def __init__(self, what: str, first: float = 0.5, longest: float = 60.0) -> None:
        self.what = what
        self.first = first
        self.longest = longest
        #: why the last attempt failed; None: it did not
        self.error: str | None = None
        self._log = structlog.get_logger()

    async def insist(self, act: Callable[[], Awaitable[T]]) -> T:
        """What `act` gives, once it raises no ControllerError any more. Raises RefusedError."""
        for pause in self._pauses():
            try:
                result = await act()
            except RefusedError:
                self._recovered()
                raise
            except ControllerError as error:
                if self.error is None:
                    self._log.warning("delivery_failing", to=self.what, error=str(error))
                # The words only: the error itself would keep its connection from being freed.
                self.error = str(error)
                await asyncio.sleep(pause)
                continue
            break
        self._recovered()
        return result

    def _recovered(self) -> None:
        if self.error is not None:
            self._log.info("delivery_recovered", to=self.what)
            self.error = None

    def _pauses(self) -> Iterator[float]:
        """Shortened at random, so that many tables do not call a receiver that is back all at once."""
        pause = self.first
        while True:
            yield pause * random.uniform(0.5, 1.0)
            pause = min(2 * pause, self.longest)
