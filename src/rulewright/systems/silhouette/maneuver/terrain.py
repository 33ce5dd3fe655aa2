"""Ground: what it costs each way to move, and how much it hides (book lines 4404-4453, 4724-4726)."""

from collections.abc import Mapping
from functools import lru_cache
from math import ceil, hypot

from rulewright.errors import UserError
from rulewright.field.field import Field, Spot, spot_at
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, less, limited, term
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.water import BEDS, crawler_cost
from rulewright.systems.silhouette.resolution.tests import Figure

_ID = "sil-5.2.1-terrain-costs"
CLEAR = "clear"
OPEN_STEP = 50.0
"""On open ground lines and ways are looked at in steps of so many metres."""


class TerrainRow(TableRow, frozen=True):
    """A terrain: Movement Points by the way to move (None: cannot be entered), Obscurement, and how a map shows it."""

    terrain: str
    letter: str = ""
    look: str = "open"
    walker: int | None = None
    ground: int | None = None
    hover: int | None = None
    naval: int | None = None
    submarine: int | None = None
    rail: int | None = None
    obscurement: int = 0
    wet: bool = False
    """Hides only who is in it and does not hover over it."""
    airless: bool = False
    """Found where there is no air to speak of."""
    level: bool = False
    """A step up or down instead of a terrain."""


TERRAINS = Table(_ID, TerrainRow)
BED_NAMES = {"Clear": "clear bed", "Mud": "mud bed", "Kelp Forest": "kelp forest", "Thermal Vents": "thermal vents"}
"""Sea beds as maps call them."""
SEALED = ("pressure", "high pressure", "extreme pressure", "all")
"""What keeps water out of a machine that walks or rolls into it."""
BUILT = Table("sil-5.6.4-structures", TerrainRow)
IN_SPACE = Table("sil-5.3-los", Figure)
SHADOW = "shadow"
"""Where the light of no sun reaches: it hides by itself, and is no obstacle."""


@lru_cache(maxsize=16)
def terrains(rules: Ruleset) -> Mapping[str, TerrainRow]:
    """All ground there is, by its name; no terrain at all is clear."""
    terrain_row_by_name = {name: row for name, row in {**TERRAINS(rules), **BUILT(rules), **_beds(rules)}.items() if not row.level}
    for name, figure in IN_SPACE(rules).items():
        terrain_row_by_name[name] = TerrainRow(
            terrain=name, look="debris", obscurement=0 if name == SHADOW else figure.value, source=figure.source
        )
    return {"": terrain_row_by_name[CLEAR], **terrain_row_by_name}


def terrain_named(rules: Ruleset, name: str) -> TerrainRow:
    """A terrain by its name."""
    row = terrains(rules).get(name)
    if row is None:
        raise UserError(f"there is no terrain {name!r}; there are {', '.join(terrain for terrain in terrains(rules) if terrain)}")
    return row


def _beds(rules: Ruleset) -> dict[str, TerrainRow]:
    """Sea beds as ground of a map; deep water itself is there already."""
    terrain_row_by_name = {}
    for row in BEDS(rules).values():
        name = BED_NAMES.get(row.terrain, "")
        if name:
            terrain_row_by_name[name] = TerrainRow(
                terrain=name, look="deep", hover=1, naval=1, submarine=row.submarine or 1, obscurement=4, wet=True
            )
    return terrain_row_by_name


def crawls(rules: Ruleset, machine: Machine, row: TerrainRow) -> int | None:
    """What water costs what walks or rolls on its bottom: only a sealed machine can, at the cost of the ground there and one more, or that
    of the sea bed."""
    if not any(machine.has(f"hostile environment: {what}") is not None for what in SEALED):
        return None
    bed = next((BED for BED in BEDS(rules).values() if BED_NAMES.get(BED.terrain) == row.terrain), None)
    return bed.crawler if bed is not None else int(crawler_cost(1).value)


@lru_cache(maxsize=16)
def letters(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """The letters of painted maps."""
    return tuple([(row.letter, name) for name, row in terrains(rules).items() if row.letter and name])


@rule(_ID)
def terrain_cost(
    rules: Ruleset, movement: str, terrain: str = CLEAR, levels: int = 0, off_road: bool = False, poor_off_road: bool = False
) -> Derived[int]:
    """Movement Points to enter a hex: by its terrain and the way to move, and so much for every level up or down.

    Off-Road Ability takes 1 off what costs more than 1, Poor Off-Road Ability adds 1 to what costs 2 or more; levels do not count for
    either. What cannot be entered is refused.
    """
    row = terrain_named(rules, terrain)
    cost = _cost(row, movement)
    if cost is None:
        raise UserError(f"{terrain or CLEAR} cannot be entered by {movement} movement")
    terms: list[Reason] = [term(terrain or CLEAR, cost, rule=_ID, source=row.source)]
    if off_road and cost > 1:
        terms.append(less("off-road ability", 1, rule="sil-d-features"))
    elif poor_off_road and cost >= 2:
        terms.append(term("poor off-road ability", 1, rule="sil-e-movement-flaws"))
    if levels:
        up, down = level_costs(rules, movement)
        number = up if levels > 0 else down
        terms.append(term(f"{abs(levels)} {'up' if levels > 0 else 'down'}", number * abs(levels), rule=_ID))
    return limited("Movement Points", *terms, limit=at_least(0), rule=_ID)


def _cost(row: TerrainRow, movement: str) -> int | None:
    if movement in ("air", "space"):
        return 1
    result: int | None = getattr(row, movement, None)
    return result


@lru_cache(maxsize=64)
def level_costs(rules: Ruleset, movement: str) -> tuple[int, int]:
    """What a level up and a level down add to the cost of the hex."""
    rows = TERRAINS(rules)
    return tuple([getattr(rows[key], movement, None) or 0 for key in ("+1 elevation", "-1 elevation")])  # type: ignore[return-value]


@lru_cache(maxsize=512)
def cost_table(rules: Ruleset, machine: Machine, movement: str, atmosphere: float = 1.0) -> Mapping[str, int | None]:
    """What each terrain costs a machine with one of its ways to move; None where it cannot go.

    Nothing hovers in less than 0.8 atmospheres, and where there is none only what is protected against that works.
    """
    able = [perk for perk in machine.perks if perk.name == "off-road ability" and perk.on in ("", movement)]
    poor = [flaw for flaw in machine.flaws if flaw.name == "poor off-road ability" and flaw.on in ("", movement)]
    result: dict[str, int | None] = {}
    for name, row in terrains(rules).items():
        cost = _cost(row, movement)
        if row.wet and movement in ("walker", "ground"):
            cost = crawls(rules, machine, row)
        elif cost is not None:
            cost = int(terrain_cost(rules, movement, name, 0, bool(able), bool(poor)).value)
        result[name] = None if atmosphere < 0.8 and not _works(machine, movement, row) else cost
    return result


def _works(machine: Machine, movement: str, row: TerrainRow) -> bool:
    """Whether a machine works on ground without air around it."""
    if movement == "hover":
        return False
    return not row.airless or any(machine.has(f"hostile environment: {what}") is not None for what in ("vacuum", "all"))


# --- hiding ----------------------------------------------------------------------------------------------------------------------


def between(field: Field, point: Spot, other: Spot) -> tuple[tuple[Spot, ...], ...]:
    """What lies between two places, step by step: a hex, or the two between which the line runs; on open ground every fifty metres."""
    if field.hexes:
        return field.line(point, other)
    metres = hypot(other[0] - point[0], other[1] - point[1])
    parts = ceil(metres / OPEN_STEP)
    return tuple(
        [(spot_at(point[0] + (other[0] - point[0]) * at / parts, point[1] + (other[1] - point[1]) * at / parts),) for at in range(1, parts)]
    )


def distance(field: Field, point: Spot, other: Spot) -> int:
    """How far apart two places are in hexes: 0 is the same hex, on open ground within 25 metres (ruling)."""
    if field.hexes:
        return int(field.distance(point, other))
    metres = field.distance(point, other)
    return 0 if metres <= OPEN_STEP / 2 else max(1, round(metres / OPEN_STEP))
