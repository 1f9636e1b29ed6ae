"""Waiting for whichever comes first."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def first_of(*ends: Coroutine[Any, Any, object]) -> None:
    """Wait until one of them ends, and cancel the others. Raises what that one raised."""
    tasks = [asyncio.create_task(end) for end in ends]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    for task in done:
        task.result()
