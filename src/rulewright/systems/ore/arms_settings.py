"""What a campaign decides about weapons, fire, cover, actions, mooks and Drama Points (chapter 4)."""

from rulewright.rules import Setting
from rulewright.systems.ore.deciding import number, option, ruling, variant, word

WEAPONS = (
    option(
        "melee-penetration",
        "ore-4.09b-opt17-melee-pen",
        "4806-4821",
        "Melee penetration (Combat Option 17)",
        "Close combat weapons have a PEN Rating by their style, and narrow blades can be thrust. It counts where armour can be "
        "penetrated (penetration).",
    ),
    option(
        "weapon-reach",
        "ore-4.09b-opt18-reach",
        "4823-4841",
        "Weapon Reach (Combat Option 18)",
        "The shorter weapon attacks with a die less until its wielder has closed in; then it is the longer one.",
    ),
    option(
        "getting-tired",
        "ore-4.09b-opt19-endurance",
        "4843-4879",
        "Getting tired (Combat Option 19)",
        "Whoever exerts himself makes Exertion Tests, and has fewer dice when they fail.",
    ),
    option(
        "missile-penetration",
        "ore-4.09c-opt20-missile-pen",
        "4952-4954",
        "Power is PEN (Combat Option 20)",
        "Missile weapons have a PEN Rating of their Power less 2. It counts where armour can be penetrated (penetration).",
    ),
    option(
        "waste-ammunition",
        "ore-4.09d-opt21-ammunition",
        "5037-5050",
        "Ammunition (Combat Option 21)",
        "The lowest waste die says how many bullets an attack used, and more by the way of firing.",
    ),
    option(
        "cover-difficulty",
        "ore-4.11-opt22-cover-difficulty",
        "5114-5138",
        "Cover as a Difficulty (Combat Option 22)",
        "Cover is a Difficulty for whoever shoots at those who hunker down behind it, and what it is made of may be armour.",
    ),
    option(
        "ballistic-penetration",
        "ore-4.11b-opt23-ballistic-pen",
        "5181-5185",
        "Ballistic penetration (Combat Option 23)",
        "Firearms have a PEN Rating of half their Power, rounded up. It counts where armour can be penetrated (penetration).",
    ),
    option(
        "powerless",
        "ore-4.11b-opt24-powerless",
        "5205-5219",
        "Powerless (Combat Option 24)",
        "Nobody is too weak for a weapon and nothing kicks; the damage of weapons is fixed.",
        (
            (True, "weapon-reach", True, "the Reach of a weapon is its Power, which nobody counts"),
            (True, "missile-penetration", True, "the PEN of a missile comes from its Power, which nobody counts"),
            (True, "ballistic-penetration", True, "the PEN of a bullet comes from its Power, which nobody counts"),
        ),
    ),
    option(
        "dodge-projectiles",
        "ore-4.10-opt-dodge-projectiles",
        "5056",
        "Dodging projectiles",
        "Arrows, bolts and thrown weapons can be dodged like blows.",
    ),
    option(
        "faster-than-bullets",
        "ore-4.10-opt-faster-than-bullet",
        "5064-5066",
        "Faster than a speeding bullet",
        "Whoever has a Coordination of 6 or more can dodge bullets.",
    ),
)

PEOPLE = (
    ruling(
        "mook-width-limit",
        "ore-4.19-mook-tuning",
        "5447",
        True,
        "Mooks' sets are no wider than their Threat Rating",
        "Whether wider sets of mooks are broken up into smaller ones, as the book advises.",
    ),
    option(
        "simple-mooks",
        "ore-4.19-opt27-simple-mooks",
        "5455-5459",
        "Simplified mooks (Combat Option 27)",
        "A mook fights on unharmed until one attack is as wide or as high as its Threat Rating.",
    ),
    variant(
        "drama-points",
        "ore-4.21-drama-points",
        "5481-5517",
        ("none", "drama points", "drama points and editing"),
        "Drama Points",
        "Whether heroes can spend Drama Points on their rolls, and also buy hints (Inspired) and turns of events (Editing) with them.",
    ),
)

UNCLEAR = (
    number(
        "two-handed-limit",
        "ore-4.09b-wielding-power",
        "4759",
        2,
        1,
        2,
        "How heavy a weapon two hands can wield",
        "Points of Power above Body: the book names two as the limit and then forbids more than one.",
    ),
    number(
        "burst-bullets",
        "ore-4.09d-burst-fire",
        "5000, 5037-5050",
        3,
        1,
        20,
        "Bullets of a burst",
        "How many bullets a burst uses for each point of Spray Rating, where waste dice do not say so; the book prints no number.",
    ),
    word(
        "fighting-back",
        "ore-4.11-opt22-cover-difficulty",
        "5118-5120",
        ("no difficulty", "two less"),
        "Fighting back from cover",
        "What cover is worth to somebody who fights back: the book gives a Difficulty only for hunkering down.",
    ),
)

ARMS: tuple[Setting, ...] = WEAPONS + PEOPLE + UNCLEAR
