"""The pictures beside the browser tests, taken anew with PICTURES=1; look at them before they are committed.

`pngquant` (Debian's package of that name) makes them a fifth of their size.
"""

import asyncio
import os
from pathlib import Path

from playwright.async_api import Page

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"1920x1080": (1920, 1080), "1280x720": (1280, 720), "portrait": (1080, 1920), "small": (800, 480)}


async def keep(page: Page, name: str) -> None:
    """Take the page's picture, if pictures are wanted."""
    if not os.environ.get("PICTURES"):
        return
    path = PICTURES / f"{name}.png"
    PICTURES.mkdir(exist_ok=True)
    await page.screenshot(path=path, animations="disabled")
    smaller = await asyncio.create_subprocess_exec(
        "pngquant", "--force", "--ext=.png", "--skip-if-larger", "--speed=1", "--quality=60-90", path
    )
    await smaller.wait()
