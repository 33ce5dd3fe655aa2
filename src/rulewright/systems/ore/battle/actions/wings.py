"""Fighters without names: every set of theirs attacks somebody or is kept to defend (book lines 5911-5932)."""

from collections.abc import Iterable

from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.actions.base import Offer, VehicleAction
from rulewright.systems.ore.battle.combatants import Battle, Post


class Fight(VehicleAction):
    """The wing rolls its Threat Ratings; what each set is for is said once the dice have fallen."""

    kind, label, did = "fight", "Attack and defend", "fights"
    verb = "attack"
    roles = frozenset(("wing",))
    rolled = False
    attack = True

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        yield self.one()


class Defend(VehicleAction):
    """A set that is kept against the sets of other fighters, and against a Lock-On."""

    kind, label, did = "defend", "Defend", "defends the side"
    verb = "guard"
    roles = frozenset(("wing",))
    rolled = False
    counters = True
