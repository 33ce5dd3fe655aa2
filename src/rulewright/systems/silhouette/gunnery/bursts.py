"""Bursts, missile swarms, walking fire and saturation fire of machines (book lines 4959-4971)."""

from itertools import pairwise

from msgspec import Struct

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.field.geometry.hexes import Hex, distance
from rulewright.play import Play
from rulewright.play.cache import cached
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
        raise UserError(f"the rate of fire must be 0 to {MOST_RATE}, not {rof}")
    return rof


@rule(_BURST)
def burst_shots(rules: Ruleset, rof: int, missile: bool = False) -> Derived[int]:
    """Shots of a burst: five for each point of the rate used, one without a burst; two missiles together are a rate of 1,
    four of 2, eight of 3."""
    if missile:
        return total("missiles", term("one", 1), *[times("twice as many", 2) for _ in range(_rate(rof))], rule=_BURST)
    if not _rate(rof):
        return total("shots", row("a single shot", BURSTS.get(rules, "single shot").value), rule=_BURST)
    return total("shots", term("rate used", rof), times("shots each", BURSTS.get(rules, "shots for each point").value), rule=_BURST)


@cached(4096)
@rule(_BURST)
def largest_burst(rules: Ruleset, rate: int, left: int | None = None, missile: bool = False) -> int:
    """The largest rate that a weapon can use with its remaining shots; None is unlimited."""
    if left is None:
        return max(0, rate)
    return max((rof for rof in range(max(0, rate) + 1) if burst_shots(rules, rof, missile).value <= left), default=0)


@rule(_BURST)
def burst_damage(rules: Ruleset, damage: Number, rof: int = 0) -> Derived[Number]:
    """The Damage Multiplier of a burst against a machine: the rate used is added to it."""
    return total("Damage Multiplier", term("weapon", damage), *([term("rate of fire", _rate(rof))] if rof else []), rule=_BURST)


@rule(_BURST)
def burst_margin(rules: Ruleset, margin: int, rof: int = 0) -> Derived[int]:
    """The Margin of Success of a burst that hits people or a building: the rate used is added to it instead of to the damage."""
    return total("Margin of Success", term("margin", margin), *([term("rate of fire", _rate(rof))] if rof else []), rule=_BURST)


@rule(_BURST)
def walking_rate(rules: Ruleset, rof: int, hexes: int = 1) -> Derived[int]:
    """The rate left for damage when a burst walks over so many targets, including empty hexes: one less for each beyond the
    first. At most one more than the rate can be attacked."""
    if not 1 <= hexes <= _rate(rof) + 1:
        raise UserError(f"a burst of {rof} covers 1 to {rof + 1} targets, including empty hexes, not {hexes}")
    return total("rate for damage", term("rate of fire", rof), less("further targets", hexes - 1), rule=_BURST)


@rule(_BURST)
def walked_over(start: Hex, end: Hex, line: tuple[Hex, ...] = ()) -> tuple[Hex, ...]:
    """The hexes that a burst walks over, each next to the one before."""
    way = (start, *line, end) if start != end else (start,)
    if any(distance(pair, other) != 1 for pair, other in pairwise(way)):
        raise UserError("walking fire must cover a line of adjacent hexes")
    return way


# --- saturation ---------------------------------------------------------------------------------------------------------------


@rule(_SATURATION)
def saturation_shots(rules: Ruleset, rof: int, missile: bool = False, left: int | None = None) -> Derived[int]:
    """Shots of saturation fire: ten for each point of the rate used, or eight missiles. With less the magazine is emptied, and the
    full effect counts; but it needs at least ten shots (four missiles)."""
    kind = "missiles" if missile else "shots"
    least = SATURATION.get(rules, f"least {kind}").value
    if _rate(rof) < 1:
        raise UserError("saturation fire needs a rate of fire of at least 1")
    if left is not None and left < least:
        raise UserError(f"saturation fire takes at least {least} {kind}, and only {left} are left")
    wanted = total(kind, term("rate used", rof), times("each", SATURATION.get(rules, f"{kind} for each point").value), rule=_SATURATION)
    if left is not None and wanted.value > left:
        return total(kind, row("the magazine is emptied", left, *wanted.reasons), rule=_SATURATION)
    return wanted


@rule(_SATURATION)
def saturate(rules: Ruleset, pool: Pool, rof: int = 1, by: str = "") -> Play[Total]:
    """Roll saturation fire: the attack roll plus the rate used is the Threshold for everyone in the hex, now or when they enter
    later in the round."""
    if _rate(rof) < 1:
        raise UserError("saturation fire needs a rate of fire of at least 1")
    return (yield from rolled(rules, saturated_pool(pool, rof), by, "saturation fire"))


def saturated_pool(pool: Pool, rof: int) -> Pool:
    """The pool of saturation fire: that of the attack, plus the rate used."""
    return pool.plus(Mod("rate of fire", rof, _SATURATION))


class Caught(Struct, frozen=True):
    """A unit in a saturated hex: its defense, the Margin of Failure, and the damage."""

    test: Test
    damage: Number = 0

    @property
    def short(self) -> int:
        """The Margin of Failure; 0 if it was not hit."""
        return max(0, -self.test.margin)


@rule(_SATURATION)
def under_saturation(rules: Ruleset, defense: Pool, threshold: int, damage: Number, name: str = "") -> Play[Caught]:
    """Roll a defense against saturation fire: on a failure the damage is the Margin of Failure times the Damage Multiplier. The rate adds
    nothing here; a draw does no damage (its margin is 0)."""
    test = yield from action_test(rules, defense, threshold, name, "defense against saturation fire")
    return Caught(test, saturation_damage(damage, max(0, -test.margin)).value)


@rule(_SATURATION)
def saturation_damage(damage: Number, short: int) -> Derived[Number]:
    """The damage of saturation fire: the Margin of Failure times the Damage Multiplier."""
    return total("damage", term("Margin of Failure", short), times("Damage Multiplier", damage), rule=_SATURATION)
