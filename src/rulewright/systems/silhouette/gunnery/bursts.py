"""Bursts, swarms of missiles, walking fire and saturated hexes of machines (book lines 4959-4971)."""

from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.field.geometry.hexes import Hex, distance
from rulewright.play import Play
from rulewright.rules import Ruleset, Table, rule
from rulewright.rules.reasons import Derived, less, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.resolution.tests import Figure, Mod, Pool, Test, action_test, rolled

_BURST, _SATURATION = "sil-5.4.4-burst-fire", "sil-5.4.4-saturation-fire"
BURSTS = Table(_BURST, Figure)
SATURATION = Table(_SATURATION, Figure)
MOST_RATE = 20


def _rate(rof: int) -> int:
    if not 0 <= rof <= MOST_RATE:
        raise UserError(f"a rate of fire of 0 to {MOST_RATE} is used, not {rof}")
    return rof


@rule(_BURST)
def burst_shots(rules: Ruleset, rof: int, missile: bool = False) -> Derived[int]:
    """Shots that a burst takes: five for each point of the rate used, one without any; of missiles two launched together are a rate of 1,
    four of 2, eight of 3."""
    if missile:
        return total("missiles", term("one", 1), *[times("twice as many", 2) for _ in range(_rate(rof))], rule=_BURST)
    if not _rate(rof):
        return total("shots", row("a single shot", BURSTS.get(rules, "single shot").value), rule=_BURST)
    return total("shots", term("rate used", rof), times("shots each", BURSTS.get(rules, "shots for each point").value), rule=_BURST)


@lru_cache(maxsize=4096)
@rule(_BURST)
def largest_burst(rules: Ruleset, rate: int, left: int | None = None, missile: bool = False) -> int:
    """The largest rate that a weapon can use with the shots that are left; None is without limit."""
    if left is None:
        return max(0, rate)
    return max((rof for rof in range(max(0, rate) + 1) if burst_shots(rules, rof, missile).value <= left), default=0)


@rule(_BURST)
def burst_damage(rules: Ruleset, damage: Number, rof: int = 0) -> Derived[Number]:
    """The Damage Multiplier of a burst against a machine: the rate used is added to it."""
    return total("Damage Multiplier", term("weapon", damage), *([term("rate of fire", _rate(rof))] if rof else []), rule=_BURST)


@rule(_BURST)
def burst_margin(rules: Ruleset, margin: int, rof: int = 0) -> Derived[int]:
    """The Margin of Success of a burst that hits people or a building: the rate used is added to it, and not to the damage."""
    return total("Margin of Success", term("margin", margin), *([term("rate of fire", _rate(rof))] if rof else []), rule=_BURST)


@rule(_BURST)
def walking_rate(rules: Ruleset, rof: int, hexes: int = 1) -> Derived[int]:
    """What is left of the rate for damage when a burst walks over so many targets, empty hexes among them: one less for each beyond the
    first. At most one more than the rate can be attacked."""
    if not 1 <= hexes <= _rate(rof) + 1:
        raise UserError(f"a burst of {rof} walks over 1 to {rof + 1} targets, empty hexes counted, not {hexes}")
    return total("rate for damage", term("rate of fire", rof), less("further targets", hexes - 1), rule=_BURST)


@rule(_BURST)
def walked_over(start: Hex, end: Hex, line: tuple[Hex, ...] = ()) -> tuple[Hex, ...]:
    """The hexes that a burst walks over, each next to the one before it."""
    way = (start, *line, end) if start != end else (start,)
    if any(distance(pair, other) != 1 for pair, other in pairwise(way)):
        raise UserError("a burst walks from a hex to the next, and leaves none out")
    return way


# --- saturation ---------------------------------------------------------------------------------------------------------------


@rule(_SATURATION)
def saturation_shots(rules: Ruleset, rof: int, missile: bool = False, left: int | None = None) -> Derived[int]:
    """Shots that saturating a hex takes: ten for each point of the rate used, or eight missiles. With less the magazine is emptied, and
    what was fired still counts; but ten shots (four missiles) there must be."""
    kind = "missiles" if missile else "shots"
    least = SATURATION.get(rules, f"least {kind}").value
    if _rate(rof) < 1:
        raise UserError("only a burst of at least 1 saturates a hex")
    if left is not None and left < least:
        raise UserError(f"saturating a hex takes at least {least} {kind}, and there are {left}")
    wanted = total(kind, term("rate used", rof), times("each", SATURATION.get(rules, f"{kind} for each point").value), rule=_SATURATION)
    if left is not None and wanted.value > left:
        return total(kind, row("the magazine is emptied", left, *wanted.reasons), rule=_SATURATION)
    return wanted


@rule(_SATURATION)
def saturate(rules: Ruleset, pool: Pool, rof: int = 1, by: str = "") -> Play[Total]:
    """A hex is put under fire: the attack roll with the rate used added to it is what everybody there must beat, now or when they come
    in later in the round."""
    if _rate(rof) < 1:
        raise UserError("only a burst of at least 1 saturates a hex")
    return (yield from rolled(rules, pool.plus(Mod("rate of fire", rof, _SATURATION)), by, "saturation fire"))


class Caught(Struct, frozen=True):
    """Somebody in a hex under fire: what they defended with, by how much it fell short, and the damage of that."""

    test: Test
    damage: Number = 0

    @property
    def short(self) -> int:
        """The Margin of Failure; 0 for who got through."""
        return max(0, -self.test.margin)


@rule(_SATURATION)
def under_saturation(rules: Ruleset, defense: Pool, threshold: int, damage: Number, name: str = "") -> Play[Caught]:
    """In a hex under fire the defense must beat it; else damage is the Margin of Failure times the Damage Multiplier. The rate adds
    nothing here; a draw hurts no more than a success (its margin is 0)."""
    test = yield from action_test(rules, defense, threshold, name, "defense against saturation fire")
    return Caught(test, saturation_damage(damage, max(0, -test.margin)).value)


@rule(_SATURATION)
def saturation_damage(damage: Number, short: int) -> Derived[Number]:
    """The damage of a hex under fire: by how much the defense fell short, times the Damage Multiplier."""
    return total("damage", term("Margin of Failure", short), times("Damage Multiplier", damage), rule=_SATURATION)
