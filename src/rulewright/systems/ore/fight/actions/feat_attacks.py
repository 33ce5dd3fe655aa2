"""Feat actions in close combat and with weapons (book lines 2439-2489, 3284-3374, 3702-4154)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt, called_dice
from rulewright.systems.ore.combat.close_actions import Effect
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending
from rulewright.systems.ore.drama.determination import speed_of
from rulewright.systems.ore.fight.actions.attacks import Blow, can_strike
from rulewright.systems.ore.fight.actions.base import FREE, HELD, HOLDING, Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.fight.events import TestRolled
from rulewright.systems.ore.fight.resolution.gunfire import gone, without_bullets
from rulewright.systems.ore.fight.resolution.strikes import applied, hits, marked
from rulewright.systems.ore.gear.armour import Hit
from rulewright.systems.ore.gear.weapons import Weapon
from rulewright.systems.ore.people.pools import skill_pool, usable_pool
from rulewright.systems.ore.resolution.tests import Pool, dice_in, make_test

POWER_UP = 3
"""Charges used by a round of charging up."""
BATTERY = 5
"""Dice rolled for the charges left in an empty battery."""
SIZED = "sized up before"
FIGHTING = ("fight", "close combat")
CLINCHES, CLINCHED = "has a weapon locked", "weapon locked"


class Ward(Action):
    """A copy of the attack's set as counter dice against the same opponent."""

    kind, label, did = "ward", "Ward off", "wards off"
    counters = True

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        return own.act.target == attack.who and attack.act.target == own.who


class WallOfLead(Action):
    """A copy of the shot's set as counter dice against all other shooters."""

    kind, label, did = "wall of lead", "Stop others from shooting", "stops others from shooting"
    counters = True

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        return attack.act.target == own.who and attack.who != own.act.target and not weapon.close


class WaterDance(Action):
    """Coordination and Close Combat: the Width is the Difficulty of every blow at the dancer."""

    kind, label, did = "water dance", "Water Dance out of reach", "dances out of reach"
    verb, counters = "guard", True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if "water dance" in me.abilities and not me.downed else ()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        pool = best_pool(rules, fighter, ("close combat", "dodge"), "coordination")
        return Attempt(pool, fighter.profile.athletic_difficulty)


class Watch(Action):
    """Base class of actions that observe an enemy for a later benefit."""

    rolled, plain = False, True
    verb = "special"
    word = ""

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return (self.word, foe.name) not in me.marks

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return marked(fight, fighter.name, self.word, act.target)


class Mark(Watch):
    """Marks an enemy: +1d on every attack on them for the rest of the fight."""

    kind, label, did = "mark", "Mark", "marks"
    ability, word = "marks", "marked"


class SizeUp(Watch):
    """Spends a round on an enemy's style: a Master Die on the next attack on them; once per enemy."""

    kind, label, did = "size up", "Size up", "sizes up"
    ability, word, alone = "sizes up", "sized up", True

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return foe.person and (SIZED, foe.name) not in me.marks

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return marked(super().done(rules, fight, fighter, act), fighter.name, SIZED, act.target)


class Assess(Watch):
    """Watches an enemy for a round to compare their attack dice."""

    kind, label, did = "assess", "Assess the skill of", "watches"
    ability, word, alone = "assesses", "assessed", True

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return foe.person and super().possible(rules, me, foe)

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        fight = yield from super().at_once(rules, fight, fighter, act)
        own, other = _dice(rules, fighter), _dice(rules, fight.fighter(act.target))
        word = "worse than" if other <= own - 2 else "better than" if other >= own + 2 else "about as well as"
        yield Tell(Happened(fighter.name, f"sees that {act.target} fights {word} they do"))
        return fight


def _dice(rules: Ruleset, fighter: Fighter) -> int:
    """The dice of an attack with the weapon in hand."""
    return dice_in(rules, fighter.profile.attacks[fighter.in_hand])


# --- batteries and barrels ----------------------------------------------------------------------------------------------------


class ChargeUp(Action):
    """Spends a round and three charges: the next shot is much stronger."""

    kind, label, did = "charge up", "Charge up the weapon", "charges up the weapon"
    verb = "gear"
    rolled, alone, plain = False, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        enough = me.loaded > POWER_UP or me.loaded < 0
        return (self.one(),) if "charges up" in me.abilities and enough and ("charged up", "") not in me.marks else ()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        if fighter.weapon.magazine:
            fighter = without_bullets(fighter, fighter.in_hand, gone(fighter, fighter.in_hand) + POWER_UP)
        return marked(fight.put(fighter), fighter.name, "charged up")


class ShakeBattery(Action):
    """Rolls five dice for an empty battery: a charge per point of Width."""

    kind, label, did = "shake the battery", "Shake the battery", "shakes the battery"
    verb = "gear"
    rolled, plain = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if "shakes the battery" in me.abilities and me.loaded == 0 else ()

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        pool, what = Pool(BATTERY), "the last charges"
        outcome = yield from make_test(rules, pool, by=fighter.name, what=what)
        yield Tell(TestRolled(fighter.name, what, outcome.width, outcome.height, pool=pool, dice=dice_in(rules, pool)))
        many = min(outcome.width, fighter.weapon.magazine)
        yield Tell(Happened(fighter.name, f"{self.did}: {count(many, 'charge')} left" if many else f"{self.did}, but it is empty"))
        return fight.put(without_bullets(fighter, fighter.in_hand, fighter.weapon.magazine - many)) if many else fight


class RepeatShot(Action):
    """Repeats the shot of the last round without a roll, for one more charge."""

    kind, label, did = "repeat shot", "Repeat the shot at", "repeats the shot"
    verb, exposes, with_weapon, own_dice, alone = "attack", True, True, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for foe in foes:
            word = next((word for word, about in me.marks if about == foe.name and word.startswith("repeat ")), "")
            if word and (me.loaded > 1 or me.loaded < 0) and can_strike(me, foe):
                yield self.at(foe.name, Act(self.kind, foe.name, skill=word.removeprefix("repeat ")))

    def rolls(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Pending | None]:
        width, height = map(int, act.skill.split("x"))
        yield Tell(Happened(fighter.name, f"{self.did}: {act.skill}"))
        return Pending(fighter.name, act, width, height, speed_of(rules, width, height), place=1)

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        return (yield from hits(rules, fight, pending, width))


# --- weapons locked -----------------------------------------------------------------------------------------------------------


class Clinch(Action):
    """Body and Fight: locks both weapons, and neither can be used."""

    kind, label, did = "clinch", "Lock weapons with", "locks weapons with"
    goal = "weapons locked"
    verb, with_weapon, ability = "special", True, "clinches"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        ready = me.weapon.kind == "close" and foe.person and foe.armed and can_strike(me, foe)
        return ready and not any(word in (CLINCHES, CLINCHED) for word, _ in me.marks)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(best_pool(rules, fighter, FIGHTING, "body"))

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        yield Tell(Happened(pending.who, f"{self.did} {pending.act.target}: neither weapon can be used"))
        fight = marked(fight, pending.who, CLINCHES, pending.act.target)
        return marked(fight, pending.act.target, CLINCHED, pending.who), 0


class Unlock(Action):
    """Releases locked weapons without a roll."""

    kind, label, did = "unlock", "Release the weapon of", "releases the weapon of"
    verb, rolled = "special", False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for word, about in me.marks:
            if word == CLINCHES:
                yield self.at(about)

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return unlocked(fight, fighter.name, act.target)


class BreakLock(Action):
    """Frees a locked weapon with Body and Fight."""

    kind, label, did = "break the lock", "Free your weapon from", "frees the weapon from"
    goal = "weapon free"
    verb, targeted = "special", False
    when = frozenset((FREE, HELD, HOLDING))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for word, about in me.marks:
            if word == CLINCHED:
                yield self.at(about)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        return Attempt(best_pool(rules, fighter, FIGHTING, "body"))

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        yield Tell(Happened(pending.who, f"{self.did} {pending.act.target}", "good"))
        return unlocked(fight, pending.act.target, pending.who), ()


def best_pool(rules: Ruleset, fighter: Fighter, skills: tuple[str, ...], statistic: str) -> Pool:
    """The largest pool with one of these skills."""
    person = fighter.profile.training.person()
    pools = [skill_pool(rules, person, skill, statistic) for skill in skills]
    return usable_pool(rules, max(pools, key=lambda pool: pool.size))


def unlocked(fight: Fight, holder: str, other: str) -> Fight:
    """The fight with these two weapons free again."""
    for name, word, about in ((holder, CLINCHES, other), (other, CLINCHED, holder)):
        fighter = fight.fighter(name)
        fight = fight.put(replace(fighter, marks=tuple([mark for mark in fighter.marks if mark != (word, about)])))
    return fight


# --- anything can be thrown ---------------------------------------------------------------------------------------------------

_AREAS = {"head": (9, 0, 1, 10), "vital": (6, -1, 1, 9), "torso": (5, -1, 0, 8), "arm": (4, -2, 0, 5), "leg": (3, -2, -1, 1)}
"""Difficulty of each part, its bonus to Kill and Shock, and a Height of it."""


class Bullseye(Blow):
    """Throws any small object at a body part, with Difficulty and damage by part."""

    kind, label, did = "bullseye", "Throw something at", "throws something at"
    plain, with_weapon = False, False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for foe in foes:
            for area in _AREAS if "throws anything" in me.abilities and foe.person else ():
                act = Act(self.kind, foe.name, skill=area)
                yield Declarable(f"bullseye:{foe.name}:{area}", f"Throw something at {foe.name}'s {area}", (act,))

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        person = fighter.profile.training.person()
        pool = usable_pool(rules, skill_pool(rules, person, "projectile weapons", "coordination"))
        return Attempt(pool.plus(called_dice()), _AREAS[act.skill][0])

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        _, kill, shock, height = _AREAS[pending.act.skill]
        hit = Hit(max(0, width + kill), max(0, width + shock), width)
        yield Tell(Happened(pending.who, f"hits the {pending.act.skill} of {pending.act.target} with a thrown object"))
        return (yield from applied(rules, fight, replace(pending, height=height), Effect(success=True, hit=hit, set_dice=1))), 1


def locked(fighter: Fighter) -> bool:
    """Whether the weapon is locked and cannot be used."""
    return bool(fighter.in_hand) and any(word in (CLINCHES, CLINCHED) for word, _ in fighter.marks)
