"""What a campaign decides about attacks from afar, damage, wounds and healing."""

from rulewright.rules import Setting
from rulewright.systems.silhouette.declaring import number, option, ruling, word

INJURY_OPTIONS = (
    option(
        "blunt-and-stabbing",
        "sil-3.5.1-blunt-stabbing",
        "2471-2476",
        "Blunt and stabbing damage",
        "Armor is worth 5 more against the Flesh Wounds of blunt blows, and 5 less against those of stabs.",
    ),
    option(
        "hit-locations",
        "sil-3.5.7-hit-location",
        "2575-2584",
        "Hit locations",
        "Wounds put arms, legs, hands and feet out of use, and a Deep Wound to the head asks for its own test.",
    ),
    option(
        "armor-wears-away",
        "sil-6.4.1-rdf-armor-loss",
        "5958-5966",
        "Armor wears away",
        "Every wound takes points off the armor that was hit, by reality level.",
    ),
    Setting(
        "instant-death",
        "What Instant Death does",
        "It kills; or player characters and main villains go into trauma instead; or they may first pay Emergency Dice to escape it.",
        "sil-3.5.6-instant-death-alternative",
        default="kills",
        values=("kills", "trauma", "emergency dice or trauma"),
        lines="2561-2564",
    ),
)

INJURY_RULINGS = (
    ruling(
        "blunt-needs-armor",
        "sil-3.5.1-blunt-stabbing",
        "2471-2473",
        True,
        "Blunt blows on bare skin",
        "The 5 points against blunt blows count only where some armor is worn.",
    ),
    number(
        "bruise-boxes-per-penalty",
        "sil-3.5.2-bruise",
        "2497-2507, 2681",
        2,
        1,
        6,
        "Bruise boxes for a penalty of 1",
        "How many boxes of bruises cost one point on actions.",
    ),
    word(
        "bruises-full",
        "sil-3.5.2-bruise",
        "2507",
        ("filled", "surpassed"),
        "When bruises become wounds",
        "Blows do real damage once bruises have filled System Shock, or only once they have surpassed it.",
    ),
    ruling(
        "bruise-knockout",
        "sil-3.5.2-bruise",
        "2507",
        True,
        "Knocked out by bruises",
        "The bruise that fills System Shock asks for a knockout test itself; otherwise only the real wounds after it do.",
    ),
)
