"""The words of the pit console's page: every language has every one, and no script says another."""

import json
import re

from controller.outputs.pit.server import PACKAGE, SHARED
from controller.outputs.web.assets import Asset, assets, languages

OURS = {asset.path: asset for asset in assets(PACKAGE)}
THEIRS = {asset.path: asset for asset in assets() if SHARED.fullmatch(asset.path)}
_GAP = re.compile(r"\{(\w+)\}")


def words(asset: Asset) -> dict[str, str]:
    found: dict[str, str] = json.loads(asset.body)
    return found


def test_every_language_has_every_word() -> None:
    english = words(OURS["/text/console/en.json"])
    for language in languages():
        said = words(OURS[f"/text/console/{language}.json"])
        assert list(said) == list(english), language
        for key, sentence in said.items():
            assert sentence.strip(), (language, key)
            assert set(_GAP.findall(sentence)) == set(_GAP.findall(english[key])), (language, key)


def test_no_script_says_a_word_that_is_not_there() -> None:
    known = words(OURS["/text/console/en.json"])
    known |= words(THEIRS["/text/en.json"]) | words(THEIRS["/text/dealer/en.json"])
    for path, asset in (THEIRS | OURS).items():
        # Of a table's alerts only the signs and the tab's badge are used here, and no card is shown.
        if path.endswith(".js") and path not in ("/alerts.js", "/chips.js"):
            said = set(re.findall(r"text\(\"([\w.-]+)\"", asset.body.decode()))
            assert said <= set(known), path


def test_what_is_ours_hides_nothing_that_is_shared() -> None:
    assert not OURS.keys() & THEIRS.keys()
