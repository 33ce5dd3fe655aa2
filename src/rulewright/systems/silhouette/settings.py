"""What a Silhouette campaign decides: its reality level and dice, the book's optional rules, and our rulings where the book is unclear."""

from rulewright.rules import Book, Setting, SettingValue
from rulewright.systems.silhouette.action_settings import ACTION_OPTIONS, ACTION_RULINGS
from rulewright.systems.silhouette.declaring import number as _number
from rulewright.systems.silhouette.declaring import option as _option
from rulewright.systems.silhouette.declaring import ruling as _ruling
from rulewright.systems.silhouette.declaring import word as _word
from rulewright.systems.silhouette.hazards.settings import HAZARD_RULINGS
from rulewright.systems.silhouette.injury_settings import CINEMATIC_OPTIONS, INJURY_OPTIONS, INJURY_RULINGS

_ONE_READING = "both say what adds to the highest die; choose one of them"
_NO_EXTRAS = "gritty dice add nothing to the highest die"

STYLE = (
    Setting(
        "reality",
        "Reality level",
        "How close to life the campaign is: it changes how dice are read, how many points there are, and much that rules say by name.",
        "sil-6.4.1-rdf",
        default="adventurous",
        values=("gritty", "adventurous", "cinematic"),
        lines="5924-5956",
        excludes=(
            ("gritty", "multiples", "highest", _NO_EXTRAS),
            ("gritty", "multiples", "any", _NO_EXTRAS),
            ("cinematic", "multiples", "highest", _ONE_READING),
            ("cinematic", "multiples", "any", _ONE_READING),
        ),
    ),
    Setting(
        "dice",
        "Kind of dice",
        "Six-sided dice, or bigger ones for more luck.",
        "sil-a-opt-d8-d10",
        default="d6",
        values=("d6", "d8", "d10"),
        lines="7858-7902",
    ),
    Setting(
        "multiples",
        "What adds to the highest die",
        "Only further sixes, further dice of the highest value, or further dice of any value.",
        "sil-a-opt-highest-multiples",
        default="sixes",
        values=("sixes", "highest", "any"),
        lines="7834-7856",
    ),
    Setting(
        "attributes",
        "Attribute set",
        "Ten attributes, or the five or three they average to.",
        "sil-2.1.2-simplified-attributes",
        default="ten",
        values=("ten", "five", "three"),
        lines="1151-1160",
    ),
)

OPTIONS = (
    _option(
        "advanced-ties",
        "sil-1.2.4-advanced-ties",
        "671-674",
        "Advanced tie resolution",
        "A tied contest goes to the higher level, then Complexity, then attribute.",
    ),
    _option(
        "favored-items",
        "sil-2.2-favored-item",
        "1295-1300",
        "Favored items",
        "One thing for each skill that spares its owner the mishap of a fumble.",
    ),
    _option("one-perk-one-flaw", "sil-2.4-min-max-limit", "1506-1515", "One Perk, one Flaw", "Nobody has more than one of each."),
    _option("detailed-experience", "sil-2.5.1-detailed-xp", "1658-1697", "Detailed experience", "Experience is counted in thousandths."),
    _option(
        "practice-before-levels",
        "sil-2.5.2-ed-prerequisite",
        "1720-1725",
        "Practice before levels",
        "A skill rises only after its square in Emergency Dice went into it.",
    ),
    _option("character-levels", "sil-2.5.4-levels", "1770-1801", "Character levels", "Everybody has a level, by all experience earned."),
    _option(
        "margin-limit",
        "sil-a-damage-tame",
        "7926-7930",
        "Margins end at the faces",
        "With bigger dice a Margin of Success is never above the number of faces.",
    ),
    _option(
        "weaker-weapons",
        "sil-a-damage-tame",
        "7926-7930",
        "Weaker weapons",
        "With bigger dice Damage Multipliers are three quarters (d8) or three fifths (d10).",
    ),
)

RULINGS = (
    _word(
        "cinematic-dice",
        "sil-6.4.1-rdf-dice",
        "5950-5956, 7818-7832",
        ("text", "table"),
        "Reading of cinematic dice",
        "The text counts fives and sixes together (5, 5, 6 is 8); the printed chances count each kind for itself (7).",
    ),
    _word(
        "gritty-emergency-dice",
        "sil-6.4.1-rdf-dice",
        "5952",
        ("their sixes", "all sixes"),
        "Emergency Dice in a gritty campaign",
        "Which sixes go beyond six when Emergency Dice are rolled along: those on them, or all.",
    ),
    _ruling(
        "convert-thresholds",
        "sil-a-threshold-conversion",
        "7862, 7904-7924",
        True,
        "Thresholds follow the dice",
        "With bigger dice every Threshold that a rule or a person names is taken as one for six-sided dice and converted.",
    ),
    _ruling(
        "draws-pass",
        "sil-1.2.4-action-test",
        "643-648, 738-739, 2675, 2693",
        True,
        "Draws pass",
        "A total equal to a Threshold passes, with a margin of 0.",
    ),
    _word(
        "unskilled-emergency-dice",
        "sil-1.2.4-unskilled-test",
        "683, 1712",
        ("join", "none"),
        "Emergency Dice on unskilled tests",
        "They join the lower die in one pool, or cannot be used.",
    ),
    _word(
        "tool-complexity-against-others",
        "sil-1.2.2-complexity-modifier",
        "531-538",
        ("only as a malus", "ignored", "in full"),
        "A tool's Complexity in a contest",
        "What the Complexity of a tool does where different skills are held against each other.",
    ),
    _ruling(
        "takes-with-complexity",
        "sil-1.2.3-takes",
        "577-579",
        False,
        "Complexity on a Take",
        "Whether the Complexity modifier is added to a result that is taken.",
    ),
    _word(
        "failures-of-a-long-task",
        "sil-1.2.4-accumulated-successes",
        "699",
        ("their margin", "one", "nothing"),
        "Failures of a long task",
        "What a failed try takes away from what was gathered.",
    ),
    _ruling(
        "long-tasks-end-at-zero",
        "sil-1.2.4-accumulated-successes",
        "699",
        True,
        "A long task is never below zero",
        "Whether what was gathered can fall below nothing.",
    ),
    _word(
        "simplified-stamina",
        "sil-2.1.2-simplified-attributes",
        "1157-1159",
        ("halved", "in full"),
        "Stamina of simplified attributes",
        "Five times the average of two attributes, as printed (with a plus for the last sign), or five times their sum.",
    ),
    _ruling(
        "wide-build",
        "sil-2.1.2-attribute-costs",
        "965, 1145, 7959-7974",
        True,
        "Build beyond three",
        "Human Build may reach 5 either way, with the gamemaster's leave.",
    ),
    _word(
        "flaw-limit",
        "sil-2.4-perks-flaws-rules",
        "1500",
        ("advice", "binding", "none"),
        "Limit of Flaws",
        "Whether more points of Flaws than recommended are a warning, a breach, or nothing.",
    ),
    _number(
        "unfamiliar-field",
        "sil-2.2.4-specific-skills",
        "1287, 8265",
        -2,
        -6,
        0,
        "Unfamiliar field",
        "What a specific skill costs outside its field where the book names no number.",
    ),
    _word(
        "addiction-rounding",
        "sil-2.4.2-flaw-list",
        "1568",
        ("nearest", "down", "up"),
        "Rounding of an Addiction",
        "How a third of the Addiction or Dependence value is rounded.",
    ),
    _word(
        "animal-companion",
        "sil-2.4.1-perk-list",
        "1527, 8671",
        ("sum", "product"),
        "Price of an Animal Companion",
        "Whether the points for size and wits are added or multiplied (never above 8).",
    ),
    _number(
        "specialization-experience",
        "sil-2.2.3-specialization",
        "1730-1744",
        5,
        1,
        50,
        "Experience for a specialization",
        "What a specialization costs after play has begun.",
    ),
    _number(
        "experience-per-trait-point",
        "sil-2.4-perks-flaws-rules",
        "1498, 1682",
        1,
        1,
        10,
        "Experience for Perks and Flaws",
        "What a point of a new Perk, or of a Flaw bought off, costs in experience.",
    ),
    _word(
        "tutor-fee",
        "sil-2.5.3-tutors",
        "1752",
        ("tutor's level squared", "tutor's level times the level taught"),
        "A tutor's fee",
        "What is multiplied by a thousand credits.",
    ),
)

REALITY: dict[str, dict[str, SettingValue]] = {
    "gritty": {"reality": "gritty"},
    "adventurous": {},
    "cinematic": {"reality": "cinematic"},
    "cinematic, as the printed chances": {"reality": "cinematic", "cinematic-dice": "table"},
}

_APART = ("one-perk-one-flaw", "detailed-experience")
"""Options that are not put on with all the others: they narrow what characters there are, or replace another bookkeeping."""

_ALL: dict[str, SettingValue] = {
    each.name: True for each in OPTIONS + ACTION_OPTIONS + INJURY_OPTIONS if each.default is False and each.name not in _APART
}

BOOK = Book(
    "silhouette",
    "rulewright.systems.silhouette",
    STYLE + OPTIONS + ACTION_OPTIONS + INJURY_OPTIONS + CINEMATIC_OPTIONS + RULINGS + ACTION_RULINGS + INJURY_RULINGS + HAZARD_RULINGS,
    presets={
        "by the book": {},
        **REALITY,
        "eight-sided dice": {"dice": "d8", "margin-limit": True},
        "ten-sided dice": {"dice": "d10", "margin-limit": True},
        "all options": _ALL,
        "cinematic, all options": {**_ALL, **{each.name: True for each in CINEMATIC_OPTIONS}, "reality": "cinematic"},
    },
)
