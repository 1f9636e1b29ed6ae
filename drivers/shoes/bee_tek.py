"""Bee-Tek shoes (USPC), both dialects: config/devices/bee-tek-a.toml and bee-tek-b.toml."""

from drivers.text import shipped

A = shipped("bee-tek-a")
B = shipped("bee-tek-b")
