"""Close attacks: punches, kicks and stomps (book lines 4891-4895, 4909-4915)."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from rulewright import grammar
from rulewright.play import Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.sensors.sightings import known_foes
from rulewright.systems.silhouette.detection.sight import sees
from rulewright.systems.silhouette.gunnery.arcs import side_hit
from rulewright.systems.silhouette.gunnery.attacks import attack, limb_penalty
from rulewright.systems.silhouette.gunnery.rams import ARMS, kick, punch, towing
from rulewright.systems.silhouette.gunnery.scales import scale_mods, scaled
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.design.trait_effects import figure
from rulewright.systems.silhouette.maneuver.stacking import hexes_apart
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.people import is_person
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


def blow_at(rules: Ruleset, battle: Battle, unit: Unit, target: Unit, *, weapon: str, damage: Figure, mods: tuple[Mod, ...] = ()) -> Shot:
    """Build a close attack: Piloting at point blank."""
    berserk = Mod("berserk", int(bool(unit.signs.berserk)), "sil-d-thought-interface")
    return Shot(
        attacker=unit.name,
        target=target.name,
        arm=-1,
        weapon=weapon,
        distance=0,
        band="point blank",
        side=side_hit(battle.field, target.spot, target.facing, unit.spot),
        skill="piloting",
        damage=damage,
        scaled=scaled(rules, unit, target),
        mods=tuple([mod for mod in (*mods, berserk, *scale_mods(rules, unit, target)) if mod.value]),
    )


class Strike(Action):
    """A punch with an arm built for it, or a walker's kick, at a target in the same hex."""

    kind = "strike"
    activity = "one physical attack"

    def options(self, rules: Ruleset, battle: Battle, unit: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) < self.costs(rules):
            return
        for foe in known_foes(rules, battle, unit):
            yield from self._strikes_at(rules, battle, unit, foe)

    def against(self, rules: Ruleset, battle: Battle, unit: Unit, target: Unit) -> Iterator[Option[Deed]]:
        if actions_left(rules, unit) >= self.costs(rules):
            yield from self._strikes_at(rules, battle, unit, target)

    def may_interrupt(self, rules: Ruleset, unit: Unit) -> bool:
        """Whether it has an action left."""
        return actions_left(rules, unit) >= self.costs(rules)

    def _strikes_at(self, rules: Ruleset, battle: Battle, unit: Unit, foe: Unit) -> Iterator[Option[Deed]]:
        if hexes_apart(battle, unit, foe) or not sees(rules, battle, unit, foe) or foe.altitude != unit.altitude:
            return
        for what in self._strike_kinds(unit):
            shot = self.blow(rules, battle, unit, foe, what)
            verb = f"Strike {foe.name} with the mining equipment" if what == "tools" else f"{what.capitalize()} {foe.name}"
            label = f"{verb} (damage ×{grammar.figure(shot.damage)})"
            deed = Deed(kind=self.kind, target=foe.name, what=what)
            yield Option(f"{what}:{foe.name}", label, deed, verb="attack", target=foe.name, manner=(what,))

    def _strike_kinds(self, unit: Unit) -> Iterator[Literal["punch", "kick", "tools"]]:
        if is_person(unit):
            return  # people strike with their weapons
        fists = [perk for perk in unit.machine.perks if perk.name in ARMS and perk.punch]
        if fists and any(unit.auxiliary(name) is not None for name in ARMS):
            yield "punch"
        if unit.way == "walker" and not unit.signs.prone:
            yield "kick"
        if unit.has("mining equipment"):
            yield "tools"

    def blow(self, rules: Ruleset, battle: Battle, unit: Unit, foe: Unit, what: str) -> Shot:
        """The attack of a kind of blow on a target."""
        if what == "punch":
            lost = Mod("damaged arm", limb_penalty(unit) or 0, "sil-5.5.2-extra-damage")
            return blow_at(rules, battle, unit, foe, weapon="fist", damage=punch(unit.machine).value, mods=(lost,))
        if what == "tools":
            heavy = (own := unit.machine.has("mining equipment")) is not None and own.variant == "heavy"
            kind = "heavy" if heavy else "light"
            accuracy = int(figure(rules, "mining equipment", f"{kind} accuracy"))
            damage = figure(rules, "mining equipment", f"{kind} damage")
            mods = (Mod("Accuracy", accuracy, "sil-d-accessories"),)
            return blow_at(rules, battle, unit, foe, weapon="mining equipment", damage=damage, mods=mods)
        return blow_at(rules, battle, unit, foe, weapon="foot", damage=kick(rules, unit.machine.size, towing(unit.machine)).value)

    def do(self, rules: Ruleset, battle: Battle, unit: Unit, deed: Deed) -> Play[Battle]:
        battle = yield from announce(rules, battle, unit)
        unit = battle.unit(unit.name)
        battle = battle.put(replace(unit, used=unit.used + self.costs(rules)))
        return (yield from attack(rules, battle, self.blow(rules, battle, unit, battle.unit(deed.target), deed.what)))
