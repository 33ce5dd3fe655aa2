"""Damage to a machine without an attack: terrain, sea, fire, its own pilot."""

from msgspec.structs import replace

from rulewright.play import Event, Play, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, term
from rulewright.systems.silhouette.breakage.damage import NAMES, PLAIN, Severity, armor_met, severity_of
from rulewright.systems.silhouette.breakage.systems import Blow, lose_armor, systems_damage
from rulewright.systems.silhouette.breakage.wrecks import overkilled
from rulewright.systems.silhouette.gunnery.attacks import suffer
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit


class Suffered(Event, frozen=True):
    """Damage from the environment and its severity."""

    name: str
    what: str
    severity: Severity
    sums: tuple[Reason, ...] = ()

    def headline(self) -> str:
        return f"{self.name} {self.what}: {NAMES[self.severity]}"

    def tone(self) -> str:
        return "bad" if self.severity != "none" else "plain"


def harmed(rules: Ruleset, battle: Battle, unit: Unit, damage: "Derived[Figure] | Derived[int]", what: str) -> Play[Battle]:
    """Apply damage against a machine's Armor, with all consequences."""
    armor = armor_met(unit.machine, unit.wear, "front")
    severity = severity_of(damage.value, armor.value)
    yield from Tell(Suffered(unit.name, what, severity, (damage.reason, replace(term("Armor", armor), op="against"))))
    shot = Shot(attacker=unit.name, target=unit.name, arm=-1, weapon=what, distance=0, band="short", side="front")
    blow = Blow(heavy=severity == "heavy", by=unit.voice, to=unit.voice)
    return battle.put((yield from suffer(rules, unit, severity, damage.value, shot=shot, blow=blow)))


def outright(rules: Ruleset, battle: Battle, unit: Unit, severity: Severity, *, what: str, location: str = "") -> Play[Battle]:
    """Apply damage of a given severity without dice, to a location or at random."""
    yield from Tell(Suffered(unit.name, what, severity))
    if severity == "overkill":
        return battle.put((yield from overkilled(rules, unit)))
    if severity == "none":
        return battle
    unit = yield from lose_armor(rules, unit, severity, PLAIN)
    blow = Blow(heavy=severity == "heavy", by=unit.voice, to=unit.voice, location=location)
    return battle.put((yield from systems_damage(rules, unit, blow)))
