"""How tactics judge a situation: what a shot is worth, what may come back, and what a place is good for. No rule stands here."""

from functools import lru_cache

from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.field import hexes
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.actions.shooting import distinct, harmless
from rulewright.systems.silhouette.battle.moving import route
from rulewright.systems.silhouette.battle.seen import known_foes
from rulewright.systems.silhouette.breakage.damage import severity_of
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, defense_pool, shot
from rulewright.systems.silhouette.gunnery.shields import Shot, armor_here
from rulewright.systems.silhouette.machines.reckoning import Figure
from rulewright.systems.silhouette.maneuver.routes import bearing
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, pace_of
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, reading
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

WORTH = {"none": 0.0, "light": 1.0, "heavy": 3.0, "overkill": 8.0}
MOST_WORTH = max(WORTH.values())
"""No attack can be expected to come to more."""
NEAREST = 3
THREATS = 2
"""Of so many enemies, the nearest, it is weighed what they may do."""


@lru_cache(maxsize=20_000)
def _totals(rules: Ruleset, dice: int, modifier: int) -> tuple[tuple[int, float], ...]:
    """How likely each total of a pool is."""
    weights = weights_of(reading(rules, Pool(dice, (Mod("", modifier),))))
    whole = sum(weights.values())
    return tuple([(came.total, weight / whole) for came, weight in weights.items()])


@lru_cache(maxsize=50_000)
def _worth(
    rules: Ruleset, attack: tuple[int, int], defense: tuple[int, int] | None, damage: Figure, armor: Figure, piercing: bool
) -> float:
    found = 0.0
    held = _totals(rules, *defense) if defense is not None else ((0, 1.0),)
    for total, chance in _totals(rules, *attack):
        for other, likely in held:
            if total > other:
                found += chance * likely * WORTH[severity_of((total - other) * damage, armor, piercing)]
    return found


def shot_worth(rules: Ruleset, battle: Battle, found: Shot) -> float:
    """What an attack may be expected to come to."""
    attack, defense = attack_pool(rules, battle, found), defense_pool(rules, battle, found)
    target = battle.unit(found.target)
    armor = armor_here(battle, target, found)
    held = (defense.dice, defense.modifier) if defense is not None else None
    return _worth(rules, (attack.dice, attack.modifier), held, found.damage * found.scaled[1], armor.value, found.nature.piercing)


def best_shot(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit]) -> tuple[float, Shot | None]:
    """The attack that promises most, of all that could be made now."""
    best: tuple[float, Shot | None] = (0.0, None)
    for foe in foes:
        for arm in distinct(unit):
            if harmless(unit, arm):
                continue
            found = shot(rules, battle, unit, foe, arm)
            if found is not None:
                worth = shot_worth(rules, battle, found)
                if worth > best[0]:
                    best = (worth, found)
    return best


def nearest_foes(rules: Ruleset, battle: Battle, unit: Unit) -> list[Unit]:
    """The few nearest enemies that its side knows of."""
    foes = known_foes(rules, battle, unit)
    return sorted(foes, key=lambda foe: (distance(battle.field, unit.spot, foe.spot), foe.name))[:NEAREST]


def moved_to(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Battle | None:
    """The battle as it would be after a move; None where no way leads there."""
    if deed.spot is None:
        return None
    way = route(rules, battle, unit, deed.spot, deed.facing, bool(deed.what))
    if way is None:
        return None
    spent = unit.spent + way.cost
    pace = pace_of(spent, combat_speed(unit, battle.place), unit.speed == "top")
    after = replace(
        unit,
        x=way.spot[0],
        y=way.spot[1],
        facing=way.facing,
        spent=spent,
        hexes=unit.hexes + way.hexes,
        moved=True,
        points=unit.points or 0,
        pace=pace,
    )
    return battle.put(after)


def stays(battle: Battle, unit: Unit) -> Battle:
    """The battle as it would be if a unit stays where it is."""
    pace = unit.pace or pace_of(unit.spent, combat_speed(unit, battle.place), unit.speed == "top")
    return battle.put(replace(unit, moved=True, pace=pace))


def danger(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit]) -> float:
    """What the nearest enemies may do to a unit where it is: the best attack of each that could be made at Combat Speed, whatever way it
    faces now."""
    found = 0.0
    for foe in foes[:THREATS]:
        turned = replace(foe, pace="combat", facing=_towards(battle, foe, unit), hit_by=())
        found += best_shot(rules, battle.put(turned), turned, [unit])[0]
    return found


def _towards(battle: Battle, one: Unit, other: Unit) -> int:
    if one.spot == other.spot:
        return one.facing
    if battle.hexes:
        return hexes.towards((int(one.x), int(one.y)), (int(other.x), int(other.y)))
    return bearing(one.spot, other.spot)
