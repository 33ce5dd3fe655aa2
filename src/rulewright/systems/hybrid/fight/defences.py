"""Defenses: parry, block, crouch, dodge, closing in and fending, and their results (book chapter 8)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.field.places import pushed
from rulewright.grammar import the
from rulewright.play import Choice, Happened, Play, Scale, Tell, came_to, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.hybrid.combat.arms import Arm
from rulewright.systems.hybrid.combat.attack_setup import ATTACK, fate
from rulewright.systems.hybrid.combat.attack_terms import Reckons, Tries
from rulewright.systems.hybrid.combat.attacks import (
    CROUCH,
    NO_ANSWER,
    PRONE,
    Answer,
    Comes,
    Guard,
    Parried,
    Strike,
    against_defense,
    block_modifier,
    dodge_counts,
    half_speed,
    landing,
    parry_modifier,
    told_of,
)
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Fighter, defense_of, guard_of, may_react, situation, watching
from rulewright.systems.hybrid.combat.maneuvers import CLOSING, close_in, fend_check, fend_counts, must_close
from rulewright.systems.hybrid.fight.log_events import About, leaves_off, react
from rulewright.systems.hybrid.fight.options import options
from rulewright.systems.hybrid.harm.damage import Blow, Body, wound
from rulewright.systems.hybrid.people.perception import InPassing, perceive_passively
from rulewright.systems.hybrid.resolution.tests import Check, Checked, Mod, limits, skill_check

STEPPED_BACK = 2.0
FEND = Scale(("gets inside", "gets inside, hurt", "kept outside", "out of it"), ("kept outside", "out of it"), "keeps off", "gets inside")


class Met(Struct, frozen=True):
    """How the target meets an attack: the fight after it, what is rolled against the attack, and whether the target ducked away."""

    fight: Fight
    answer: Answer = NO_ANSWER
    way: str = "defend"
    crouched: bool = False
    moved: bool = False
    """Whether a dodge or a drop was begun."""


def meet(rules: Ruleset, fight: Fight, name: str, target: str, *, now: int, arm: Arm, blow: bool = True) -> Play[Met]:
    """The target decides how to meet an attack; every way has its price in counts. A grip is no blow: nothing to block or to roll with."""
    foe = fight.fighter(target)
    if not may_react(rules, fight, foe) or foe.fooled_by == name:
        return Met(fight)
    flag = fight.holder(target) is not None and rules.word("in-a-hold") == "struggle"
    guard = _guard(foe) if not arm.mental and not flag else None
    if guard is not None and not arm.natural and guard.natural:
        guard = None
    keys = _ways_to_meet(rules, fight, foe, now, arm=arm, guarded=guard is not None, blow=blow)
    asked = f"{name} attacks with {the(arm.name)}. How do you defend?"
    way = yield from Choice(target, asked, options(keys), About(rules, fight, target, name), "answer")
    if way == "crouch":
        return Met(fight.change(target, at=foe.at + CROUCH.of(rules, "counts")), way=way, crouched=True)
    if way in ("dodge", "drop prone"):
        return (yield from _gets_away(rules, fight, target, now, way))
    answer = _answer(rules, fight, foe, guard, comes=_comes(arm), way=way)
    if guard is not None and answer is not NO_ANSWER:
        yield from Tell(_tries_to(rules, fight, foe, guard, answer, comes=_comes(arm)))
        fight = fight.change(target, at=foe.at + half_speed(rules, guard.speed).value)
    return Met(fight, answer, way)


def _tries_to(rules: Ruleset, fight: Fight, foe: Fighter, guard: Arm, answer: Answer, *, comes: Comes) -> Tries:
    """A parry or a block before it is rolled, with everything that bears on it."""
    parries = answer.way == "parry"
    mod, base = (parry_modifier(rules, comes), guard.parry) if parries else (block_modifier(rules), guard.block)
    words = f"to {answer.way} with {the(guard.name)}{', with the margin of the attack as a penalty' if parries else ''}"
    return Tries(
        foe.name, words, rules, fight, foe, base=base, check=answer.check, mods=(mod,), offensive=False, arm=guard, action=answer.way
    )


def guard_chances(rules: Ruleset, fight: Fight, target: str, attacker: str) -> dict[str, float]:
    """The chances in percent with which a target parries or blocks the attack under way.

    A parry is taken against a middling attack. Wounds and surroundings, which hinder both alike, are left out.
    """
    foe, me = fight.fighter(target), fight.fighter(attacker)
    arm = me.uses(me.doing) if me.doing is not None and me.doing.what == "attack" else me.fists
    guard = _guard(foe)
    if guard is None:
        return {"parry": 0.0, "block": 0.0}
    return _guard_chances(rules, guard, arm, foe.profile.pdf)


@cached(20_000)
def _guard_chances(rules: Ruleset, guard: Arm, arm: Arm, defense: int) -> dict[str, float]:
    parry = guard.parry.plus(df=parry_modifier(rules, _comes(arm)).value)
    block = guard.block.plus(df=block_modifier(rules).value)
    attack = against_defense(rules, arm.check, defense)
    return {"parry": max(1.0, limits(rules, parry).chance - limits(rules, attack).chance / 2), "block": float(limits(rules, block).chance)}


def _gets_away(rules: Ruleset, fight: Fight, name: str, now: int, way: str) -> Play[Met]:
    """A person dodges or drops, whatever they were doing."""
    yield from leaves_off(fight, name)
    yield from Tell(Happened(name, "dodges" if way == "dodge" else "drops"))
    return Met(fight.put(getting_away(rules, fight.fighter(name), now, way)), way=way, moved=True)


def roll_with(rules: Ruleset, fight: Fight, name: str, target: str, *, way: str, blow: Blow | None) -> Play[Blow | None]:
    """Ask a target with no other defense left whether to roll with a blow that will hit (book line 1137)."""
    foe = fight.fighter(target)
    if blow is None or way != "defend" or foe.fooled_by == name or not may_react(rules, fight, foe):
        return blow
    keys, about = ("take it", "roll with the blow"), About(rules, fight, target, name)
    if (yield from Choice(target, f"{name} will hit you. Do you roll with the blow?", options(keys), about, "roll with it")) == "take it":
        return blow
    return replace(blow, rolled_with=True, rolling=rolling(rules, fight, foe, blow.mental))


def rolling(rules: Ruleset, fight: Fight, foe: Fighter, mental: bool = False) -> int:
    """Returns the modifier to rolling with a blow."""
    return situation(rules, fight, foe, offensive=False, kind="mental" if mental else "physical")


def _answer(rules: Ruleset, fight: Fight, foe: Fighter, guard: Arm | None, *, comes: Comes, way: str) -> Answer:
    """Returns the roll that the target makes beside its defense."""
    if guard is None or way not in ("parry", "block"):
        return NO_ANSWER
    bears = situation(rules, fight, foe, offensive=False)
    if way == "parry":
        return Answer("parry", guard.parry.plus(df=bears + parry_modifier(rules, comes).value), by=foe.name)
    return Answer("block", guard.block.plus(df=bears + block_modifier(rules).value), guard.dice, guard.flat, foe.name)


def _ways_to_meet(rules: Ruleset, fight: Fight, foe: Fighter, now: int, *, arm: Arm, guarded: bool, blow: bool) -> tuple[str, ...]:
    keys = ["defend"]
    if guarded:
        keys += ["parry", "block"] if blow else ["parry"]
    stands = guard_of(rules, foe, now)
    if arm.mental:
        return tuple(keys)
    keys += ["crouch"] if stands == "normal" else []
    return (*keys, *_ways_out(rules, fight, foe, stands))


def _ways_out(rules: Ruleset, fight: Fight, fighter: Fighter, stands: Guard) -> tuple[str, ...]:
    """Whether a person can throw themselves out of the way; nobody can who is tied to another."""
    tied = fighter.holding or fighter.bound_with or fight.holder(fighter.name) is not None
    if not rules.on("dodge-answers") or stands not in ("normal", "evading") or tied:
        return ()
    return ("dodge",) if fight.ground.weightless else ("dodge", "drop prone")


def getting_away(rules: Ruleset, foe: Fighter, now: int, way: str) -> Fighter:
    """A person leaves what they were doing and throws themselves out of the way (ruling: the book gives the parts of a dodge alone)."""
    took = dodge_counts(rules) if way == "dodge" else PRONE.of(rules, "counts")
    doing = Doing("dodge" if way == "dodge" else "drop prone", "", now, "evading" if foe.evading else "")
    return replace(foe, doing=doing, at=now + took, pace="no move", evading=False, waiting=False)


def _guard(fighter: Fighter) -> Arm | None:
    """Returns the arm that a person parries with: a shield where there is one, else the weapon in hand."""
    for place, arm in enumerate(fighter.profile.arms):
        if arm.shield and place not in fighter.lost:
            return arm
    return fighter.arm if fighter.arm.use == "melee" and not fighter.bound_with else None


def _comes(arm: Arm) -> Comes:
    """How an attack comes, for a parry."""
    if arm.type in ("energy", "laser"):
        return "energy"
    if arm.use in ("missile", "spell"):
        return "projectile"
    return "thrown" if arm.use == "thrown" else "melee"


def strike_at(
    rules: Ruleset,
    fight: Fight,
    name: str,
    target: str,
    *,
    now: int,
    comes: Strike,
    arm: Arm,
    why: tuple[Fighter, Doing, Check, tuple[Mod, ...]],
) -> Play[Fight]:
    """An attack meets its target, who may do more than just defend; `why` is what its chance is reckoned from."""
    met = yield from meet(rules, fight, name, target, now=now, arm=arm)
    comes = as_met(rules, comes, met, target, now=now, arm=arm)
    result = yield from landing(rules, comes, met.answer)
    me, doing, base, mods = why
    reckoned = Reckons(rules, met.fight, me, doing, arm, now=now, base=base, mods=mods, crouched=met.crouched)
    yield from Tell(told_of(comes, target, result, reckoned))
    return (yield from lands(rules, met.fight, name, target, now=now, arm=arm, way=met.way, blow=result.blow, parried=result.parried))


def lands(
    rules: Ruleset, fight: Fight, name: str, target: str, *, now: int, arm: Arm, way: str, blow: Blow | None, parried: Parried | None
) -> Play[Fight]:
    """Resolve an attack after its roll and its defense: rolling with the blow, damage and side effects."""
    blow = yield from roll_with(rules, fight, name, target, way=way, blow=blow)
    body = fight.fighter(target).body
    word = "parried" if parried is not None and parried.success else "miss"
    if blow is not None:
        before = body
        body = yield from sub(wound, rules, body, blow, now, name)
        way, word = "roll with the blow" if blow.rolled_with else way, fate(before, body, blow.topples)
    yield from came_to(word, ATTACK, name, target)
    return (yield from after_blow(rules, fight, name, target, now=now, arm=arm, way=way, body=body, parried=parried))


def as_met(rules: Ruleset, comes: Strike, met: Met, target: str, *, now: int, arm: Arm) -> Strike:
    """An attack with the defense of a target that ducks or gets away."""
    if not met.crouched and not met.moved:
        return comes
    return replace(comes, defense=defense_of(rules, met.fight.fighter(target), now, arm.mental, met.crouched))


def after_blow(
    rules: Ruleset, fight: Fight, name: str, target: str, *, now: int, arm: Arm, way: str, body: Body, parried: Parried | None
) -> Play[Fight]:
    """The outcome of an attack for both: the target met it in this way, was left with this body, and may have parried it."""
    foe = fight.fighter(target)
    foe = replace(foe, body=body, aware=True, fooled_by="" if foe.fooled_by == name else foe.fooled_by)
    if foe.body.prone and not fight.fighter(target).body.prone:
        foe = replace(foe, pace="no move", doing=None if foe.doing is not None and foe.doing.what == "approach" else foe.doing)
    if not foe.body.awake:
        foe = replace(foe, doing=None, holding="", hold=0, bound_with="", waiting=False)
    fight = fight.put(foe)
    if way == "roll with the blow" and foe.body.awake:
        yield from leaves_off(fight, target)
        fight = yield from react(rules, fight, target, now)
    if parried is None or not parried.success or arm.use != "melee":
        return fight  # only weapons that are held can be bound, and only who holds one loses balance (ruling)
    return (yield from _parried(fight, name, target, arm, parried))


def _parried(fight: Fight, name: str, target: str, arm: Arm, parried: Parried) -> Play[Fight]:
    """Applies a parry to weapons and to the attacker."""
    me, foe = fight.fighter(name), fight.fighter(target)
    fight = fight.put(replace(me, off_balance=min(me.off_balance, parried.off_balance)))
    if parried.bound and not arm.natural and not foe.arm.natural:
        yield from Tell(Happened(name, f"and {target} have their weapons bound"))
        return fight.change(name, bound_with=target, advancing=True).change(target, bound_with=name)
    if parried.off_balance:
        yield from Tell(Happened(name, f"is off balance ({parried.off_balance})"))
    return fight


def notice(rules: Ruleset, fight: Fight, target: str) -> Play[Fight]:
    """Let an unaware target notice an attack by passive perception."""
    foe = fight.fighter(target)
    if foe.aware or not foe.entered or not fight.able(rules, foe) or not rules.on("noticed-in-passing"):
        return fight
    watcher = watching(rules, fight, foe, passing=True)
    seen = yield from perceive_passively(rules, watcher)
    yield from Tell(InPassing(target, seen.success, rules, watcher, known_to=None if seen.success else ()))
    return fight.change(target, aware=True) if seen.success else fight


def brought(rules: Ruleset, fight: Fight, fighter: Fighter, arm: Arm) -> Play[Arm]:
    """An arm as it can be used in these surroundings: with all of one's ranks after a roll on the filter skill that succeeds."""
    full = next((candidate for candidate in fighter.profile.full if candidate.name == arm.name), None)
    full = full.hurled() if full is not None and arm.use == "thrown" and full.use != "thrown" else full
    if full is None or full == arm:
        return arm
    check = fighter.profile.filter.plus(df=situation(rules, fight, fighter, None))
    lifted = (yield from skill_check(rules, check, fighter.profile.name, fight.ground.filter)).success
    yield from Tell(Checked(fighter.profile.name, fight.ground.filter, lifted, rules, check))
    return full if lifted else arm


def is_inside(rules: Ruleset, me: Fighter, foe: Fighter, length: int) -> bool:
    """Whether no longer weapon keeps a person off, with a weapon of this length in hand."""
    reach, name, target = foe.arm, me.profile.name, foe.profile.name
    longer = reach.use == "melee" and must_close(rules, length, reach.length) and not foe.bound_with
    return not longer or target in me.inside or name in foe.inside or me.holding == target or foe.holding == name


def get_inside(rules: Ruleset, fight: Fight, name: str, target: str, *, now: int, length: int) -> Play[tuple[Fight, bool]]:
    """Getting past a longer weapon before one can strike."""
    me, foe = fight.fighter(name), fight.fighter(target)
    if is_inside(rules, me, foe, length):
        return fight, True
    reach = foe.arm
    if not may_react(rules, fight, foe) or foe.body.prone:
        return fight.change(name, inside=(*me.inside, target)), True
    keys = ("let them come", "fend", "fend and give way")
    way = yield from Choice(target, f"{name} closes in. What do you do?", options(keys), About(rules, fight, target, name), "fend")
    fend: Strike | None = None
    answer, doing = NO_ANSWER, me.doing
    if way != "let them come":
        fight = fight.change(target, at=foe.at + fend_counts(rules, reach.speed).value)
        check = fend_check(rules, reach.by("fend").plus(df=situation(rules, fight, foe)), way == "fend and give way")
        warded = me.ward if now < me.ward_ends else 0
        blow = Blow(reach.dice, reach.flat, reach.type, armour=warded)
        met = yield from _meet_fend(rules, fight, name, target, now)
        fight, answer, me = met.fight, met.answer, met.fight.fighter(name)
        fend = Strike(check, defense_of(rules, me, now, crouching=met.crouched), blow, target, f"fend with {reach.name}")
        yield from Tell(_tries_to_fend(rules, fight, foe, name, reach, fend=fend, gives_way=way == "fend and give way"))
    fit = may_react(rules, fight, me)
    closed = yield from close_in(rules, me.body, fend, answer, now, rolling=rolling(rules, fight, me) if fit else None)
    hurt = closed.body != me.body
    word = ("gets inside, hurt" if hurt else "gets inside") if closed.inside else "out of it" if hurt else "kept outside"
    yield from came_to(word, FEND, target, name)
    inside = (*me.inside, target) if closed.inside else me.inside
    fight = fight.change(name, body=closed.body, inside=inside)
    if closed.rolled and closed.body.awake:
        yield from leaves_off(fight, name)
        fight = yield from react(rules, fight, name, now)
    if way == "fend and give way" and not closed.inside:
        fight = step_back(fight, target, name)
    if closed.parried is not None and closed.parried.success:
        fight = yield from _parried(fight, target, name, reach, closed.parried)  # a fend is an attack like any other
    return fight, closed.inside and not fight.fighter(name).bound_with and fight.fighter(name).doing == doing


def _tries_to_fend(rules: Ruleset, fight: Fight, foe: Fighter, name: str, reach: Arm, *, fend: Strike, gives_way: bool) -> Tries:
    """A fend before it is rolled, with everything that bears on it."""
    check, percent = against_defense(rules, fend.check, fend.defense), rules.word("defense-counts") == "percent"
    mods: tuple[Mod, ...] = (Mod("giving way", CLOSING.of(rules, "fend and give way"), "hyb-8-closing"),) if gives_way else ()
    mods += () if percent else (Mod("defense", -fend.defense, "hyb-8-normal-defense"),)
    return Tries(
        foe.name, f"to fend off {name}", rules, fight, foe, base=reach.by("fend"), check=check, mods=mods, arm=reach, action="fend"
    )


def _meet_fend(rules: Ruleset, fight: Fight, name: str, target: str, now: int) -> Play[Met]:
    """A fend can be met like any other attack; the counts that takes are added to the next initiative of the attacker."""
    me = fight.fighter(name)
    if not may_react(rules, fight, me):
        return Met(fight)
    guard = _guard(me)
    stands = guard_of(rules, me, now)
    keys = ["go on"]
    keys += ["parry", "block"] if guard is not None and not guard.natural else []
    keys += ["crouch"] if stands == "normal" else []
    keys += _ways_out(rules, fight, me, stands)
    way = yield from Choice(
        name, f"{target} fends you off. What do you do?", options(tuple(keys)), About(rules, fight, name, target), "answer fend"
    )
    if way == "crouch":
        return Met(fight.change(name, late=me.late + CROUCH.of(rules, "counts")), crouched=True)
    if way in ("dodge", "drop prone"):
        return (yield from _gets_away(rules, fight, name, now, way))
    if way == "go on" or guard is None:
        return Met(fight)
    answer = _answer(rules, fight, me, guard, comes="melee", way=way)
    yield from Tell(_tries_to(rules, fight, me, guard, answer, comes="melee"))
    return Met(fight.change(name, late=me.late + half_speed(rules, guard.speed).value), answer)


def step_back(fight: Fight, name: str, other: str) -> Fight:
    """Two metres away from a person; nobody is inside anybody's reach any more."""
    me, foe = fight.fighter(name), fight.fighter(other)
    metres = me.distance(foe) or 1.0
    x = round(me.x + (me.x - foe.x or (1.0 if me.y == foe.y else 0.0)) / metres * STEPPED_BACK, 1)
    y = round(me.y + (me.y - foe.y) / metres * STEPPED_BACK, 1)
    if not fight.bare:
        x, y = pushed(fight.field, (me.x, me.y), (x, y))
    fight = fight.change(name, x=x, y=y, inside=tuple(text for text in me.inside if text != other))
    return fight.change(other, inside=tuple(text for text in foe.inside if text != name))


def without(fight: Fight, name: str, arm: int, at: tuple[float, float] | None = None) -> Fight:
    """A person without a weapon that was thrown, dropped or knocked away; what is gone already, or cannot be lost, changes nothing.

    It lies where they stand, or where it flew.
    """
    me = fight.fighter(name)
    if arm in me.lost or me.profile.arms[arm].natural:
        return fight
    fists = [candidate.name for candidate in me.profile.arms].index("fist")
    if me.bound_with:
        fight = unbound(fight, name, me.bound_with)
        me = fight.fighter(name)
    lies = (*me.lies, (arm, *(at or (me.x, me.y))))
    return fight.change(name, lost=(*me.lost, arm), lies=lies, in_hand=fists if me.in_hand == arm else me.in_hand)


def unbound(fight: Fight, name: str, other: str) -> Fight:
    """Two weapons come free of each other."""
    fight = fight.change(name, bound_with="")
    return fight.change(other, bound_with="") if fight.fighter(other).bound_with == name else fight
