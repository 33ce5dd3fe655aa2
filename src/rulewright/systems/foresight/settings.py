"""What a ForeSight campaign decides: the book's optional rules, and our rulings where the book is unclear or silent.

Four optional rules that the book itself recommends are in play unless a campaign says no; the preset "bare" leaves them out.
"""

from rulewright.rules import Book, Setting
from rulewright.systems.foresight.travel_settings import TRAVEL_RULINGS


def _option(name: str, rule: str, lines: str, default: bool, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, lines=lines)


def _variant(name: str, rule: str, lines: str, values: tuple[str, ...], title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=values[0], values=values, lines=lines)


def _ruling(name: str, rule: str, lines: str, default: bool, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, source="ruling", lines=lines)


def _number(name: str, rule: str, lines: str, default: int, low: int, high: int, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, low=low, high=high, source="ruling", lines=lines)


def _word(name: str, rule: str, lines: str, values: tuple[str, ...], title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=values[0], values=values, source="ruling", lines=lines)


OPTIONS = (
    _option(
        "continuous-values",
        "fs-continuous-values",
        "270",
        False,
        "Continuous values",
        "Scores and success chances keep their fractions. Wound levels stay whole.",
    ),
    _option(
        "free-packages",
        "fs-free-packages",
        "689-712",
        True,
        "Free packages",
        "Everybody has the package of skills, fields and familiarities of the setting.",
    ),
    _option(
        "custom-background-factors",
        "fs-custom-background-factor",
        "655-661",
        False,
        "Custom background factors",
        "Players may write background factors of 80 points.",
    ),
    _option(
        "specialize-from-basic",
        "fs-fields-specialize-from-basic",
        "903",
        False,
        "Specializing on basic knowledge",
        "A specialization may be learnt on basic knowledge for a fifth more.",
    ),
    _option(
        "early-fields",
        "fs-fields-early-tl",
        "909",
        False,
        "Fields ahead of their time",
        "Basic fields one technology level early at double cost, specializations one level late.",
    ),
    _option(
        "downtime",
        "fs-downtime",
        "1095-1103",
        False,
        "Training in down-time",
        "Five character points for every three months of study and practice.",
    ),
    _option("player-input", "fs-player-input", "1433-1466", True, "Player input", "How an attempt is described is worth a modifier."),
    _option(
        "persuasion",
        "fs-persuasion",
        "2438-2442, 2465-2521",
        False,
        "Persuasion by the dice",
        "A request builds on a case, and the situation weighs on it; printed as guidelines, without them it is one plain roll.",
    ),
    _option(
        "wound-accumulation",
        "fs-wound-accumulation",
        "2612-2626",
        True,
        "Wound accumulation",
        "A wound to a limb adds less than one to the body.",
    ),
    _option(
        "vital-hits",
        "fs-vital-hit-extra",
        "2712",
        False,
        "Vital hits",
        "A wound to head, chest or abdomen is a level worse on 1 or 2 of a d10.",
    ),
    _option("major-injury", "fs-major-injury", "2897-2912", False, "Effects of major injury", "Grave wounds cost attributes."),
    _option(
        "faster-crashes",
        "fs-safety-speed-dc",
        "3482",
        False,
        "Faster crashes hurt more",
        "2 less the speed bid is added to the damage class of a crash.",
    ),
    _option("crude-plasma", "fs-restore-blood", "2835", False, "Crude plasma", "Crude substitutes for plasma work half of the time."),
    _variant(
        "damage-scale",
        "fs-damage-scale",
        "2722-2726",
        ("formula", "table"),
        "Damage scale",
        "Damage scale enters the formula, or divides the damage class before the table is read.",
    ),
)

RULINGS = (
    _number(
        "attribute-ease-factor",
        "fs-attributes-as-skills",
        "231, 1342, 3304, 3314",
        7,
        1,
        15,
        "Base ease factor of attributes",
        "Never printed. One story needs 7, another 5.",
    ),
    _word(
        "zero-base",
        "fs-ease-factor-ladder",
        "798, 248-258",
        ("rung 0", "none"),
        "Base ease factor 0",
        "Whether a base ease factor of 0 stands on the lowest rung and can be modified, or cannot be used at all.",
    ),
    _word(
        "comparing-ties",
        "fs-opposed-compare",
        "1487",
        ("undecided", "score"),
        "Ties between ratings",
        "Whether a tie stays open, or the higher score always wins it.",
    ),
    _word(
        "ltf-stacking",
        "fs-ltf",
        "1316, 2069",
        ("stack", "one"),
        "Overlapping long-term familiarities",
        "Whether all that fit count, or one.",
    ),
    _ruling(
        "background-attributes-capped",
        "fs-attribute-points",
        "603",
        True,
        "Background attributes capped",
        "Inherent points of every background factor stay inside the species' range.",
    ),
    _number(
        "sing-doubles-above",
        "fs-spending-cps",
        "737-741, 816",
        10,
        5,
        22,
        "Sing doubles above",
        "The level past which Sing costs double: it has no limit to multiply.",
    ),
    _number(
        "colony-package-points",
        "fs-free-packages",
        "708",
        8,
        7,
        8,
        "Colony package",
        "Environment points of the colony package: 8 are printed and 7 listed.",
    ),
    _number(
        "unspent-points",
        "fs-spending-experience",
        "1085",
        10,
        0,
        1000,
        "Unspent points kept",
        "How many character points may stay unspent between adventures.",
    ),
    _ruling(
        "fractional-damage-class",
        "fs-ucdc",
        "491-501",
        True,
        "Fractional damage classes",
        "A fraction of an unarmed damage class goes into the damage formula unrounded.",
    ),
    _number(
        "reserve-rest-minutes",
        "fs-stamina-pool",
        "374, 2544",
        30,
        30,
        60,
        "Rest to the reserve",
        "Minutes of rest that lift stamina to the reserve; the glossary says an hour.",
    ),
    _number("short-rest-minutes", "fs-stamina-pool", "2546", 5, 1, 15, "Short rest", "How many minutes are a few minutes."),
    _word(
        "layered-armor",
        "fs-armor-protection",
        "2661-2673, 3318",
        ("add", "best"),
        "Armor in layers",
        "Whether armor and barriers one behind the other add up, or the best counts.",
    ),
    _word(
        "below-zero-damage",
        "fs-damage-formula",
        "2661",
        ("nothing", "stun"),
        "Damage class below zero",
        "Whether a blow whose damage class armor takes below zero can still stun.",
    ),
    _ruling(
        "absorbed-blow-stuns",
        "fs-damage-formula",
        "2638, 2663",
        True,
        "Absorbed blows stun",
        "A wound that the As of armor swallow whole may still stun.",
    ),
    _word(
        "head-bonus",
        "fs-hit-location",
        "2705",
        ("after armor", "before armor"),
        "The extra level of the head",
        "Whether it is added to what is left after the As of armor, or before they absorb.",
    ),
    _word(
        "botched-recovery",
        "fs-stun-damage",
        "2687-2689",
        ("stun damage", "any stun"),
        "Botched recovery from stun",
        "Whether a botch knocks out only those with stun points, or anybody stunned.",
    ),
    _word(
        "mediocre-deterioration",
        "fs-recovery-deterioration",
        "2585, 2600",
        ("holds", "improves"),
        "QR4 against deterioration",
        "Whether a QR4 holds the wound level or betters it.",
    ),
    _word(
        "deterioration-by",
        "fs-recovery-deterioration",
        "2596-2600, 2872",
        ("current level", "worst level"),
        "Who deteriorates",
        "Whether deterioration rolls go by the wound level now or by the worst level until it is treated.",
    ),
    _word(
        "failed-landing",
        "fs-falling",
        "2771-2775",
        ("nothing", "formula"),
        "Failed landings",
        "Whether a failed roll takes nothing off a fall, or the formula is followed (a QR7 dive still gives 1).",
    ),
    _word(
        "untrained-bandaging",
        "fs-bandaging",
        "2821",
        ("both", "dexterity"),
        "Bandaging without knowledge",
        "Whether the -3 applies to both rolls or to the second alone.",
    ),
    _number(
        "transfusion-levels",
        "fs-restore-blood",
        "2827, 2610, 2872",
        2,
        1,
        2,
        "Transfusion",
        "Wound levels that whole blood restores: the rule says two, two stories show one.",
    ),
    _word(
        "gravity-edges",
        "fs-gravity-familiarity",
        "2105-2110",
        ("higher band", "lower band"),
        "Edges of gravity bands",
        "Where 0.1, 0.5 and 1.1 g belong.",
    ),
    _number("aim-actions", "fs-ranged-modifiers", "3030, 3271", 5, 1, 6, "Most for aim actions", "What aim actions add at most."),
    _number(
        "aim-total",
        "fs-ranged-modifiers",
        "3030, 3271",
        6,
        1,
        9,
        "Most for aiming in all",
        "What aims, a laser sight and having just hit add at most together.",
    ),
    _word(
        "favor-in-parries",
        "fs-favored-weapon",
        "799, 1784-1786, 3098, 3155, 3181",
        ("best", "sum"),
        "Favors in a defense",
        "Whether the best favor counts, or a parry adds that for its own weapon to that for the attacker's.",
    ),
    _word(
        "stance-and-balance",
        "fs-balance",
        "3040-3049, 3102, 3106, 3334",
        ("as ruled", "every change"),
        "Stances and balance",
        "Whether drop, dive, kneel, roll and rise unbalance and a squat does not, or every change of stance does.",
    ),
    _word(
        "trip-weights",
        "fs-special-melee-attacks",
        "3240",
        ("add", "replace"),
        "Tripping the heavy",
        "Whether being unable to drag adds two to the one for being unable to lift, or replaces it.",
    ),
    _number(
        "lethal-strike-damage",
        "fs-unarmed-fields",
        "2408, 3253, 3764",
        1,
        1,
        2,
        "Lethal strike",
        "What it adds to the damage class: +1 in two places, +2 in the weapon table.",
    ),
    _ruling(
        "ambidexterity-helps",
        "fs-spending-cps",
        "745-746, 3142, 3164-3165, 3290",
        True,
        "Ambidexterity",
        "It removes what the off-hand costs; the book prints only its price.",
    ),
    _word(
        "bid-difference",
        "fs-pursuit-speed-bids",
        "3444-3446",
        ("steps", "one step"),
        "Speed bids",
        "Whether range changes by the difference of two bids, or by one step whatever it is.",
    ),
    _number(
        "dexterity-for-a-trade",
        "fs-tools-of-trade",
        "2039",
        3,
        0,
        6,
        "Dexterity in place of a trade",
        "What it costs to use plain dexterity where a trade is called for.",
    ),
)

BOOK = Book(
    "foresight",
    "rulewright.systems.foresight",
    OPTIONS + RULINGS + TRAVEL_RULINGS,
    presets={
        "recommended": {},
        "bare": {option.name: False for option in OPTIONS if option.default is True},
        "all options": {option.name: True for option in OPTIONS if option.default is False},
    },
)
