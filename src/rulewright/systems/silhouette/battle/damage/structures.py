"""Structures on the map: damage, collapse, and bridges that break under heavy units (book lines 5182-5192)."""

from msgspec.structs import replace

from rulewright.field.field import Spot
from rulewright.field.geometry import hexes
from rulewright.field.ground import Region
from rulewright.grammar import count, figure
from rulewright.play import Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, term, times, total
from rulewright.systems.silhouette.battle.damage.zones import blow_of, harmed
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.breakage.environment import Bridge, cross_bridge, rubble
from rulewright.systems.silhouette.breakage.events import Broken
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.resolution.tests import Pool, rolled
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.visible_traits import Built

_BUILT = "sil-5.6.4-structures"
RUBBLE = "rough"
"""The terrain that a collapsed building leaves (ruling)."""


def put_built(battle: Battle, built: Built) -> Battle:
    """The battle with a new state of one structure."""
    left = tuple([built if candidate.name == built.name else candidate for candidate in battle.scars.built])
    return replace(battle, scars=replace(battle.scars, built=left))


def damaged(rules: Ruleset, battle: Battle, built: Built, points: Figure, by: str) -> Play[Battle]:
    """Add damage points to a structure; beyond its capacity it collapses."""
    after = replace(built, taken=built.taken + points)
    battle = put_built(battle, after)
    if not rubble(after.taken, after.capacity):
        yield from Tell(Broken(built.name, f"has taken {figure(after.taken)} of {built.capacity} damage points", mood="plain"))
        return battle
    return (yield from collapse(rules, battle, after, by))


def collapse(rules: Ruleset, battle: Battle, built: Built, by: str) -> Play[Battle]:
    """Collapse a structure: its hex becomes the terrain under it, and units on it fall its levels."""
    yield from Tell(Broken(built.name, "collapses"))
    hex_of = (float(int(built.spot[0])), float(int(built.spot[1])), 1.0, 1.0)
    ground = Region(terrain=built.under or RUBBLE, box=hex_of, name=f"what is left of {built.name}")
    battle = put_built(battle, replace(built, taken=max(built.taken, built.capacity + 1)))
    battle = replace(battle, changes=replace(battle.changes, clouds=(*battle.changes.clouds, ground)))
    for unit in battle.units:
        if unit.spot == built.spot and not unit.gone and not unit.destroyed and unit.altitude == 0 and built.level:
            battle = yield from _fall_with_bridge(rules, battle, unit.name, built.level, by)
    yield from Tell(Stands(battle))
    return battle


def _fall_with_bridge(rules: Ruleset, battle: Battle, name: str, levels: int, by: str) -> Play[Battle]:
    """Apply a fall with a bridge: the better of two dice times the Size times the levels, as for any other fall (rulings)."""
    unit = battle.unit(name)
    result = yield from rolled(rules, Pool(2, hero=False), unit.voice, "the fall")
    terms = (term("better of two dice", result.total), times("Size", unit.machine.size), times("levels fallen", levels))
    dealt = total("damage", *terms, rule=_BUILT, source="ruling")
    yield from Tell(Broken(name, f"falls {count(levels, 'level')}", (dealt.reason,)))
    return (yield from harmed(rules, battle, blow_of(unit, by or name, "fall", dealt.value), dealt.value, 1))


def bridge_at(battle: Battle, spot: Spot) -> Built | None:
    """The bridge in a hex."""
    return next(
        (candidate for candidate in battle.scars.built if candidate.spot == spot and candidate.bears and not candidate.rubble), None
    )


def onto_bridge(rules: Ruleset, battle: Battle, name: str) -> Play[Battle]:
    """Check a unit that drives onto a bridge: one too heavy for it may bring it down."""
    unit = battle.unit(name)
    built = bridge_at(battle, unit.spot) if battle.scars.built and unit.altitude == 0 else None
    if built is None or unit.machine.size <= built.bears:
        return battle
    spans = Bridge(capacity=built.capacity, bears=built.bears, level=built.level, left=max(0, int(built.capacity - built.taken)))
    bridged = yield from cross_bridge(rules, spans, unit.machine.size, unit.voice)
    excess = Reason("Size above its limit", unit.machine.size - built.bears, "=", _BUILT)
    if not bridged.collapsed:
        yield from Tell(Announced(unit.name, f"strains {built.name}: {count(bridged.left, 'damage point')} left", (excess,)))
        return put_built(battle, replace(built, taken=built.capacity - bridged.left))
    battle = yield from collapse(rules, battle, built, name)
    if bridged.next_too:
        near = [
            candidate
            for candidate in battle.scars.built
            if candidate.bears and not candidate.rubble and candidate.spot in _around(built.spot)
        ]
        for candidate in near[:1]:
            battle = yield from collapse(rules, battle, candidate, name)
    return battle


def _around(spot: Spot) -> list[Spot]:
    return [(float(x), float(y)) for x, y in hexes.neighbours((int(spot[0]), int(spot[1])))]
