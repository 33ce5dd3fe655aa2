"""What a campaign decides about journeys and pursuits: rulings where the book leaves something open."""

from rulewright.rules import Setting

TRAVEL_RULINGS = (
    Setting(
        "navigation-failure",
        "Lost time in haste",
        "Whether a failed Navigate roll slows hasty travel to half the cruise speed, or counts as a mishap as a failed driving roll does.",
        "fs-travel",
        default="slow",
        values=("slow", "mishap"),
        source="ruling",
        lines="3348, 3363-3369",
    ),
    Setting(
        "mishap-at",
        "Some time into the leg",
        "How many percent of a leg lie behind when a mishap happens.",
        "fs-travel-accident",
        default=50,
        low=0,
        high=100,
        source="ruling",
        lines="3361, 3368-3369",
    ),
    Setting(
        "wrong-way-steps",
        "The wrong way after a quick turn",
        "Steps by which the range grows each turn while pursuers go the wrong way after a quick turn; after a reverse 3 are printed.",
        "fs-pursuit-actions",
        default=3,
        low=0,
        high=7,
        source="ruling",
        lines="3466-3467",
    ),
    Setting(
        "uncontrolled-vehicle",
        "Vehicles out of control",
        "Whether a vehicle whose driver does not steer needs a safety roll, or crashes as by a failed one. With nobody to roll it crashes.",
        "fs-pursuit-actions",
        default="safety roll",
        values=("safety roll", "crash"),
        source="ruling",
        lines="3456",
    ),
)
