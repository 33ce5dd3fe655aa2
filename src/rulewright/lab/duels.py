"""Round-robin duels of designs under the same circumstances, with the worth of each design."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.lab.sampling.sample import sample
from rulewright.rules import Ruleset
from rulewright.system import System

MOST_DESIGNS = 30
MOST_CASES = 200


class Met(Struct, frozen=True):
    """The result of one pair of designs under some circumstances: the chance of each, and of a draw."""

    one: str
    other: str
    said: dict[str, str]
    fights: int
    chance: float
    interval: tuple[float, float]
    other_chance: float
    nobody: float
    rounds: float


class Duels(Struct, frozen=True):
    """The table of a round robin: the worth of each design, and every pair."""

    names: tuple[str, ...]
    worth: str
    """The name of the game's rating; empty if there is none."""
    worths: dict[str, int | float]
    met: tuple[Met, ...]

    def chance(self, name: str, other: str) -> float:
        """The win chance of a design against another, over all circumstances."""
        values = [candidate.chance for candidate in self.met if (candidate.one, candidate.other) == (name, other)]
        values += [candidate.other_chance for candidate in self.met if (candidate.one, candidate.other) == (other, name)]
        return sum(values) / len(values) if values else 0.0

    def average(self, name: str) -> float:
        """The average win chance of a design against all others."""
        others = [other for other in self.names if other != name]
        return sum(self.chance(name, other) for other in others) / len(others) if others else 0.0


def cases(over: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Every combination of circumstances."""
    result = [dict(zip(over, values, strict=True)) for values in product(*over.values())]
    if len(result) > MOST_CASES:
        raise UserError(f"give at most {MOST_CASES} combinations of circumstances, not {len(result)}")
    return result


def duels(
    system: System,
    rules: Ruleset,
    pairs: Sequence[tuple[str, Any]],
    over: Mapping[str, Sequence[str]],
    n: int = 200,
    seed: int | None = None,
) -> Duels:
    """Play every two designs against each other, n fights for each combination of circumstances."""
    names = [name for name, _ in pairs]
    if len(names) < 2 or len(set(names)) < len(names):
        raise UserError("give at least two designs with different names")
    if len(names) > MOST_DESIGNS:
        raise UserError(f"give at most {MOST_DESIGNS} designs, not {len(names)}")
    unknown = next((name for name in over if name not in system.duelled), None)
    if unknown is not None:
        raise UserError(f"there is no circumstance {unknown!r}; there are {', '.join(system.duelled) or 'none'}")
    said = cases(over)
    met = [_met(system, rules, pair, other, case, n, seed) for pair, other in combinations(pairs, 2) for case in said]
    worths = {name: system.worth(rules, thing) for name, thing in pairs}
    called = next((worth[0] for worth in worths.values() if worth is not None), "")
    return Duels(tuple(names), called, {name: worth[1] for name, worth in worths.items() if worth is not None}, tuple(met))


def _met(
    system: System, rules: Ruleset, pair: tuple[str, Any], other: tuple[str, Any], said: dict[str, str], n: int, seed: int | None
) -> Met:
    result = system.duel(rules, pair[1], other[1], said)
    sampled = sample(result.scene, result.state, result.decide, n, question="win", rounds=result.rounds, seed=seed, tables=False)
    first, second = sampled.sides[result.sides[0]], sampled.sides[result.sides[1]]
    nobody = max(0.0, 1 - first.chance - second.chance)
    rounds = sum(count * end.round for end, count in sampled.counts.items()) / max(1, sum(sampled.counts.values()))
    return Met(pair[0], other[0], said, sampled.n, first.chance, first.interval, second.chance, nobody, rounds)
