"""A default vehicle."""

from rulewright.rules import Ruleset
from rulewright.systems.ore.machines.vehicle import Hold, Vehicle


def plain_vehicle(rules: Ruleset) -> Vehicle:
    """A legal, unarmed family car to start from."""
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
