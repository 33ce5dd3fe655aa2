"""Who leaves a battle by their own will, and when an objective is out of reach (rulings: the book leaves both to the table, line 6712)."""

from collections.abc import Sequence

from rulewright.grammar import agree
from rulewright.scenes.scene import Leaving, Result
from rulewright.scenes.skirmish import FIGHT_ON
from rulewright.systems.silhouette.battle.tactics.crew import fights_on
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.units.state import Battle, Objective
from rulewright.systems.silhouette.units.units import Unit


def own_machines(battle: Battle) -> list[Unit]:
    """Every unit that leaves by itself: no section, no component inside another machine, and no machine that was split."""
    return [unit for unit in battle.units if not is_part(unit)]


def is_inside(unit: Unit) -> bool:
    """Whether a unit is a component inside a combined machine."""
    return unit.part is not None and unit.part.inside


def is_part(unit: Unit) -> bool:
    """Whether a unit is no machine of its own now: a section, a component inside, or a machine that was split."""
    return unit.section or unit.split or is_inside(unit)


def is_badly_hurt(battle: Battle, unit: Unit) -> bool:
    """Whether a unit has lost half its Armor, all its weapons, or is a wounded person."""
    if 2 * unit.wear.armor >= max(1, unit.machine.armor):
        return True
    return bool(unit.arms) and not fights_on(battle, unit)


def wise_answers(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """What a shaken unit does, the wisest first: it withdraws if it can move, otherwise it surrenders; with an objective in reach it goes
    on."""
    if any(aim.side == unit.side and can_meet(battle, aim) for aim in battle.place.objectives):
        return FIGHT_ON, "surrender"
    return ("withdraw", "surrender", FIGHT_ON) if combat_speed(unit, battle.place) > 0 else ("surrender", "withdraw", FIGHT_ON)


def why_it_stays(battle: Battle, unit: Unit, how: Leaving) -> str:
    """Why a unit cannot leave in this way; empty if it can."""
    if how == "withdraw" and any(aim.side == unit.side for aim in battle.place.objectives):
        return f"units of {unit.side} that leave the field count for its objective: leave over the edge of the map, or surrender"
    return ""


def left_field(battle: Battle, aim: Objective) -> int:
    """How many units of a side have left the field as its objective asks."""
    return sum([unit.gone and not unit.surrendered for unit in own_machines(battle) if unit.side == aim.side])


def can_meet(battle: Battle, aim: Objective) -> bool:
    """Whether a side has enough units left to meet its objective."""
    left = sum([unit.able for unit in own_machines(battle) if unit.side == aim.side])
    return left_field(battle, aim) + left >= aim.units


def out_of_reach(battle: Battle) -> Result | None:
    """How a battle by objectives ends once no side can meet its objective any more: the only side without one that failed wins."""
    aims: Sequence[Objective] = battle.place.objectives
    if any(can_meet(battle, aim) for aim in aims):
        return None
    failed = list(dict.fromkeys([aim.side for aim in aims]))
    others = [side for side in battle.sides if side not in failed]
    names = " and ".join(failed)
    return Result(others[0] if len(others) == 1 else None, f"{names} can no longer meet {agree(names, 'its', 'their')} objective")
