"""Narrow places, water and several opponents (book lines 2201-2206, 2242-2247)."""

from fractions import Fraction
from typing import Literal

from rulewright.rules import Column, Ruleset, rule
from rulewright.systems.silhouette.resolution.modifiers import opponents_modifier
from rulewright.systems.silhouette.resolution.tests import Mod

CIRCUMSTANCES = Column("sil-3.3.3-special-circumstances", "circumstance", modifier=int)
"""Modifiers of narrow places and water."""
Depth = Literal["dry", "shallow", "hips", "shoulders", "over the head"]
DEPTHS: tuple[Depth, ...] = ("dry", "shallow", "hips", "shoulders", "over the head")
"""Water depth: none, below the hips, above them, above the shoulders, above the head."""


@rule("sil-3.3.3-special-circumstances")
def narrow(rules: Ruleset, longer_than_an_arm: bool = True, unwieldy: bool = False) -> Mod:
    """Returns the modifier of a narrow place, if the campaign uses it: -1 for items longer than an arm, more for unwieldy ones (ruling)."""
    if not rules.on("special-circumstances") or not (longer_than_an_arm or unwieldy):
        return Mod("close quarters", 0)
    name = "close quarters, unwieldy" if unwieldy else "close quarters"
    return Mod("close quarters", CIRCUMSTANCES.of(rules, name), "sil-3.3.3-special-circumstances")


@rule("sil-3.3.3-special-circumstances")
def in_water(
    rules: Ruleset, depth: Depth = "hips", agility: bool = True, swims: bool = False, carried: bool = False, heavy: bool = False
) -> Mod:
    """Returns the modifier of water, if the campaign uses it.

    Above the hips -1 on Agility tests; above the shoulders -2 on everything for a character who cannot swim; above the head -1 for
    staying afloat, unless something `carried` floats, and -1 for heavy gear.
    """
    if not rules.on("special-circumstances") or depth in ("dry", "shallow"):
        return Mod("water", 0)

    def figure(name: str) -> int:
        return CIRCUMSTANCES.of(rules, name)

    if depth == "hips":
        value = figure("water to the hips and above") if agility else 0
    elif depth == "shoulders":
        value = 0 if swims else figure("water above the shoulders")
    else:
        value = (0 if carried else figure("staying afloat")) + (figure("heavy gear in water") if heavy else 0)
    return Mod("water", value, "sil-3.3.3-special-circumstances")


@rule("sil-3.3.3-special-circumstances")
def level_in_water(rules: Ruleset, level: int, swimming: int = 0, depth: Depth = "over the head") -> int:
    """Limits a skill in deep water to the level of swimming, which is Athletics (ruling)."""
    return min(level, swimming) if depth == "over the head" and rules.on("special-circumstances") else level


@rule("sil-3.3.3-special-circumstances")
def speed_in_water(rules: Ruleset, metres: float, depth: Depth = "shallow") -> float:
    """Halves a speed in water."""
    return float(Fraction(str(metres)) / 2) if depth == "shallow" and rules.on("special-circumstances") else metres


@rule("sil-3.3.3-special-circumstances")
def defense_against(rules: Ruleset, opponents: tuple[str, ...] = (), attacker: str = "") -> int:
    """Returns the defense penalty against one of the attackers of a round, in order; an attacker who attacks twice counts once."""
    order = [*dict.fromkeys([*opponents, attacker])]
    return opponents_modifier(rules, order.index(attacker) + 1)
