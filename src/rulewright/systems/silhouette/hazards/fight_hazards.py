"""Hazards in a fight at the start of every round: fires, gas, live wires and swarms."""

from math import hypot

from msgspec.structs import replace

from rulewright.play import Happened, Play, Reckoned, Tell, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import agrees
from rulewright.systems.silhouette.combat.fighters import Danger, Fight, Fighter
from rulewright.systems.silhouette.creatures.swarms import AT_ONCE, bitten, swarm_damage
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.hazards.drugs import Kind, take_toxin
from rulewright.systems.silhouette.hazards.electricity import electrocute
from rulewright.systems.silhouette.hazards.fire import burn
from rulewright.systems.silhouette.resolution.tests import Pool, rolled, sum_of

WITHIN = 2.0
"""Radius of a swarm in metres."""


GAS: tuple[Kind, ...] = ("sedative",)
"""Effects of gas: the book refers to the drug rules and names none (ruling: a sedative that works in the same round)."""
_ENDS = {"smoke": "The smoke clears", "gas": "The gas disperses", "fire": "The fire burns out"}


def gone_out(before: Fight, after: Fight) -> tuple[str, ...]:
    """Returns messages for smoke, gas and fire that have ended."""
    left = {name for name, _ in after.fading}
    return tuple(dict.fromkeys([_ENDS.get(name.partition(" ")[0], _ENDS["smoke"]) for name, _ in before.fading if name not in left]))


def is_dangerous(fight: Fight) -> bool:
    """Whether the terrain or a swarm harms anybody."""
    return bool(fight.ground.dangers) or any(fighter.profile.plan.swarm is not None for fighter in fight.fighters)


def suffer_dangers(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Applies hazards at the start of a round: fires and live wires, then swarms."""
    for danger in fight.ground.dangers:
        for fighter in fight.fighters:
            if fighter.body.dead or hypot(fighter.x - danger.x, fighter.y - danger.y) > danger.radius:
                continue
            if not fight.clear_between((danger.x, danger.y), (fighter.x, fighter.y)):
                continue  # a wall keeps it off
            if danger.kind == "gas" and fighter.body.unconscious:
                continue
            yield Tell(Happened(fighter.name, f"stands in the {danger.name}", "bad"))
            fight = fight.put(fighter.with_body(rules, (yield from sub(_apply_danger, rules, fighter.body, danger))))
    reached: set[str] = set()
    for name in [fighter.name for fighter in fight.fighters if fighter.profile.plan.swarm is not None]:
        fight, bit = yield from _swarm_round(rules, fight, name)
        reached |= bit
    for fighter in fight.fighters:
        rounds = fighter.swarmed + 1 if fighter.name in reached else 0
        if rounds != fighter.swarmed:
            fight = fight.put(replace(fighter, swarmed=rounds))
    return fight


def _apply_danger(rules: Ruleset, victim: Patient, danger: Danger) -> Play[Patient]:
    """Applies a round in a hazard; a victim who cannot leave a fire burns on in the next round."""
    if danger.kind == "gas":
        return (yield from take_toxin(rules, victim, danger.intensity, GAS, what="the gas")).patient
    if danger.kind == "fire":
        return (yield from burn(rules, victim, danger.intensity)).patient
    return (yield from electrocute(rules, victim, danger.intensity)).patient


def _swarm_round(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, set[str]]]:
    """Moves a swarm to the nearest enemy and attacks everybody inside, with at most three swarms each."""
    swarm = fight.fighter(name)
    foes = [foe for foe in fight.fighters if foe.side != swarm.side and not foe.body.dead and foe.profile.plan.swarm is None]
    dice = swarm.profile.plan.swarm
    if dice is None or swarm.body.dead or not foes:
        return fight, set()
    nearest = min(foes, key=lambda foe: (swarm.distance(foe), foe.name))
    moved = _move_toward(swarm, nearest)
    if (moved.x, moved.y) != (swarm.x, swarm.y):
        comes = agrees(name, "comes", "come").removeprefix(f"{name} ")
        yield Tell(Happened(name, f"{comes} {swarm.distance(moved):.0f} m nearer to {nearest.name}"))
    swarm = moved
    fight = fight.put(swarm)
    victims = [foe for foe in foes if swarm.distance(foe) <= WITHIN]
    if not victims:
        return fight, set()
    pool, attacks = Pool(dice[0], hero=False), []
    for _ in range(min(swarm.body.swarms, AT_ONCE * len(victims))):
        attacks.append((yield from rolled(rules, pool, name, "attack of the swarm")))
    damage = swarm_damage(sum([attack.total for attack in attacks]), dice[1], len(victims))
    sums, share = (*[sum_of("attack of a swarm", pool, attack) for attack in attacks], damage.reason), damage.value
    for foe in victims:
        yield Tell(Reckoned(foe.name, f"is inside {name} and takes {share} damage", "bad", sums))
        body = yield from sub(bitten, rules, foe.body, share, "none", foe.swarmed)
        fight = fight.put(foe.with_body(rules, body))
    return fight, {foe.name for foe in victims}


def _move_toward(swarm: Fighter, foe: Fighter) -> Fighter:
    metres = swarm.distance(foe)
    if metres <= swarm.profile.sprint:
        return replace(swarm, x=foe.x, y=foe.y)
    share = swarm.profile.sprint / metres
    return replace(swarm, x=round(swarm.x + (foe.x - swarm.x) * share, 2), y=round(swarm.y + (foe.y - swarm.y) * share, 2))
