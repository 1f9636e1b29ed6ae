"""The words of the pages: every language has every one, with the same gaps."""

import json
import re
from importlib.resources import files

import pytest

from controller.orders import ORDER_FIELDS
from controller.outputs.web.assets import languages
from controller.rules.remedies import CODES
from controller.rules.situations import TOLD

TEXT = files("controller.outputs.web") / "pages" / "text"
_GAP = re.compile(r"\{(\w+)\}")


def words(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((TEXT / f"{name}.json").read_text("utf-8"))
    return found


def test_the_languages() -> None:
    assert languages() == ("en", "es", "fr", "zh-Hans", "zh-Hant")


@pytest.mark.parametrize("part", ["", "dealer/", "pit/"])
def test_every_language_has_every_word(part: str) -> None:
    english = words(f"{part}en")
    for language in languages():
        said = words(f"{part}{language}")
        assert list(said) == list(english), language
        for key, sentence in said.items():
            assert sentence.strip(), (language, key)
            assert set(_GAP.findall(sentence)) <= set(_GAP.findall(english[key])), (language, key)


def test_the_dealer_can_read_every_code() -> None:
    assert {f"code.{code}" for code in CODES} <= set(words("dealer/en"))


def test_no_page_says_a_word_that_is_not_there() -> None:
    """Keys that are written out in the pages; those that are put together are tried by the browser tests."""
    known = set(words("en")) | set(words("dealer/en")) | set(words("pit/en"))
    for page in TEXT.parent.iterdir():
        if page.name.endswith(".js"):
            said = set(re.findall(r"text\(\"([\w.-]+)\"", page.read_text("utf-8")))
            assert said <= known, page.name


def test_every_order_and_circumstance_has_words() -> None:
    pit = words("pit/en")
    for order in ORDER_FIELDS:
        assert {f"order.{order}", f"order.{order}.does"} <= set(pit)
    assert {f"given.{word}" for word in TOLD} <= set(pit)
