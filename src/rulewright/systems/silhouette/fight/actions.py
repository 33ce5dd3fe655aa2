"""What somebody can do with an action, and how it is carried out (book lines 1917-1998)."""

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Scale, Together, came_to
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.rounds import FOR_ANYONE, Ready, Trigger, sets_off
from rulewright.systems.silhouette.attacks.area_fire import saturate_ground, walk_fire
from rulewright.systems.silhouette.attacks.blows import bruises
from rulewright.systems.silhouette.attacks.emergencies import spend_emergency_dice
from rulewright.systems.silhouette.attacks.forms import burden
from rulewright.systems.silhouette.attacks.parts import resolve_all
from rulewright.systems.silhouette.attacks.shots import PHYSICAL, can_reach, lob_grenade, put_at, ranged_attack, throw_weapon
from rulewright.systems.silhouette.attacks.snares import get_free
from rulewright.systems.silhouette.combat.events import happened, managed
from rulewright.systems.silhouette.combat.fighters import (
    Action,
    Fight,
    Fighter,
    Kind,
    Situation,
    Swing,
    hands_of,
    reach_of,
    striking_weapon,
)
from rulewright.systems.silhouette.combat.shooting import aimed_dice
from rulewright.systems.silhouette.combat.stances import in_stance
from rulewright.systems.silhouette.fight.options import ASK_HOW, choose_way
from rulewright.systems.silhouette.people.skills import attribute_of
from rulewright.systems.silhouette.resolution.tests import Mod, action_test, passes, skill_pool

OPENS: dict[Kind, str] = {
    "shoot": "shoot",
    "walk fire": "shoot",
    "saturate": "shoot",
    "throw": "throw",
    "lob": "throw",
    "load": "load",
    "clear": "clear a jam",
    "pick up": "pick up",
    "sheathe": "sheathe",
    "draw": "draw",
    "ready": "ready",
    "strike": "strike",
}
"""What each action is called in the table of what lets the guard down."""


# --- doing it -----------------------------------------------------------------------------------------------------------------


def do(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
    """Carry out one action; of a blow or shot everything is decided here but the dice, which are left to be done."""
    kind = action.kind
    if action.technique is ASK_HOW or action.technique == ASK_HOW:
        action = yield from choose_way(rules, fight, name, action, penalty)
    if kind == "strike":
        return fight.first(Swing(name, action, penalty))
    if kind == "shoot":
        return (yield from ranged_attack(rules, fight, name, action, penalty))
    if kind == "throw":
        return (yield from throw_weapon(rules, fight, name, action, penalty))
    if kind == "lob":
        return (yield from lob_grenade(rules, fight, name, action, penalty))
    if kind == "walk fire":
        return (yield from walk_fire(rules, fight, name, action, penalty))
    if kind == "saturate":
        return (yield from saturate_ground(rules, fight, name, action, penalty))
    if kind == "aim":
        return (yield from aim(rules, fight, name, action.target))
    if kind == "get free":
        return (yield from get_free(rules, fight, name, penalty))
    if kind == "use a skill":
        return (yield from use_skill(rules, fight, name, penalty))
    if kind == "ready":
        return (yield from make_ready(fight, name, replace(action.ready or FOR_ANYONE, penalty=penalty)))
    fighter = fight.fighter(name)
    yield happened(fight, name, said(fighter, action))
    return fight.put(done(fighter, action))


def said(fighter: Fighter, action: Action) -> str:
    """What doing something without a test looks like."""
    weapon = fighter.profile.weapons[action.weapon].name
    return {
        "clear": f"clears the jammed {weapon}",
        "draw": f"turns to the {weapon}"
        if fighter.profile.weapons[action.weapon].natural
        else f"draws the {weapon}{_letting_fall(fighter, action.weapon)}",
        "sheathe": f"puts the {weapon} away",
        "load": f"loads the {weapon}",
        "stand": "stands up",
        "drop": "drops prone",
        "pick up": f"picks up the {weapon}{_letting_fall(fighter, action.weapon)}",
        "shield": "lets the shield go" if fighter.shield_up else "readies the shield",
    }[action.kind]


def _letting_fall(fighter: Fighter, at: int) -> str:
    """What falls to the ground when another weapon is taken in hand."""
    return f", letting the {fighter.weapon.name} fall" if fighter.in_hand and lets_fall(fighter, at) else ""


def lets_fall(fighter: Fighter, at: int) -> bool:
    """Whether another weapon can be taken in hand only by letting fall the one that is there; with more limbs both are held."""
    if fighter.profile.weapons[at].natural:
        return False
    held = fighter.weapon.hands + fighter.profile.weapons[at].hands + (1 if fighter.shield_up else 0)
    return not fighter.weapon.natural and (not fighter.profile.plan.limbs or held > hands_of(fighter, fighter.body))


def done(fighter: Fighter, action: Action) -> Fighter:
    """Somebody who has done something without a test. A weapon drawn while another is in hand lets that one fall."""
    at, kind = action.weapon, action.kind
    weapon = fighter.profile.weapons[at]
    still = replace(fighter, aim=0, aim_at="") if fighter.aim else fighter
    if kind == "clear":
        return replace(fighter, jammed=put_at(fighter.jammed, at, False))
    if kind == "load":
        waits = max(0, fighter.unready[at] - 1)
        full = weapon.magazine if not fighter.unready[at] else fighter.ammo[at]
        return replace(fighter, ammo=put_at(fighter.ammo, at, full), unready=put_at(fighter.unready, at, waits))
    if kind in ("draw", "pick up"):
        gone = fighter.gone
        if fighter.in_hand and lets_fall(fighter, at):
            gone = put_at(gone, fighter.in_hand, "dropped")
        keeps = fighter.shield_up and weapon.hands < hands_of(fighter, fighter.body)
        return replace(still, in_hand=at, gone=put_at(gone, at, ""), shield_up=keeps)
    if kind == "sheathe":
        return replace(still, in_hand=0)
    if kind == "shield":
        return replace(fighter, shield_up=not fighter.shield_up)
    if kind == "stand":
        return replace(still, pace="stationary")
    return replace(still, pace="prone")


def aim(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """A round of aiming at one target, without moving."""
    fighter = fight.fighter(name)
    level = fighter.profile.level(fighter.weapon.aims_with)
    rounds = min(fighter.aim + 1 if fighter.aim_at == target else 1, max(1, level))
    yield happened(fight, name, f"aims at {target} (+{aimed_dice(rules, level, rounds) - level} dice)")
    return fight.put(replace(fighter, aim=rounds, aim_at=target))


TRYING = Scale(("fumble", "failure", "success"), ("success",), "succeeds", "fails")
"""What a test against a Threshold can come to."""


def use_skill(rules: Ruleset, fight: Fight, name: str, penalty: int) -> Play[Fight]:
    """A task in the middle of a fight: the skill is named, the gamemaster says how hard it is, and the roll decides."""
    fighter = fight.fighter(name)
    learnt = [trained.skill for trained in fighter.profile.skills if trained.level > 0] or ["athletics"]
    options = tuple([Option(skill, skill.capitalize(), skill) for skill in learnt])
    about = Situation(fight, name, rules)
    skill = yield from Choice(name, "Which skill do you use?", options, about, "way", fighter.hidden)
    asked = f"{name} uses {skill.capitalize()}. How hard is it?"
    threshold = yield from Choice[int](GAMEMASTER, asked, Range(0, 15), about, "threshold", fighter.hidden)
    trained, body = fighter.profile.trained(skill), fight.acting_body(fighter)
    attribute = attribute_of(rules, skill)
    mods = (
        *trained.mods,
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions"),
        Mod("action penalty", body.acting_penalty, "sil-3.5.2-action-penalties"),
        *(burden(body) if attribute in PHYSICAL else ()),
    )
    own = fighter.profile.attribute(attribute)
    pool = skill_pool(rules, trained.level, own, trained.complexity, 1, False, attribute.capitalize(), mods)
    pool = in_stance(rules, replace(pool, hero=fighter.profile.hero), fighter.stance, "task", False)
    fight, pool = yield from spend_emergency_dice(rules, fight, name, pool, skill)
    test = yield from action_test(rules, pool, threshold, name, skill)
    passed = passes(rules, test.total, test.threshold)
    said = f"uses {skill.capitalize()}: {'success' if passed else 'failure'} by {abs(test.margin)}{', and a fumble' if test.fumble else ''}"
    yield managed(fight, name, said, test, "sil-1.2.4-skill-test", "good" if passed else "bad")
    yield came_to("fumble" if test.fumble else "success" if passed else "failure", TRYING, name)
    return fight


# --- waiting ------------------------------------------------------------------------------------------------------------------


def make_ready(fight: Fight, name: str, ready: Ready) -> Play[Fight]:
    """Hold the action until something happens; then it comes before whoever brought it about can act."""
    yield happened(fight, name, f"stands ready in case {ready.of or 'anyone'} {ready.trigger}")
    return fight.change(name, ready=ready)


_FIRE: tuple[Option[bool], ...] = (Option("act", "Act now", True), Option("hold", "Hold on", False))


def interrupts(rules: Ruleset, fight: Fight, name: str, event: Trigger) -> Play[Fight]:
    """Everybody whose readied action this sets off is asked at once; those who act do so before the one who set it off can."""
    actor = fight.fighter(name)
    waiting = [f for f in fight.fighters if _waits_for(fight, f, actor, event) and _reply(rules, f, actor) is not None]
    if not waiting:
        return fight
    question = f"{name} {event}. Do you act first?"
    asked = [Choice(f.name, question, _FIRE, Situation(fight, f.name, rules), "interrupt", f.hidden) for f in waiting]
    answers = yield from Together(tuple(asked))
    for waiter, goes in zip(waiting, answers, strict=True):
        if goes:
            fight = yield from _act_first(rules, fight, waiter.name, name)
    return fight


def _act_first(rules: Ruleset, fight: Fight, waiter: str, actor: str) -> Play[Fight]:
    """A readied action comes up: what it does to the one who set it off counts at once."""
    one, other = fight.fighter(waiter), fight.fighter(actor)
    reply = _reply(rules, one, other) if one.body.able and other.body.able else None
    if reply is None or one.ready is None:
        return fight
    penalty = one.ready.penalty
    later = fight.todo
    fight = replace(fight.put(replace(one, ready=None)), todo=())
    fight = yield from do(rules, fight, waiter, reply, penalty)
    fight = replace((yield from resolve_all(rules, fight)), todo=later)
    if fight.frozen and fight.fighter(actor).body is not other.body:
        fight = replace(fight, frozen=tuple([moment for moment in fight.frozen if moment.name != actor]))
    return fight


def _waits_for(fight: Fight, waiter: Fighter, actor: Fighter, event: Trigger) -> bool:
    ready = waiter.ready
    if ready is None or ready.delays or not waiter.body.able or waiter.side == actor.side or actor.hidden or not fight.sees(waiter, actor):
        return False
    return sets_off(ready, event, actor.name)


def _reply(rules: Ruleset, waiter: Fighter, actor: Fighter) -> Action | None:
    """What a readied person does to the one who set it off: shoot, strike within reach, or throw."""
    if waiter.body.snared is not None:
        return None
    weapon, metres, at = waiter.weapon, waiter.distance(actor), waiter.in_hand
    if weapon.fires is not None:
        if waiter.loaded and can_reach(rules, waiter, weapon, metres):
            return Action("shoot", actor.name, weapon=at)
    elif weapon.blast is not None:
        return None
    close = striking_weapon(waiter)
    if metres <= reach_of(rules, waiter.profile, waiter.profile.weapons[close]):
        return Action("strike", actor.name, weapon=close, bruise=bruises(waiter, waiter.profile.weapons[close], True))
    if weapon.thrown is not None and can_reach(rules, waiter, weapon, metres, thrown=True):
        return Action("throw", actor.name, weapon=at)
    return None
