"""Rounds: initiative, whose turn it is, moving, acting, readied actions (book lines 348-396)."""

from functools import lru_cache
from math import hypot
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Choice, Event, Option, Play, Prospect, Range, Roll, Tell, Together, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.scumm.attacks import (
    Band,
    aimed_dice,
    ambush,
    called_dice,
    can_reach,
    close_strike,
    range_band,
    ranged_strike,
    shoot,
)
from rulewright.systems.scumm.characters import combat_sense_pool
from rulewright.systems.scumm.close_combat import Happened, close_attack, direction, grapple_turn
from rulewright.systems.scumm.fighters import REACH, Cover, CoverSpot, Fight, Fighter, Mode, Profile, Ready
from rulewright.systems.scumm.fire import (
    MOST_SPRAYED,
    SPRAY_AMMO,
    SUPPRESSION_AMMO,
    between,
    burst_ammo,
    can_burst,
    cross_fire,
    crosses,
    dare_to_move,
    ranged_attack,
    spray,
    spray_targets,
    suppress,
)
from rulewright.systems.scumm.injury import OUTCOMES, hit_outcome
from rulewright.systems.scumm.movement import modes_allowed
from rulewright.systems.scumm.patient import LIMBS, Location
from rulewright.systems.scumm.resolution import Mod, Pool, passes, reading

EXTRA_ACTIONS = 3
"""The most extra actions that are offered where the campaign plays with multiple actions."""

Kind = Literal["shoot", "throw", "hit", "aim", "ready", "spray", "suppress", "clear", "draw", "reload", "stand", "drop", "pick up", "pass"]
SIMPLE: frozenset[Kind] = frozenset(("draw", "reload", "stand", "drop", "pick up"))


class ActionType(TableRow, frozen=True):
    """A kind of action: whether it takes time and needs a test."""

    type: str
    takes_time: bool
    needs_test: bool | None = None
    examples: tuple[str, ...] = ()


ACTION_TYPES = Table("scumm-action-types", ActionType)


class Action(Struct, frozen=True):
    """What somebody does with an action."""

    kind: Kind
    target: str = ""
    targets: tuple[str, ...] = ()
    weapon: int = 0
    ready: Ready | None = None
    wide: bool = False


class Way(Struct, frozen=True):
    """How a shot or blow is made."""

    burst: int = 0
    location: Location | None = None
    bruise: bool = False


class Move(Struct, frozen=True):
    """Where somebody goes, and how fast."""

    mode: Mode
    x: float
    y: float
    cover: Cover = "none"
    stands_up: bool = False


# --- initiative ---------------------------------------------------------------------------------------------------------------


class InitiativeRolled(Event, frozen=True):
    """Everybody's place in the round."""

    round: int
    order: tuple[tuple[str, int, bool], ...]

    def headline(self) -> str:
        said = ", ".join(f"{name} {'fumbles' if fumbled else total}" for name, total, fumbled in self.order)
        return f"Round {self.round}. Initiative: {said}"


def initiative_pool(rules: Ruleset, fighter: Fighter) -> Pool:
    """Combat Sense with wounds, drugs and what a fumbled defense left behind."""
    return combat_sense_pool(
        rules,
        fighter.profile.combat_sense,
        (
            Mod("wounds", fighter.body.penalty, "scumm-injuries"),
            Mod("bad position", fighter.initiative_modifier, "scumm-ranged-fumbles"),
            Mod("stimulant", fighter.stimulant, "scumm-stimulants"),
        ),
    )


@rule("scumm-initiative")
def actions_by_initiative(total: int, fumble: bool = False) -> int:
    """One action a round, two for a total of 7 or more, none for a fumble."""
    return 0 if fumble else 2 if total >= 7 else 1


@rule("scumm-initiative")
def begin_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody able rolls Combat Sense: the highest acts first, ties act at once, and those who hold an action may go on holding it."""
    fight = replace(fight, round=fight.round + 1, zones=(), frozen=())
    holding = yield from _keep_holding(fight)
    rolling = []
    fighters = []
    for fighter in fight.fighters:
        fresh = _refreshed(fighter, fighter.name in holding)
        if fresh.body.able and not fresh.unwary and fresh.ready is None:
            rolling.append(fresh)
        fighters.append(fresh)
    fight = replace(fight, fighters=tuple(fighters))
    totals = yield from Together(tuple([Roll(reading(rules, initiative_pool(rules, f)), f.name, "initiative") for f in rolling]))
    order: dict[int, list[str]] = {}
    told = []
    for fighter, total in zip(rolling, totals, strict=True):
        acts = actions_by_initiative(total.total, total.fumble)
        fight = fight.put(replace(fighter, initiative=total.total, acts=acts, fumbled=total.fumble, initiative_modifier=0))
        order.setdefault(-1 if total.fumble else total.total, []).append(fighter.name)
        told.append((fighter.name, total.total, total.fumble))
    told.sort(key=lambda line: (line[2], -line[1]))
    yield from Tell(InitiativeRolled(fight.round, tuple(told)))
    return replace(fight, queue=tuple([tuple(order[total]) for total in sorted(order, reverse=True)]))


def _refreshed(fighter: Fighter, holds: bool) -> Fighter:
    """What a new round takes off somebody's shoulders."""
    mode: Mode = "prone" if fighter.mode in ("prone", "crawling") else "normal"
    return replace(
        fighter,
        attacked_by=(),
        free_strikes=0,
        pinned=False,
        acts=0,
        fumbled=False,
        mode=fighter.mode if fighter.mode in ("running", "sprinting") else mode,
        ready=fighter.ready if holds else None,
    )


_STAY_READY: tuple[Option[bool], ...] = (Option("hold", "Stay ready", True), Option("drop", "Give it up and roll initiative", False))


def _keep_holding(fight: Fight) -> Play[set[str]]:
    """Those whose held action has not come up decide whether to go on waiting."""
    waiting = [f for f in fight.fighters if f.ready is not None and f.body.able]
    if not waiting:
        return set()
    answers = yield from Together(
        tuple([Choice(f.name, "Your moment has not come. Do you stay ready?", _STAY_READY, (fight, f.name), "stay ready") for f in waiting])
    )
    return {fighter.name for fighter, stays in zip(waiting, answers, strict=True) if stays}


# --- the ambush ---------------------------------------------------------------------------------------------------------------


def spring_ambush(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Before the first round: does each target notice those who lie in wait? Who does not is unwary, and they stay hidden from him."""
    side = fight.ground.ambush
    lurking = [f for f in fight.fighters if f.side == side and f.body.able]
    for target in [f for f in fight.fighters if f.side != side and f.body.able]:
        noticed = False
        for lurker in lurking:
            stealth = Pool(lurker.profile.stealth).plus(Mod("Alertness", lurker.profile.alertness))
            if rules.word("ambush-roll") == "combat sense":
                notice = combat_sense_pool(rules, target.profile.combat_sense)
            else:
                notice = Pool(target.profile.notice).plus(Mod("Alertness", target.profile.alertness))
            notice = notice.plus(Mod("range and conditions", fight.ground.ambush_modifier))
            unnoticed = yield from sub(ambush, rules, stealth, notice, lurker.name, target.name)
            if not unnoticed:
                noticed = True
                break
        yield from Tell(Happened(target.name, "notices the ambush" if noticed else "notices nothing", secret=not noticed))
        fight = fight.change(target.name, unwary=not noticed)
    if all(f.unwary for f in fight.fighters if f.side != side and f.body.able):
        for lurker in lurking:
            fight = fight.change(lurker.name, hidden=True)
    return replace(fight, ambush_open=False)


# --- a turn -------------------------------------------------------------------------------------------------------------------


def next_turn(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next in the queue acts. Those of one group act at the same time: what befalls one does not hinder the others."""
    group, rest = fight.queue[0], fight.queue[1:]
    name = group[0]
    if len(group) > 1 and not fight.frozen:
        fight = replace(fight, frozen=tuple([(other, fight.fighter(other).body) for other in group]))
    fight = replace(fight, queue=(group[1:], *rest) if len(group) > 1 else rest)
    fight = yield from turn(rules, fight, name)
    if len(group) == 1 and fight.frozen:
        fight = replace(fight, frozen=())
    if not fight.queue:
        fight = end_round(fight)
    return fight


def end_round(fight: Fight) -> Fight:
    """Once a round has passed nobody is unwary any more, and everybody has been seen."""
    for fighter in fight.fighters:
        if fighter.unwary or (fighter.hidden and fight.round > 0 and not any(f.unwary for f in fight.fighters)):
            fight = fight.change(fighter.name, unwary=False)
    if any(f.hidden for f in fight.fighters) and not any(f.hidden and f.ready is not None for f in fight.fighters):
        for fighter in fight.fighters:
            if fighter.hidden:
                fight = fight.change(fighter.name, hidden=False)
    return replace(fight, frozen=())


@rule("scumm-actions-per-round")
def turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """A movement mode and one action, or two after a very good initiative; one simple action is free."""
    fighter = fight.fighter(name)
    if not fight.acting_body(fighter).able:
        return fight
    if fighter.grappling:
        if fight.fighter(fighter.grappling).body.able:
            return (yield from grapple_turn(rules, fight, name))
        fight = fight.change(name, grappling="")
    if fighter.fumbled:
        return (yield from confused_turn(rules, fight, name))
    if fighter.mode in ("running", "sprinting"):
        fight = fight.change(name, mode="normal")
    fight, stood = yield from move(rules, fight, name)
    if not fight.acting_body(fight.fighter(name)).able or fight.fighter(name).mode == "sprinting":
        return fight
    extra = yield from declare_extra_actions(rules, fight, name)
    return (yield from act(rules, fight, name, fighter.acts + extra, extra, simple_left=not stood))


@rule("scumm-multiple-actions")
def extra_action_penalty(extra: int) -> int:
    """Every extra action costs -1 on all actions of the round."""
    return -max(0, extra)


def declare_extra_actions(rules: Ruleset, fight: Fight, name: str) -> Play[int]:
    """Where the campaign plays with multiple actions they are declared before anything is rolled."""
    if not rules.on("multiple-actions"):
        return 0
    return (yield from Choice[int](name, "How many extra actions?", Range(0, EXTRA_ACTIONS), (fight, name), "extra actions"))


_DUCK: tuple[Option[str], ...] = (Option("duck", "Duck", "duck"), Option("nothing", "Do nothing", "nothing"))
_DUCK_OR_AIM: tuple[Option[str], ...] = (*_DUCK, Option("keep aiming", "Keep aiming", "aim"))


def confused_turn(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """After a fumbled initiative one may only duck, or go on with what was begun before (ruling "fumbled-initiative")."""
    fighter = fight.fighter(name)
    if rules.word("fumbled-initiative") == "nothing":
        return fight
    options = _DUCK_OR_AIM if 0 < fighter.aim < 3 else _DUCK
    chosen = yield from Choice(name, "You are confused. What do you do?", options, (fight, name), "confused")
    if chosen == "duck":
        yield from Tell(Happened(name, "ducks"))
        return fight.change(name, mode="prone", aim=0, aim_at="")
    if chosen == "aim":
        return (yield from aim(rules, fight, name, fighter.aim_at))
    return fight


# --- moving -------------------------------------------------------------------------------------------------------------------


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


def move_options(fight: Fight, fighter: Fighter) -> tuple[Option[Move | None], ...]:
    """Stay, or go towards somebody, away from all, or to cover, in every mode that wounds and posture allow."""
    foes = tuple([(f.name, f.x, f.y) for f in fight.enemies(fighter)])
    modes = modes_allowed(fighter.body, fighter.mode)
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


# --- acting -------------------------------------------------------------------------------------------------------------------


@rule("scumm-action-types")
def is_simple(kind: Kind) -> bool:
    """Standing up, dropping, drawing, reloading and picking up need no test; one of them a round is free, a second is an action."""
    return kind in SIMPLE


def act(rules: Ruleset, fight: Fight, name: str, actions: int, extra: int, *, simple_left: bool) -> Play[Fight]:
    """Spend the actions of a turn one by one; the first simple action takes none of them."""
    interrupted = False
    while True:
        fighter = fight.fighter(name)
        if not fight.acting_body(fighter).able or (actions <= 0 and not simple_left):
            return fight
        options = action_options(rules, fight, fighter, actions, simple_left)
        if len(options) == 1:
            return fight
        chosen = yield from Choice(name, "What do you do?", options, (rules, fight, name, extra), "act")
        if chosen.kind == "pass":
            return fight
        if not interrupted:
            interrupted = True
            fight = yield from interrupts(rules, fight, name, "acts")
            if not fight.acting_body(fight.fighter(name)).able:
                return fight
        if is_simple(chosen.kind) and simple_left:
            simple_left = False
        else:
            if is_simple(chosen.kind):
                extra += 1  # a second simple action counts as a standard one and brings its penalty
            actions -= 1
        fight = yield from do(rules, fight, name, chosen, extra)


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
    yield from Tell(Happened(name, _said(fighter, action)))
    return fight.put(_done(fighter, action))


def _said(fighter: Fighter, action: Action) -> str:
    weapon = fighter.profile.weapons[action.weapon].name
    return {
        "clear": f"clears the jammed {weapon}",
        "draw": f"draws {'nothing but the fists' if action.weapon == 0 else 'the ' + weapon}",
        "reload": f"reloads the {weapon}",
        "stand": "stands up",
        "drop": "drops prone",
        "pick up": f"picks up the {weapon}",
    }[action.kind]


def _done(fighter: Fighter, action: Action) -> Fighter:
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
        return Action("shoot", actor.name, weapon=waiter.in_hand) if loaded and reachable else None
    return Action("hit", actor.name, weapon=waiter.in_hand) if waiter.distance(actor) <= REACH else None


# --- attacks as actions -------------------------------------------------------------------------------------------------------


def attack(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """An attack: how it is made is asked where there is more than one way."""
    fighter = fight.fighter(name)
    ways = ways_options(rules, fighter.profile, action.kind, action.weapon, fighter.ammo[action.weapon], fighter.aim)
    way = ways[0].value
    if len(ways) > 1:
        way = yield from Choice(name, f"How do you attack {action.target}?", ways, (rules, fight, name, extra, action), "way")
    weapon = fighter.profile.weapons[action.weapon]
    if action.kind == "hit":
        return (yield from close_attack(rules, fight, name, action.target, weapon, way.bruise, extra))
    return (
        yield from ranged_attack(
            rules,
            fight,
            name,
            action.target,
            action.weapon,
            location=way.location,
            burst=way.burst,
            thrown=action.kind == "throw",
            extra_actions=extra,
        )
    )


_CALLED: tuple[Location, ...] = ("head", "torso", *LIMBS)


@lru_cache(maxsize=10_000)
def ways_options(rules: Ruleset, profile: Profile, kind: Kind, weapon_index: int, ammo: int, aim: int) -> tuple[Option[Way], ...]:
    """Plainly, as a burst, at a part of the body; bare hands to wound or to bruise."""
    weapon = profile.weapons[weapon_index]
    if kind == "hit":
        if weapon.skill != "brawl":
            return (_way("strike", "Strike", Way()),)
        bruise = _way("bruise", "To bruise", Way(bruise=True))
        return (_way("wound", "To wound", Way()), bruise) if profile.brawl > 0 else (bruise,)
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


def _named(before: Any, struck: Any) -> str:
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
        "crawling" not in modes_allowed(fighter.body)[-1:],
        tuple(targets),
        sprays,
        actions > 0,
        simple_left,
    )


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
                if aim < 3 or aim_at != name:
                    found.append(Option(f"aim:{name}", f"Aim at {name}", Action("aim", name), "+1 die next round, no moving"))
            if in_reach:
                blow = in_hand if not gun else 0
                found.append(_attack_option("hit", name, blow, f"Strike at {name}", profile.weapons[blow].name))
            if weapon.throwable and reachable:
                found.append(_attack_option("throw", name, in_hand, f"Throw the {weapon.name} at {name}", str(band)))
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
        note = "free" if simple_left else "counts as an action"
        if gun and ammo[in_hand] < weapon.ammo:
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
    found.append(Option("pass", "Nothing more", Action("pass")))
    return tuple(found)


def _attack_option(kind: Kind, target: str, weapon: int, label: str, note: str) -> Option[Action]:
    action = Action(kind, target, weapon=weapon)

    def leads(about: Any) -> Prospect | None:
        rules, fight, name, extra = about
        return _prospect(rules, fight, name, extra, action, Way(bruise=kind == "hit" and fight.fighter(name).profile.brawl < 1))

    return Option(f"{kind}:{target}", label, action, note, leads)
