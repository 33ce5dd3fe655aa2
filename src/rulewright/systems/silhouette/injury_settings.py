"""What a campaign decides about attacks from afar, damage, wounds and healing."""

from rulewright.rules import Setting
from rulewright.systems.silhouette.declaring import number, option, ruling, word

_CINEMATIC = "the book keeps this for cinematic campaigns"


def cinematic(name: str, rule: str, lines: str, title: str, text: str) -> Setting:
    """An option that the book gives to cinematic campaigns alone."""
    levels = ("gritty", "adventurous")
    return Setting(name, title, text, rule, lines=lines, excludes=tuple([(True, "reality", level, _CINEMATIC) for level in levels]))


CINEMATIC_OPTIONS = (
    cinematic(
        "woo-factor",
        "sil-6.4.1-woo-factor",
        "5972-5980",
        "Endless ammunition",
        "Nobody counts shots: a fumble means an empty or jammed weapon, and bursts take their rate of fire off the dice.",
    ),
    cinematic(
        "special-effects",
        "sil-6.4.4-special-effects",
        "6086-6108",
        "Special Effects",
        "A vivid description is worth dice or free actions.",
    ),
)

INJURY_OPTIONS = (
    option("fatigue", "sil-3.5.8-fatigue", "2585-2610", "Fatigue", "Lost sleep, work, marches, loads and fights wear people down."),
    option(
        "skill-applications",
        "sil-6.4.2-skill-applications",
        "5994-6012",
        "Skill Applications",
        "Dice may be given up for effects: acting blind, fast, burdened or at a disadvantage, deceiving, holding off many.",
    ),
    option(
        "stances", "sil-6.4.2-stances", "6014-6024", "Stances", "Everybody may take a stance for the round: offensive, defensive, focused."
    ),
    option(
        "command-points",
        "sil-6.4.3-tactical-command-points",
        "6026-6082",
        "Command Points",
        "A leader's tactics and orders give others free actions, better defenses and quicker moves.",
    ),
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
    number(
        "point-blank",
        "sil-3.4-ranged-attack",
        "2325, 2333",
        2,
        1,
        10,
        "Point blank",
        "Up to how many metres a target is at point blank range.",
    ),
    word(
        "cover-and-attack",
        "sil-3.4.1-ranged-modifiers",
        "2345-2348",
        ("shots out of it", "shots at it"),
        "Attack figures of cover",
        "Whether the attack modifiers of the fully hidden rows weigh on shots out of that cover or on shots at whoever is in it.",
    ),
    word(
        "ambush-modifiers",
        "sil-3.4-unwary-target",
        "2313-2314",
        ("help who hides", "hinder who hides"),
        "Distance and light in an ambush",
        "Whether the modifiers of range and light are taken off the Stealth test, so that they help, or added to it.",
    ),
    word(
        "walking-fire-gaps",
        "sil-3.4.3-walking-fire",
        "2386",
        ("cost damage", "cost targets only"),
        "Gaps under walking fire",
        "Whether the metres between targets lower the rate of fire for damage as well.",
    ),
    ruling(
        "dud-grenades",
        "sil-3.4.4-grenades",
        "2451",
        True,
        "Duds",
        "A grenade whose timing roll fumbles does not go off.",
    ),
    word(
        "woo-bursts",
        "sil-6.4.1-woo-factor",
        "5980",
        ("no bonus", "usual bonus"),
        "Bursts with endless ammunition",
        "Whether a burst that hits still adds its rate of fire to the margin.",
    ),
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
    ruling(
        "degeneration-knocks-out",
        "sil-3.5.3-degeneration",
        "2489-2491, 2515",
        False,
        "Knocked out by old wounds",
        "A wound that comes of neglect asks for a knockout test like one from a blow.",
    ),
    word(
        "medic-attribute",
        "sil-3.5.4-stabilizing",
        "2529, 2543",
        ("added", "replaced by Health"),
        "The medic's attribute",
        "Whether the medic adds an attribute beside the victim's Health, or the Health stands in its place.",
    ),
    word(
        "resuscitation-attempts",
        "sil-3.5.5-trauma",
        "2541-2543",
        ("every five minutes", "one"),
        "Attempts to resuscitate",
        "A failed attempt may be repeated after five minutes while time is left, or was the only one.",
    ),
    ruling(
        "only-treated-wounds-heal",
        "sil-3.5.6-recovery",
        "2509-2516, 2547-2558",
        True,
        "Untreated wounds do not heal",
        "A wound begins to heal when it has been stabilized.",
    ),
    ruling(
        "acting-tough-anywhere",
        "sil-7.4.4-acting-tough",
        "6957",
        False,
        "Acting tough outside cinematic campaigns",
        "Whether a heroic scene of any campaign lets people ignore wounds for a while.",
    ),
    word(
        "rest-removes",
        "sil-3.5.8-fatigue-recovery",
        "2607",
        ("all but sleep", "all"),
        "What rest removes",
        "Whether half an hour of rest also removes the fatigue of lost sleep.",
    ),
    word(
        "villain-effects",
        "sil-6.4.4-villain-effects",
        "6106-6108",
        ("one a session", "pool"),
        "Special Effects of villains",
        "A main villain has one in a session, or draws on a pool that grows with every effect of the players.",
    ),
)
