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
from rulewright.systems.silhouette.resolution.tests import DIE, Figure, Pool, Test, action_test, passes

_DROP, _FIRE, _HULL = "sil-5.6.1-airdrop", "sil-5.6.2-firestarting", "sil-5.6.3-hull-down"
_BUILT, _DOWN, _CROSSING = "sil-5.6.4-structures", "sil-5.6.6-knockdown", "sil-6.2.6-vehicles-fire"
BURNS = ("woodland", "jungle")
GRASSY = ("clear", "rough")


class HullRow(TableRow, frozen=True):
    """What it costs to find cover on a terrain; nothing where there is none. `immersed`: only for what can go under."""

    terrain: str
    points: int | None = None
    immersed: bool = False


DROPS = Table(_DROP, Figure)
FIRES = Table(_FIRE, Figure)
HULL_DOWN = Table(_HULL, HullRow)
DENSE = 7
"""From so many buildings on a hex is dense."""


# --- hull down ----------------------------------------------------------------------------------------------------------------


@rule(_HULL)
def hull_down_cost(
    rules: Ruleset, terrain: str, edge: bool = False, walker: bool = False, can_submerge: bool = False
) -> Derived[int] | None:
    """Movement Points beyond the hex's own to find cover in it: by the terrain, 1 at the edge of higher ground; a walker throws itself
    down for one less. None where there is nothing to hide behind."""
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
    """What cover within a hex adds to Obscurement: 1, or 2 where the machine is so deep in it that only indirect fire gets out."""
    return {"": 0, "hull-down": 1, "fully hull-down": 2}[how]


@rule(_HULL)
def may_hide(flying: bool, stall: Number = 0, nap_of_earth: bool = False) -> bool:
    """Who can go hull-down: everybody but aircraft; of these what can stand in the air or is built to fly low."""
    return not flying or stall == 0 or nap_of_earth


# --- falling over -------------------------------------------------------------------------------------------------------------


class Fallen(Struct, frozen=True):
    """Whether a walker fell, whether it broke something, and the test; no test where the hit was too weak."""

    fell: bool = False
    harmed: bool = False
    test: Test | None = None


@rule(_DOWN)
def staggers(damage: Number, size: Number) -> bool:
    """Whether a hit may knock a walker down: for twice its Size or more."""
    return damage >= 2 * size


@rule(_DOWN)
def knockdown(rules: Ruleset, piloting: Pool, damage: Number, size: Number, margin: int, name: str = "") -> Play[Fallen]:
    """A walker hit hard tests Piloting against the margin of the attack and 1: failed it falls, fumbled it also takes Light Damage."""
    if not staggers(damage, size):
        return Fallen()
    threshold = total("Threshold", term("Margin of Success", margin), term("knockdown", 1), rule=_DOWN).value
    test = yield from action_test(rules, piloting, threshold, name, "staying on its feet")
    return Fallen(test.fumble or not passes(rules, test.total, test.threshold), test.fumble, test)


# --- fire ---------------------------------------------------------------------------------------------------------------------


@rule(_FIRE)
def ignitable(rules: Ruleset, terrain: str, grassy: bool = False, oily: bool = False) -> bool:
    """Whether a hex can burn: woodland and jungle, clear and rough ground under grass or scrub, anything under oil."""
    name = terrain_named(rules, terrain).terrain
    return oily or name in BURNS or (grassy and name in GRASSY)


@rule(_FIRE)
def ignition(rules: Ruleset, intensity: int, persistent: bool = False) -> Derived[int]:
    """What a shot adds towards setting a hex alight: its Intensity, twice that of what sticks. A hundred points are enough; no attack
    is rolled."""
    more = [times("persistent", FIRES.get(rules, "persistent counts").value)] if persistent else []
    return total("points of fire", term("Intensity", intensity), *more, rule=_FIRE)


@rule(_FIRE)
def catches(rules: Ruleset, points: int) -> bool:
    """Whether a hex is alight with so many points of fire in it."""
    return points >= FIRES.get(rules, "points to ignite a hex").value


@rule(_FIRE)
def burns_on(rules: Ruleset, intensity: int) -> Derived[int]:
    """How hot a burning hex is at the end of the round: 10 where it has just caught, else one more, up to 20."""
    if not intensity:
        return total("Intensity", term("new fire", FIRES.get(rules, "new fire").value), rule=_FIRE)
    limit = at_most(FIRES.get(rules, "hottest").value)
    return limited("Intensity", term("before", intensity), term("grows", FIRES.get(rules, "grows by").value), limit=limit, rule=_FIRE)


@rule(_FIRE)
def spreads_to(rules: Ruleset, spot: Hex, intensity: int, wind: int) -> tuple[Hex, ...]:
    """The hexes that catch from one that is at its hottest: those three that lie downwind (ruling), `wind` being the hexside towards
    which it blows."""
    if intensity < FIRES.get(rules, "hottest").value:
        return ()
    return tuple([neighbour(spot, wind + turn) for turn in (-1, 0, 1)])


class Crossed(Struct, frozen=True):
    """What came of driving through fire: the Intensity of what burns on the machine now (0: nothing), and the test."""

    intensity: int
    test: Test


@rule(_FIRE, _CROSSING)
def cross_fire(rules: Ruleset, piloting: Pool, intensity: int, name: str = "") -> Play[Crossed]:
    """Through burning ground: Piloting against half the Intensity, rounded up. A failure is a fire on the machine of the Margin of
    Failure, of the whole Threshold after a fumble, and of the hex's Intensity (ruling)."""
    threshold = total("Threshold", term("Intensity", intensity), divided("half", 2), rounded_up(), rule=_CROSSING).value
    test = yield from action_test(rules, piloting, threshold, name, "crossing fire")
    if not test.fumble and passes(rules, test.total, test.threshold):
        return Crossed(0, test)
    margin = test.threshold if test.fumble else -test.margin
    return Crossed(fire_on_machine(margin, intensity).value, test)


@rule(_CROSSING)
def fire_on_machine(margin: int, intensity: int, resistant: bool = False, flammable: bool = False) -> Derived[int]:
    """How hot it burns on a machine: the margin and the Intensity (or Damage Multiplier) of what set it alight; half, rounded down, on
    one that resists fire, twice that on one that burns easily."""
    terms = [term("margin", margin), term("Intensity", intensity)]
    terms += [divided("fire resistant", 2, rule="sil-d-features"), rounded_down()] if resistant else []
    terms += [times("highly flammable", 2, rule="sil-e-negative-features")] if flammable else []
    return total("Intensity", *terms, rule=_CROSSING)


@rule(_CROSSING)
def fire_damage_to_machine(rules: Ruleset, intensity: int, shown: int) -> Derived[Number]:
    """What a round of fire does to a machine: its Intensity times the better of two dice. Fires are rated for people, and a machine
    takes a tenth of that (ruling "fire-on-machines")."""
    terms = [term("Intensity", intensity), times("better of two dice", shown)]
    if rules.word("fire-on-machines") == "personal scale":
        terms.append(divided("from the Personal scale", 10, rule="sil-4.3.1-small-vehicles"))
    return total("damage", *terms, rule=_CROSSING)


# --- structures ---------------------------------------------------------------------------------------------------------------


@rule(_BUILT)
def urban(buildings: int) -> str:
    """What so many buildings make of a hex: urban terrain, dense from seven on; nothing where there are none."""
    if buildings < 0:
        raise UserError(f"a hex has 0 buildings or more, not {buildings}")
    return "dense urban" if buildings >= DENSE else "urban" if buildings else ""


@rule(_BUILT)
def structure_damage(
    rules: Ruleset, margin: int, damage: Number, rof: int = 0, anti_structure: bool = False, disintegrator: bool = False
) -> Derived[Number]:
    """What a hit does to a structure: the rate of fire is added to the margin, then times the Damage Multiplier; twice that with what is
    made for it, five times with a disintegrator."""
    met = total("margin", term("Margin of Success", margin), *([term("rate of fire", rof)] if rof else []))
    terms = [term("margin", met), times("Damage Multiplier", damage)]
    terms += [times("anti-structure", 2, rule="sil-f-system-perks")] if anti_structure else []
    terms += [times("disintegrator", 5, rule="sil-f-system-perks")] if disintegrator else []
    return total("damage points", *terms, rule=_BUILT)


@rule(_BUILT)
def rubble(taken: Number, capacity: Number) -> bool:
    """Whether a structure is nothing but rubble: it has taken more than it bears."""
    return taken > capacity


class Bridge(Struct, frozen=True):
    """A bridge hex: damage points as built and left, what Size it bears, how high it is."""

    capacity: int
    bears: int
    level: int = 1
    left: int | None = None

    @property
    def points(self) -> int:
        """Damage points left."""
        return self.capacity if self.left is None else self.left


class Bridged(Struct, frozen=True):
    """What came of driving over a bridge: damage points left, whether it broke, and whether the next hex went with it."""

    left: int
    collapsed: bool = False
    next_too: bool = False


@rule(_BUILT)
def cross_bridge(rules: Ruleset, bridge: Bridge, size: Number, name: str = "") -> Play[Bridged]:
    """A machine too large for a bridge rolls a die: up to the excess the bridge loses a tenth of its points as built for each point of
    it, again and again until the die is higher or the bridge breaks. Six too large break it at once; on 3 or less the next hex goes too."""
    excess = rounded(size, "up") - bridge.bears
    left = bridge.points
    if excess <= 0:
        return Bridged(left)
    if excess < 6:
        loss = max(1, rounded(bridge.capacity * excess / 10))
        while left > 0:
            die = yield from Roll(DIE, name, "whether the bridge holds")
            if die > excess:
                return Bridged(left)
            left = max(0, left - loss)
    die = yield from Roll(DIE, name, "whether the next span goes too")
    return Bridged(0, True, die <= 3)


@rule(_BUILT)
def road_bonus(points: Number, way: MoveType, whole_move: bool = True, rail: bool = False) -> Derived[int]:
    """Movement Points that a road is worth to a ground vehicle, a rail to a rail vehicle, that keeps to it all the way: half the current
    speed, rounded down."""
    fits = way == ("rail" if rail else "ground") and whole_move
    terms = [term("speed", points), divided("half", 2), rounded_down()] if fits else [term("no road for all of it", 0)]
    return total("Movement Points", *terms, rule=_BUILT)


# --- from the air -------------------------------------------------------------------------------------------------------------


@rule(_DROP)
def drop_refused(rules: Ruleset, level: int, speed: Number, size: Number, extraction: bool = False) -> str:
    """Why nothing can be dropped now: by parachute from levels 2 to 40 at no more than 20; from level 1 pulled out low over the ground,
    at no more than 8 and a Size of 10. Nothing where it can."""
    figures = {name: row.value for name, row in DROPS(rules).items()}
    if extraction:
        if level != figures["extraction level"]:
            return f"it is pulled out low at level {figures['extraction level']}, not at {level}"
        if speed > figures["fastest extraction"]:
            return f"no faster than {figures['fastest extraction']} is anything pulled out"
        return f"nothing larger than {figures['largest extraction']} is pulled out" if size > figures["largest extraction"] else ""
    if not figures["lowest level"] <= level <= figures["highest level"]:
        return f"parachutes open from level {figures['lowest level']} to {figures['highest level']}, not at {level}"
    return f"no faster than {figures['fastest']} does anything jump" if speed > figures["fastest"] else ""


@rule(_DROP)
def ready_after(rules: Ruleset, size: Number, walker: bool = False) -> Derived[Number]:
    """Rounds until a machine that was dropped can fight: twice its Size, its Size once for a walker."""
    number = DROPS.get(rules, f"rounds for each Size{' of a walker' if walker else ''}").value
    return total("rounds", term("Size", size), times("rounds each", number), rounded_up(), rule=_DROP)


@rule(_DROP)
def winch_lifts(rating: int, level: int, speed: Number, people: int = 0, size: Number = 0) -> bool:
    """Whether an airlift winch takes so many people in a minute, or something of a Size: hovering still at level 0."""
    return level == 0 and speed == 0 and people <= rating and size <= rating
