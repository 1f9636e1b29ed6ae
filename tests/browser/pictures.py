"""The pictures beside the browser tests, taken anew with PICTURES=1; look at them before they are committed.

`pngquant` (Debian's package of that name) makes them a fifth of their size.
"""

import asyncio
import os
from pathlib import Path

from playwright.async_api import Page

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"1920x1080": (1920, 1080), "1280x720": (1280, 720), "portrait": (1080, 1920), "small": (800, 480)}


#: -> what leaves its box (one pixel is rounding), whose words do, and which parts cover one another.
_FAULTS = """([inside, apart]) => {
  const faults = [];
  const shown = (element) => element.getClientRects().length > 0;
  const filled = (element) => shown(element) && element.innerHTML;
  const name = (element) => element.id || `${element.tagName} ${element.textContent}`;
  for (const [box, parts] of Object.entries(inside)) {
    for (const outer of [...document.querySelectorAll(box)].filter(shown)) {
      const b = outer.getBoundingClientRect();
      for (const inner of [...outer.querySelectorAll(parts)].filter(filled)) {
        const a = inner.getBoundingClientRect();
        const room = [a.left - b.left, b.right - a.right, a.top - b.top, b.bottom - a.bottom];
        if (Math.min(...room) < -1) faults.push(`${name(inner)} leaves ${box}: ${room}`);
        const wider = inner.scrollWidth - inner.clientWidth;
        if (inner.clientWidth && wider > 1 && getComputedStyle(inner).overflowX === "visible")
          faults.push(`${name(inner)} is ${wider} wider than its place`);
      }
    }
  }
  const boxes = [...document.querySelectorAll(apart)].filter(shown);
  for (const one of boxes) {
    for (const other of boxes) {
      const [a, b] = [one, other].map((box) => box.getBoundingClientRect());
      const [x, y] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)];
      const overlaps = x - Math.max(a.left, b.left) > 1 && y - Math.max(a.top, b.top) > 1;
      if (!one.contains(other) && !other.contains(one) && overlaps)
        faults.push(`${name(one)} covers ${name(other)}`);
    }
  }
  return faults;
}"""


#: -> what a finger may miss: 44 pixels either way.
_TOO_SMALL = """() => [...document.querySelectorAll("button, input, select")]
  .filter((button) => button.getClientRects().length)
  .map((button) => [button.dataset.name || button.id || button.textContent, button.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 44)
  .map(([name, box]) => `${name}: ${box.width} by ${box.height}`)"""


#: Done when nothing moves any more, but for what moves for ever.
_STILL = """Promise.all(document.getAnimations().filter(a => a.effect.getTiming().iterations !== Infinity)
  .map(a => a.finished.catch(() => {})))"""


async def out_of_place(page: Page, inside: dict[str, str], apart: str) -> list[str]:
    """What is wrong with the layout once movement has ended. `inside`: a box, and what must lie in it;
    `apart`: what must not cover one another.
    """
    await page.evaluate(_STILL)
    found: list[str] = await page.evaluate(_FAULTS, [inside, apart])
    return found


async def too_small(page: Page) -> list[str]:
    """The buttons and fields that are too small for a finger."""
    found: list[str] = await page.evaluate(_TOO_SMALL)
    return found


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
