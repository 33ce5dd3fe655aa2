"""Attack options and aiming (book lines 418-464): plain, to bruise, bursts and called shots."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Choice, Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import counted
from rulewright.systems.scumm.combat.attack_setup import Situation, happened
from rulewright.systems.scumm.combat.attacks import aimed_dice, called_dice, can_reach, dice_left, enough_dice
from rulewright.systems.scumm.combat.close_combat import close_attack
from rulewright.systems.scumm.combat.fighters import Action, Fight, Kind, Profile, Way
from rulewright.systems.scumm.combat.shots import burst_of, can_burst, ranged_attack
from rulewright.systems.scumm.fight.actions.base import Doing, Offer, Target
from rulewright.systems.scumm.harm.body import LIMBS, Location

PLAIN = Way()
BRUISE = Way(bruise=True)


class Attack(Doing):
    """An attack, plain or in a way that is asked for."""

    verb = "attack"

    def plainly(self, offer: Offer, name: str, label: str, note: str, weapon: int | None = None, way: Way = PLAIN) -> Option[Action]:
        """The attack without a question how."""
        action = Action(self.kind, name, weapon=offer.in_hand if weapon is None else weapon, way=way)
        return self.option(f"{'bruise' if way.bruise else self.kind}:{name}", label, action, note)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        return attack(rules, fight, name, action, extra)


def at_range(rules: Ruleset, offer: Offer, target: Target) -> bool:
    """Whether a person can be shot or thrown at with what is in hand."""
    return target.band is not None and can_reach(rules, target.band) and target.name not in offer.sprayed


class Shoot(Attack):
    """A shot."""

    kind: Kind = "shoot"

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        name = target.name
        if offer.loaded and at_range(rules, offer, target):
            yield self.plainly(offer, name, f"Shoot {name}", f"{offer.weapon.name}, {target.band}")
            how = Action("shoot", name, weapon=offer.in_hand)
            yield self.option(f"shoot how:{name}", f"Shoot {name}: {'burst or called shot' if offer.weapon.burst else 'called shot'}", how)


class Strike(Attack):
    """A blow with what is in hand; bare hands may hold back, and must without the Brawl skill."""

    kind: Kind = "hit"

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        if not target.in_reach:
            return
        at = 0 if offer.weapon.gun else offer.in_hand
        weapon, name = offer.profile.weapons[at], target.name
        bare = weapon.skill == "brawl"
        if not bare or offer.profile.brawl > 0:
            yield self.plainly(offer, name, f"Strike at {name}", weapon.name, at)
        if bare:
            yield self.plainly(offer, name, f"Strike at {name} to bruise", "fists", at, BRUISE)


class Throw(Attack):
    """A knife thrown."""

    kind: Kind = "throw"

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        name, weapon = target.name, offer.weapon
        if weapon.throwable and at_range(rules, offer, target):
            yield self.plainly(offer, name, f"Throw {the(weapon.name)} at {name}", str(target.band))
            how = Action("throw", name, weapon=offer.in_hand)
            yield self.option(f"throw how:{name}", f"Throw {the(weapon.name)} at a part of {name}'s body", how)


class Aim(Doing):
    """A round of aiming at one target, without moving."""

    kind: Kind = "aim"
    verb = "guard"
    all_round = True

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        name, further = target.name, offer.aim < 3 or offer.aim_at != target.name
        if (offer.loaded or offer.weapon.throwable) and at_range(rules, offer, target) and offer.steady and further:
            yield self.option(f"aim:{name}", f"Aim at {name}", Action("aim", name), "whole round, +1 die to the next shot, no movement")

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        return aim(rules, fight, name, action.target)


def aim(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """A round of aiming at one target, without moving."""
    fighter = fight.fighter(name)
    rounds = aimed_dice(rules, fighter.aim + 1 if fighter.aim_at == target else 1)
    yield from happened(fight, name, f"aims at {target} (+{count(rounds, 'die', 'dice')})")
    return fight.put(replace(fighter, aim=rounds, aim_at=target))


# --- how an attack is made ----------------------------------------------------------------------------------------------------


def attack(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """An attack, plain or in a way that is asked for."""
    return (
        attack_so(rules, fight, name, action, way=action.way, extra=extra) if action.way else choose_way(rules, fight, name, action, extra)
    )


def choose_way(rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
    """Ask how an attack is made, and make it."""
    fighter = fight.fighter(name)
    aimed = fighter.aim if fighter.aim_at == action.target else 0
    ways = ways_options(rules, fighter.profile, action.kind, action.weapon, fighter.ammo[action.weapon], aimed)
    about = Situation(fight, name, rules)
    way = yield from Choice(name, f"How do you attack {action.target}?", ways, about, "way")
    return (yield from attack_so(rules, fight, name, action, way=way, extra=extra))


def attack_so(rules: Ruleset, fight: Fight, name: str, action: Action, *, way: Way, extra: int) -> Play[Fight]:
    """An attack made in one way."""
    if action.kind == "hit":
        weapon = fight.fighter(name).profile.weapons[action.weapon]
        return close_attack(rules, fight, name, action.target, weapon=weapon, bruise=way.bruise, extra=extra)
    thrown = action.kind == "throw"
    return ranged_attack(
        rules,
        fight,
        name,
        action.target,
        action.weapon,
        location=way.location,
        burst=way.burst,
        thrown=thrown,
        extra=extra,
        vitals=way.vitals,
    )


def _dice_lost(dice: int) -> str:
    """A number of dice to give up, with its noun: 1 die fewer, 2 dice fewer."""
    return f"{count(abs(dice), 'die', 'dice')} fewer"


_CALLED: tuple[Location, ...] = ("head", "torso", *LIMBS)


@cached(10_000)
def ways_options(rules: Ruleset, profile: Profile, kind: Kind, weapon_index: int, ammo: int, aim: int) -> tuple[Option[Way], ...]:
    """Plainly, as a burst, or at a part of the body."""
    weapon = profile.weapons[weapon_index]
    options = [Option("plain", "Plainly", PLAIN)]
    level = profile.level("throw" if kind == "throw" else weapon.skill)
    if kind == "shoot":
        for dice in (1, 2):
            if can_burst(rules, weapon, level, aim, ammo, dice):
                words = f"Burst: {counted(dice, 'die', 'dice')} fewer, margin +{dice}, {burst_of(dice).ammo} rounds"
                options.append(Option(f"burst {dice}", words, Way(dice)))
    for place in _CALLED:
        if enough_dice(rules, level, dice_left(rules, level, aim, place), burst=False):
            options.append(Option(place, f"At the {place} ({_dice_lost(called_dice(rules, place))})", Way(location=place)))
    if enough_dice(rules, level, dice_left(rules, level, aim, "torso", vitals=True), burst=False):
        dice = called_dice(rules, "torso", True)
        options.append(Option("vitals", f"At a vital spot such as the throat ({_dice_lost(dice)})", Way(location="torso", vitals=True)))
    return tuple(options)
