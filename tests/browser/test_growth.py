"""No page grows from shoe to shoe (twenty shoes: `python tests/browser/growth.py`)."""

from pathlib import Path

import pytest
from growth import PAGES, grow, grown
from playwright.async_api import Browser

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("page", PAGES)
async def test_three_shoes(chromium: Browser, tmp_path: Path, page: str) -> None:
    sizes = await grow(chromium, tmp_path, page, 3)
    assert grown(sizes) == [], sizes
