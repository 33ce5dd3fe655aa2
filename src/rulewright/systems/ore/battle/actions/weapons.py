"""Attack, Lock-On, Ram and Sideswipe (book lines 5867-5873, 5893-5899)."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import Choice, Happened, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.ore.battle.actions.base import HELM, Offer, Steered, VehicleAction, moving
from rulewright.systems.ore.battle.combatants import Battle, Craft, Machine, Order, Post, Role, Situation, Waiting
from rulewright.systems.ore.battle.counters import countered
from rulewright.systems.ore.battle.dice import Tried, against, tried, tried_alone
from rulewright.systems.ore.battle.events import HITS, Closed
from rulewright.systems.ore.battle.feats import HARRIES, driver_help, softened
from rulewright.systems.ore.battle.harm import Blow, Closing, Outcome, strikes
from rulewright.systems.ore.machines.driving_tests import attack_statistic, hull_dice, lock_on_dice, may_attack
from rulewright.systems.ore.machines.vehicle import Gun, Seat
from rulewright.systems.ore.machines.weapons import own_share, pushed_aside, ram_damage, reaches, sideswipe_damage, weapon_damage

EVADED = ("jink", "swerve", "defend")
ARMED: frozenset[Role] = frozenset(("pilot", "co-pilot", "gunner", "crew"))


def open_to_attack(battle: Battle, craft: str, target: str) -> bool:
    """Whether Position allows an attack; people outside vehicles have none."""
    if battle.person(target) is not None:
        return True
    own, other = battle.unit(craft), battle.unit(target)
    return may_attack(own.position, other.position, other.machine.size)


def targets(rules: Ruleset, battle: Battle, post: Post, locked: bool) -> list[tuple[str, int]]:
    """Targets in range with the index of the weapon; for each the first weapon comes first."""
    unit = battle.unit(post.craft)
    pairs = []
    for foe in battle.foes(unit.side):
        at = battle.range_of(unit.name, foe.name)
        for place, gun in enumerate(unit.machine.guns):
            left = not isinstance(unit, Craft) or unit.shots_left(place) > 0
            if left and gun.direct != locked and reaches(rules, gun.range, at, locked):
                pairs.append((foe.name, place))
    return pairs


class Shot(VehicleAction):
    """Firing weapons, by eye or with a lock-on, as far as Position allows."""

    verb = "attack"
    roles = ARMED
    attack = True
    locked: ClassVar[bool] = False

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        unit = battle.unit(post.craft)
        if not isinstance(unit, Craft) or (unit.machine.of_the_line and post.role != "gunner"):
            return
        seen: set[str] = set()
        for target, place in (*targets(rules, battle, post, self.locked), *self.on_foot(battle, unit)):
            if open_to_attack(battle, post.craft, target):
                name = unit.machine.guns[place].name
                share = firepower_left(battle, unit.name) if unit.machine.of_the_line and not self.locked else 0
                several = self.locked or len([gun for gun in unit.machine.guns if gun.direct]) > 1
                label = f"{self.label} {target}" + (f" with {the(name)}" if several else "")
                key = f"{self.kind}:{target}" + (f":{name}" if target in seen else "")
                yield Offer(key, label, (Order(self.kind, target, place, share),))
                seen.add(target)

    def on_foot(self, battle: Battle, craft: Craft) -> list[tuple[str, int]]:
        """People outside vehicles who can be fired at, with the index of the weapon."""
        return []

    def hits_with(self, gun: Gun) -> str:
        """The log text of a hit."""
        return f"{self.did} {{target}}"

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        guns = battle.unit(waiting.post.craft).machine.guns
        gun = guns[waiting.order.gun] if guns else Gun("")
        battle, width, text = yield from arrives(rules, before, battle, waiting)
        if text != "no shot":
            battle = _fired(battle, waiting)
        if not width:
            return (yield from closed(battle, waiting, text))
        blow = blow_of(waiting, self.hits_with(gun), weapon_damage(rules, width), width, gun.pen)
        return (yield from strikes(rules, battle, waiting.order.target, blow, closing(waiting)))


class Attack(Shot):
    """Fires direct weapons: the pilot with Handling, a co-pilot with Insight, a gunner with Firepower."""

    kind, label, did = "attack", "Attack", "hits"
    answered_by = EVADED

    def on_foot(self, battle: Battle, craft: Craft) -> list[tuple[str, int]]:
        guns = [place for place, gun in enumerate(craft.machine.guns) if gun.direct and craft.shots_left(place) > 0]
        people = [
            occupant for occupant in battle.people if not occupant.craft and occupant.side != craft.side and not occupant.fighter.body.dead
        ]
        return [(person.name, guns[0]) for person in people] if guns else []

    def completed(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Order]:
        """Asks a gunner of a ship of the line how much Firepower to use."""
        machine = battle.unit(post.craft).machine
        if not machine.of_the_line:
            return order
        left = firepower_left(battle, post.craft)
        if left <= 1:
            return replace(order, share=max(0, left))
        ask = f"How much Firepower do you use on {order.target}? {left} is left."
        share = yield from Choice[int](post.who, ask, Range(1, left), Situation(battle, post, rules), "share")
        return replace(order, share=share)

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        machine = battle.unit(post.craft).machine
        statistic = attack_statistic(_seat(machine, post))
        if statistic == "insight":
            hard = against(rules, battle, post, order.target)
            return tried_alone(rules, battle, post, "insight", "gunnery", uses=("crew", "weapons"), hard=hard)
        uses = ("helm", "handling", "weapons") if statistic == "handling" else ("crew", "weapons")
        rating = machine.handling if statistic == "handling" else order.share if machine.of_the_line else machine.firepower
        mods = (hull_dice(_turned(battle, post)),) if machine.of_the_line else ()
        return tried(rules, battle, post, statistic.capitalize(), rating=rating, skill="gunnery", uses=uses, target=order.target, mods=mods)


def _seat(machine: Machine, post: Post) -> Seat:
    """The seat of the shooter; every shooter of a ship of the line is a gunner."""
    if machine.of_the_line or post.role == "gunner":
        return "gunner"
    return "co-pilot" if post.role == "co-pilot" else "pilot"


def _turned(battle: Battle, post: Post) -> int:
    unit = battle.unit(post.craft)
    return unit.turned if isinstance(unit, Craft) else 0


def _fired(battle: Battle, waiting: Waiting) -> Battle:
    """The battle after a shot, if shots are counted."""
    unit = battle.unit(waiting.post.craft)
    if not isinstance(unit, Craft) or not unit.machine.guns[waiting.order.gun].shots or waiting.best >= 0:
        return battle
    gone = {**dict(unit.spent), waiting.order.gun: dict(unit.spent).get(waiting.order.gun, 0) + 1}
    return battle.change(unit.name, spent=tuple(sorted(gone.items())))


def firepower_left(battle: Battle, craft: str) -> int:
    """The Firepower left after the declarations of this round."""
    given = sum([order.share for plan in battle.plans if plan.post.craft == craft for order in plan.orders])
    return battle.unit(craft).machine.firepower - given


def blow_of(waiting: Waiting, how: str, damage: Derived[int], width: int, pen: int = 0) -> Blow:
    """The rest of a set as a blow."""
    return Blow(by=waiting.post.craft, how=how, damage=damage, width=width, height=waiting.height, pen=pen)


def still_open(rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> str:
    """Why an attack is impossible when it is applied; empty if it is possible. Events of the same Speed do not matter, except the
    Position that the attack depends on."""
    target = waiting.order.target
    if battle.person(target) is None and isinstance(hit := battle.unit(target), Craft) and hit.hull.destroyed:
        return f"{target} is destroyed"
    battle = battle if waiting.needs else before
    person = battle.person(target)
    if person is not None:
        return f"{target} is dead" if person.fighter.body.dead else f"{target} is aboard a vehicle" if person.craft else ""
    if not battle.unit(target).able:
        return f"{target} is gone"
    at = battle.range_of(waiting.post.craft, target)
    if waiting.order.kind in ("ram", "sideswipe"):
        if at != "VR":
            return f"{target} is too far away"
    else:
        gun = battle.unit(waiting.post.craft).machine.guns[waiting.order.gun]
        if not reaches(rules, gun.range, at, waiting.order.kind == "lock-on"):
            return f"{target} is out of range"
    if not open_to_attack(battle, waiting.post.craft, target):
        return f"{target} has the better Position"
    return ""


def arrives(rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[tuple[Battle, int, Outcome]]:
    """Whether an attack reaches its target: the remaining Width, or the outcome instead."""
    why = still_open(rules, before, battle, waiting)
    if why:
        yield Tell(Happened(battle.voice(waiting.post), f"has no shot: {why}"))
        return battle, 0, "no shot"
    battle, width = yield from countered(rules, battle, waiting)
    if not width:
        yield Tell(Happened(battle.voice(waiting.post), f"misses: {waiting.order.target} evades"))
        return battle, 0, "countered"
    return battle, width, ""


def closed(battle: Battle, item: Waiting, text: Outcome) -> Play[Battle]:
    """Closes an attack with the best outcome of its sets, after the last of them."""
    best = max(item.best, HITS.index(text))
    same = [other for other in battle.waiting if other.post == item.post and _of_one_volley(item, other)]
    if text == "destroyed" and item.post.role != "wing" and battle.wing(item.order.target) is None:
        battle, same = replace(battle, waiting=tuple([other for other in battle.waiting if other not in same])), []
    if same:
        later = replace(same[0], best=best)
        return replace(battle, waiting=tuple([later if other is same[0] else other for other in battle.waiting]))
    helm = battle.helm(item.order.target) if battle.person(item.order.target) is None else None
    yield Tell(Closed(item.post.who, HITS[best], helm.who if helm is not None else item.order.target))
    return battle


def closing(waiting: Waiting) -> Closing:
    """The same as a callback for a strike."""

    def close(battle: Battle, text: Outcome) -> Play[Battle]:
        return (yield from closed(battle, waiting, text))

    return close


def _of_one_volley(waiting: Waiting, other: Waiting) -> bool:
    """Whether two sets belong to one volley: of one target, or all attacks of a wing."""
    if waiting.post.role == "wing":
        return other.order.kind == waiting.order.kind
    return other.order == waiting.order and other.place == waiting.place


class LockOn(Shot):
    """A fire-and-forget weapon: Sensors and Gunnery, -1d beyond Visual Range. Evasive Manoeuvres counter it. Its roll is the attack
    roll, so Position limits it too (ruling)."""

    kind, label, did = "lock-on", "Lock on to", "hits"
    locked = True
    answered_by = ("evasive manoeuvres", "defend")

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        machine = battle.unit(post.craft).machine
        far = lock_on_dice(battle.range_of(post.craft, order.target))
        uses = ("sensors", "weapons") if post.role in HELM else ("sensors", "weapons", "crew")
        mods = (far, hull_dice(_turned(battle, post))) if machine.of_the_line else (far,)
        return tried(rules, battle, post, "Sensors", rating=machine.sensors, skill="gunnery", uses=uses, target=order.target, mods=mods)

    def hits_with(self, gun: Gun) -> str:
        return f"{self.did} {{target}} with {the(gun.name)}"


class Ram(Steered):
    """Rams with the vehicle: Size and Speed add to the damage, and the attacker takes half."""

    kind, label, did = "ram", "Ram", "rams"
    verb = "attack"
    attack = True
    answered_by = EVADED

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        craft = moving(battle, post)
        if craft is None or not craft.speed:
            return
        for foe in battle.foes(craft.side):
            if battle.range_of(craft.name, foe.name) == "VR" and open_to_attack(battle, craft.name, foe.name):
                yield self.at(foe.name)

    def damage(self, rules: Ruleset, craft: Craft, width: int) -> Derived[int]:
        """The damage of a set of this Width."""
        return ram_damage(rules, width, craft.machine.size, craft.speed)

    def after(self, rules: Ruleset, battle: Battle, waiting: Waiting, width: int) -> Play[Battle]:
        """Effects on the target besides damage."""
        yield from ()
        return battle

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        battle, width, text = yield from arrives(rules, before, battle, waiting)
        if not width:
            return (yield from closed(battle, waiting, text))
        damage = self.damage(rules, battle.craft(waiting.post.craft), width)
        felt = softened(rules, battle, waiting.order.target, damage)
        blow = blow_of(waiting, f"{self.did} {{target}}", felt, width)
        battle = yield from strikes(rules, battle, waiting.order.target, blow, closing(waiting))
        battle = yield from self.after(rules, battle, waiting, width)
        share = softened(rules, battle, waiting.post.craft, own_share(damage.value))
        return (yield from strikes(rules, battle, waiting.post.craft, blow_of(waiting, "takes half of the damage", share, width)))


class Sideswipe(Ram):
    """Sideswipes a vehicle: Size adds to the damage, the attacker takes half, and the target is pushed aside."""

    kind, label, did = "sideswipe", "Sideswipe", "sideswipes"

    def damage(self, rules: Ruleset, craft: Craft, width: int) -> Derived[int]:
        return sideswipe_damage(rules, width, craft.machine.size)

    def after(self, rules: Ruleset, battle: Battle, waiting: Waiting, width: int) -> Play[Battle]:
        """Pushes the target aside."""
        target, metres = battle.unit(waiting.order.target), pushed_aside(width).value
        yield Tell(Happened(target.name, f"is pushed {metres} m aside", "bad"))
        if isinstance(target, Craft):
            battle = battle.change(target.name, aside=target.aside + metres)
        if HARRIES in driver_help(rules, battle, waiting.post.craft, "sideswipe") and target.able:
            yield Tell(Happened(target.name, f"is hard to control: Difficulty {width} for its driver", "bad"))
            battle = battle.change(target.name, harried=width) if isinstance(target, Craft) else battle
        return battle
