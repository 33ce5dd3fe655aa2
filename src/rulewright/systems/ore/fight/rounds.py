"""The round: declare from the lowest to the highest, roll at once, resolve by Speed (book lines 4171-4304)."""

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Happened, Option, Play, Tell, came_to, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.close_actions import STRANGLED
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Pending, Plan, Situation
from rulewright.systems.ore.drama.determination import Cast, Determined, Speed, Timed, determine, speed_of
from rulewright.systems.ore.fight.actions.base import the_act, words_of
from rulewright.systems.ore.fight.actions.powers.actions import with_turning_back
from rulewright.systems.ore.fight.actions.registry import action_of, in_one_roll, rolled
from rulewright.systems.ore.fight.declarations import declare, raise_shield
from rulewright.systems.ore.fight.drama_points import Fell, after_the_roll, before_the_roll, flinches, heroic_cast, slips
from rulewright.systems.ore.fight.events import Readied, RoundBegins, SetReady, written
from rulewright.systems.ore.fight.feats.effects import feats_matter, help_for, marks_left, with_words
from rulewright.systems.ore.fight.feats.sets import daunted, prepared, squads, twinned_by_feats, with_spare_sets
from rulewright.systems.ore.fight.initiative import order_of, rolls_initiative, take_initiative
from rulewright.systems.ore.fight.map_positions import orders_told
from rulewright.systems.ore.fight.pools import cast_of, chooses_ease
from rulewright.systems.ore.fight.powers.active import POWER_KINDS
from rulewright.systems.ore.fight.powers.burn import BILOCATION, burns, burns_on_return
from rulewright.systems.ore.fight.powers.sustained import compelled, powers_pass
from rulewright.systems.ore.fight.resolution.gunfire import shots_fired
from rulewright.systems.ore.fight.resolution.lost_dice import is_twinned, loses_a_die
from rulewright.systems.ore.fight.resolution.mooks import mooks_approach, mooks_attack
from rulewright.systems.ore.fight.resolution.movement import escapes_the_fight, walks_up
from rulewright.systems.ore.fight.resolution.parley import PARLEY, before_combat, speaks_first
from rulewright.systems.ore.fight.resolution.sets import closed, given_up, resolved, scale_of
from rulewright.systems.ore.fight.resolution.strikes import weapon_of
from rulewright.systems.ore.fight.round_end import time_passes
from rulewright.systems.ore.harm.locations import uses_locations
from rulewright.systems.ore.log_phrases import action_phrase
from rulewright.systems.ore.resolution.outcomes import difficulty_of, sides
from rulewright.systems.ore.resolution.tests import dice_in

# --- the steps ----------------------------------------------------------------------------------------------------------------


@rule("ore-4.01-round")
def next_step(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next step of a round: declarations, the roll, then results by Speed."""
    if fight.phase == "begin":
        fight = yield from begin_round(rules, fight)
    if fight.phase == "declare":
        return (yield from next_declaration(rules, fight))
    if fight.phase == "roll":
        return (yield from roll_at_once(rules, fight))
    return (yield from resolve_fastest(rules, fight))


def begin_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Starts a round with the order of declarations; Initiative may be rolled first. Mooks only attack."""
    if fight.round == 0 and rolls_initiative(rules):
        fight = yield from take_initiative(rules, fight, tuple([fighter.name for fighter in fight.fighters if fighter.able]))
    if fight.round == 0 and fight.ground.parley:
        fight = yield from before_combat(rules, fight)
    order = order_of(rules, fight)
    for told, known in orders_told(fight, order):
        yield Tell(RoundBegins(fight.round + 1, told, known_to=known))
    return begun(fight, order)


def begun(fight: Fight, order: tuple[str, ...]) -> Fight:
    """A new round with this order of declarations."""
    plans = tuple([Plan(name, (Act("attack"),), exposed=True) for name in order if fight.group(name) is not None])
    return replace(fight, round=fight.round + 1, phase="declare", order=order[len(plans) :], plans=plans, pending=())


@rule("ore-4.02-initialisation")
def next_declaration(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The lowest declares all actions first; the highest knows most."""
    fight = yield from declaration(rules, fight)
    return fight if fight.order else (yield from make_ready(rules, fight))


def declaration(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """The next declaration, with shield and Drama Points."""
    name = fight.order[0]
    ruled = (yield from compelled(rules, fight, name)) if fight.powers else None
    acts = ruled if ruled is not None else (yield from declare(rules, fight, name))
    if acts and acts[0].kind == PARLEY:
        fight = yield from speaks_first(rules, fight, name, acts[0])
        acts = yield from declare(rules, fight, name)
    fight = yield from raise_shield(rules, fight, name)
    plan = Plan(name, acts, exposed=any(action_of(act).exposes for act in acts))
    fight, plan = yield from before_the_roll(rules, fight, plan, any(not action_of(act).own_dice for act in rolled(plan)))
    return replace(fight, order=fight.order[1:], plans=(*fight.plans, plan))


# --- everybody rolls ----------------------------------------------------------------------------------------------------------


def make_ready(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """After the declarations: actions without a roll happen (ruling), and all rolls are ready."""
    fight = yield from before_the_dice(rules, fight)
    casts = []
    for plan in people(fight):
        if any(action_of(act).rolled and not action_of(act).own_dice for act in plan.acts):
            plan, cast = yield from cast_for(rules, fight, plan)
            fight = replace(fight, plans=tuple([plan if candidate.who == plan.who else candidate for candidate in fight.plans]))
            casts += [cast] if cast is not None else []
    for fighter in fight.fighters:
        fight = yield from spent(fight, fighter.name)
    return replace(fight, phase="roll", casts=tuple(casts), plain=what_matters(rules, fight) if fight.bare else "")


def cast_for(rules: Ruleset, fight: Fight, plan: Plan) -> Play[tuple[Plan, Cast | None]]:
    """The roll of a fighter, without actions that became impossible."""
    fighter = fight.fighter(plan.who)
    plan = with_spare_sets(rules, fight, with_words(rules, fight, plan))
    if fighter.profile.feats and fight.edition:
        plan = yield from chooses_ease(rules, fight, plan)
    if fighter.profile.powers:
        plan = with_turning_back(rules, fight, plan)
    try:
        cast = cast_of(rules, fight, fighter, in_one_roll(plan), unrolled(plan))
    except UserError:
        for act in in_one_roll(plan):
            try:
                action_of(act).attempt(rules, fight, fighter, act)
            except UserError as error:
                yield Tell(Happened(plan.who, f"gives up {action_phrase(words_of(act))}: {error}", "bad"))
                plan = replace(plan, acts=tuple([candidate for candidate in plan.acts if candidate != act]) or (Act("pass"),))
        if not in_one_roll(plan):
            return plan, None
        cast = cast_of(rules, fight, fighter, in_one_roll(plan), unrolled(plan))
    cast = heroic_cast(rules, fight, cast, plan)
    hard = difficulty_of(rules, cast.difficulty) if cast.difficulty > 1 else 1
    number = cast.number or next((part.number for part in cast.parts if part.number), 0)
    yield Tell(Readied(cast.who, cast.what, cast.pool, dice_in(rules, cast.pool), hard, cast.height, number))
    return plan, cast


def unrolled(plan: Plan) -> tuple[Act, ...]:
    """Declared actions without a roll."""
    return tuple([act for act in plan.acts if not action_of(act).rolled])


def people(fight: Fight) -> list[Plan]:
    """The plans of named people."""
    mooks = [group.name for group in fight.groups]
    return [plan for plan in fight.plans if plan.who not in mooks]


def before_the_dice(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Actions without a roll happen in order of declaration; then attackers walk up to targets a few steps away, so that only a run
    avoids a blow (rulings)."""
    for plan in people(fight):
        for act in plan.acts:
            if not (action := action_of(act)).rolled or action.begins:
                fight = yield from action.at_once(rules, fight, fight.fighter(plan.who), act)
    for plan in people(fight):
        target = next((act.target for act in plan.acts if is_far(rules, fight, plan.who, act)), "")
        if target and not any(act.kind in ("move", "run", "charge", "run to") for act in plan.acts):
            fight = yield from walks_up(rules, fight, plan.who, target)
    return (yield from mooks_approach(rules, fight))


def is_far(rules: Ruleset, fight: Fight, who: str, act: Act) -> bool:
    """Whether a close combat action has a target out of reach."""
    action = action_of(act)
    if not act.target or not action.rolled or not action.targeted or fight.distance(who, act.target) <= REACH:
        return False
    return weapon_of(rules, fight, Pending(who, act, 2, 1, (2,)), action.bare).close


@rule("ore-4.03-determination")
def roll_at_once(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Everybody rolls at the same time. If no set can counter another, all are applied at once."""
    determined: Determined = yield from sub(determine, rules, fight.casts, fight.plain)
    pending: list[Pending] = []
    plans = {plan.who: plan for plan in fight.plans}
    for cast, sets, waste, lying in zip(fight.casts, determined.sets, determined.waste, determined.lying, strict=True):
        fight, lies = yield from made_of(rules, fight, cast, Fell(sets, waste, lying))
        pending += lies
    for who, low in determined.burnt:
        cast = next(candidate for candidate in fight.casts if candidate.who == who)
        leaving = any(candidate.who == who and candidate.act.skill == BILOCATION for candidate in pending)
        fight = yield from burns(rules, fight, who, low, below=cast.burns, effect=cast.what, leaving=leaving)
    for plan in people(fight):
        for act in [act for act in plan.acts if action_of(act).own_dice]:
            fire = yield from action_of(act).rolls(rules, fight, fight.fighter(plan.who), act)
            if fire is None:
                yield from came_to("no set", scale_of(rules, fight, plan.who, act), plan.who, act.target)
            else:
                pending.append(fire)
                fight = yield from shots_fired(rules, fight, plan.who, (act,), _lowest_single(fire))
    pending = squads(rules, fight, pending)
    pending += still_choking(rules, fight)
    for group in fight.groups:
        if group.able and group.name in plans:
            pending += yield from mooks_attack(rules, fight, group)
            if group.stunned or group.instructed:
                fight = fight.put_group(replace(group, stunned=0, instructed=0))
    before = tuple(pending)
    pending = yield from daunted(rules, fight, pending)
    fight, waiting = yield from slips(rules, fight, tuple(pending))
    fight = replace(fight, phase="resolve", casts=(), pending=waiting)
    yield from given_up(rules, fight, before)
    while fight.plain and fight.phase == "resolve":
        fight = yield from resolve_fastest(rules, fight)
    return fight


def made_of(rules: Ruleset, fight: Fight, cast: Cast, fell: Fell) -> Play[tuple[Fight, list[Pending]]]:
    """Rerolls and assigns the dice of a fighter."""
    plan = next(plan for plan in fight.plans if plan.who == cast.who)
    acts = in_one_roll(plan)
    fight, (sets, waste, _) = yield from after_the_roll(rules, fight, cast, plan, fell)
    lies = yield from _assigned(rules, fight, cast, acts, sets)
    if fight.fighter(cast.who).profile.feats:
        fight, lies = yield from twinned_by_feats(rules, fight, lies)
    fight = yield from shots_fired(rules, fight, cast.who, acts, waste)
    if any(timed is not None and act.kind == "dive" for act, timed in zip(acts, sets, strict=False)):
        fight = fight.change(cast.who, diving=True)
    return fight, lies


def _assigned(rules: Ruleset, fight: Fight, cast: Cast, acts: tuple[Act, ...], sets: tuple[Timed | None, ...]) -> Play[list[Pending]]:
    """The waiting sets, each with its action."""
    fighter, need = fight.fighter(cast.who), difficulty_of(rules, cast.difficulty) if cast.difficulty > 1 else 1
    off, thrown = fighter.hand == "off", fighter.in_hand if fighter.weapon.kind == "thrown" else 0
    pendings = []
    for place, (act, timed) in enumerate(zip(acts, sets, strict=False), 1):
        if timed is None:
            continue
        part = cast.part(place - 1)
        wider = part.edge.width if cast.parts else cast.pool.edge.width
        faster = max(-timed.speed[0], part.speed + cast.speed)
        feats = " and ".join(help_for(rules, fight, fighter, act).by) if faster or wider else ""
        yield Tell(SetReady(cast.who, words_of(act), timed.width, timed.height, timed.speed, rules.word("speed"), faster, wider, feats))
        needs = cast.part(place - 1).needs if cast.parts else 0
        counters = action_of(act).counters
        act = replace(act, weapon=thrown) if thrown and action_of(act).with_weapon else act  # which is out of the hand by then
        pending = Pending(
            cast.who, act, timed.width, timed.height, timed.speed, need=need, off=off, counters=counters, place=place, needs=needs
        )
        if fighter.profile.feats:
            pending = replace(
                prepared(rules, fighter, pending), waste_dice=max(0, dice_in(rules, cast.pool) - timed.width + cast.pool.edge.width)
            )
        pendings.append(pending)
        if is_twinned(fight, pending):
            pendings.append(replace(pending, act=replace(act, twin=True, target=act.also or act.target)))
    if not pendings:
        yield Tell(Happened(cast.who, f"rolls no set for {action_phrase(cast.what)}"))
    tried = [act for act in acts if not action_of(act).counters]
    if tried and all(pending.counters for pending in pendings):
        yield from came_to("no set", scale_of(rules, fight, cast.who, tried[0]), cast.who, tried[0].target)
    return pendings


def _lowest_single(fire: Pending) -> int:
    return min([height for width, height in fire.lying if width == 1], default=0)


def still_choking(rules: Ruleset, fight: Fight) -> list[Pending]:
    """Strangling continues without a roll while the holder does nothing else."""
    idle = {plan.who for plan in people(fight) if not rolled(plan)}
    pendings = []
    for fighter in fight.fighters:
        if fighter.choked and fighter.held_by in idle:
            act = Act("strangle", fighter.name, "head")
            height = min(STRANGLED, sides(rules))
            pendings.append(Pending(fighter.held_by, act, fighter.choked, height, speed_of(rules, fighter.choked, height)))
    return pendings


def what_matters(rules: Ruleset, fight: Fight) -> str:
    """How much of the dice can affect the winner: only Widths (and locations) if nobody defends and Width is Speed; and of two who
    attack each other, the slower narrow set is lost."""
    acts = [act for plan in fight.plans for act in plan.acts]
    plain = all((action_of(act).plain or (act.kind in POWER_KINDS and _is_plain_power(rules, fight, act))) and not act.wait for act in acts)
    if not plain or rules.word("speed") != "width" or rules.word("drama-points") != "none" or fight.groups:
        return ""
    if (
        any(fighter.cover.any for fighter in fight.fighters)
        or feats_matter(rules, fight)
        or any(len(rolled(plan)) > 1 for plan in fight.plans)
    ):
        return ""  # which of several sets a hit takes a die from is said by their Heights
    matters = "places" if uses_locations(rules) and rules.word("hit-location") == "height" else "widths"
    return f"{matters}, mutual" if _mutual(fight) else matters


def _is_plain_power(rules: Ruleset, fight: Fight, act: Act) -> bool:
    """Whether only the Width of a power counts: no resistance, and not a counter."""
    known = next(known for fighter in fight.fighters for known in fighter.profile.powers if known.effect == act.skill)
    row = known.row(rules)
    return not row.resist and row.works in ("harm", "hinder", "inflame", "daze", "ward") and act.kind != "counter power"


def _mutual(fight: Fight) -> bool:
    """Whether exactly two people attack each other once within reach, so that the faster blow surely lands."""
    blows = [(plan.who, act) for plan in fight.plans for act in plan.acts if action_of(act).blow and act.shots == 1]
    if len(blows) != 2 or any(len(plan.acts) > 1 for plan in fight.plans):
        return False
    (first, result), (second, other) = blows
    near = fight.distance(first, second) <= REACH or not (fight.fighter(first).weapon.close or fight.fighter(second).weapon.close)
    return result.target == second and other.target == first and near


def spent(fight: Fight, name: str) -> Play[Fight]:
    """Dice gathered for an attack are used up by it, or lost by other actions."""
    before = fighter = fight.fighter(name)
    if not (fighter.tripped or fighter.impresses or fighter.aim or fighter.feints or fighter.profile.feats):
        return fight
    plan = next((plan for plan in fight.plans if plan.who == name), None)
    actions = [action_of(act) for act in plan.acts] if plan is not None else []
    strikes = any(action.blow for action in actions)
    if fighter.tripped:
        fighter = replace(fighter, tripped=0)
    if fighter.impresses and strikes:
        fighter = replace(fighter, impresses=False)
    if (strikes or not any(action.gathers for action in actions)) and (fighter.aim or fighter.feints):
        if not strikes:
            yield Tell(Happened(name, "loses the aim" if fighter.aim else "loses the bonus from feints", "bad"))
        fighter = replace(fighter, aim=0, feints=0, against="")
    if fighter.profile.feats:
        marks = marks_left(fighter, plan.acts if plan is not None else ())
        fighter = replace(fighter, marks=marks) if marks != fighter.marks else fighter
    return fight.put(fighter) if fighter is not before else fight


# --- the results --------------------------------------------------------------------------------------------------------------


@rule("ore-4.05-resolution-order", "ore-4.04-no-reaction-to-faster")
def resolve_fastest(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Applies the fastest sets, those of equal Speed at the same time; everybody who is hit loses a die from a waiting set. Defences
    wait for attacks. Then the round ends."""
    waiting = [candidate for candidate in fight.pending if not candidate.counters]
    if not waiting:
        return (yield from end_round(rules, fight))
    top = max([moment(fight, candidate) for candidate in waiting])
    held_back = next((candidate for candidate in waiting if candidate.act.wait and moment(fight, candidate) == top), None)
    if held_back is not None:
        return (yield from _ask_when_to_act(rules, fight, held_back))
    fight, _ = yield from applied_at(rules, fight, top)
    return fight


def applied_at(rules: Ruleset, fight: Fight, top: Speed) -> Play[tuple[Fight, tuple[str, ...]]]:
    """Applies all sets of this Speed, then lost dice; returns who was hit, once per die."""
    hits: list[str] = []
    before = fight
    while (result := _next_at(fight, top)) is not None:
        fight = replace(fight, pending=tuple([other for other in fight.pending if other is not result]))
        if before.able(result.who):
            fight, names = yield from resolved(rules, before, fight, still_armed(before, fight, result))
            hits += names
    waited = fight.pending
    if gone := {other.who for other in waited if not fight.able(other.who)}:
        fight = replace(fight, pending=tuple([other for other in waited if other.who not in gone]))
    for name in hits if rules.on("mooks-lose-dice") else [name for name in hits if fight.group(name) is None]:
        fight, loses = yield from flinches(rules, fight, name)
        if loses:
            left = yield from loses_a_die(rules, fight.pending, name)
            fight = yield from _drop_dependents(replace(fight, pending=left), fight.pending)
    yield from given_up(rules, fight, waited)
    return fight, tuple(hits)


@rule("ore-1.13-multiple-actions")
def moment(fight: Fight, each: Pending) -> tuple[int, ...]:
    """When a set is applied: at its Speed, but not before the action it depends on."""
    if not each.needs:
        return each.speed
    rests = next((other for other in fight.pending if other.who == each.who and other.place == each.needs), None)
    return each.speed if rests is None else min(each.speed, moment(fight, rests))


def _drop_dependents(fight: Fight, before: tuple[Pending, ...]) -> Play[Fight]:
    """Removes sets that depended on a spoiled set."""
    spoilt = [
        earlier for earlier in before if not any((pending.who, pending.place) == (earlier.who, earlier.place) for pending in fight.pending)
    ]
    for gone in spoilt:
        lost = [candidate for candidate in fight.pending if gone.place and candidate.who == gone.who and candidate.needs == gone.place]
        for candidate in lost:
            yield Tell(Happened(candidate.who, f"gives up {action_phrase(words_of(candidate.act))}: {the_act(gone.act)} failed", "bad"))
        fight = replace(fight, pending=tuple([candidate for candidate in fight.pending if candidate not in lost]))
    return fight


def still_armed(before: Fight, fight: Fight, pending: Pending) -> Pending:
    """A fighter disarmed at this Speed still strikes with the weapon."""
    if fight.group(pending.who) is not None or pending.act.weapon:
        return pending
    number = before.fighter(pending.who).in_hand
    return pending if fight.fighter(pending.who).in_hand == number else replace(pending, act=replace(pending.act, weapon=number))


def _next_at(fight: Fight, speed: tuple[int, ...]) -> Pending | None:
    """The next set at this Speed; dependencies first."""
    pendings = [candidate for candidate in fight.pending if not candidate.counters and moment(fight, candidate) == speed]
    if len(pendings) < 2:
        return pendings[0] if pendings else None
    needed = {(candidate.who, candidate.needs) for candidate in pendings if candidate.needs}
    return next((candidate for candidate in pendings if (candidate.who, candidate.place) in needed), pendings[0])


def _ask_when_to_act(rules: Ruleset, fight: Fight, item: Pending) -> Play[Fight]:
    """Asks a waiting fighter after which slower set to act; without one the action is lost."""
    slower = sorted({other.speed for other in fight.pending if other.speed < item.speed and other is not item}, reverse=True)
    others = tuple([other for other in fight.pending if other is not item])
    if not slower:
        yield Tell(Happened(item.who, "waits in vain and loses the action"))
        yield from closed(rules, fight, item, "in vain")
        return replace(fight, pending=others)
    options = tuple([Option(written(speed), f"At Speed {written(speed)}", speed) for speed in slower])
    speed = yield from Choice(item.who, "When do you act?", options, Situation(fight, item.who, rules), "wait")
    return replace(fight, pending=(*others, replace(item, act=replace(item.act, wait=False), speed=speed)))


def end_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Ends the round: escapes, then effects of time."""
    for plan in people(fight):
        if any(act.kind == "run" and act.away for act in plan.acts) and fight.able(plan.who):
            fight = yield from escapes_the_fight(fight, plan.who)
    fight = yield from time_passes(rules, fight)
    if fight.powers:
        fight = yield from powers_pass(rules, fight)
    for name in [fighter.name for fighter in fight.fighters if fighter.reserve.unburnt]:
        fight = yield from burns_on_return(rules, fight, name)
    return replace(fight, phase="begin", order=(), plans=(), pending=(), plain="")
