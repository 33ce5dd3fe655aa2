"""What a campaign decides about machines: an optional check, and our rulings where the book is unclear."""

from rulewright.systems.silhouette.declaring import option, word

MACHINE_OPTIONS = (
    option(
        "minimum-size",
        "sil-4.2.4-minimum-size",
        "3719-3726",
        "Minimum Size",
        "A machine must be large enough for each of its systems.",
    ),
)

MACHINE_RULINGS = (
    word(
        "link-price",
        "sil-4.1.10-otv",
        "3234-3270",
        ("with arcs", "without arcs"),
        "Price of a link",
        "A tenth of what the linked systems cost by their arcs, or without them.",
    ),
    word(
        "sniper-price",
        "sil-4.1.10-otv",
        "3234-3270",
        ("systems with sights", "all systems"),
        "Price of sniper sights",
        "A tenth of the systems that have them, or of everything the machine carries.",
    ),
    word(
        "lemon-perks",
        "sil-4.1.12-lemon-rolls",
        "3360-3368, 4205",
        ("entries", "points"),
        "Perks that add Lemon dice",
        "Every Perk counts one, each of several alike; or its points are counted.",
    ),
    word(
        "lemon-dice",
        "sil-4.1.12-lemon-rolls",
        "3360-3368",
        ("model", "model and individual"),
        "Where added Lemon dice go",
        "Dice for many Perks and for being problem-prone are rolled for the model, or for every single machine too.",
    ),
)
