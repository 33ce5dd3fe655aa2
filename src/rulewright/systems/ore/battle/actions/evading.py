"""Getting out of the way: Jink, Swerve, Evasive Manoeuvres (book lines 5885-5901)."""

from collections.abc import Iterable

from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.actions.base import Offer, VehicleAction, moving
from rulewright.systems.ore.battle.dice import Tried, tried
from rulewright.systems.ore.battle.engaged import Battle, Order, Post
from rulewright.systems.ore.machines.driving import evades_by, evasion_dice
from rulewright.systems.ore.resolution.tests import Mod


class Jink(VehicleAction):
    """Counter dice against an attack in the air or in space."""

    kind, label, did = "jink", "Jink", "jinks"
    verb = "guard"
    counters = True

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        craft = moving(battle, post)
        if craft is not None and evades_by(craft.machine.mode) == self.kind:
            yield self.one()

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        handling = battle.craft(post.craft).machine.handling
        return tried(rules, battle, post, "Handling", rating=handling, skill="skill", uses=("helm", "handling"))


class Swerve(Jink):
    """Counter dice against an attack on land or at sea."""

    kind, label, did = "swerve", "Swerve", "swerves"


class Evasive(VehicleAction):
    """Counter dice against a Lock-On; ECM helps, less the ECCM of the worst that could lock on."""

    kind, label, did = "evasive manoeuvres", "Evasive manoeuvres", "evades"
    verb = "guard"
    counters = True

    def offers(self, rules: Ruleset, battle: Battle, post: Post) -> Iterable[Offer]:
        craft = moving(battle, post)
        if craft is not None and _locks_on(battle, craft.side):
            yield self.one()

    def attempt(self, rules: Ruleset, battle: Battle, post: Post, order: Order) -> Tried:
        craft = battle.craft(post.craft)
        eccm = max([foe.machine.eccm for foe in battle.foes(craft.side)], default=0)
        ecm = Mod("ECM", evasion_dice(craft.machine.ecm, eccm).value, "ore-4.22-vact-evasive")
        return tried(rules, battle, post, "Handling", rating=craft.machine.handling, skill="skill", uses=("helm", "handling"), mods=(ecm,))


def _locks_on(battle: Battle, side: str) -> bool:
    """Whether any enemy has something to lock on with."""
    return any(not gun.direct for foe in battle.foes(side) for gun in foe.machine.guns)
