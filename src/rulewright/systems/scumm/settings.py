"""What a S.C.U.M.M. campaign decides: the book's optional rules, and our rulings where the book is unclear."""

from rulewright.rules import Book, Setting


def _option(name: str, rule: str, lines: str, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=False, lines=lines)


def _ruling(name: str, rule: str, lines: str, default: bool, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, source="ruling", lines=lines)


def _number(name: str, rule: str, lines: str, default: int, low: int, high: int, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, low=low, high=high, source="ruling", lines=lines)


def _word(name: str, rule: str, lines: str, values: tuple[str, ...], title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=values[0], values=values, source="ruling", lines=lines)


OPTIONS = (
    _option(
        "multiple-actions",
        "scumm-multiple-actions",
        "352-354",
        "Multiple actions",
        "More than one action a round, each at -1 per extra one.",
    ),
    _option(
        "random-hit-locations",
        "scumm-random-hit-location",
        "523-533",
        "Random hit locations",
        "A hit that was not aimed rolls 2d6 for where it lands.",
    ),
    _option("carrying-capacity", "scumm-carrying-capacity", "569-580", "Carrying capacity", "Loads weigh on actions, by Body."),
    _option("fatigue", "scumm-fatigue", "582-602", "Fatigue", "Work, travel, fights and lost sleep tire."),
    _option("addiction", "scumm-becoming-addicted", "685-708", "Addiction", "Regular use of a drug may lead to addiction and withdrawal."),
    _option("chases", "scumm-chases", "148-170", "Chases", "Chases on foot or in water are settled by opposed tests."),
)

RULINGS = (
    _ruling(
        "lowered-attributes-give-points",
        "scumm-attributes",
        "11",
        True,
        "Lowered attributes give points",
        "Each point below zero is one more to spend.",
    ),
    _word(
        "creation-costs",
        "scumm-skills-creation",
        "59, 71-72",
        ("totals", "steps"),
        "Skill costs at creation",
        "A price is for the level as a whole, or for the step up to it.",
    ),
    _word(
        "experience-costs",
        "scumm-skill-improvement",
        "292-295",
        ("steps", "totals"),
        "Skill costs in experience",
        "A price is for the step up to a level, or for the level as a whole less what was paid.",
    ),
    _number(
        "specialization-experience",
        "scumm-specialization",
        "74-76",
        5,
        1,
        50,
        "Experience for a specialization",
        "What a specialization costs after play has begun.",
    ),
    _number(
        "lowest-wound-threshold",
        "scumm-derived-attributes",
        "23-41",
        1,
        1,
        5,
        "Lowest wound threshold",
        "No wound threshold is below this, before armor.",
    ),
    _number(
        "health-test-dice",
        "scumm-health-test",
        "47, 537, 652",
        2,
        1,
        5,
        "Dice of a Health test",
        "How many dice are rolled, highest kept, with Health added.",
    ),
    _ruling(
        "draws-pass", "scumm-margins", "324-326, 537, 555", True, "Draws pass", "A total equal to a Threshold passes, with a margin of 0."
    ),
    _word(
        "unskilled-emergency-dice",
        "scumm-unskilled-test",
        "282, 336-338",
        ("join", "none"),
        "Emergency Dice on unskilled tests",
        "They join the lower die in one pool, or cannot be used.",
    ),
    _word(
        "climbing-pace",
        "scumm-climbing",
        "408",
        ("normal", "running", "crawling"),
        "Walking speed of a climber",
        "Which movement rate a climb takes its share of.",
    ),
    _ruling("armor-against-falls", "scumm-falling", "410-412", False, "Armor against falls", "Whether armor counts when somebody falls."),
    _number(
        "free-strikes-a-round",
        "scumm-close-fumbles",
        "424",
        1,
        0,
        5,
        "Free Strikes a round",
        "How many Free Strikes one character may make in a round.",
    ),
    _word(
        "maneuver-draws",
        "scumm-trip",
        "434, 438, 442",
        ("resisted", "lands"),
        "Draws against a maneuver",
        "What a draw means when disarm, trip or shove is resisted.",
    ),
    _word(
        "grapple-moves-at",
        "scumm-grapple",
        "430",
        ("winner", "loser"),
        "Pace in a grapple",
        "Whose crawling rate limits how far the loser is moved.",
    ),
    _word(
        "no-dice-left",
        "scumm-called-shots",
        "454-460",
        ("unskilled", "impossible"),
        "No dice left",
        "What becomes of a roll whose dice are all given up.",
    ),
    _ruling(
        "burst-keeps-a-die", "scumm-burst-fire", "460", True, "A burst keeps a die", "Dice given up for a burst must leave at least one."
    ),
    _word(
        "beyond-extreme-range",
        "scumm-ranged-attack",
        "481-485",
        ("impossible", "minus four"),
        "Beyond extreme range",
        "Whether a shot past extreme range can be tried at all.",
    ),
    _word(
        "suppression-exposed",
        "scumm-suppression-fire",
        "468-470",
        ("hit", "spared"),
        "Without cover in a suppressed zone",
        "Whether those who stand there without cover when the fire begins must beat the Saturation Threshold at once.",
    ),
    _ruling(
        "suppression-tie-hits",
        "scumm-suppression-fire",
        "468-470",
        False,
        "A tie in suppression fire hits",
        "Whether a roll equal to the Saturation Threshold takes damage for a margin of 1.",
    ),
    _word(
        "first-opponent-counts",
        "scumm-combat-modifiers",
        "492",
        ("no", "yes"),
        "First opponent counts",
        "Whether the -1 per foe begins with the first attacker of the round.",
    ),
    _number(
        "most-opponents-penalty",
        "scumm-combat-modifiers",
        "492",
        99,
        1,
        99,
        "Most for several opponents",
        "Where the penalty for several opponents stops (99: nowhere).",
    ),
    _word(
        "fumbled-initiative",
        "scumm-initiative",
        "45, 370",
        ("ducks", "nothing"),
        "Fumbled initiative",
        "Whether one who fumbled initiative may still duck and go on with a long action, or does nothing.",
    ),
    _word(
        "ambush-tie",
        "scumm-ranged-unwary",
        "448",
        ("noticed", "unnoticed"),
        "Ties in an ambush",
        "Who has the better of a tie between Notice and Stealth.",
    ),
    _word(
        "ambush-roll",
        "scumm-ranged-unwary",
        "45, 448",
        ("notice", "combat sense"),
        "Spotting an ambush",
        "What is rolled against the ambusher's Stealth.",
    ),
    _word(
        "instant-death",
        "scumm-death",
        "501, 549",
        ("reaches", "surpasses"),
        "Instant death",
        "Whether damage must reach or surpass the threshold that kills.",
    ),
    _ruling(
        "second-test-for-the-head",
        "scumm-head-hits",
        "521, 535-537",
        False,
        "Second test for the head",
        "Whether a Deep wound to the head calls for a Health test beside the usual one.",
    ),
    _number(
        "bruise-boxes-per-penalty",
        "scumm-bruise-damage",
        "543-545",
        2,
        1,
        6,
        "Bruise boxes for a penalty of 1",
        "How many boxes of bruises cost one point.",
    ),
    _word(
        "bruises-beside-wounds",
        "scumm-bruise-damage",
        "545",
        ("as wounds", "as bruises"),
        "Bruises beside wounds",
        "What bruises cost while real wounds are there too.",
    ),
    _ruling(
        "bruise-knockout",
        "scumm-bruise-damage",
        "545",
        True,
        "Knocked out by bruises",
        "The bruise that passes System Shock calls for a knockout test; otherwise only the real wounds after it do.",
    ),
    _ruling(
        "fatigue-can-help", "scumm-fatigue", "586", False, "Body can outweigh fatigue", "Whether Body added to fatigue can come to a bonus."
    ),
    _word(
        "full-capacity",
        "scumm-fatigue",
        "594",
        ("deadlift", "heavy"),
        "Full capacity",
        "Which band's top counts as the full load for fatigue.",
    ),
    _word(
        "rest-removes",
        "scumm-fatigue-recovery",
        "600-602",
        ("all but sleep", "all"),
        "What rest removes",
        "Whether half an hour of rest also removes the fatigue of lost sleep.",
    ),
    _ruling(
        "carry-deadlift",
        "scumm-carrying-capacity",
        "571-580",
        False,
        "Carrying a deadlift",
        "Whether a load above the heavy band can be walked with (at -3).",
    ),
    _ruling(
        "restricted-needs-leave",
        "scumm-guns",
        "621-648",
        True,
        "Restricted gear",
        "Gear with its price in brackets needs the gamemaster's leave.",
    ),
    _number(
        "hallucinogen-divisor",
        "scumm-hallucinogens",
        "654-664",
        5,
        1,
        5,
        "Hallucinogen overdose",
        "What (Potency - 10) times the margin is divided by.",
    ),
    _word(
        "stimulant-fumble",
        "scumm-stimulants",
        "660, 670",
        ("overdose", "by margin"),
        "Fumbled stimulant",
        "Whether any fumble is an overdose, or only one that fails by ten.",
    ),
    _word(
        "extra-dose-rounding",
        "scumm-multiple-doses",
        "676",
        ("once", "each dose"),
        "Rounding of extra doses",
        "When the ten percent a dose are rounded down.",
    ),
    _ruling(
        "fumbled-onset-counts-doses",
        "scumm-multiple-doses",
        "674-676",
        True,
        "Onset of a fumbled dose",
        "Whether doses divide the onset time of a fumbled test too.",
    ),
    _word(
        "withdrawal-test",
        "scumm-assisted-withdrawal",
        "700-708",
        ("health", "body"),
        "Withdrawal tests",
        "What is tested against withdrawal when doctors help.",
    ),
    _number(
        "after-collapse",
        "scumm-sedatives",
        "658, 702",
        4,
        0,
        4,
        "After a collapse",
        "The margin that applies once unconsciousness or incapacity is over.",
    ),
)

BOOK = Book(
    "scumm",
    "rulewright.systems.scumm",
    OPTIONS + RULINGS,
    presets={"by the book": {}, "all options": {option.name: True for option in OPTIONS}},
)
