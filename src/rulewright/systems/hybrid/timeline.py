"""The fight count by count: who is due, what they decide, what takes effect, and how it can be met (book lines 804-896, chapter 8).

Everybody has a count. On it they decide, or what they are doing takes effect; after that initiative is rolled again and added.
"""

from collections.abc import Callable
from functools import lru_cache
from math import ceil
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Choice, Event, Option, Play, Prospect, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.hybrid.combat import (
    CROUCH_COUNTS,
    DODGE_COUNTS,
    DROP_COUNTS,
    NO_ANSWER,
    RISE_COUNTS,
    Answer,
    Strike,
    Struggle,
    all_out,
    attack,
    block_modifier,
    half_speed,
    lob,
    lob_range,
    may_advance,
    off_hand,
    parry_modifier,
    recover_from_dodge,
    release,
)
from rulewright.systems.hybrid.energy import exert
from rulewright.systems.hybrid.fighters import (
    NEXT_TO,
    REACH,
    Arm,
    Deed,
    Doing,
    Fight,
    Fighter,
    Ground,
    Way,
    defense_of,
    guard_of,
    may_react,
    range_modifier,
    situation,
)
from rulewright.systems.hybrid.initiative import (
    Reactor,
    draw,
    enter_scene,
    hurried,
    initiative_dice,
    preset_cost,
    rank_speed,
    rush_share,
    set_up,
    settle,
)
from rulewright.systems.hybrid.injury import CALLED_SHOTS, Blow, Body, bleed, called_modifier, shake_off
from rulewright.systems.hybrid.maneuvers import (
    as_a_club,
    close_in,
    disarm,
    feint,
    fend_check,
    fend_counts,
    grapple,
    grip_bonus,
    jumping,
    must_close,
    overbear,
    overbear_strike,
    slower,
    spinning,
    struggle,
    throw,
    throw_strike,
    tighten,
)
from rulewright.systems.hybrid.modifiers import florentine
from rulewright.systems.hybrid.perception import perceive, perception_factor
from rulewright.systems.hybrid.resolution import Check, skill_check

COUNTS_A_SECOND = 10
SIMPLE_COUNTS = 10
STEPPED_BACK = 2.0
EMPTY = Fight(Ground(), ())


class About(Struct, frozen=True, eq=False):
    """What a choice is about: the rules, the fight, who decides, and whom it concerns."""

    rules: Ruleset
    fight: Fight
    name: str
    other: str = ""


# --- what the log says --------------------------------------------------------------------------------------------------------


class OnCount(Event, frozen=True):
    """The clock moves on."""

    count: int

    def headline(self) -> str:
        return f"Count {self.count}"


class Begins(Event, frozen=True):
    """Somebody begins something."""

    name: str
    what: str
    until: int

    def headline(self) -> str:
        return f"{self.name} begins: {self.what} (takes effect at count {self.until})"


class Does(Event, frozen=True):
    """Something that happened."""

    name: str
    what: str

    def headline(self) -> str:
        return f"{self.name} {self.what}"


class Waits(Event, frozen=True):
    """Somebody waits for one certain thing; only their own side knows."""

    name: str
    friends: tuple[str, ...]

    def headline(self) -> str:
        return f"{self.name} waits to be attacked"

    def hidden_from(self, who: str | None) -> bool:
        return who is not None and who not in self.friends


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
    return bool(body.shock_ends) and not body.awake and not body.dead and body.pbd > 0 and body.mbd > 0


def _acting(rules: Ruleset, fight: Fight) -> list[Fighter]:
    """Everybody who has a count: who can act, and whose shock ends by itself, on the count on which it does."""
    found = [replace(one, at=one.body.shock_ends) if _sleeps(one) else one for one in fight.fighters]
    return [one for one in found if fight.able(rules, one) or _sleeps(one)]


def next_count(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next count on which somebody is due, with everything that happens on it."""
    people = _acting(rules, fight)
    last = fight.seconds * COUNTS_A_SECOND
    now = min((one.at for one in people), default=last + 1)
    if now > last:
        return (yield from _pass_time(rules, fight, last))
    now = max(now, fight.count)
    yield from Tell(OnCount(now))
    fight = yield from _pass_time(rules, fight, now)
    together = rules.word("initiative-ties") == "together"
    due = [people[place] for place in order(rules, tuple(one.at for one in people), tuple(one.profile.speed for one in people))]
    before = fight
    for waiting in due:
        name = waiting.profile.name
        me = fight.fighter(name)
        if _sleeps(me) and me.body.shock_ends <= now:
            fight = yield from _wake(rules, fight, name, now)
            continue
        if me.at > now:
            continue  # met an attack on this very count, and is later for it
        if not fight.able(rules, me):
            then = before.fighter(name)
            if together and then.doing is not None and before.able(rules, then):
                fight = yield from _effect(rules, fight, name, now, then)
            continue
        if me.doing is None:
            fight = yield from decide(rules, fight, name, now)
        else:
            fight = yield from _effect(rules, fight, name, now, before.fighter(name) if together else me)
    return fight


def _pass_time(rules: Ruleset, fight: Fight, now: int) -> Play[Fight]:
    """Wounds bleed while time passes."""
    fighters = []
    for one in fight.fighters:
        body = bleed(rules, one.body, fight.count, now)
        if body is not one.body:
            yield from Tell(Does(one.name, "bleeds to death" if body.dead else "bleeds on"))
        fighters.append(replace(one, body=body) if body is not one.body else one)
    return replace(fight, fighters=tuple(fighters), count=now)


def _wake(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    body = yield from shake_off(rules, fight.fighter(name).body, now)
    fight = fight.change(name, body=body, doing=None)
    return (yield from _react(rules, fight, name, now))


def _react(rules: Ruleset, fight: Fight, name: str, now: int, preset: bool = False) -> Play[Fight]:
    """Initiative again: the next count on which somebody decides."""
    me = fight.fighter(name)
    dice = initiative_dice(rules, me.profile.speed, True, me.arm.rank is not None, preset)
    ready = settle(rules, (yield from Roll(dice, name, "initiative")))
    yield from Tell(Does(name, f"will be ready at count {now + ready.count}"))
    return fight.change(name, at=now + ready.count, points=ready.speed_points, doing=None)


@rule("hyb-8-combat-sequence")
def enter_fight(rules: Ruleset, fight: Fight = EMPTY) -> Play[Fight]:
    """Everybody who is new looks around and rolls initiative; what they failed to see they do not know of until they act."""
    for one in fight.fighters:
        if one.entered:
            continue
        watcher = one.profile.watcher
        if fight.ground.unwary == one.side:
            watcher = replace(watcher, situations=(*watcher.situations, "not alert"))
        reactor = Reactor(watcher, one.profile.speed, one.arm.rank is not None, one.waiting)
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
    me = replace(me, body=body, off_balance=off, aware=True, evading=False, all_out=False, advancing=False, retreating=False)
    fight = fight.having(replace(me, doing=None, waiting=False))
    keys = _open_to(rules, fight, me)
    key = yield from Choice(name, "What do you do?", _options(keys), About(rules, fight, name), "act")
    what, _, target = key.partition(":")
    if what == "attack how":
        ways = _ways(rules, fight, me, fight.fighter(target))
        way = yield from Choice(name, "How?", _options(ways), About(rules, fight, name, target), "way")
        return (yield from _begin_attack(rules, fight, name, target, now, me.in_hand, way))
    if what == "attack":
        return (yield from _begin_attack(rules, fight, name, target, now, me.in_hand, "plain"))
    if what.startswith("cast "):
        arm = [each.name for each in me.profile.arms].index(what.removeprefix("cast "))
        return (yield from _begin_attack(rules, fight, name, target, now, arm, "plain"))
    if what in ("draw", "fast draw"):
        return (yield from _begin_draw(rules, fight, name, target, now, what == "fast draw"))
    return (yield from _begin(rules, fight, name, cast(Deed, what), target, now, evaded))


def _open_to(rules: Ruleset, fight: Fight, me: Fighter) -> tuple[str, ...]:
    """The keys of everything somebody may do."""
    foes = fight.enemies(rules, me)
    holder = fight.holder(me.name)
    arm = me.arm
    near = [foe for foe in foes if me.distance(foe) <= REACH]
    keys: list[str] = []
    if holder is not None:
        keys.append("struggle")
        if holder in near and (arm.use == "melee" and arm.length <= 50) and not me.bound_with:
            keys.append(f"attack:{holder.name}")
        return (*keys, "pass")
    for foe in foes:
        reaches = foe in near if arm.use == "melee" else range_modifier(arm, me.distance(foe)) > -20
        if reaches and not me.bound_with and arm.cost <= me.body.mind.fatigue:
            keys += [f"attack:{foe.name}", f"attack how:{foe.name}"]
        for spell in me.profile.arms:
            if spell.use == "spell" and spell.cost <= me.body.mind.fatigue and range_modifier(spell, me.distance(foe)) > -20:
                keys.append(f"cast {spell.name}:{foe.name}")
        if foe not in near and not me.body.prone and not me.holding:
            keys.append(f"approach:{foe.name}")
        if foe in near and arm.use == "melee" and not me.bound_with:
            keys.append(f"feint:{foe.name}")
            keys += [f"disarm:{foe.name}"] if not foe.arm.natural else []
        if foe in near and arm.natural and not me.body.prone and me.holding in ("", foe.name):
            keys += [f"overbear:{foe.name}", f"throw:{foe.name}"]
            keys += [f"grapple:{foe.name}"] if not me.holding else []
    if me.holding:
        keys += ["tighten", "let go"]
    if me.bound_with:
        keys.append("free")
    for place, other in enumerate(me.profile.arms):
        if place != me.in_hand and place not in me.lost and not other.natural and not other.shield:
            keys += [f"draw:{other.name}", f"fast draw:{other.name}"]
    keys += ["drop weapon"] if not arm.natural else []
    keys += ["rise"] if me.body.prone else ["evade", "dodge", "drop prone", "retreat"]
    return tuple(dict.fromkeys((*keys, "wait", "pass")))


def _ways(rules: Ruleset, fight: Fight, me: Fighter, foe: Fighter) -> tuple[str, ...]:
    """The manners in which the weapon in hand can be used on somebody."""
    arm = me.arm
    keys = ["plain", "all out", "rushed", "set up", "retreating", "evading"]
    if arm.use == "melee":
        keys += ["spinning", "jumping"]
        keys += ["advance"] if may_advance(rules, arm.length, foe.arm.length) else []
        keys += ["both hands"] if _other_hand(me) is not None else []
    if arm.use == "thrown" and me.distance(foe) <= lob_range(rules, me.body.pst).value:
        keys.append("lob")
    if not arm.mental:
        keys += [f"called {target}" for target in CALLED_SHOTS(rules)]
    return tuple(keys)


def _other_hand(me: Fighter) -> int | None:
    """A second hand weapon, for those who have one."""
    for place, arm in enumerate(me.profile.arms):
        if place != me.in_hand and place not in me.lost and arm.use == "melee" and not arm.natural and not arm.shield:
            return place
    return None


LABELS = {
    "evade": "evade: twice the defense until the next decision",
    "dodge": "dodge: twenty counts, and a fall",
    "drop prone": "drop prone: five counts",
    "wait": "wait to be attacked (preset)",
    "rise": "get up: thirty counts",
    "free": "free the bound weapon",
    "retreat": "fall back",
    "pass": "do nothing for a second",
}


@lru_cache(maxsize=20_000)
def _options(keys: tuple[str, ...]) -> tuple[Option[str], ...]:
    return tuple(Option(key, LABELS.get(key, key.replace(":", " ")), key, leads=_leads(key)) for key in keys)


# --- what choices lead to -----------------------------------------------------------------------------------------------------

SCALE = ("miss", "no harm", "tired", "wounded", "out", "dead")


def _leads(key: str) -> Callable[[Any], Prospect | None] | None:
    what, _, target = key.partition(":")
    if what != "attack":
        return None

    def prospect(about: About) -> Prospect | None:
        me, foe = about.fight.fighter(about.name), about.fight.fighter(target)
        strike = _strike(about.rules, about.fight, me, foe, Doing("attack", target, arm=me.in_hand), me.arm, about.fight.count)
        return Prospect(sub(attack, about.rules, strike, foe.body), lambda struck: _fate(foe.body, struck), SCALE)

    return prospect


def _fate(before: Body, struck: Struggle) -> str:
    """A word for what an attack did."""
    after = struck.body
    if not struck.hit:
        return "miss"
    if after.dead:
        return "dead"
    if not after.awake:
        return "out"
    if after.pbd < before.pbd or after.mbd < before.mbd:
        return "wounded"
    return "tired" if after.energy != before.energy or after.mind != before.mind else "no harm"


# --- beginning ----------------------------------------------------------------------------------------------------------------


def _begin_attack(rules: Ruleset, fight: Fight, name: str, target: str, now: int, arm: int, key: str) -> Play[Fight]:
    """An attack begins: its manner decides how long it takes."""
    me = fight.fighter(name)
    weapon = me.profile.arms[arm]
    called = key.removeprefix("called ") if key.startswith("called ") else ""
    way = cast(Way, "" if called or key == "plain" else key)
    speed, share = weapon.speed, (1, 1)
    if way in ("spinning", "jumping"):
        speed = slower(rules, speed).value
    elif way == "rushed":
        share = rush_share(rules, speed, ceil(speed / 2))
        speed = ceil(speed / 2)
    elif way == "set up":
        speed *= 2
    points = me.points + rank_speed(rules, weapon.rank).value
    took = hurried(rules, speed, points).value
    stances = {"all_out": way == "all out", "advancing": way == "advance", "retreating": way == "retreating", "evading": way == "evading"}
    fight = fight.change(name, points=0, **stances)
    doing = Doing("attack", target, now, way, called, arm, share)
    return (yield from _under_way(rules, fight, name, doing, took, f"{weapon.name} against {target}"))


def _begin_draw(rules: Ruleset, fight: Fight, name: str, weapon: str, now: int, fast: bool) -> Play[Fight]:
    me = fight.fighter(name)
    place = [each.name for each in me.profile.arms].index(weapon)
    arm = me.profile.arms[place]
    check = arm.check.plus(df=situation(rules, fight, me))
    took = yield from draw(rules, arm.speed, fast, check, name)
    return (yield from _under_way(rules, fight, name, Doing("draw", "", now, arm=place), max(1, took), f"draws the {weapon}"))


def _begin(rules: Ruleset, fight: Fight, name: str, what: Deed, target: str, now: int, evaded: bool = False) -> Play[Fight]:
    """Anything that is no attack with a weapon begins."""
    me = fight.fighter(name)
    took = SIMPLE_COUNTS
    way: Way = ""
    if what in ("feint", "disarm"):
        took = hurried(rules, me.arm.speed, me.points + rank_speed(rules, me.arm.rank).value).value
    elif what in ("overbear", "throw", "grapple", "tighten", "struggle"):
        fists = next(arm for arm in me.profile.arms if arm.name == "fist")
        took = hurried(rules, fists.speed, me.points + rank_speed(rules, fists.rank).value).value
    elif what == "approach":
        metres = max(0.0, me.distance(fight.fighter(target)) - NEXT_TO)
        took = max(1, ceil(round(metres / _running(me), 6)))
    elif what == "dodge":
        took, way = DODGE_COUNTS, "evading" if evaded else ""
    elif what == "drop prone":
        took = DROP_COUNTS
    elif what == "rise":
        took = RISE_COUNTS
    elif what in ("drop weapon", "let go"):
        took = 1
    elif what == "wait":
        took = 2 * me.profile.mst
    changes: dict[str, Any] = {"points": 0}
    if what == "evade":
        changes["evading"] = True
    if what == "retreat":
        changes["retreating"] = True
    if what == "wait":
        changes["waiting"] = True
    fight = fight.change(name, **changes)
    if what == "wait":
        friends = tuple(one.name for one in fight.fighters if one.side == me.side)
        yield from Tell(Waits(name, friends))
        return fight.change(name, doing=Doing("wait", "", now), at=now + took)
    return (yield from _under_way(rules, fight, name, Doing(what, target, now, way), took, f"{what} {target}".strip()))


def _running(me: Fighter) -> float:
    """Metres a count at a run."""
    return me.profile.pmv / 2 / COUNTS_A_SECOND


def _under_way(rules: Ruleset, fight: Fight, name: str, doing: Doing, took: int, words: str) -> Play[Fight]:
    """From now on somebody is busy; whoever waited for this may go first."""
    until = doing.began + took
    yield from Tell(Begins(name, words, until))
    fight = fight.change(name, doing=doing, at=until)
    if not doing.target:
        return fight
    foe = fight.fighter(doing.target)
    if not foe.waiting or not fight.able(rules, foe):
        return fight
    noticed = yield from perceive(rules, foe.profile.watcher, True)
    return (yield from _set_off(rules, fight, foe.name, doing.began)) if noticed.success else fight


def _set_off(rules: Ruleset, fight: Fight, name: str, now: int) -> Play[Fight]:
    """What was waited for has come: the held reaction goes off with the whole of Speed."""
    me = fight.fighter(name)
    began = me.doing.began if me.doing is not None else now
    cost = preset_cost(rules, me.profile.mst, now - began).value
    body = replace(me.body, mind=exert(rules, me.body.mind, cost)) if cost else me.body
    yield from Tell(Does(name, "was waiting for this"))
    fight = fight.change(name, waiting=False, body=body)
    return (yield from _react(rules, fight, name, now, True))


# --- taking effect ------------------------------------------------------------------------------------------------------------


def _effect(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter) -> Play[Fight]:
    """What somebody was doing takes effect; `then` is how they were when the count began."""
    doing = then.doing
    assert doing is not None
    if doing.what == "draw":
        yield from Tell(Does(name, f"has the {then.profile.arms[doing.arm].name} in hand"))
        return fight.change(name, in_hand=doing.arm, doing=None, at=now)
    fight = yield from EFFECTS.get(doing.what, _nothing)(rules, fight, name, now, then, doing)
    me = fight.fighter(name)
    if not me.body.awake:
        return fight.change(name, doing=None)
    if doing.what in ("drop weapon", "let go", "wait"):
        return fight.change(name, doing=None, at=now + 1 if doing.what == "wait" else now)
    return (yield from _react(rules, fight, name, now))


def _nothing(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    yield from ()
    return fight


def _strike(rules: Ruleset, fight: Fight, me: Fighter, foe: Fighter, doing: Doing, arm: Arm, now: int, more: int = 0) -> Strike:
    """An attack in numbers: everything that bears on it."""
    way = doing.way
    df = situation(rules, fight, me) + range_modifier(arm, me.distance(foe)) + more
    check = arm.check
    if way == "all out":
        df += all_out(rules, me.profile.mdf if arm.mental else me.profile.pdf).value
    elif way == "spinning":
        df += spinning(rules, arm.speed).modifier.value
    elif way == "jumping":
        df += jumping(rules, arm.speed).modifier.value
    elif way == "lob":
        df += lob(rules).value
    elif way == "evading":
        df += florentine(rules).second.value
    elif way == "both hands":
        df += florentine(rules).first.value
    elif way == "set up":
        check = set_up(rules, check, arm.rank)
    if doing.called:
        df += called_modifier(rules, doing.called).value
    if me.holding == foe.name and arm.natural:
        df += grip_bonus(rules).value
    check = check.plus(df=df).shared(*doing.share)
    times = (3, 2) if way in ("spinning", "jumping") else (1, 1)
    blow = Blow(arm.dice, arm.flat, arm.type, doing.called, times=times, mental=arm.mental)
    if me.name in foe.inside and arm.use == "melee" and arm.length > foe.arm.length and not arm.natural:
        blow = as_a_club(rules, blow)
    return Strike(check, defense_of(rules, foe, now, arm.mental), blow, me.name, arm.name)


def _attack(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    arm = then.profile.arms[doing.arm]
    foe = fight.fighter(doing.target)
    if not foe.body.awake or (arm.use == "melee" and then.distance(foe) > REACH):
        yield from Tell(Does(name, f"finds {foe.name} {'down already' if not foe.body.awake else 'out of reach'}"))
        return fight
    if arm.cost:
        me = fight.fighter(name)
        fight = fight.change(name, body=replace(me.body, mind=exert(rules, me.body.mind, arm.cost)))
    if arm.use == "melee":
        fight, inside = yield from _close(rules, fight, name, foe.name, now, arm.length)
        if not inside:
            return fight
    fight = yield from _blow(rules, fight, name, now, then, doing, arm, 0)
    other = _other_hand(then)
    if doing.way == "both hands" and other is not None and fight.fighter(doing.target).body.awake:
        pair = florentine(rules)
        more = pair.second.value - pair.first.value + off_hand(rules, then.profile.ambidextrous).value
        fight = yield from _blow(rules, fight, name, now, then, doing, then.profile.arms[other], more)
    if arm.use == "thrown":
        fight = _without(fight, name, doing.arm)
    return fight


def _blow(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing, arm: Arm, more: int) -> Play[Fight]:
    foe = fight.fighter(doing.target)
    strike = _strike(rules, fight, replace(then, inside=fight.fighter(name).inside), foe, doing, arm, now, more)
    return (yield from _met(rules, fight, name, foe.name, now, strike, arm, attack))


def _met(rules: Ruleset, fight: Fight, name: str, target: str, now: int, strike: Strike, arm: Arm, how: Callable[..., Any]) -> Play[Fight]:
    """An attack meets its target, who may do more than just defend."""
    fight, answer, crouched = yield from _answer(rules, fight, name, target, now, arm)
    foe = fight.fighter(target)
    if crouched:
        strike = replace(strike, defense=defense_of(rules, foe, now, arm.mental, True))
    struck: Struggle = yield from how(rules, strike, foe.body, answer, now)
    foe = replace(foe, body=struck.body, aware=True)
    if not foe.body.awake:
        foe = replace(foe, doing=None, holding="", hold=0, bound_with="", waiting=False)
    fight = fight.having(foe)
    if answer.way == "roll with the blow" and foe.body.awake:
        fight = yield from _react(rules, fight, target, now)
    parried = struck.parried
    if parried is not None and parried.success:
        me = fight.fighter(name)
        fight = fight.having(replace(me, off_balance=min(me.off_balance, parried.off_balance)))
        if parried.bound and not arm.natural and not foe.arm.natural:
            yield from Tell(Does(name, f"and {target} have their weapons bound"))
            fight = fight.change(name, bound_with=target, advancing=True).change(target, bound_with=name)
        elif parried.off_balance:
            yield from Tell(Does(name, f"is off balance ({parried.off_balance})"))
    return fight


def _shield_or_arm(one: Fighter) -> Arm | None:
    """What somebody parries with: a shield where there is one, else the weapon in hand."""
    for place, arm in enumerate(one.profile.arms):
        if arm.shield and place not in one.lost:
            return arm
    return one.arm if one.arm.use == "melee" and not one.bound_with else None


def _answer(rules: Ruleset, fight: Fight, name: str, target: str, now: int, arm: Arm) -> Play[tuple[Fight, Answer, bool]]:
    """How the target meets an attack, and what that costs in counts."""
    foe = fight.fighter(target)
    if not may_react(rules, fight, foe) or foe.fooled_by == name:
        return fight, NO_ANSWER, False
    keys = ["defend"]
    shield = _shield_or_arm(foe) if not arm.mental and fight.holder(target) is None else None
    if shield is not None and (arm.natural or not shield.natural):
        keys += ["parry", "block"]
    keys.append("roll with the blow")
    if guard_of(rules, foe, now) == "normal" and not arm.mental:
        keys.append("crouch")
    asked = f"{name} attacks with {arm.name}. Do you do more than defend?"
    way = yield from Choice(target, asked, _options(tuple(keys)), About(rules, fight, target, name), "answer")
    if way == "crouch":
        return fight.change(target, at=foe.at + CROUCH_COUNTS), NO_ANSWER, True
    if way == "roll with the blow":
        return fight, Answer("roll with the blow", by=target), False
    if way == "defend" or shield is None:
        return fight, NO_ANSWER, False
    fight = fight.change(target, at=foe.at + half_speed(rules, shield.speed).value)
    check = shield.check.plus(df=situation(rules, fight, foe, False))
    if way == "parry":
        return fight, Answer("parry", check.plus(df=parry_modifier(rules, _against(arm)).value), by=target), False
    return fight, Answer("block", check.plus(df=block_modifier(rules).value), shield.dice, shield.flat, target), False


def _against(arm: Arm) -> Any:
    """How an attack comes, for a parry."""
    if arm.type in ("energy", "laser"):
        return "energy"
    if arm.use == "missile":
        return "projectile"
    return "thrown" if arm.use == "thrown" else "melee"


def _close(rules: Ruleset, fight: Fight, name: str, target: str, now: int, length: int) -> Play[tuple[Fight, bool]]:
    """Getting past a longer weapon before one can strike."""
    me, foe = fight.fighter(name), fight.fighter(target)
    reach = foe.arm
    longer = reach.use == "melee" and must_close(rules, length, reach.length) and not foe.bound_with
    if not longer or target in me.inside or me.name in foe.inside or me.holding == target or foe.holding == name:
        return fight, True
    if not may_react(rules, fight, foe) or foe.body.prone:
        return fight.change(name, inside=(*me.inside, target)), True
    keys = ("let them come", "fend", "fend and give way")
    way = yield from Choice(target, f"{name} closes in.", _options(keys), About(rules, fight, target, name), "fend")
    strike: Strike | None = None
    answer = NO_ANSWER
    if way != "let them come":
        back = way == "fend and give way"
        fight = fight.change(target, at=foe.at + fend_counts(rules, reach.speed).value)
        check = fend_check(rules, reach.check.plus(df=situation(rules, fight, foe)), back)
        blow = Blow(reach.dice, reach.flat, reach.type)
        strike = Strike(check, defense_of(rules, me, now), blow, target, f"fend with {reach.name}")
        guard = _shield_or_arm(me)
        if guard is not None and not guard.natural:
            met = yield from Choice(
                name, f"{target} fends.", _options(("go on", "parry")), About(rules, fight, name, target), "answer fend"
            )
            if met == "parry":
                own = guard.check.plus(df=situation(rules, fight, me, False) + parry_modifier(rules).value)
                answer = Answer("parry", own, by=name)
    came = yield from close_in(rules, me.body, strike, answer, now)
    inside = (*me.inside, target) if came.inside else me.inside
    fight = fight.change(name, body=came.body, inside=inside)
    if way == "fend and give way" and not came.inside:
        fight = _back(fight, target, name)
    return fight, came.inside


def _back(fight: Fight, name: str, other: str) -> Fight:
    """Two metres away from somebody; nobody is inside anybody's reach any more."""
    me, foe = fight.fighter(name), fight.fighter(other)
    metres = me.distance(foe) or 1.0
    x = round(me.x + (me.x - foe.x or (1.0 if me.y == foe.y else 0.0)) / metres * STEPPED_BACK, 1)
    y = round(me.y + (me.y - foe.y) / metres * STEPPED_BACK, 1)
    fight = fight.change(name, x=x, y=y, inside=tuple(each for each in me.inside if each != other))
    return fight.change(other, inside=tuple(each for each in foe.inside if each != name))


def _without(fight: Fight, name: str, arm: int) -> Fight:
    """Somebody without a weapon that was thrown, dropped or knocked away."""
    me = fight.fighter(name)
    fists = [each.name for each in me.profile.arms].index("fist")
    if me.bound_with:
        fight = _unbound(fight, name, me.bound_with)
        me = fight.fighter(name)
    return fight.change(name, lost=(*me.lost, arm), in_hand=fists if me.in_hand == arm else me.in_hand)


def _unbound(fight: Fight, name: str, other: str) -> Fight:
    fight = fight.change(name, bound_with="")
    return fight.change(other, bound_with="") if fight.fighter(other).bound_with == name else fight


def _approach(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me, foe = fight.fighter(name), fight.fighter(doing.target)
    metres = me.distance(foe)
    covered = min(max(0.0, metres - NEXT_TO), _running(me) * (now - doing.began))
    if metres > NEXT_TO:
        x = round(me.x + (foe.x - me.x) * covered / metres, 1)
        y = round(me.y + (foe.y - me.y) * covered / metres, 1)
        fight = fight.change(name, x=x, y=y)
    yield from Tell(Does(name, f"has run up to {foe.name}" if metres - covered <= REACH else f"runs towards {foe.name}"))
    return fight


def _drop_weapon(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    yield from Tell(Does(name, f"drops the {then.arm.name}"))
    return _without(fight, name, then.in_hand)


def _feint(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    near = [foe for foe in fight.enemies(rules, then) if then.distance(foe) <= REACH and foe.aware]
    checks = tuple(Check(perception_factor(rules, foe.profile.watcher).value) for foe in near)
    fooled = yield from feint(rules, then.arm.check.plus(df=situation(rules, fight, then)), checks, name)
    yield from Tell(Does(name, "feints" if any(fooled) else "feints, and fools nobody"))
    for foe, taken_in in zip(near, fooled, strict=True):
        if taken_in:
            yield from Tell(Does(foe.name, f"falls for the feint of {name}"))
            fight = fight.change(foe.name, fooled_by=name)
            if foe.waiting:
                fight = yield from _set_off(rules, fight, foe.name, now)
    return fight


def _disarm(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    foe = fight.fighter(doing.target)
    if foe.arm.natural or not foe.body.awake or then.distance(foe) > REACH:
        return fight
    own = then.arm.check.plus(df=situation(rules, fight, then))
    other = foe.arm.check.plus(df=situation(rules, fight, foe, False))
    done = yield from disarm(rules, own, other, name, foe.name)
    yield from Tell(Does(foe.name, f"{'loses' if done else 'keeps'} the {foe.arm.name}"))
    return _without(fight, foe.name, foe.in_hand) if done else fight


def _bare_hands(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """Overbear, throw or grapple: close in, then an attack without a weapon."""
    foe = fight.fighter(doing.target)
    if not foe.body.awake or then.distance(foe) > REACH:
        return fight
    fight, inside = yield from _close(rules, fight, name, foe.name, now, 0)
    if not inside or not fight.fighter(name).body.awake:
        return fight
    foe = fight.fighter(doing.target)
    profile, gripped = then.profile, then.holding == foe.name
    check, defense = profile.grapple.plus(df=situation(rules, fight, then)), defense_of(rules, foe, now)
    fists = next(arm for arm in profile.arms if arm.name == "fist")
    if doing.what == "grapple":
        fight, answer, _ = yield from _answer(rules, fight, name, foe.name, now, fists)
        hold = yield from grapple(rules, check, defense, then.body.pst, name, foe.name)
        if hold and answer.way == "parry":
            fended = yield from skill_check(rules, answer.check.plus(percent=-hold), foe.name, "parry")
            hold = 0 if fended.success else hold
        return fight.change(name, holding=foe.name, hold=hold) if hold else fight
    made = overbear_strike if doing.what == "overbear" else throw_strike
    how = overbear if doing.what == "overbear" else throw
    strike = made(rules, check, defense, profile.pse, gripped, name)
    return (yield from _met(rules, fight, name, foe.name, now, strike, fists, how))


def _tighten(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me = fight.fighter(name)
    if not me.holding:
        return fight
    check = me.profile.grapple.plus(df=situation(rules, fight, me))
    hold = yield from tighten(rules, check, me.hold, me.body.pst, name, me.holding)
    return fight.change(name, hold=hold)


def _struggle(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    holder = fight.holder(name)
    if holder is None:
        return fight
    left = yield from struggle(rules, then.profile.grapple.plus(df=situation(rules, fight, then)), holder.hold, name)
    yield from Tell(Does(name, "is free" if not left else f"is still held ({left})"))
    return fight.change(holder.name, hold=left, holding=holder.holding if left else "")


def _let_go(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    held = then.holding
    yield from Tell(Does(name, f"lets go of {held}"))
    fight = fight.change(name, holding="", hold=0)
    return fight.change(held, at=max(fight.fighter(held).at, now + SIMPLE_COUNTS)) if held else fight


def _free(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me = fight.fighter(name)
    if not me.bound_with:
        return fight
    foe = fight.fighter(me.bound_with)
    loose = not foe.body.awake
    if not loose:
        own = me.arm.check.plus(df=situation(rules, fight, me))
        loose = yield from release(rules, own, foe.arm.check.plus(df=situation(rules, fight, foe)), name, foe.name)
    return _unbound(fight, name, foe.name) if loose else fight


def _dodge(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    feet = yield from recover_from_dodge(rules, then.profile.acrobatics, name)
    body = fight.fighter(name).body
    return fight.change(name, body=replace(body, prone=not feet), inside=())


def _drop(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    yield from Tell(Does(name, "is prone"))
    return fight.change(name, body=replace(fight.fighter(name).body, prone=True))


def _rise(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    yield from Tell(Does(name, "is up again"))
    return fight.change(name, body=replace(fight.fighter(name).body, prone=False))


def _retreat(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me = fight.fighter(name)
    foes = sorted(fight.enemies(rules, me), key=me.distance)
    yield from Tell(Does(name, "falls back"))
    return _back(fight, name, foes[0].name) if foes else fight


def _wait(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """Nothing came: holding on has cost its mental fatigue."""
    me = fight.fighter(name)
    cost = preset_cost(rules, me.profile.mst, now - doing.began).value
    if cost:
        yield from Tell(Does(name, f"tires of waiting (mental fatigue {cost})"))
    return fight.change(name, body=replace(me.body, mind=exert(rules, me.body.mind, cost)), waiting=False)


EFFECTS: dict[Deed, Callable[[Ruleset, Fight, str, int, Fighter, Doing], Play[Fight]]] = {
    "attack": _attack,
    "approach": _approach,
    "drop weapon": _drop_weapon,
    "feint": _feint,
    "disarm": _disarm,
    "overbear": _bare_hands,
    "throw": _bare_hands,
    "grapple": _bare_hands,
    "tighten": _tighten,
    "struggle": _struggle,
    "let go": _let_go,
    "free": _free,
    "dodge": _dodge,
    "drop prone": _drop,
    "rise": _rise,
    "retreat": _retreat,
    "wait": _wait,
}
