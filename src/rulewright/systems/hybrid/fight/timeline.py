"""The fight count by count: who is due, what they decide, and when it takes effect (book lines 804-896).

Everybody has a count. On it they decide, or what they are doing takes effect; after that initiative is rolled again and added.
"""

from functools import partial
from itertools import pairwise
from math import ceil, hypot
from typing import Any, cast

from msgspec.structs import replace

from rulewright.field.places import written
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Tell
from rulewright.rules import Ruleset, rule
from rulewright.systems.hybrid.combat.arms import Arm
from rulewright.systems.hybrid.combat.attacks import DODGE_COUNTS, DROP_COUNTS, RISE_COUNTS
from rulewright.systems.hybrid.combat.fighters import (
    NEXT_TO,
    Deed,
    Doing,
    Fight,
    Fighter,
    Ground,
    Way,
    hindered,
    situation,
    speed_of,
    watching,
)
from rulewright.systems.hybrid.combat.initiative import Reactor, draw, enter_scene, rush_share, shortened
from rulewright.systems.hybrid.combat.maneuvers import manner_counts
from rulewright.systems.hybrid.fight.clock import COUNTS_A_SECOND, SIMPLE_COUNTS, About, Begins, OnCount, Waits, react, ready_after, set_off
from rulewright.systems.hybrid.fight.effects import metres_a_count, take_effect, way_to
from rulewright.systems.hybrid.fight.options import TOGETHER, anywhere, combines, goals_of, moves_in, open_to, options, ways
from rulewright.systems.hybrid.harm.damage import bleed, shake_off
from rulewright.systems.hybrid.people.movement import Mode, Motion, accelerate
from rulewright.systems.hybrid.people.perception import perceive
from rulewright.systems.hybrid.resolution.tests import Check, skill_check

EMPTY = Fight(Ground(), ())


# --- whose count it is --------------------------------------------------------------------------------------------------------


@rule("hyb-8-combat-sequence")
def order(rules: Ruleset, counts: tuple[int, ...] = (12, 9, 9), speeds: tuple[int, ...] = (4, 4, 6)) -> tuple[int, ...]:
    """Who is due next, by their places in the lists: all on the lowest count, the faster ones first.

    Those on one count act together, whatever they do to each other (ruling), or one after the other.
    """
    if not counts:
        return ()
    now = min(counts)
    due = [place for place, count in enumerate(counts) if count == now]
    speed = dict(enumerate(speeds))
    return tuple(sorted(due, key=lambda place: -speed.get(place, 0)))


def _sleeps(one: Fighter) -> bool:
    """Whether somebody is out of it by a shock that will end by itself."""
    body = one.body
    return body.shock_ends > 0 and not body.awake and not body.dead and body.pbd > 0 and body.mbd > 0


def _acting(rules: Ruleset, fight: Fight) -> list[Fighter]:
    """Everybody who has a count: who can act, or struggle at least, and whose shock ends by itself, on the count on which it does."""
    found = []
    for one in fight.fighters:
        if _sleeps(one):
            found.append(replace(one, at=one.body.shock_ends))
        elif one.body.awake:
            found.append(one)
    return found


def due_at(rules: Ruleset, fight: Fight) -> int:
    """The next count on which somebody is due, now or later; the last one and one more where nobody is before the time is over."""
    last = fight.seconds * COUNTS_A_SECOND
    return max(fight.count, min([one.at for one in _acting(rules, fight)], default=last + 1))


def move_clock(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The clock moves on to the next count on which somebody is due, or to the end of the time."""
    now, last = due_at(rules, fight), fight.seconds * COUNTS_A_SECOND
    if now > last:
        return (yield from _pass_time(rules, fight, last))
    if now > fight.count:
        yield from Tell(OnCount(now))
    return (yield from _pass_time(rules, fight, now))


def next_count(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next count on which somebody is due, with everything that happens on it."""
    people, now = _acting(rules, fight), due_at(rules, fight)
    fight = yield from move_clock(rules, fight)
    if now > fight.count:
        return fight
    due = [people[place] for place in order(rules, tuple(one.at for one in people), tuple(speed_of(fight, one) for one in people))]
    before = fight
    for waiting in due:
        fight = yield from happens(rules, before, fight, waiting.profile.name, now)
    return fight


def happens(rules: Ruleset, before: Fight, fight: Fight, name: str, now: int) -> Play[Fight]:
    """What somebody does who is due on a count; `before` is how all were when the count began."""
    together = rules.word("initiative-ties") == "together"
    me = fight.fighter(name)
    if _sleeps(me) and me.body.shock_ends <= now:
        return (yield from _wake(rules, fight, name, now))
    if me.at > now:
        return fight  # met an attack on this very count, and is later for it
    if not fight.able(rules, me):
        then = before.fighter(name)
        if together and then.doing is not None and before.able(rules, then):
            return (yield from take_effect(rules, fight, name, now, then))
        if not me.body.awake:
            return fight
        if me.doing is not None and me.doing.what not in HELD:
            return (yield from react(rules, fight, name, now))  # held fast: nothing comes of what was begun
        me = fight.fighter(name)
    if me.doing is None:
        return (yield from decide(rules, fight, name, now))
    return (yield from take_effect(rules, fight, name, now, before.fighter(name) if together else me))


def _pass_time(rules: Ruleset, fight: Fight, now: int) -> Play[Fight]:
    """Wounds bleed while time passes."""
    fighters = []
    for one in fight.fighters:
        body = bleed(rules, one.body, fight.count, now)
        if body is not one.body:
            yield from Tell(Happened(one.name, "bleeds to death" if body.dead else "bleeds on"))
        fighters.append(replace(one, body=body) if body is not one.body else one)
    return replace(fight, fighters=tuple(fighters), count=now)


def _wake(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    body = yield from shake_off(rules, fight.fighter(name).body, now)
    fight = fight.change(name, body=body, doing=None)
    return (yield from react(rules, fight, name, now))


@rule("hyb-8-combat-sequence")
def enter_fight(rules: Ruleset, fight: Fight = EMPTY) -> Play[Fight]:
    """Everybody who is new looks around and rolls initiative; what they failed to see they do not know of until they act."""
    for one in fight.fighters:
        if one.entered:
            continue
        watcher = watching(rules, fight, one)
        if fight.ground.unwary == one.side:
            watcher = replace(watcher, situations=(*watcher.situations, "not alert"))
        reactor = Reactor(watcher, speed_of(fight, one), one.arm.rank is not None, one.waiting)
        entry = yield from enter_scene(rules, reactor)
        changed = replace(one, entered=True, aware=entry.perceived.success, at=fight.count + entry.count, points=entry.speed_points)
        fight = fight.having(replace(changed, waiting=False))
    return fight


# --- deciding -----------------------------------------------------------------------------------------------------------------


def decide(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    """Somebody's own count: shock may pass, then they choose what to do; it takes effect when its time is over."""
    me = fight.fighter(name)
    body = yield from shake_off(rules, me.body, now)
    off = me.off_balance
    if off and (yield from skill_check(rules, Check(body.pen), name, "finding balance")).success:
        off = 0
    evaded = me.evading
    me = replace(me, body=body, off_balance=off, aware=True, fooled_by="", doing=None, waiting=False)
    me = replace(me, evading=False, all_out="", advancing=False, retreating=False)
    fight = fight.having(me)
    keys = open_to(rules, fight, me)
    key = yield from Choice(name, "What do you do?", options(keys), About(rules, fight, name), "act", where=anywhere(rules, fight, me))
    while key in TOGETHER:
        me = replace(me, evading=me.evading or key == "weave", retreating=me.retreating or key == "give way")
        fight = fight.having(me)
        keys = tuple(each for each in keys if each not in (key, TOGETHER[key]))
        where = anywhere(rules, fight, me)
        key = yield from Choice(name, "And what else do you do?", options(keys), About(rules, fight, name), "act", where=where)
    what, _, target = key.partition(":")
    if what.startswith(("attack", "hurl", "cast ")):
        return (yield from _attacks(rules, fight.change(name, pace="no move"), name, now, what, target))
    if what in ("approach", "dash"):
        return (yield from _begin_approach(rules, fight, name, target, now, "run" if what == "approach" else "dash"))
    if what in ("go", "head for"):
        return (yield from _begin_going(rules, fight, name, what, target, now))
    fight = fight.change(name, pace="no move")
    if what.removesuffix(" how") in MOVES:
        return (yield from _begin_move(rules, fight, name, what, target, now))
    if what == "skill":
        return (yield from _begin_skill(rules, fight, name, now))
    if what in ("draw", "fast draw"):
        return (yield from _begin_draw(rules, fight, name, target, now, what == "fast draw"))
    return (yield from _begin(rules, fight, name, what, target, now, evaded))


# --- beginning ----------------------------------------------------------------------------------------------------------------


def _attacks(rules: Ruleset, fight: Fight, name: str, now: int, what: str, target: str) -> Play[Fight]:
    """An attack with a weapon, thrown or not, or a spell; where one says how, the manner is asked for."""
    me = fight.fighter(name)
    how = what.startswith("cast how ") or what.endswith(" how")
    place = me.place(what.removeprefix("cast how " if how else "cast ")) if what.startswith("cast ") else me.in_hand
    doing = Doing("attack", target, now, arm=place, hurled=what.startswith("hurl"))
    arm = me.uses(doing)
    manners: tuple[str, ...] = ()
    if how:
        manners = yield from _manners(rules, fight, name, target, ways(rules, me, fight.fighter(target), arm))
    return (yield from _begin_attack(rules, fight, name, doing, arm, manners))


def _manners(rules: Ruleset, fight: Fight, name: str, target: str, keys: tuple[str, ...]) -> Play[tuple[str, ...]]:
    """In which manners something is tried: one after the other, as many as go together."""
    about = About(rules, fight, name, target)
    chosen: tuple[str, ...] = ()
    key = yield from Choice(name, "How?", options(keys), about, "way")
    while key not in ("plain", "enough"):
        chosen = (*chosen, key)
        keys = ("enough", *[each for each in keys if each != "plain" and combines(each, chosen)])
        key = yield from Choice(name, "And how else?", options(keys), about, "way too")
    return chosen


MOVES = ("feint", "disarm", "overbear", "throw", "grapple")
"""What is tried like a blow, and in the same manners."""


def _begin_move(rules: Ruleset, fight: Fight, name: str, what: str, target: str, now: int) -> Play[Fight]:
    """A feint, a disarm or a move with bare hands begins; where one says how, the manner is asked for."""
    me, move = fight.fighter(name), cast(Deed, what.removesuffix(" how"))
    arm = me.arm if move in ("feint", "disarm") else me.fists
    manners: tuple[str, ...] = ()
    if what.endswith(" how"):
        manners = yield from _manners(rules, fight, name, target, moves_in(rules, me, fight.fighter(target), arm, move))
    fight, doing, took = yield from _timed(rules, fight, name, Doing(move, target, now), arm, manners)
    return (yield from _under_way(rules, fight, name, doing, took, f"{move} {target}"))


def _begin_attack(rules: Ruleset, fight: Fight, name: str, doing: Doing, arm: Arm, manners: tuple[str, ...]) -> Play[Fight]:
    """An attack or a spell begins."""
    fight, doing, took = yield from _timed(rules, fight, name, doing, arm, manners)
    if arm.helps:
        doing = replace(doing, what="cast")
        return (yield from _under_way(rules, fight, name, doing, took, f"casts {arm.name} on {doing.target}"))
    words = f"{'throws the ' if doing.hurled else ''}{arm.name} {'at' if doing.hurled else 'against'} {doing.target}"
    return (yield from _under_way(rules, fight, name, doing, took, words))


def _timed(rules: Ruleset, fight: Fight, name: str, doing: Doing, arm: Arm, manners: tuple[str, ...]) -> Play[tuple[Fight, Doing, int]]:
    """The manners of an attack decide how long it takes, and how its doer stands meanwhile."""
    me = fight.fighter(name)
    called = next((key.removeprefix("called ") for key in manners if key.startswith("called ")), "")
    ways = cast(tuple[Way, ...], tuple([key for key in manners if not key.startswith("called ")]))
    speed, share = arm.speed, (1, 1)
    if "rushed" in ways:
        asked = f"Within how many counts, of {arm.speed}?"
        speed = yield from Choice(name, asked, Range(1, arm.speed - 1), About(rules, fight, name, doing.target), "within")
        share = rush_share(rules, arm.speed, speed)
    longer = partial(manner_counts, rules, slowed=("spinning" in ways) + ("jumping" in ways), prepared="set up" in ways)
    first = rules.on("speed-points-first")
    took = shortened(rules, speed if first else longer(speed), me.points, arm.rank)
    stances: dict[str, Any] = {
        "all_out": "" if "all out" not in ways else "mind" if arm.mental else "body",
        "advancing": "advance" in ways,
        "retreating": me.retreating or "retreating" in ways,
        "evading": me.evading or "evading" in ways,
    }
    fight = fight.change(name, points=took.points, **stances)
    doing = replace(doing, way=ways[0] if ways else "", also=ways[1:], called=called, share=share)
    return fight, doing, longer(took.counts) if first else took.counts


HARDEST = 40
"""How far the gamemaster may make a task harder or easier."""


def _begin_skill(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    """The skill is named, the gamemaster says how hard the task is, and it takes a simple action's time."""
    about = About(rules, fight, name)
    named = tuple([Option(each.skill, each.skill, each.skill) for each in fight.fighter(name).profile.skills])
    skill = yield from Choice(name, "Which skill do you use?", named, about, "skill")
    asked = f"{name} uses {skill}. What does the task add to the Difficulty Factor (below 0: harder)?"
    hard = yield from Choice[int](GAMEMASTER, asked, Range(-HARDEST, HARDEST), about, "difficulty")
    took = shortened(rules, SIMPLE_COUNTS, fight.fighter(name).points)
    fight = fight.change(name, points=took.points)
    doing = Doing("skill", "", now, skill=skill, difficulty=hard)
    return (yield from _under_way(rules, fight, name, doing, took.counts, doing.words()))


def _begin_draw(rules: Ruleset, fight: Fight, name: str, weapon: str, now: int, fast: bool) -> Play[Fight]:
    me = fight.fighter(name)
    place = me.place(weapon)
    arm = me.profile.arms[place]
    check = arm.by("fast draw").plus(df=situation(rules, fight, me))
    counts = yield from draw(rules, arm.speed, fast, check, name)
    took = shortened(rules, max(1, counts), me.points)
    fight = fight.change(name, points=took.points)
    return (yield from _under_way(rules, fight, name, Doing("draw", "", now, arm=place), took.counts, f"draws the {weapon}"))


def _begin(rules: Ruleset, fight: Fight, name: str, what: str, target: str, now: int, evaded: bool = False) -> Play[Fight]:
    """Anything that is no attack with a weapon begins."""
    me = fight.fighter(name)
    if what in ("wait", "wait draw"):
        friends = tuple(one.name for one in fight.fighters if one.side == me.side)
        trigger = what.removeprefix("wait").strip()
        yield from Tell(Waits(name, trigger, known_to=friends))
        return fight.change(name, waiting=True, doing=Doing("wait", "", now, called=trigger), at=now + 2 * me.profile.mst)
    points, took = me.points, SIMPLE_COUNTS
    if what in ("tighten", "struggle"):
        arm = me.fists
        sped = shortened(rules, arm.speed, points, arm.rank)
        took, points = sped.counts, sped.points
    elif what == "rise":
        sped = shortened(rules, RISE_COUNTS, points)
        took, points = sped.counts, sped.points
    elif what in FIXED:
        took = FIXED[what]
    changes: dict[str, Any] = {"points": points, "evading": me.evading or what == "evade", "retreating": me.retreating or what == "retreat"}
    fight = fight.change(name, **changes)
    way: Way = "evading" if what == "dodge" and evaded else ""
    return (yield from _under_way(rules, fight, name, Doing(cast(Deed, what), target, now, way), took, f"{what} {target}".strip()))


def _begin_approach(rules: Ruleset, fight: Fight, name: str, target: str, now: int, goal: Mode) -> Play[Fight]:
    """Running or dashing up to somebody: a roll to get moving at the pace below, and at the next initiative one for the pace itself."""
    me, foe = fight.fighter(name), fight.fighter(target)
    metres = max(0.0, (me.distance(foe) if fight.bare else way_to(fight, me, (foe.x, foe.y))) - NEXT_TO)
    me, took = yield from _set_going(rules, fight, me, metres, goal)
    words = f"approach {target} at a {me.pace}" if me.pace != "no move" else f"approach {target}, but does not get going"
    return (yield from _under_way(rules, fight.having(me), name, Doing("approach", target, now), took, words))


def _set_going(rules: Ruleset, fight: Fight, me: Fighter, metres: float, goal: Mode) -> Play[tuple[Fighter, int]]:
    """Somebody at the pace that they come to, and the counts until they are there, or until their next initiative."""
    check = me.profile.running.plus(df=hindered(rules, fight, replace(me, pace="no move")))
    motion = yield from accelerate(rules, Motion(me.pace, goal), check, me.name)
    ready = yield from ready_after(rules, fight, me.name)
    me = replace(me, pace=motion.mode, points=me.points + ready.speed_points)
    each = metres_a_count(rules, me)
    return me, min(ready.count, max(1, ceil(round(metres / each, 6)))) if each else ready.count


RUN: Mode = "run"


def _begin_going(rules: Ruleset, fight: Fight, name: str, what: str, target: str, now: int) -> Play[Fight]:
    """Somebody sets out for a place at a pace of their own choosing, or runs to one that means something."""
    me = fight.fighter(name)
    if what == "head for":
        key = target if target in ("away", "out of sight") else f"to {target}"
        found = next(goal for goal in goals_of(rules, fight, me) if goal.key == key)
        route, metres, goal = found.way.bends[1:], found.way.cost, RUN
    else:
        pace, route, _ = written(target)
        goal = cast(Mode, pace)
        metres = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(((me.x, me.y), *route)))
    me, took = yield from _set_going(rules, fight, me, metres, goal)
    words = f"goes at a {me.pace}" if me.pace != "no move" else "would go somewhere, but does not get going"
    return (yield from _under_way(rules, fight.having(me), name, Doing("go", "", now, route=route), took, words))


HELD = ("struggle", "pass")
"""What is left to those who are held so fast that they can do nothing else."""
FIXED: dict[str, int] = {"dodge": DODGE_COUNTS, "drop prone": DROP_COUNTS, "drop weapon": 1, "let go": 1}
"""Deeds that take their time, whoever does them."""


def _under_way(rules: Ruleset, fight: Fight, name: str, doing: Doing, took: int, words: str) -> Play[Fight]:
    """From now on somebody is busy; whoever waited for this may go first."""
    until = doing.began + took
    yield from Tell(Begins(name, words, until))
    fight = fight.change(name, doing=doing, at=until)
    for foe in fight.fighters:
        if foe.waiting and fight.sees(foe, fight.fighter(name)) and _awaited(fight.fighter(name), doing, foe) and fight.able(rules, foe):
            noticed = yield from perceive(rules, watching(rules, fight, foe), True)
            if noticed.success:
                fight = yield from set_off(rules, fight, foe.profile.name, doing.began)
    return fight


def _awaited(me: Fighter, doing: Doing, foe: Fighter) -> bool:
    """Whether this is what somebody waits for; a feint is only if it fools them, which its own roll decides."""
    if me.side == foe.side:
        return False
    if foe.doing is not None and foe.doing.called == "draw":
        return doing.what == "draw"
    return doing.target == foe.profile.name and doing.what != "feint"
