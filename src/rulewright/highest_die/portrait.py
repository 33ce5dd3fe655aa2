"""Margins of ordinary hits, for the conversion of weapons in both games that count the highest die."""

from typing import Any

from rulewright.play.odds import Odds


def margins_of_hits(odds: Odds[Any]) -> tuple[tuple[int, float], ...]:
    """The margins of an opposed test that succeeds, with their chances among the successes."""
    weights: dict[int, int] = {}
    for outcome, weight in odds:
        if outcome.margin > 0:
            weights[outcome.margin] = weights.get(outcome.margin, 0) + weight
    whole = sum(weights.values())
    return tuple([(margin, weight / whole) for margin, weight in sorted(weights.items())])
