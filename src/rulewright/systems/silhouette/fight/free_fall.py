"""Movement in free fall: pushing off, drifting and grabbing hold (book lines 5794-5820)."""

from functools import partial
from math import hypot

from msgspec.structs import replace

from rulewright.field.destinations import Door
from rulewright.field.field import NOTHING, spot_at
from rulewright.field.places import Anywhere, Going, Pace
from rulewright.grammar import figure
from rulewright.play import Choice, Option, Play, Reckoned, Stands, Tell, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, at_most, term, times, total
from rulewright.systems.silhouette.action.gravity import AT_HAND, SECONDS, push_off
from rulewright.systems.silhouette.attacks.area_fire import relocate
from rulewright.systems.silhouette.attacks.recoil import pushed, velocity
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import CoverSpot, Fight, Fighter, Situation
from rulewright.systems.silhouette.fight.actions.readied import interrupts
from rulewright.systems.silhouette.fight.moves import CLOSE_UP, STAY, Move, Moved, brave
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.hazards.gravity import Bump, collide
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, skill_pool

_SPEED = "sil-6.2.7-freefall-speed"
PUSHES = (("push gently", 1.0), ("push", 3.0))
"""Gentle and normal pushes, in metres per second."""
HARD = "push hard"


# --- where to -------------------------------------------------------------------------------------------------------------------


def hardest(rules: Ruleset, fighter: Fighter) -> Derived[float]:
    """Returns a fighter's highest push speed in metres per second."""
    return push_off(rules, fighter.profile.strength, fighter.profile.attribute("build"))


def _speeds(rules: Ruleset, fighter: Fighter) -> tuple[tuple[str, float], ...]:
    most = round(hardest(rules, fighter).value, 2)
    return (*[(key, speed) for key, speed in PUSHES if speed < most], (HARD, most))


def something_at_hand(fight: Fight, fighter: Fighter) -> str:
    """Returns what a fighter can push off from: their hold, an object or a person; None in the open."""
    if not fighter.loose:
        return "hold"
    if any(hypot(spot.x - fighter.x, spot.y - fighter.y) <= AT_HAND for spot in fight.ground.covers):
        return "thing"
    near = [other for other in fight.fighters if other.name != fighter.name and fighter.distance(other) <= AT_HAND]
    return min(near, key=lambda other: (fighter.distance(other), other.name)).name if near else ""


def push_options(rules: Ruleset, fight: Fight, fighter: Fighter) -> tuple[Option[Move | Door | None], ...]:
    """Returns the options to stay or push off gently, normally or hard: toward a person, an object, or away."""
    options: list[Option[Move | Door | None]] = [STAY]
    foes = [
        foe
        for foe in (fight.enemies(fighter) if fight.bare else fight.known_enemies(fighter))
        if _is_path_free(fight, fighter, foe.x, foe.y)
    ]
    for go, speed in _speeds(rules, fighter):
        note = f"{figure(speed)} m/s, {figure(speed * SECONDS)} m per round"
        for spot in fight.ground.covers:
            if hypot(spot.x - fighter.x, spot.y - fighter.y) > AT_HAND and _is_path_free(fight, fighter, spot.x, spot.y):
                goal = Move("walking", spot.x, spot.y, spot.cover, push=speed)
                options.append(Option(f"{go} to {spot.name}", f"{go.capitalize()} off to {spot.name}", goal, note))
        for foe in foes:
            if fighter.distance(foe) > CLOSE_UP:
                goal = Move("walking", foe.x, foe.y, foe=foe.name, push=speed)
                options.append(Option(f"{go} to {foe.name}", f"{go.capitalize()} off to {foe.name}", goal, note))
        if foes:
            near = min(foes, key=fighter.distance)
            x, y = pushed(replace(fighter, drift=(0.0, 0.0)), (near.x, near.y), speed * SECONDS).drift
            away = Move("walking", *spot_at(fighter.x + x, fighter.y + y), push=speed)
            options.append(Option(f"{go} away", f"{go.capitalize()} off, away from {near.name}", away, note))
    return tuple(options)


def _is_path_free(fight: Fight, fighter: Fighter, x: float, y: float) -> bool:
    """Whether the straight path of a push is free."""
    return fight.bare or fight.field.sight((fighter.x, fighter.y), (x, y)).open


def _gone(speeds: dict[str, float], going: Going) -> Move:
    return Move("walking", *going.spot, push=speeds[going.pace])


def _anywhere(rules: Ruleset, fight: Fight, fighter: Fighter) -> "Anywhere[Move | Door | None]":
    speeds = dict(_speeds(rules, fighter))
    paces = tuple([Pace(go, f"pushing off at {figure(speed)} m/s", speed * SECONDS) for go, speed in speeds.items()])
    return Anywhere(NOTHING if fight.bare else fight.field, (fighter.x, fighter.y), paces, partial(_gone, speeds), next(iter(speeds)))


# --- going there ----------------------------------------------------------------------------------------------------------------


def float_off(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, Moved]]:
    """Lets a fighter in free fall push off from something nearby; one in the open can only drift."""
    fighter = fight.fighter(name)
    from_what = something_at_hand(fight, fighter)
    if not from_what or not fight.acting_body(fighter).able or fighter.body.snared is not None or fighter.profile.fastest is None:
        return fight, Moved()
    about = Situation(fight, name, rules)
    options, where = push_options(rules, fight, fighter), _anywhere(rules, fight, fighter)
    chosen: Move | Door | None = yield Choice(name, "Where do you push off to?", options, about, "move", fighter.hidden, where=where)
    if not isinstance(chosen, Move):
        return fight, Moved()
    if fighter.pinned:
        fight, dares = yield from brave(rules, fight, name)
        if not dares:
            return fight, Moved()
    fight = _push_back(fight, fighter, from_what, chosen)
    if from_what not in ("hold", "thing"):
        yield happened(fight, name, f"pushes off from {from_what}")
    fight = yield from _play_push(rules, fight, name, chosen)
    yield Tell(Stands(fight))
    if fight.acting_body(fight.fighter(name)).able:
        fight = yield from interrupts(rules, fight, name, "moves")
    return fight, Moved(True)


def _push_back(fight: Fight, fighter: Fighter, from_what: str, chosen: Move) -> Fight:
    """Pushes the person pushed against the other way, unless they have a hold."""
    if from_what in ("hold", "thing") or not fight.fighter(from_what).loose:
        return fight
    return fight.put(pushed(fight.fighter(from_what), (chosen.x, chosen.y), chosen.push))


def _play_push(rules: Ruleset, fight: Fight, name: str, chosen: Move) -> Play[Fight]:
    """Plays the first round of a push: to the target, or as far as six seconds allow."""
    fighter = fight.fighter(name)
    goal = (chosen.x, chosen.y)
    whole = hypot(goal[0] - fighter.x, goal[1] - fighter.y)
    metres = max(0.0, whole - CLOSE_UP) if chosen.foe else whole
    terms = [term("metres per second", chosen.push), times("seconds", SECONDS)]
    if metres < chosen.push * SECONDS:
        terms.append(at_most(round(metres, 2), "distance to the target"))
    went = total("metres", *terms, rule=_SPEED)
    there = went.value >= round(metres, 2)
    how = f"pushes off{f' to {chosen.foe}' if chosen.foe else ''} at {figure(chosen.push)} m/s"
    yield Tell(Reckoned(name, f"{how}: {went.value:.1f} m", sums=(went.reason,)))
    unit = ((goal[0] - fighter.x) / whole, (goal[1] - fighter.y) / whole) if whole else (1.0, 0.0)
    x, y = spot_at(fighter.x + unit[0] * went.value, fighter.y + unit[1] * went.value)
    drift = velocity(unit[0] * chosen.push, unit[1] * chosen.push)
    fight = yield from relocate(rules, fight, name, x, y=y, cover="", pace="walking", covering_ground=not chosen.foe)
    fight = fight.change(name, loose=True, drift=drift)
    if there and chosen.cover:
        spot = next(cover_spot for cover_spot in fight.ground.covers if (cover_spot.x, cover_spot.y) == goal)
        return (yield from arrive(rules, fight, name, spot))
    return _reach_person(fight, name, chosen.foe) if there and chosen.foe else fight


def _reach_person(fight: Fight, name: str, foe: str) -> Fight:
    """Stops a fighter who reaches a person with a hold; otherwise both drift on together at half the speed."""
    mover, met = fight.fighter(name), fight.fighter(foe)
    if not met.loose:
        return fight.put(replace(mover, drift=(0.0, 0.0)))
    shared = velocity((mover.drift[0] + met.drift[0]) / 2, (mover.drift[1] + met.drift[1]) / 2)
    return fight.put(replace(mover, drift=shared), replace(met, drift=shared))


def zero_g(rules: Ruleset, fighter: Fighter, body: Patient) -> Pool:
    """Returns the pool to land softly: Zero-G with Fitness."""
    trained = fighter.profile.trained("zero-g")
    mods = (*trained.mods, Mod("wounds", body.physical_penalty, "sil-3.5.2-action-penalties"))
    pool = skill_pool(rules, trained.level, fighter.profile.attribute("fitness"), trained.complexity, 1, False, "Fitness", mods)
    return replace(pool, hero=fighter.profile.hero)


def arrive(rules: Ruleset, fight: Fight, name: str, spot: CoverSpot) -> Play[Fight]:
    """Plays the arrival at something solid: the fighter holds on, or is hurt and thrown back."""
    fighter = fight.fighter(name)
    speed = round(hypot(*fighter.drift), 2)
    if not speed:
        yield happened(fight, name, f"grabs {spot.name}")
        return fight.put(replace(fighter, loose=False, x=spot.x, y=spot.y, cover=spot.cover))
    bump: Bump = yield from sub(collide, rules, fighter.body, speed, zero_g(rules, fighter, fighter.body))
    fight = fight.put(fighter.with_body(rules, bump.patient))
    fighter = fight.fighter(name)
    if bump.landed:
        yield happened(fight, name, f"grabs {spot.name}", "good")
        return fight.put(replace(fighter, loose=False, drift=(0.0, 0.0), x=spot.x, y=spot.y, cover=spot.cover))
    back = velocity(-fighter.drift[0] / speed * bump.rebound, -fighter.drift[1] / speed * bump.rebound)
    yield happened(fight, name, f"bounces off {spot.name} at {figure(bump.rebound)} m/s", "bad")
    return fight.put(replace(fighter, drift=back, x=spot.x, y=spot.y, cover=""))


def take_hold(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Lets a floating fighter grab a nearby hold."""
    fighter = fight.fighter(name)
    near = min(fight.ground.covers, key=lambda spot: hypot(spot.x - fighter.x, spot.y - fighter.y))
    return (yield from arrive(rules, fight, name, near))


# --- drifting on ----------------------------------------------------------------------------------------------------------------


def float_on(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Moves everybody without a hold at the start of a round in free fall, until something is in the way."""
    for fighter in fight.fighters:
        if fighter.loose and round(hypot(*fighter.drift), 3) > 0 and not fighter.body.dead:
            fight = yield from _drifting(rules, fight, fighter)
    return fight


def _drifting(rules: Ruleset, fight: Fight, fighter: Fighter) -> Play[Fight]:
    speed = round(hypot(*fighter.drift), 3)
    met = _find_obstacle(fight, fighter)
    terms = [term("metres per second", speed), times("seconds", SECONDS)]
    if met is not None:
        terms.append(at_most(round(hypot(met.x - fighter.x, met.y - fighter.y), 2), met.name))
    went = total("metres", *terms, rule=_SPEED)
    yield Tell(Reckoned(fighter.name, f"drifts {went.value:.1f} m", sums=(went.reason,)))
    share = went.value / speed
    x, y = spot_at(fighter.x + fighter.drift[0] * share, fighter.y + fighter.drift[1] * share)
    fight = fight.put(replace(fighter, x=x, y=y, cover=""))
    return (yield from arrive(rules, fight, fighter.name, met)) if met is not None else fight


def _find_obstacle(fight: Fight, fighter: Fighter) -> CoverSpot | None:
    """Returns the first thing a fighter drifts into this round."""
    speed = hypot(*fighter.drift)
    ux, uy = fighter.drift[0] / speed, fighter.drift[1] / speed
    entries = []
    for spot in fight.ground.covers:
        dx, dy = spot.x - fighter.x, spot.y - fighter.y
        ahead, aside = dx * ux + dy * uy, abs(dx * uy - dy * ux)
        if AT_HAND < ahead <= speed * SECONDS and aside <= 1.0:
            entries.append((ahead, spot.name, spot))
    return min(entries)[2] if entries else None
