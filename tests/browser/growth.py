"""Whether a page grows while shoe after shoe is dealt: its heap and its nodes after each.

    python tests/browser/growth.py [SHOES]      all three pages; exit 1 if one has grown

An evening is published to the page as fast as it follows; measured once its garbage has been collected.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parents[1]))

from playing import Play
from playwright.async_api import Browser, async_playwright
from work import Work

from controller.observations import CardDrawn
from controller.orders import Order
from controller.views.disclosure import Item

ROUNDS = 60
#: After the last shoe a page may hold so many times what it held after the second.
BOUND = 1.5
PAGES = {"/": None, "/dealer": "dana", "/pit": "sue"}


class Size(NamedTuple):
    """`heap`: bytes of JavaScript."""

    heap: int
    nodes: int


def dealt(play: Play, seed: int) -> list[list[tuple[int, Item]]]:
    """A shoe in batches, one for about each round; in the middle a card too many, and what was decided."""
    begin = len(play.items)
    play.shoe(ROUNDS // 2, seed)
    play.open()
    play.cards("9C KD KH 3S")
    play.do(CardDrawn(card="4D"), Order(order="burn_card", by="sue", reason="out of place"))
    play.do(Order(order="void_round", by="sue", reason="for the test"))
    while play.table.hold is not None:  # some of those cards were drawn more often than the pack holds them
        play.do(Order(order="void_round", by="sue"))
    items = play.items[begin:]
    size = max(1, len(items) // ROUNDS)
    return [items[at : at + size] for at in range(0, len(items), size)]


async def grow(browser: Browser, folder: Path, path: str, shoes: int) -> list[Size]:
    """The page's size after each shoe."""
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    work = Work(await context.new_page(), folder)
    await work.serve()
    try:
        await work.go(path)
        if name := PAGES[path]:
            await work.login(name)
        return [await _after(work, shoe, batches) for shoe, batches in _shoes(work, shoes)]
    finally:
        await context.close()
        await work.service.stop()


def _shoes(work: Work, shoes: int) -> list[tuple[int, list[list[tuple[int, Item]]]]]:
    play = Play()
    return [(shoe, dealt(play, shoe)) for shoe in range(1, shoes + 1)]


async def _after(work: Work, shoe: int, batches: list[list[tuple[int, Item]]]) -> Size:
    for batch in batches:
        work.service._web.publish(batch)
        await asyncio.sleep(0.02)
    await work.page.wait_for_selector(f"#shoe:text('Shoe {shoe}'), #tile .where:text('Shoe {shoe}')")
    await work.page.wait_for_timeout(1500)
    return await _size(work)


async def _size(work: Work) -> Size:
    session = await work.page.context.new_cdp_session(work.page)
    await session.send("HeapProfiler.collectGarbage")
    await session.send("Performance.enable")
    metrics = await session.send("Performance.getMetrics")
    await session.detach()
    values = {metric["name"]: metric["value"] for metric in metrics["metrics"]}
    return Size(int(values["JSHeapUsedSize"]), int(values["Nodes"]))


def grown(sizes: list[Size]) -> list[str]:
    """What is more than it may be; empty: nothing."""
    second, last = sizes[1], sizes[-1]
    return [
        f"{name}: {getattr(last, name)} after {len(sizes)} shoes, {getattr(second, name)} after 2"
        for name in Size._fields
        if getattr(last, name) > BOUND * getattr(second, name)
    ]


async def measure(shoes: int) -> int:
    """Print every page's sizes; 1 if one has grown."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    faults = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        for page in PAGES:
            sizes = await grow(browser, Path(tempfile.mkdtemp()), page, shoes)
            for shoe, size in enumerate(sizes, 1):
                sys.stdout.write(f"{page:8} shoe {shoe:3}: {size.heap / 1e6:6.2f} MB, {size.nodes:6} nodes\n")
            faults += [f"{page} {fault}" for fault in grown(sizes)]
        await browser.close()
    sys.stdout.write("".join(f"GROWN {fault}\n" for fault in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 20)))
