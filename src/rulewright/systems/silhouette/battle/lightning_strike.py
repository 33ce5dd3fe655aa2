"""Lightning strikes: two fleets too fast for the map pass each other once (book lines 4655-4663)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.grammar import count, is_plural
from rulewright.play import Choice, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.shots import used
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.gunnery.attacks import Exchange, attack_pool, attack_test, defense_pool, miss_of, shot, struck
from rulewright.systems.silhouette.gunnery.modifiers import hexes_mod
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.maneuver.lightning_strikes import Fleet, set_range, too_fast
from rulewright.systems.silhouette.maneuver.space import Vector
from rulewright.systems.silhouette.maneuver.speeds import combat_speed
from rulewright.systems.silhouette.units.crews import hand_for, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Volley(Struct, frozen=True):
    """An attack of the pass with its dice, before damage is applied."""

    shot: Shot
    came: Exchange


def is_pass(battle: Battle) -> bool:
    """Whether two sides in space are too fast for the map."""
    sides = [[unit for unit in battle.units if unit.side == side] for side in battle.sides]
    size = battle.map.size
    if len(sides) != 2 or size is None or not battle.hexes or any(unit.way != "space" for units in sides for unit in units):
        return False
    first, second = (max((Vector(*unit.course.vector) for unit in units), key=lambda item: item.speed) for units in sides)
    return too_fast(first, second, int(max(size)))


def _navigating_fleet(rules: Ruleset, battle: Battle, side: str) -> Fleet:
    """A side as it navigates: its commander, the lowest thrust, and the lowest defense bonus of thrust."""
    units = [unit for unit in battle.units if unit.side == side and unit.able]
    commander = battle.unit(battle.command(side).commander)
    thrusts = [combat_speed(unit, battle.place) for unit in units]
    worth = min([hexes_mod(rules, thrust).value for thrust in thrusts], default=0)
    skill = hand_for(commander, "piloting").skill
    return Fleet(side, pool_of(rules, commander, "piloting"), min(thrusts, default=0), worth, skill.complexity)


def tear_past(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Play the whole encounter: the range, targets declared in advance, every system in range once, all damage at the end."""
    first, second = battle.sides
    yield from Tell(Announced("", "Both fleets are too fast for a battle: they pass each other once"))
    winner = yield from set_range(rules, _navigating_fleet(rules, battle, first), _navigating_fleet(rules, battle, second))
    commander = battle.unit(battle.command(winner).commander)
    assert battle.map.size is not None
    most = int(max(battle.map.size)) - 1
    asked = f"At what range do the fleets pass, in hexes (0 to {most})?"
    far: int = yield from Choice[int](commander.voice, asked, Range(0, most), About(rules, battle, commander.name), "pass")
    yield from Tell(Announced(winner, f"{'set' if is_plural(winner) else 'sets'} the range at {count(far, 'hex') if far else '0 hexes'}"))
    battle = _place_fleets(battle, far)
    aims: list[tuple[str, str]] = []
    for unit in battle.units:
        target = yield from _target(rules, battle, unit)
        if target:
            aims.append((unit.name, target))
            yield from Tell(Announced(unit.name, f"aims at {target}"))
    volleys: list[Volley] = []
    for name, target in aims:
        battle, fired = yield from _volley(rules, battle, name, target)
        volleys += fired
    for volley in volleys:
        if volley.came.margin > 0:
            battle = yield from struck(rules, battle, volley.shot, volley.came.margin, volley.came.sums)
        else:
            yield from miss_of(rules, battle, volley.shot, volley.came.sums)
    yield from Tell(Announced("", "The fleets have passed each other"))
    return replace(battle, round=battle.rounds + 1, phase="activation")


def _place_fleets(battle: Battle, far: int) -> Battle:
    """Place both sides at the range, facing each other, at full thrust."""
    assert battle.map.size is not None
    middle = float(max(1, int(battle.map.size[1]) // 2))
    first = battle.sides[0]
    for unit in battle.units:
        mine = unit.side == first
        thrust = combat_speed(unit, battle.place)
        moved = replace(
            unit,
            x=middle if battle.map.size[0] < battle.map.size[1] else float(1 if mine else 1 + far),
            y=float(1 if mine else 1 + far) if battle.map.size[0] < battle.map.size[1] else middle,
            facing=(3 if mine else 0) if battle.map.size[0] < battle.map.size[1] else (2 if mine else 5),
            hexes=thrust,
            spent=thrust,
            points=thrust,
            moved=True,
            pace="combat",
        )
        battle = battle.put(moved)
    return battle


def _target(rules: Ruleset, battle: Battle, unit: Unit) -> Play[str]:
    """Ask for a unit's target; it is declared before any dice and final."""
    foes = [foe for foe in battle.foes(unit) if any(shot(rules, battle, unit, foe, arm) for arm in range(len(unit.arms)))]
    if not foes or not unit.able:
        return ""
    if len(foes) == 1:
        return foes[0].name
    options = tuple([Option(f"at {foe.name}", foe.name, foe.name, target=foe.name) for foe in foes])
    return (yield from Choice(unit.voice, "Which target?", options, About(rules, battle, unit.name), "target"))


def _volley(rules: Ruleset, battle: Battle, name: str, target: str) -> Play[tuple[Battle, list[Volley]]]:
    """Fire every bearing system of a unit once, whatever its actions (ruling)."""
    volleys = []
    for arm in range(len(battle.unit(name).arms)):
        unit = battle.unit(name)
        result = shot(rules, battle, unit, battle.unit(target), arm)
        if result is None or not result.damage:
            continue
        battle = battle.put(used(unit, arm, 0))
        pools = attack_pool(rules, battle, result), defense_pool(rules, battle, result)
        exchange = yield from attack_test(rules, *pools, unit.voice, battle.unit(target).voice)
        volleys.append(Volley(result, exchange))
    return battle, volleys
