"""Shipped configuration: rulesets, remedies and device profiles (data only)."""
