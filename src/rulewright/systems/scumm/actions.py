"""What somebody can do with an action, what is offered, and how it is carried out (book lines 348-366, 452-474)."""

from functools import lru_cache
from typing import Any, Literal

from msgspec.structs import replace

from rulewright.play import Choice, Option, Play, Prospect, Tell, Together, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.scumm.attacks import (
    Band,
    Struck,
    aimed_dice,
    called_dice,
    can_reach,
    close_strike,
    range_band,
    ranged_strike,
    shoot,
)
from rulewright.systems.scumm.close_combat import Happened, close_attack
from rulewright.systems.scumm.fighters import REACH, Action, Fight, Fighter, Kind, Mode, Profile, Ready, Way
from rulewright.systems.scumm.fire import (
    MOST_SPRAYED,
    SPRAY_AMMO,
    SUPPRESSION_AMMO,
    between,
    burst_ammo,
    can_burst,
    ranged_attack,
    spray,
    spray_targets,
    suppress,
)
from rulewright.systems.scumm.injury import OUTCOMES, hit_outcome
from rulewright.systems.scumm.movement import modes_allowed
from rulewright.systems.scumm.patient import LIMBS, Location, Patient

SIMPLE: frozenset[Kind] = frozenset(("draw", "reload", "stand", "drop", "pick up"))


class ActionType(TableRow, frozen=True):
    """A kind of action: whether it takes time and needs a test."""

    type: str
    takes_time: bool
    needs_test: bool | None = None
    examples: tuple[str, ...] = ()


ACTION_TYPES = Table("scumm-action-types", ActionType)


# --- doing it -------------------------------------------------------------------------------------------------------------------


@rule("scumm-action-types")
def is_simple(kind: Kind) -> bool:
    """Standing up, dropping, drawing, reloading and picking up need no test; one of them a round is free, a second is an action."""
    return kind in SIMPLE


def do(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """Carry out one action."""
    fighter = fight.fighter(name)
    if action.kind in ("shoot", "throw", "hit"):
        if not fight.fighter(action.target).body.able:
            return fight
        return (yield from attack(rules, fight, name, action, extra))
    if action.kind == "aim":
        return (yield from aim(rules, fight, name, action.target))
    if action.kind == "ready":
        return (yield from make_ready(rules, fight, name, action.ready or Ready()))
    if action.kind == "spray":
        return (yield from spray(rules, fight, name, action.targets, action.weapon, extra))
    if action.kind == "suppress":
        target = fight.fighter(action.target)
        return (yield from suppress(rules, fight, name, (target.x, target.y), action.weapon, action.wide, extra))
    yield from Tell(Happened(name, said(fighter, action)))
    return fight.put(done(fighter, action))


def said(fighter: Fighter, action: Action) -> str:
    weapon = fighter.profile.weapons[action.weapon].name
    return {
        "clear": f"clears the jammed {weapon}",
        "draw": f"draws {'nothing but the fists' if action.weapon == 0 else 'the ' + weapon}",
        "reload": f"reloads the {weapon}",
        "stand": "stands up",
        "drop": "drops prone",
        "pick up": f"picks up the {weapon}",
    }[action.kind]


def done(fighter: Fighter, action: Action) -> Fighter:
    at = action.weapon
    if action.kind == "clear":
        return replace(fighter, jammed=(*fighter.jammed[:at], False, *fighter.jammed[at + 1 :]))
    if action.kind == "reload":
        return replace(fighter, ammo=(*fighter.ammo[:at], fighter.profile.weapons[at].ammo, *fighter.ammo[at + 1 :]))
    if action.kind == "draw":
        return replace(fighter, in_hand=at, aim=0, aim_at="")
    if action.kind == "pick up":
        return replace(fighter, in_hand=at, gone=(*fighter.gone[:at], "", *fighter.gone[at + 1 :]))
    return replace(fighter, mode="normal" if action.kind == "stand" else "prone", aim=0, aim_at="")


@rule("scumm-aiming")
def aim(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """A round of aiming at one target, without moving."""
    fighter = fight.fighter(name)
    rounds = aimed_dice(fighter.aim + 1 if fighter.aim_at == target else 1)
    yield from Tell(Happened(name, f"aims at {target} (+{rounds} {'die' if rounds == 1 else 'dice'})"))
    return fight.change(name, aim=rounds, aim_at=target)


@rule("scumm-readying")
def make_ready(rules: Ruleset, fight: Fight, name: str, ready: Ready) -> Play[Fight]:
    """Hold the action until something happens; then it comes before whoever brought it about can act."""
    of = ready.of or "anyone"
    yield from Tell(Happened(name, f"stands ready in case {of} {ready.trigger}"))
    return fight.change(name, ready=ready)


_FIRE: tuple[Option[bool], ...] = (Option("act", "Act now", True), Option("hold", "Hold on", False))


@rule("scumm-readying")
def interrupts(rules: Ruleset, fight: Fight, name: str, trigger: Literal["acts", "moves"]) -> Play[Fight]:
    """Everybody whose readied action this sets off is asked at once; those who act do so before it goes on."""
    actor = fight.fighter(name)
    waiting = [f for f in fight.fighters if _set_off(f, actor, trigger) and _answer_to(rules, fight, f, actor) is not None]
    if not waiting:
        return fight
    answers = yield from Together(
        tuple([Choice(f.name, f"{name} {trigger}. Do you act first?", _FIRE, (fight, f.name), "interrupt") for f in waiting])
    )
    for waiter, goes in zip(waiting, answers, strict=True):
        if not goes or not fight.fighter(waiter.name).body.able or not fight.fighter(name).body.able:
            continue
        fight = fight.change(waiter.name, ready=None)
        reply = _answer_to(rules, fight, fight.fighter(waiter.name), fight.fighter(name))
        if reply is not None:
            before = fight.fighter(name).body
            fight = yield from attack(rules, fight, waiter.name, reply, 0)
            if fight.fighter(name).body != before:
                fight = replace(fight, frozen=tuple([kept for kept in fight.frozen if kept[0] != name]))
    return fight


def _set_off(waiter: Fighter, actor: Fighter, trigger: str) -> bool:
    ready = waiter.ready
    if ready is None or not waiter.body.able or waiter.side == actor.side or actor.hidden:
        return False
    return ready.of in ("", actor.name) and (ready.trigger == trigger or ready.trigger == "acts")


def _answer_to(rules: Ruleset, fight: Fight, waiter: Fighter, actor: Fighter) -> Action | None:
    """What a readied person can do to the one who set it off: shoot, or strike within reach."""
    weapon = waiter.weapon
    if weapon.skill in ("pistols", "rifles"):
        loaded = waiter.ammo[waiter.in_hand] > 0 and not waiter.jammed[waiter.in_hand]
        reachable = weapon.ranges is not None and can_reach(rules, range_band(rules, waiter.distance(actor), *weapon.ranges))
        return Action("shoot", actor.name, weapon=waiter.in_hand, way=PLAIN) if loaded and reachable else None
    way = BRUISE if weapon.skill == "brawl" and waiter.profile.brawl < 1 else PLAIN
    return Action("hit", actor.name, weapon=waiter.in_hand, way=way) if waiter.distance(actor) <= REACH else None


# --- attacks as actions -------------------------------------------------------------------------------------------------------


def attack(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """An attack, plain or in a way that is asked for."""
    fighter = fight.fighter(name)
    way = action.way
    if way is None:
        ways = ways_options(rules, fighter.profile, action.kind, action.weapon, fighter.ammo[action.weapon], fighter.aim)
        way = yield from Choice(name, f"How do you attack {action.target}?", ways, (rules, fight, name, extra, action), "way")
    weapon = fighter.profile.weapons[action.weapon]
    if action.kind == "hit":
        return (yield from close_attack(rules, fight, name, action.target, weapon, way.bruise, extra))
    thrown = action.kind == "throw"
    return (
        yield from ranged_attack(
            rules, fight, name, action.target, action.weapon, location=way.location, burst=way.burst, thrown=thrown, extra_actions=extra
        )
    )


PLAIN = Way()
BRUISE = Way(bruise=True)
_CALLED: tuple[Location, ...] = ("head", "torso", *LIMBS)


@lru_cache(maxsize=10_000)
def ways_options(rules: Ruleset, profile: Profile, kind: Kind, weapon_index: int, ammo: int, aim: int) -> tuple[Option[Way], ...]:
    """Plainly, as a burst, or at a part of the body."""
    weapon = profile.weapons[weapon_index]
    found = [_way("plain", "Plainly", Way())]
    level = profile.level("throw" if kind == "throw" else weapon.skill) + aimed_dice(aim)
    if kind == "shoot":
        for dice in (1, 2):
            if can_burst(rules, weapon, level, ammo, dice):
                found.append(_way(f"burst {dice}", f"Burst: {dice} dice less, margin +{dice}, {burst_ammo(dice)} rounds", Way(dice)))
    for place in _CALLED:
        if level + called_dice(rules, place) > 0 or rules.word("no-dice-left") == "unskilled":
            found.append(_way(place, f"At the {place} ({called_dice(rules, place)} dice)", Way(location=place)))
    return tuple(found)


def _way(key: str, label: str, way: Way) -> Option[Way]:
    return Option(key, label, way, leads=lambda about: _prospect(about[0], about[1], about[2], about[3], about[4], way))


def _prospect(rules: Ruleset, fight: Fight, name: str, extra: int, action: Action, way: Way) -> Prospect | None:
    """What an attack leads to: its exact outcomes for the target."""
    fighter, target = fight.fighter(name), fight.fighter(action.target)
    weapon = fighter.profile.weapons[action.weapon]
    if action.kind == "hit":
        strike = close_strike(rules, fight, fighter, target, weapon, bruise=way.bruise, extra_actions=extra)
    else:
        strike = ranged_strike(
            rules,
            fight,
            fighter,
            target,
            weapon,
            location=way.location,
            burst=way.burst,
            thrown=action.kind == "throw",
            extra_actions=extra,
        )
    body = target.body
    return Prospect(sub(shoot, rules, strike, body), lambda struck: _named(body, struck), ("miss", *OUTCOMES), _HURT)


_HURT = ("bruise", "flesh wound", "deep wound", "knocked out", "death")


def _named(before: Patient, struck: Struck) -> str:
    return hit_outcome(before, struck.victim) if struck.hit else "miss"


def action_options(rules: Ruleset, fight: Fight, fighter: Fighter, actions: int, simple_left: bool) -> tuple[Option[Action], ...]:
    """Everything that is allowed now; the options are kept and offered again whenever the situation is the same."""
    weapon = fighter.weapon
    targets = []
    for foe in fight.enemies(fighter):
        metres = fighter.distance(foe)
        band = range_band(rules, metres, *weapon.ranges) if weapon.ranges is not None else None
        targets.append((foe.name, band, metres <= REACH, in_zone_of_fire(weapon.ranges, metres)))
    sprays: tuple[tuple[str, ...], ...] = ()
    if weapon.burst and fighter.ammo[fighter.in_hand] >= SPRAY_AMMO and not fighter.jammed[fighter.in_hand]:
        sprays = _spray_groups(fight, fighter, tuple([t[0] for t in targets if t[1] is not None and can_reach(rules, t[1])]))
    return _action_options(
        rules,
        fighter.profile,
        fighter.in_hand,
        fighter.ammo,
        fighter.jammed,
        fighter.gone,
        fighter.aim,
        fighter.aim_at,
        fighter.mode,
        _can_stand(fighter.body),
        tuple(targets),
        sprays,
        actions > 0,
        simple_left,
    )


@lru_cache(maxsize=10_000)
def _can_stand(body: Patient) -> bool:
    return "normal" in modes_allowed(body)


def in_zone_of_fire(ranges: tuple[int, int, int, int] | None, metres: float) -> bool:
    """Whether suppression fire reaches so far."""
    return ranges is not None and metres <= ranges[1]


def _spray_groups(fight: Fight, fighter: Fighter, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    found = []
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            line = between(fight, fighter, (first, second))
            places = tuple((fight.fighter(name).x, fight.fighter(name).y) for name in line)
            if spray_targets(places) <= MOST_SPRAYED and line not in found:
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
    can_stand: bool,
    targets: tuple[tuple[str, Band | None, bool, bool], ...],
    sprays: tuple[tuple[str, ...], ...],
    actions: bool,
    simple_left: bool,
) -> tuple[Option[Action], ...]:
    weapon = profile.weapons[in_hand]
    gun = weapon.skill in ("pistols", "rifles")
    found: list[Option[Action]] = []
    if actions:
        ready_to_fire = gun and ammo[in_hand] > 0 and not jammed[in_hand]
        for name, band, in_reach, suppressible in targets:
            reachable = band is not None and can_reach(rules, band)
            if ready_to_fire and reachable:
                found.append(_attack_option("shoot", name, in_hand, f"Shoot {name}", f"{weapon.name}, {band}"))
                found.append(Option(f"shoot how:{name}", f"Shoot {name}: a burst, or at a part", Action("shoot", name, weapon=in_hand)))
                if aim < 3 or aim_at != name:
                    found.append(Option(f"aim:{name}", f"Aim at {name}", Action("aim", name), "+1 die next round, no moving"))
            if in_reach:
                blow = in_hand if not gun else 0
                bare = profile.weapons[blow].skill == "brawl"
                if not bare or profile.brawl > 0:
                    found.append(_attack_option("hit", name, blow, f"Strike at {name}", profile.weapons[blow].name))
                if bare:
                    found.append(_attack_option("hit", name, blow, f"Strike at {name} to bruise", "fists", BRUISE))
            if weapon.throwable and reachable:
                found.append(_attack_option("throw", name, in_hand, f"Throw the {weapon.name} at {name}", str(band)))
                found.append(
                    Option(f"throw how:{name}", f"Throw the {weapon.name} at a part", Action("throw", name, weapon=in_hand))
                )
            if ready_to_fire and suppressible and weapon.burst:
                for wide in (False, True):
                    need = SUPPRESSION_AMMO * (2 if wide else 1)
                    if ammo[in_hand] >= need:
                        key = f"suppress{' wide' if wide else ''}:{name}"
                        label = f"Suppress the ground around {name}{', widened' if wide else ''}"
                        found.append(Option(key, label, Action("suppress", name, weapon=in_hand, wide=wide), f"{need} rounds"))
        for line in sprays:
            names = ", ".join(line)
            found.append(Option(f"spray:{names}", f"Spray {names}", Action("spray", targets=line, weapon=in_hand), f"{SPRAY_AMMO} rounds"))
        if gun and jammed[in_hand]:
            found.append(Option("clear", f"Clear the jammed {weapon.name}", Action("clear", weapon=in_hand)))
        found.append(Option("ready", "Stand ready for anyone who acts", Action("ready", ready=Ready())))
        found.append(Option("ready moves", "Stand ready for anyone who moves", Action("ready", ready=Ready("moves"))))
    if simple_left or actions:
        simple = _simple_options(profile, in_hand, ammo, gone, mode, can_stand, "free" if simple_left else "counts as an action")
        found.extend(simple)
        if simple_left and actions:
            found.extend([_afterwards(option) for option in simple])
    found.append(Option("pass", "Nothing more", Action("pass")))
    return tuple(found)


def _simple_options(
    profile: Profile, in_hand: int, ammo: tuple[int, ...], gone: tuple[str, ...], mode: Mode, can_stand: bool, note: str
) -> list[Option[Action]]:
    weapon = profile.weapons[in_hand]
    found: list[Option[Action]] = []
    if ammo[in_hand] < weapon.ammo:
        found.append(Option("reload", f"Reload the {weapon.name}", Action("reload", weapon=in_hand), note))
    for i, other in enumerate(profile.weapons):
        if i != in_hand and gone[i] == "":
            found.append(Option(f"draw:{other.name}", f"Draw {other.name}" if i else "Bare hands", Action("draw", weapon=i), note))
        elif gone[i] == "dropped":
            found.append(Option(f"pick up:{other.name}", f"Pick up the {other.name}", Action("pick up", weapon=i), note))
    if mode in ("prone", "crawling") and can_stand:
        found.append(Option("stand", "Stand up", Action("stand"), note))
    elif mode == "normal":
        found.append(Option("drop", "Drop prone", Action("drop"), note))
    return found


def _afterwards(option: Option[Action]) -> Option[Action]:
    return Option(f"after {option.key}", f"{option.label}, at the end of the turn", replace(option.value, after=True), option.note)


def _attack_option(kind: Kind, target: str, weapon: int, label: str, note: str, way: Way = PLAIN) -> Option[Action]:
    action = Action(kind, target, weapon=weapon, way=way)

    def leads(about: Any) -> Prospect | None:
        rules, fight, name, extra = about
        return _prospect(rules, fight, name, extra, action, way)

    return Option(f"{'bruise' if way.bruise else kind}:{target}", label, action, note, leads)
