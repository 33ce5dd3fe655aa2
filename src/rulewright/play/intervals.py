"""Confidence intervals of estimated chances."""

from math import sqrt
from statistics import NormalDist


def z_of(confidence: float) -> float:
    """How many standard deviations on both sides contain this share of a normal distribution."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(count: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's confidence interval for a chance, after `count` successes in `n` trials.

    >>> low, high = wilson(203, 1000)
    >>> f"{low:.3f} {high:.3f}"
    '0.179 0.229'
    """
    if not n:
        return 0.0, 1.0
    z = z_of(confidence)
    share = count / n
    centre = share + z * z / (2 * n)
    half_width = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if count == 0 else (centre - half_width) / scale
    high = 1.0 if count == n else (centre + half_width) / scale
    return max(0.0, low), min(1.0, high)
