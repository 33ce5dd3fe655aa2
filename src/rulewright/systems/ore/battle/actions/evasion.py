"""Evasion: Jink, Swerve, Evasive Manoeuvres (book lines 5885-5901)."""

from rulewright.systems.ore.battle.actions.base import Steered
from rulewright.systems.ore.battle.combatants import Battle, Craft
from rulewright.systems.ore.machines.driving_tests import evades_by, evasion_dice
from rulewright.systems.ore.resolution.tests import Mod


class Jink(Steered):
    """Counter dice against an attack in the air or in space."""

    kind, label, did = "jink", "Jink", "jinks"
    verb = "guard"
    counters = True

    def possible(self, battle: Battle, craft: Craft) -> bool:
        return evades_by(craft.machine.mode) == self.kind


class Swerve(Jink):
    """Counter dice against an attack on land or at sea."""

    kind, label, did = "swerve", "Swerve", "swerves"


class Evasive(Steered):
    """Counter dice against a Lock-On; ECM helps, minus the ECCM of the best opponent."""

    kind, label, did = "evasive manoeuvres", "Evasive manoeuvres", "evades"
    verb = "guard"
    counters = True

    def possible(self, battle: Battle, craft: Craft) -> bool:
        """Whether any enemy has a weapon that locks on."""
        return any(not gun.direct for foe in battle.foes(craft.side) for gun in foe.machine.guns)

    def mods(self, battle: Battle, craft: Craft) -> tuple[Mod, ...]:
        eccm = max([foe.machine.eccm for foe in battle.foes(craft.side)], default=0)
        return (Mod("ECM", evasion_dice(craft.machine.ecm, eccm).value, "ore-4.22-vact-evasive"),)
