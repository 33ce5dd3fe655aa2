"""Terrain: movement costs and Obscurement (book lines 4404-4453, 4724-4726)."""

from collections.abc import Mapping
from math import ceil, hypot

from rulewright.errors import UserError
from rulewright.field.field import Field, Spot, spot_at
from rulewright.grammar import count
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, at_least, less, limited, term
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.maneuver.water import BEDS, crawler_cost
from rulewright.systems.silhouette.resolution.tests import Figure

_ID = "sil-5.2.1-terrain-costs"
CLEAR = "clear"
OPEN_STEP = 50.0
"""The step in metres along lines and paths on open ground."""


class TerrainRow(TableRow, frozen=True):
    """A terrain: Movement Points by movement type (None: impassable), Obscurement, and how a map shows it."""

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
    """It hides only units in it that do not hover above it."""
    airless: bool = False
    """It occurs only without an atmosphere."""
    level: bool = False
    """A change of level instead of a terrain."""


TERRAINS = Table(_ID, TerrainRow)
BED_NAMES = {"Clear": "clear bed", "Mud": "mud bed", "Kelp Forest": "kelp forest", "Thermal Vents": "thermal vents"}
"""Sea beds by their names on maps."""
SEALED = ("pressure", "high pressure", "extreme pressure", "all")
"""What seals a walker or ground vehicle against water."""
BUILT = Table("sil-5.6.4-structures", TerrainRow)
IN_SPACE = Table("sil-5.3-los", Figure)
SHADOW = "shadow"
"""Deep darkness: it hides by itself and is no obstacle."""


@cached(16)
def terrains(rules: Ruleset) -> Mapping[str, TerrainRow]:
    """All terrains by name; the empty name is clear ground."""
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
        raise UserError(f"there is no terrain {name!r}; known are {', '.join(terrain for terrain in terrains(rules) if terrain)}")
    return row


def _beds(rules: Ruleset) -> dict[str, TerrainRow]:
    """Sea beds as map terrain, without deep water itself."""
    terrain_row_by_name = {}
    for row in BEDS(rules).values():
        name = BED_NAMES.get(row.terrain, "")
        if name:
            terrain_row_by_name[name] = TerrainRow(
                terrain=name, look="deep", hover=1, naval=1, submarine=row.submarine or 1, obscurement=4, wet=True
            )
    return terrain_row_by_name


def crawls(rules: Ruleset, machine: Machine, row: TerrainRow) -> int | None:
    """The cost of moving on the bottom of water: only for sealed machines, at the cost of the terrain there plus one, or that of the sea
    bed."""
    if not any(machine.has(f"hostile environment: {what}") is not None for what in SEALED):
        return None
    bed = next((BED for BED in BEDS(rules).values() if BED_NAMES.get(BED.terrain) == row.terrain), None)
    return bed.crawler if bed is not None else int(crawler_cost(1).value)


@cached(16)
def letters(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """The letters of painted maps."""
    return tuple([(row.letter, name) for name, row in terrains(rules).items() if row.letter and name])


@rule(_ID)
def terrain_cost(
    rules: Ruleset, movement: str, terrain: str = CLEAR, levels: int = 0, off_road: bool = False, poor_off_road: bool = False
) -> Derived[int]:
    """Movement Points to enter a hex: by terrain and movement type, plus the cost of every level up or down.

    Off-Road Ability takes 1 off a cost above 1, Poor Off-Road Ability adds 1 to a cost of 2 or more; levels do not count for
    either. Impassable terrain is refused.
    """
    row = terrain_named(rules, terrain)
    cost = _cost(row, movement)
    if cost is None:
        raise UserError(f"{movement} movement cannot enter {terrain or CLEAR}")
    terms: list[Reason] = [term(terrain or CLEAR, cost, rule=_ID, source=row.source)]
    if off_road and cost > 1:
        terms.append(less("off-road ability", 1, rule="sil-d-features"))
    elif poor_off_road and cost >= 2:
        terms.append(term("poor off-road ability", 1, rule="sil-e-movement-flaws"))
    if levels:
        up, down = level_costs(rules, movement)
        number = up if levels > 0 else down
        terms.append(term(f"{count(abs(levels), 'level')} {'up' if levels > 0 else 'down'}", number * abs(levels), rule=_ID))
    return limited("Movement Points", *terms, limit=at_least(0), rule=_ID)


def _cost(row: TerrainRow, movement: str) -> int | None:
    if movement in ("air", "space"):
        return 1
    result: int | None = getattr(row, movement, None)
    return result


@cached(64)
def level_costs(rules: Ruleset, movement: str) -> tuple[int, int]:
    """The cost of a level up and of a level down."""
    rows = TERRAINS(rules)
    return tuple([getattr(rows[key], movement, None) or 0 for key in ("+1 elevation", "-1 elevation")])  # type: ignore[return-value]


@cached(512)
def cost_table(rules: Ruleset, machine: Machine, movement: str, atmosphere: float = 1.0) -> Mapping[str, int | None]:
    """The cost of each terrain for a machine with a movement type; None if impassable.

    Nothing hovers below 0.8 atmospheres, and without air only protected machines work.
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
        result[name] = None if atmosphere < 0.8 and not _works_there(machine, movement, row) else cost
    return result


def _works_there(machine: Machine, movement: str, row: TerrainRow) -> bool:
    """Whether a machine works on terrain without air."""
    if movement == "hover":
        return False
    return not row.airless or any(machine.has(f"hostile environment: {what}") is not None for what in ("vacuum", "all"))


# --- sight lines -----------------------------------------------------------------------------------------------------------------


def between(field: Field, point: Spot, other: Spot) -> tuple[tuple[Spot, ...], ...]:
    """The steps between two places: a hex, or the two between which the line runs; on open ground every fifty metres."""
    if field.hexes:
        return field.line(point, other)
    metres = hypot(other[0] - point[0], other[1] - point[1])
    parts = ceil(metres / OPEN_STEP)
    return tuple(
        [(spot_at(point[0] + (other[0] - point[0]) * at / parts, point[1] + (other[1] - point[1]) * at / parts),) for at in range(1, parts)]
    )


def distance(field: Field, point: Spot, other: Spot) -> int:
    """The distance of two places in hexes: 0 is the same hex, on open ground within 25 metres (ruling)."""
    if field.hexes:
        return int(field.distance(point, other))
    metres = field.distance(point, other)
    return 0 if metres <= OPEN_STEP / 2 else max(1, round(metres / OPEN_STEP))
