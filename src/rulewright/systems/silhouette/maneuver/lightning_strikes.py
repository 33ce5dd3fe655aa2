"""Lightning strikes: two fleets that pass each other at high speed (book lines 4655-4663)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import is_plural
from rulewright.play import Play, Reckoned, Roll, Tell, Together, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.maneuver.piloting_tests import PILOT
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, reading, settled, sum_of

_ID = "sil-5.2.3-lightning-strike"


class Fleet(Struct, frozen=True, cache_hash=True):
    """One fleet of a pass: its navigator's pool, thrust rating, the lowest defense modifier of its thrust, and the Complexity that
    settles ties."""

    name: str = "a fleet"
    navigation: Pool = PILOT
    thrust: int = 0
    defense: int = 0
    complexity: int = 1


FIRST, SECOND = Fleet("first"), Fleet("second")


@rule(_ID)
def too_fast(first: Vector, second: Vector, across: int) -> bool:
    """Whether two groups can only pass each other: together they are faster than the map is wide."""
    if across < 1:
        raise UserError("the map must be at least one hex wide")
    return first.speed + second.speed > across


def _pool(own: Fleet, other: Fleet) -> Pool:
    more = Mod("higher thrust", 1 if own.thrust > other.thrust else 0, _ID)
    return own.navigation.plus(more, Mod("thrust used", own.defense, "sil-5.4.2-defender-modifiers"))


@rule(_ID)
def set_range(rules: Ruleset, first: Fleet = FIRST, second: Fleet = SECOND) -> Play[str]:
    """The fleet that picks the range in hexes: opposed Navigation, +1 for the higher thrust, with the lowest defense modifier of each
    fleet's thrust. A tie goes to the higher Complexity; if that is equal, both roll again."""
    pools = _pool(first, second), _pool(second, first)
    asked = [Roll(reading(rules, pool), fleet.name, "navigation") for pool, fleet in zip(pools, (first, second), strict=True)]
    rolls = yield from Together(tuple(asked))
    own, other = (settled(rules, pool, total) for pool, total in zip(pools, rolls, strict=True))
    sums = [sum_of("Navigation", pool, total, rule=_ID) for pool, total in zip(pools, (own, other), strict=True)]
    ahead = (own.total > other.total) - (own.total < other.total)
    tie = not ahead
    ahead = ahead or (first.complexity > second.complexity) - (first.complexity < second.complexity)
    if not ahead:
        return (yield from sub(set_range, rules, first, second))
    order = (0, 1) if ahead > 0 else (1, 0)
    winner, won, lost = (first, second)[order[0]].name, sums[order[0]], sums[order[1]]
    how = f"{'set' if is_plural(winner) else 'sets'} the range of the pass{', by Complexity' if tie else ''}"
    yield from Tell(Reckoned(winner, how, sums=(won, replace(lost, op="against"))))
    return winner
