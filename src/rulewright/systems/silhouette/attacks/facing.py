"""Facing in a fight: front, flanks and back (book lines 2226-2228, 4868)."""

from math import atan2, degrees, hypot
from typing import Literal

from rulewright.field.field import spot_at
from rulewright.play import Choice, Option, Play
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter, Situation

Position = Literal["facing", "flanked", "attacked from behind"]
"""Rows of the table of close modifiers."""


@rule("sil-3.3.2-close-modifiers")
def position(off_the_front: float = 0) -> Position:
    """Returns the position of an attacker from the angle off the front: the front is half a circle, the flanks 60 degrees on either
    side, and the back the last 60 (ruling, as the book has it for machines)."""
    turned = abs((off_the_front + 180) % 360 - 180)
    return "facing" if turned <= 90 else "flanked" if turned <= 150 else "attacked from behind"


@rule("sil-6.2.2-special-abilities")
def seen_from(place: Position = "flanked", sight: Literal[180, 270, 360] = 180) -> Position:
    """Adjusts a position for a wider field of view: with 270 degrees there is no flank and the back is a flank; with 360 there is
    neither."""
    if sight == 360 or place == "facing":
        return "facing"
    if sight == 270:
        return "flanked" if place == "attacked from behind" else "facing"
    return place


def by_the_map(rules: Ruleset) -> bool:
    """Whether the map and facing decide where an attack comes from; otherwise the gamemaster does."""
    return rules.word("facing") == "by the map"


def position_of(rules: Ruleset, fight: Fight, attacker: Fighter, target: Fighter) -> Position:
    """Returns where an attack comes from: as the gamemaster said, or from the map."""
    sight = target.profile.plan.sight
    if sight == 360:
        return "facing"
    for name, place in target.exposed_to:
        if name == attacker.name:
            return seen_from(place, sight)
    if not by_the_map(rules):
        return "facing"
    faced = faced_by(fight, target)
    if faced is None or faced is attacker:
        return "facing"
    front, here = _direction(target, faced), _direction(target, attacker)
    return "facing" if front is None or here is None else seen_from(position(here - front), sight)


def faced_by(fight: Fight, fighter: Fighter) -> Fighter | None:
    """Returns who a fighter faces, if that fighter is still there."""
    faced = next((f for f in fight.fighters if f.name == fighter.faces), None)
    return faced if faced is not None and fight.in_it(faced) and not faced.hidden else None


def _direction(fighter: Fighter, other: Fighter) -> float | None:
    dx, dy = other.x - fighter.x, other.y - fighter.y
    return degrees(atan2(dy, dx)) if dx or dy else None


def looking_at(rules: Ruleset, fight: Fight, name: str, target: str) -> Fight:
    """Turns a fighter to face a target or destination."""
    return fight.change(name, faces=target) if by_the_map(rules) and fight.fighter(name).faces != target else fight


def turned_to(rules: Ruleset, fight: Fight, attacker: str, target: str) -> Fight:
    """Turns an attacker to the target, and the target to its first attacker."""
    if not by_the_map(rules):
        return fight
    fight = looking_at(rules, fight, attacker, target)
    met = fight.fighter(target)
    return fight if met.unwary or faced_by(fight, met) is not None else fight.change(target, faces=attacker)


def choose_facing(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Asks a fighter among several enemies who to face at the start of a turn; the one faced so far comes first."""
    fighter = fight.fighter(name)
    names = [foe.name for foe in fight.enemies(fighter)]
    if len(names) < 2:
        return fight
    first = [text for text in names if text == fighter.faces]
    options = tuple([Option(fromkey, f"Face {fromkey}", fromkey) for fromkey in dict.fromkeys((*first, *names))])
    faces = yield from Choice(name, "Who do you face?", options, Situation(fight, name, rules), "face", fighter.hidden)
    return fight if faces == fighter.faces else fight.change(name, faces=faces)


def backs(rules: Ruleset, fight: Fight, fighter: Fighter, near: float) -> tuple[tuple[str, float, float], ...]:
    """Returns the nearby places behind every enemy who faces somebody else."""
    entries = []
    for foe in fight.enemies(fighter):
        faced = faced_by(fight, foe)
        if faced is None or faced.name == fighter.name:
            continue
        dx, dy = foe.x - faced.x, foe.y - faced.y
        metres = hypot(dx, dy)
        if metres:
            entries.append((foe.name, *spot_at(foe.x + dx / metres * near, foe.y + dy / metres * near)))
    return tuple(entries)
