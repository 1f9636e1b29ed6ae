"""The words of the pages: every language has every one, with the same gaps."""

import json
import re
from importlib.resources import files

from controller.outputs.web.assets import languages

TEXT = files("controller.outputs.web") / "pages" / "text"
_GAP = re.compile(r"\{(\w+)\}")


def words(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((TEXT / f"{name}.json").read_text("utf-8"))
    return found


def test_the_languages() -> None:
    assert languages() == ("en", "es", "fr", "zh-Hans", "zh-Hant")


def test_every_language_has_every_word() -> None:
    english = words("en")
    for language in languages():
        said = words(language)
        assert list(said) == list(english), language
        for key, sentence in said.items():
            assert sentence.strip(), (language, key)
            assert set(_GAP.findall(sentence)) <= set(_GAP.findall(english[key])), (language, key)
