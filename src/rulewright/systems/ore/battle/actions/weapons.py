"""Attack, Lock-On, Ram and Sideswipe (book lines 5867-5873, 5893-5899)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.errors import Wrong
from rulewright.play import Choice, Happened, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.ore.battle.actions.base import HELM, Offer, VehicleAction, moving
from rulewright.systems.ore.battle.countering import countered
from rulewright.systems.ore.battle.dice import Tried, against, by_oneself, hindered_aboard, tried
from rulewright.systems.ore.battle.engaged import Battle, Craft, Machine, Order, Post, Role, Situation, Waiting
from rulewright.systems.ore.battle.events import HITS, Closed
from rulewright.systems.ore.battle.feats import HARRIES, driver_help, softened
from rulewright.systems.ore.battle.harm import Blow, Closing, Outcome, strikes
from rulewright.systems.ore.machines.driving import attack_statistic, hull_dice, lock_on_dice, may_attack
from rulewright.systems.ore.machines.structure import out_of_order
from rulewright.systems.ore.machines.vehicle import Seat
from rulewright.systems.ore.machines.weapons import own_share, pushed_aside, ram_damage, reaches, sideswipe_damage, weapon_damage

EVADED = ("jink", "swerve", "defend")
ARMED: frozenset[Role] = frozenset(("pilot", "co-pilot", "gunner", "crew"))


def open_to_attack(battle: Battle, craft: str, target: str) -> bool:
    """Whether Position lets one attack another; somebody in the open has none."""
    if battle.person(target) is not None:
        return True
    own, other = battle.unit(craft), battle.unit(target)
    return may_attack(own.position, other.position, other.machine.size)


def targets(rules: Ruleset, battle: Battle, post: Post, locked: bool) -> list[tuple[str, int]]:
    """Whom the weapons of a vehicle reach, each with the place of the weapon; the first weapon for each first."""
    unit = battle.unit(post.craft)
    found = []
    for foe in battle.foes(unit.side):
        at = battle.range_of(unit.name, foe.name)
        for place, gun in enumerate(unit.machine.guns):
            left = not isinstance(unit, Craft) or unit.shots_left(place) > 0
            if left and gun.direct != locked and reaches(rules, gun.range, at, locked):
                found.append((foe.name, place))
    return found


class Attack(VehicleAction):
    """The direct weapons are fired: by the pilot with Handling, a co-pilot with Insight, a gunner with Firepower."""

    kind, label, did = "attack", "Attack", "hits"
    verb = "attack"
    roles = ARMED
    attack = True
    answered_by = EVADED

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        unit = battle.unit(post.craft)
        if not isinstance(unit, Craft) or (unit.machine.of_the_line and post.role != "gunner"):
            return
        seen: set[str] = set()
        for target, place in targets(rules, battle, post, locked=False):
            if open_to_attack(battle, post.craft, target):
                yield from self._with(battle, unit, target, place, target in seen)
                seen.add(target)
        guns = [place for place, gun in enumerate(unit.machine.guns) if gun.direct and unit.shots_left(place) > 0]
        for person in battle.people if guns else ():
            if not person.craft and person.side != unit.side and not person.fighter.body.dead:
                yield from self._with(battle, unit, person.name, guns[0], further=False)

    def _with(self, battle: Battle, craft: Craft, target: str, place: int, further: bool) -> Iterable[Offer]:
        name = craft.machine.guns[place].name
        share = firepower_left(battle, craft.name) if craft.machine.of_the_line else 0
        several = len([gun for gun in craft.machine.guns if gun.direct]) > 1
        label = f"{self.label} {target}" + (f" with {name}" if several else "")
        yield Offer(f"attack:{target}" + (f":{name}" if further else ""), label, (Order("attack", target, place, share),))

    def completed(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Order]:
        """On a ship of the line a gunner says how much of its Firepower goes to his target."""
        machine = battle.unit(post.craft).machine
        if not machine.of_the_line:
            return order
        left = firepower_left(battle, post.craft)
        if left <= 1:
            return replace(order, share=max(0, left))
        ask = f"How much of the Firepower goes to {order.target}? {left} is left."
        share = yield from Choice[int](post.who, ask, Range(1, left), Situation(battle, post, rules), "share")
        return replace(order, share=share)

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        machine = battle.unit(post.craft).machine
        statistic = attack_statistic(_seat(machine, post))
        if statistic == "insight":
            return self._by_insight(rules, battle, post, order)
        uses = ("helm", "handling", "weapons") if statistic == "handling" else ("crew", "weapons")
        rating = machine.handling if statistic == "handling" else order.share if machine.of_the_line else machine.firepower
        mods = (hull_dice(_turned(battle, post)),) if machine.of_the_line else ()
        return tried(rules, battle, post, statistic.capitalize(), rating=rating, skill="gunnery", uses=uses, target=order.target, mods=mods)

    def _by_insight(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        craft, uses = battle.craft(post.craft), ("crew", "weapons")
        broken = out_of_order(rules, craft.hull, uses)
        if broken:
            raise Wrong(f"the {broken} is destroyed")
        pool, insight, gunnery = by_oneself(rules, battle.somebody(post.who).fighter.profile.training, "insight", "gunnery")
        parts: tuple[tuple[str, int], ...] = (("insight", insight), ("gunnery", gunnery))
        beside = pool.size - insight - gunnery
        parts += (("special dice", beside),) if beside else ()
        return Tried(parts, pool.plus(*hindered_aboard(rules, battle, post, uses)), against(rules, battle, post, order.target))

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, each: Waiting) -> Play[Battle]:
        unit = battle.unit(each.post.craft)
        pen = unit.machine.guns[each.order.gun].pen if unit.machine.guns else 0
        battle, width, came = yield from arrives(rules, before, battle, each)
        if came != "no shot":
            battle = _fired(battle, each)
        if not width:
            return (yield from closed(battle, each, came))
        blow = blow_of(each, f"{self.did} {{target}}", weapon_damage(rules, width), width, pen)
        return (yield from strikes(rules, battle, each.order.target, blow, closing(each)))


def _seat(machine: Machine, post: Post) -> Seat:
    """From which seat somebody fires; whoever fires the guns of a ship of the line is a gunner."""
    if machine.of_the_line or post.role == "gunner":
        return "gunner"
    return "co-pilot" if post.role == "co-pilot" else "pilot"


def _turned(battle: Battle, post: Post) -> int:
    unit = battle.unit(post.craft)
    return unit.turned if isinstance(unit, Craft) else 0


def _fired(battle: Battle, each: Waiting) -> Battle:
    """A shot is gone, where they are counted."""
    unit = battle.unit(each.post.craft)
    if not isinstance(unit, Craft) or not unit.machine.guns[each.order.gun].shots or each.best >= 0:
        return battle
    gone = {**dict(unit.spent), each.order.gun: dict(unit.spent).get(each.order.gun, 0) + 1}
    return battle.change(unit.name, spent=tuple(sorted(gone.items())))


def firepower_left(battle: Battle, craft: str) -> int:
    """What is left of a ship's Firepower after what was declared in this round."""
    given = sum([order.share for plan in battle.plans if plan.post.craft == craft for order in plan.orders])
    return battle.unit(craft).machine.firepower - given


def blow_of(each: Waiting, how: str, damage: Derived[int], width: int, pen: int = 0) -> Blow:
    """What is left of a set, as a blow."""
    return Blow(by=each.post.craft, how=how, damage=damage, width=width, height=each.height, pen=pen)


def still_open(rules: Ruleset, before: Battle, battle: Battle, each: Waiting) -> str:
    """Why an attack cannot be made at its moment; nothing where it can. What happens in that very moment comes too late to matter, save
    the Position that the attack itself rests on."""
    target = each.order.target
    if battle.person(target) is None and isinstance(hit := battle.unit(target), Craft) and hit.hull.destroyed:
        return f"{target} is destroyed"
    battle = battle if each.needs else before
    person = battle.person(target)
    if person is not None:
        return f"{target} is dead already" if person.fighter.body.dead else f"{target} is aboard again" if person.craft else ""
    if not battle.unit(target).able:
        return f"{target} is gone"
    at = battle.range_of(each.post.craft, target)
    if each.order.kind in ("ram", "sideswipe"):
        if at != "VR":
            return f"{target} is too far away"
    else:
        gun = battle.unit(each.post.craft).machine.guns[each.order.gun]
        if not reaches(rules, gun.range, at, each.order.kind == "lock-on"):
            return f"{target} is out of range"
    if not open_to_attack(battle, each.post.craft, target):
        return f"{target} has the better Position"
    return ""


def arrives(rules: Ruleset, before: Battle, battle: Battle, each: Waiting) -> Play[tuple[Battle, int, Outcome]]:
    """Whether an attack reaches its target: what is left of its Width, or what it came to instead."""
    why = still_open(rules, before, battle, each)
    if why:
        yield Tell(Happened(battle.voice(each.post), f"has no shot: {why}"))
        return battle, 0, "no shot"
    battle, width = yield from countered(rules, battle, each)
    if not width:
        yield Tell(Happened(battle.voice(each.post), f"is evaded by {each.order.target}"))
        return battle, 0, "countered"
    return battle, width, ""


def closed(battle: Battle, each: Waiting, came: Outcome) -> Play[Battle]:
    """What an attack came to, the best of its sets, once the last of these was applied, or one has left nothing to fire at."""
    best = max(each.best, HITS.index(came))
    same = [other for other in battle.waiting if other.post == each.post and _of_one_volley(each, other)]
    if came == "destroyed" and each.post.role != "wing" and battle.wing(each.order.target) is None:
        battle, same = replace(battle, waiting=tuple([other for other in battle.waiting if other not in same])), []
    if same:
        later = replace(same[0], best=best)
        return replace(battle, waiting=tuple([later if other is same[0] else other for other in battle.waiting]))
    helm = battle.helm(each.order.target) if battle.person(each.order.target) is None else None
    yield Tell(Closed(each.post.who, HITS[best], helm.who if helm is not None else each.order.target))
    return battle


def closing(each: Waiting) -> Closing:
    """The same, as what a strike says once it is clear what came of it."""

    def close(battle: Battle, came: Outcome) -> Play[Battle]:
        return (yield from closed(battle, each, came))

    return close


def _of_one_volley(each: Waiting, other: Waiting) -> bool:
    """Whether two sets are of one roll in which every set counts: one target's, or all attacks of a wing."""
    if each.post.role == "wing":
        return other.order.kind == each.order.kind
    return other.order == each.order and other.place == each.place


class LockOn(VehicleAction):
    """A fire and forget weapon: Sensors and Gunnery, a die less beyond Visual Range. Evasive Manoeuvres counter it, and its roll is
    that of the attack (ruling), so that Position bars it like any other."""

    kind, label, did = "lock-on", "Lock on to", "hits"
    verb = "attack"
    roles = ARMED
    attack = True
    answered_by = ("evasive manoeuvres", "defend")

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        unit = battle.unit(post.craft)
        if not isinstance(unit, Craft) or (unit.machine.of_the_line and post.role != "gunner"):
            return
        seen: set[str] = set()
        for target, place in targets(rules, battle, post, locked=True):
            if not open_to_attack(battle, post.craft, target):
                continue
            name = unit.machine.guns[place].name
            key = f"lock-on:{target}" + (f":{name}" if target in seen else "")
            yield Offer(key, f"{self.label} {target} with {name}", (Order("lock-on", target, place),))
            seen.add(target)

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        machine = battle.unit(post.craft).machine
        far = lock_on_dice(battle.range_of(post.craft, order.target))
        uses = ("sensors", "weapons") if post.role in HELM else ("sensors", "weapons", "crew")
        mods = (far, hull_dice(_turned(battle, post))) if machine.of_the_line else (far,)
        return tried(rules, battle, post, "Sensors", rating=machine.sensors, skill="gunnery", uses=uses, target=order.target, mods=mods)

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, each: Waiting) -> Play[Battle]:
        gun = battle.unit(each.post.craft).machine.guns[each.order.gun]
        battle, width, came = yield from arrives(rules, before, battle, each)
        if came != "no shot":
            battle = _fired(battle, each)
        if not width:
            return (yield from closed(battle, each, came))
        blow = blow_of(each, f"hits {{target}} with {gun.name}", weapon_damage(rules, width), width, gun.pen)
        return (yield from strikes(rules, battle, each.order.target, blow, closing(each)))


class Ram(VehicleAction):
    """The vehicle itself is the weapon: Size and Speed add to the damage, and half of it comes back."""

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

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        handling = battle.craft(post.craft).machine.handling
        return tried(rules, battle, post, "Handling", rating=handling, skill="skill", uses=("helm", "handling"), target=order.target)

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, each: Waiting) -> Play[Battle]:
        battle, width, came = yield from arrives(rules, before, battle, each)
        if not width:
            return (yield from closed(battle, each, came))
        craft = battle.craft(each.post.craft)
        damage = ram_damage(rules, width, craft.machine.size, craft.speed)
        felt = softened(rules, battle, each.order.target, damage)
        blow = blow_of(each, f"{self.did} {{target}}", felt, width)
        battle = yield from strikes(rules, battle, each.order.target, blow, closing(each))
        return (yield from _takes_half(rules, battle, each, damage.value, width))


class Sideswipe(Ram):
    """Into another's flank: Size adds to the damage, half of it comes back, and the other is pushed aside."""

    kind, label, did = "sideswipe", "Sideswipe", "sideswipes"

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, each: Waiting) -> Play[Battle]:
        battle, width, came = yield from arrives(rules, before, battle, each)
        if not width:
            return (yield from closed(battle, each, came))
        craft = battle.craft(each.post.craft)
        damage = sideswipe_damage(rules, width, craft.machine.size)
        felt = softened(rules, battle, each.order.target, damage)
        blow = blow_of(each, f"{self.did} {{target}}", felt, width)
        battle = yield from strikes(rules, battle, each.order.target, blow, closing(each))
        battle = yield from _aside(battle, each.order.target, width)
        if HARRIES in driver_help(rules, battle, craft.name, "sideswipe") and battle.unit(each.order.target).able:
            yield Tell(Happened(each.order.target, f"is hard to hold: Difficulty {width} for whoever drives it", "bad"))
            battle = battle.change(each.order.target, harried=width) if each.order.target in [one.name for one in battle.crafts] else battle
        return (yield from _takes_half(rules, battle, each, damage.value, width))


def _takes_half(rules: Ruleset, battle: Battle, each: Waiting, damage: int, width: int) -> Play[Battle]:
    """Whoever rams or sideswipes takes half of the damage."""
    share = softened(rules, battle, each.post.craft, own_share(damage))
    return (yield from strikes(rules, battle, each.post.craft, blow_of(each, "takes half of it", share, width)))


def _aside(battle: Battle, target: str, width: int) -> Play[Battle]:
    """The victim is knocked out of its way."""
    unit = battle.unit(target)
    metres = pushed_aside(width).value
    yield Tell(Happened(target, f"is pushed {metres} m aside", "bad"))
    return battle.change(target, aside=unit.aside + metres) if isinstance(unit, Craft) else battle
