"""A layout that senses wagers, with an open text protocol: config/devices/open-bet-sensor.toml."""

from drivers.text import shipped

SPEC = shipped("open-bet-sensor")
