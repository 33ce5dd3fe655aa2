"""Attacks on one person, their techniques, and aiming (book lines 1917-1998)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Choice, Option, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.attacks.shots import lob_grenade, ranged_attack, throw_weapon
from rulewright.systems.silhouette.combat.arms import Weapon
from rulewright.systems.silhouette.combat.close_combat import Speed, Technique
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Kind, Profile, Situation, Swing, UnderWay
from rulewright.systems.silhouette.combat.ranged_attacks import aimed_dice
from rulewright.systems.silhouette.fight.actions.base import Doing, Offer, Target
from rulewright.systems.silhouette.gear.ammunition import endless_ammunition
from rulewright.systems.silhouette.harm.body import Location

ASK_HOW = Technique("plain", -1)
"""Marks an attack whose technique is still to be asked for."""
CALLED: tuple[Location, ...] = ("torso", "head", "lower chest", "groin", "throat", "left arm", "right arm", "left leg", "right leg")
SMALL: tuple[Location, ...] = ("left hand", "right hand", "left foot", "right foot")
"""Hands and feet: relevant only with hit locations."""


def _called_shots(rules: Ruleset) -> tuple[Location, ...]:
    return (*CALLED, *SMALL) if rules.on("hit-locations") else CALLED


# --- ways to attack -----------------------------------------------------------------------------------------------------------


def choose_way(rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Action]:
    """Asks how to make an attack."""
    fighter = fight.fighter(name)
    at = action.weapon
    if action.kind == "strike":
        options = ways_to_strike(rules, fighter.profile, action)
    elif action.kind == "throw":
        options = ways_to_throw(rules, action)
    else:
        weapon = fighter.profile.weapons[at]
        left = fighter.ammo[at] if weapon.magazine else 10_000
        options = ways_to_shoot(rules, fighter.profile, action, left)
    about = Situation(fight, name, rules, UnderWay(name, 1 - penalty), action)
    return (yield from Choice(name, f"How do you attack {action.target}?", options, about, "way"))


_SPEED_NAMES: dict[Speed, str] = {"plain": "Normal strike", "fast": "Fast attack", "lightning": "Lightning attack"}


def _describe_technique(speed: Speed, dice: int) -> str:
    """The label of a way to strike: its speed and the dice given up to deceive."""
    feint = f", deceive with {count(dice, 'die', 'dice')}" if dice else ""
    return f"{_SPEED_NAMES[speed]}{feint}"


@cached(10_000)
def ways_to_strike(rules: Ruleset, profile: Profile, action: Action) -> tuple[Option[Action], ...]:
    """Returns the ways to strike: normal, fast, with deception, or at a part of the body; speed and deception combine."""
    weapon = profile.weapons[action.weapon]
    level = profile.level(weapon.skill)
    options: list[Option[Action]] = []
    speeds: tuple[Speed, ...] = ("plain", "fast", "lightning")
    for speed in speeds:
        for dice in range(level + 1):
            words = [*([] if speed == "plain" else [speed]), *([f"deceive {dice}"] if dice else [])]
            key = " ".join(words) or "plain"
            options.append(Option(key, _describe_technique(speed, dice), replace(action, technique=Technique(speed, dice))))
    plain = replace(action, technique=Technique())
    if rules.on("blunt-and-stabbing") and weapon.skill == "melee" and weapon.nature == "plain":
        options.append(Option("stab", "Stab with the point", replace(plain, stab=True)))
    for place in _called_shots(rules):
        options.append(Option(f"at {place}", f"Aim at the {place}", replace(plain, location=place)))
    return tuple(options)


@cached(10_000)
def ways_to_throw(rules: Ruleset, action: Action) -> tuple[Option[Action], ...]:
    """Returns the ways to throw: normal, or at a part of the body."""
    plain = replace(action, technique=Technique())
    parts = [Option(f"at {place}", f"Aim at the {place}", replace(plain, location=place)) for place in _called_shots(rules)]
    return (Option("plain", "Normal throw", plain), *parts)


@cached(10_000)
def ways_to_shoot(rules: Ruleset, profile: Profile, action: Action, left: int) -> tuple[Option[Action], ...]:
    """Returns the ways to shoot: a single shot, a burst, or at a part of the body."""
    weapon = profile.weapons[action.weapon]
    plain = replace(action, technique=Technique())
    options = [Option("plain", "Single shot", plain)]
    rates = max(0, weapon.fires.rof) if weapon.fires is not None else 0
    for rof in range(1, rates + 1):
        if left >= 5 or endless_ammunition(rules):
            options.append(Option(f"burst {rof}", f"Burst +{rof}", replace(plain, rof=rof)))
    for place in _called_shots(rules):
        options.append(Option(f"at {place}", f"Aim at the {place}", replace(plain, location=place)))
    return tuple(options)


# --- the attacks --------------------------------------------------------------------------------------------------------------


class Attack(Doing):
    """An attack, normal or with a technique asked for."""

    verb = "attack"

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        if action.technique is ASK_HOW or action.technique == ASK_HOW:
            action = yield from choose_way(rules, fight, name, action, penalty)
        return (yield from self.carry_out(rules, fight, name, action, penalty))

    def carry_out(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        """Carries out the attack after its technique is settled."""
        raise NotImplementedError

    def entangling(self, offer: Offer, action: Action) -> Option[Action]:
        """Returns the same attack, meant to entangle."""
        label = f"Entangle {action.target} with {the(offer.weapon.name)}"
        return self.option(f"entangle:{action.target}", label, replace(action, snare=True))


class Shoot(Attack):
    """A shot, or a ranged power or spell."""

    kind: Kind = "shoot"
    opens = "shoot"
    hungry = True
    fires = True

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        if not target.shootable:
            return
        name, weapon, shot = target.name, offer.weapon, Action("shoot", target.name, weapon=offer.at)
        words = f"Shoot {name}" if not weapon.natural else f"Strike {name} with {the(weapon.name)}{_describe_cost(weapon)}"
        yield self.option(f"shoot:{name}", words, shot)
        yield self.option(f"shoot how:{name}", f"Shoot {name}: burst or called shot", replace(shot, technique=ASK_HOW))

    def carry_out(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return ranged_attack(rules, fight, name, action, penalty)


class Strike(Attack):
    """A strike; bare hands may hold back, and must without the skill."""

    kind: Kind = "strike"
    opens = "strike"
    hungry = True

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        if not target.near:
            return
        close = offer.at if offer.weapon.close else 0
        weapon, name = offer.profile.weapons[close], target.name
        bare, blow = weapon.skill == "hand-to-hand" and not weapon.natural, Action("strike", name, weapon=close)
        if not bare or offer.profile.level("hand-to-hand") > 0:
            yield self.option(f"strike:{name}", f"Strike {name}", blow)
            how = replace(blow, technique=ASK_HOW)
            yield self.option(f"strike how:{name}", f"Strike {name}: technique or called shot", how)
        if bare:
            yield self.option(f"bruise:{name}", f"Strike {name} to bruise", replace(blow, bruise=True))
        if weapon.entangles is not None:
            yield self.entangling(offer, blow)

    def carry_out(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        yield from ()
        return fight.first(Swing(name, action, penalty))


class Throw(Attack):
    """A weapon thrown."""

    kind: Kind = "throw"
    opens = "throw"

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        weapon, name = offer.weapon, target.name
        if not target.flung or weapon.blast is not None:
            return
        thrown = Action("throw", name, weapon=offer.at)
        yield self.option(f"throw:{name}", f"Throw {the(weapon.name)} at {name}", thrown)
        how = replace(thrown, technique=ASK_HOW)
        yield self.option(f"throw how:{name}", f"Throw {the(weapon.name)} at {name}: called shot", how)
        if weapon.entangles is not None:
            yield self.entangling(offer, thrown)

    def carry_out(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return throw_weapon(rules, fight, name, action, penalty)


class Lob(Attack):
    """A grenade thrown at a person or a spot."""

    kind: Kind = "lob"
    opens = "throw"

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        if target.flung and offer.weapon.blast is not None:
            label = f"Lob {the(offer.weapon.name)} at {target.name}"
            yield self.option(f"lob:{target.name}", label, Action("lob", target.name, weapon=offer.at))

    def carry_out(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return lob_grenade(rules, fight, name, action, penalty)


class Aim(Doing):
    """A round of aiming at one target without moving."""

    kind: Kind = "aim"
    verb = "guard"
    all_round = True

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        name, level = target.name, offer.profile.level(offer.weapon.aims_with)
        aims = target.shootable or (target.flung and offer.weapon.blast is None)
        if aims and offer.steady and level > 0 and (offer.aim_at != name or offer.aim < level):
            yield self.option(f"aim:{name}", f"Aim at {name}", Action("aim", name), "whole round, +1 die on the next shot")

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return aim(rules, fight, name, action.target)


def aim(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """Spends a round aiming at one target without moving."""
    fighter = fight.fighter(name)
    level = fighter.profile.level(fighter.weapon.aims_with)
    rounds = min(fighter.aim + 1 if fighter.aim_at == target else 1, max(1, level))
    yield happened(fight, name, f"aims at {target} (+{count(aimed_dice(rules, level, rounds) - level, 'die', 'dice')})")
    return fight.put(replace(fighter, aim=rounds, aim_at=target))


def _describe_cost(weapon: Weapon) -> str:
    """Describes the cost of a spell."""
    return f" ({count(weapon.spell, 'Spell Point')})" if weapon.spell else ""
