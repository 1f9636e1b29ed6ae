"""A figure with its goal, and the statistics that figures are made of."""

from collections.abc import Callable, Sequence
from statistics import quantiles

from msgspec import Struct


class Figure(Struct, frozen=True, kw_only=True):
    """`value` in `unit`; `goal`: the most it may be; `floor`: what a ratio is measured against."""

    name: str
    value: float
    unit: str
    goal: float
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether the goal is met."""
        return self.value <= self.goal


#: Measures some figures; told how much work to do, 1.0 being the usual.
Measure = Callable[[float], Sequence[Figure]]


def percentile(values: Sequence[float], percent: int) -> float:
    """A percentile, 1 to 99, of at least two values."""
    return quantiles(values, n=100)[percent - 1]
