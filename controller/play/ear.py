"""What a table remembers of how it heard its shoe."""

from dataclasses import dataclass, field

from controller.observations import DeviceResult, DeviceStandby, Observation

#: A shoe makes these by itself, soon after a round's last card and after its result. That one took many times
#: as long as ever before shows what the numbers may not: they repeat.
OWN_PACE = (DeviceResult, DeviceStandby)
TIMES_AS_LONG = 3.0
#: Seconds: in less no shoe comes to the same number again.
NUMBERS_REPEAT = 6.0


@dataclass
class Ear:
    """What a table remembers of how it heard its shoe; times in seconds.

    `is_lost`: the link is down, `lost`: since when. `noise`: when bytes that were no report came first and
    last since the last report, which came at `said`. `stood_by`: since the last card of a game; `stands_by`:
    it does so between games. `longest`: what the shoe took at most for one of `OWN_PACE`.
    """

    is_lost: bool = False
    lost: float | None = None
    noise: tuple[float, float] | None = None
    stood_by: bool = False
    stands_by: bool = False
    said: float | None = None
    longest: dict[type, float] = field(default_factory=dict)

    def slow(self, report: Observation) -> bool:
        """It came much later than reports of its kind ever did."""
        said, self.said = self.said, report.at
        if not isinstance(report, OWN_PACE) or said is None or report.at is None:
            return False
        took, longest = report.at - said, self.longest.get(type(report))
        self.longest[type(report)] = max(took, longest or 0.0)
        return longest is not None and took > max(NUMBERS_REPEAT, TIMES_AS_LONG * longest)
