"""Fires, cover within a hex, structures, falls of walkers and airdrops (book lines 5129-5222, 5754-5756)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.geometry.hexes import Hex, neighbour
from rulewright.play import Play, Roll
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, at_most, divided, less, limited, rounded_down, rounded_up, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure as Number
from rulewright.systems.silhouette.machines.design.rounding import rounded
from rulewright.systems.silhouette.machines.vehicle import MoveType
from rulewright.systems.silhouette.maneuver.terrain import terrain_named
from rulewright.systems.silhouette.resolution.tests import DIE, Figure, Pool, Test, action_test, succeeds

_DROP, _FIRE, _HULL = "sil-5.6.1-airdrop", "sil-5.6.2-firestarting", "sil-5.6.3-hull-down"
_BUILT, _DOWN, _CROSSING = "sil-5.6.4-structures", "sil-5.6.6-knockdown", "sil-6.2.6-vehicles-fire"
BURNS = ("woodland", "jungle")
GRASSY = ("clear", "rough")


class HullRow(TableRow, frozen=True):
    """The cost of cover in a terrain; None if there is none. `immersed`: only for units that can submerge."""

    terrain: str
    points: int | None = None
    immersed: bool = False


DROPS = Table(_DROP, Figure)
FIRES = Table(_FIRE, Figure)
HULL_DOWN = Table(_HULL, HullRow)
DENSE = 7
"""The number of buildings from which a hex is dense."""


# --- hull down ----------------------------------------------------------------------------------------------------------------


@rule(_HULL)
def hull_down_cost(
    rules: Ruleset, terrain: str, edge: bool = False, walker: bool = False, can_submerge: bool = False
) -> Derived[int] | None:
    """Movement Points, besides the hex's own, to go hull-down in it: by the terrain, 1 at the edge of higher ground; a walker pays
    one less. None if there is no cover."""
    row = HULL_DOWN(rules).get(terrain)
    pairs = [("at the edge", HULL_DOWN.get(rules, "edge").points)] if edge else []
    if row is not None and (can_submerge or not row.immersed):
        pairs.append((terrain, row.points))
    costs = [(name, points) for name, points in pairs if points is not None]
    if not costs:
        return None
    name, points = min(costs, key=lambda pair: pair[1])
    return total("Movement Points", term(name, points), *([less("walker hits the dirt", 1)] if walker else []), rule=_HULL)


@rule(_HULL)
def hull_down_obscurement(how: Literal["", "hull-down", "fully hull-down"]) -> int:
    """The Obscurement of cover within a hex: 1, or 2 if fully hull-down, where only indirect fire is possible.

    A view of `obscurement`, which adds it.
    """
    return {"": 0, "hull-down": 1, "fully hull-down": 2}[how]


@rule(_HULL)
def may_hide(flying: bool, stall: Number = 0, nap_of_earth: bool = False) -> bool:
    """Whether a unit can go hull-down: all but aircraft, except those that hover or are built to fly low."""
    return not flying or stall == 0 or nap_of_earth


# --- knockdown ----------------------------------------------------------------------------------------------------------------


class Fallen(Struct, frozen=True):
    """Whether a walker fell, whether it broke something, and the test; None if the hit was too weak."""

    fell: bool = False
    harmed: bool = False
    test: Test | None = None


@rule(_DOWN)
def staggers(damage: Number, size: Number) -> bool:
    """Whether a hit may knock a walker down: with twice its Size or more in damage."""
    return damage >= 2 * size


@rule(_DOWN)
def knockdown(rules: Ruleset, piloting: Pool, damage: Number, size: Number, margin: int, name: str = "") -> Play[Fallen]:
    """Test a walker hit hard: Piloting against the margin of the attack plus 1, or it falls; a fumble also takes Light Damage."""
    if not staggers(damage, size):
        return Fallen()
    threshold = total("Threshold", term("Margin of Success", margin), term("knockdown", 1), rule=_DOWN).value
    test = yield from action_test(rules, piloting, threshold, name, "staying upright")
    return Fallen(not succeeds(rules, test, 5222), test.fumble, test)  # 5222: a fumble falls hard


# --- fire ---------------------------------------------------------------------------------------------------------------------


@rule(_FIRE)
def ignitable(rules: Ruleset, terrain: str, grassy: bool = False, oily: bool = False) -> bool:
    """Whether a hex can burn: woodland and jungle, clear and rough ground under grass or scrub, anything under oil."""
    name = terrain_named(rules, terrain).terrain
    return oily or name in BURNS or (grassy and name in GRASSY)


@rule(_FIRE)
def ignition(rules: Ruleset, intensity: int, persistent: bool = False) -> Derived[int]:
    """The fire points that a shot adds to a hex: its Intensity, doubled if persistent. A hundred points ignite it; no attack
    is rolled."""
    more = [times("persistent", FIRES.get(rules, "persistent counts").value)] if persistent else []
    return total("fire points", term("Intensity", intensity), *more, rule=_FIRE)


@rule(_FIRE)
def catches(rules: Ruleset, points: int) -> bool:
    """Whether so many fire points ignite a hex."""
    return points >= FIRES.get(rules, "points to ignite a hex").value


@rule(_FIRE)
def burns_on(rules: Ruleset, intensity: int) -> Derived[int]:
    """The Intensity of a burning hex at the end of the round: 10 if it is new, otherwise one more, up to 20."""
    if not intensity:
        return total("Intensity", term("new fire", FIRES.get(rules, "new fire").value), rule=_FIRE)
    limit = at_most(FIRES.get(rules, "hottest").value)
    return limited("Intensity", term("before", intensity), term("grows", FIRES.get(rules, "grows by").value), limit=limit, rule=_FIRE)


@rule(_FIRE)
def spreads_to(rules: Ruleset, spot: Hex, intensity: int, wind: int) -> tuple[Hex, ...]:
    """The hexes to which a fire at its hottest spreads: the three downwind (ruling); `wind` is the hexside towards
    which it blows."""
    if intensity < FIRES.get(rules, "hottest").value:
        return ()
    return tuple([neighbour(spot, wind + turn) for turn in (-1, 0, 1)])


class Crossed(Struct, frozen=True):
    """The result of crossing fire: the Intensity of the fire on the machine (0: none), and the test."""

    intensity: int
    test: Test


@rule(_FIRE, _CROSSING)
def cross_fire(rules: Ruleset, piloting: Pool, intensity: int, name: str = "") -> Play[Crossed]:
    """Test a move through burning terrain: Piloting against half the Intensity, rounded up. A failure sets the machine on fire with the
    Margin of Failure, or the whole Threshold after a fumble, plus the hex's Intensity (ruling)."""
    threshold = total("Threshold", term("Intensity", intensity), divided("half", 2), rounded_up(), rule=_CROSSING).value
    test = yield from action_test(rules, piloting, threshold, name, "crossing fire")
    if succeeds(rules, test, 5147):
        return Crossed(0, test)
    margin = test.threshold if test.fumble else -test.margin  # 5147: a fumble counts the whole Threshold
    return Crossed(fire_on_machine(margin, intensity).value, test)


@rule(_CROSSING)
def fire_on_machine(margin: int, intensity: int, resistant: bool = False, flammable: bool = False) -> Derived[int]:
    """The Intensity of a fire on a machine: the margin plus the Intensity (or Damage Multiplier) of its cause; half, rounded down, if
    fire resistant, doubled if highly flammable."""
    terms = [term("margin", margin), term("Intensity", intensity)]
    terms += [divided("fire resistant", 2, rule="sil-d-features"), rounded_down()] if resistant else []
    terms += [times("highly flammable", 2, rule="sil-e-negative-features")] if flammable else []
    return total("Intensity", *terms, rule=_CROSSING)


@rule(_CROSSING)
def fire_damage_to_machine(rules: Ruleset, intensity: int, shown: int) -> Derived[Number]:
    """The damage of a round of fire to a machine: its Intensity times the better of two dice. Fires are rated for people, and a machine
    takes a tenth of that (ruling "fire-on-machines")."""
    terms = [term("Intensity", intensity), times("better of two dice", shown)]
    if rules.word("fire-on-machines") == "personal scale":
        terms.append(divided("from the Personal scale", 10, rule="sil-4.3.1-small-vehicles"))
    return total("damage", *terms, rule=_CROSSING)


# --- structures ---------------------------------------------------------------------------------------------------------------


@rule(_BUILT)
def urban(buildings: int) -> str:
    """The terrain of a hex with so many buildings: urban, dense from seven on; empty without any. By id only."""
    if buildings < 0:
        raise UserError(f"the buildings of a hex must be 0 or more, not {buildings}")
    return "dense urban" if buildings >= DENSE else "urban" if buildings else ""


@rule(_BUILT)
def structure_damage(
    rules: Ruleset, margin: int, damage: Number, rof: int = 0, anti_structure: bool = False, disintegrator: bool = False
) -> Derived[Number]:
    """The damage of a hit to a structure: the rate of fire is added to the margin, then times the Damage Multiplier; doubled with
    demolition weapons, five times with a disintegrator."""
    met = total("margin", term("Margin of Success", margin), *([term("rate of fire", rof)] if rof else []))
    terms = [term("margin", met), times("Damage Multiplier", damage)]
    terms += [times("anti-structure", 2, rule="sil-f-system-perks")] if anti_structure else []
    terms += [times("disintegrator", 5, rule="sil-f-system-perks")] if disintegrator else []
    return total("damage points", *terms, rule=_BUILT)


@rule(_BUILT)
def rubble(taken: Number, capacity: Number) -> bool:
    """Whether a structure has collapsed: it has taken more than its capacity."""
    return taken > capacity


class Bridge(Struct, frozen=True):
    """A bridge hex: original and remaining damage points, its Size limit, and its height."""

    capacity: int
    bears: int
    level: int = 1
    left: int | None = None

    @property
    def points(self) -> int:
        """Damage points left."""
        return self.capacity if self.left is None else self.left


class Bridged(Struct, frozen=True):
    """The result of crossing a bridge: damage points left, whether it broke, and whether the next hex broke too."""

    left: int
    collapsed: bool = False
    next_too: bool = False


@rule(_BUILT)
def cross_bridge(rules: Ruleset, bridge: Bridge, size: Number, name: str = "") -> Play[Bridged]:
    """Roll for a machine too large for a bridge: if the die is up to the excess, the bridge loses a tenth of its original points for each
    point of it, repeatedly until the die is higher or it breaks. Six too large break it at once; on 3 or less the next hex breaks too."""
    excess = rounded(size, "up") - bridge.bears
    left = bridge.points
    if excess <= 0:
        return Bridged(left)
    if excess < 6:
        loss = max(1, rounded(bridge.capacity * excess / 10))
        while left > 0:
            die = yield from Roll(DIE, name, "the bridge holding")
            if die > excess:
                return Bridged(left)
            left = max(0, left - loss)
    die = yield from Roll(DIE, name, "the next span holding")
    return Bridged(0, True, die <= 3)


@rule(_BUILT)
def road_bonus(points: Number, way: MoveType, whole_move: bool = True, rail: bool = False) -> Derived[int]:
    """The Movement Points that a road adds for a ground vehicle, or rails for a train, that keeps to it all the way: half the current
    speed, rounded down."""
    fits = way == ("rail" if rail else "ground") and whole_move
    terms = [term("speed", points), divided("half", 2), rounded_down()] if fits else [term("no road all the way", 0)]
    return total("Movement Points", *terms, rule=_BUILT)


# --- airdrops -----------------------------------------------------------------------------------------------------------------


@rule(_DROP)
def drop_refused(rules: Ruleset, level: int, speed: Number, size: Number, extraction: bool = False) -> str:
    """Why nothing can be dropped now: by parachute from levels 2 to 40 at a speed up to 20; by low-level extraction from level 1,
    up to speed 8 and Size 10. Empty if it can."""
    figures = {name: row.value for name, row in DROPS(rules).items()}
    if extraction:
        if level != figures["extraction level"]:
            return f"low-level extraction needs level {figures['extraction level']}, not {level}"
        if speed > figures["fastest extraction"]:
            return f"low-level extraction allows a speed of at most {figures['fastest extraction']}"
        largest = figures["largest extraction"]
        return f"low-level extraction allows a Size of at most {largest}" if size > largest else ""
    if not figures["lowest level"] <= level <= figures["highest level"]:
        return f"parachutes need a level of {figures['lowest level']} to {figures['highest level']}, not {level}"
    return f"parachutes allow a speed of at most {figures['fastest']}" if speed > figures["fastest"] else ""


@rule(_DROP)
def ready_after(rules: Ruleset, size: Number, walker: bool = False) -> Derived[Number]:
    """Rounds until a dropped machine can act: twice its Size, or its Size for a walker."""
    number = DROPS.get(rules, f"rounds for each Size{' of a walker' if walker else ''}").value
    return total("rounds", term("Size", size), times("rounds each", number), rounded_up(), rule=_DROP)


@rule(_DROP)
def winch_lifts(rating: int, level: int, speed: Number, people: int = 0, size: Number = 0) -> bool:
    """Whether an airlift winch takes so many people in a minute, or an object of a Size: hovering at level 0."""
    return level == 0 and speed == 0 and people <= rating and size <= rating
