"""Recoil of shots and blows in free fall (book lines 5816-5820)."""

from math import hypot

from msgspec.structs import replace

from rulewright.grammar import figure
from rulewright.play import Play, Reckoned, Tell
from rulewright.systems.silhouette.action.gravity import floats, recoil
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter


def velocity(x: float, y: float) -> tuple[float, float]:
    """Returns metres per second along both axes, to the millimetre, without a negative zero."""
    return round(x, 3) + 0.0, round(y, 3) + 0.0


def pushed(fighter: Fighter, towards: tuple[float, float], speed: float) -> Fighter:
    """Returns a fighter pushed away from a place by this speed."""
    dx, dy = fighter.x - towards[0], fighter.y - towards[1]
    metres = hypot(dx, dy)
    if not metres:
        dx, dy, metres = 1.0, 0.0, 1.0
    x, y = fighter.drift
    return replace(fighter, drift=velocity(x + dx / metres * speed, y + dy / metres * speed))


def kicked_back(fight: Fight, name: str, towards: tuple[float, float], damage: int, shots: int = 1) -> Play[Fight]:
    """Pushes back a shooter or thrower in free fall who has no hold."""
    fighter = fight.fighter(name)
    if not floats(fight.ground.gravity) or not fighter.loose:
        return fight
    speed = recoil(damage, False, max(1, shots))
    yield from Tell(Reckoned(name, f"is pushed back at {figure(speed.value)} m/s by the recoil", sums=(speed.reason,)))
    return fight.put(pushed(fighter, towards, speed.value))


def flung_apart(fight: Fight, striker: str, target: str, damage: int) -> Play[Fight]:
    """Pushes both fighters apart after a hit in free fall, unless they have a hold."""
    if not floats(fight.ground.gravity):
        return fight
    result, other = fight.fighter(striker), fight.fighter(target)
    for moved, away in ((result, other), (other, result)):
        if moved.loose:
            speed = recoil(damage)
            yield from Tell(Reckoned(moved.name, f"is pushed back at {figure(speed.value)} m/s by the blow", sums=(speed.reason,)))
            fight = fight.put(pushed(fight.fighter(moved.name), (away.x, away.y), speed.value))
    return fight
