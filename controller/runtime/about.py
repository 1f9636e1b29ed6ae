"""What a table says of itself to its supervisor: software, rules, devices."""

import platform
import sqlite3
from collections.abc import Mapping

from controller.config import Configuration
from controller.runtime.identity import software_version


def about(config: Configuration) -> Mapping[str, object]:
    """Everything that stays as it is while the service runs. Names what no text was read for."""
    ruleset, pack = config.ruleset, config.pack
    return {
        "table": {"id": config.table.id, "name": config.table.name, "seats": config.table.seats},
        "software": {
            "version": software_version(),
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "system": f"{platform.system()} {platform.release()} ({platform.machine()})",
        },
        "rules": {
            "ruleset": ruleset.name,
            "title": ruleset.title,
            "law": ruleset.law,
            "remedies": pack.name,
            "boundaries": config.table.boundaries,
            "dealing": config.table.dealing,
            "unverified": len(ruleset.unverified) + len(pack.unverified),
        },
        "journal": str(config.state / "journal.db"),
        "devices": {
            name: {"driver": section.driver, "link": section.link} for name, _, _, section in config.devices()
        },
    }
