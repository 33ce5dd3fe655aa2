"""A plain starting machine."""

from rulewright.rules import Ruleset
from rulewright.systems.silhouette.machines.vehicle import Fitted, Movement, Vehicle


def plain_vehicle(rules: Ruleset) -> Vehicle:
    """A small truck: legal under any rules, unarmed and easy to change."""
    return Vehicle(
        name="New machine",
        concept="a plain truck to begin with",
        size=6,
        armor=8,
        maneuver=-2,
        passengers=2,
        movement=(Movement("ground", 14),),
        deployment=500,
        perks=(Fitted("communications", -1, amount=10), Fitted("cargo bay", variant="enclosed", amount=8)),
        flaws=(Fitted("poor off-road ability"),),
        production="mass production",
    )
