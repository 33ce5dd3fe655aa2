"""What a One Roll Engine campaign decides: its Gear, the book's optional rules, and our rulings where the book is unclear.

Every option stands for one named step that it replaces (`@instead_of`), so that any of them can be switched on in any Gear. The
three Gears are presets: the options that the contents pages recommend for them (lines 8-60).
"""

from rulewright.rules import Book, Setting, SettingValue
from rulewright.systems.ore.arms_settings import ARMS
from rulewright.systems.ore.combat_settings import COMBAT
from rulewright.systems.ore.deciding import number as _number
from rulewright.systems.ore.deciding import option as _option
from rulewright.systems.ore.deciding import ruling as _ruling
from rulewright.systems.ore.deciding import variant as _variant
from rulewright.systems.ore.deciding import word as _word

GEARS = ("action", "gritty", "superhuman")
"""The Gears; the first is what a campaign plays in that says nothing."""

_NEEDS_SEVERAL = "a Concentration gives several Expert Dice, and a Failsafe Die allows no other beside it"

DICE = (
    _option("six-sided-dice", "ore-1.03-opt-d6", "245-250", "Six sides to every story", "d6 are rolled, and Difficulties are halved."),
    _option("the-run", "ore-1.07-opt-the-run", "313-324", "The Run", "Without a set, three faces in a row are a Minimal Success."),
    _option(
        "full-house",
        "ore-1.08-opt-full-house",
        "325-332",
        "The Full House",
        "One set may be given up to widen a higher one by 1.",
    ),
    _option(
        "getting-lucky",
        "ore-1.10-opt-getting-lucky",
        "375-380",
        "Getting Lucky",
        "Without dice left one Luck die is rolled: 10 just succeeds, 1 is a catastrophe.",
    ),
    _option(
        "auto-complete",
        "ore-1.12-opt-auto-complete",
        "389-396",
        "Auto Complete",
        "Who takes the time needs no roll, and has a set of Width 2.",
    ),
    _option(
        "set-for-a-set",
        "ore-1.17-opt-set-for-a-set",
        "475-486",
        "Set for a set",
        "A countered set is spoiled only when no die of it is left.",
    ),
    _variant(
        "squash-and-squish",
        "ore-1.19-squash-squish",
        "522-533",
        ("feats only", "special dice", "everybody"),
        "Squashing and squishing",
        "Who may trade Height for Width and Width for Height: only where a feat says so, whoever has an Expert Die (squish) or a "
        "Master Die (both) on the roll, or everybody.",
    ),
    _variant(
        "special-dice",
        "ore-1.21-special-dice",
        "544-613",
        ("standard", "failsafe", "extra expert", "extra master"),
        "Special Dice",
        "One Expert or Master Die for a skill; a Failsafe Die that only helps a Run (and lets Runs count); several Expert Dice that nudge; "
        "or any number.",
    ),
)

CHARACTERS = (
    _variant("gear", "ore-0.03-gears", "172-213", GEARS, "Gear", "How far above ordinary people the characters stand."),
    Setting(
        "points",
        "Character points",
        "What a character is built with; 0 stands for the least that the Gear suggests.",
        "ore-2.01-point-cost",
        default=0,
        low=0,
        high=5000,
        lines="616-644",
    ),
    _variant(
        "build",
        "ore-2.43-opt-archetype-build",
        "1560-1611",
        ("points", "archetype"),
        "Building characters",
        "Whether characters are paid for in points or in Element Points of five points each.",
        (("archetype", "more-non-human", True, "statistics come from a chart, so there is no start from which they could be raised once"),),
    ),
    _option(
        "only-1-to-5",
        "ore-2.08-opt-only-1-to-5",
        "776-779",
        "Only 1 to 5?",
        "Power Effects may go beyond 5, as far as Power Statistic and Power Skill together.",
    ),
    _option(
        "more-non-human",
        "ore-2.11-opt-more-non-human",
        "818-831",
        "More non-human than human",
        "Each statistic is raised once at most during creation, after what the race gives.",
    ),
    _option(
        "statistic-focuses",
        "ore-2.13-opt-statistic-focus",
        "852-871",
        "Statistic Focuses",
        "Three points buy a one-word Focus for a statistic, good for a die where it matters.",
    ),
    _option(
        "simplified-advantages",
        "ore-2.15-opt-simplified-advantages",
        "913-926",
        "Simplified advantages",
        "One rating stands for both parts of an advantage.",
    ),
    _variant(
        "companies",
        "ore-2.42-company-qualities",
        "1117-1559",
        ("none", "companies", "tiers"),
        "Companies",
        "Whether advantages count towards the qualities of a company, and whether companies become Global Agencies and Super Powers.",
    ),
    _variant(
        "skill-system",
        "ore-3.00-skill-selection",
        "1831-1947",
        ("broad and narrow", "action", "discipline"),
        "Skill system",
        "Broad and Narrow Skills, the plain skills of Action, or Disciplines with Concentrations.",
        (("discipline", "special-dice", "failsafe", _NEEDS_SEVERAL),),
    ),
)

RULINGS = (
    _ruling(
        "bonuses-meet-penalties",
        "ore-1.09-penalty",
        "239, 544-556",
        False,
        "Bonuses meet penalties",
        "Whether bonus dice are set off against penalties before these take Special Dice.",
    ),
    _word(
        "penalties-take",
        "ore-1.21-special-dice",
        "550-556",
        ("special dice first", "ordinary dice first"),
        "What penalties take",
        "Which dice a penalty removes; the second is a house rule.",
    ),
    _ruling(
        "squash-keeps-difficulty",
        "ore-1.19-squash-squish",
        "341, 524-530",
        True,
        "Squashed sets meet the Difficulty",
        "Whether a set must still be as high as the Difficulty after it was squashed.",
    ),
    _word(
        "halved-difficulty",
        "ore-1.03-opt-d6",
        "249",
        ("rounded up", "rounded down"),
        "Halved Difficulties",
        "How a Difficulty is halved for six-sided dice; it is never below 1.",
    ),
    _number(
        "hard-to-kill-cost",
        "ore-2.27-hard-to-kill",
        "894, 1254, 1801",
        2,
        1,
        5,
        "Price of Hard To Kill",
        "The list says 3 a level, the description and both packages 2.",
    ),
    _number(
        "run-metres-per-width",
        "ore-3.05-running",
        "2029, 5390",
        2,
        1,
        10,
        "Metres per Width of a run",
        "Chapter 3 says 3, the list of actions in chapter 4 says 2.",
    ),
    _number(
        "materials-pounds",
        "ore-2.20-arcane-apprentice",
        "1019, 6021",
        20,
        1,
        1000,
        "Materials for a power",
        "Pounds a level of the effect: 50 in chapter 2, 20 in chapter 5 and its example.",
    ),
)

PRESETS: dict[str, dict[str, SettingValue]] = {
    "gritty": {
        "gear": "gritty",
        "the-run": True,
        "special-dice": "failsafe",
        "statistic-focuses": True,
        "speed": "waste",
        "deadly-locations": True,
        "wounds": True,
        "encumbering-armour": True,
        "damage-classes": True,
        "ablative-armour": True,
        "weapon-reach": True,
        "getting-tired": True,
        "waste-ammunition": True,
    },
    "action": {
        "getting-lucky": True,
        "auto-complete": True,
        "set-for-a-set": True,
        "special-dice": "extra expert",
        "more-non-human": True,
        "simplified-advantages": True,
        "stronger-armour": True,
        "powerless": True,
        "simple-mooks": True,
        "drama-points": "drama points",
    },
    "superhuman": {"gear": "superhuman", "full-house": True, "special-dice": "extra master", "faster-than-bullets": True},
}
"""The three Gears, each with the options that the contents pages give it; action is the Gear of a campaign that says nothing.

The pictures that gave the Combat Options of chapter 4 to a Gear are lost; those listed here fit it by what they do (ruling).
"""

BOOK = Book("ore", "rulewright.systems.ore", DICE + CHARACTERS + COMBAT + ARMS + RULINGS, presets={"by the book": {}, **PRESETS})
