"""Rams, punches, kicks and throws of machines (book lines 4891-4945)."""

from math import isqrt
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Roll, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, limited, row, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.resolution.tests import DIE, Figure, Opposed, Pool, Side, opposed_test

_RAM, _BLOWS = "sil-5.4.3-ramming", "sil-5.4.3-punch-kick-throw"
Impact = Literal["head-on", "side", "rear"]
ARMS = ("manipulator arm", "tool arm", "battle arm")


class ImpactRow(TableRow, frozen=True):
    """What an impact of so many hexes or more adds to a ram's damage: on the ground, or in air and space."""

    hexes: str
    low: int
    ground: int
    air: int


IMPACTS = Table(_RAM, ImpactRow)
BLOWS = Table(_BLOWS, Figure)


@rule(_RAM)
def impact_speed(own: int, other: int = 0, impact: Impact = "side") -> Derived[int]:
    """The impact speed of two machines in hexes: head-on both speeds, from the side the attacker's alone, from behind the difference."""
    if own < 0 or other < 0:
        raise UserError("a speed must be 0 or more hexes")
    terms = [term("the attacker's speed", own)]
    if impact == "head-on":
        terms.append(term("the other's speed", other))
    if impact == "rear":
        terms.append(less("the other's speed", other))
    return limited("impact speed", *terms, limit=at_least(0, "a faster target gets away"), rule=_RAM)


@rule(_RAM)
def impact_modifier(rules: Ruleset, hexes: int, flying: bool = False) -> int:
    """Returns what an impact speed adds to the Damage Multipliers, on the ground or in air and space."""
    if hexes < 1:
        raise UserError("a ram needs an impact speed above 0")
    impact_row = max((IMPACT for IMPACT in IMPACTS(rules).values() if IMPACT.low <= hexes), key=lambda item: item.low)
    return impact_row.air if flying else impact_row.ground


@rule(_RAM)
def ram_multiplier(rules: Ruleset, size: Number, hexes: int, flying: bool = False) -> Derived[Number]:
    """The Damage Multiplier of a machine in a ram: its own Size plus the modifier of the impact speed; at least 1
    (ruling)."""
    added = term(f"impact of {hexes}", impact_modifier(rules, hexes, flying))
    return limited("Damage Multiplier", term("Size", size), added, limit=at_least(1, source="ruling"), rule=_RAM)


class Rammed(Struct, frozen=True):
    """The result of a ram: the contest, and the damage to both; a ram plate halves the damage to its owner."""

    came: Opposed
    to_target: Number = 0
    to_rammer: Number = 0

    @property
    def hit(self) -> bool:
        """Whether the ram hit."""
        return self.came.margin > 0


@rule(_RAM, "sil-d-accessories")
def ram_damage(rules: Ruleset, margin: int, multiplier: Number, plate: bool = False) -> Derived[Number]:
    """The damage to a machine in a ram: the margin times the other's Damage Multiplier, half of it behind a ram plate."""
    terms = [term("Margin of Success", margin), times("the other's Damage Multiplier", multiplier)]
    return total("damage", *terms, *([divided("ram plate", 2, rule="sil-d-accessories")] if plate else []), rule=_RAM)


@rule(_RAM)
def ram(
    rules: Ruleset,
    own: Pool,
    theirs: Pool,
    multipliers: tuple[Number, Number],
    plates: tuple[bool, bool] = (False, False),
    by: str = "",
    against: str = "",
) -> Play[Rammed]:
    """Roll a ram: Piloting against Piloting. On a hit each takes the margin times the other's Damage Multiplier; the first of the
    two figures is the rammer's."""
    opposed = yield from opposed_test(rules, Side(own), Side(theirs), by, against, "ram", "defense", attack=True)
    if opposed.margin <= 0:
        return Rammed(opposed)
    there = ram_damage(rules, opposed.margin, multipliers[0], plates[1]).value
    here = ram_damage(rules, opposed.margin, multipliers[1], plates[0]).value
    return Rammed(opposed, there, here)


# --- punches and kicks --------------------------------------------------------------------------------------------------------


@rule(_BLOWS)
def punch(machine: Machine) -> Derived[Number]:
    """The Damage Multiplier of the hardest punch, by its arms; refused without an arm built for it."""
    fists = [perk.punch or 0 for perk in machine.perks if perk.name in ARMS]
    if not any(fists):
        raise UserError(f"{machine.name} has no arm built for punching")
    return total("Damage Multiplier", term("punch", max(fists)), rule=_BLOWS)


@rule(_BLOWS, "sil-d-features")
def kick(rules: Ruleset, size: Number, towing: Literal["", "double", "triple"] = "") -> Derived[Number]:
    """The Damage Multiplier of a walker's kick or stomp: its Size, plus 1 or 2 with double or triple towing capacity."""
    strong = BLOWS.get(rules, f"kick with {towing} towing").value if towing else 0
    return total("Damage Multiplier", term("Size", size), *([term(f"{towing} towing", strong)] if strong else []), rule=_BLOWS)


def towing(machine: Machine) -> Literal["", "double", "triple"]:
    """The towing capacity of a machine beyond the normal."""
    fitted = machine.has("high towing capacity")
    if fitted is None:
        return ""
    return "triple" if "triple" in fitted.variant else "double"


# --- throwing -----------------------------------------------------------------------------------------------------------------


@rule(_BLOWS)
def thrown_size(cost: float) -> Derived[int]:
    """The Size of a thrown weapon or system: the square root of half its cost, rounded down. By id only."""
    if cost < 0:
        raise UserError(f"the cost must be 0 or more, not {cost}")
    return total("Size", row("square root of half its cost", isqrt(int(cost // 2)), term("cost", cost)), rule=_BLOWS)


@rule(_BLOWS)
def throwing_range(rules: Ruleset, arm: Number, size: Number, thrower: Number = 0, second: Number = 0) -> Derived[Number]:
    """The Base Range of a throw in metres: twice the arm's rating above the object's Size; half of another arm is added for an
    object larger than half the thrower. Too heavy an object cannot be thrown."""
    terms = [term("arm", arm)]
    if second and thrower and size * 2 > thrower:
        terms.append(term("another arm", total("half", term("rating", second), divided("half", 2))))
    terms += [less("Size of the object", size), at_least(0), times("metres", BLOWS.get(rules, "metres for each point").value)]
    return total("metres", *terms, rule=_BLOWS)


class Thrown(Struct, frozen=True):
    """Where a thrown object lands: on the target with this margin, or so many metres off in a direction (a hexside)."""

    came: Opposed
    margin: int = 0
    off: int = 0
    direction: int = 0


@rule(_BLOWS)
def throw(rules: Ruleset, own: Pool, theirs: Pool, by: str = "", against: str = "") -> Play[Thrown]:
    """Roll a throw at a target: equal or higher hits (a tie with a margin of 1, a ruling), otherwise it lands twice the Margin of Failure
    in metres off, in a random direction. What it hits there it hits with a margin of 1."""
    opposed = yield from opposed_test(rules, Side(own), Side(theirs), by, against, "throw", "defense", attack=True)
    if opposed.margin >= 0:
        return Thrown(opposed, max(1, opposed.margin))
    direction = yield from sub(which_way, rules, by)
    return Thrown(opposed, 0, thrown_off(rules, -opposed.margin).value, direction)


@rule(_BLOWS)
def thrown_off(rules: Ruleset, short: int) -> Derived[int]:
    """The deviation of a missed throw in metres: two for each point."""
    number = BLOWS.get(rules, "metres off for each point").value
    return total("metres off", term("Margin of Failure", short), times("metres each", number), rule=_BLOWS)


def which_way(rules: Ruleset, by: str = "") -> Play[int]:
    """One of six directions, by a die: 0 is north."""
    return (yield from Roll(DIE, by, "direction of deviation")) - 1
