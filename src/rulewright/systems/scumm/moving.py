"""Moving in a fight: where one can go, who may act first, and what lies under fire (book lines 372-404, 466-474)."""

from functools import lru_cache
from math import hypot

from msgspec import Struct

from rulewright.play import Choice, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.scumm.actions import interrupts
from rulewright.systems.scumm.close_combat import Happened, direction
from rulewright.systems.scumm.fighters import REACH, Cover, CoverSpot, Fight, Fighter, Mode, Profile
from rulewright.systems.scumm.fire import cross_fire, crosses, dare_to_move
from rulewright.systems.scumm.movement import modes_allowed
from rulewright.systems.scumm.patient import Patient
from rulewright.systems.scumm.resolution import passes


class Move(Struct, frozen=True):
    """Where somebody goes, and how fast."""

    mode: Mode
    x: float
    y: float
    cover: Cover = "none"
    stands_up: bool = False


def move(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, bool]]:
    """Choose where to go and how fast; readied enemies may act first, and suppression fire must be braved. Also: whether one stood up."""
    fighter = fight.fighter(name)
    options = move_options(fight, fighter)
    chosen = yield from Choice(name, "Where do you go?", options, (fight, name), "move")
    if chosen is None:
        return fight, False
    fight = yield from interrupts(rules, fight, name, "moves")
    fighter = fight.fighter(name)
    if not fighter.body.able:
        return fight, False
    if fighter.pinned:
        test = yield from dare_to_move(rules, fighter.profile.spirit, fighter.body.penalty, name)
        if not passes(rules, test.total, test.threshold):
            yield from Tell(Happened(name, "does not dare to move"))
            return fight, False
    from_x, from_y = fighter.x, fighter.y
    metres = hypot(chosen.x - from_x, chosen.y - from_y)
    yield from Tell(Happened(name, f"{_VERBS[chosen.mode]} {metres:.0f} m"))
    fight = fight.change(name, mode=chosen.mode, x=chosen.x, y=chosen.y, cover=chosen.cover, aim=0, aim_at="", pinned=False)
    for zone in fight.zones:
        if crosses(zone, from_x, from_y, chosen.x, chosen.y) and fight.fighter(name).body.able:
            fight = yield from cross_fire(rules, fight, name, zone)
    return fight, chosen.stands_up


_VERBS: dict[str, str] = {"crawling": "crawls", "normal": "walks", "running": "runs", "sprinting": "sprints", "prone": "lies"}
_GO: dict[str, str] = {"crawling": "crawl", "normal": "walk", "running": "run", "sprinting": "sprint"}
_STAY: Option[Move | None] = Option("stay", "Stay where you are", None)


@lru_cache(maxsize=10_000)
def _modes(body: Patient, last: Mode) -> tuple[Mode, ...]:
    return modes_allowed(body, last)


def move_options(fight: Fight, fighter: Fighter) -> tuple[Option[Move | None], ...]:
    """Stay, or go towards somebody, away from all, or to cover, in every mode that wounds and posture allow."""
    foes = tuple([(f.name, f.x, f.y) for f in fight.enemies(fighter)])
    modes = _modes(fighter.body, fighter.mode)
    return _move_options(fighter.profile, fighter.x, fighter.y, fighter.mode, modes, foes, fight.ground.covers)


@lru_cache(maxsize=20_000)
def _move_options(
    profile: Profile,
    x: float,
    y: float,
    mode: Mode,
    modes: tuple[Mode, ...],
    foes: tuple[tuple[str, float, float], ...],
    covers: tuple[CoverSpot, ...],
) -> tuple[Option[Move | None], ...]:
    pace = {"crawling": profile.crawl, "normal": profile.walk, "running": profile.run, "sprinting": profile.sprint}
    down = mode in ("prone", "crawling")
    found: list[Option[Move | None]] = [_STAY]
    for gait in modes:
        if gait == "prone" or (gait == "crawling" and not down and len(modes) > 2):
            continue
        rate, stands = pace[gait], down and gait != "crawling"
        for spot in covers:
            metres = hypot(spot.x - x, spot.y - y)
            if 0.5 < metres <= rate:
                label = f"{_GO[gait].capitalize()} to {spot.name} ({spot.cover})"
                found.append(Option(f"{_GO[gait]} to {spot.name}", label, Move(gait, spot.x, spot.y, spot.cover, stands)))
        for foe, foe_x, foe_y in foes:
            metres = hypot(foe_x - x, foe_y - y)
            if metres > REACH:
                step = min(rate, metres - 1)
                to_x, to_y = direction(x, y, foe_x, foe_y)
                goal = Move(gait, round(x + to_x * step, 2), round(y + to_y * step, 2), "none", stands)
                found.append(Option(f"{_GO[gait]} to {foe}", f"{_GO[gait].capitalize()} towards {foe} ({metres:.0f} m)", goal))
        if foes:
            _, near_x, near_y = min(foes, key=lambda foe: hypot(foe[1] - x, foe[2] - y))
            to_x, to_y = direction(near_x, near_y, x, y)
            goal = Move(gait, round(x + to_x * rate, 2), round(y + to_y * rate, 2), "none", stands)
            found.append(Option(f"{_GO[gait]} away", f"{_GO[gait].capitalize()} away ({rate} m)", goal))
    return tuple(found)
