"""Area effects, anti-missile fire, called shots, evasion and indirect fire of machines (book lines 4931-4957, 4973-4991)."""

from math import floor
from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.geometry.hexes import DIRECTIONS
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, Table, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, less, limited, term, times, total
from rulewright.systems.silhouette.gunnery.modifiers import other_mod
from rulewright.systems.silhouette.gunnery.rams import which_way
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.resolution.tests import DIE, Figure, Mod, Pool, Test, action_test

_AREA, _AM, _SPECIAL, _INDIRECT = "sil-5.4.4-area-effect", "sil-5.4.4-anti-missile", "sil-5.4.4-special", "sil-5.4.4-indirect-fire"
AGAINST_MISSILES = Table(_AM, Figure)
SPECIAL = Table(_SPECIAL, Figure)
INDIRECT = Table(_INDIRECT, Figure)


# --- areas --------------------------------------------------------------------------------------------------------------------


@rule(_AREA)
def in_area(hexes: int, radius: int) -> bool:
    """Whether a unit so many hexes from the centre is in the area: a radius of 0 is the one hex."""
    return hexes <= radius


@rule(_AREA)
def concussion(damage: Number, vacuum: bool = False) -> Derived[Number]:
    """The damage to units in an area that defended well: the Damage Multiplier once, half of it without air."""
    return total("damage", term("Damage Multiplier", damage), *([divided("no air", 2)] if vacuum else []), rule=_AREA)


@rule(_AREA)
def area_damage(margin: int, damage: Number, vacuum: bool = False) -> Derived[Number]:
    """The damage of an area to one unit: the margin against its own defense times the Damage Multiplier, or the concussion."""
    if margin <= 0:
        return concussion(damage, vacuum)
    return total("damage", term("Margin of Success", margin), times("Damage Multiplier", damage), rule=_AREA)


# --- anti-missile fire --------------------------------------------------------------------------------------------------------


class ShotDown(Struct, frozen=True):
    """The result of anti-missile fire: the remaining rate (None: nothing), the shots used, and the test."""

    rate: int | None
    shots: int
    test: Test

    @property
    def destroyed(self) -> bool:
        """Whether nothing of it arrives."""
        return self.rate is None


@rule(_AM)
def anti_missile_pool(rules: Ruleset, pool: Pool, rof: int = 0, built_for_it: bool = False) -> Pool:
    """The pool of anti-missile fire: -6 without the Perk, plus the rate used."""
    plain = 0 if built_for_it else AGAINST_MISSILES.get(rules, "without the Perk").value
    return pool.plus(Mod("no anti-missile weapon", plain, _AM), Mod("rate of fire", rof, _AM))


@rule(_AM)
def anti_missile_shots(rules: Ruleset, margin: int, rof: int = 0, missiles: bool = False) -> Derived[int]:
    """Shots of anti-missile fire: five less the margin, at least one; with a burst five times that, two times for missiles."""
    figures = AGAINST_MISSILES(rules)
    base = [term("shots", figures["shots"].value), less("margin", max(0, margin))]
    plain = limited("shots", *base, limit=at_least(figures["least shots"].value), rule=_AM)
    if not rof:
        return plain
    more = figures["missiles multiply by" if missiles else "burst multiplies by"].value
    return total("shots", term("without a burst", plain), times("burst", more), rule=_AM)


@rule(_AM)
def shoot_down(
    rules: Ruleset,
    pool: Pool,
    attack: int,
    incoming: int = 0,
    rof: int = 0,
    built_for_it: bool = False,
    missiles: bool = False,
    by: str = "",
) -> Play[ShotDown]:
    """Fire at an incoming missile or swarm, without an action: it must beat the attack (a ruling; a tie fails). A single missile is
    destroyed; a swarm needs a burst, every point of margin reduces its rate by one, and at zero it is destroyed."""
    if incoming and not rof:
        raise UserError("only a burst can stop a swarm of missiles")
    test = yield from action_test(rules, anti_missile_pool(rules, pool, rof, built_for_it), attack, by, "anti-missile fire")
    won = test.total > test.threshold
    margin = test.margin if won else 0
    left: int | None = incoming
    if won:
        left = None if incoming - margin <= 0 else incoming - margin
    return ShotDown(left, anti_missile_shots(rules, margin, rof, missiles).value, test)


# --- called shots and evasion -------------------------------------------------------------------------------------------------


@rule(_SPECIAL)
def called(rules: Ruleset, pool: Pool) -> Pool:
    """A called shot: one die less; at zero it is rolled unskilled."""
    return pool.with_dice(max(0, pool.dice + SPECIAL.get(rules, "dice of a called shot").value))


@rule(_SPECIAL)
def hits_tiny(rules: Ruleset, margin: int) -> bool:
    """Whether a called shot at something tiny, a lamp for example, hits it: with a margin of 3. With less it hits around it."""
    return margin >= SPECIAL.get(rules, "margin for a tiny target").value


@rule(_SPECIAL)
def evasion(rules: Ruleset, evading: bool = True) -> Mod:
    """The bonus of evasive maneuvers to every defense of the round: 3; the unit takes no other action. A view of `moving_mods`."""
    return other_mod(rules, "evasive maneuvers") if evading else Mod("evasive maneuvers", 0, _SPECIAL)


# --- indirect fire ------------------------------------------------------------------------------------------------------------


@rule(_INDIRECT)
def indirect_gravity(rules: Ruleset, gravity: float = 1.0) -> Mod:
    """The modifier of gravity to indirect fire: -1 at half a g or less, -1 for each full g above one (a ruling: elsewhere the
    book says so if a part of one counts)."""
    if gravity < 0:
        raise UserError(f"gravity must be 0 or more, not {gravity}")
    if gravity <= 0.5:
        return Mod("low gravity", INDIRECT.get(rules, "low gravity").value, _INDIRECT)
    return Mod("high gravity", INDIRECT.get(rules, "each g above one").value * max(0, floor(gravity - 1)), _INDIRECT)


@rule(_INDIRECT)
def indirect_allowed(perk: bool, flying: bool = False, space: bool = False) -> str:
    """Why a system cannot fire indirectly: without the Perk, in the air or in space; empty if it can."""
    if not perk:
        return "it lacks the indirect fire Perk"
    if space or flying:
        return "indirect fire is impossible in the air and in space"
    return ""


Spotting = Literal["observer", "sensors", "blind"]


@rule(_INDIRECT)
def indirect_obscurement(spotting: Spotting, observed: int = 0, target_hex: int = 0) -> Derived[int]:
    """The Obscurement of indirect fire: everything between a forward observer and the target; with one's own sensors or a designator
    only that of the target's hex (ruling). Blind fire has no aimed target."""
    if spotting == "observer":
        return total("Obscurement", term("from the observer", observed), rule=_INDIRECT)
    if spotting == "sensors":
        return total("Obscurement", term("the target's hex", target_hex), rule=_INDIRECT)
    return total("Obscurement", term("blind fire", 0), rule=_INDIRECT)


class Astray(Struct, frozen=True, dict=True):
    """The deviation of a blind shot: hexes, and a direction (a hexside from north clockwise)."""

    hexes: int = 0
    direction: int = 0

    def after(self, *dice: int) -> "Astray":
        """The same with the dice of its distance, for the log."""
        self.__dict__["dice"] = dice
        return self

    def sums(self, hexes: int | None = None) -> tuple[Reason, ...]:
        """The dice behind it; an echo has a distance of its own."""
        dice = [Reason("die of the deviation", die, "=", _INDIRECT) for die in self.__dict__.get("dice", ())]
        off = [Reason("hexes off", hexes, "=", _INDIRECT)] if hexes else []
        way = total("direction", term(f"die: {DIRECTIONS[self.direction % 6]}", self.direction + 1), rule=_INDIRECT)
        return (*dice, *off, way.reason) if self.hexes else tuple(dice)


@rule(_INDIRECT)
def deviate(rules: Ruleset, by: str = "") -> Play[Astray]:
    """Roll the deviation of a shot without an observer: a die of hexes in a random direction. A 1 is rolled again: a second 1 is no
    deviation, anything else is the distance (ruling)."""
    hexes = yield from Roll(DIE, by, "deviation in hexes")
    if hexes == 1:
        hexes = yield from Roll(DIE, by, "deviation in hexes, again")
        if hexes == 1:
            return Astray().after(1, 1)
        return Astray(hexes, (yield from which_way(rules, by))).after(1, hexes)
    return Astray(hexes, (yield from which_way(rules, by))).after(hexes)
