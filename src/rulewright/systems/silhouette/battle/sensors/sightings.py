"""Visibility: which unit and which side sees whom, and who witnesses events."""

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.detection.sight import Eye, Sign, eye_of, made_out, sees, sign_of
from rulewright.systems.silhouette.units.state import Battle, Site
from rulewright.systems.silhouette.units.units import Unit


def side_sees(rules: Ruleset, battle: Battle, side: str, other: Unit) -> bool:
    """Whether any able unit of a side sees a unit; its own units are always seen."""
    if other.side == side:
        return True
    looks = False
    for unit in battle.units:
        if unit.side == side and unit.able:
            looks = True
            if sees(rules, battle, unit, other):
                return True
    return not looks and any(sees(rules, battle, unit, other) for unit in battle.units if unit.side == side)


def known_foes(rules: Ruleset, battle: Battle, unit: Unit) -> list[Unit]:
    """Every enemy still in the fight that a unit's side knows of."""
    known = _known(rules, battle, unit.side)
    return [foe for foe in battle.units if foe.name in known]


@cached(64)
def _known(rules: Ruleset, battle: Battle, side: str) -> frozenset[str]:
    foes = [foe for foe in battle.units if foe.side != side and foe.able]
    site = battle.site
    eyes = tuple([eye_of(rules, site, unit) for unit in battle.units if unit.side == side and unit.able])
    if not eyes or any(unit.part is not None or unit.shape.stretched for unit in battle.units):
        return frozenset([foe.name for foe in foes if side_sees(rules, battle, side, foe)])
    return _made_out_by_any(rules, site, eyes, tuple([sign_of(rules, battle, foe) for foe in foes]))


@cached(1_000)
def _made_out_by_any(rules: Ruleset, site: Site, eyes: tuple[Eye, ...], signs: tuple[Sign, ...]) -> frozenset[str]:
    return frozenset([sign.name for sign in signs if any(made_out(rules, site, eye, sign) for eye in eyes)])


@cached(64)
def in_sight(rules: Ruleset, battle: Battle, side: str) -> frozenset[str]:
    """Everyone whom a side has found: machines and the characters aboard."""
    return frozenset(
        [
            name
            for unit in battle.units
            if side_sees(rules, battle, side, unit)
            for name in (unit.name, *[rider.name for rider in unit.riders])
        ]
    )


def names_of(battle: Battle, side: str) -> tuple[str, ...]:
    """All names of a side: machines and the characters aboard. For sections and components the whole machine is asked."""
    mine = [unit for unit in battle.units if unit.side == side]
    names = [name for unit in mine for name in ((unit.name,) if unit.part is None else ()) + tuple([rider.name for rider in unit.riders])]
    return tuple(dict.fromkeys(names))  # a person on foot is both


def names_of_sides(rules: Ruleset, battle: Battle, viewer: str) -> dict[str, str]:
    """Returns the name of each side as one side knows it: its name, or "another side" while nobody of it has been found."""
    if viewer not in battle.sides:
        return {side: side for side in battle.sides}
    seen = in_sight(rules, battle, viewer)
    unfound = [side for side in battle.sides if side != viewer and not seen.intersection(names_of(battle, side))]
    return {
        side: side if side not in unfound else f"another side{f' ({unfound.index(side) + 1})' if len(unfound) > 1 else ''}"
        for side in battle.sides
    }


def witnesses(rules: Ruleset, battle: Battle, unit: Unit) -> tuple[str, ...]:
    """All names that know what a unit does: its own side, and every side that sees it."""
    return tuple([name for side in battle.sides if side_sees(rules, battle, side, unit) for name in names_of(battle, side)])
