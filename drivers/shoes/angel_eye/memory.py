"""What a driver remembers of the reports it has heard: their copies, and the sequence number due next."""

from typing import Any

from controller.observations import SequenceGap
from drivers.shoes.angel_eye.codec import Report

COPIES = 3  # consecutive identical reports that are one, where nothing tells the time
SUCCESSORS = {"9": "01", **{str(digit): str(digit + 1) for digit in range(9)}}
TOLERANCE = 1e-6  # seconds; times are floats


class Copies:
    """Tells a copy from a new report: by its bytes and when it came, never by card or number alone."""

    def __init__(self, window: float) -> None:
        self._window = window
        self._first: dict[Report, float] = {}
        self._last: Report | None = None
        self._run = 0

    def seen(self, report: Report, at: float | None) -> bool:
        """True for a further copy. With a time: the first came at most `window` seconds ago."""
        return self._consecutive(report) if at is None else self._recent(report, at)

    def postpone(self, since: float, until: float) -> None:
        """Nobody listened in between: a copy may have waited to be read, and comes only now."""
        oldest = since - self._window - TOLERANCE
        self._first = {report: until for report, first in self._first.items() if first >= oldest}

    def clear(self) -> None:
        self._first.clear()
        self._last = None

    def memory(self) -> dict[str, Any]:
        """All that it knows, as JSON has it."""
        return {
            "first": [[_data(report), first] for report, first in self._first.items()],
            "last": None if self._last is None else _data(self._last),
            "run": self._run,
        }

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that."""
        self._first = {_report(data): first for data, first in memory["first"]}
        self._last = None if memory["last"] is None else _report(memory["last"])
        self._run = memory["run"]

    def _consecutive(self, report: Report) -> bool:
        self._run = self._run % COPIES + 1 if report == self._last else 1
        self._last = report
        return self._run > 1

    def _recent(self, report: Report, at: float) -> bool:
        # Oldest first, since a report is entered when its first copy comes.
        while self._first:
            oldest = next(iter(self._first))
            if at - self._first[oldest] <= self._window + TOLERANCE:
                break
            del self._first[oldest]
        if report in self._first:
            return True
        self._first[report] = at
        return False


class Sequence:
    """Checks that reports are numbered without a gap. Only digits are checked. After 9 comes 0 or 1, which
    sources dispute: once 0 came, 1 in its place shows that a report is missing.
    """

    def __init__(self) -> None:
        self._last: str | None = None
        self._has_zero = False

    def gap(self, number: str) -> SequenceGap | None:
        """The gap before the report that bears `number`, if there is one; counting goes on from it."""
        last, self._last = self._last, number if number in SUCCESSORS else None
        if last is None or self._last is None:
            return None
        missing = number not in SUCCESSORS[last]
        if last == "9" and not missing:
            missing = number == "1" and self._has_zero
            # If that was another shoe, which never says 0, it is wronged only once.
            self._has_zero = number == "0"
        return SequenceGap(expected=SUCCESSORS[last][0], got=number) if missing else None

    def forget(self) -> None:
        """The next number is not checked."""
        self._last = None

    def memory(self) -> dict[str, Any]:
        """All that it knows, as JSON has it."""
        return {"last": self._last, "has_zero": self._has_zero}

    def remember(self, memory: dict[str, Any]) -> None:
        """Know that."""
        self._last, self._has_zero = memory["last"], memory["has_zero"]


def _data(report: Report) -> list[str]:
    return [report.sequence, report.code, report.payload.hex()]


def _report(data: list[str]) -> Report:
    sequence, code, payload = data
    return Report(sequence, code, bytes.fromhex(payload))
