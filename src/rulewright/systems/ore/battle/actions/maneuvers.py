"""Driving: Position, Chase, Escape, Brake, Hover, landing and taking off (book lines 5877-5903)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.actions.base import Offer, Steered, VehicleAction
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Post, Waiting, Wing
from rulewright.systems.ore.battle.counters import countered
from rulewright.systems.ore.battle.dice import Tried, tried
from rulewright.systems.ore.battle.events import CameOff, PositionTaken, RangeChanged
from rulewright.systems.ore.battle.feats import holds_still_for_nothing
from rulewright.systems.ore.machines.driving_tests import braking_dice, must_be_rolled, position_statistic
from rulewright.systems.ore.machines.speeds import outclassed
from rulewright.systems.ore.machines.weapons import closer, farther
from rulewright.systems.ore.resolution.tests import Mod

AIRBORNE = ("air", "relativistic", "space", "stellar")
"""Modes with landing and take-off."""


class Manoeuvre(VehicleAction):
    """A manoeuvre of a vehicle or wing: Speed and the driving skill."""

    verb = "move"
    roles = frozenset(("pilot", "crew", "wing"))

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        unit = battle.unit(post.craft)
        if not isinstance(unit, Craft) or not unit.grounded:
            yield from self.ways(battle, unit)

    def ways(self, battle: Battle, unit: Craft | Wing) -> Iterable[Offer]:
        """All options for a unit that is not grounded."""
        return (self.one(),)

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        return tried(rules, battle, post, "Speed", rating=battle.unit(post.craft).speed, skill="skill", uses=("helm", "speed"))


class TakePosition(Manoeuvre):
    """A better Position: the set is the new Position."""

    kind, label, did = "position", "Take a better Position", "takes a Position"

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        unit = battle.unit(post.craft)
        if position_statistic(unit.machine.size) == "speed":
            return super().attempt(rules, battle, post, order)
        return tried(rules, battle, post, "Sensors", rating=unit.machine.sensors, skill="computers", uses=("sensors",))

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        yield Tell(PositionTaken(waiting.post.who, waiting.post.craft, waiting.width, waiting.height))
        return battle.change(waiting.post.craft, position=(waiting.width, waiting.height))

    def fails(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        """A failed roll costs the Position."""
        yield Tell(Happened(post.craft, "loses its Position", "bad"))
        return battle.change(post.craft, position=(0, 0))


class Chase(Manoeuvre):
    """Reduces the range to an enemy by a step; Escape counters it."""

    kind, label, did = "chase", "Chase", "stays in pursuit"
    answered_by = ("escape",)

    def ways(self, battle: Battle, unit: Craft | Wing) -> Iterable[Offer]:
        return [self.at(foe.name) for foe in battle.foes(unit.side)]

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        own, other = battle.unit(waiting.post.craft), battle.unit(waiting.order.target)
        at, name = battle.range_of(own.name, other.name), battle.voice(waiting.post)
        words, text = f"closes in on {other.name}", "comes off"
        if not other.able:
            words, text = f"cannot chase {other.name}, who is gone", "comes to nothing"
        elif outclassed(rules, own.machine.mode, other.machine.mode) and other.speed:
            words, text = f"cannot keep up with {other.name}", "comes to nothing"
        else:
            battle, width = yield from countered(rules, battle, waiting)
            if not width:
                words, text = f"is shaken off by {other.name}", "countered"
            elif closer(at) == at:
                words = f"stays close to {other.name}"
            else:
                yield Tell(RangeChanged(waiting.post.who, own.name, other.name, at, closer(at)))
                battle = battle.at_range(own.name, other.name, closer(at))
        yield Tell(CameOff(waiting.post.who, words, text, other.name, name))
        return battle


class Escape(Manoeuvre):
    """Increases the range to every enemy by a step; beyond Escape Range the engagement ends. Every Chase counters it separately
    (ruling)."""

    kind, label, did = "escape", "Escape", "gets away"
    answered_by = ("chase",)

    def ways(self, battle: Battle, unit: Craft | Wing) -> Iterable[Offer]:
        far = at_escape_range(battle, unit.name)
        return (Offer(self.kind, "Break off the engagement" if far else self.label, (Order(self.kind, far=far),)),)

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        own = battle.unit(waiting.post.craft)
        foes = [foe.name for foe in battle.foes(own.side)]
        apart = {name: battle.range_of(own.name, name) for name in foes}
        kept, moved = [], False
        for name in foes:
            foe = battle.unit(name)
            battle, width = yield from countered(rules, battle, waiting, name)
            after = farther(apart[name])
            if not width or (outclassed(rules, own.machine.mode, foe.machine.mode) and foe.speed):
                kept.append(name)
                yield Tell(Happened(own.name, f"cannot get away from {name}"))
            elif after is not None:
                yield Tell(RangeChanged(waiting.post.who, own.name, name, apart[name], after))
                battle, moved = battle.at_range(own.name, name, after), True
        if not kept and all(farther(at) is None for at in apart.values()):
            return (yield from gets_away(battle, waiting.post))
        text, words = ("comes off", "increases the range") if moved else ("countered", "cannot get away")
        yield Tell(CameOff(waiting.post.who, words, text, name=battle.voice(waiting.post)))
        return battle


def at_escape_range(battle: Battle, craft: str) -> bool:
    """Whether every enemy is at Escape Range."""
    return all(battle.range_of(craft, foe.name) == "ER" for foe in battle.foes(battle.unit(craft).side))


def gets_away(battle: Battle, post: Post) -> Play[Battle]:
    """Ends the engagement for a vehicle."""
    yield Tell(
        CameOff(
            post.who,
            "breaks off the engagement" if battle.voice(post) == post.craft else f"breaks off the engagement with {post.craft}",
            name=battle.voice(post),
        )
    )
    return battle.change(post.craft, gone=True)


class Brake(Steered):
    """Stops the vehicle; -1d for each point of Speed above Handling."""

    kind, label, did = "brake", "Brake", "brakes"
    verb = "move"

    def possible(self, battle: Battle, craft: Craft) -> bool:
        return craft.speed > 0

    def mods(self, battle: Battle, craft: Craft) -> tuple[Mod, ...]:
        return (braking_dice(craft.machine.handling, craft.speed),)

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        yield Tell(
            CameOff(
                waiting.post.who,
                "brakes to a complete stop"
                if waiting.post.who == waiting.post.craft
                else f"brings {waiting.post.craft} to a complete stop",
            )
        )
        return battle.change(waiting.post.craft, speed=0)


class Hover(Steered):
    """Stays in place; no set from the vehicle counts for more than the set of the hover. Without a set nobody aboard can act this round
    (ruling)."""

    kind, label, did = "hover", "Hover in place", "hovers"
    verb = "guard"
    at_once = True

    def possible(self, battle: Battle, craft: Craft) -> bool:
        return craft.machine.hovers

    def needs_roll(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> bool:
        return not holds_still_for_nothing(rules, battle, battle.craft(post.craft))

    def begins(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        """A pilot with the feat hovers without a roll and without a limit for others aboard (ruling)."""
        yield Tell(CameOff(post.who, "hovers without a roll" if post.who == post.craft else f"hovers with {post.craft} without a roll"))
        return battle.change(post.craft, speed=0)

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        yield Tell(
            CameOff(waiting.post.who, f"hovers: no set from {waiting.post.craft} counts for more than {waiting.width}x{waiting.height}")
        )
        return battle.change(waiting.post.craft, hover=(waiting.width, waiting.height), speed=0)

    def fails(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        yield Tell(Happened(post.craft, "does not hover: nobody aboard can act", "bad"))
        return battle.change(post.craft, hover=(0, 0))


class BetweenAirAndGround(Steered):
    """Landing and take-off: rolled only in adverse conditions, and repeated without a set (ruling)."""

    verb = "move"

    def needs_roll(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> bool:
        return must_be_rolled(battle.field.adverse)

    def begins(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        return (yield from self.done(battle, post))

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        return (yield from self.done(battle, waiting.post))

    def done(self, battle: Battle, post: Post) -> Play[Battle]:
        """The vehicle afterwards."""
        raise NotImplementedError


class Land(BetweenAirAndGround):
    """Lands."""

    kind, label, did = "land", "Land", "lands"

    def possible(self, battle: Battle, craft: Craft) -> bool:
        return craft.machine.mode in AIRBORNE and craft.machine.manoeuvrable

    def done(self, battle: Battle, post: Post) -> Play[Battle]:
        yield Tell(CameOff(post.who, "lands" if post.who == post.craft else f"lands {post.craft}"))
        return battle.change(post.craft, grounded=True, speed=0, position=(0, 0))


class TakeOff(BetweenAirAndGround):
    """Takes off again."""

    kind, label, did = "take-off", "Take off", "takes off"

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        craft = battle.unit(post.craft)
        if isinstance(craft, Craft) and craft.grounded:
            yield self.one()

    def done(self, battle: Battle, post: Post) -> Play[Battle]:
        craft = battle.craft(post.craft)
        yield Tell(CameOff(post.who, "takes off" if post.who == post.craft else f"takes off with {post.craft}"))
        return battle.put(replace(craft, grounded=False, speed=usual_speed(craft)))


def usual_speed(craft: Craft) -> int:
    """The default Speed of a vehicle: its Handling (ruling)."""
    return max(1, min(craft.machine.speed, craft.machine.handling))
