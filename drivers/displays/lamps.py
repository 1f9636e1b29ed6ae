"""Lamps for Player, Banker, Tie and the supervisor: config/devices/lamps.toml."""

from drivers.text import shipped

SPEC = shipped("lamps")
