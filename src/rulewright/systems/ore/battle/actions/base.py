"""Base class for actions with a vehicle: kind, offers, pool and effect. `registry` lists all actions."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Post, Role, Waiting
from rulewright.systems.ore.battle.dice import Tried, tried
from rulewright.systems.ore.machines.structure import HITS
from rulewright.systems.ore.resolution.tests import Mod

HELM: frozenset[Role] = frozenset(("pilot", "crew"))
"""Roles that drive."""


class Offer(Struct, frozen=True):
    """An option of a declaration. Records contain its key; a plus joins several actions."""

    key: str
    label: str
    orders: tuple[Order, ...]


class VehicleAction:
    """An action with, in or from a vehicle, with defaults."""

    kind: ClassVar[str] = ""
    label: ClassVar[str] = ""
    did: ClassVar[str] = ""
    """The verb phrase for the log."""
    verb: ClassVar[str] = "other"
    roles: ClassVar[frozenset[Role]] = HELM
    rolled: ClassVar[bool] = True
    attack: ClassVar[bool] = False
    counters: ClassVar[bool] = False
    """Whether its set waits as counter dice."""
    answered_by: ClassVar[tuple[str, ...]] = ()
    """The kinds of sets that can counter it."""
    at_once: ClassVar[bool] = False
    """Whether its set counts before all others."""

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        """All options for it now."""
        return ()

    def completed(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Order]:
        """Asks for the details of a chosen action."""
        yield from ()
        return order

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        """Its pool and Difficulty."""
        raise NotImplementedError

    def needs_roll(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> bool:
        """Whether it needs a roll in this situation."""
        return self.rolled

    def begins(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        """Carries out an action without a roll, before the dice are rolled."""
        yield from ()
        return battle

    def happens(self, rules: Ruleset, before: Battle, battle: Battle, waiting: Waiting) -> Play[Battle]:
        """Applies its set; `before` is the battle at the start of this Speed, for everything that happens at the same time."""
        raise NotImplementedError

    def fails(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Play[Battle]:
        """The consequences of a failed roll."""
        yield from ()
        return battle

    def one(self, key: str = "", label: str = "") -> Offer:
        """The option without a target."""
        return Offer(key or self.kind, label or self.label, (Order(self.kind),))

    def at(self, target: str) -> Offer:
        """The option with this target."""
        return Offer(f"{self.kind}:{target}", f"{self.label} {target}", (Order(self.kind, target),))


ACTIONS: dict[str, VehicleAction] = {}
"""All actions by kind, in the order of their options; `registry` fills it."""


def action_of(order: Order) -> VehicleAction:
    """The action of an order."""
    try:
        return ACTIONS[order.kind]
    except KeyError:
        raise UserError(f"there is no action {order.kind!r}{nearest(order.kind, ACTIONS)}") from None


def moving(battle: Battle, post: Post) -> Craft | None:
    """The vehicle of a driver, if it moves and is not grounded."""
    unit = battle.unit(post.craft)
    return unit if isinstance(unit, Craft) and not unit.grounded else None


class Steered(VehicleAction):
    """An action with a moving vehicle: Handling and the driving skill."""

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        craft = moving(battle, post)
        if craft is not None and self.possible(battle, craft):
            yield self.one()

    def possible(self, battle: Battle, craft: Craft) -> bool:
        """Whether this vehicle can do it now."""
        return True

    def mods(self, battle: Battle, craft: Craft) -> tuple[Mod, ...]:
        """Its own bonus and penalty dice."""
        return ()

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        craft, uses = battle.craft(post.craft), ("helm", "handling")
        rating, mods = craft.machine.handling, self.mods(battle, craft)
        return tried(rules, battle, post, "Handling", rating=rating, skill="skill", uses=uses, target=order.target, mods=mods)


def offered(rules: Ruleset, battle: Battle, post: Post, offer: Offer) -> bool:
    """Whether an option is possible: the systems it needs work. While none of the vehicle is destroyed, they all do."""
    unit = battle.unit(post.craft)
    if not isinstance(unit, Craft) or not any(hits >= HITS for _, hits in unit.hull.hits):
        return True
    try:
        for order in offer.orders:
            if ACTIONS[order.kind].needs_roll(rules, battle, post, order):
                ACTIONS[order.kind].attempt(rules, battle, post, order)
    except UserError:
        return False
    return True
