"""Attacks between machines of different scales: modifiers and damage factors (book lines 3838-3852)."""

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, divided, term, times, total
from rulewright.systems.silhouette.machines.design.constructions import scale_factor, scale_modifier
from rulewright.systems.silhouette.machines.design.rounding import Figure, exact, plain
from rulewright.systems.silhouette.machines.machine import Version
from rulewright.systems.silhouette.resolution.tests import Mod
from rulewright.systems.silhouette.units.state import Surroundings
from rulewright.systems.silhouette.units.units import Unit

_ID = "sil-4.3.2-very-large"
Scaled = tuple[str, Figure]
"""The scales of attacker and target in words, and the damage factor."""
SAME: Scaled = ("", 1)


@cached(64)
def _between(rules: Ruleset, own: str, other: str) -> Scaled:
    derived = scale_factor(rules, own, other)  # type: ignore[arg-type]  # a machine's scale is one of them
    return f"{own} scale against {other} scale", derived.value


def scaled(rules: Ruleset, attacker: Unit, target: Unit) -> Scaled:
    """The damage factor of an attack of one machine on another."""
    own, other = attacker.machine.scale, target.machine.scale
    return SAME if own == other else _between(rules, own, other)


def across_scales(rules: Ruleset, battle: Surroundings, attacker: Unit, target: Unit, *, arm: int, version: Version) -> tuple[Mod, ...]:
    """The modifier of an attack with a system on a smaller scale."""
    return scale_mods(rules, attacker, target) if attacker.machine.scale != target.machine.scale else ()


def scale_mods(rules: Ruleset, attacker: Unit, target: Unit) -> tuple[Mod, ...]:
    """The same for any attack, with a system or without."""
    worse = scale_modifier(rules, attacker.machine.scale, target.machine.scale).value
    return (Mod(scaled(rules, attacker, target)[0], worse, _ID),) if worse else ()


def at_scale(dealt: Derived[Figure], by: Scaled) -> Derived[Figure]:
    """Damage, or a Damage Multiplier, with the factor between the scales."""
    if not by[0]:
        return dealt
    return total(dealt.reason.label, term(dealt.reason.label, dealt), _step(by), rule=_ID)


def _step(by: Scaled) -> Reason:
    if by[1] >= 1:
        return times(by[0], by[1], rule=_ID)
    return divided(by[0], plain(1 / exact(by[1])), rule=_ID)
