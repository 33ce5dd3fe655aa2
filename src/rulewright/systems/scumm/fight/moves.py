"""Moving in a fight: where one can go, who may act first, and what lies under fire (book lines 372-404, 466-474)."""

from functools import lru_cache
from math import hypot

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, came_to
from rulewright.rules import Ruleset
from rulewright.systems.scumm.action.movement import Mode, modes_allowed
from rulewright.systems.scumm.combat.close_combat import direction
from rulewright.systems.scumm.combat.fighters import DOWN, REACH, Cover, CoverSpot, Fight, Fighter, Profile
from rulewright.systems.scumm.combat.strikes import Situation, happened, spend_emergency_dice
from rulewright.systems.scumm.combat.suppression import DARES, dare_to_move, relocate
from rulewright.systems.scumm.fight.actions import interrupts
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.resolution.tests import attribute_pool, passes


class Move(Struct, frozen=True):
    """Where somebody goes, and how fast; getting up or down for it takes the round's free simple action."""

    mode: Mode
    x: float
    y: float
    cover: Cover = "none"
    simple: bool = False


class Moved(Struct, frozen=True):
    """What a move used up: whether one moved at all, the simple action, and how many metres are left."""

    moved: bool
    simple: bool
    left: float


def move(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, Moved]]:
    """Choose where to go and how fast. Who is pinned must dare to; what is under fire must be braved; then readied enemies may act."""
    fighter = fight.fighter(name)
    options = move_options(fight, fighter)
    if fighter.rose:
        fighter = replace(fighter, rose=False)
        fight = fight.put(fighter)
    chosen: Move | None = yield Choice(name, "Where do you go?", options, Situation(fight, name, rules), "move", fighter.hidden)
    if chosen is None:
        return fight, _stays(fighter)
    if fighter.pinned:
        fight, pool = yield from spend_emergency_dice(rules, fight, name, attribute_pool(rules, 0), "moving under suppression fire")
        test = yield from dare_to_move(rules, fighter.profile.spirit, fight.acting_body(fighter).penalty, name, pool.emergency)
        dares = passes(rules, test.total, test.threshold)
        yield from came_to("dares" if dares else "does not dare", DARES, name)
        if not dares:
            yield from happened(fight, name, "does not dare to move")
            return fight, _stays(fighter)
    metres = hypot(chosen.x - fighter.x, chosen.y - fighter.y)
    yield from happened(fight, name, f"{_VERBS[chosen.mode]} {metres:.0f} m")
    rose = fighter.mode in DOWN and chosen.mode not in DOWN
    if rose:
        fight = fight.change(name, rose=True)
    fight = yield from relocate(rules, fight, name, chosen.x, chosen.y, chosen.cover, chosen.mode)
    if fight.acting_body(fight.fighter(name)).able:
        fight = yield from interrupts(rules, fight, name, "moves")
    return fight, Moved(True, chosen.simple, max(0.0, fighter.profile.pace(chosen.mode) - metres))


def _stays(fighter: Fighter) -> Moved:
    return Moved(False, False, float(fighter.profile.crawl if fighter.mode in DOWN else fighter.profile.walk))


_VERBS: dict[str, str] = {"crawling": "crawls", "normal": "walks", "running": "runs", "sprinting": "sprints"}
_GO: dict[str, str] = {"crawling": "crawl", "normal": "walk", "running": "run", "sprinting": "sprint"}
_STAY: Option[Move | None] = Option("stay", "Stay where you are", None)


@lru_cache(maxsize=10_000)
def gaits(body: Patient, last: Mode, rose: bool) -> tuple[Mode, ...]:
    """The modes in which somebody can go somewhere; who lay or crawled in the last round cannot sprint."""
    return tuple([mode for mode in modes_allowed(body, "prone" if rose else last) if mode != "prone"])


def move_options(fight: Fight, fighter: Fighter) -> tuple[Option[Move | None], ...]:
    """Stay, or go towards somebody, away from all, or to cover, in every mode that wounds and posture allow."""
    foes = tuple([(f.profile.name, f.x, f.y) for f in fight.enemies(fighter)])
    modes = gaits(fight.acting_body(fighter), fighter.mode, fighter.rose)
    return _move_options(fighter.profile, fighter.x, fighter.y, fighter.mode in DOWN, modes, foes, fight.ground.covers)


@lru_cache(maxsize=20_000)
def _move_options(
    profile: Profile,
    x: float,
    y: float,
    down: bool,
    modes: tuple[Mode, ...],
    foes: tuple[tuple[str, float, float], ...],
    covers: tuple[CoverSpot, ...],
) -> tuple[Option[Move | None], ...]:
    found: list[Option[Move | None]] = [_STAY]
    for gait in modes:
        rate, go = profile.pace(gait), _GO[gait]
        changes = down != (gait == "crawling")
        for spot in covers:
            metres = hypot(spot.x - x, spot.y - y)
            if 0.5 < metres <= rate:
                label = f"{go.capitalize()} to {spot.name} ({spot.cover})"
                found.append(Option(f"{go} to {spot.name}", label, Move(gait, spot.x, spot.y, spot.cover, changes)))
        for foe, foe_x, foe_y in foes:
            metres = hypot(foe_x - x, foe_y - y)
            if metres > REACH:
                step = min(rate, metres - 1)
                to_x, to_y = direction(x, y, foe_x, foe_y)
                goal = Move(gait, round(x + to_x * step, 2), round(y + to_y * step, 2), "none", changes)
                found.append(Option(f"{go} to {foe}", f"{go.capitalize()} towards {foe} ({metres:.0f} m)", goal))
        if foes:
            _, near_x, near_y = min(foes, key=lambda foe: hypot(foe[1] - x, foe[2] - y))
            to_x, to_y = direction(near_x, near_y, x, y)
            goal = Move(gait, round(x + to_x * rate, 2), round(y + to_y * rate, 2), "none", changes)
            found.append(Option(f"{go} away", f"{go.capitalize()} away ({rate} m)", goal))
    return tuple(found)
