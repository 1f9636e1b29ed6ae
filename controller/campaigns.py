"""Campaigns: many seeded trials whose figures are printed. A package offers them as entry points."""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Protocol

from msgspec import Struct

from controller.ports import ConfigurationError

CAMPAIGN_GROUP = "table_controller.campaigns"


class Report(Struct, frozen=True, kw_only=True):
    """What came of a campaign. `rounds`: dealt; of these `clean` recorded right with nothing raised, `held`
    right after an irregularity was raised and answered, `missed` not recorded, and that was raised. `faults`
    and `irregularities`: how often each. `silent`: what was wrong without a word, with the seed to repeat it.
    """

    shoes: int
    ptys: int
    rounds: int
    clean: int
    held: int
    missed: int
    faults: dict[str, int]
    irregularities: dict[str, int]
    silent: list[str]


class Campaign(Protocol):
    """`told` hears how many of the shoes are done."""

    def __call__(self, *, shoes: int, seed: int, ptys: int, told: Callable[[int], None]) -> Report:
        """Run it: `shoes` in virtual time, and beside them `ptys` over real terminals."""


def find_campaign(name: str) -> Campaign:
    """An installed campaign. Raises ConfigurationError with the names there are."""
    found = {entry.name: entry for entry in entry_points(group=CAMPAIGN_GROUP)}
    if name not in found:
        raise ConfigurationError(
            f"no campaign named {name!r}; installed: {', '.join(sorted(found)) or 'none'}"
        )
    campaign: Campaign = found[name].load()
    return campaign
