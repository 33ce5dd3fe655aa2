"""Going somewhere: on foot without a roll, at a run, up to somebody, away from everybody (book lines 5386-5390)."""

from functools import lru_cache

from msgspec.structs import replace

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import run_metres
from rulewright.systems.ore.combat.cover import OPEN
from rulewright.systems.ore.combat.fighters import REACH, Fight, Fighter
from rulewright.systems.ore.fight.events import Moved
from rulewright.systems.ore.harm.body import Speed, legs


def walk_metres(rules: Ruleset, fighter: Fighter) -> int:
    """How far somebody gets without a roll; nowhere while held, holding on, or on the floor."""
    return 0 if fighter.held_by or fighter.downed else _walk(rules, legs(fighter.body))


@lru_cache(maxsize=256)
def _walk(rules: Ruleset, speed: Speed) -> int:
    return run_metres(rules, 0, speed)


def steps_towards(fight: Fight, name: str, place: int, most: int, within: int = REACH) -> int:
    """Metres, with their direction, that bring somebody within reach of a place, so many at most."""
    gap = place - fight.place_of(name)
    far = min(most, max(0, abs(gap) - within))
    return far if gap > 0 else -far


def steps_away(fight: Fight, name: str, metres: int) -> int:
    """So many metres away from the nearest enemy; with nobody there, backwards."""
    foe = fight.nearest_foe(name)
    here = fight.place_of(name)
    there = fight.place_of(foe) if foe else here
    first_side = fight.fighters[0].side if fight.fighters else ""
    ahead = there > here or (there == here and fight.side_of(name) == first_side)
    return -metres if ahead else metres


def goes(fight: Fight, name: str, steps: int, verb: str = "walks", to: str = "") -> Play[Fight]:
    """Somebody goes so many metres: out of cover, and out of the guard of whoever is left behind."""
    if not steps:
        return fight
    group = fight.group(name)
    yield Tell(Moved(name, verb, abs(steps), to=to))
    if group is not None:
        return fight.put_group(replace(group, metres=group.metres + steps))
    fight = fight.change(name, metres=fight.fighter(name).metres + steps, cover=OPEN)
    return _apart(fight, name)


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
    yield Tell(Happened(name, "has got away"))
    return fight.change(name, fled=True)
