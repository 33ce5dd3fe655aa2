"""Step three of a round: effects of hits (book lines 4294-4314)."""

from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.attacks import land
from rulewright.systems.ore.combat.close_actions import Effect, charge_bonus
from rulewright.systems.ore.combat.fighters import (
    REACH,
    Act,
    Dropped,
    Fight,
    Fighter,
    Group,
    Lies,
    Pending,
    Situation,
    apart,
    facts_of,
    where,
)
from rulewright.systems.ore.combat.hazards import MOST_AREA, in_area, mooks_in_area
from rulewright.systems.ore.combat.mooks import hit_mook, mook_blow
from rulewright.systems.ore.fight.drama_points import spared, when_hit
from rulewright.systems.ore.fight.feats.effects import attack_help, in_formation, squad_feats, trait, weapon_words
from rulewright.systems.ore.fight.powers.active import nature_of, warded
from rulewright.systems.ore.fight.resolution.gunfire import dropped, one_handed, ready, with_weapon_of
from rulewright.systems.ore.fight.resolution.lost_dice import loses_a_die
from rulewright.systems.ore.fight.resolution.movement import goes, stands, steps_from
from rulewright.systems.ore.fight.resolution.parley import frightens_when_unaware
from rulewright.systems.ore.gear.missiles import hurled
from rulewright.systems.ore.gear.weapons import BARE_HANDS, Blow, Manner, Weapon, blow, half_swording
from rulewright.systems.ore.harm.body import Abstract, Located, Vital, shock_to, shrugs
from rulewright.systems.ore.harm.events import Suffered
from rulewright.systems.ore.harm.locations import ARMS, Location
from rulewright.systems.ore.harm.over_time import set_alight
from rulewright.systems.ore.log_phrases import action_name, one_of, verb
from rulewright.systems.ore.people.feat_effects import NO_HELP, Help, Try, helps, known

MIND = Weapon("power", "energy", "", classes=("S",))
"""A distant power as a weapon: it cannot be dodged, parried or taken."""


# --- with what ----------------------------------------------------------------------------------------------------------------


def weapon_of(rules: Ruleset, fight: Fight, attack: Pending, bare: bool = False) -> Weapon:
    """The weapon of an attack; `bare` means unarmed."""
    group = fight.group(attack.who)
    if group is not None:
        return group.mob.weapon
    if bare:
        return BARE_HANDS
    fighter, act = fight.fighter(attack.who), attack.act
    if act.kind in ("power", "turn back"):
        return MIND
    if act.kind == "throw":
        return hurled(rules, fighter.profile.weapons[act.weapon])
    return fighter.profile.weapons[act.off_hand if act.twin else act.weapon or fighter.in_hand]


@rule("ore-4.07-shock-marking")
def arm_gone(rules: Ruleset, fight: Fight, each: Pending) -> bool:
    """Whether the arm for an action is Out by now. Unarmed attacks find another way (ruling)."""
    if fight.group(each.who) is not None:
        return False
    fighter, weapon = fight.fighter(each.who), weapon_of(rules, fight, each)
    if weapon.kind == "unarmed" or isinstance(fighter.body, Abstract | Vital):
        return False
    place = each.act.off_hand if each.act.twin else fighter.in_hand
    arm: Location = "left arm" if each.off or each.act.twin else "right arm"
    return not all(fighter.body.usable(ARM) for ARM in ((arm,) if one_handed(rules, fighter, place) else ARMS))


# --- a hit --------------------------------------------------------------------------------------------------------------------

_MANNERS: dict[str, Manner] = {"slash": "slash", "thrust": "thrust"}


def hits(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Play[tuple[Fight, int]]:
    """Applies an unstopped blow; returns how many dice the target's waiting sets lose."""
    weapon = weapon_of(rules, fight, attack)
    given = attack_help(rules, fight, attack)
    if "deafens" in given:
        fight = yield from deafened(fight, attack, width)
    if "area shock" in given or "area kill" in given:
        weapon = as_area(rules, weapon, width, given)
    if weapon.area:
        return (yield from bursts(rules, fight, attack, width, weapon, "burns on" in given)), 0
    group = fight.group(attack.act.target)
    if group is not None:
        fight = yield from hits_mooks(rules, fight, attack, width, group)
        return fight, 1 + attack_help(rules, fight, attack).amount("dice lost")
    fight, dice = yield from _hit_person(rules, fight, attack, width)
    if dice and weapon.burns:
        victim = fight.fighter(attack.act.target)
        yield Tell(Happened(victim.name, f"keeps burning from {the(weapon.name)}", "bad"))
        fight = fight.put(replace(victim, body=set_alight(victim.body, width)))
    return fight, dice


def as_area(rules: Ruleset, weapon: Weapon, width: int, given: Help) -> Weapon:
    """A weapon with area damage by a feat: Width as Kill, or its Shock (ruling: Width plus bonus)."""
    if "area kill" in given:
        return replace(weapon, area=min(MOST_AREA, width), area_form="kill")
    return replace(weapon, area=min(MOST_AREA, max(1, width + weapon.shock)), area_form="shock")


def deafened(fight: Fight, attack: Pending, width: int) -> Play[Fight]:
    """A sonic weapon deafens the target for Width rounds."""
    name = attack.act.target
    yield Tell(Happened(name, f"is deaf for {count(width, 'round')}", "bad"))
    return marked(fight, name, "deaf", str(fight.round + width))


@rule("ore-4.12-area")
def bursts(rules: Ruleset, fight: Fight, attack: Pending, width: int, weapon: Weapon, burns: bool = False) -> Play[Fight]:
    """An explosion: everybody within arm's length, friend or foe, is in its area for this round (rulings). It costs no dice, because it
    is not a blow. `burns`: a feat makes it continuous."""
    there = burst_at(fight, attack.act)
    yield Tell(Happened(attack.who, f"lands {the(weapon.name)} at {goal_of(attack.act)} with a {width}x{attack.height}"))
    for victim in [fighter for fighter in fight.fighters if within(fight, fighter, there) and not fighter.body.dead and not fighter.fled]:
        body = yield from in_area(rules, victim.body, weapon.area, weapon.area_form, width, attack.height, victim.name)
        if burns:
            yield Tell(Happened(victim.name, f"keeps burning from {the(weapon.name)}", "bad"))
            body = set_alight(body, width)
        fight = fight.put(replace(victim, body=body))
    for group in [candidate for candidate in fight.groups if candidate.able and within(fight, candidate, there)]:
        mob = yield from mooks_in_area(rules, group.mob, weapon.area, width, attack.height)
        yield Tell(
            Happened(
                group.name,
                f"{verb(group.name, 'loses', 'lose')} {count(group.mob.number - mob.number, 'mook')} to {the(weapon.name)}",
                "bad",
            )
        )
        fight = fight.put_group(replace(group, mob=mob))
    return fight


def burst_at(fight: Fight, act: Act) -> Lies:
    """The place of an explosion: the target, or a spot on the map."""
    return fight.one(act.target) if act.target or act.to is None else Dropped("", 0, 0, act.to)


def goal_of(act: Act) -> str:
    """The target or place of a throw, in words."""
    return act.target or ("a place on the map" if act.to is not None else "nobody")


def within(fight: Fight, fighter: Fighter | Group, burst: Lies) -> bool:
    """Whether somebody is within arm's length of an explosion without an obstacle."""
    near = apart(fighter, burst) <= REACH
    return near if fighter.at is None or burst.at is None else near and fight.clear_between(fighter.at, burst.at)


PASSED = "has passed a hit on"
WITHIN = 3
"""Metres within which a squad member can take a hit for another."""


def _pass_hit_on(rules: Ruleset, fight: Fight, attack: Pending) -> Play[tuple[Fight, Pending]]:
    """Asks whether a squad member takes the hit; once per round."""
    victim = fight.fighter(attack.act.target)
    if not fight.with_feats or not in_formation(rules, fight, victim):
        return fight, attack
    team = helps(rules, squad_feats(fight, victim), Try(on=("hurt",), when=("in formation",)))
    mates = [
        candidate for candidate in fight.fighters if candidate.side == victim.side and candidate.able and candidate.name != victim.name
    ]
    near = [mate.name for mate in mates if apart(mate, victim) <= WITHIN]
    if "passes a hit on" not in team or not near or (PASSED, str(fight.round)) in victim.marks:
        return fight, attack
    options: list[Option[str]] = [Option("no", "Take it yourself", ""), *[Option(name, f"Let {name} take it", name) for name in near]]
    about = Situation(fight, victim.name, rules)
    other = yield from Choice(
        victim.name, f"A {attack.width}x{attack.height} hits you. Who takes the hit?", tuple(options), about, "pass on"
    )
    if not other:
        return fight, attack
    ask = f"Do you take the {attack.width}x{attack.height} for {victim.name}?"
    if not (yield from Choice(other, ask, _PASSED, Situation(fight, other, rules), "take the hit")):
        return fight, attack
    yield Tell(Happened(other, f"takes the hit for {victim.name}"))
    return marked(fight, victim.name, PASSED, str(fight.round)), replace(attack, act=replace(attack.act, target=other))


_PASSED: tuple[Option[bool], ...] = (Option("no", "No", value=False), Option("yes", "Yes", value=True))


def _hit_person(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Play[tuple[Fight, int]]:
    fight, attack = yield from _pass_hit_on(rules, fight, attack)
    victim, act = fight.fighter(attack.act.target), attack.act
    group = fight.group(attack.who)
    by = group.members[0] if group is not None else attack.who
    fight, dealt = yield from when_hit(rules, fight, victim.name, _blow(rules, fight, attack, width))
    victim = fight.fighter(victim.name)
    dealt = met(rules, fight, victim, dealt)
    ranged = not weapon_of(rules, fight, attack).close
    strikes = "hits" if group is None else verb(group.name, "hits", "hit")
    yield Tell(Happened(attack.who, f"{strikes} {victim.name} with a {width}x{attack.height}"))
    worn = ready(victim)
    if fight.powers:
        worn = warded(rules, fight, victim.name, worn, code=dealt.damage_class, against=nature_of(weapon_of(rules, fight, attack), dealt))
    landing = (rules, dealt, attack.height, victim.body, worn, act.location, fight.cover_from(attack.who, victim), ranged, by, victim.name)
    landed = yield from (sub(land, *landing) if isinstance(victim.body, Abstract) else land(*landing))  # only Downs and Outs need dice
    if not landed.hit:
        yield Tell(Happened(victim.name, "is protected by cover"))
        return fight, 0
    given = attack_help(rules, fight, attack)
    if "hits twice" in given:
        yield Tell(Happened(attack.who, f"hits {victim.name} a second time with the same set"))
        landed = yield from land(
            rules, dealt, attack.height, landed.body, landed.worn, act.location, fight.cover_of(victim), ranged, by, victim.name
        )
    after = replace(victim, body=landed.body, worn=landed.left_of(victim.worn, worn))
    fight = fight.put(after)
    if (
        after.body != victim.body
        and group is None
        and fight.fighter(attack.who).profile.feats
        and _counts_victims(rules, fight, attack.who)
    ):
        fight = marked(fight, attack.who, "bitten", victim.name)
    if after.body != victim.body and after.aim and rules.on("hits-interrupt-aim"):
        fight = yield from _lose_aim(rules, fight, after)
    if given is not NO_HELP:
        fight = yield from after_a_hit(rules, fight, attack, width, given)
    return fight, 1 + given.amount("dice lost") + _dice_lost_dancing(fight, victim.name)


def _lose_aim(rules: Ruleset, fight: Fight, fighter: Fighter) -> Play[Fight]:
    """Harm ends aiming, unless a feat prevents it."""
    if "aim is kept" in trait(rules, fighter, "hurt"):
        return fight
    yield Tell(Happened(fighter.name, "loses the aim", "bad"))
    return fight.change(fighter.name, aim=0, against="")


def _dice_lost_dancing(fight: Fight, name: str) -> int:
    """A hit on a Water Dancer costs one more die."""
    return int(any(candidate.who == name and candidate.act.kind == "water dance" for candidate in fight.pending))


def after_a_hit(rules: Ruleset, fight: Fight, attack: Pending, width: int, given: Help) -> Play[Fight]:
    """Feats after a hit: disarm a poor parry, throw back, repeat the shot next round."""
    name = attack.act.target
    if "disarms a poor parry" in given and fight.fighter(name).in_hand and _has_declared(fight, name, "parry"):
        fight = yield from _disarm(rules, fight, attack.who, fight.fighter(name), Effect(success=True, metres=width, disarmed=True))
    if "throws the victim back" in given:
        fight = yield from _blow_away(rules, fight, attack, width)
    if "repeats the shot" in given:
        fight = marked(fight, attack.who, f"repeat {attack.width}x{attack.height}", name)
    spray = weapon_of(rules, fight, attack).spray if "spray as area shock" in given else 0
    if spray and isinstance(fight.fighter(name).body, Located):
        body = yield from in_area(rules, fight.fighter(name).body, spray, "shock", by=name)
        fight = fight.change(name, body=body)
    return fight


def _blow_away(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Play[Fight]:
    """The victim flies Width metres; the waste dice are Area Shock to them and to a person they hit (ruling: locations are rolled
    again)."""
    name, dice = attack.act.target, attack.waste_dice
    fight = yield from _push_away(fight, attack.who, fight.fighter(name), width)
    others = [
        candidate.name
        for candidate in fight.fighters
        if candidate.able and candidate.name not in (name, attack.who) and fight.distance(name, candidate.name) <= width
    ]
    struck = [name]
    if others and dice:
        options: list[Option[str]] = [Option("nobody", "Nobody", ""), *[Option(other, other, other) for other in others]]
        ask = f"Who is {name} thrown against?"
        other = yield from Choice(GAMEMASTER, ask, tuple(options), Situation(fight, attack.who, rules), "thrown against")
        struck += [other] if other else []
    for candidate in [fight.fighter(text) for text in struck] if dice else []:
        body = yield from in_area(rules, candidate.body, dice, "shock", by=candidate.name)
        fight = fight.change(candidate.name, body=body)
    return fight


def _has_declared(fight: Fight, name: str, kind: str) -> bool:
    return any(plan.who == name and any(act.kind == kind for act in plan.acts) for plan in fight.plans)


def _counts_victims(rules: Ruleset, fight: Fight, name: str) -> bool:
    """Whether feats count whom the fighter has hurt."""
    fighter = fight.fighter(name)
    return any(
        "bitten" in candidate.does.when and candidate.does.when[0] in weapon_words(fighter.weapon)
        for candidate in known(rules, fighter.profile.feats)
    )


def marked(fight: Fight, name: str, word: str, about: str = "") -> Fight:
    """Adds a mark for feats; mooks have none."""
    if fight.group(name) is not None:
        return fight
    fighter = fight.fighter(name)
    return fight if (word, about) in fighter.marks else fight.put(replace(fighter, marks=(*fighter.marks, (word, about))))


def _blow(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Blow:
    group = fight.group(attack.who)
    if group is not None:
        return mook_blow(group.mob, width)
    fighter, act = fight.fighter(attack.who), attack.act
    kill, shock = charge_bonus(rules, act.charge) if act.charge else (0, 0)
    parts = (("charge", kill, shock),) if kill or shock else ()
    weapon = weapon_of(rules, fight, attack)  # which may not be the one that was declared: a disarmed fighter strikes with the fist
    if "half-sword" in weapon.traits and not act.off_hand:
        facts = facts_of(rules, fight, fighter, act)
        gripped = half_swording(rules, weapon.traits, weapon.power, facts.body, facts.free_hand, facts.grip).kill
        kill, parts = kill + gripped, (*parts, ("both hands", gripped, 0))
    manner = "plain" if weapon.kind == "unarmed" else _MANNERS.get(act.kind, "plain")
    chosen = act.damage_class if act.damage_class in weapon.classes else ""
    given = attack_help(rules, fight, attack)
    wide = width * 2 if "width twice" in given else width
    struck = blow(rules, weapon, wide, manner, kill, shock, chosen or None)
    struck = replace(struck, parts=(*struck.parts, *parts)) if parts else struck
    return struck if given is NO_HELP else shaped(struck, width, given)


def shaped(struck: Blow, width: int, given: Help) -> Blow:
    """A blow with feats before armour."""
    kill, shock = struck.kill + given.amount("kill"), struck.shock + given.amount("shock")
    if "bare width" in given:
        kill = width
    at_least = "kill at least width" in given or "width kill through armour" in given
    kill = 0 if "no kill" in given else max(0, kill, width if at_least else 0)
    shock = 0 if "no shock" in given else max(0, shock)
    return replace(
        struck,
        kill=kill,
        shock=shock,
        parts=(*struck.parts, (" and ".join(given.by), kill - struck.kill, shock - struck.shock)),
        pen=struck.pen + given.amount("pen"),
        through=tuple([form for form in ("kill", "shock") if f"{form} through armour" in given]),
        pierces=given.amount("armour ignored"),
        least_kill=max(given.amount("least kill"), width if at_least else 0),
        least_shock=max(given.amount("least shock"), width if "shock at least width" in given else 0),
        wounding=-given.amount("wound threshold"),
    )


def met(rules: Ruleset, fight: Fight, victim: Fighter, dealt: Blow) -> Blow:
    """A blow with the feats of its target: a dodge as armour, ignored Shock."""
    given = trait(rules, victim, "hurt")
    if given is NO_HELP:
        return dealt
    dodged = [candidate.width for candidate in fight.pending if candidate.who == victim.name and candidate.act.kind == "dodge"]
    rolled_with = max(dodged, default=0) if "dodge as armour" in given else 0
    return replace(dealt, stopped=rolled_with, spared=given.amount("shock ignored"))


def hits_mooks(rules: Ruleset, fight: Fight, attack: Pending, width: int, group: Group) -> Play[Fight]:
    """A blow at mooks: one, or Width of them with a feat. Feats may take them out, stun or frighten them."""
    given = attack_help(rules, fight, attack)
    if given is NO_HELP:
        return (yield from _strike_mook(rules, fight, attack, width, group))
    many = 1
    if "width in mooks" in given or "set for each of width mooks" in given:
        natural = width - (given.edge.width if "not for mooks" in given else 0)
        many = max(1, min(natural, group.mob.number))
    before = group.mob.number
    for _ in range(many):
        now = fight.group(group.name)
        if now is None or now.mob.out:
            break
        if "mook out" in given:
            yield Tell(Happened(attack.who, f"takes out {one_of(group.name)} with a {width}x{attack.height}"))
            fight = fight.put_group(replace(now, mob=now.mob.left(list(now.mob.ratings[1:]))))
            continue
        fight = yield from _strike_mook(rules, fight, attack, width, now)
    left = fight.group(group.name)
    assert left is not None
    if "mooks lose an action" in given and left.mob.number == before and left.able:
        yield Tell(Happened(group.name, f"{verb(group.name, 'has', 'have')} one mook who cannot act next round", "bad"))
        fight = fight.put_group(replace(left, stunned=left.stunned + left.mob.ratings[-1]))
    if "frightens when a mook falls" in given and left.mob.number < before:
        fight = yield from frightens_when_unaware(rules, fight, group.name, width, attack.height)
    return fight


def _strike_mook(rules: Ruleset, fight: Fight, attack: Pending, width: int, group: Group) -> Play[Fight]:
    """A blow at mooks hits one it takes out, else the weakest (ruling)."""
    hit, mob = _blow(rules, fight, attack, width).hit, group.mob
    if mob.out:  # another blow of this very moment took the last of them
        return fight
    alike = {rating: which for which, rating in reversed(tuple(enumerate(mob.ratings)))}  # of those with equal ratings the first
    tries = [hit_mook(rules, mob, hit, attack.height, which) for which in sorted(alike.values())]
    after = min(tries, key=lambda item: (item.number, sum(item.ratings)))
    what = "takes out" if after.number < mob.number else "hits" if after != mob else "does not harm"
    yield Tell(Happened(attack.who, f"{what} {one_of(group.name)} with a {width}x{attack.height}"))
    return fight.put_group(replace(group, mob=after))


# --- what is no plain blow ----------------------------------------------------------------------------------------------------


def applied(rules: Ruleset, fight: Fight, attack: Pending, effect: Effect) -> Play[Fight]:
    """Applies the effect of an action."""
    coming = effect.hit.shock if effect.hit is not None else effect.shock * max(1, len(effect.parts))
    fight, spares = yield from spared(rules, fight, attack.act.target, 0, coming)
    if spares.shock < coming:
        effect = replace(effect, hit=None, shock=0)
    victim = fight.fighter(attack.act.target)
    body = victim.body
    worn = victim.worn
    if effect.hit is not None:
        struck = Blow(effect.hit.width, effect.hit.kill, effect.hit.shock)
        landed = yield from land(rules, struck, attack.height, body, ready(victim), by=attack.who, victim=victim.name)
        body, worn = landed.body, replace(worn, pieces=landed.worn.pieces)
    for part in effect.parts or (("torso",) if effect.shock else ()):
        body, shock, _ = yield from shrugs(body, effect.shock, by=victim.name)
        if shock:
            yield Tell(
                Suffered(
                    victim.name,
                    f"is hurt by the {action_name(attack.act.kind)}",
                    f"Width {attack.width} of the {action_name(attack.act.kind)}",
                    shock,
                    location=part,
                )
            )
        body = shock_to(rules, body, part, shock) if shock else body
    if effect.downed and not victim.downed and "rolls over" in trait(rules, victim, attack.act.kind):
        fight, effect = yield from _roll_over(rules, fight, attack, effect)
        victim = fight.fighter(victim.name)
    fight = fight.put(
        replace(
            victim,
            body=body,
            worn=worn,
            downed=victim.downed or effect.downed,
            tripped=victim.tripped + effect.next_round,
            held_by=attack.who if effect.immobile else victim.held_by,
            choked=effect.again[0] if effect.again is not None else victim.choked,
        )
    )
    if effect.downed and not victim.downed:
        yield Tell(Happened(victim.name, "goes down", "bad"))
    if effect.next_round:
        yield Tell(Happened(victim.name, f"has -{effect.next_round}d next round", "bad"))
    if effect.ends_close_in:
        fight = yield from _push_away(fight, attack.who, fight.fighter(victim.name), effect.metres)
    if effect.disarmed and victim.in_hand:
        fight = yield from _disarm(rules, fight, attack.who, fight.fighter(victim.name), effect)
    if effect.attacker_downed and not fight.fighter(attack.who).downed:
        yield Tell(Happened(attack.who, "goes down too"))
        fight = fight.change(attack.who, downed=True)
    return fight


_ROLL_OVER: tuple[Option[bool], ...] = (
    Option("yes", "Roll over and lose a die of a set", value=True),
    Option("no", "Go down", value=False),
)


def _roll_over(rules: Ruleset, fight: Fight, attack: Pending, effect: Effect) -> Play[tuple[Fight, Effect]]:
    """A fighter with the feat stays on their feet for a die of a set."""
    name = attack.act.target
    about = Situation(fight, name, rules)
    if not (yield from Choice(name, f"The {attack.act.kind} takes you off your feet. Do you roll over?", _ROLL_OVER, about, "roll over")):
        return fight, effect
    yield Tell(Happened(name, "rolls over and is back on their feet", "good"))
    fight = replace(fight, pending=(yield from loses_a_die(rules, fight.pending, name)))
    return fight, replace(effect, downed=False, next_round=0, set_dice=0)


def _push_away(fight: Fight, by: str, victim: Fighter, metres: int) -> Play[Fight]:
    """Moves a victim away and ends Close-In."""
    pusher = fight.fighter(by)
    apart = "" if victim.close_to == by else victim.close_to
    text = "" if victim.held_by == by else victim.held_by
    fight = fight.put(replace(victim, close_to=apart, held_by=text))
    fight = fight.change(by, close_to="") if pusher.close_to == victim.name else fight
    return (yield from goes(fight, victim.name, steps_from(fight, victim.name, by, metres), "is pushed"))


_TAKE: tuple[Option[bool], ...] = (Option("yes", "Take it", value=True), Option("no", "Leave it", value=False))


def _disarm(rules: Ruleset, fight: Fight, by: str, victim: Fighter, effect: Effect) -> Play[Fight]:
    """A weapon flies Width metres, or into the attacker's free hand: as the main weapon if unarmed, else in the off-hand."""
    weapon, place = victim.weapon, victim.in_hand
    if effect.broken:
        yield Tell(Happened(victim.name, f"has {the(weapon.name)} broken in their hand", "bad"))
        gone_for_good = tuple(sorted({*victim.lost, place}))
        return fight.put(replace(victim, in_hand=0, lost=gone_for_good, taken=tuple(sorted({*victim.taken, place}))))
    takes = effect.taken
    if takes:
        takes = yield from Choice(by, f"Do you take {the(weapon.name)}?", _TAKE, Situation(fight, by, rules), "take")
    if not takes:
        flies = stands(victim, steps_from(fight, victim.name, by, effect.metres))
        yield Tell(Happened(victim.name, f"loses {the(weapon.name)}, which lands {effect.metres} m away", "bad"))
        return dropped(fight, victim.name, place, where(flies))
    lost = tuple(sorted({*victim.lost, place}))
    fight = fight.put(replace(victim, in_hand=0, lost=lost, taken=(*victim.taken, place)))
    taker = fight.fighter(by)
    yield Tell(Happened(by, f"takes {the(weapon.name)}"))
    armed, new = with_weapon_of(rules, taker, victim, place)
    return fight.put(replace(armed, in_hand=taker.in_hand or new, off_hand=new if taker.in_hand else 0))


def has_free_hand(rules: Ruleset, fighter: Fighter) -> bool:
    """Whether a fighter has a free hand for a taken weapon."""
    if not fighter.in_hand:
        return fighter.hand != "none"
    both = fighter.body.usable("right arm") and fighter.body.usable("left arm") and not fighter.worn.shield and not fighter.off_hand
    return both and one_handed(rules, fighter, fighter.in_hand)
