"""Unnamed fighters: each of their sets attacks or defends (book lines 5911-5932)."""

from collections.abc import Iterable

from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.actions.base import Offer, VehicleAction
from rulewright.systems.ore.battle.combatants import Battle, Post


class Fight(VehicleAction):
    """Rolls the Threat Ratings of the wing; each set is assigned after the roll."""

    kind, label, did = "fight", "Attack and defend", "fights"
    verb = "attack"
    roles = frozenset(("wing",))
    rolled = False
    attack = True

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        yield self.one()


class Defend(VehicleAction):
    """A set kept as counter dice against other fighters and Lock-Ons."""

    kind, label, did = "defend", "Defend", "defends the side"
    verb = "guard"
    roles = frozenset(("wing",))
    rolled = False
    counters = True
