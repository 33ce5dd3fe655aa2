"""Machines and people on foot strike each other: -2 for what is not made for it, and wounds in place of damage (book lines 7433-7450)."""

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
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

_ID = "sil-7-character-scale-vehicles"
GRAVE: dict[str, Severity] = {"none": "none", "flesh": "light", "deep": "heavy", "death": "overkill"}
"""A wound as a machine's damage would be called."""


def at_a_person(rules: Ruleset, battle: Battle, attacker: Unit, target: Unit, *, arm: int, version: Version) -> tuple[Mod, ...]:
    """What a machine's weapon is at against somebody on foot."""
    if not is_person(target) or is_person(attacker):
        return ()
    return (Mod("somebody on foot", against_person(version.perk("anti-infantry") is not None), _ID),)


def wound_of(rules: Ruleset, target: Unit, damage: Figure, piercing: bool) -> tuple[Severity, Hit, "Derived[Figure]", int]:
    """How grave a hit on somebody on foot is: the hit in the scale of people, its sum, and what a wound takes."""
    dealt = total("damage among people", term("damage", damage), times("ten", SCALE), rule=_ID)
    hit = Hit(int(dealt.value), by="firearms", pierces=piercing)
    thresholds = thresholds_at(rules, target.riders[0].body, hit)
    return GRAVE[thresholds.wound(hit.damage)], hit, dealt, thresholds.flesh + thresholds.armor


def wounded(rules: Ruleset, target: Unit, hit: Hit) -> Play[Unit]:
    """Somebody on foot is hit: wounds, shock and all that follows, as in any fight of people."""
    rider = target.riders[0]
    body = yield from sub(take_hit, rules, rider.body, hit)
    return replace(target, riders=(replace(rider, body=body),))
