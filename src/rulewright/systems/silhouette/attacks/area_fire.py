"""Walking and saturation fire in a fight (book lines 2380-2403)."""

from itertools import pairwise
from math import atan2, hypot, pi

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.field import Spot
from rulewright.highest_die.harm import OUTCOMES, hit_outcome
from rulewright.play import Play, Scale, came_to, sub
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.movement import Pace
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.recoil import kicked_back
from rulewright.systems.silhouette.attacks.shots import (
    caught_unhurt,
    circumstances,
    declared,
    firing_pool,
    shot_at,
    shots_of,
    spent,
    with_dice_for_defense,
)
from rulewright.systems.silhouette.attacks.special_effects import mimicked
from rulewright.systems.silhouette.combat.bursts import Bystander, enter_zone, saturate, saturation_burst, spread, walking_fire
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, Zone
from rulewright.systems.silhouette.combat.ranged_attacks import cannot_be_hit
from rulewright.systems.silhouette.harm.damage import HURTING
from rulewright.systems.silhouette.resolution.modifiers import RANGED

# --- walking fire -------------------------------------------------------------------------------------------------------------


def along(fighter: Fighter, targets: list[Fighter]) -> list[Fighter]:
    """Sorts targets in the order in which a burst sweeps over them; it begins at the widest gap."""
    angles = sorted([(atan2(f.y - fighter.y, f.x - fighter.x), f.name) for f in targets])
    gaps = [(angles[at][0] - angles[at - 1][0]) % (2 * pi) for at in range(len(angles))]
    first = gaps.index(max(gaps))
    by_name = {f.name: f for f in targets}
    return [by_name[name] for _, name in angles[first:] + angles[:first]]


def gaps_between(targets: list[Fighter]) -> tuple[float, ...]:
    """Returns the metres between neighbours."""
    return tuple([fighter.distance(other) for fighter, other in pairwise(targets)])


def can_walk(rules: Ruleset, fight: Fight, fighter: Fighter, names: tuple[str, ...], rof: int) -> bool:
    """Whether a burst of this rate covers all these targets."""
    try:
        spread(rules, rof, gaps_between(along(fighter, [fight.fighter(name) for name in names])))
    except UserError:
        return False
    return True


def _is_safe(rules: Ruleset, fight: Fight, fighter: Fighter, shooter: Fighter) -> bool:
    """Whether no shot of this shooter can hit a fighter."""
    if not fight.sees(shooter, fighter):
        return True
    cover = fight.cover_from((shooter.x, shooter.y), fighter)
    return bool(cover) and cover in RANGED(rules) and cannot_be_hit(rules, (cover,))


def _find_bystanders(rules: Ruleset, fight: Fight, shooter: Fighter, targets: list[Fighter]) -> list[Fighter]:
    """Returns everybody within a metre of the line of fire who is not a target."""
    ends = [(shooter.x, shooter.y), *[(f.x, f.y) for f in targets]]
    others = [f for f in fight.fighters if f.body.awake and f.name != shooter.name and f not in targets]
    others = [f for f in others if not _is_safe(rules, fight, f, shooter)]
    return [f for f in others if any(_distance_from_line(point, other, (f.x, f.y)) <= 1.0 for point, other in pairwise(ends))]


def _distance_from_line(point: tuple[float, float], other: tuple[float, float], at: tuple[float, float]) -> float:
    """Returns the distance of a place from the line between two others."""
    dx, dy = other[0] - point[0], other[1] - point[1]
    length = dx * dx + dy * dy
    along_it = max(0.0, min(1.0, ((at[0] - point[0]) * dx + (at[1] - point[1]) * dy) / length)) if length else 0.0
    return hypot(point[0] + along_it * dx - at[0], point[1] + along_it * dy - at[1])


def walk_fire(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int = 0) -> Play[Fight]:
    """Plays walking fire over several targets and the bystanders between them."""
    shooter = fight.fighter(name)
    weapon = shooter.profile.weapons[action.weapon]
    targets = along(shooter, [fight.fighter(text) for text in action.targets])
    rof, shots = shots_of(rules, shooter, action.weapon, action.rof)
    passing = _find_bystanders(rules, fight, shooter, targets)
    near = []
    for target in passing:
        fight, bystander = yield from _bystander(rules, fight, target.name, (shooter.x, shooter.y))
        near.append(bystander)
    shot = []
    for target in targets:
        fight, result = yield from declared(rules, fight, name, target.name, action.weapon, rof=rof, penalty=penalty)
        shot.append(result)
    bodies = tuple([fight.fighter(f.name).body for f in targets])
    walked = yield from sub(walking_fire, rules, tuple(shot), bodies, rof, shots or 5 * rof, gaps_between(targets), tuple(near))
    fight = fight.put(spent(rules, fight.fighter(name), action.weapon, shots, any(struck.jammed for struck in walked.targets)))
    fight = yield from kicked_back(fight, name, (targets[0].x, targets[0].y), weapon.damage, shots)
    for person, struck in zip([*passing, *targets], [*walked.bystanders, *walked.targets], strict=True):
        fight = shot_at(rules, fight, person.name, struck.victim, off_balance=struck.off_balance, by=name)
    return fight


def _bystander(rules: Ruleset, fight: Fight, name: str, shot_from: Spot) -> Play[tuple[Fight, Bystander]]:
    caught = caught_unhurt(rules, fight, fight.fighter(name), shot_from)
    fight, caught = yield from with_dice_for_defense(rules, fight, name, caught)
    return fight, Bystander(name, caught.defense, caught.victim, caught.threshold)


# --- saturation fire ----------------------------------------------------------------------------------------------------------


def saturate_ground(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int = 0) -> Play[Fight]:
    """Plays saturation fire: everybody there without cover must defend, and everybody in cover is pinned."""
    shooter = fight.fighter(name)
    target = fight.fighter(action.target) if action.target else None
    mark = action.spot if action.spot is not None or target is None else (target.x, target.y)
    if mark is None:
        raise UserError("saturation fire needs a target or a place")
    weapon = shooter.profile.weapons[action.weapon]
    fires = weapon.fires
    if fires is None:
        raise UserError(f"{weapon.name} cannot shoot")
    burst = saturation_burst(rules, action.rof, fires.rof, shooter.ammo[action.weapon] if weapon.magazine else None)
    if fight.swayed:
        fight, shooter = yield from mimicked(rules, fight, name, weapon.skill)
    metres = hypot(mark[0] - shooter.x, mark[1] - shooter.y)
    c = circumstances(rules, fight, shooter, weapon, metres=metres, penalty=penalty, thrown=False, aim=0, size="none", target=target)
    opposed = not rules.on("saturation-complexity")
    pool = firing_pool(rules, shooter.profile, weapon, False, c, opposed, fight.medium_at(shooter))
    fight, pool = yield from spend_emergency_dice(rules, fight, name, pool, "saturation fire")
    swept = yield from saturate(rules, pool, burst.rof, action.wide, metres, 2 * fires.short, name)
    fight = fight.put(spent(rules, fight.fighter(name), action.weapon, burst.shots, swept.jammed))
    fight = yield from kicked_back(fight, name, mark, weapon.damage, burst.shots)
    zone = Zone(name, *mark, float(swept.width), swept.threshold, weapon.damage)
    fight = replace(fight, zones=(*fight.zones, zone))
    outcomes = ["nothing"]
    for person in fight.fighters:
        if person.name == name or not person.body.awake or not zone.holds(person.x, person.y) or not fight.sees(shooter, person):
            continue
        foe = person.side != shooter.side
        if fight.cover_from((shooter.x, shooter.y), person):
            yield happened(fight, person.name, "is pinned down")
            fight = fight.change(person.name, pinned=max(person.pinned, burst.rof), unwary=False)
            outcomes += ["pinned"] if foe else []
        else:
            fight = yield from under_fire(rules, fight, person.name, zone)
            outcomes += [hit_outcome(person.body, fight.fighter(person.name).body)] if foe else []
    yield came_to(max(outcomes, key=SWEEPING.names.index), SWEEPING, name, action.target)
    return fight


SWEEPING = Scale(("nothing", "pinned", *OUTCOMES[1:]), ("pinned", *OUTCOMES[1:]), "stops somebody", "unhurt")
"""Possible results of saturation fire: the worst that happens to an enemy."""


def under_fire(rules: Ruleset, fight: Fight, name: str, zone: Zone) -> Play[Fight]:
    """A fighter enters a zone under fire: the defense must beat it."""
    caught = caught_unhurt(rules, fight, fight.fighter(name), _origin_of_fire(fight, zone))
    fight, caught = yield from with_dice_for_defense(rules, fight, name, caught)
    struck = yield from sub(enter_zone, rules, zone.threshold, zone.damage, caught.defense, caught.victim, caught.threshold)
    return shot_at(rules, fight, name, struck.victim, off_balance=struck.off_balance, by=zone.by)


def relocate(
    rules: Ruleset,
    fight: Fight,
    name: str,
    x: float,
    *,
    y: float,
    cover: str,
    pace: Pace,
    covering_ground: bool,
    over: tuple[Spot, ...] = (),
) -> Play[Fight]:
    """Moves a fighter along a path; each zone of fire on it must be braved once."""
    fighter = fight.fighter(name)
    start, bends = (fighter.x, fighter.y), over or ((fighter.x, fighter.y), (x, y))
    before, fight = (
        fight,
        fight.put(replace(fighter, x=x, y=y, cover=cover, pace=pace, covering_ground=covering_ground, aim=0, aim_at="", pinned=0)),
    )
    for zone in fight.zones:
        inside = zone.holds(*start)
        crossed = any(_distance_from_line(point, other, (zone.x, zone.y)) <= zone.width / 2 for point, other in pairwise(bends))
        sheltered = crossed and inside and bool(before.cover_from(_origin_of_fire(before, zone), fighter))
        if crossed and (not inside or sheltered) and fight.fighter(name).body.able:
            unhurt = fight.fighter(name).body
            fight = yield from under_fire(rules, fight, name, zone)
            yield came_to(hit_outcome(unhurt, fight.fighter(name).body), HURTING, zone.by, name)
    return fight


def _origin_of_fire(fight: Fight, zone: Zone) -> Spot:
    """Returns the place that the fire comes from."""
    shooter = fight.fighter(zone.by)
    return shooter.x, shooter.y
