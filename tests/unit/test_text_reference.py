"""The reference of device profiles names every key, and its example is right."""

import re
from importlib.resources import files
from typing import get_args

import pytest

from drivers.displays.moments import TEXTS
from drivers.text.check import parse_profile
from drivers.text.checksums import KINDS
from drivers.text.cutter import LineFrame, TagFrame
from drivers.text.fields import AnyField, CardSpelling, Numbers
from drivers.text.phrase import MEANINGS
from drivers.text.profile import (
    ChecksumSection,
    ChecksumSpelling,
    CommandSection,
    DeviceSection,
    LineSection,
    MessageSection,
    Profile,
)

REFERENCE = (files("config") / "devices" / "README.md").read_text("utf-8")
SECTIONS = (DeviceSection, LineSection, LineFrame, TagFrame, ChecksumSection, CardSpelling, Numbers)
SECTIONS += (MessageSection, CommandSection, *get_args(AnyField))


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__name__)
def test_every_key_is_named(section):
    for key in section.model_fields:
        assert re.search(rf"`{key}`|\b{key} = ", REFERENCE), key


def test_every_section_meaning_moment_and_spelling_is_named():
    for name in Profile.model_fields:
        assert f"`{name}" in REFERENCE
    said = {meaning for meanings in MEANINGS.values() for meaning in meanings}
    for word in (*said, *TEXTS, *get_args(ChecksumSpelling), *[k for k in KINDS if "/" not in k]):
        assert f"`{word}`" in REFERENCE


def test_the_example_is_right():
    example = "\n".join(line[4:] for line in REFERENCE.splitlines() if line.startswith("    "))
    assert parse_profile(example, "example.toml").device.kind == "shoe"
