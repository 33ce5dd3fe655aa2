"""The exact chances of a roll request before anybody rolls: of each person with each test, and of the joint result."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from msgspec import Struct

from rulewright.campaign.roll_request import Attempt, Join, RollRequest, Verdict
from rulewright.campaign.roll_scene import Described
from rulewright.play import Sub
from rulewright.play.odds import Budget, exact
from rulewright.rules import Ruleset

Ranked = tuple[float, Verdict | None]
"""A result's rank and its verdict."""
Spread = dict[Ranked, Fraction]


class WayChance(Struct, frozen=True):
    """The chance of success with one test; None if the test has no verdict, or if counting it takes too long."""

    key: str
    label: str
    chance: float | None


class PersonChance(Struct, frozen=True):
    """The chances of one person: the best of their tests first counts in the joint result."""

    name: str
    ways: tuple[WayChance, ...]

    @property
    def best(self) -> float | None:
        """The chance with the best test."""
        known = [way.chance for way in self.ways if way.chance is not None]
        return max(known) if known else None


class RequestChances(Struct, frozen=True):
    """The chances of everybody who is asked, and of the joint result (None if each counts alone)."""

    people: tuple[PersonChance, ...]
    joint: float | None


def request_chances(
    request: RollRequest,
    rules: Ruleset,
    parse: Callable[[Ruleset, str], Sub[Any]],
    show: Callable[[Any], Described],
    seconds: float = 1.0,
) -> RequestChances:
    """Compute the chances of a request, everybody with the best of their tests, without boosts."""
    budget = Budget(seconds=seconds)
    people: list[PersonChance] = []
    spreads: list[Spread | None] = []
    for attempt in request.attempts:
        spread_by_way = {way.key: _spread(parse(rules, way.notations[0]), show, budget) for way in attempt.ways}
        person = PersonChance(attempt.name, tuple(WayChance(way.key, way.label, _success(spread_by_way[way.key])) for way in attempt.ways))
        people.append(person)
        spreads.append(_best_spread(attempt, person, spread_by_way))
    known = [spread for spread in spreads if spread is not None]
    joint = _joint(request.joined, known) if len(known) == len(spreads) > 1 else None
    return RequestChances(tuple(people), joint)


def _spread(test: Sub[Any], show: Callable[[Any], Described], budget: Budget) -> Spread | None:
    odds = exact(test, budget=budget)
    if odds.unsettled:
        return None
    ranked = odds.map(lambda outcome: _ranked(show(outcome)))
    return {outcome: Fraction(weight, odds.total) for outcome, weight in ranked.weights.items()}


def _ranked(shown: Described) -> Ranked:
    return shown.order, shown.verdict


def _success(spread: Spread | None) -> float | None:
    if spread is None or any(verdict is None for _, verdict in spread):
        return None
    return float(sum((weight for (_, verdict), weight in spread.items() if verdict == "success"), Fraction()))


def _best_spread(attempt: Attempt, person: PersonChance, spread_by_way: dict[str, Spread | None]) -> Spread | None:
    chosen = max(person.ways, key=lambda way: -1.0 if way.chance is None else way.chance)
    return spread_by_way[chosen.key] if chosen.chance is not None else None


def _joint(joined: Join, spreads: list[Spread]) -> float | None:
    """The chance of a joint success, everybody rolling independently."""
    if joined == "each":
        return None
    if joined in ("best", "worst"):
        return _success(_extreme(spreads, 1 if joined == "best" else -1))
    successes = [Fraction(1)]
    for spread in spreads:
        chance = sum((weight for (_, verdict), weight in spread.items() if verdict == "success"), Fraction())
        one_more = [Fraction(), *[share * chance for share in successes]]
        successes = [share * (1 - chance) + more for share, more in zip([*successes, Fraction()], one_more, strict=True)]
    needed = {"any": 1, "all": len(spreads), "most": len(spreads) // 2 + 1}[joined]
    return float(sum(successes[needed:], Fraction()))


def _extreme(spreads: list[Spread], sign: int) -> Spread:
    """The distribution of the best (sign 1) or worst (sign -1) result; of equal ranks the first person's counts."""
    combined, *rest = spreads
    for spread in rest:
        merged: Spread = {}
        for first, share in combined.items():
            for second, weight in spread.items():
                winner = second if sign * second[0] > sign * first[0] else first
                merged[winner] = merged.get(winner, Fraction()) + share * weight
        combined = merged
    return combined
