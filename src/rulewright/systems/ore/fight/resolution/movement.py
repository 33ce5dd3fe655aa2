"""Going somewhere: on foot without a roll, at a run, up to somebody, away from everybody (book lines 5386-5390)."""

from functools import lru_cache

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.play import Happened, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.cover import OPEN, Cover
from rulewright.systems.ore.combat.fighters import REACH, Fight, Fighter, Where
from rulewright.systems.ore.fight.events import Moved
from rulewright.systems.ore.fight.map_positions import cover_near, end_away, end_towards, on_foot, on_map
from rulewright.systems.ore.harm.body import AnyBody, legs


def walk_metres(rules: Ruleset, fighter: Fighter) -> int:
    """How far somebody gets without a roll; nowhere while held, holding on, or on the floor."""
    return 0 if fighter.held_by or fighter.downed else _walk(rules, fighter.body)


@lru_cache(maxsize=20_000)
def _walk(rules: Ruleset, body: AnyBody) -> int:
    return run_metres(rules, 0, legs(body))


def steps_towards(fight: Fight, name: str, place: Where, most: int, within: int = REACH) -> Where:
    """What brings somebody within reach of a place, so many metres at most: metres with their direction, or on a map where he gets."""
    if not isinstance(place, int):
        return end_towards(fight, name, place, most, within)
    gap = place - fight.one(name).metres
    far = min(most, max(0, abs(gap) - within))
    return far if gap > 0 else -far


def stands(fighter: Fighter, steps: Where) -> Fighter:
    """Somebody after so many metres along the line, or at a place on the map."""
    return replace(fighter, metres=fighter.metres + steps) if isinstance(steps, int) else replace(fighter, at=steps)


def steps_away(fight: Fight, name: str, metres: int) -> Where:
    """So many metres away from the nearest enemy; with nobody there, backwards."""
    foe = fight.nearest_foe(name)
    if fight.one(name).at is not None:
        return end_away(fight, name, foe, metres)
    here = fight.one(name).metres
    there = fight.one(foe).metres if foe else here
    first_side = fight.fighters[0].side if fight.fighters else ""
    ahead = there > here or (there == here and fight.side_of(name) == first_side)
    return -metres if ahead else metres


def steps_from(fight: Fight, name: str, by: str, metres: int) -> Where:
    """So many metres away from whoever pushes somebody, or knocks something out of his hand."""
    fighter, other = fight.one(name), fight.one(by)
    if fighter.at is not None:
        return end_away(fight, name, by, metres)
    return metres if fighter.metres > other.metres or (fighter.metres == other.metres and fighter.side > other.side) else -metres


def cover_metres(fight: Fight, fighter: Fighter) -> int:
    """How far the next cover is: as the scenario says, or as it lies on the map."""
    near = cover_near(fight, fighter) if not fight.ground.cover else None
    return near.metres if near is not None else fight.ground.cover_metres


def can_dive(fight: Fight, fighter: Fighter) -> bool:
    """Whether there is cover to dive behind, and somebody is not behind it already."""
    return bool(fight.ground.cover) and not fighter.cover.any if fight.ground.cover else cover_near(fight, fighter) is not None


def in_cover(fight: Fight, fighter: Fighter) -> Fighter:
    """Somebody who has got behind cover: that of the scenario, or the next on the map."""
    ground = fight.ground
    near = cover_near(fight, fighter) if not ground.cover else None
    return replace(fighter, at=near.spot) if near is not None else replace(fighter, cover=Cover(ground.cover, ground.cover_material))


def goes(fight: Fight, name: str, steps: Where, verb: str = "walks", to: str = "") -> Play[Fight]:
    """Somebody goes so many metres: out of cover, and out of the guard of whoever is left behind."""
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
    """The same to a place on the map."""
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
    """Nobody is inside a guard that is out of reach."""
    for fighter in fight.fighters:
        other = fighter.close_to
        if other and name in (fighter.name, other) and fight.distance(fighter.name, other) > REACH:
            fight = fight.put(replace(fighter, close_to=""))
    return fight


def walks_up(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """Somebody walks up to whom he attacks, as far as a walk goes."""
    steps = steps_towards(fight, name, fight.place_of(target), walk_metres(rules, fight.fighter(name)))
    return (yield from goes(fight, name, steps, "walks", f"up to {target}"))


def escapes_the_fight(fight: Fight, name: str) -> Play[Fight]:
    """Whoever fled far enough from every enemy is out of it."""
    foes = fight.foes(fight.side_of(name))
    if not foes or any(fight.distance(name, foe) < fight.ground.escape for foe in foes):
        return fight
    yield Tell(Happened(name, "escapes from the fight"))
    return fight.change(name, fled=True)
