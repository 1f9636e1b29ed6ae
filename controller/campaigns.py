"""Campaigns: many seeded trials whose figures are printed. A package offers them as entry points."""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

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


class Violation(Struct, frozen=True, kw_only=True):
    """What must never be: in which case, where its files are (`left`), and the command that repeats it."""

    case: int
    kind: str
    what: str
    left: str
    again: str


class CrashReport(Struct, frozen=True, kw_only=True):
    """What came of crashes. `cases`: how many of each kind. Of those without a violation `identical` went on
    with the facts of an undisturbed run; `held`: something was raised; `refused`: damage was named and what
    was damaged kept aside.
    """

    cases: dict[str, int]
    identical: int
    held: int
    refused: int
    violations: list[Violation]


class CodecReport(Struct, frozen=True, kw_only=True):
    """What came of bytes that nobody should send. `targets`, `kinds`: inputs of each. `understood`:
    observations, or bytes of answers. `held`: the most bytes that were kept of an input without an end, and
    `microseconds`: the most that a byte of a long one took. `faults`: each with the input's number.
    """

    inputs: int
    bytes: int
    targets: dict[str, int]
    kinds: dict[str, int]
    understood: int
    held: int
    microseconds: float
    faults: list[str]


class Campaign(Protocol):
    """`told` hears how many of the shoes are done."""

    def __call__(self, *, shoes: int, seed: int, ptys: int, told: Callable[[int], None]) -> Report:
        """Run it: `shoes` in virtual time, and beside them `ptys` over real terminals."""


class CodecCampaign(Protocol):
    """`told` hears how many of the inputs are done."""

    def __call__(self, *, inputs: int, seed: int, told: Callable[[int], None]) -> CodecReport:
        """Run so many; `seed` is the number of the first."""


class CrashCampaign(Protocol):
    """`told` hears how many of the cases are done."""

    def __call__(
        self,
        *,
        cases: int,
        seed: int,
        case: int | None,
        recording: Path | None,
        keep: Path,
        told: Callable[[int], None],
    ) -> CrashReport:
        """Run so many cases, or `case` alone, from a `recording` that was kept; `keep` what is wrong."""


def find_campaign(name: str) -> Any:
    """An installed campaign, to be called. Raises ConfigurationError with the names there are."""
    found = {entry.name: entry for entry in entry_points(group=CAMPAIGN_GROUP)}
    if name not in found:
        raise ConfigurationError(
            f"no campaign named {name!r}; installed: {', '.join(sorted(found)) or 'none'}"
        )
    return found[name].load()
