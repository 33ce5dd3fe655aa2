"""Applying a set: whether it is still possible, counters, and the rest (book lines 4236-4252, 463-473)."""

from msgspec.structs import replace

from rulewright.play import Choice, Happened, Play, Range, Scale, Tell, came_to
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Pending, Situation
from rulewright.systems.ore.drama.determination import in_time
from rulewright.systems.ore.fight.actions.base import Names, the_act
from rulewright.systems.ore.fight.actions.powers.events import WORKS
from rulewright.systems.ore.fight.actions.powers.harm import state_of
from rulewright.systems.ore.fight.actions.registry import action_of
from rulewright.systems.ore.fight.events import BLOWS, COMES_OFF, Countered, tries
from rulewright.systems.ore.fight.feats.effects import attack_help
from rulewright.systems.ore.fight.powers.active import POWER_KINDS, bent
from rulewright.systems.ore.fight.powers.sustained import when_hurt
from rulewright.systems.ore.fight.resolution.gunfire import ready
from rulewright.systems.ore.fight.resolution.lost_dice import loses_a_die
from rulewright.systems.ore.fight.resolution.parley import after_a_devastating_strike
from rulewright.systems.ore.fight.resolution.strikes import arm_gone, hits, marked, weapon_of
from rulewright.systems.ore.harm.body import Located, shock_to, shrugs
from rulewright.systems.ore.harm.events import Suffered
from rulewright.systems.ore.log_phrases import action_name
from rulewright.systems.ore.people.feat_effects import NO_HELP, RULE
from rulewright.systems.ore.resolution.contests import spoiled_at


def resolved(rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
    """Applies one set; returns who loses dice, once per die. Fighters who fall at the same Speed still act and can be hit."""
    act, action = pending.act, action_of(pending.act)
    if act.spare in _OPENINGS and (_OPENINGS[act.spare], act.target) not in fight.fighter(pending.who).marks:
        return fight, ()
    vain = _why_in_vain(rules, before, fight, pending)
    if vain is not None:
        yield Tell(vain)
        yield from closed(rules, fight, pending, "in vain")
        return fight, ()
    if not action.targeted:
        after, names = yield from action.happens(rules, before, fight, pending)
        yield from closed(rules, fight, pending, COMES_OFF)
        return after, names
    fight, width = yield from defended(rules, fight, pending, before)
    if not width:
        yield Tell(Happened(pending.who, f"is stopped by {act.target}"))
        yield from closed(rules, fight, pending, "stopped")
        return fight, ()
    struck = fight
    fight, dice = yield from action.lands(rules, fight, pending, width)
    scale, works = scale_of(rules, fight, pending.who, act), fight != struck
    done = ("works" if works else "nothing") if scale is WORKS else COMES_OFF if works else "no effect"
    yield from closed(rules, fight, pending, harm_done(struck, fight, act.target) if scale is BLOWS else done)
    if fight.powers:
        fight = yield from when_hurt(rules, struck, fight, act.target)
    if action.blow and rules.on("devastating-strikes") and _is_devastating(struck, fight, act.target):
        fight = yield from after_a_devastating_strike(rules, fight, act.target, width, pending.height)
    return fight, (act.target,) * dice


def _why_in_vain(rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Happened | None:
    """Why a set has no effect when it is applied; None if it has."""
    act, action = pending.act, action_of(pending.act)
    if action.with_weapon and arm_gone(rules, before, pending):
        return Happened(pending.who, f"cannot use the arm for {the_act(act)}", "bad")
    if not action.targeted:
        return None
    if not before.able(act.target):
        return Happened(pending.who, f"cannot attack {act.target}, who is out of the fight")
    if weapon_of(rules, fight, pending, action.bare).close and fight.distance(pending.who, act.target) > REACH:
        return Happened(pending.who, f"cannot reach {act.target}")
    if fight.powers and action.blow and weapon_of(rules, fight, pending).kind == "energy" and bent(fight, act.target):
        return Happened(pending.who, f"misses: the beam bends away from {act.target}")
    if fight.hiding and not fight.sees(pending.who, act.target):
        return Happened(pending.who, f"cannot see {act.target}")
    if dodged_by_dancing(rules, fight, pending):
        return Happened(act.target, f"dances out of reach of the {pending.width}x{pending.height}", "good")
    return None


def scale_of(rules: Ruleset, fight: Fight, who: str, act: Act) -> Scale:
    """The scale of outcomes of an act."""
    if act.kind in POWER_KINDS:
        hurts = act.target and fight.fighter(who).profile.power(act.skill).row(rules).works in HURTING
        return BLOWS if hurts else WORKS
    return BLOWS if action_of(act).blow else tries(action_of(act).goal)


def closed(rules: Ruleset, fight: Fight, pending: Pending, text: str) -> Tell:
    """Reports the outcome of a set; a success is named by what the action is for."""
    scale = scale_of(rules, fight, pending.who, pending.act)
    return came_to(scale.counts if text == COMES_OFF else text, scale, pending.who, pending.act.target)


def given_up(rules: Ruleset, fight: Fight, before: tuple[Pending, ...]) -> Play[None]:
    """Reports fighters whose waiting sets were all spoiled."""
    if fight.pending is before:
        return
    left = {candidate.who for candidate in fight.pending if not candidate.counters}
    for who in dict.fromkeys([candidate.who for candidate in before if not candidate.counters and candidate.who not in left]):
        yield from closed(
            rules, fight, next(candidate for candidate in before if candidate.who == who and not candidate.counters), "spoiled"
        )


def harm_done(before: Fight, after: Fight, target: str) -> str:
    """The outcome for a target on the scale of blows."""
    group = before.group(target)
    if group is not None and (left := after.group(target)) is not None:
        return "down" if left.mob.number < group.mob.number else "hurt" if left.mob != group.mob else "no harm"
    return state_of(before.fighter(target).body, after.fighter(target).body)


def _is_devastating(before: Fight, after: Fight, target: str) -> bool:
    """Whether a blow took out a mook, killed a person or destroyed a location."""
    was, now = before.group(target), after.group(target)
    if was is not None and now is not None:
        return now.mob.number < was.mob.number
    old, new = before.fighter(target).body, after.fighter(target).body
    lost = isinstance(old, Located) and isinstance(new, Located) and sum(p.slain for p in new.parts) > sum(p.slain for p in old.parts)
    return lost or (new.dead and not old.dead)


def dodged_by_dancing(rules: Ruleset, fight: Fight, attack: Pending) -> bool:
    """Whether a Water Dance avoids a blow: its Width is the Difficulty of every blow at the dancer."""
    dances = [candidate.width for candidate in fight.pending if candidate.act.kind == "water dance" and candidate.who == attack.act.target]
    return bool(dances) and attack.height < max(dances) and weapon_of(rules, fight, attack, action_of(attack.act).bare).close


@rule("ore-4.04-no-reaction-to-faster")
def answers(rules: Ruleset, fight: Fight, attack: Pending, before: Fight | None = None) -> tuple[Pending, ...]:
    """The defences that can counter an attack: fast enough, high enough and of the right kind."""
    if fight.group(attack.act.target) is not None:
        return ()
    high = [
        candidate
        for candidate in fight.pending
        if candidate.counters and (candidate.height >= attack.height or candidate.who == attack.act.target)
    ]
    if fight.with_feats:
        high = [candidate for candidate in high if high_enough(rules, fight, attack, candidate)]
    else:
        high = [candidate for candidate in high if candidate.height >= attack.height]
    fast = [candidate for candidate in high if in_time(rules, candidate.speed, attack.speed)]
    if not fast:
        return ()
    weapon = weapon_of(rules, fight, attack, action_of(attack.act).bare)
    fits = [candidate for candidate in fast if action_of(candidate.act).answers(rules, fight, attack, candidate, weapon)]
    return tuple([fit for fit in fits if not _is_disabled(rules, before or fight, fit)])


def high_enough(rules: Ruleset, fight: Fight, attack: Pending, own: Pending) -> bool:
    """Whether counter dice reach an attack, with feats of both."""
    given = attack_help(rules, fight, attack)
    height = max(attack.height + given.amount("height against counters"), given.amount("least height against counters"))
    if "any set spoils" in attack_help(rules, fight, own):
        return True
    return own.height > height if "wins ties of height" in given else own.height >= height


def after_a_parry(rules: Ruleset, fight: Fight, attack: Pending, own: Pending) -> Play[Fight]:
    """Feats after a successful counter: Shock to the attacker, an unarmed strike, spare sets."""
    fight = marked(fight, own.who, SPOILED, attack.who)
    fight = marked(fight, attack.who, STOPPED, own.who)
    given = attack_help(rules, fight, own)
    if fight.group(attack.who) is not None or given is NO_HELP:
        return fight
    shock = given.amount("shock to the attacker")
    if shock:
        other = fight.fighter(attack.who)
        body, shock, _ = yield from shrugs(other.body, shock, by=other.name)
        what = f"is hurt by the {action_name(own.act.kind)} of {own.who}"
        yield Tell(Suffered(other.name, what, given.by[0], shock, location=other.weapon_arm, rule=RULE))
        fight = fight.put(replace(other, body=shock_to(rules, body, other.weapon_arm, shock) if shock else body))
    if "strikes back unarmed" in given and fight.able(attack.who):
        yield Tell(Happened(own.who, f"controls {attack.who}'s weapon and strikes"))
        number = fight.fighter(own.who).in_hand
        struck = Pending(own.who, Act("attack", attack.who), own.width, own.height, own.speed)
        fight, dice = yield from hits(rules, fight.change(own.who, in_hand=0), struck, own.width)
        fight = fight.change(own.who, in_hand=number)
        for _ in range(dice):
            fight = replace(fight, pending=(yield from loses_a_die(rules, fight.pending, attack.who)))
    return fight


HURTING = ("harm", "scorch", "force")
"""Powers rated by the harm to their target."""
SPOILED, STOPPED = "spoiled", "stopped"
_OPENINGS = {"riposte": SPOILED, "remise": STOPPED, "overrun": "never"}
"""What a spare set waits for: a spoiled attack of the opponent, or a stopped own attack."""


def _is_disabled(rules: Ruleset, fight: Fight, defence: Pending) -> bool:
    """Whether the parrying arm was Out before; a shield has its own arm."""
    return action_of(defence.act).with_weapon and arm_gone(rules, fight, defence) and not ready(fight.fighter(defence.who)).shield


def defended(rules: Ruleset, fight: Fight, attack: Pending, before: Fight | None = None) -> Play[tuple[Fight, int]]:
    """The Width left after counter dice; with several attacks coming the defender chooses how many dice to spend."""
    width, spoiled = attack.width, spoiled_at(rules)
    with_feats = fight.with_feats
    for defence in answers(rules, fight, attack, before):
        less = attack_help(rules, fight, attack).amount("counter dice") if with_feats else 0
        if defence.width + less < 1:
            continue
        useful = min(defence.width + less, max(width - spoiled, 1))  # a single die spoils a Run
        whole = with_feats and "any set spoils" in attack_help(rules, fight, defence)
        if whole:
            useful = min(defence.width, 1)
        spent = useful
        if any(candidate.act.target == defence.who and not candidate.counters for candidate in fight.pending):
            about = Situation(fight, defence.who, rules)
            ask = f"How many dice of your {defence.width}x{defence.height} do you spend against {attack.who}'s {width}x{attack.height}?"
            spent = yield from Choice[int](defence.who, ask, Range(0, useful), about, "counter")
        if not spent:
            continue
        left = replace(defence, width=defence.width - spent)
        pending = [left if candidate is defence else candidate for candidate in fight.pending if candidate is not defence or left.width]
        fight = replace(fight, pending=tuple(pending))
        verb = action_of(defence.act).did
        left_over = 0 if whole else width - spent
        yield Tell(Countered(defence.who, verb, width if whole else spent, defence.width, (width, attack.height), left_over, whole))
        width = 0 if whole else width - spent
        if width <= spoiled:
            marks = with_feats or defence.act.kind == "counter power"
            return (yield from after_a_parry(rules, fight, attack, defence)) if marks else fight, 0
    return fight, width
