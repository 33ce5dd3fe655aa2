"""Evaluation for AI tactics: the expected damage of a shot, the threat in return, and the value of a place. Not a rule of the book."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.field.geometry import hexes
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.close_combat import Strike
from rulewright.systems.silhouette.battle.actions.attacks.heavy_fire import spotting
from rulewright.systems.silhouette.battle.actions.attacks.shots import distinct, harmless
from rulewright.systems.silhouette.battle.actions.base import Deed
from rulewright.systems.silhouette.battle.actions.ground.cover_and_recovery import HullDown, lies_down
from rulewright.systems.silhouette.battle.movement.movement import route
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.breakage.damage import severity_of
from rulewright.systems.silhouette.gunnery.arcs import Side
from rulewright.systems.silhouette.gunnery.attacks import (
    aimed,
    attack_pool,
    blocked,
    defense_pool,
    pace_now,
    pool_of_attack,
    shot,
    single_body_defense,
)
from rulewright.systems.silhouette.gunnery.lines import line_of
from rulewright.systems.silhouette.gunnery.shields import Shot, armor_here, armor_with, solid
from rulewright.systems.silhouette.gunnery.special import indirect_obscurement
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.maneuver.ground_paths import bearing
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, pace_of
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, reading
from rulewright.systems.silhouette.units.levelled_units import prey, shooter
from rulewright.systems.silhouette.units.state import Battle, Site
from rulewright.systems.silhouette.units.units import Pace, Unit

WORTH = {"none": 0.0, "light": 1.0, "heavy": 3.0, "overkill": 8.0}
MOST_WORTH = max(WORTH.values())
"""The upper limit of an attack's expected worth."""
NEAREST = 3
THREATS = 2
"""How many of the nearest enemies are considered as threats."""


@cached(1024)
def _totals(rules: Ruleset, dice: int, modifier: int) -> tuple[tuple[int, float], ...]:
    """The probability of each total of a pool."""
    weights = weights_of(reading(rules, Pool(dice, (Mod("", modifier),))))
    whole = sum(weights.values())
    return tuple([(result.total, weight / whole) for result, weight in weights.items()])


@cached(8192)
def _worth(
    rules: Ruleset, attack: tuple[int, int], defense: tuple[int, int] | None, damage: Figure, armor: Figure, piercing: bool
) -> float:
    result = 0.0
    pairs = _totals(rules, *defense) if defense is not None else ((0, 1.0),)
    for total, chance in _totals(rules, *attack):
        for other, likely in pairs:
            if total > other:
                result += chance * likely * WORTH[severity_of((total - other) * damage, armor, piercing)]
    return result


def shot_worth(rules: Ruleset, battle: Battle, item: Shot) -> float:
    """The expected worth of an attack."""
    attack, defense = attack_pool(rules, battle, item), defense_pool(rules, battle, item)
    target = battle.unit(item.target)
    return _worth_of(rules, item, attack, defense, armor_here(battle, target, item).value)


def _worth_of(rules: Ruleset, item: Shot, attack: Pool, defense: Pool | None, armor: Figure) -> float:
    pair = (defense.dice, defense.modifier) if defense is not None else None
    return _worth(rules, (attack.dice, attack.modifier), pair, item.damage * item.scaled[1], armor, item.nature.piercing)


class Aim(Struct, frozen=True, gc=False, cache_hash=True):
    """An attack of one unit on another, as their places and this round make it."""

    arm: int
    band: str
    side: Side
    hidden: int
    pace: Pace
    others: int
    """Earlier attackers of the target this round."""
    interrupts: bool
    own: int
    """The skill of a smart system; 0: the crew fires."""


@cached(8_000)
def _expected(rules: Ruleset, site: Site, attacker: Unit, target: Unit, aim: Aim) -> float:
    """The expected worth of an attack by day between machines of one body."""
    result = aimed(rules, site, attacker, target, aim.arm, band=aim.band, side=aim.side, hidden=aim.hidden)
    attack = pool_of_attack(rules, attacker, aim.pace, replace(result, own=aim.own))
    defense = None
    if target.machine.build != "emplacement":
        defense = single_body_defense(rules, site.place, target, aim.side, aim.others, aim.interrupts)
    return _worth_of(rules, result, attack, defense, armor_with(target, result, []).value)


def promise(rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, arm: int, *, interrupts: bool = False, own: int = 0) -> float:
    """The expected worth of an attack with a system; 0 if it is impossible. `own` is the skill of a smart system."""
    return 0.0 if blocked(unit, arm) else _best_worth_of(rules, battle, unit, foe, (arm,), interrupts=interrupts, own=own)


def _best_worth_of(
    rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, arms: tuple[int, ...], *, interrupts: bool = False, own: int = 0
) -> float:
    """The expected worth of the best attack with one of some usable systems.

    By day and for machines of one body it depends on few things, so that it can be cached while others move and fire."""
    if battle.place.night or unit.part is not None or foe.part is not None or foe.machine.sections or solid(foe.machine):
        return max([_compute_worth(rules, battle, unit, foe, arm, interrupts=interrupts, own=own) for arm in arms], default=0.0)
    line, shot_by, best, cover = line_of(rules, battle, unit, foe), None, 0.0, 0
    for arm in arms:
        band = line.aim(arm, unit.version(arm), unit.arms[arm].frozen)
        if not band:
            continue
        if shot_by is None:  # the same for every system
            hidden = line.hidden()
            if hidden is None:
                return 0.0
            cover = hidden
            others = len([name for name in foe.hit_by if name != unit.name]) if foe.hit_by else 0
            shot_by, shot_at, pace = shooter(unit), prey(foe), pace_now(battle, unit)
        aim = Aim(arm, band, line.side, cover, pace, others, interrupts, own)
        best = max(best, _expected(rules, battle.site, shot_by, shot_at, aim))
    return best


def _compute_worth(rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, arm: int, *, interrupts: bool, own: int) -> float:
    """The same for one attack, as it would be made; both units may be placed differently than in the battle."""
    for candidate in (unit, foe):
        battle = battle if battle.unit(candidate.name) is candidate else battle.put(candidate)
    result = shot(rules, battle, unit, foe, arm, interrupts=interrupts)
    return 0.0 if result is None else shot_worth(rules, battle, replace(result, own=own))


def best_worth(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit]) -> float:
    """The expected worth of the best attack possible now."""
    arms = armed_with(unit)
    return max([_best_worth_of(rules, battle, unit, foe, arms) for foe in foes], default=0.0)


@cached(1024)
def armed_with(unit: Unit) -> tuple[int, ...]:
    """The usable weapons of a unit; of identical ones only the first."""
    return tuple([arm for arm in distinct(unit) if not harmless(unit, arm)])


def nearest_foes(rules: Ruleset, battle: Battle, unit: Unit) -> list[Unit]:
    """The few nearest enemies that its side knows of."""
    foes = known_foes(rules, battle, unit)
    return sorted(foes, key=lambda foe: (distance(battle.field, unit.spot, foe.spot), foe.name))[:NEAREST]


def moved_to(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Battle | None:
    """The battle after a move; None if no path leads there."""
    if deed.spot is None:
        return None
    way = route(rules, battle, unit, deed.spot, facing=deed.facing, backward=bool(deed.what))
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


def hidden_after(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Battle:
    """The battle after a unit goes hull-down."""
    cost = HullDown().cost(rules, battle, unit, deed)
    spent = unit.spent + (int(cost.value) if cost is not None else 0)
    pace = unit.pace or pace_of(spent, combat_speed(unit, battle.place), unit.speed == "top")
    signs = replace(unit.signs, hull_down=deed.number, prone=lies_down(unit, deed))
    return battle.put(replace(unit, spent=spent, moved=True, pace=pace, signs=signs))


def blow_worth(rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> float:
    """The expected worth of a close attack, or of indirect fire with somebody who spots the target."""
    foe = battle.unit(deed.target)
    if deed.kind == "strike":
        return shot_worth(rules, battle, Strike().blow(rules, battle, unit, foe, deed.what))
    how, _, observed = spotting(rules, battle, unit, foe, unit.version(deed.arm).perk("guided") is not None)
    hidden = indirect_obscurement(how, observed, observed)
    result = shot(rules, battle, unit, foe, deed.arm, hidden=int(hidden.value))
    return 0.0 if result is None or how == "blind" else shot_worth(rules, battle, result)


def stays(battle: Battle, unit: Unit) -> Battle:
    """The battle if a unit stays where it is."""
    pace = unit.pace or pace_of(unit.spent, combat_speed(unit, battle.place), unit.speed == "top")
    return battle.put(replace(unit, moved=True, pace=pace))


def danger(rules: Ruleset, battle: Battle, unit: Unit, foes: list[Unit]) -> float:
    """The threat to a unit at its place: the best attack of each of the nearest enemies at Combat Speed, whatever its present
    facing."""
    result = 0.0
    for foe in foes[:THREATS]:
        turned = replace(foe, pace="combat", facing=_towards(battle, foe, unit), hit_by=())
        result += best_worth(rules, battle, turned, [unit])
    return result


def _towards(battle: Battle, unit: Unit, other: Unit) -> int:
    if unit.spot == other.spot:
        return unit.facing
    if battle.hexes:
        return hexes.towards((int(unit.x), int(unit.y)), (int(other.x), int(other.y)))
    return bearing(unit.spot, other.spot)
