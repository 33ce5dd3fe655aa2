"""Rolls in vehicles: their statistics with skills (book lines 5828-5909)."""

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
"""The default driving skill by mode (ruling)."""


def skill_for(vehicle: Vehicle, mode: Mode | None = None) -> str:
    """The driving skill of a vehicle."""
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
    """The pool for Position: Speed and Pilot in a Manoeuvrable vehicle, Sensors and Computers in a larger one."""
    return "speed" if is_manoeuvrable(size) else "sensors"


Position = tuple[int, int]
"""Width and Height of the set; none is (0, 0) (ruling)."""


@rule("ore-4.22-position")
def may_attack(own: tuple[int, int] = (2, 5), other: tuple[int, int] = (3, 4), other_size: int = 2) -> bool:
    """A Manoeuvrable vehicle with the better Position (wider, then higher) cannot be attacked. Larger ones always can."""
    return not is_manoeuvrable(other_size) or own >= other


@rule("ore-4.22-vact-attack")
def attack_statistic(seat: Seat = "pilot") -> Literal["handling", "insight", "firepower"]:
    """The statistic with Gunnery: Handling for the pilot, Insight for a co-pilot, Firepower for a gunner. Passengers cannot fire."""
    if seat == "passenger":
        raise UserError("passengers cannot fire the weapons of the vehicle")
    result: dict[Seat, Literal["handling", "insight", "firepower"]] = {"pilot": "handling", "co-pilot": "insight", "gunner": "firepower"}
    return result[seat]


@rule("ore-4.22-vact-brake")
def braking_dice(handling: int = 2, speed: int = 3) -> Mod:
    """The penalty to Brake: a die per point of Speed above Handling."""
    return Mod("Speed above Handling", -max(0, speed - handling), "ore-4.22-vact-brake")


@rule("ore-4.22-vact-erratic")
def erratic_difficulty(chosen: int = 2, skill: int = 3) -> int:
    """A Difficulty from 1 to the Pilot skill; it applies to the pilot's actions and to everyone who aims at the vehicle."""
    if not 1 <= chosen <= skill:
        raise UserError(f"erratic manoeuvres have a Difficulty from 1 to {skill}, the pilot's skill, not {chosen}")
    return chosen


@rule("ore-4.22-vact-evasive")
def evasion_dice(ecm: int = 2, eccm: int = 1) -> Derived[int]:
    """ECM dice for Evasive Manoeuvres, minus the attacker's ECCM."""
    return total("ECM dice", term("ECM", ecm), less("ECCM", eccm), at_least(0), rule="ore-4.22-vact-evasive")


@rule("ore-4.22-vact-hover")
def no_better_than_the_hover(width: int = 3, height: int = 9, hover_width: int = 2, hover_height: int = 6) -> tuple[int, int]:
    """Limits a set from a hovering vehicle to the Width and Height of the hover."""
    return min(width, hover_width), min(height, hover_height)


@rule("ore-4.22-vact-jink", "ore-4.22-vact-swerve")
def evades_by(mode: Mode = "air") -> Literal["jink", "swerve"]:
    """The evasion of a vehicle: Jink in air and space, Swerve on land and sea."""
    return "swerve" if mode in ("land", "sea") else "jink"


@rule("ore-4.22-vact-land", "ore-4.22-vact-take-off")
def must_be_rolled(adverse: bool = True) -> bool:
    """Landing and take-off need a roll only in adverse conditions."""
    return adverse


@rule("ore-4.22-vact-lock-on")
def lock_on_dice(at: RangeName = "BVR") -> Mod:
    """A Lock-On beyond Visual Range has -1d; its roll is the attack roll (ruling)."""
    return Mod("beyond Visual Range", -int(at != "VR"), "ore-4.22-vact-lock-on")


@rule("ore-4.22-vact-bail-out")
def ejection(ejects: bool = True) -> tuple[int, int] | None:
    """An ejection seat has an automatic 2x10; otherwise Coordination and Athletics."""
    return (2, 10) if ejects else None


@rule("ore-4.22-g-force")
def g_force(rules: Ruleset, speed: int = 4, body: int = 2, size: int = 1, mode: Mode = "air") -> Derived[int]:
    """Dice lost to a manoeuvre: Speed above Body, in air and sublight space, in a Manoeuvrable vehicle."""
    if not is_manoeuvrable(size) or mode not in ("air", "relativistic"):
        return total("Dice lost", term("no G-forces", 0), rule="ore-4.22-g-force")
    return total("Dice lost", term("Speed", speed), less("Body", body), at_least(0), rule="ore-4.22-g-force")


@rule("ore-4.22-g-force")
def blacks_out(excess: int = 3) -> bool:
    """More than two points above Body cause a Black-Out: no action next round."""
    return excess > 2


@rule("ore-4.22-ships-of-the-line")
def hull_dice(turned: int = 1) -> Mod:
    """The penalty of a turned hull for its gunners: a die per point of Height."""
    return Mod("turned hull", -turned, "ore-4.22-ships-of-the-line")


@rule("ore-4.22-ships-of-the-line")
def hull_height(turned: int = 1, by_ship_of_the_line: bool = True) -> int:
    """Height that a turned hull takes from attacks of other ships of the line, not from smaller vehicles."""
    return turned if by_ship_of_the_line else 0


@rule("ore-4.22-ships-of-the-line")
def split_firepower(firepower: int = 6, gunners: int = 4, shares: tuple[int, ...] = (3, 3)) -> tuple[int, ...]:
    """Splits Firepower among targets, one per gunner."""
    if len(shares) > gunners or any(share < 1 for share in shares):
        raise UserError(f"{count(gunners, 'gunner')} can fire at up to {count(gunners, 'target')}, each with at least 1 Firepower")
    if sum(shares) > firepower:
        raise UserError(f"a Firepower of {firepower} cannot be divided into {', '.join(map(str, shares))}")
    return shares
