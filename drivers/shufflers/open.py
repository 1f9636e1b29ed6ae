"""An automated shuffler with an open text protocol: config/devices/open-shuffler.toml."""

from drivers.text import shipped

SPEC = shipped("open-shuffler")
