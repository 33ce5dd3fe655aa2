"""Power boosters: points spent in the declaration phase for one round's bonus (book lines 9078-9090)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Choice, Option, Play, Range, Tell
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.battle.actions.base import About, Deed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.battle.sensors.sightings import names_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_ID = "sil-d-accessories"
FIGURES = ("maneuver", "top speed", "actions", "damage", "range")
"""The figures that a booster can raise; each point spent raises one of them."""
SEVERAL = "several"


@rule(_ID)
def boost(points: int, overburn: bool = False) -> Derived[int]:
    """The bonus of a power booster to one figure for a round: one for each point spent, two if overburnt."""
    return total("boost", term("points spent", points), *([times("overburnt", 2)] if overburn else []), rule=_ID)


def points_left(unit: Unit) -> int:
    """Unused points of a unit's power boosters."""
    if not unit.has("power booster"):
        return 0
    all_of_it = sum([(perk.rating or 0) * perk.count for perk in unit.machine.perks if perk.name == "power booster"])
    return max(0, all_of_it - unit.wear.burnt)


def boosts(unit: Unit) -> Iterator[Option[Deed]]:
    """The declarations of a booster: all that is left or a single point, into one figure, overburnt or not."""
    left = points_left(unit)
    for points in dict.fromkeys([1, left] if left else []):
        for what in FIGURES:
            for hard in (False, True):
                more = boost(points, hard).value
                price = f"{points} of {count(left, 'point')}{', overburnt: permanently 1 worse' if hard else ''}"
                label = f"Boost {what} by {more} this round ({price})"
                deed = Deed(kind="boost", what=what, number=points, target="overburn" if hard else "")
                key = f"{'overburn' if hard else 'boost'} {what} {points}"
                yield Option(key, label, deed, verb="gear", target="power booster", manner=(f"{what} +{more}",))
    for hard in (False, True) if left > 1 else ():
        word = "Overburn" if hard else "Boost"
        deed = Deed(kind="boost", what=SEVERAL, number=left, target="overburn" if hard else "")
        label = f"{word} several figures with up to {count(left, 'point')}"
        yield Option(f"{word.lower()} several", label, deed, verb="gear", target="power booster", manner=(f"{word.lower()} several",))


def boosted(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
    """Apply a booster for the round: the points go into one figure, or their player divides them among several."""
    hard, shares = bool(deed.target), [(deed.what, deed.number)]
    if deed.what == SEVERAL:
        shares = yield from _divide_points(battle, unit, deed.number, rules)
    wear, surges = unit.wear, []
    for what, points in shares:
        more = boost(points, hard)
        words = f"boosts {what} by {more.value} this round" + (" and overburns its booster" if hard else "")
        yield from Tell(Announced(unit.name, words, (more.reason,), known_to=names_of(battle, unit.side)))
        wear = replace(wear, burnt=wear.burnt + points)
        surge = int(more.value)
        if hard:  # the permanent loss starts in the next round; compensate it this round
            wear, surge = replace(wear, overburnt=tuple(sorted([*wear.overburnt, what]))), surge + 1
        surges.append((what, surge))
    return battle.put(replace(unit, wear=wear, signs=replace(unit.signs, surge=tuple(surges))))


def _divide_points(battle: Battle, unit: Unit, left: int, rules: Ruleset) -> Play[list[tuple[str, int]]]:
    """Ask how many points go into each figure."""
    shares = []
    for what in FIGURES:
        if left:
            asked: Choice[int] = Choice(
                unit.voice, f"How many points for {what}?", Range(0, left), About(rules, battle, unit.name), "boost"
            )
            points = yield from asked
            left -= points
            shares += [(what, points)] if points else []
    return shares
