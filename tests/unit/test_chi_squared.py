"""The chi-squared distribution against published values."""

from itertools import pairwise

import pytest

from controller.shuffles.chi_squared import critical, survival

#: Percentage points from printed tables: (degrees of freedom, upper tail, statistic).
TABLE = [
    (1, 0.10, 2.70554),
    (1, 0.05, 3.84146),
    (1, 0.01, 6.63490),
    (1, 0.001, 10.82757),
    (2, 0.05, 5.99146),
    (5, 0.05, 11.07050),
    (8, 0.05, 15.50731),
    (8, 0.95, 2.73264),
    (10, 0.99, 2.55821),
    (10, 0.05, 18.30704),
    (10, 0.005, 25.18818),
    (30, 0.05, 43.77297),
    (50, 0.95, 34.76425),
    (100, 0.05, 124.34211),
    (100, 0.01, 135.80672),
]


@pytest.mark.parametrize(("freedom", "tail", "statistic"), TABLE)
def test_against_a_printed_table(freedom: int, tail: float, statistic: float) -> None:
    assert survival(statistic, freedom) == pytest.approx(tail, rel=1e-5)
    assert critical(1 - tail, freedom) == pytest.approx(statistic, abs=1e-4)


@pytest.mark.parametrize("statistic", [1e-9, 0.1, 1.0, 5.0, 50.0, 500.0])
def test_two_degrees_of_freedom_are_an_exponential(statistic: float) -> None:
    """Q(1, x) = exp(-x), and Q(2, x) = (1 + x) exp(-x)."""
    from math import exp

    x = statistic / 2
    assert survival(statistic, 2) == pytest.approx(exp(-x), rel=1e-13)
    assert survival(statistic, 4) == pytest.approx((1 + x) * exp(-x), rel=1e-13)


def test_the_ends() -> None:
    assert survival(0, 3) == 1.0
    assert survival(-1, 3) == 1.0
    assert survival(1e5, 3) == 0.0
    assert 0 < survival(700, 357) < 1e-20


def test_it_falls() -> None:
    values = [survival(statistic / 4, 357) for statistic in range(0, 3000, 7)]
    assert all(0 <= after <= before <= 1 for before, after in pairwise(values))
