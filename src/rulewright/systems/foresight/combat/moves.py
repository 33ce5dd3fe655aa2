"""Balance, stances and movement (book lines 3032-3051, 3332-3336)."""

from math import cos, hypot, radians, sin

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.destinations import Goal, goals, taken
from rulewright.field.field import Spot, spot_at
from rulewright.field.pathfinding import SPARE, WALKER, way
from rulewright.field.places import behind, pushed, towards, written
from rulewright.rules import Ruleset, rule
from rulewright.systems.foresight.combat.fighters import FLAT, NO_AIM, UNUSED, Fight, Fighter, Motion, direction
from rulewright.systems.foresight.resolution.situations import ACTIONS, Stance, unbalances

MOVES = ("move", "dash", "evade", "dive", "step", "roll")
"""Actions that take a person from one place to another."""
STANCES: dict[str, Stance] = {"drop": "prone", "kneel": "kneeling", "squat": "squatting"}


@rule("fs-balance")
def lose_balance(rules: Ruleset, fighter: Fighter) -> Fighter:
    """A person who loses balance no longer has a longarm at the shoulder or a weapon braced, and loses throws and bows made ready."""
    kept = tuple([at for at in fighter.ready if not (fighter.profile.weapons[at].thrown or fighter.profile.weapons[at].bow)])
    return replace(fighter, balanced=False, shouldered=False, braced=False, ready=kept)


@rule("fs-balance")
def after_action(rules: Ruleset, fighter: Fighter, action: str = "move") -> Fighter:
    """A person after an action, as far as balance goes: some cost it, and recovering brings it back with a longarm shouldered."""
    if action == "recover":
        return replace(fighter, balanced=True, shouldered=fighter.weapon.longarm and fighter.both_hands(fighter.hand))
    return lose_balance(rules, fighter) if unbalances(rules, action) else fighter


def restless(fighter: Fighter, action: str) -> Fighter:
    """Ends what any action ends: aims, feints and wind-ups that have to come right before, and what was just hit or just used."""
    changes: dict[str, object] = {}
    if fighter.aim and action not in ("aim", "fire", "throw"):
        changes.update(NO_AIM)
    if fighter.just_hit and action not in ("fire", "throw"):
        changes["just_hit"] = ""
    if fighter.feints and action not in ("feint", "attack", "wind-up", "pin"):
        changes["feints"] = 0
    if fighter.windups and action not in ("wind-up", "attack", "throw", "feint"):
        changes["windups"] = 0
    if fighter.shots and action in ("aim", "recover"):
        changes["shots"] = 0
    if fighter.motion and action not in MOVES:
        changes["motion"] = ""
    if fighter.last_used != UNUSED and action != "attack":
        changes["last_used"] = UNUSED
    if fighter.concentrated and action != "concentrate":
        changes["concentrated"] = 0
    if fighter.rising and action != "rise":
        changes["rising"] = 0
    return replace(fighter, **changes) if changes else fighter


def change_stance(rules: Ruleset, fighter: Fighter, action: str) -> Fighter:
    """Dropping, kneeling, squatting and rising; getting up takes as many rise actions as the stance asks for."""
    if action in STANCES:
        return replace(fighter, stance=STANCES[action])
    if action != "rise" or fighter.stance == "standing":
        raise UserError(f"{fighter.name} cannot {action} now")
    done = fighter.rising + 1
    if done < ACTIONS.get(rules, action).takes.get(fighter.stance, 1):
        return replace(fighter, rising=done)
    return replace(fighter, rising=0, stance="squatting" if fighter.stance in FLAT else "standing")


def meters_of(rules: Ruleset, fighter: Fighter, action: str) -> int:
    """How far a movement takes a person: standing, or along the ground; not at all from the knees or a squat."""
    row = ACTIONS.get(rules, action)
    stride = fighter.profile.stride if action == "move" else 0
    return row.standing + stride if fighter.stance == "standing" else row.prone if fighter.flat else 0


def motion_of(rules: Ruleset, action: str) -> Motion:
    """The motion of a target after an action: quick or evasive; a step and a roll change nothing."""
    return "evasive" if ACTIONS.get(rules, action).evasive else "quick" if action == "move" else ""


FAR = 30.0
"""Meters within which a person looks for a way to something."""


def goals_of(fight: Fight, fighter: Fighter, meters: float) -> tuple[Goal, ...]:
    """The places that mean something to a person on ground with something on it."""
    foes = tuple([(foe.name, foe.x, foe.y) for foe in fight.known_enemies(fighter)])
    return goals(fight.field, (fighter.x, fighter.y), foes, meters)


def place_behind(fight: Fight, fighter: Fighter, name: str) -> Spot | None:
    """The place behind a cover of the map, as seen by the known enemies."""
    cover = next((candidate for candidate in fight.map.covers if candidate.name == name), None)
    foes = [(foe.x, foe.y) for foe in fight.known_enemies(fighter)]
    return behind(fight.field, cover, foes, (fighter.x, fighter.y)) if cover is not None else None


def goal(fight: Fight, fighter: Fighter, to: str) -> tuple[float, float, float]:
    """Where a movement is headed, and how far short of it one stops."""
    how, _, name = to.partition(":")
    if how == "cover":
        spot = fight.cover_called(name)
        if spot is None and (place := place_behind(fight, fighter, name)) is not None:
            return *place, 0.0
        if spot is None:
            raise UserError(f"there is no cover called {name!r} here")
        return spot.x, spot.y, 0.0
    if how in ("door", "out"):
        key = f"to {name}" if how == "door" else "out of sight"
        result = next((candidate for candidate in goals_of(fight, fighter, FAR) if candidate.key == key), None)
        if result is None:
            raise UserError(f"there is no path {key} here")
        return *result.way.end, 0.0
    if how == "area":
        area = next((candidate for candidate in fight.ground.areas if candidate.name == name), None)
        if area is None:
            raise UserError(f"there is no area called {name!r} here")
        return area.x, area.y, 0.0
    if how == "weapon":
        lies = next(((x, y) for at, x, y in fighter.lying if fighter.profile.weapons[at].name == name), None)
        if lies is None:
            raise UserError(f"there is no {name!r} of {fighter.name} on the ground here")
        return *lies, 0.0
    other = fight.fighter(name)
    short = {"close": 0.0, "to": 1.0, "reach": 2.0, "away": -1.0}
    if how not in short:
        raise UserError(f"cannot move {to!r}: write to, close, reach, away, cover, area or weapon, a colon and a name")
    return other.x, other.y, short[how]


def moved(fight: Fight, fighter: Fighter, to: str, meters: float, *, turns: bool = True) -> Fighter:
    """A person after so many meters; who moves toward or from a person looks at them, and cover counts from where one arrives.

    Who goes to a place may say which way to look there, in degrees; else they look where they looked.
    """
    if "@" in to:
        return _moved_to(fight, fighter, to, meters, turns)
    if not fight.bare:
        return _moved_on_map(fight, fighter, to, meters, turns)
    x, y, short = goal(fight, fighter, to)
    away = short < 0
    left = hypot(x - fighter.x, y - fighter.y)
    angle = direction(fighter.x, fighter.y, x, y) if left > 0 else fighter.facing
    if away:
        go, way = meters, angle + 180
    else:
        go, way = min(meters, abs(left - short)), angle if left >= short else angle + 180
    if not away and left > 0 and go == abs(left - short):
        share = short / left
        spot = (x + (fighter.x - x) * share, y + (fighter.y - y) * share)
    else:
        spot = (fighter.x + go * cos(radians(way)), fighter.y + go * sin(radians(way)))
    arrives = to.startswith("cover:") and go >= left
    cover = to.removeprefix("cover:") if arrives else fighter.cover if go == 0 else ""
    watched = not to.startswith(("cover:", "area:", "weapon:"))
    facing = angle if turns and watched else fighter.facing
    braced = fighter.braced and go == 0  # what it was braced on stays behind
    x, y = spot_at(*spot)
    return replace(fighter, x=x, y=y, cover=cover, facing=facing, braced=braced)


def _moved_to(fight: Fight, fighter: Fighter, to: str, meters: float, turns: bool) -> Fighter:
    """A person on the way to a place of their own choosing, over other such places, as far as the meters go."""
    _, spots, looks = written(to)
    at, left = (fighter.x, fighter.y), meters
    for spot in spots:
        there = way(fight.field, at, spot, WALKER, left + SPARE)
        if there is None:
            break
        at, left = there.end, max(0.0, left - there.cost)
    facing = looks % 360 if turns and looks is not None else fighter.facing
    return _arrived(fight, fighter, at, facing)


def _moved_on_map(fight: Fight, fighter: Fighter, to: str, meters: float, turns: bool) -> Fighter:
    """The same over ground with something on it: by the way there is, as far as it goes."""
    at, watched = (fighter.x, fighter.y), not to.startswith(("cover:", "area:", "weapon:", "door:"))
    x, y, short = goal(fight, fighter, to)
    facing = direction(*at, x, y) if turns and watched and (x, y) != at else fighter.facing
    if to.startswith("close:"):
        short = TOUCHING
    if short < 0 or hypot(x - at[0], y - at[1]) < short:
        angle = radians(direction(x, y, *at) if (x, y) != at else fighter.facing + 180)
        go = meters if short < 0 else min(meters, short - hypot(x - at[0], y - at[1]))
        end = pushed(fight.field, at, spot_at(at[0] + go * cos(angle), at[1] + go * sin(angle)))
    else:
        end = towards(fight.field, at, (x, y), WALKER, meters, short=short) or at
    return _arrived(fight, fighter, end, facing)


TOUCHING = 0.4
"""Meters between two who are right up to each other, on ground on which nobody stands where another does."""


def _arrived(fight: Fight, fighter: Fighter, at: Spot, facing: int) -> Fighter:
    """A person at a place, behind whatever cover is a bare place there."""
    went = at != (fighter.x, fighter.y)
    spot = taken(fight.ground.covers, at) if went else None
    cover = spot.name if spot is not None else "" if went else fighter.cover
    return replace(fighter, x=at[0], y=at[1], cover=cover, facing=facing, braced=fighter.braced and not went)


def turned(fighter: Fighter, x: float, y: float) -> Fighter:
    """A person who looks at a place now."""
    return replace(fighter, facing=direction(fighter.x, fighter.y, x, y))


def back_off(fight: Fight, fighter: Fighter, other: Fighter, meters: float) -> Fighter:
    """A person who gives ground before another."""
    return moved(fight, fighter, f"away:{other.name}", meters, turns=False)
