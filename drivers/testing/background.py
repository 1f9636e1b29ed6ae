"""An event loop in a thread of its own, so that tests without one can use what needs one."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")

SOON = 30.0  # real seconds that anything may take on a busy machine


class Background:
    """Runs until it is closed."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="virtual-devices", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result], timeout: float = SOON) -> Result:
        """The result of a coroutine that runs there. Raises what it raises, TimeoutError."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout)

    def call(self, work: Callable[[], Result], timeout: float = SOON) -> Result:
        """The result of a function that is called there."""
        done: Future[Result] = Future()

        def there() -> None:
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)
                if not isinstance(error, Exception):
                    raise

        self.loop.call_soon_threadsafe(there)
        return done.result(timeout)

    def close(self) -> None:
        """Stop the loop and wait for its thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()
