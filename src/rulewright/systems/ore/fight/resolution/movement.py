"""Movement of fighters and groups (book lines 5386-5390)."""

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.play import Happened, Play, Stands, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.cover import OPEN, Cover
from rulewright.systems.ore.combat.fighters import REACH, Fight, Fighter, Where
from rulewright.systems.ore.fight.events import Moved
from rulewright.systems.ore.fight.map_positions import cover_near, end_away, end_towards, on_foot, on_map
from rulewright.systems.ore.harm.body import AnyBody, legs


def walk_metres(rules: Ruleset, fighter: Fighter) -> int:
    """Walking distance without a roll; 0 while held, holding or Downed."""
    return 0 if fighter.held_by or fighter.downed else _walk(rules, fighter.body)


@cached(20_000)
def _walk(rules: Ruleset, body: AnyBody) -> int:
    return run_metres(rules, 0, legs(body))


def steps_towards(fight: Fight, name: str, place: Where, most: int, within: int = REACH) -> Where:
    """The move towards a place, within reach: metres on the line, or a spot on the map."""
    if not isinstance(place, int):
        return end_towards(fight, name, place, most, within)
    gap = place - fight.one(name).metres
    far = min(most, max(0, abs(gap) - within))
    return far if gap > 0 else -far


def stands(fighter: Fighter, steps: Where) -> Fighter:
    """A fighter after a move."""
    return replace(fighter, metres=fighter.metres + steps) if isinstance(steps, int) else replace(fighter, at=steps)


def steps_away(fight: Fight, name: str, metres: int) -> Where:
    """The move away from the nearest enemy; backwards without one."""
    foe = fight.nearest_foe(name)
    if fight.one(name).at is not None:
        return end_away(fight, name, foe, metres)
    here = fight.one(name).metres
    there = fight.one(foe).metres if foe else here
    first_side = fight.fighters[0].side if fight.fighters else ""
    ahead = there > here or (there == here and fight.side_of(name) == first_side)
    return -metres if ahead else metres


def steps_from(fight: Fight, name: str, by: str, metres: int) -> Where:
    """The move away from an attacker, for people and weapons."""
    fighter, other = fight.one(name), fight.one(by)
    if fighter.at is not None:
        return end_away(fight, name, by, metres)
    return metres if fighter.metres > other.metres or (fighter.metres == other.metres and fighter.side > other.side) else -metres


def cover_metres(fight: Fight, fighter: Fighter) -> int:
    """Metres to the nearest cover, from the scenario or the map."""
    near = cover_near(fight, fighter) if not fight.ground.cover else None
    return near.metres if near is not None else fight.ground.cover_metres


def can_dive(fight: Fight, fighter: Fighter) -> bool:
    """Whether there is cover to dive behind that is not in use."""
    return bool(fight.ground.cover) and not fighter.cover.any if fight.ground.cover else cover_near(fight, fighter) is not None


def in_cover(fight: Fight, fighter: Fighter) -> Fighter:
    """A fighter in cover."""
    ground = fight.ground
    near = cover_near(fight, fighter) if not ground.cover else None
    return replace(fighter, at=near.spot) if near is not None else replace(fighter, cover=Cover(ground.cover, ground.cover_material))


def goes(fight: Fight, name: str, steps: Where, verb: str = "walks", to: str = "") -> Play[Fight]:
    """Moves a fighter or group: out of cover, and no longer Close-In with those left behind."""
    if not isinstance(steps, int):
        return (yield from _goes_on_map(fight, name, steps, verb, to))
    if not steps:
        return fight
    group = fight.group(name)
    yield Tell(Moved(name, verb, abs(steps), to=to))
    if group is not None:
        return fight.put_group(replace(group, metres=group.metres + steps))
    fight = fight.change(name, metres=fight.fighter(name).metres + steps, cover=OPEN)
    return _apart(fight, name)


def _goes_on_map(fight: Fight, name: str, spot: Spot, verb: str, to: str) -> Play[Fight]:
    """Moves to a spot on the map."""
    here = on_map(fight, name)
    if spot == here:
        return fight
    group = fight.group(name)
    yield Tell(Moved(name, verb, round(on_foot(fight, here, spot)), to=to))
    if group is not None:
        fight = fight.put_group(replace(group, at=spot))
    else:
        fight = _apart(fight.change(name, at=spot, cover=OPEN), name)
    yield Tell(Stands(fight))
    return fight


def _apart(fight: Fight, name: str) -> Fight:
    """Ends Close-In beyond reach."""
    for fighter in fight.fighters:
        other = fighter.close_to
        if other and name in (fighter.name, other) and fight.distance(fighter.name, other) > REACH:
            fight = fight.put(replace(fighter, close_to=""))
    return fight


def walks_up(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """Walks up to a target as far as possible."""
    steps = steps_towards(fight, name, fight.place_of(target), walk_metres(rules, fight.fighter(name)))
    return (yield from goes(fight, name, steps, "walks", f"up to {target}"))


def escapes_the_fight(fight: Fight, name: str) -> Play[Fight]:
    """Removes a fighter who fled far enough."""
    foes = fight.foes(fight.side_of(name))
    if not foes or any(fight.distance(name, foe) < fight.ground.escape for foe in foes):
        return fight
    yield Tell(Happened(name, "escapes from the fight"))
    return fight.change(name, fled=True)
