"""Hard turns at Top Speed: the test, skids and crashes (book lines 4437-4439)."""

from math import cos, radians, sin

from msgspec.structs import replace

from rulewright.field.field import Spot, spot_at
from rulewright.field.geometry import hexes
from rulewright.grammar import count
from rulewright.play import Play, Roll, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, less, term, total
from rulewright.systems.silhouette.battle.damage.collisions import run_into
from rulewright.systems.silhouette.battle.damage.structures import onto_bridge
from rulewright.systems.silhouette.battle.damage.zones import entered
from rulewright.systems.silhouette.battle.events import Moved
from rulewright.systems.silhouette.breakage.damage import PLAIN
from rulewright.systems.silhouette.breakage.events import Broken, Tested
from rulewright.systems.silhouette.breakage.systems import Blow, lose_armor, systems_damage
from rulewright.systems.silhouette.gunnery.attacks import maneuver_of
from rulewright.systems.silhouette.maneuver.ground_paths import Rig, Step, rig_of, step_cost
from rulewright.systems.silhouette.maneuver.stacking import holds
from rulewright.systems.silhouette.maneuver.turns import AT_EASE, hard_turn
from rulewright.systems.silhouette.resolution.tests import DIE
from rulewright.systems.silhouette.units.crews import pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_TURNING = "sil-5.2.1-turning"
HEAVY_FROM = 4
"""The die of a crash from which it does Heavy Damage."""


def is_hard_turn(rules: Ruleset, unit: Unit, turned: int, steered: tuple[str, ...]) -> bool:
    """Whether a turn at Top Speed needs a test: more than three hexsides in this round or in one turn."""
    counted = unit.turns + turned if rules.word("hard-turns") == "over the round" else turned
    return unit.speed == "top" and counted > AT_EASE and unit.way not in steered


def hold_turn(rules: Ruleset, battle: Battle, unit: Unit, here: Step, points: int) -> Play[tuple[Battle, bool]]:
    """Test a turn at Top Speed: held, a skid straight ahead, or a crash. False: the move is over. `points` are those of the round."""
    rig = rig_of(rules, battle, unit)
    ground = dict(rig.costs).get(battle.field.terrain(here.spot)) or 1
    result = yield from hard_turn(rules, pool_of(rules, unit, "piloting", maneuver_of(battle, unit)), ground, unit.voice)
    words = {"held": "holds the turn", "skids": "loses the turn", "crashes": "loses the turn and crashes"}[result.outcome]
    mood = "plain" if result.outcome == "held" else "bad"
    yield from Tell(Tested(unit.name, words, result.test, _TURNING, mood))
    if result.outcome == "held":
        return battle, True
    if result.outcome == "skids":
        return (yield from _skid(rules, battle, unit, rig, points)), False
    die = yield from Roll(DIE, unit.voice, "the crash")
    heavy = die >= HEAVY_FROM
    words = f"takes {'heavy' if heavy else 'light'} damage in the crash"
    yield from Tell(Broken(unit.name, words, (Reason("die of the crash", die, "=", _TURNING),)))
    unit = yield from lose_armor(rules, unit, "heavy" if heavy else "light", PLAIN)
    unit = yield from systems_damage(rules, unit, Blow(heavy=heavy, by=unit.voice, to=unit.voice))
    return battle.put(replace(unit, spent=max(unit.spent, points))), False


def _skid(rules: Ruleset, battle: Battle, unit: Unit, rig: Rig, points: int) -> Play[Battle]:
    """Skid a hex straight ahead for the Movement Points of that hex. The turn is lost, and a unit in the hex is rammed. Where it cannot
    go on, the attempt costs a Movement Point (ruling)."""
    spot, cost = _ahead(battle, unit, rig)
    there = None
    if cost is not None:
        there = next((other for other in battle.units if _is_in_the_way(unit, other, spot)), None)
    stays = cost is None or not holds(battle, unit, spot)
    price = min(cost or 1, max(0, points - unit.spent))
    left = total("MP left", term("this round", points), less("used before", unit.spent), less("skid", price), rule=_TURNING)
    unit = replace(unit, spent=unit.spent + price, turned=stays or left.value <= 0)  # the next turn needs another hex ahead
    if not stays:
        unit = replace(unit, x=spot[0], y=spot[1], hexes=unit.hexes + 1)
        battle = battle.change(unit.tows, x=spot[0], y=spot[1]) if unit.tows else battle
    battle = battle.put(unit)
    into = f"into {there.name}" if there is not None else "no further" if stays else "straight ahead"
    words = f"skids {into}" + (f" for {count(price, 'Movement Point')}" if price else "")
    yield from Tell(Moved(unit.name, words, (left.reason,)))
    if not stays:
        battle = yield from entered(rules, battle, unit.name)
        battle = yield from onto_bridge(rules, battle, unit.name)
    unit = battle.unit(unit.name)
    return battle if there is None or not unit.able else (yield from run_into(rules, battle, unit, battle.unit(there.name)))


def _ahead(battle: Battle, unit: Unit, rig: Rig) -> tuple[Spot, int | None]:
    """The place straight ahead and its cost; None if it cannot be entered."""
    if battle.hexes:
        here = (int(unit.x), int(unit.y))
        x, y = hexes.neighbour(here, unit.facing)
        return (float(x), float(y)), step_cost(battle.field, rig, here, (x, y))
    towards = radians(unit.facing)
    spot = spot_at(unit.x + battle.cell * cos(towards), unit.y + battle.cell * sin(towards))
    return spot, dict(rig.costs).get(battle.field.terrain(spot)) if battle.field.on_map(spot) else None


def _is_in_the_way(unit: Unit, other: Unit, spot: Spot) -> bool:
    return other.name != unit.name and other.spot == spot and other.able and not other.borne and other.altitude == unit.altitude
