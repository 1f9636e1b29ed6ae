"""A profile's texts are what a device can send: each character one byte."""

import pytest

from controller.ports import ConfigurationError
from drivers.text.check import parse_profile


def test_a_character_that_no_device_can_send_is_told_with_its_line() -> None:
    text = 'name = "mine"\nextends = "bee-tek-a"\n[frame]\nend = "€"\n'
    with pytest.raises(ConfigurationError, match=r"mine\.toml:4: frame\.end: '€' is no single byte"):
        parse_profile(text, "mine.toml")
