"""A plain display of one line: config/devices/line-display.toml."""

from drivers.text import shipped

SPEC = shipped("line-display")
