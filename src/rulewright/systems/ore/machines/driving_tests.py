"""What is rolled in and with a vehicle: its own statistics with somebody's skill (book lines 5828-5909)."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, less, term, total
from rulewright.systems.ore.machines.speeds import is_manoeuvrable
from rulewright.systems.ore.machines.tables import ACTION_LIST, ActionName, RangeName, VehicleActionRow
from rulewright.systems.ore.machines.vehicle import Mode, Seat, Vehicle
from rulewright.systems.ore.resolution.tests import Mod

USUAL: dict[Mode, str] = {
    "sea": "sail",
    "land": "drive",
    "air": "pilot",
    "relativistic": "spaceflight",
    "space": "spaceflight",
    "stellar": "spaceflight",
}
"""The skill that drives a vehicle in a mode, where its file names none (ruling)."""


def skill_for(vehicle: Vehicle, mode: Mode | None = None) -> str:
    """The skill that drives a vehicle."""
    if vehicle.skill:
        return vehicle.skill
    first: Mode = next(iter(vehicle.modes), "land")
    return USUAL[mode or first]


@rule("ore-4.22-vehicle-action-list")
def vehicle_action(rules: Ruleset, name: ActionName = "chase") -> VehicleActionRow:
    """One of the sixteen common actions; the list does not end there. By id only."""
    return ACTION_LIST.get(rules, name)


@rule("ore-4.22-position", "ore-4.22-vact-position")
def position_statistic(size: int = 2) -> Literal["speed", "sensors"]:
    """What is rolled for Position: Speed and the Pilot skill in a Manoeuvrable vehicle, Sensors and Computers in a larger one."""
    return "speed" if is_manoeuvrable(size) else "sensors"


Position = tuple[int, int]
"""Width and Height of the set; nothing is (0, 0) (ruling)."""


@rule("ore-4.22-position")
def may_attack(own: tuple[int, int] = (2, 5), other: tuple[int, int] = (3, 4), other_size: int = 2) -> bool:
    """Nobody can attack a Manoeuvrable vehicle that has the better Position: the wider, then the higher set. Large ones can always be
    attacked, by anybody."""
    return not is_manoeuvrable(other_size) or own >= other


@rule("ore-4.22-vact-attack")
def attack_statistic(seat: Seat = "pilot") -> Literal["handling", "insight", "firepower"]:
    """What is rolled with Gunnery to fire: Handling by the pilot, Insight by a co-pilot, Firepower by a gunner. Passengers fire nothing."""
    if seat == "passenger":
        raise UserError("passengers cannot fire the weapons of the vehicle")
    result: dict[Seat, Literal["handling", "insight", "firepower"]] = {"pilot": "handling", "co-pilot": "insight", "gunner": "firepower"}
    return result[seat]


@rule("ore-4.22-vact-brake")
def braking_dice(handling: int = 2, speed: int = 3) -> Mod:
    """What Speed above Handling takes from the roll to Brake: a die for each point."""
    return Mod("Speed above Handling", -max(0, speed - handling), "ore-4.22-vact-brake")


@rule("ore-4.22-vact-erratic")
def erratic_difficulty(chosen: int = 2, skill: int = 3) -> int:
    """A pilot may take a Difficulty from 1 up to the Pilot skill; it counts for all of his actions, and for all who aim at him."""
    if not 1 <= chosen <= skill:
        raise UserError(f"erratic manoeuvres have a Difficulty from 1 to {skill}, the pilot's skill, not {chosen}")
    return chosen


@rule("ore-4.22-vact-evasive")
def evasion_dice(ecm: int = 2, eccm: int = 1) -> Derived[int]:
    """What ECM adds to Evasive Manoeuvres, which counter a Lock-On: its dice, less the ECCM of whoever locks on."""
    return total("ECM dice", term("ECM", ecm), less("ECCM", eccm), at_least(0), rule="ore-4.22-vact-evasive")


@rule("ore-4.22-vact-hover")
def no_better_than_the_hover(width: int = 3, height: int = 9, hover_width: int = 2, hover_height: int = 6) -> tuple[int, int]:
    """What is done from a hovering vehicle is never wider or higher than the set it hovers by: what is more is ignored."""
    return min(width, hover_width), min(height, hover_height)


@rule("ore-4.22-vact-jink", "ore-4.22-vact-swerve")
def evades_by(mode: Mode = "air") -> Literal["jink", "swerve"]:
    """How a vehicle counters an attack: it Jinks in the air and in space, and Swerves on land and at sea."""
    return "swerve" if mode in ("land", "sea") else "jink"


@rule("ore-4.22-vact-land", "ore-4.22-vact-take-off")
def must_be_rolled(adverse: bool = True) -> bool:
    """Landing and taking off need a roll in adverse conditions only."""
    return adverse


@rule("ore-4.22-vact-lock-on")
def lock_on_dice(at: RangeName = "BVR") -> Mod:
    """A Lock-On beyond Visual Range has a die less; its roll is that of the attack (ruling)."""
    return Mod("beyond Visual Range", -int(at != "VR"), "ore-4.22-vact-lock-on")


@rule("ore-4.22-vact-bail-out")
def ejection(ejects: bool = True) -> tuple[int, int] | None:
    """An ejection seat is a set of 2x10 by itself; by hand it takes Coordination and Athletics."""
    return (2, 10) if ejects else None


@rule("ore-4.22-g-force")
def g_force(rules: Ruleset, speed: int = 4, body: int = 2, size: int = 1, mode: Mode = "air") -> Derived[int]:
    """Dice that a manoeuvre costs somebody aboard: the G-force is the Speed, in the air and in space below light, in a Manoeuvrable
    vehicle; each point above Body is a die."""
    if not is_manoeuvrable(size) or mode not in ("air", "relativistic"):
        return total("Dice lost", term("no G-forces", 0), rule="ore-4.22-g-force")
    return total("Dice lost", term("Speed", speed), less("Body", body), at_least(0), rule="ore-4.22-g-force")


@rule("ore-4.22-g-force")
def blacks_out(excess: int = 3) -> bool:
    """More than two points above Body are a Red-Out or Black-Out: no action in the next round."""
    return excess > 2


@rule("ore-4.22-ships-of-the-line")
def hull_dice(turned: int = 1) -> Mod:
    """What turning the hull costs a ship's own gunners: a die for each point of Height that it takes from enemies."""
    return Mod("turned hull", -turned, "ore-4.22-ships-of-the-line")


@rule("ore-4.22-ships-of-the-line")
def hull_height(turned: int = 1, by_ship_of_the_line: bool = True) -> int:
    """Points of Height that a turned hull takes from the attacks of other ships of the line; it is no help against anything smaller."""
    return turned if by_ship_of_the_line else 0


@rule("ore-4.22-ships-of-the-line")
def split_firepower(firepower: int = 6, gunners: int = 4, shares: tuple[int, ...] = (3, 3)) -> tuple[int, ...]:
    """Firepower is divided among targets as the ship likes, one target for each gunner."""
    if len(shares) > gunners or any(share < 1 for share in shares):
        raise UserError(f"{count(gunners, 'gunner')} can fire at up to {count(gunners, 'target')}, each with at least 1 Firepower")
    if sum(shares) > firepower:
        raise UserError(f"a Firepower of {firepower} cannot be divided into {', '.join(map(str, shares))}")
    return shares
