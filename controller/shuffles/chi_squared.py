"""The chi-squared distribution: how likely so large a statistic is, and how large one must be."""

from math import exp, lgamma, log

_PRECISE = 1e-15
_TINY = 1e-300


def survival(statistic: float, freedom: int) -> float:
    """The chance of a chi-squared statistic at least so large, `freedom` degrees of freedom, at least 1.

    The upper regularised incomplete gamma function Q(freedom / 2, statistic / 2): its series below the mean,
    its continued fraction (modified Lentz) above (DLMF 8.7.1, 8.9.2).
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = a * log(x) - x - lgamma(a)
    if x < a + 1:
        return max(0.0, 1.0 - exp(scale) * _series(a, x))
    return exp(scale) * _fraction(a, x)


def critical(level: float, freedom: int) -> float:
    """The statistic that chance exceeds with probability 1 - `level`."""
    low, high = 0.0, float(freedom)
    while survival(high, freedom) > 1 - level:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        if survival(middle, freedom) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    n = a
    while term > total * _PRECISE:
        n += 1
        term *= x / n
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value, change, n = d, 0.0, 0
    while abs(change - 1) > _PRECISE:
        n += 1
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        change = c * d
        value *= change
    return value
