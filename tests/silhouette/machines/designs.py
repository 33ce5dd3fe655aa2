"""Machines for tests: the book's own (lines 4117-4207), and a small one that each test changes."""

from rulewright.systems.silhouette.machines.vehicle import LOCATIONS, Device, Fitted, Movement, Vehicle
from rulewright.systems.silhouette.settings import BOOK

RULES = BOOK.ruleset()

HUNTER = Vehicle(
    name="Hunter",
    size=6,
    mass=6500,
    armor=15,
    movement=(Movement("walker", 7), Movement("ground", 14)),
    deployment=500,
    production="mass production",
    perks=(
        Fitted("manipulator arm", 6, count=2, punch=6),
        Fitted("communications", 0, amount=10),
        Fitted("sensors", 0, variant="standard", amount=2),
        Fitted("hostile environment: desert"),
        *(Fitted("easy to modify", on=part) for part in LOCATIONS),
    ),
    systems=(
        Device("assault rifle", damage=8, range=2, rate=2, uses=60, mount="hand-held"),
        Device("rocket pack", accuracy=-1, damage=12, range=1, rate=3, uses=24, mount="hardpoint", perks=("indirect fire",)),
        Device(
            "hand grenade", accuracy=-1, damage=15, uses=1, quantity=3, mount="hand-held", perks=("area effect 0",), ranges=(0, 1, 2, 3)
        ),
        Device(
            "grenade launcher",
            accuracy=-1,
            damage=3,
            range=1,
            uses=6,
            arc="fixed forward",
            mount="hardpoint",
            perks=("anti-infantry", "area effect 0", "indirect fire"),
        ),
        Device("vibroblade", damage=8, melee=True, mount="hand-held"),
    ),
)
"""As the book reckons it: with the Top Ground Speed and the grenade's second Perk that its sums need."""

PLAIN = Vehicle(name="Plain", size=6, armor=10, movement=(Movement("ground", 10),), deployment=500)
