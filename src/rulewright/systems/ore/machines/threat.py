"""Unnamed fighters as mooks, and ships of the line (book lines 5911-5963)."""

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.ore.machines.speeds import is_manoeuvrable
from rulewright.systems.ore.machines.tables import FIGHTERS, FIREPOWER
from rulewright.systems.ore.machines.vehicle import Guns, Vehicle

POWERFUL, VERY_POWERFUL = 2, 4
"""The PEN of powerful and very powerful guns by default (ruling: the book leaves it to the Game Master)."""


@rule("ore-4.22-fighters")
def fighter_threat(rules: Ruleset, speed: int = 3, guns: Guns = "powerful", armour: int = 3) -> Derived[int]:
    """The Threat Rating of a fighter: 1 plus Speed, guns and armour; at most 8."""
    ratings = {"speed": speed, "guns": ("", "powerful", "very powerful").index(guns), "armour": armour}
    rule_id = "ore-4.22-fighters"
    fighter_rows = [row for row in FIGHTERS(rules).values() if row.least <= ratings[row.of] <= row.most]
    more = [Reason(row.modifier, row.threat, "+", rule_id, row.source) for row in fighter_rows]
    return total("Threat Rating", term("any fighter", 1), *more, rule=rule_id)


def guns_of(vehicle: Vehicle) -> Guns:
    """The power of its guns: from the file, else by the best PEN."""
    if vehicle.guns:
        return vehicle.guns
    best = max([gun.pen for gun in vehicle.weapons], default=0)
    return "very powerful" if best >= VERY_POWERFUL else "powerful" if best >= POWERFUL else ""


def threat_of(rules: Ruleset, vehicle: Vehicle, speed: int) -> Derived[int]:
    """The Threat Rating of a vehicle without a named pilot."""
    return fighter_threat(rules, speed, guns_of(vehicle), vehicle.armour)


@rule("ore-4.22-ships-of-the-line")
def is_ship_of_the_line(size: int = 4, gunners: int = 4) -> bool:
    """Whether a vessel is a ship of the line: not Manoeuvrable, with gunners of its own targets (ruling)."""
    return not is_manoeuvrable(size) and gunners > 0


@rule("ore-4.22-ships-of-the-line")
def ships_like(rules: Ruleset, firepower: int = 10) -> str:
    """A ship of this Firepower, or the nearest below."""
    reached = {least: ship for least, ship in FIREPOWER.numbered(rules).items() if least <= firepower}
    return reached[max(reached)] if reached else ""
