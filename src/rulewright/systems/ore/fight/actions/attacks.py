"""Attacks with a weapon, feints and aiming (book lines 5281-5338, 5366-5368, 5410, 4910)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import pool_for
from rulewright.systems.ore.combat.attacks import Attempt, attempt
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending, apart, facts_of
from rulewright.systems.ore.fight.actions.base import Action, Declarable, Foe, Me, pair
from rulewright.systems.ore.fight.resolution.gunfire import dropped, volleys
from rulewright.systems.ore.fight.resolution.strikes import hits
from rulewright.systems.ore.gear.armour import DAMAGE_CLASSES
from rulewright.systems.ore.gear.missiles import hurled
from rulewright.systems.ore.gear.weapons import can_thrust
from rulewright.systems.ore.harm.locations import called_parts
from rulewright.systems.ore.log_phrases import part_name
from rulewright.systems.ore.people.pools import usable_pool

MOST_GATHERED = 2
"""Feints or rounds of aiming that count for the next attack."""


def can_strike(me: Me, foe: Foe) -> bool:
    """Whether the fighter can attack an enemy with the weapon in hand."""
    return bool(me.armed and foe.usable and me.loaded and (foe.near or not me.weapon.close))


class Blow(Action):
    """Base class of attacks with the weapon in hand."""

    verb, exposes, blow, with_weapon, plain = "attack", True, True, True, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for foe in foes:
            if can_strike(me, foe):
                yield from self.on(rules, me, foe, foes)

    def on(self, rules: Ruleset, me: Me, foe: Foe, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        """All options against this enemy."""
        return (self.at(foe.name),)

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        tried = attempt(rules, fighter.profile.attacks[fighter.in_hand], fighter.weapon, facts_of(rules, fight, fighter, act))
        return _at_both(tried, self.attempt(rules, fight, fighter, replace(act, target=act.also, also=""))) if act.also else tried

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        return (yield from hits(rules, fight, pending, width))


def _at_both(tried: Attempt, other: Attempt) -> Attempt:
    """One roll at two targets: the fewer bonuses, all penalties and the higher Difficulty count (ruling)."""
    kept = [mod for mod in tried.pool.mods if mod.dice < 0 or mod in other.pool.mods]
    more = [mod for mod in other.pool.mods if mod.dice < 0 and mod not in tried.pool.mods]
    return Attempt(replace(tried.pool, mods=(*kept, *more)), max(tried.difficulty, other.difficulty), tried.number)


def _can_split(me: Me, foe: Foe) -> bool:
    """Whether a feat lets the gun in the other hand fire at this enemy."""
    return "separate targets" in me.abilities and bool(me.weapon.gun and me.weapons[me.pair].gun) and foe.usable


class Attack(Blow):
    """A plain attack with all its variants."""

    kind, label, did = "attack", "Attack", "attacks"

    def on(self, rules: Ruleset, me: Me, foe: Foe, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        name, weapon = foe.name, me.weapon
        yield self.at(name)
        yield Declarable(f"wait:{name}", f"Wait, then attack {name}", (Act("attack", name, wait=True),))
        if "half-sword" in weapon.traits:
            label = f"Attack {name} with both hands on {the(weapon.name)}"
            yield Declarable(f"two hands:{name}", label, (Act("attack", name, grip="two hands"),))
        for code in weapon.classes[1:] if rules.on("damage-classes") else ():
            label = f"Attack {name} for {DAMAGE_CLASSES.get(rules, code).name.lower()} damage"
            yield Declarable(f"attack {code}:{name}", label, (Act("attack", name, damage_class=code),))
        for feat, called, _ in me.manners:
            yield Declarable(f"{feat}:{name}", f"{called}: attack {name}", (Act("attack", name, manner=(feat,)),))
        if me.pair:
            yield Declarable(f"two weapons:{name}", f"Attack {name} with both weapons", (Act("attack", name, off_hand=me.pair),))
            for other in [candidate.name for candidate in foes if _can_split(me, candidate) and candidate.name != name]:
                acts = (Act("attack", name, off_hand=me.pair, also=other),)
                yield Declarable(f"two weapons:{name}+{other}", f"Attack {name} and {other} with one weapon each", acts)
        if not me.downed:
            yield pair("attack", "dodge", name)
        if me.interposes:
            yield pair("attack", "parry", name)
        yield from self._several(rules, me, foe, foes)

    def _several(self, rules: Ruleset, me: Me, foe: Foe, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        """Two blows at one enemy or two, or several shots."""
        name = foe.name
        if me.weapon.close:
            yield Declarable(f"attack twice:{name}", f"Attack {name} twice", (Act("attack", name),) * 2)
            for other in [candidate.name for candidate in foes if candidate.usable and candidate.near and candidate.name > name]:
                acts = (Act("attack", name), Act("attack", other))
                yield Declarable(f"attack:{name}+{other}", f"Attack {name} and {other}", acts)
        else:
            others = tuple([(candidate.name, apart(candidate, foe)) for candidate in foes if candidate.usable and candidate.name > name])
            yield from volleys(rules, me.weapon, me.loaded, name, others)


class CalledShot(Blow):
    """An attack on a chosen location."""

    kind, label, did = "called shot", "Called shot at", "aims a blow at"
    plain = False

    def on(self, rules: Ruleset, me: Me, foe: Foe, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for location in called_parts(rules) if foe.person else ():
            label = f"Called shot at {foe.name}'s {part_name(location)}"
            yield Declarable(f"called shot:{foe.name}:{location}", label, (Act("called shot", foe.name, location),))


class Slash(Blow):
    """A blow meant to cause a Wound."""

    kind, label, did = "slash", "Slash at", "slashes at"

    def on(self, rules: Ruleset, me: Me, foe: Foe, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.at(foe.name),) if rules.on("wounds") and me.weapon.kind == "close" and foe.person else ()


class Thrust(Blow):
    """A thrust with a narrow blade to get through armour."""

    kind, label, did = "thrust", "Thrust at", "thrusts at"

    def on(self, rules: Ruleset, me: Me, foe: Foe, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.at(foe.name),) if me.weapon.kind == "close" and can_thrust(rules, me.weapon.style) else ()


class Throw(Blow):
    """Throws the weapon in hand as an improvised missile; it lands at the target."""

    kind, label, did = "throw", "Throw what you hold at", "throws"
    plain, begins = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for foe in foes:
            if me.armed and me.in_hand and foe.throwable:
                yield Declarable(
                    f"throw:{foe.name}", f"Throw {the(me.weapon.name)} at {foe.name}", (Act("throw", foe.name, weapon=me.in_hand),)
                )

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        weapon = hurled(rules, fighter.profile.weapons[act.weapon])
        pool = usable_pool(rules, pool_for(rules, fighter.profile.training.person(), "attack", weapon))
        return attempt(rules, pool, weapon, facts_of(rules, fight, fighter, act))

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        yield Tell(Happened(fighter.name, f"throws {the(fighter.profile.weapons[act.weapon].name)}"))
        return dropped(fight, fighter.name, act.weapon, fight.place_of(act.target))


class Gather(Action):
    """Base class of actions that add a die to the next attack on a target, at most two."""

    rolled, plain, gathers, foreseen = False, True, True, True
    field = ""

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        so_far = getattr(fighter, self.field) if fighter.against == act.target else 0
        bare = replace(fighter, aim=0, feints=0, against=act.target)
        most = MOST_GATHERED if not fighter.profile.feats else max(MOST_GATHERED, fighter.profile.insight)
        return fight.put(replace(bare, **{self.field: min(most, so_far + 1)}))


class Aim(Gather):
    """Takes time to aim."""

    kind, label, did, field = "aim", "Aim at", "aims at", "aim"
    verb = "special"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return can_strike(me, foe) and not me.weapon.close and (me.aim < me.aims or me.against != foe.name)


class Feint(Gather):
    """Deceives the opponent."""

    kind, label, did, field = "feint", "Feint at", "feints at", "feints"
    verb = "special"

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return can_strike(me, foe) and me.weapon.close and (me.feints < MOST_GATHERED or me.against != foe.name)
