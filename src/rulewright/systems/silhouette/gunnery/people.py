"""Attacks between machines and people on foot: -2 for unsuitable weapons, and wounds instead of damage (book lines 7433-7450)."""

from msgspec.structs import replace

from rulewright.play import Play, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.breakage.damage import Severity
from rulewright.systems.silhouette.harm.damage import Hit, take_hit, thresholds_at
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.people import SCALE, against_person, is_person
from rulewright.systems.silhouette.units.state import Surroundings
from rulewright.systems.silhouette.units.units import Unit

_ID = "sil-7-character-scale-vehicles"
GRAVE: dict[str, Severity] = {"none": "none", "flesh": "light", "deep": "heavy", "death": "overkill"}
"""The severity of machine damage that a wound corresponds to."""


def at_a_person(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, *, arm: int, version: Version) -> tuple[Mod, ...]:
    """The modifier of a machine's weapon against a person on foot."""
    if not is_person(target) or is_person(attacker):
        return ()
    return (Mod("person on foot", against_person(version.perk("anti-infantry") is not None), _ID),)


def wound_of(rules: Ruleset, target: Unit, damage: Figure, piercing: bool) -> tuple[Severity, Hit, "Derived[Figure]", int]:
    """The severity of a hit on a person on foot: the hit in people's scale, its sum, and the wound threshold."""
    dealt = total("damage among people", term("damage", damage), times("ten", SCALE), rule=_ID)
    hit = Hit(int(dealt.value), by="firearms", pierces=piercing)
    thresholds = thresholds_at(rules, target.riders[0].body, hit)
    return GRAVE[thresholds.wound(hit.damage)], hit, dealt, thresholds.flesh + thresholds.armor


def wounded(rules: Ruleset, target: Unit, hit: Hit) -> Play[Unit]:
    """Hit a person on foot: wounds, shock and all consequences, as in any fight of people."""
    rider = target.riders[0]
    body = yield from sub(take_hit, rules, rider.body, hit)
    return replace(target, riders=(replace(rider, body=body),))
