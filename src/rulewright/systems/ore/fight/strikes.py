"""Step three of a round: what a set does when its moment comes (book lines 4294-4314)."""

from msgspec.structs import replace

from rulewright.play import Choice, Happened, Option, Play, Range, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.systems.ore.combat.attacks import land
from rulewright.systems.ore.combat.close_actions import (
    Effect,
    charge_bonus,
    disarm_effect,
    grapple_effect,
    push_effect,
    strangle_effect,
    tackle_effect,
    trip_effect,
)
from rulewright.systems.ore.combat.cover import OPEN, can_dodge
from rulewright.systems.ore.combat.fighters import DEFENCES, Fight, Fighter, Group, Pending, Situation, facts_of
from rulewright.systems.ore.combat.mooks import hit_mook, mook_blow
from rulewright.systems.ore.drama.determination import in_time
from rulewright.systems.ore.fight.gunfire import one_handed
from rulewright.systems.ore.fight.heroics import counters, spared, when_hit
from rulewright.systems.ore.gear.armour import Protection
from rulewright.systems.ore.gear.weapons import BARE_HANDS, Blow, Manner, Weapon, blow, half_swording
from rulewright.systems.ore.harm.body import Abstract, Vital, shock_to, shrugs
from rulewright.systems.ore.harm.locations import ARMS, Location
from rulewright.systems.ore.resolution.contests import spoiled_at

Sets = tuple[tuple[int, int], ...]


# --- a die lost to every hit --------------------------------------------------------------------------------------------------


@rule("ore-4.05-resolution-order")
def after_hit(rules: Ruleset, sets: Sets = ((2, 7), (3, 4))) -> Sets:
    """Whoever is hit, even without damage, loses a die from his highest set that still waits; a set of one die is spoiled.

    The highest is the one of greatest Height, then the widest (ruling, which a campaign can turn round).
    """
    if not sets:
        return ()
    place = highest_set(rules, sets)
    width, height = sets[place]
    left = ((width - 1, height),) if width - 1 > spoiled_at(rules) else ()
    return (*sets[:place], *left, *sets[place + 1 :])


def highest_set(rules: Ruleset, sets: Sets) -> int:
    """The place of the set that a hit takes a die from."""
    by_width = rules.word("hit-takes-die-from") == "widest set"
    return max(range(len(sets)), key=lambda i: sets[i] if by_width else sets[i][::-1])


def shaken(rules: Ruleset, pending: tuple[Pending, ...], name: str) -> tuple[Pending, ...]:
    """The sets that wait, after somebody was hit. A Twinned set is one, so that both blows lose the die."""
    own = [each for each in pending if each.who == name]
    if not own:
        return pending
    one = own[highest_set(rules, tuple([(each.width, each.height) for each in own]))]
    left = one.width - 1 > spoiled_at(rules)
    found = []
    for each in pending:
        if each is not one and not _twins(each, one):
            found.append(each)
        elif left:
            found.append(replace(each, width=each.width - 1))
    return tuple(found)


def _twins(one: Pending, other: Pending) -> bool:
    """Whether two blows are of one Twinned set."""
    if one.who != other.who or not one.act.off_hand or one.act.twin == other.act.twin:
        return False
    return replace(one.act, twin=False) == replace(other.act, twin=False)


# --- counter dice -------------------------------------------------------------------------------------------------------------


def weapon_of(fight: Fight, attack: Pending) -> Weapon:
    """What somebody attacks with; mooks fight hand to hand, and so does who trips, pushes or grapples."""
    if fight.group(attack.who) is not None or attack.act.kind in ("tackle", "push", "grapple", "strangle"):
        return BARE_HANDS
    fighter = fight.fighter(attack.who)
    return fighter.profile.weapons[attack.act.off_hand if attack.act.twin else attack.act.weapon or fighter.in_hand]


@rule("ore-4.07-shock-marking")
def arm_gone(rules: Ruleset, fight: Fight, each: Pending) -> bool:
    """Whether the arm that was to do it is Out by now: nothing can be done with that any more. Bare hands find another way (ruling)."""
    if fight.group(each.who) is not None or each.act.kind not in WITH_A_WEAPON:
        return False
    fighter, weapon = fight.fighter(each.who), weapon_of(fight, each)
    if weapon.kind == "unarmed" or isinstance(fighter.body, Abstract | Vital):
        return False
    place = each.act.off_hand if each.act.twin else fighter.in_hand
    arm: Location = "left arm" if each.off or each.act.twin else "right arm"
    return not all(fighter.body.usable(each) for each in ((arm,) if one_handed(rules, fighter, place) else ARMS))


WITH_A_WEAPON = frozenset(("attack", "called shot", "slash", "thrust", "trip", "disarm", "parry", "fend off"))


@rule("ore-4.04-no-reaction-to-faster")
def answers(rules: Ruleset, fight: Fight, attack: Pending, before: Fight | None = None) -> tuple[Pending, ...]:
    """The defences that can still be put against an attack: fast enough, high enough, and of a kind that helps against it."""
    if fight.group(attack.act.target) is not None:
        return ()
    high = [each for each in fight.pending if each.act.kind in DEFENCES and each.height >= attack.height]
    fast = [each for each in high if in_time(rules, each.speed, attack.speed)]
    return tuple([each for each in fast if _fits(rules, fight, attack, each) and not _disabled(rules, before or fight, each)])


def _disabled(rules: Ruleset, fight: Fight, defence: Pending) -> bool:
    """Whether the arm of a parry was Out before this moment; a shield is on an arm of its own."""
    return arm_gone(rules, fight, defence) and not ready(fight.fighter(defence.who)).shield


def _fits(rules: Ruleset, fight: Fight, attack: Pending, defence: Pending) -> bool:
    """Whether a defence is of a kind that helps: a hold against whatever the one who is held does, the rest against attacks on oneself."""
    kind, weapon = defence.act.kind, weapon_of(fight, attack)
    if kind == "hold":
        return defence.act.target == attack.who and weapon.close
    if defence.who != attack.act.target or (attack.act.kind == "close in") != (kind == "fend off"):
        return False
    if kind == "parry":
        return weapon.close
    if kind == "fend off":
        return weapon.close
    target = fight.fighter(defence.who)
    return not weapon.close if kind == "dive" else can_dodge(rules, weapon.kind, target.profile.coordination)


_ANSWERS = {"parry": "parries", "dodge": "dodges", "dive": "dives", "hold": "holds on", "fend off": "fends off"}


def defended(rules: Ruleset, fight: Fight, attack: Pending, before: Fight | None = None) -> Play[tuple[Fight, int]]:
    """What is left of an attack's Width after counter dice, each of which takes one of its dice; who has more than one attack coming
    says how many dice to spend on this one."""
    width, spoiled = attack.width, spoiled_at(rules)
    for defence in answers(rules, fight, attack, before):
        useful = min(defence.width, max(width - spoiled, 1))  # a single die spoils a Run
        spent = useful
        if any(each.act.target == defence.who and each.act.kind not in DEFENCES for each in fight.pending):
            about = Situation(fight, defence.who, rules)
            ask = f"How many dice of your {defence.width}x{defence.height} go against {attack.who}'s {width}x{attack.height}?"
            spent = yield from Choice[int](defence.who, ask, Range(0, useful), about, "counter")
        if not spent:
            continue
        width -= spent
        left = replace(defence, width=defence.width - spent)
        pending = [left if each is defence else each for each in fight.pending if each is not defence or left.width]
        fight = replace(fight, pending=tuple(pending))
        yield Tell(Happened(defence.who, f"{_ANSWERS[defence.act.kind]} with {spent} of {defence.width} dice"))
        if width <= spoiled:
            return fight, 0
    return fight, width


# --- a hit --------------------------------------------------------------------------------------------------------------------

_MANNERS: dict[str, Manner] = {"slash": "slash", "thrust": "thrust"}
BLOWS = frozenset(("attack", "called shot", "slash", "thrust"))


def lands(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Play[tuple[Fight, int]]:
    """An attack that nobody stopped reaches its target; how many dice that costs the target's waiting sets."""
    group = fight.group(attack.act.target)
    if group is not None:
        return (yield from _hits_mook(rules, fight, attack, width, group)), 1
    if attack.act.kind in BLOWS:
        return (yield from _hits_person(rules, fight, attack, width))
    return (yield from _takes_effect(rules, fight, attack, width))


def ready(victim: Fighter) -> Protection:
    """What protects somebody now: a shield only on an arm that can be used."""
    worn = victim.worn
    return worn if not worn.shield or victim.body.usable(worn.shield_arm) else replace(worn, shield=0)


def _hits_person(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Play[tuple[Fight, int]]:
    victim, act = fight.fighter(attack.act.target), attack.act
    group = fight.group(attack.who)
    by = group.members[0] if group is not None else attack.who
    fight, dealt = yield from when_hit(rules, fight, victim.name, _blow(rules, fight, attack, width))
    victim = fight.fighter(victim.name)
    ranged = not weapon_of(fight, attack).close
    yield Tell(Happened(attack.who, f"hits {victim.name} with a {width}x{attack.height}"))
    worn = ready(victim)
    landing = (rules, dealt, attack.height, victim.body, worn, act.location, fight.cover_of(victim), ranged, by, victim.name)
    landed = yield from (sub(land, *landing) if isinstance(victim.body, Abstract) else land(*landing))  # only Downs and Outs need dice
    if not landed.hit:
        yield Tell(Happened(victim.name, "is saved by cover"))
        return fight, 0
    pieces = landed.worn.pieces
    after = replace(victim, body=landed.body, worn=victim.worn if pieces == worn.pieces else replace(victim.worn, pieces=pieces))
    return fight.put(after), 1


def _blow(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Blow:
    group = fight.group(attack.who)
    if group is not None:
        return mook_blow(group.mob, width)
    fighter, act = fight.fighter(attack.who), attack.act
    kill, shock = charge_bonus(rules, act.charge) if act.charge else (0, 0)
    weapon = weapon_of(fight, attack)  # which may not be the one that was declared: a disarmed fighter strikes with the fist
    if "half-sword" in weapon.traits and not act.off_hand:
        facts = facts_of(rules, fight, fighter, act)
        kill += half_swording(rules, weapon.traits, weapon.power, facts.body, facts.free_hand, facts.grip).kill
    manner = "plain" if weapon.kind == "unarmed" else _MANNERS.get(act.kind, "plain")
    chosen = act.damage_class if act.damage_class in weapon.classes else ""
    return blow(rules, weapon, width, manner, kill, shock, chosen or None)


def _hits_mook(rules: Ruleset, fight: Fight, attack: Pending, width: int, group: Group) -> Play[Fight]:
    """A blow at mooks: it goes to the one it takes out, or else to the weakest (ruling: whoever attacks would choose so)."""
    hit, mob = _blow(rules, fight, attack, width).hit, group.mob
    if mob.out:  # another blow of this very moment took the last of them
        return fight
    tries = [hit_mook(rules, mob, hit, attack.height, which) for which in range(mob.number)]
    after = min(tries, key=lambda one: (one.number, sum(one.ratings)))
    what = "takes one out of" if after.number < mob.number else "hits" if after != mob else "does not harm"
    yield Tell(Happened(attack.who, f"{what} {group.name} with a {width}x{attack.height}"))
    return fight.put_group(replace(group, mob=after))


# --- what is no plain blow ----------------------------------------------------------------------------------------------------


def _takes_effect(rules: Ruleset, fight: Fight, attack: Pending, width: int) -> Play[tuple[Fight, int]]:
    """A trip, a grapple and the like: what its Width does to the other, and to whoever did it."""
    kind, victim = attack.act.kind, fight.fighter(attack.act.target)
    if kind == "grapple":
        fight, left = yield from counters(rules, fight, victim.name, victim.profile.wrestle, width, attack.height)
        width = left.width
    effect = _effect(rules, attack, width, fight)
    if not effect.success:
        yield Tell(Happened(victim.name, f"is not to be caught by {attack.who}"))
        return fight, 0
    yield Tell(Happened(attack.who, f"{_DONE[kind]} {victim.name} with a {width}x{attack.height}"))
    return (yield from applied(rules, fight, attack, effect)), effect.set_dice


_DONE = {
    "trip": "trips",
    "disarm": "disarms",
    "tackle": "tackles",
    "push": "pushes",
    "grapple": "grapples",
    "strangle": "strangles",
}


def _effect(rules: Ruleset, attack: Pending, width: int, fight: Fight) -> Effect:
    kind = attack.act.kind
    if kind == "trip":
        return trip_effect(rules, width)
    if kind == "disarm":
        return disarm_effect(rules, width, attack.act.location or "right arm", has_free_hand(rules, fight.fighter(attack.who)))
    if kind == "tackle":
        return tackle_effect(width)
    if kind == "push":
        return push_effect(width)
    return grapple_effect(width, attack.act.upright) if kind == "grapple" else strangle_effect(width)


def applied(rules: Ruleset, fight: Fight, attack: Pending, effect: Effect) -> Play[Fight]:
    """What an action brings about, written into the fight."""
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
        body = shock_to(rules, body, part, shock) if shock else body
    victim = replace(
        victim,
        body=body,
        worn=worn,
        downed=victim.downed or effect.downed,
        tripped=victim.tripped + effect.next_round,
        held_by=attack.who if effect.immobile else victim.held_by,
        choked=effect.again[0] if effect.again is not None else victim.choked,
    )
    fight = fight.put(victim)
    if effect.ends_close_in:
        fight = _pushed(fight, attack.who, victim, effect.metres)
    if effect.disarmed and victim.in_hand:
        fight = yield from _disarmed(rules, fight, attack.who, victim, effect.taken)
    return fight.change(attack.who, downed=True) if effect.attacker_downed else fight


def _pushed(fight: Fight, by: str, victim: Fighter, metres: int) -> Fight:
    """Somebody is moved away, and neither is inside the other's guard any longer."""
    pusher = fight.fighter(by)
    away = 1 if victim.metres > pusher.metres or (victim.metres == pusher.metres and victim.side > pusher.side) else -1
    apart = "" if victim.close_to == by else victim.close_to
    held = "" if victim.held_by == by else victim.held_by
    fight = fight.put(replace(victim, metres=victim.metres + away * metres, close_to=apart, held_by=held, cover=OPEN))
    return fight.change(by, close_to="") if pusher.close_to == victim.name else fight


_TAKE: tuple[Option[bool], ...] = (Option("yes", "Take it", True), Option("no", "Leave it", False))


def _disarmed(rules: Ruleset, fight: Fight, by: str, victim: Fighter, takes: bool) -> Play[Fight]:
    """A weapon flies out of somebody's hand, or into the free one of whoever did it: who fought without a weapon fights with it now,
    others have it in the off-hand, for two weapons or to change to."""
    weapon, place = victim.weapon, victim.in_hand
    if takes:
        takes = yield from Choice(by, f"The {weapon.name} is yours if you want it.", _TAKE, Situation(fight, by, rules), "take")
    lost = tuple(sorted({*victim.lost, place}))
    fight = fight.put(replace(victim, in_hand=0, lost=lost, taken=(*victim.taken, place) if takes else victim.taken))
    if not takes:
        return fight
    taker = fight.fighter(by)
    new = len(taker.profile.weapons)
    gone = dict(victim.spent).get(place, 0)
    yield Tell(Happened(by, f"has the {weapon.name} now"))
    return fight.put(
        replace(
            taker,
            profile=taker.profile.with_weapon(rules, weapon),
            in_hand=taker.in_hand or new,
            spent=(*taker.spent, (new, gone)) if gone else taker.spent,
        )
    )


def has_free_hand(rules: Ruleset, fighter: Fighter) -> bool:
    """Whether somebody has a hand for a weapon that he wrests from another: with nothing in hand, or beside a weapon for one hand."""
    if not fighter.in_hand:
        return fighter.hand != "none"
    both = fighter.body.usable("right arm") and fighter.body.usable("left arm") and not fighter.worn.shield
    return both and one_handed(rules, fighter, fighter.in_hand)
