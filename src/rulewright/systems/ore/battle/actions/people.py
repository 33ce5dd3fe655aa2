"""Other actions of people aboard: bail out, change seats, use a skill, do nothing (book lines 5850, 5875)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import term
from rulewright.systems.ore.battle.actions.base import Offer, VehicleAction
from rulewright.systems.ore.battle.combatants import NOWHERE, Battle, Order, Post, Role, Situation, Waiting
from rulewright.systems.ore.battle.dice import HARDEST, Tried, tried_alone
from rulewright.systems.ore.battle.events import CameOff
from rulewright.systems.ore.combat.profiles import for_combat
from rulewright.systems.ore.people.skills import known_skill

SEATED: frozenset[Role] = frozenset(("pilot", "co-pilot", "gunner", "passenger"))


class BailOut(VehicleAction):
    """Leaves the vehicle: with Coordination and Athletics, or by ejection seat. A stopped vehicle needs no roll (ruling)."""

    kind, label, did = "bail out", "Bail out", "bails out"
    roles = SEATED

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        yield self.one()

    def needs_roll(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> bool:
        craft = battle.craft(post.craft)
        return not craft.machine.ejects and craft.speed > 0

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        return tried_alone(rules, _as_if_whole(battle, post), post, "coordination", "athletics", uses=("bail out",))

    def begins(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        """Leaves a stopped vehicle at once; an ejection seat has a set of its own."""
        if battle.craft(post.craft).machine.ejects:
            return battle
        return (yield from leaves(battle, post.who))

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        return (yield from leaves(battle, waiting.post.who))


def _as_if_whole(battle: Battle, post: Post) -> Battle:
    """The battle without damage to the vehicle, which does not affect personal rolls."""
    hull = battle.craft(post.craft).hull
    return battle.change(post.craft, hull=replace(hull, marked=0))


def leaves(battle: Battle, who: str) -> Play[Battle]:
    """Removes a person from the vehicle."""
    person = battle.somebody(who)
    yield Tell(CameOff(who, f"bails out of {person.craft}"))
    return battle.put(replace(person, craft=NOWHERE, seat="passenger"))


class TakeSeat(VehicleAction):
    """Takes a free seat, or that of a person who cannot act or agrees; it takes the round (ruling)."""

    kind, label, did = "take seat", "Take the seat of the", "takes a seat"
    roles = frozenset(("co-pilot", "gunner", "passenger"))
    rolled = False

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        craft = battle.craft(post.craft)
        if battle.in_seat(post.craft, "pilot") is None and craft.machine.hands is None:
            yield Offer("take seat:pilot", f"{self.label} pilot", (Order(self.kind, seat="pilot"),))
        if post.role == "passenger" and craft.machine.guns:
            gunner = craft.machine.gunners > len(
                [occupant for occupant in battle.aboard(post.craft) if occupant.seat == "gunner" and occupant.able]
            )
            if gunner:
                yield Offer("take seat:gunner", f"{self.label} gunner", (Order(self.kind, seat="gunner"),))

    def begins(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        taken = battle.in_seat(post.craft, "pilot") if order.seat == "pilot" else None
        if taken is not None:
            yield Tell(CameOff(post.who, f"finds the seat taken by {taken.name}", "comes to nothing"))
            return battle
        for occupant in battle.aboard(post.craft):
            if occupant.seat == order.seat and not occupant.able:
                battle = battle.put(replace(occupant, seat="passenger"))
        yield Tell(CameOff(post.who, f"takes the seat of the {order.seat} in {post.craft}"))
        return battle.put(replace(battle.somebody(post.who), seat=order.seat))


def _skills(rules: Ruleset, battle: Battle, post: Post) -> list[str]:
    """The non-combat skills of a person."""
    training = battle.somebody(post.who).fighter.profile.training
    known = [name for name, rating in training.skills if rating and known_skill(rules, name) is not None]
    return [name for name in known if not for_combat(rules, name)]


class UseSkill(VehicleAction):
    """Uses a skill at a Difficulty that the Game Master sets: the list of actions is open."""

    kind, label, did = "skill", "Use", "uses a skill"
    roles = SEATED

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        if _skills(rules, battle, post):
            yield self.one(label="Use a skill")

    def completed(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Order]:
        about = Situation(battle, post, rules)
        options = tuple([Option(name, name.capitalize(), name) for name in _skills(rules, battle, post)])
        skill = yield from Choice(post.who, "Which skill?", options, about, "skill")
        ask = f"{post.who} uses {skill}. What is the Difficulty, from 1 to {HARDEST}?"
        need = yield from Choice[int](GAMEMASTER, ask, Range(1, HARDEST), about, "difficulty")
        return replace(order, skill=skill, difficulty=need)

    def needs_roll(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> bool:
        return bool(order.skill)

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        known = known_skill(rules, order.skill)
        statistic = known.statistic if known is not None and known.statistic else "body"
        hard = (term("set by the Game Master", order.difficulty),) if order.difficulty > 1 else ()
        return tried_alone(rules, _as_if_whole(battle, post), post, statistic, order.skill, hard=hard)

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        yield Tell(CameOff(waiting.post.who, f"succeeds with {waiting.order.skill}: {waiting.width}x{waiting.height}"))
        return battle


class Pass(VehicleAction):
    """Does nothing, or holds the course."""

    kind, label, did = "pass", "Do nothing", "does nothing"
    roles = SEATED | {"crew", "wing"}
    rolled = False

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        yield self.one(label="Hold course" if post.role in ("pilot", "crew") else "")
