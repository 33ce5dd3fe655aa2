"""What an action with a vehicle is. A new one is a small class with a kind, its offers, and what comes of it; `registry` lists it."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Post, Role, Waiting
from rulewright.systems.ore.battle.dice import Tried, tried
from rulewright.systems.ore.resolution.tests import Mod

HELM: frozenset[Role] = frozenset(("pilot", "crew"))
"""Who drives."""


class Offer(Struct, frozen=True):
    """What somebody can do this round, as keys that stand in records; a plus joins several actions."""

    key: str
    label: str
    orders: tuple[Order, ...]


class VehicleAction:
    """One thing that can be done with, in or from a vehicle. What a subclass leaves out is as it is here."""

    kind: ClassVar[str] = ""
    label: ClassVar[str] = ""
    did: ClassVar[str] = ""
    """What the log says that somebody does."""
    verb: ClassVar[str] = "other"
    roles: ClassVar[frozenset[Role]] = HELM
    rolled: ClassVar[bool] = True
    attack: ClassVar[bool] = False
    counters: ClassVar[bool] = False
    """Whether its set waits for what it can answer."""
    answered_by: ClassVar[tuple[str, ...]] = ()
    """The kinds of sets that can be put against its own."""
    at_once: ClassVar[bool] = False
    """Whether its set counts before any other is applied."""

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        """Every way in which it can be declared now."""
        return ()

    def completed(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Order]:
        """What has still to be said of it once it is chosen."""
        yield from ()
        return order

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        """What it is rolled with."""
        raise NotImplementedError

    def needs_roll(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> bool:
        """Whether dice decide it as things stand."""
        return self.rolled

    def begins(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        """What happens of it before the dice fall, where it is not rolled for."""
        yield from ()
        return battle

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        """What its set does at its moment; `before` is how things stood when that moment began, for all that happens in it at once."""
        raise NotImplementedError

    def fails(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        """What comes of it where no set was rolled, beside nothing."""
        yield from ()
        return battle

    def one(self, key: str = "", label: str = "") -> Offer:
        """It, aimed at nobody."""
        return Offer(key or self.kind, label or self.label, (Order(self.kind),))

    def at(self, target: str) -> Offer:
        """It, aimed at somebody."""
        return Offer(f"{self.kind}:{target}", f"{self.label} {target}", (Order(self.kind, target),))


ACTIONS: dict[str, VehicleAction] = {}
"""All actions by their kind, in the order in which they are offered; `registry` fills it."""


def action_of(order: Order) -> VehicleAction:
    """The action of which this is one."""
    try:
        return ACTIONS[order.kind]
    except KeyError:
        raise UserError(f"there is no action {order.kind!r}{nearest(order.kind, ACTIONS)}") from None


def moving(battle: Battle, post: Post) -> Craft | None:
    """The vehicle that somebody drives, if it moves and is off the ground."""
    unit = battle.unit(post.craft)
    return unit if isinstance(unit, Craft) and not unit.grounded else None


class Steered(VehicleAction):
    """What is done with a vehicle that moves: Handling and the skill that drives it."""

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        craft = moving(battle, post)
        if craft is not None and self.possible(battle, craft):
            yield self.one()

    def possible(self, battle: Battle, craft: Craft) -> bool:
        """Whether it can be done with this vehicle now."""
        return True

    def mods(self, battle: Battle, craft: Craft) -> tuple[Mod, ...]:
        """Dice that it gives or takes of its own."""
        return ()

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        craft, uses = battle.craft(post.craft), ("helm", "handling")
        rating, mods = craft.machine.handling, self.mods(battle, craft)
        return tried(rules, battle, post, "Handling", rating=rating, skill="skill", uses=uses, target=order.target, mods=mods)


def offered(rules: Ruleset, battle: Battle, post: Post, offer: Offer) -> bool:
    """Whether it can be done: the systems work that it takes."""
    try:
        for order in offer.orders:
            if ACTIONS[order.kind].needs_roll(rules, battle, post, order):
                ACTIONS[order.kind].attempt(rules, battle, post, order)
    except UserError:
        return False
    return True
