"""Movement in a fight: destinations, interruptions and zones under fire (book lines 2007-2064, 2395-2398)."""

from functools import partial
from itertools import pairwise
from math import hypot

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.destinations import Door, Foes, doors_at_hand, goals, taken, what_it_means
from rulewright.field.field import NOTHING, Field, Spot, spot_at
from rulewright.field.pathfinding import WALKER, Mover
from rulewright.field.places import Anywhere, Going, Pace
from rulewright.field.revealed import known_field
from rulewright.grammar import figure
from rulewright.play import Choice, Option, Play, Scale, Stands, Tell, came_to
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.confined_places import Depth, speed_in_water
from rulewright.systems.silhouette.action.gravity import rate_in
from rulewright.systems.silhouette.action.movement import DOWN, MOVES, Gait
from rulewright.systems.silhouette.action.rounds import stays_ready
from rulewright.systems.silhouette.attacks.area_fire import relocate
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.facing import backs, by_the_map, looking_at
from rulewright.systems.silhouette.combat.bursts import dare_to_move
from rulewright.systems.silhouette.combat.events import happened, managed
from rulewright.systems.silhouette.combat.fighters import CoverSpot, Fight, Fighter, Profile, Situation, gaits_of, reach_of, striking_weapon
from rulewright.systems.silhouette.fight.actions.readied import interrupts
from rulewright.systems.silhouette.resolution.tests import Pool, passes

GO: dict[Gait, str] = {"crawling": "crawl", "walking": "walk", "jogging": "jog", "running": "run", "sprinting": "sprint"}
_SAYS: dict[Gait, str] = {"crawling": "crawls", "walking": "walks", "jogging": "jogs", "running": "runs", "sprinting": "sprints"}


DARING = Scale(("stays", "dares to move"), ("dares to move",), "dares", "stays")
CLOSE_UP = 0.9
"""Distance to an enemy after closing in, in metres: well within reach."""


class Move(Struct, frozen=True):
    """A move: destination and pace; standing up or dropping for it is a simple action."""

    gait: Gait
    x: float
    y: float
    cover: str = ""
    simple: bool = False
    foe: str = ""
    over: tuple[Spot, ...] = ()
    """Bends of the path, if it is not straight."""
    push: float = 0.0
    """In free fall: speed of the push, in metres per second."""
    way: str = ""
    """Another way to move: fly, swim or burrow."""
    height: float = 0.0
    """Height of the flight."""

    def metres(self, fighter: Fighter) -> float:
        """Returns the distance."""
        if self.over:
            return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(self.over))
        return hypot(self.x - fighter.x, self.y - fighter.y)


class Moved(Struct, frozen=True):
    """Cost of a move: whether the fighter moved, and whether it took a simple action."""

    moved: bool = False
    simple: bool = False


STAY: Option[Move | Door | None] = Option("stay", "Stay where you are", None)


def move(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, Moved]]:
    """Asks where to move and how fast. A pinned fighter must dare to; zones under fire must be braved; then readied enemies may act."""
    fighter = fight.fighter(name)
    options, where = move_options(rules, fight, fighter), anywhere(rules, fight, fighter)
    about = Situation(fight, name, rules)
    chosen: Move | Door | None = yield Choice(name, "Where do you go?", options, about, "move", fighter.hidden, where=where)
    handled = isinstance(chosen, Door)
    if isinstance(chosen, Door):
        fight, chosen = yield from _use_door(rules, fight, fighter, chosen)
    if not isinstance(chosen, Move):
        return fight, Moved(simple=handled)
    if fighter.pinned:
        fight, dares = yield from brave(rules, fight, name)
        if not dares:
            return fight, Moved(simple=handled)
    metres = chosen.metres(fighter)
    yield happened(fight, name, f"{_verb_of(chosen)} {metres:.0f} m{_describe_goal(fight, chosen)}{_describe_landing(fighter, chosen)}")
    shows = fighter.hidden or fighter.cover.startswith("fully")
    zones = fight.zones
    if chosen.way == "burrow":  # below all fire on the way
        fight = replace(fight, zones=())
    fight = yield from relocate(
        rules,
        fight,
        name,
        chosen.x,
        y=chosen.y,
        cover=chosen.cover,
        pace=chosen.gait,
        covering_ground=not _is_charge(rules, fight, fighter, chosen),
        over=chosen.over,
    )
    if chosen.way == "burrow":
        fight = replace(fight, zones=zones)
    if chosen.height != fight.fighter(name).height:
        fight = fight.change(name, height=chosen.height)
    if chosen.foe:
        fight = looking_at(rules, fight, name, chosen.foe)
    yield Tell(Stands(fight))
    result = fight.fighter(name)
    if result.ready is not None and chosen.cover and not stays_ready(moved_to_cover=True):
        fight = fight.put(replace(result, ready=None))
    if fight.acting_body(fight.fighter(name)).able:
        fight = yield from interrupts(rules, fight, name, "shows" if shows and not chosen.cover.startswith("fully") else "moves")
    return fight, Moved(True, chosen.simple or handled)


def _use_door(rules: Ruleset, fight: Fight, fighter: Fighter, door: Door) -> Play[tuple[Fight, "Move | Door | None"]]:
    """Opens or shuts a door, a simple action; the fighter may then move without another one."""
    name = fighter.name
    fight = fight.with_door(door)
    yield happened(fight, name, door.told)
    yield Tell(Stands(fight))
    options = tuple([option for option in move_options(rules, fight, fighter) if not _takes_time(option.value)])
    about, where = Situation(fight, name, rules), anywhere(rules, fight, fighter, simple=False)
    chosen = yield Choice(name, "Where do you go?", options, about, "move", fighter.hidden, where=where)
    return fight, chosen


def _takes_time(value: Move | Door | None) -> bool:
    """Whether an option takes a simple action."""
    return isinstance(value, Door) or (isinstance(value, Move) and value.simple)


def _verb_of(move: Move) -> str:
    return {"fly": "flies", "swim": "swims", "burrow": "burrows"}.get(move.way, _SAYS[move.gait])


def _describe_goal(fight: Fight, move: Move) -> str:
    """Describes whether a move ends at an enemy or only leads towards one."""
    if not move.foe:
        return ""
    foe = fight.fighter(move.foe)
    return f" {'to' if hypot(foe.x - move.x, foe.y - move.y) <= ARRIVED else 'towards'} {move.foe}"


def _describe_landing(fighter: Fighter, move: Move) -> str:
    """Describes whether the fighter is in the air or on the ground after a move."""
    if move.height == fighter.height:
        return ""
    return f", {figure(move.height)} m above the ground" if move.height else " and lands"


def brave(rules: Ruleset, fight: Fight, name: str) -> Play[tuple[Fight, bool]]:
    """Tests whether a pinned fighter dares to move."""
    fighter = fight.fighter(name)
    body = fight.acting_body(fighter)
    fight, pool = yield from spend_emergency_dice(rules, fight, name, Pool(2), "moving under fire")
    dice, will = pool.emergency, fighter.profile.attribute("willpower")
    test = yield from dare_to_move(rules, will, fighter.pinned, body.acting_penalty, name, dice)
    dares = passes(rules, test.total, test.threshold)
    yield came_to("dares to move" if dares else "stays", DARING, name)
    how, mood = ("dares to move under fire", "good") if dares else ("does not dare to move", "bad")
    yield managed(fight, name, how, test, "sil-3.4.3-saturation-fire", mood)
    return fight, dares


def _is_charge(rules: Ruleset, fight: Fight, fighter: Fighter, move: Move) -> bool:
    """Whether a move is a charge that ends at arm's length: footwork rather than movement."""
    if not move.foe or move.gait == "sprinting":
        return False
    foe = fight.fighter(move.foe)
    weapon = fighter.profile.weapons[striking_weapon(fighter)]
    return hypot(foe.x - move.x, foe.y - move.y) <= reach_of(rules, fighter.profile, weapon)


def _rates(rules: Ruleset, fight: Fight, fighter: Fighter) -> tuple[tuple[Gait, float], ...]:
    """Returns the distance per round at every pace that load, wounds and posture allow."""
    if fighter.height:
        return ()
    gaits = gaits_of(rules, fighter.profile, fight.acting_body(fighter))
    return _rates_in(rules, fighter.profile, gaits, fight.ground.water, fight.ground.gravity)


@cached(4_000)
def _rates_in(rules: Ruleset, profile: Profile, gaits: tuple[Gait, ...], water: Depth, gravity: float) -> tuple[tuple[Gait, float], ...]:
    """Returns the distance per round at these paces in this water depth and gravity."""
    return tuple([(gait, rate_in(speed_in_water(rules, rate_of(rules, profile, gait), water), gravity)) for gait in gaits])


def anywhere(rules: Ruleset, fight: Fight, fighter: Fighter, simple: bool = True) -> "Anywhere[Move | Door | None]":
    """Returns all places within a pace; arriving at a cover takes it. Without a simple action nobody stands up or drops."""
    down, bare = fighter.pace in DOWN, fight.bare
    rates = _rates(rules, fight, fighter)
    if not simple:
        rates = tuple([rate for rate in rates if down == (rate[0] == "crawling")])
    paces = (*_paces(rates, WALKER if bare else _slowed_by_water(rules, fight.ground.water)), *further_paces(rules, fight, fighter))
    return Anywhere(
        NOTHING if bare else fight.field,
        (fighter.x, fighter.y),
        paces,
        partial(_move_to, fight, down),
        paces[0].key if fighter.height and paces else "crawl" if down else "walk",
        partial(_describe_destination, fight, fighter),
        None if bare else known_field(fight.map, fight.changes),
    )


@cached(64)
def _slowed_by_water(rules: Ruleset, everywhere: Depth) -> Mover:
    """Returns how water on the map slows a fighter."""
    slow = round(1 / speed_in_water(rules, 1.0))
    return Mover(costs=(("shallow", slow),)) if slow != 1 and everywhere != "shallow" else WALKER


@cached(10_000)
def _paces(rates: tuple[tuple[Gait, float], ...], mover: Mover) -> tuple[Pace, ...]:
    return tuple([Pace(GO[gait], gait, float(rate), mover) for gait, rate in rates])


_GAITS: dict[str, Gait] = {go: gait for gait, go in GO.items()}


def _move_to(fight: Fight, down: bool, going: Going) -> Move:
    """Returns the move to a place."""
    if going.pace in FURTHER:
        return Move("running", *going.spot, way=FURTHER[going.pace], height=FLIGHT if going.pace == "soar" else 0.0)
    gait, (x, y) = _GAITS[going.pace], going.spot
    spot = taken(fight.ground.covers, going.spot)
    over = going.bends if not fight.bare else ()
    return Move(gait, x, y, spot.cover if spot is not None else "", down != (gait == "crawling"), over=over)


def _describe_destination(fight: Fight, fighter: Fighter, going: Going) -> tuple[str, ...]:
    """Describes a destination: the distance to the nearest enemy and the cover, as far as the side knows."""
    x, y = going.spot
    cover = _move_to(fight, False, going).cover
    foes = fight.known_enemies(fighter)
    if not fight.bare:
        there = replace(fighter, x=x, y=y, cover=cover)
        sheltered = [(foe.name, fight.cover_from((foe.x, foe.y), there) if fight.sees(foe, there) else None) for foe in foes]
        return what_it_means(there, foes, sheltered)
    if not foes:
        return (cover,) if cover else ()
    nearest = min(foes, key=lambda foe: hypot(foe.x - x, foe.y - y))
    near = f"{hypot(nearest.x - x, nearest.y - y):.1f} m from {nearest.name}"
    return (near, cover) if cover else (near,)


def move_options(rules: Ruleset, fight: Fight, fighter: Fighter) -> tuple[Option[Move | Door | None], ...]:
    """Returns the move options: stay, approach, retreat or take cover, at every possible pace."""
    weapon = fighter.profile.weapons[striking_weapon(fighter)]
    rates = _rates(rules, fight, fighter)
    reach = reach_of(rules, fighter.profile, weapon)
    if not fight.bare:
        known = tuple([(f.profile.name, f.x, f.y) for f in fight.known_enemies(fighter)])
        at, mover = (fighter.x, fighter.y), _slowed_by_water(rules, fight.ground.water)
        on_map = _options_on_map(fight.field, at, fighter.pace in DOWN, rates, known, fight.ground.covers, reach, mover)
        return (*on_map, *further_options(rules, fight, fighter, known)) if fighter.profile.plan.ways else on_map
    foes = tuple([(f.profile.name, f.x, f.y) for f in fight.enemies(fighter)])
    behind = backs(rules, fight, fighter, CLOSE_UP) if by_the_map(rules) else ()
    options = _move_options(fighter.x, fighter.y, fighter.pace in DOWN, rates, foes, fight.ground.covers, reach, behind)
    return (*options, *further_options(rules, fight, fighter, foes)) if fighter.profile.plan.ways else options


# --- wings, fins and claws --------------------------------------------------------------------------------------------------------

ARRIVED = 2.0
"""Distance in metres from an enemy at which a move has reached them."""
FLIGHT = 5.0
"""Height of a fighter who stays in the air, in metres: out of reach."""
FURTHER = {"fly": "fly", "soar": "fly", "swim": "swim", "burrow": "burrow"}
"""Other ways to move by option word; soaring stays in the air."""


def further_rate(rules: Ruleset, fight: Fight, fighter: Fighter) -> float:
    """Returns the distance per round of another way to move: a human run, as far as wounds allow."""
    gaits = gaits_of(rules, replace(fighter.profile, fastest="running"), fight.acting_body(fighter))
    if not gaits:
        return 0.0
    over, under = MOVES.get(rules, gaits[-1]).share
    return rate_in(fighter.profile.human_sprint * over / under, fight.ground.gravity)


def _possible_ways(fight: Fight, fighter: Fighter) -> tuple[str, ...]:
    """Returns the other ways possible here: swimming needs water, burrowing ground."""
    wet = fight.ground.water not in ("dry", "shallow")
    ways = fighter.profile.plan.ways
    names = ["fly", "soar"] if "fly" in ways else []
    names += ["swim"] if "swim" in ways and wet and not fighter.height else []
    return tuple(names + (["burrow"] if "burrow" in ways and not wet and not fighter.height else []))


def further_paces(rules: Ruleset, fight: Fight, fighter: Fighter) -> tuple[Pace, ...]:
    """Returns the other ways to move as paces to any place."""
    rate = further_rate(rules, fight, fighter) if fighter.profile.plan.ways else 0.0
    doing = {"fly": "flying", "soar": "flying, staying in the air", "swim": "swimming", "burrow": "burrowing"}
    return tuple([Pace(go, doing[go], rate) for go in _possible_ways(fight, fighter)]) if rate else ()


def further_options(
    rules: Ruleset, fight: Fight, fighter: Fighter, foes: tuple[tuple[str, float, float], ...]
) -> tuple[Option[Move | Door | None], ...]:
    """Returns options for wings, fins and claws: attack, stay in the air, land."""
    rate, options = further_rate(rules, fight, fighter), list[Option[Move | Door | None]]()
    if not rate:
        return ()
    here = fighter.x, fighter.y
    for go in _possible_ways(fight, fighter):
        height = FLIGHT if go == "soar" else 0.0
        for foe, foe_x, foe_y in foes:
            metres = hypot(foe_x - here[0], foe_y - here[1])
            step = min(rate, max(0.0, metres - CLOSE_UP))
            unit = ((foe_x - here[0]) / metres, (foe_y - here[1]) / metres) if metres else (0.0, 0.0)
            x, y = spot_at(here[0] + unit[0] * step, here[1] + unit[1] * step)
            goal = Move("running", x, y, foe=foe, way=FURTHER[go], height=height)
            words = f"{FURTHER[go].capitalize()} {step:.0f} of {metres:.0f} m towards {foe}{', staying in the air' if height else ''}"
            options.append(Option(f"{go} to {foe}", words, goal))
    if "fly" in fighter.profile.plan.ways:
        change: Move | Door | None = Move("walking", *here, way="fly", height=0.0 if fighter.height else FLIGHT)
        key, words = ("come down", "Land") if fighter.height else ("rise", f"Rise {FLIGHT:g} m into the air")
        options.append(Option(key, words, change))
    return tuple(options)


def rate_of(rules: Ruleset, profile: Profile, gait: Gait) -> float:
    over, under = MOVES.get(rules, gait).share
    return profile.sprint * over / under


@cached(20_000)
def _move_options(
    x: float,
    y: float,
    down: bool,
    rates: tuple[tuple[Gait, float], ...],
    foes: tuple[tuple[str, float, float], ...],
    covers: tuple[CoverSpot, ...],
    reach: int,
    behind: tuple[tuple[str, float, float], ...],
) -> tuple[Option[Move | Door | None], ...]:
    options: list[Option[Move | Door | None]] = [STAY]
    for gait, rate in rates:
        go = GO[gait]
        changes = down != (gait == "crawling")
        for spot in covers:
            metres = hypot(spot.x - x, spot.y - y)
            if 0.5 < metres <= rate:
                label = f"{go.capitalize()} to {spot.name} ({spot.cover})"
                options.append(Option(f"{go} to {spot.name}", label, Move(gait, spot.x, spot.y, spot.cover, changes)))
        for foe, foe_x, foe_y in foes:
            metres = hypot(foe_x - x, foe_y - y)
            if metres > reach:
                step = min(rate, metres - CLOSE_UP)
                to_x, to_y = (foe_x - x) / metres, (foe_y - y) / metres
                goal = Move(gait, *spot_at(x + to_x * step, y + to_y * step), "", changes, foe)
                options.append(Option(f"{go} to {foe}", f"{go.capitalize()} {step:.0f} of {metres:.0f} m towards {foe}", goal))
        for foe, back_x, back_y in behind:
            metres = hypot(back_x - x, back_y - y)
            if 0.1 < metres <= rate:
                options.append(
                    Option(f"{go} behind {foe}", f"{go.capitalize()} behind {foe}", Move(gait, back_x, back_y, "", changes, foe))
                )
        if foes:
            _, near_x, near_y = min(foes, key=lambda foe: hypot(foe[1] - x, foe[2] - y))
            metres = hypot(x - near_x, y - near_y)
            to_x, to_y = ((x - near_x) / metres, (y - near_y) / metres) if metres else (1.0, 0.0)
            goal = Move(gait, *spot_at(x + to_x * rate, y + to_y * rate), "", changes)
            options.append(Option(f"{go} away", f"{go.capitalize()} away ({rate:.0f} m)", goal))
    return tuple(options)


@cached(20_000)
def _options_on_map(
    ground: Field,
    at: Spot,
    down: bool,
    rates: tuple[tuple[Gait, float], ...],
    foes: Foes,
    covers: tuple[CoverSpot, ...],
    reach: int,
    mover: Mover,
) -> tuple[Option[Move | Door | None], ...]:
    """Returns the options on a map: paths, covers, doors and hiding places."""
    options: list[Option[Move | Door | None]] = [STAY]
    options.extend([Option(door.key, door.label, door, "simple action") for door in doors_at_hand(ground, at)])
    for gait, rate in rates:
        go = GO[gait]
        for goal in goals(ground, at, foes, rate, covers, reach, CLOSE_UP, mover):
            there = Move(gait, *goal.way.end, goal.cover, down != (gait == "crawling"), goal.foe, goal.way.bends)
            options.append(Option(f"{go} {goal.key}", f"{go.capitalize()} {goal.label}", there))
    return tuple(options)
