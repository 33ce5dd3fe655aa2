"""What somebody can do with an action, what is offered, and how it is carried out (book lines 348-366, 452-474)."""

from functools import lru_cache
from itertools import combinations
from math import hypot
from typing import Literal

from msgspec.structs import replace

from rulewright.field.aims import Aimed
from rulewright.field.places import written
from rulewright.play import Choice, Option, Play, Together
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.scumm.action.movement import Mode, fastest
from rulewright.systems.scumm.combat.attacks import (
    Band,
    aimed_dice,
    called_dice,
    can_reach,
    dice_left,
    enough_dice,
    range_band,
)
from rulewright.systems.scumm.combat.close_combat import close_attack, only_bruises
from rulewright.systems.scumm.combat.fighters import (
    DOWN,
    REACH,
    Action,
    Fight,
    Fighter,
    Kind,
    Profile,
    Ready,
    Trigger,
    UnderWay,
    Way,
    hands,
)
from rulewright.systems.scumm.combat.fires import (
    MOST_SPRAYED,
    SPRAY_AMMO,
    between,
    burst_of,
    can_burst,
    can_spray,
    put_at,
    ranged_attack,
    spray,
)
from rulewright.systems.scumm.combat.strikes import Situation, happened
from rulewright.systems.scumm.combat.suppression import suppress, suppressed_width, suppression_ammo
from rulewright.systems.scumm.fight.helping import treat, treatable, treatments, use_skill
from rulewright.systems.scumm.harm.body import LIMBS, Location, Patient

SIMPLE: frozenset[Kind] = frozenset(("draw", "reload", "stand", "drop", "pick up"))
PLAIN = Way()
BRUISE = Way(bruise=True)
FOR_ANYONE = Ready()
USE_A_SKILL = Option("skill", "Use a skill", Action("skill"), "against a Threshold that the gamemaster names")


class ActionType(TableRow, frozen=True):
    """A kind of action: whether it takes time and needs a test."""

    type: str
    takes_time: bool
    needs_test: bool | None = None
    examples: tuple[str, ...] = ()


ACTION_TYPES = Table("scumm-action-types", ActionType)


# --- the rules in numbers -----------------------------------------------------------------------------------------------------


@rule("scumm-action-types")
def counts_as(kind: Kind = "draw", simple_before: int = 0) -> Literal["simple", "standard"]:
    """Standing up, dropping, drawing, reloading and picking up need no test: one of them a round is free.

    A second one becomes a standard action, and brings the penalty of an extra action.
    """
    return "simple" if kind in SIMPLE and not simple_before else "standard"


@rule("scumm-readying")
def sets_off(ready: Ready = FOR_ANYONE, event: Trigger = "acts", who: str = "") -> bool:
    """A readied action waits for something somebody does, or for anybody to do it; moving is doing something too."""
    return ready.of in ("", who) and ready.trigger in ("acts", event)


# --- doing it -----------------------------------------------------------------------------------------------------------------


def do(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """Carry out one action; whoever does something else leaves off treating."""
    kind = action.kind
    if kind not in SIMPLE and kind != "treat" and fight.fighter(name).treating:
        fight = fight.change(name, treating="", treated=0)
    if kind in ("shoot", "throw", "hit"):
        return attack(rules, fight, name, action, extra)
    if kind == "aim":
        return aim(fight, name, action.target)
    if kind == "ready":
        return make_ready(fight, name, replace(action.ready or FOR_ANYONE, extra=extra))
    if kind == "spray":
        return spray(rules, fight, name, action.targets, action.weapon, extra)
    if kind == "skill":
        return use_skill(rules, fight, name, extra)
    if kind == "treat":
        return treat(rules, fight, name, action.target)
    if kind == "suppress":
        return suppress(rules, fight, name, _place(fight, action.target), action.weapon, action.wide, extra)
    return without_test(fight, name, action)


def _place(fight: Fight, name: str) -> tuple[float, float]:
    """Where a cover lies, or somebody stands; none of them is called like another. A place is written as in @12.5,3."""
    if name.startswith("@"):
        return written(name)[1][-1]
    for spot in fight.ground.covers:
        if spot.name == name:
            return spot.x, spot.y
    for cover in fight.map.covers:
        if cover.name == name:
            return cover.middle
    target = fight.fighter(name)
    return target.x, target.y


def without_test(fight: Fight, name: str, action: Action) -> Play[Fight]:
    """Clearing a jam, and every simple action."""
    fighter = fight.fighter(name)
    yield from happened(fight, name, said(fighter, action))
    return fight.put(done(fighter, action))


def said(fighter: Fighter, action: Action) -> str:
    """What doing something without a test looks like."""
    weapon = fighter.profile.weapons[action.weapon].name
    return {
        "clear": f"clears the jammed {weapon}",
        "draw": f"draws the {weapon}" if action.weapon else "frees both hands",
        "reload": f"reloads the {weapon}",
        "stand": "stands up",
        "drop": "drops prone",
        "pick up": f"picks up the {weapon}",
    }[action.kind]


def done(fighter: Fighter, action: Action) -> Fighter:
    """Somebody who has done something without a test."""
    at = action.weapon
    if action.kind == "clear":
        return replace(fighter, jammed=put_at(fighter.jammed, at, False))
    if action.kind == "reload":
        return replace(fighter, ammo=put_at(fighter.ammo, at, fighter.profile.weapons[at].ammo))
    if action.kind == "draw":
        return replace(fighter, in_hand=at, aim=0, aim_at="")
    if action.kind == "pick up":
        return replace(fighter, in_hand=at, gone=put_at(fighter.gone, at, ""), aim=0, aim_at="")
    if action.kind == "stand":
        return replace(fighter, mode="normal", rose=True, aim=0, aim_at="")
    return replace(fighter, mode="prone", aim=0, aim_at="")


def aim(fight: Fight, name: str, target: str) -> Play[Fight]:
    """A round of aiming at one target, without moving."""
    fighter = fight.fighter(name)
    rounds = aimed_dice(fighter.aim + 1 if fighter.aim_at == target else 1)
    yield from happened(fight, name, f"aims at {target} (+{rounds} {'die' if rounds == 1 else 'dice'})")
    return fight.put(replace(fighter, aim=rounds, aim_at=target))


# --- readied actions ----------------------------------------------------------------------------------------------------------


def make_ready(fight: Fight, name: str, ready: Ready) -> Play[Fight]:
    """Hold the action until something happens; then it comes before whoever brought it about can act."""
    yield from happened(fight, name, f"stands ready in case {ready.of or 'anyone'} {ready.trigger}")
    return fight.change(name, ready=ready)


Reply = Literal["act", "hold", "how", "bruise"]
_FIRE: tuple[Option[Reply], ...] = (Option("act", "Act now", "act"), Option("hold", "Hold on", "hold"))
_FIRE_HOW: tuple[Option[Reply], ...] = (*_FIRE, Option("act how", "Act now: a burst, or at a part", "how"))
_FIRE_OR_BRUISE: tuple[Option[Reply], ...] = (*_FIRE, Option("act bruise", "Act now, to bruise only", "bruise"))


def _replies(answer: Action) -> tuple[Option[Reply], ...]:
    """How a readied action may come up: a shot or throw in every way there is, a bare hand that may hold back."""
    if answer.kind != "hit":
        return _FIRE_HOW
    return _FIRE_OR_BRUISE if answer.weapon == 0 and answer.way == PLAIN else _FIRE


def interrupts(rules: Ruleset, fight: Fight, name: str, event: Trigger) -> Play[Fight]:
    """Everybody whose readied action this sets off is asked at once; those who act do so before the one who set it off can."""
    if all(fighter.ready is None for fighter in fight.fighters):
        return fight
    actor = fight.fighter(name)
    found = [(f, _answer_to(rules, f, actor)) for f in fight.fighters if _waits_for(fight, f, actor, event)]
    waiting = [(f, _replies(answer)) for f, answer in found if answer is not None]
    if not waiting:
        return fight
    question = f"{name} {event}. Do you act first?"
    asked = [Choice(f.name, question, replies, Situation(fight, f.name, rules), "interrupt", f.hidden) for f, replies in waiting]
    answers = yield from Together(tuple(asked))
    for (waiter, _), reply in zip(waiting, answers, strict=True):
        if reply != "hold":
            fight = yield from _act_first(rules, fight, waiter.name, name, reply)
    return fight


def _act_first(rules: Ruleset, fight: Fight, waiter: str, actor: str, how: Reply) -> Play[Fight]:
    """A readied action comes up: what it does to the one who set it off counts at once."""
    one, other = fight.fighter(waiter), fight.fighter(actor)
    reply = _answer_to(rules, one, other) if one.body.able and other.body.able else None
    if reply is None or one.ready is None:
        return fight
    extra = one.ready.extra
    if how != "act":
        reply = replace(reply, way=BRUISE if how == "bruise" else None)
    fight = fight.put(replace(one, ready=None))
    fight = yield from attack(rules, fight, waiter, reply, extra)
    if fight.frozen and fight.fighter(actor).body is not other.body:
        fight = replace(fight, frozen=tuple([moment for moment in fight.frozen if moment.name != actor]))
    return fight


def _waits_for(fight: Fight, waiter: Fighter, actor: Fighter, event: Trigger) -> bool:
    ready = waiter.ready
    if ready is None or not waiter.body.able or waiter.side == actor.side or actor.hidden or not fight.sees(waiter, actor):
        return False
    return sets_off(ready, event, actor.name)


def _answer_to(rules: Ruleset, waiter: Fighter, actor: Fighter) -> Action | None:
    """What a readied person can do to the one who set it off: shoot, strike within reach, or throw."""
    weapon, metres = waiter.weapon, waiter.distance(actor)
    reachable = weapon.ranges is not None and can_reach(rules, range_band(metres, weapon.ranges))
    if weapon.gun:
        fresh = (waiter.in_hand, actor.name) not in waiter.sprayed
        return Action("shoot", actor.name, weapon=waiter.in_hand, way=PLAIN) if waiter.loaded and reachable and fresh else None
    if metres <= REACH:
        way = BRUISE if only_bruises(waiter, weapon) else PLAIN
        return Action("hit", actor.name, weapon=waiter.in_hand, way=way)
    return Action("throw", actor.name, weapon=waiter.in_hand, way=PLAIN) if weapon.throwable and reachable else None


# --- attacks as actions -------------------------------------------------------------------------------------------------------


def attack(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """An attack, plain or in a way that is asked for."""
    return attack_so(rules, fight, name, action, action.way, extra) if action.way else choose_way(rules, fight, name, action, extra)


def choose_way(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """Ask how an attack is made, and make it."""
    fighter = fight.fighter(name)
    aimed = fighter.aim if fighter.aim_at == action.target else 0
    ways = ways_options(rules, fighter.profile, action.kind, action.weapon, fighter.ammo[action.weapon], aimed)
    about = Situation(fight, name, rules)
    way = yield from Choice(name, f"How do you attack {action.target}?", ways, about, "way")
    return (yield from attack_so(rules, fight, name, action, way, extra))


def attack_so(rules: Ruleset, fight: Fight, name: str, action: Action, way: Way, extra: int) -> Play[Fight]:
    """An attack made in one way."""
    if action.kind == "hit":
        weapon = fight.fighter(name).profile.weapons[action.weapon]
        return close_attack(rules, fight, name, action.target, weapon, way.bruise, extra)
    thrown = action.kind == "throw"
    return ranged_attack(
        rules,
        fight,
        name,
        action.target,
        action.weapon,
        location=way.location,
        burst=way.burst,
        thrown=thrown,
        extra=extra,
        vitals=way.vitals,
    )


_CALLED: tuple[Location, ...] = ("head", "torso", *LIMBS)


@lru_cache(maxsize=10_000)
def ways_options(rules: Ruleset, profile: Profile, kind: Kind, weapon_index: int, ammo: int, aim: int) -> tuple[Option[Way], ...]:
    """Plainly, as a burst, or at a part of the body."""
    weapon = profile.weapons[weapon_index]
    found = [_way("plain", "Plainly", PLAIN)]
    level = profile.level("throw" if kind == "throw" else weapon.skill)
    if kind == "shoot":
        for dice in (1, 2):
            if can_burst(rules, weapon, level, aim, ammo, dice):
                found.append(_way(f"burst {dice}", f"Burst: {dice} dice less, margin +{dice}, {burst_of(dice).ammo} rounds", Way(dice)))
    for place in _CALLED:
        if enough_dice(rules, level, dice_left(rules, level, aim, place), burst=False):
            found.append(_way(place, f"At the {place} ({called_dice(rules, place)} dice)", Way(location=place)))
    if enough_dice(rules, level, dice_left(rules, level, aim, "torso", vitals=True), burst=False):
        dice = called_dice(rules, "torso", True)
        found.append(_way("vitals", f"At the throat, the groin or the like ({dice} dice)", Way(location="torso", vitals=True)))
    return tuple(found)


def _way(key: str, label: str, way: Way) -> Option[Way]:
    return Option(key, label, way)


# --- what is offered ----------------------------------------------------------------------------------------------------------


def action_options(rules: Ruleset, fight: Fight, fighter: Fighter, turn: UnderWay) -> tuple[Option[Action], ...]:
    """Everything that is allowed now; the options are kept and offered again whenever the situation is the same."""
    weapon, at = fighter.weapon, fighter.in_hand
    ranges = weapon.ranges
    targets = []
    for foe in fight.enemies(fighter):
        metres = fighter.distance(foe)
        band = range_band(metres, ranges) if ranges is not None else None
        targets.append((foe.profile.name, band, metres <= REACH, ranges is not None and metres <= ranges[1]))
    sprays: tuple[tuple[str, ...], ...] = ()
    spots: tuple[str, ...] = ()
    if weapon.burst and turn.actions > 0:
        if ranges is not None:
            spots = tuple([spot.name for spot in fight.ground.covers if hypot(spot.x - fighter.x, spot.y - fighter.y) <= ranges[1]])
            spots += tuple([each.name for each in fight.known_map.covers if _within(fight, fighter, each.middle, ranges[1])])
        sprays = spray_lines(rules, fight, fighter, tuple([target[0] for target in targets]))
    offered = _action_options(
        rules,
        fighter.profile,
        at,
        fighter.ammo,
        fighter.jammed,
        fighter.gone,
        fighter.aim,
        fighter.aim_at,
        fighter.mode,
        posture(fight.acting_body(fighter)),
        tuple(targets),
        sprays,
        spots,
        tuple([name for index, name in fighter.sprayed if index == at]) if fighter.sprayed else (),
        turn.actions > 0,
        turn.simple_left,
        turn.steady,
    )
    if turn.actions > 0 and treatable(fight, fighter):
        return (*treatments(rules, fight, fighter), *offered)
    return offered


def ground_to_suppress(fight: Fight, fighter: Fighter, turn: UnderWay) -> Aimed[Action] | None:
    """Any place on the map within medium range and in sight, for a weapon that fires bursts."""
    weapon, at = fighter.weapon, fighter.in_hand
    if not weapon.burst or weapon.ranges is None or not fighter.loaded or turn.actions <= 0 or fighter.ammo[at] < suppression_ammo(False):
        return None
    return Aimed(
        fight.field,
        (fighter.x, fighter.y),
        "suppress",
        "suppressing",
        float(weapon.ranges[1]),
        lambda spot: Action("suppress", f"@{spot[0]:g},{spot[1]:g}", weapon=at),
        lambda: (*[f for f in fight.fighters if f.side == fighter.side and f.body.able], *fight.known_enemies(fighter)),
        suppressed_width() / 2,
    )


def _within(fight: Fight, fighter: Fighter, at: tuple[float, float], metres: int) -> bool:
    """Whether somebody has a place on the ground in sight and in range."""
    here = (fighter.x, fighter.y)
    return fight.field.distance(here, at) <= metres and fight.field.sight(here, at).open


@lru_cache(maxsize=10_000)
def posture(body: Patient) -> tuple[bool, bool]:
    """Whether wounds let somebody stand, and hold anything."""
    return fastest(body) not in DOWN, hands(body) > 0


def spray_lines(rules: Ruleset, fight: Fight, fighter: Fighter, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every line of people that a spray can be laid over."""
    if fighter.ammo[fighter.in_hand] < SPRAY_AMMO:
        return ()
    found: list[tuple[str, ...]] = []
    near = [
        group
        for size in range(2, MOST_SPRAYED + 1)
        for group in combinations(names, size)
        if all(fight.fighter(one).distance(fight.fighter(other)) <= MOST_SPRAYED for one, other in combinations(group, 2))
    ]
    for group in near:
        line = between(fight, fighter, group)
        if line not in found and can_spray(rules, fight, fighter, fighter.in_hand, line):
            found.append(line)
    return tuple(found)


@lru_cache(maxsize=50_000)
def _action_options(
    rules: Ruleset,
    profile: Profile,
    in_hand: int,
    ammo: tuple[int, ...],
    jammed: tuple[bool, ...],
    gone: tuple[str, ...],
    aim: int,
    aim_at: str,
    mode: Mode,
    able_to: tuple[bool, bool],
    targets: tuple[tuple[str, Band | None, bool, bool], ...],
    sprays: tuple[tuple[str, ...], ...],
    spots: tuple[str, ...],
    sprayed: tuple[str, ...],
    actions: bool,
    simple_left: bool,
    steady: bool,
) -> tuple[Option[Action], ...]:
    weapon = profile.weapons[in_hand]
    can_stand, can_hold = able_to
    found: list[Option[Action]] = []
    loaded = weapon.gun and ammo[in_hand] > 0 and not jammed[in_hand]
    if actions:
        for name, band, in_reach, suppressible in targets:
            reachable = band is not None and can_reach(rules, band) and name not in sprayed
            if loaded and reachable:
                found.append(_attack_option("shoot", name, in_hand, f"Shoot {name}", f"{weapon.name}, {band}"))
                found.append(Option(f"shoot how:{name}", f"Shoot {name}: a burst, or at a part", Action("shoot", name, weapon=in_hand)))
            if in_reach:
                found.extend(_blows(profile, 0 if weapon.gun else in_hand, name))
            if weapon.throwable and reachable:
                found.append(_attack_option("throw", name, in_hand, f"Throw the {weapon.name} at {name}", str(band)))
                found.append(
                    Option(f"throw how:{name}", f"Throw the {weapon.name} at a part of {name}", Action("throw", name, weapon=in_hand))
                )
            if (loaded or weapon.throwable) and reachable and steady and (aim < 3 or aim_at != name):
                found.append(Option(f"aim:{name}", f"Aim at {name}", Action("aim", name), "all round, +1 die to the next shot, no moving"))
            if loaded and suppressible and weapon.burst:
                found.extend([_suppression(name, in_hand, wide) for wide in (False, True) if ammo[in_hand] >= suppression_ammo(wide)])
        if loaded:
            for spot in spots:
                found.extend([_suppression(spot, in_hand, wide) for wide in (False, True) if ammo[in_hand] >= suppression_ammo(wide)])
        for line in sprays:
            names = ", ".join(line)
            found.append(Option(f"spray:{names}", f"Spray {names}", Action("spray", targets=line, weapon=in_hand), f"{SPRAY_AMMO} rounds"))
        if weapon.gun and jammed[in_hand] and can_hold:
            found.append(Option("clear", f"Clear the jammed {weapon.name}", Action("clear", weapon=in_hand)))
        if profile.trained:
            found.append(USE_A_SKILL)
        found.append(Option("ready", "Stand ready for anyone who acts", Action("ready", ready=FOR_ANYONE)))
        found.append(Option("ready moves", "Stand ready for anyone who moves", Action("ready", ready=Ready("moves"))))
        if len(targets) > 1:
            for name, _, _, _ in targets:
                found.append(Option(f"ready:{name}", f"Stand ready for {name}", Action("ready", ready=Ready("acts", name))))
    if simple_left or actions:
        note = "free" if simple_left else "counts as an action"
        simple = simple_options(profile, in_hand, ammo, gone, mode, can_stand, can_hold, note)
        found.extend(simple)
        if simple_left and actions:
            found.extend([_afterwards(option) for option in simple])
            if loaded and can_hold and ammo[in_hand] == weapon.ammo:  # full now, but not after a shot
                found.append(_afterwards(_reload(weapon.name, in_hand, note)))
    found.append(Option("pass", "Nothing more", Action("pass")))
    return tuple(found)


def _blows(profile: Profile, weapon: int, name: str) -> list[Option[Action]]:
    """A blow with what is in hand; bare hands may hold back, and must without the Brawl skill."""
    bare = profile.weapons[weapon].skill == "brawl"
    found = []
    if not bare or profile.brawl > 0:
        found.append(_attack_option("hit", name, weapon, f"Strike at {name}", profile.weapons[weapon].name))
    if bare:
        found.append(_attack_option("hit", name, weapon, f"Strike at {name} to bruise", "fists", BRUISE))
    return found


def _suppression(name: str, weapon: int, wide: bool) -> Option[Action]:
    label = f"Suppress the ground around {name}{', widened' if wide else ''}"
    action = Action("suppress", name, weapon=weapon, wide=wide)
    return Option(f"suppress{' wide' if wide else ''}:{name}", label, action, f"{suppression_ammo(wide)} rounds")


def simple_options(
    profile: Profile,
    in_hand: int,
    ammo: tuple[int, ...],
    gone: tuple[str, ...],
    mode: Mode,
    can_stand: bool,
    can_hold: bool,
    note: str = "",
) -> list[Option[Action]]:
    """The simple actions that make sense now."""
    weapon = profile.weapons[in_hand]
    found: list[Option[Action]] = []
    if can_hold:
        if ammo[in_hand] < weapon.ammo:
            found.append(_reload(weapon.name, in_hand, note))
        for i, (other, called) in enumerate(zip(profile.weapons, _called(profile), strict=True)):
            if i == in_hand:
                continue
            if gone[i] == "":
                found.append(Option(f"draw:{called}", f"Draw {called}" if i else "Bare hands", Action("draw", weapon=i), note))
            elif gone[i] == "dropped":
                found.append(Option(f"pick up:{called}", f"Pick up the {other.name}", Action("pick up", weapon=i), note))
    if mode in DOWN and can_stand:
        found.append(Option("stand", "Stand up", Action("stand"), note))
    elif mode not in DOWN:
        found.append(Option("drop", "Drop prone", Action("drop"), note))
    return found


def _reload(weapon: str, at: int, note: str) -> Option[Action]:
    return Option("reload", f"Reload the {weapon}", Action("reload", weapon=at), note)


def _called(profile: Profile) -> list[str]:
    """The names of all weapons; the second of a kind is numbered, so that each can be told from the others."""
    names = [weapon.name for weapon in profile.weapons]
    return [name if names.index(name) == i else f"{name} {names[: i + 1].count(name)}" for i, name in enumerate(names)]


def _afterwards(option: Option[Action]) -> Option[Action]:
    return Option(f"after {option.key}", f"{option.label}, at the end of the turn", replace(option.value, after=True), option.note)


def _attack_option(kind: Kind, target: str, weapon: int, label: str, note: str, way: Way = PLAIN) -> Option[Action]:
    return Option(f"{'bruise' if way.bruise else kind}:{target}", label, Action(kind, target, weapon=weapon, way=way), note)
