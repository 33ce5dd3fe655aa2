"""Weapons and their modifications (book lines 3618-3825)."""

from math import ceil, prod
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Figures, Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.foresight.gear.items import reliability
from rulewright.systems.foresight.people.characters import Arm
from rulewright.systems.foresight.resolution.damage_classes import DamageClass, parse_dc
from rulewright.systems.foresight.resolution.tests import Mod, half_up

COLUMNS = ("ammo", "rof", "dc", "range", "draw", "reload", "jam", "kg")
"""What Custom modifications may change."""
STRENGTH = Figures("fs-melee-strength")
"""Points of strength that a kilogram of a weapon asks for."""


class RangedRow(TableRow, frozen=True):
    """A ranged weapon as the book lists it."""

    weapon: str
    recoil: int
    pm: int
    ammo: int | None
    rof: int
    prepare: bool
    dc: str
    range: float
    draw: int
    reload: int | None
    jam: str
    kg: float
    skill: str
    cost: float
    tl: float
    wh: int = 0
    thrown: bool = False
    reload_each: bool = False


class MeleeRow(TableRow, frozen=True):
    """A melee weapon as the book lists it: modifier and damage at each distance."""

    weapon: str
    group: str
    hands: str
    parry: int | None
    draw: int | None
    kg: float
    cost: float
    tl: float
    close: tuple[int, str] | None = None
    normal: tuple[int, str] | None = None
    reach: tuple[int, str] | None = None
    covers: dict[str, int] = field(default_factory=dict)
    metal: float = 1
    """What a cover of metal multiplies the price of a shield by."""


class RangedModRow(TableRow, frozen=True):
    """A modification of ranged weapons."""

    modification: str
    recoil: int = 0
    pm: int = 0
    ammo: float = 1
    burst: int = 0
    rof: int = 0
    """Rate of fire: 1 takes away the fire action that readies a weapon, -1 makes it needed (ruling)."""
    dc: int = 0
    range: float = 1
    draw: int = 0
    reload: int = 0
    jam: int = 0
    kg: float = 1
    kg_added: float = 0
    skill: str = ""
    cost: float = 1
    cost_added: float = 0
    tl: float = 0
    tl_least: float = 0
    columns: int = 0
    bonus_aim: int = 0
    aim_rolls: int = 0


class MeleeModRow(TableRow, frozen=True):
    """A modification of melee weapons."""

    modification: str
    close: tuple[int, int]
    normal: tuple[int, int]
    reach: tuple[int, int]
    parry: int
    draw: int | None
    kg: float | None
    cost: float | None
    tl: float | None


class AmmunitionRow(TableRow, frozen=True):
    """Special ammunition."""

    ammunition: str
    dc: int
    pierces: int


RANGED_WEAPONS = Table("fs-ranged-weapons", RangedRow)
MELEE_WEAPONS = Table("fs-melee-weapons", MeleeRow)
RANGED_MODS = Table("fs-ranged-weapon-mods", RangedModRow)
MELEE_MODS = Table("fs-melee-weapon-mods", MeleeModRow)
AMMUNITION = Table("fs-ammo-ap", AmmunitionRow)
UNARMED = "unarmed"


def weapon_classes(rules: Ruleset) -> frozenset[str]:
    """The classes of melee weapons that can be favored, bare hands among them."""
    return frozenset({row.group for row in MELEE_WEAPONS(rules).values()} | {UNARMED})


WOODEN_SHIELD, METAL_SHIELD = "Chainmail", "Plate"


class Gun(Struct, frozen=True):
    """A ranged weapon with its modifications applied."""

    weapon: str
    recoil: int
    pm: int
    ammo: int | None
    prepare: bool
    dc: DamageClass
    burst: int
    burst_dc: int
    range: float
    draw: int
    reload: int
    reload_each: bool
    jam: str
    kg: float
    skill: str
    cost: float
    tl: float
    thrown: bool = False
    bonus_aim: int = 0
    aim_rolls: int = 0
    wh: int = 0
    short: int = 0
    """Rounds of a second, shorter burst, of a weapon with both modifications."""
    short_dc: int = 0


def _plain_gun(row: RangedRow) -> Gun:
    sight = 1 if "Laser" in row.weapon or "Projac" in row.weapon else 0
    same = {field: getattr(row, field) for field in Gun.__struct_fields__ if field in RangedRow.__struct_fields__}
    return Gun(**{**same, "dc": parse_dc(row.dc), "reload": row.reload or 0, "burst": 0, "burst_dc": 0, "bonus_aim": sight})


@rule("fs-ranged-weapon-mods", "fs-weapon-traits")
def gun(rules: Ruleset, arm: Arm) -> Gun:
    """A ranged weapon with its modifications: some figures add up, others multiply, and the lowest technology level follows.

    Advanced betters two columns each time and Custom one while another worsens; both must be named. A burst's damage counts
    for bursts at one target only.
    """
    plain = _plain_gun(RANGED_WEAPONS.get(rules, arm.weapon))
    better, worse = list(arm.improved), list(arm.worsened)
    changes: list[RangedModRow] = []
    for name in arm.modifications:
        row = RANGED_MODS.get(rules, name)
        if row.modification == "Advanced":
            changes.append(_improved(row, tuple(better[: row.columns])))
            better = better[row.columns :]
        elif row.modification == "Custom":
            changes.append(_customized(row, better[:1], worse[:1]))
            better, worse = better[1:], worse[1:]
        else:
            changes.append(row)
    if better or worse:
        raise UserError(
            f"{arm.weapon}: {', '.join(better + worse)} cannot be changed; Advanced betters two columns each, Custom one for one"
        )
    result = _changed(rules, plain, changes)
    return replace(result, dc=loaded_with(rules, str(result.dc), arm.ammunition)) if arm.ammunition else result


def _changed(rules: Ruleset, gun: Gun, rows: list[RangedModRow]) -> Gun:
    """A weapon with all its modifications, in whatever order they are named: everything is rounded and held to its limits once, at the end.

    What a sight weighs and costs comes on top, untouched by what is done to the weapon.
    """
    rate = int(not gun.prepare) + sum([row.rof for row in rows])
    if rate not in (0, 1):
        raise UserError(f"{gun.weapon}: the rate of fire is one shot an action, or one in two, and goes no further either way")
    bursts = sorted({(row.burst, row.dc) for row in rows if row.burst} | {(gun.burst, gun.burst_dc)}, reverse=True)
    second = bursts[1] if len(bursts) > 2 else (0, 0)
    skills = [row.skill for row in rows if row.skill]
    return replace(
        gun,
        recoil=max(0, gun.recoil + sum([row.recoil for row in rows])),
        pm=gun.pm + sum([row.pm for row in rows]),
        ammo=None if gun.ammo is None else max(1, half_up(gun.ammo * prod([row.ammo for row in rows]))),
        prepare=rate == 0,
        dc=gun.dc.plus(sum([row.dc for row in rows if not row.burst])),
        burst=bursts[0][0],
        burst_dc=bursts[0][1],
        short=second[0],
        short_dc=second[1],
        range=gun.range * prod([row.range for row in rows]),
        draw=max(0, gun.draw + sum([row.draw for row in rows])),
        reload=max(0, gun.reload + sum([row.reload for row in rows])),
        jam=reliability(rules, gun.jam, sum([row.jam for row in rows])),
        kg=gun.kg * prod([row.kg for row in rows]) + sum([row.kg_added for row in rows]),
        skill=skills[-1] if skills else gun.skill,
        cost=gun.cost * prod([row.cost for row in rows]) + sum([row.cost_added for row in rows]),
        tl=max([gun.tl + sum([row.tl for row in rows]), *[row.tl_least for row in rows]]),
        bonus_aim=max([gun.bonus_aim, *[row.bonus_aim for row in rows]]),
        aim_rolls=gun.aim_rolls + sum([row.aim_rolls for row in rows]),
    )


def _improved(row: RangedModRow, columns: tuple[str, ...]) -> RangedModRow:
    """An Advanced modification: of its figures only the two columns named take effect."""
    if len(columns) != row.columns or len(set(columns)) != len(columns) or not set(columns) <= {"ammo", "dc", "range", "jam", "kg"}:
        raise UserError(
            f"an Advanced modification betters {row.columns} of ammo, dc, range, jam and kg, not {', '.join(columns) or 'none'}"
        )
    bettered = {column: getattr(row, column) for column in columns}
    return RangedModRow(modification=row.modification, cost=row.cost, tl=row.tl, **bettered)


def _customized(row: RangedModRow, better: list[str], worse: list[str]) -> RangedModRow:
    """A Custom modification: one column better by 1 or 15 percent, another worse likewise."""
    if len(better) != 1 or len(worse) != 1 or better == worse or not {*better, *worse} <= set(COLUMNS):
        raise UserError(f"a Custom modification betters one of {', '.join(COLUMNS)} and worsens another")
    changes: dict[str, Any] = {}
    for column, good in ((better[0], 1), (worse[0], -1)):
        if column in ("ammo", "range", "kg"):
            changes[column] = 1 + 0.15 * good * (-1 if column == "kg" else 1)
        else:
            changes[column] = -good if column in ("draw", "reload") else good
    return RangedModRow(modification=row.modification, cost=row.cost, tl=row.tl, **changes)


@rule("fs-ammo-ap")
def loaded_with(rules: Ruleset, dc: str = "6i", ammunition: str = "armor-piercing") -> DamageClass:
    """A damage class with special ammunition: armor-piercing rounds lose one and pierce two."""
    row, plain = AMMUNITION.get(rules, ammunition), parse_dc(dc)
    return replace(plain, amount=plain.amount + row.dc, pierces=plain.pierces + row.pierces)


@rule("fs-weapon-traits")
def recoil(rules: Ruleset, marks: int = 1, shots: int = 1) -> Mod:
    """-1 for each recoil mark and each shot before this one since the last aim or recover action."""
    return Mod(f"recoil of {count(shots, 'shot')}", -marks * shots, "fs-weapon-traits")


# --- melee --------------------------------------------------------------------------------------------------------------------


@rule("fs-melee-strength")
def minimum_strength(rules: Ruleset, kg: float = 1, hands: int = 1) -> Derived[float]:
    """The strength that a weapon asks for: five times its kilograms in one hand, three times in both."""
    number = STRENGTH.of(rules, "strength a kg, one hand" if hands == 1 else "strength a kg, both hands")
    return total("minimum strength", term("kg", kg), term("points", number, "×"), rule="fs-melee-strength")


@rule("fs-melee-strength")
def too_heavy(rules: Ruleset, kg: float = 1, strength: int = 9, hands: int = 1) -> Mod:
    """-1 on attacks and parries for every three points of strength that are missing, begun ones counted."""
    short = minimum_strength(rules, kg, hands).value - strength
    return Mod("too heavy", -ceil(short / STRENGTH.of(rules, "points short for -1", least=1)) if short > 0 else 0, "fs-melee-strength")


class Blade(Struct, frozen=True):
    """A melee weapon with its modifications applied: modifier and added damage class at each distance it can be used at."""

    weapon: str
    group: str
    hands: int
    close: tuple[int, DamageClass] | None
    normal: tuple[int, DamageClass] | None
    reach: tuple[int, DamageClass] | None
    parry: int | None
    draw: int
    kg: float
    cost: float
    tl: float


GRIPS = ("1", "1-2", "2")
HEAVY = "Heavy"


@rule("fs-melee-weapon-mods")
def grip_of(rules: Ruleset, arm: Arm) -> str:
    """The hands that a weapon is made for: each Heavy modification may make it one for either hand or both, or one for both."""
    plain = MELEE_WEAPONS.get(rules, arm.weapon).hands
    if not arm.grip or arm.grip == plain:
        return plain
    steps = GRIPS.index(arm.grip) - GRIPS.index(plain)
    if not 0 < steps <= arm.modifications.count(HEAVY):
        raise UserError(
            f"{arm.weapon} is for {plain} hands; only being Heavy makes it one for more, a step each time, and not for {arm.grip}"
        )
    return arm.grip


@rule("fs-melee-weapons")
def shield_of(rules: Ruleset, arm: Arm) -> str:
    """The armor that a shield protects as: chainmail for reinforced wood, plate for one covered in metal at three times the price."""
    if MELEE_WEAPONS.get(rules, arm.weapon).group != "shields":
        if arm.metal:
            raise UserError(f"{arm.weapon} is not a shield and cannot be covered in metal")
        return ""
    return METAL_SHIELD if arm.metal else WOODEN_SHIELD


@rule("fs-melee-weapon-mods")
def blade(rules: Ruleset, arm: Arm, hands: int | None = None) -> Blade:
    """A melee weapon with its modifications, in one hand or both.

    One made for either gains +1 to modifier and damage at normal and reach and +1 damage at close in two hands.
    """
    row = MELEE_WEAPONS.get(rules, arm.weapon)
    mods = [MELEE_MODS.get(rules, name) for name in arm.modifications]
    grip = grip_of(rules, arm)
    number = hands if hands is not None else 2 if grip == "2" else 1
    if str(number) not in grip:
        raise UserError(f"{arm.weapon} is used in {grip} hands, not {number}")
    both = int(grip == "1-2" and number == 2)

    def at(listed: tuple[int, str] | None, distance: str, pm: int) -> tuple[int, DamageClass] | None:
        if listed is None:
            return None
        added = [getattr(mod, distance) for mod in mods]
        return listed[0] + pm + sum([candidate[0] for candidate in added]), parse_dc(listed[1]).plus(
            both + sum([candidate[1] for candidate in added])
        )

    factor_kg, factor_cost = 1.0, row.metal if shield_of(rules, arm) == METAL_SHIELD else 1.0
    for mod in mods:
        factor_kg, factor_cost = factor_kg * (1 if mod.kg is None else mod.kg), factor_cost * (1 if mod.cost is None else mod.cost)
    return Blade(
        weapon=row.weapon,
        group=row.group,
        hands=number,
        close=at(row.close, "close", 0),
        normal=at(row.normal, "normal", both),
        reach=at(row.reach, "reach", both),
        parry=None if row.parry is None else row.parry + sum([mod.parry for mod in mods]),
        draw=max(0, (row.draw or 0) + sum([mod.draw or 0 for mod in mods])),
        kg=row.kg * factor_kg,
        cost=row.cost * factor_cost,
        tl=row.tl + sum([mod.tl or 0 for mod in mods]),
    )
