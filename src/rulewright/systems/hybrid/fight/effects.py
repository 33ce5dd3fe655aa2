"""What deeds do when their time is over (book chapters 7 and 8)."""

from collections.abc import Callable
from fractions import Fraction

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.goals import Door, doors_at_hand
from rulewright.field.places import towards
from rulewright.field.ways import WALKER, way
from rulewright.play import Happened, Play, Scale, Stands, Tell, came_to, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import term, total
from rulewright.systems.hybrid.combat.arms import Arm
from rulewright.systems.hybrid.combat.attacks import against_defense, off_hand, recover_from_dodge, release
from rulewright.systems.hybrid.combat.fighters import NEXT_TO, REACH, Deed, Doing, Fight, Fighter, defense_of, situation, watching
from rulewright.systems.hybrid.combat.initiative import preset_cost, set_up
from rulewright.systems.hybrid.combat.maneuvers import FEINT as FEINT_COST
from rulewright.systems.hybrid.combat.maneuvers import (
    GRIPPED,
    THROW,
    disarm,
    feint,
    grip,
    grip_bonus,
    overbear_strike,
    struggle,
    throw_strike,
    tighten,
)
from rulewright.systems.hybrid.combat.strikes import ATTACK, force, manner, strike, tried
from rulewright.systems.hybrid.combat.sums import Tries
from rulewright.systems.hybrid.fight.clock import COUNTS_A_SECOND, SIMPLE_COUNTS, react, set_off
from rulewright.systems.hybrid.fight.defences import after_blow, brought, get_inside, meet, notice, step_back, strike_at, unbound, without
from rulewright.systems.hybrid.fight.options import dark, lying, other_hand
from rulewright.systems.hybrid.harm.energy import Activity, Rest, exert, keep_up, rest
from rulewright.systems.hybrid.people.movement import PACES, Mode
from rulewright.systems.hybrid.people.perception import perception_factor
from rulewright.systems.hybrid.resolution.modifiers import florentine
from rulewright.systems.hybrid.resolution.tests import Check, Mod, effect, rounding, skill_check

CASTING = Scale(("in vain", "works"), ("works",), "works")
FEINT = Scale(("fools nobody", "fools somebody"), ("fools somebody",), "fools somebody", "sees through it")
DISARM = Scale(("kept", "disarmed"), ("disarmed",), "disarms", "keeps the weapon")
GRIP = Scale(("no hold", "held"), ("held",), "gets a hold", "stays free")
TIGHTEN = Scale(("no tighter", "tighter"), ("tighter",), "tightens")
STRUGGLE = Scale(("held", "looser", "free"), ("looser", "free"), "gets looser or free")
FREE = Scale(("bound", "free"), ("free",), "comes free", "stays bound")
LANDING = Scale(("on the ground", "on the feet"), ("on the feet",), "lands on the feet")
TREATMENT = Scale(("bleeds on", "stopped"), ("stopped",), "stops the blood")
TASK = Scale(("failure", "success"), ("success",), "succeeds", "fails")
ROLLED = ("attack", "cast", "feint", "disarm", "overbear", "throw", "grapple", "tighten", "struggle", "free", "dodge", "treat", "skill")
"""Deeds that a roll decides when their time is over."""
ACTIVITIES: dict[Mode, Activity] = {"crawl": "crawling", "walk": "walking", "jog": "jogging", "run": "running", "dash": "dash"}
"""What each pace is in the table of energy."""


def take_effect(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter) -> Play[Fight]:
    """What somebody was doing takes effect; `then` is how they were when the count began."""
    doing = then.doing
    assert doing is not None
    if doing.what == "draw":
        yield from Tell(Happened(name, f"has the {then.profile.arms[doing.arm].name} in hand"))
        return fight.change(name, in_hand=doing.arm, doing=None, at=now)
    fight = yield from EFFECTS.get(doing.what, _nothing)(rules, fight, name, now, then, doing)
    return (yield from done(rules, fight, name, now, doing))


def done(rules: Ruleset, fight: Fight, name: str, now: int, doing: Doing) -> Play[Fight]:
    """After a deed: most of them end in a roll for the next initiative. Whoever was drawn to something else meanwhile is busy with it."""
    me = fight.fighter(name)
    if me.doing != doing:
        return fight
    if not me.body.awake:
        return fight.change(name, doing=None)
    if doing.what == "go" and me.pace != "no move":
        return fight.change(name, doing=None, at=now)
    if doing.what == "approach" and me.distance(fight.fighter(doing.target)) > REACH:
        return fight.change(name, doing=None, at=now)  # this was the next initiative: on at once, and faster
    if doing.what in ("drop weapon", "let go", "wait"):
        return fight.change(name, doing=None, at=now + 1 if doing.what == "wait" else now)
    return (yield from react(rules, fight, name, now))


def metres_a_count(rules: Ruleset, me: Fighter) -> float:
    """How far somebody gets in a count at the pace they have reached."""
    return me.profile.pmv * float(Fraction(*PACES.get(rules, me.pace).share)) / COUNTS_A_SECOND


def _nothing(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    yield from ()
    return fight


def _attack(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    arm = then.uses(doing)
    foe = fight.fighter(doing.target)
    lost = not fight.sees(then, foe)
    if not foe.body.awake or lost or (arm.use == "melee" and then.distance(foe) > REACH):
        why = "down already" if not foe.body.awake else "out of sight" if lost else "out of reach"
        yield from Tell(Happened(name, f"finds {foe.name} {why}"))
        yield from came_to("out of reach", ATTACK, name, foe.name)
        return fight
    fight = yield from notice(rules, _paid(rules, fight, name, arm), foe.name)
    if arm.use == "melee":
        fight, inside = yield from get_inside(rules, fight, name, foe.name, now, arm.length)
        if not inside:
            yield from came_to("kept outside", ATTACK, name, foe.name)
            return fight
    arm = yield from brought(rules, fight, then, arm)
    fight = yield from _blow(rules, fight, name, now, then, doing, arm, 0)
    other = other_hand(then)
    if "both hands" in doing.ways and other is not None and fight.fighter(doing.target).body.awake:
        pair = florentine(rules)
        more = pair.second.value - pair.first.value + off_hand(rules, then.profile.ambidextrous).value
        second = yield from brought(rules, fight, then, then.profile.arms[other])
        fight = yield from _blow(rules, fight, name, now, then, doing, second, more)
    if arm.use != "thrown":
        return fight
    there = fight.fighter(doing.target)
    return without(fight, name, doing.arm, (there.x, there.y))


def _paid(rules: Ruleset, fight: Fight, name: str, arm: Arm) -> Fight:
    """Casting costs mental fatigue, whatever comes of it."""
    body = fight.fighter(name).body
    return fight.change(name, body=replace(body, mind=exert(rules, body.mind, arm.cost))) if arm.cost else fight


def _blow(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing, arm: Arm, more: int) -> Play[Fight]:
    foe = fight.fighter(doing.target)
    me = replace(then, inside=fight.fighter(name).inside)
    comes = strike(rules, fight, me, foe, doing, arm, now, more)
    costs = (Mod("second hand", more, "hyb-2-florentine"),) if more else ()
    return (yield from strike_at(rules, fight, name, foe.name, now, comes, arm, (me, doing, arm.check, costs)))


def _cast(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """A spell that harms nobody: a check of the mind, and what it does times the effect of its degree."""
    spell = then.profile.arms[doing.arm]
    fight = _paid(rules, fight, name, spell)
    ready = set_up(rules, spell.check, spell.rank) if "set up" in doing.ways else spell.check
    check = ready.plus(df=situation(rules, fight, then, None, "mental")).shared(*doing.share)
    prepared = (Mod("set up", ready.df - spell.check.df, "hyb-7-setup"),)
    yield from Tell(Tries(name, f"to cast {spell.name}", rules, fight, then, spell.check, check, prepared, offensive=None, kind="mental"))
    degree = yield from skill_check(rules, check, name, f"casting {spell.name}")
    friend = fight.fighter(doing.target)
    near = then.distance(friend) <= REACH and not friend.body.dead
    if not degree.success or not (near or spell.helps == "light"):
        yield from Tell(Happened(name, f"casts {spell.name} in vain"))
        yield from came_to("in vain", CASTING, name)
        return fight
    yield from came_to("works", CASTING, name)
    power = int(total("power", term("effect", effect(rules, degree, spell.power)), rounding(rules)).value)
    if spell.helps == "ward":
        yield from Tell(Happened(name, f"wards {friend.name} (armour {power}) until count {now + spell.lasts}"))
        return fight.change(friend.name, ward=power, ward_ends=now + spell.lasts)
    if spell.helps == "mend":
        given = min(power, friend.body.pbd_full - friend.body.pbd)
        yield from Tell(Happened(name, f"mends {friend.name} (PBD {given})"))
        return fight.change(friend.name, body=replace(friend.body, pbd=friend.body.pbd + given, bleeding=()))
    yield from Tell(Happened(name, "makes light"))
    left = tuple(each for each in fight.ground.surroundings if each not in dark(fight))
    return replace(fight, ground=replace(fight.ground, surroundings=left))


def _approach(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me, foe = fight.fighter(name), fight.fighter(doing.target)
    metres = me.distance(foe)
    covered = min(max(0.0, metres - NEXT_TO), metres_a_count(rules, me) * (now - doing.began))
    if not fight.bare:
        far = metres_a_count(rules, me) * (now - doing.began)
        x, y = towards(fight.field, (me.x, me.y), (foe.x, foe.y), WALKER, far, NEXT_TO) or (me.x, me.y)
        fight = fight.change(name, x=x, y=y)
    elif metres > NEXT_TO:
        x = round(me.x + (foe.x - me.x) * covered / metres, 1)
        y = round(me.y + (foe.y - me.y) * covered / metres, 1)
        fight = fight.change(name, x=x, y=y)
    fight = _tired(rules, fight, name, now - doing.began)
    there = fight.fighter(name).distance(foe) <= REACH
    yield from Tell(
        Happened(name, f"has run up to {foe.name}" if there else f"is {fight.fighter(name).distance(foe):.1f} m from {foe.name}")
    )
    if there:
        fight = fight.change(name, pace="no move")
    yield Tell(Stands(fight))
    return fight


def _tired(rules: Ruleset, fight: Fight, name: str, counts: int) -> Fight:
    """The fight after somebody has been on the move for so long."""
    me = fight.fighter(name)
    if me.pace == "no move":
        return fight
    tired = keep_up(rules, me.body.energy, ACTIVITIES[me.pace], counts, me.strain)
    return fight.change(name, body=replace(me.body, energy=tired.energy), strain=tired.strain)


def way_to(fight: Fight, me: Fighter, spot: Spot) -> float:
    """How far it is to a place on foot; where no way leads there, as the crow flies."""
    found = way(fight.field, (me.x, me.y), spot, WALKER, 200.0)
    return found.cost if found is not None else fight.field.distance((me.x, me.y), spot)


def _go(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """Somebody has gone so far as pace and time allow; who is there stands still."""
    me = fight.fighter(name)
    left, at, there = metres_a_count(rules, me) * (now - doing.began), (me.x, me.y), True
    for spot in doing.route:
        goal = towards(fight.field, at, spot, WALKER, left) if left > 0 else None
        if goal is None:
            there = False
            break
        left -= fight.field.distance(at, goal)
        at = goal
        if goal != spot:
            there = False
            break
    fight = _tired(rules, fight.change(name, x=at[0], y=at[1]), name, now - doing.began)
    if at != (me.x, me.y):
        yield from Tell(Happened(name, f"is at {at[0]:g}, {at[1]:g}{'' if there else ', and not there yet'}"))
    if there:
        fight = fight.change(name, pace="no move")
    yield Tell(Stands(fight))
    return fight


def _turn_door(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    door = Door(doing.target, doing.what == "open")
    if door not in doors_at_hand(fight.field, (then.x, then.y)):
        return fight
    yield from Tell(Happened(name, door.told))
    return fight.with_door(door)


def _drop_weapon(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    if then.arm.natural or then.in_hand in fight.fighter(name).lost:  # knocked away meanwhile
        return fight
    yield from Tell(Happened(name, f"drops the {then.arm.name}"))
    return without(fight, name, then.in_hand)


def _feint(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    near = [foe for foe in fight.enemies(rules, then) if then.distance(foe) <= REACH and foe.aware]
    checks = tuple(Check(perception_factor(rules, watching(rules, fight, foe)).value) for foe in near)
    arm = yield from brought(rules, fight, then, then.arm)
    check = tried(rules, fight, then, doing, arm)
    mods = (*_manners(rules, then, doing, arm), Mod("feint", FEINT_COST, "hyb-8-feint"))
    yield from Tell(Tries(name, "a feint", rules, fight, then, arm.by("feint"), check.plus(df=FEINT_COST), mods))
    fooled = yield from sub(feint, rules, check, checks, name)
    yield from Tell(Happened(name, "feints" if any(fooled) else "feints, and fools nobody"))
    yield from came_to("fools somebody" if any(fooled) else "fools nobody", FEINT, name, doing.target)
    for foe, taken_in in zip(near, fooled, strict=True):
        if taken_in:
            yield from Tell(Happened(foe.name, f"falls for the feint of {name}"))
            fight = fight.change(foe.name, fooled_by=name)
            if foe.waiting:
                fight = yield from set_off(rules, fight, foe.name, now)
    return fight


def _manners(rules: Ruleset, me: Fighter, doing: Doing, arm: Arm) -> tuple[Mod, ...]:
    """What the manner of a deed that is no blow adds, preparing among it where that counts in the Difficulty Factor."""
    base = arm.by(doing.what)
    prepared = set_up(rules, base, arm.rank).df - base.df if "set up" in doing.ways else 0
    return (*manner(rules, me, doing, arm), Mod("set up", prepared, "hyb-7-setup"))


def _defended(rules: Ruleset, defense: int) -> tuple[Mod, ...]:
    return (Mod("defense", -defense, "hyb-8-normal-defense"),) if rules.word("defense-counts") != "percent" else ()


def _disarm(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    foe = fight.fighter(doing.target)
    if foe.arm.natural or not foe.body.awake or then.distance(foe) > REACH:
        return fight
    fight = yield from notice(rules, fight, foe.name)
    fight, inside = yield from get_inside(rules, fight, name, foe.name, now, then.arm.length)
    if not inside:
        return fight
    arm = yield from brought(rules, fight, then, then.arm)
    own = tried(rules, fight, then, doing, arm)
    foe = fight.fighter(doing.target)
    if foe.arm.natural:
        return fight
    other = foe.arm.check.plus(df=situation(rules, fight, foe, False))
    mods = _manners(rules, then, doing, arm)
    yield from Tell(Tries(name, f"to disarm {foe.name}", rules, fight, then, arm.by("disarm"), own, mods))
    yield from Tell(Tries(foe.name, f"to keep the {foe.arm.name}", rules, fight, foe, foe.arm.check, other, offensive=False))
    done = yield from sub(disarm, rules, own, other, name, foe.name)
    yield from Tell(Happened(foe.name, f"{'loses' if done else 'keeps'} the {foe.arm.name}"))
    yield from came_to("disarmed" if done else "kept", DISARM, name, foe.name)
    return without(fight, foe.name, foe.in_hand) if done else fight


def _bare_hands(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """Overbear, throw or grapple: close in, then an attack without a weapon."""
    foe = fight.fighter(doing.target)
    if not foe.body.awake or then.distance(foe) > REACH:
        return fight
    fight = yield from notice(rules, fight, foe.name)
    fight, inside = yield from get_inside(rules, fight, name, foe.name, now, 0)
    if not inside or not fight.fighter(name).body.awake:
        yield from came_to("kept outside", ATTACK, name, foe.name)
        return fight
    foe = fight.fighter(doing.target)
    profile, gripped = then.profile, then.holding == foe.name
    fists = yield from brought(rules, fight, then, then.fists)
    check = tried(rules, fight, then, doing, fists)
    if doing.what == "grapple":
        met = yield from meet(rules, fight, name, foe.name, now, fists, blow=False)
        defense = defense_of(rules, met.fight.fighter(foe.name), now, crouching=met.crouched)
        mods = (*_manners(rules, then, doing, fists), *_defended(rules, defense))
        met_by = against_defense(rules, check, defense)
        yield from Tell(Tries(name, f"to grapple {foe.name}", rules, fight, then, fists.by("grapple"), met_by, mods))
        got = yield from grip(rules, check, defense, then.body.pst, name, foe.name, met.answer)
        body = met.fight.fighter(foe.name).body
        yield from came_to("held" if got.hold else "no hold", GRIP, name, foe.name)
        fight = yield from after_blow(rules, met.fight, name, foe.name, now, fists, met.way, body, got.parried)
        return fight.change(name, holding=foe.name, hold=got.hold) if got.hold else fight
    made = overbear_strike if doing.what == "overbear" else throw_strike
    comes = made(rules, check, defense_of(rules, foe, now), profile.pse, gripped, name)
    warded = foe.ward if now < foe.ward_ends else 0
    comes = replace(comes, blow=replace(comes.blow, armour=warded, times=force(rules, doing, fists), called=doing.called))
    costs = (Mod("throw", THROW, "hyb-8-throw"),) if doing.what == "throw" else ()
    return (yield from strike_at(rules, fight, name, foe.name, now, comes, fists, (then, doing, fists.by(doing.what), costs)))


def _tighten(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me = fight.fighter(name)
    if not me.holding:
        return fight
    check = me.fists.by("tighten").plus(df=situation(rules, fight, me))
    eased = check.plus(df=GRIPPED)
    own = me.fists.by("tighten")
    yield from Tell(Tries(name, f"to tighten the hold on {me.holding}", rules, fight, me, own, eased, (grip_bonus(rules),)))
    hold = yield from tighten(rules, check, me.hold, me.body.pst, name, me.holding)
    yield from came_to("tighter" if hold > me.hold else "no tighter", TIGHTEN, name, me.holding)
    return fight.change(name, hold=hold)


def _struggle(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    holder = fight.holder(name)
    if holder is None:
        return fight
    check = then.fists.by("struggle").plus(df=situation(rules, fight, then))
    yield from Tell(Tries(name, f"to break the hold of {holder.name}", rules, fight, then, then.fists.by("struggle"), check))
    left = yield from struggle(rules, check, holder.hold, name)
    yield from Tell(Happened(name, "is free" if not left else f"is still held ({left})"))
    yield from came_to("free" if not left else "looser" if left < holder.hold else "held", STRUGGLE, name, holder.name)
    return fight.change(holder.name, hold=left, holding=holder.holding if left else "")


def _let_go(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    held = then.holding
    yield from Tell(Happened(name, f"lets go of {held}"))
    fight = fight.change(name, holding="", hold=0)
    return fight.change(held, at=max(fight.fighter(held).at, now + SIMPLE_COUNTS)) if held else fight


def _free(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me = fight.fighter(name)
    if not me.bound_with:
        return fight
    foe = fight.fighter(me.bound_with)
    loose = not foe.body.awake
    if not loose:
        own = me.arm.by("free").plus(df=situation(rules, fight, me))
        yield from Tell(Tries(name, f"to free the {me.arm.name}", rules, fight, me, me.arm.by("free"), own))
        loose = yield from sub(release, rules, own, foe.arm.check.plus(df=situation(rules, fight, foe)), name, foe.name)
    yield from Tell(Happened(name, f"{'frees' if loose else 'cannot free'} the {me.arm.name}"))
    yield from came_to("free" if loose else "bound", FREE, name, foe.name)
    return unbound(fight, name, foe.name) if loose else fight


def _dodge(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me = fight.fighter(name)
    skill = then.profile.acrobatics
    check = skill.plus(df=situation(rules, fight, me, False)) if skill is not None else None
    if skill is not None and check is not None:
        yield from Tell(Tries(name, "to land on the feet", rules, fight, me, skill, check, offensive=False))
    feet = yield from recover_from_dodge(rules, check, name)
    yield from came_to("on the feet" if feet else "on the ground", LANDING, name)
    fight = fight.change(name, body=replace(me.body, prone=not feet), inside=())
    for one in fight.fighters:  # out of the area: nobody is inside their reach any more
        if name in one.inside:
            fight = fight.having(replace(one, inside=tuple(each for each in one.inside if each != name)))
    return fight


def _drop(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    yield from Tell(Happened(name, "is prone"))
    return fight.change(name, body=replace(fight.fighter(name).body, prone=True))


def _rise(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    yield from Tell(Happened(name, "is up again"))
    return fight.change(name, body=replace(fight.fighter(name).body, prone=False))


def _retreat(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    me = fight.fighter(name)
    foes = sorted(fight.enemies(rules, me), key=me.distance)
    yield from Tell(Happened(name, "falls back"))
    return step_back(fight, name, foes[0].name) if foes else fight


def _wait(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """Nothing came: holding on has cost its mental fatigue."""
    me = fight.fighter(name)
    cost = preset_cost(rules, me.profile.mst, now - doing.began).value
    if cost:
        yield from Tell(Happened(name, f"tires of waiting (mental fatigue {cost})"))
    return fight.change(name, body=replace(me.body, mind=exert(rules, me.body.mind, cost)), waiting=False)


def _treat(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """First aid: a wound bleeds until it is treated, and this is how (ruling: a simple action, and one success for all wounds)."""
    friend = fight.fighter(doing.target)
    if friend.body.dead or then.distance(friend) > REACH:
        return fight
    check = then.profile.first_aid.plus(df=situation(rules, fight, then, None, "mental"))
    yield from Tell(
        Tries(name, f"to treat {friend.name}", rules, fight, then, then.profile.first_aid, check, offensive=None, kind="mental")
    )
    stopped = (yield from skill_check(rules, check, name, "first aid")).success
    yield from Tell(Happened(name, f"{'stops' if stopped else 'cannot stop'} the blood of {friend.name}"))
    yield from came_to("stopped" if stopped else "bleeds on", TREATMENT, name, friend.name)
    return fight.change(friend.name, body=replace(friend.body, bleeding=())) if stopped else fight


def _skill(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """A skill used for something that is no fighting: a check as hard as the gamemaster said."""
    used = next(each for each in then.profile.skills if each.skill == doing.skill)
    check = used.check.plus(df=situation(rules, fight, then, None, used.kind) + doing.difficulty)
    hard = (Mod("difficulty of the task", doing.difficulty, "hyb-2-difficulty-factor"),)
    yield from Tell(Tries(name, f"to use {used.skill}", rules, fight, then, used.check, check, hard, offensive=None, kind=used.kind))
    degree = yield from skill_check(rules, check, name, used.skill)
    yield from Tell(Happened(name, f"uses {used.skill}: {degree.value}", "good" if degree.success else "bad"))
    yield from came_to("success" if degree.success else "failure", TASK, name)
    return fight


def _pick_up(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """A weapon that lies within reach is in the hand again."""
    me = fight.fighter(name)
    found = lying(me, doing.target)
    if found is None or not me.arm.natural:
        yield from Tell(Happened(name, f"does not get hold of the {doing.target}", "bad"))
        return fight
    yield from Tell(Happened(name, f"picks up the {doing.target}"))
    lies = tuple(each for each in me.lies if each[0] != found)
    return fight.change(name, in_hand=found, lost=tuple(place for place in me.lost if place != found), lies=lies)


def _rest(rules: Ruleset, fight: Fight, name: str, now: int, then: Fighter, doing: Doing) -> Play[Fight]:
    """Fatigue comes back by the second to those who sit or lie and do nothing."""
    yield from Tell(Happened(name, "rests"))
    how: Rest = "resting" if then.body.prone else "sitting"
    body, seconds = fight.fighter(name).body, SIMPLE_COUNTS // COUNTS_A_SECOND
    energy, mind = rest(rules, body.energy, how, seconds), rest(rules, body.mind, how, seconds, True)
    return fight.change(name, body=replace(body, energy=energy, mind=mind))


EFFECTS: dict[Deed, Callable[[Ruleset, Fight, str, int, Fighter, Doing], Play[Fight]]] = {
    "attack": _attack,
    "cast": _cast,
    "approach": _approach,
    "go": _go,
    "open": _turn_door,
    "shut": _turn_door,
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
    "treat": _treat,
    "skill": _skill,
    "pick up": _pick_up,
    "rest": _rest,
    "wait": _wait,
}
