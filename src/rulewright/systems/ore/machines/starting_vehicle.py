"""A plain vehicle to begin with."""

from rulewright.rules import Ruleset
from rulewright.systems.ore.machines.vehicle import Hold, Vehicle


def plain_vehicle(rules: Ruleset) -> Vehicle:
    """A family car: legal under any rules, unarmed, and easy to make something else of."""
    return Vehicle(
        name="New vehicle",
        concept="an ordinary car",
        handling=2,
        size=1,
        speeds={"land": 3},
        length=4.5,
        cargo=Hold(0.5, 0.4),
        passengers=4,
        skill="drive: cars",
    )
