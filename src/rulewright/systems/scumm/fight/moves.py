"""Movement in a fight: destinations, interruptions and suppressed areas (book lines 372-404, 466-474)."""

from functools import partial
from itertools import pairwise
from math import hypot
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.destinations import Door, Foes, doors_at_hand, goals, taken, to_people, what_it_means
from rulewright.field.field import NOTHING, Field, Spot, spot_at
from rulewright.field.places import Anywhere, Going, Pace
from rulewright.field.revealed import known_field
from rulewright.play import Choice, Option, Play, Reckoned, Stands, Tell, came_to
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.scumm.action.movement import Mode, modes_allowed
from rulewright.systems.scumm.combat.attack_setup import Situation, happened, spend_emergency_dice
from rulewright.systems.scumm.combat.close_combat import direction
from rulewright.systems.scumm.combat.fighters import DOWN, REACH, Cover, CoverSpot, Fight, Fighter, Profile, UnderWay
from rulewright.systems.scumm.combat.suppression import DARES, dare_to_move, daring_sums, relocate
from rulewright.systems.scumm.fight.actions.readied import interrupts
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.resolution.tests import attribute_pool, passes


class Move(Struct, frozen=True):
    """Where a person goes, and how fast; getting up or down for it takes the round's free simple action."""

    mode: Mode
    x: float
    y: float
    cover: Cover = "none"
    simple: bool = False
    over: tuple[Spot, ...] = ()
    """The bends of the way, where it is not straight over bare ground."""

    def metres(self, fighter: Fighter) -> float:
        """How far it is."""
        if self.over:
            return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(self.over))
        return hypot(self.x - fighter.x, self.y - fighter.y)


class Moved(Struct, frozen=True):
    """What a move used up: whether one moved at all, the simple action, and how many metres are left."""

    moved: bool
    simple: bool
    left: float


def move(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, Moved]]:
    """Choose where to go and how fast. A person who is pinned must dare to; what is under fire must be braved; then readied enemies may
    act."""
    fighter = fight.fighter(name)
    options = move_options(fight, fighter)
    if fighter.rose:
        fighter = replace(fighter, rose=False)
        fight = fight.put(fighter)
    about = Situation(fight, name, rules)
    chosen: Move | Door | None = yield Choice(name, "Where do you go?", options, about, "move", fighter.hidden, anywhere(fight, fighter))
    handled = False
    if isinstance(chosen, Door):
        fight, handled = fight.with_door(chosen), True
        yield from happened(fight, name, chosen.told)
        yield Tell(Stands(_shown(fight, name)))
        options = tuple([option for option in move_options(fight, fighter) if not _takes_time(option.value)])
        about = Situation(fight, name, rules)
        chosen = yield Choice(name, "Where do you go?", options, about, "move", fighter.hidden, anywhere(fight, fighter, simple=False))
    if not isinstance(chosen, Move):
        return fight, replace(_stays(fighter), simple=handled)
    if fighter.pinned:
        fight, pool = yield from spend_emergency_dice(rules, fight, name, attribute_pool(rules, 0), "moving under suppression fire")
        spirit, penalty = fighter.profile.spirit, fight.acting_body(fighter).penalty
        test = yield from dare_to_move(rules, spirit, penalty, name, pool.emergency)
        dares = passes(rules, test.total, test.threshold)
        sums, words = (
            daring_sums(rules, spirit, penalty, pool.emergency, test),
            f"{'dares' if dares else 'does not dare'} to move under fire",
        )
        yield Tell(Reckoned(name, words, sums=sums, known_to=fight.knowing(name)))
        yield from came_to("dares" if dares else "does not dare", DARES, name)
        if not dares:
            return fight, replace(_stays(fighter), simple=handled)
    metres = chosen.metres(fighter)
    rose = fighter.mode in DOWN and chosen.mode not in DOWN
    first = "stands up and " if rose else "drops down and " if chosen.mode in DOWN and fighter.mode not in DOWN else ""
    yield from happened(fight, name, f"{first}{_VERBS[chosen.mode]} {metres:.0f} m")
    if rose:
        fight = fight.change(name, rose=True)
    fight = yield from relocate(rules, fight, name, chosen.x, y=chosen.y, cover=chosen.cover, mode=chosen.mode, over=chosen.over)
    yield Tell(Stands(_shown(fight, name)))
    if fight.acting_body(fight.fighter(name)).able:
        fight = yield from interrupts(rules, fight, name, "moves")
    return fight, Moved(True, chosen.simple or handled, max(0.0, fighter.profile.pace(chosen.mode) - metres))


def _shown(fight: Fight, name: str) -> Fight:
    """The fight as it is looked at in the middle of a person's turn."""
    return fight if fight.turn is not None else replace(fight, turn=UnderWay(name, 0))


def _stays(fighter: Fighter) -> Moved:
    return Moved(False, False, float(fighter.profile.crawl if fighter.mode in DOWN else fighter.profile.walk))


def _takes_time(value: Move | Door | None) -> bool:
    """Whether an option takes the free simple action of the round."""
    return isinstance(value, Door) or (isinstance(value, Move) and value.simple)


_VERBS: dict[str, str] = {"crawling": "crawls", "normal": "walks", "running": "runs", "sprinting": "sprints"}
_GO: dict[str, str] = {"crawling": "crawl", "normal": "walk", "running": "run", "sprinting": "sprint"}
_GOING: dict[str, str] = {"crawling": "crawling", "normal": "walking", "running": "running", "sprinting": "sprinting"}
_STAY: Option[Move | Door | None] = Option("stay", "Stay where you are", None)


# --- any place ----------------------------------------------------------------------------------------------------------------


def anywhere(fight: Fight, fighter: Fighter, simple: bool = True) -> Anywhere[Move | Door | None]:
    """Any place that wounds and posture let a person get to; without the free simple action nobody gets up or down for it."""
    modes = gaits(fight.acting_body(fighter), fighter.mode, fighter.rose)
    down = fighter.mode in DOWN
    if not simple:
        modes = tuple([mode for mode in modes if down == (mode == "crawling")])
    bare = fight.bare
    return Anywhere(
        NOTHING if bare else fight.field,
        (fighter.x, fighter.y),
        _paces(fighter.profile, modes),
        partial(_gone, fight, down),
        "crawl" if down else "walk",
        partial(_means, fight, fighter),
        None if bare else known_field(fight.map, fight.changes),
    )


@cached(10_000)
def _paces(profile: Profile, modes: tuple[Mode, ...]) -> tuple[Pace, ...]:
    return tuple([Pace(_GO[mode], _GOING[mode], float(profile.pace(mode))) for mode in modes])


_MODES: dict[str, Mode] = {"crawl": "crawling", "walk": "normal", "run": "running", "sprint": "sprinting"}


def _gone(fight: Fight, down: bool, going: Going) -> Move:
    """The move to a place, with the cover that is there."""
    x, y = going.spot
    spot = taken(fight.ground.covers, going.spot)
    mode = _MODES[going.pace]
    cover = cast(Cover, spot.cover if spot is not None else "none")
    return Move(mode, x, y, cover, down != (mode == "crawling"), going.bends if len(going.bends) > 2 or not fight.bare else ())


def _means(fight: Fight, fighter: Fighter, going: Going) -> tuple[str, ...]:
    """Describes a destination: who sees one there, and through what, as far as one's side knows of them."""
    moved = _gone(fight, False, going)
    there = replace(fighter, x=moved.x, y=moved.y, cover=moved.cover)
    foes = fight.known_enemies(fighter)
    sheltered = [(foe.name, _worth(fight, foe, there) if fight.sees(foe, there) else None) for foe in foes]
    return what_it_means(there, foes, sheltered)


def _worth(fight: Fight, foe: Fighter, there: Fighter) -> str:
    return fight.cover_from((foe.x, foe.y), there).removeprefix("none")


# --- the few that mean something ----------------------------------------------------------------------------------------------


@cached(10_000)
def gaits(body: Patient, last: Mode, rose: bool) -> tuple[Mode, ...]:
    """The modes in which a person can go somewhere; a person who lay or crawled in the last round cannot sprint."""
    return tuple([mode for mode in modes_allowed(body, "prone" if rose else last) if mode != "prone"])


def move_options(fight: Fight, fighter: Fighter) -> tuple[Option[Move | Door | None], ...]:
    """Stay, or go towards a person, away from all, or to cover, in every mode that wounds and posture allow."""
    modes = gaits(fight.acting_body(fighter), fighter.mode, fighter.rose)
    fallen = _fallen(fight, fighter)
    if not fight.bare:
        known = tuple([(f.profile.name, f.x, f.y) for f in fight.known_enemies(fighter)])
        spot = (fighter.x, fighter.y)
        return _options_on_map(fight.field, fighter.profile, spot, fighter.mode in DOWN, modes, known, fight.ground.covers, fallen)
    foes = tuple([(f.profile.name, f.x, f.y) for f in fight.enemies(fighter)])
    return _move_options(fighter.profile, fighter.x, fighter.y, fighter.mode in DOWN, modes, foes, fight.ground.covers, fallen)


def _fallen(fight: Fight, fighter: Fighter) -> Foes:
    """Comrades who lie there alive and might need help."""
    side = fighter.profile.side
    return tuple(
        [
            (f.profile.name, f.x, f.y)
            for f in fight.fighters
            if not f.body.able and f.profile.side == side and not f.body.dead and f is not fighter
        ]
    )


@cached(20_000)
def _move_options(
    profile: Profile,
    x: float,
    y: float,
    down: bool,
    modes: tuple[Mode, ...],
    foes: Foes,
    covers: tuple[CoverSpot, ...],
    fallen: Foes = (),
) -> tuple[Option[Move | Door | None], ...]:
    options: list[Option[Move | Door | None]] = [_STAY]
    for gait in modes:
        rate, go = profile.pace(gait), _GO[gait]
        changes = down != (gait == "crawling")
        for spot in covers:
            metres = hypot(spot.x - x, spot.y - y)
            if 0.5 < metres <= rate:
                label = f"{go.capitalize()} to {spot.name} ({spot.cover})"
                options.append(
                    Option(
                        f"{go} to {spot.name}",
                        label,
                        Move(gait, spot.x, spot.y, spot.cover, changes),
                        verb="move",
                        target=spot.name,
                        manner=(go,),
                    )
                )
        for foe, foe_x, foe_y in (*foes, *fallen):
            metres = hypot(foe_x - x, foe_y - y)
            if metres > REACH:
                step = min(rate, metres - 1)
                to_x, to_y = direction(x, y, foe_x, foe_y)
                goal = Move(gait, *spot_at(x + to_x * step, y + to_y * step), "none", changes)
                label = f"{go.capitalize()} {step:.0f} of {metres:.0f} m towards {foe}"
                options.append(Option(f"{go} to {foe}", label, goal, verb="move", target=foe, manner=(go,)))
        if foes:
            _, near_x, near_y = min(foes, key=lambda foe: hypot(foe[1] - x, foe[2] - y))
            to_x, to_y = direction(near_x, near_y, x, y)
            goal = Move(gait, *spot_at(x + to_x * rate, y + to_y * rate), "none", changes)
            options.append(Option(f"{go} away", f"{go.capitalize()} away ({rate} m)", goal, verb="move", target="away", manner=(go,)))
    return tuple(options)


@cached(20_000)
def _options_on_map(
    ground: Field,
    profile: Profile,
    at: Spot,
    down: bool,
    modes: tuple[Mode, ...],
    foes: Foes,
    spots: tuple[CoverSpot, ...],
    fallen: Foes = (),
) -> tuple[Option[Move | Door | None], ...]:
    """The same over ground with something on it: the ways there are, behind covers, to doors, out of sight."""
    options: list[Option[Move | Door | None]] = [_STAY]
    options.extend([Option(door.key, door.label, door, "simple action") for door in doors_at_hand(ground, at)])
    for gait in modes:
        go = _GO[gait]
        friends = to_people(ground, at, fallen, profile.pace(gait), REACH) if fallen else ()
        for goal in (*goals(ground, at, foes, profile.pace(gait), spots, REACH), *friends):
            cover = cast(Cover, goal.cover or "none")
            there = Move(gait, *goal.way.end, cover, down != (gait == "crawling"), goal.way.bends)
            options.append(Option(f"{go} {goal.key}", f"{go.capitalize()} {goal.label}", there))
    return tuple(options)
