"""What a Hybrid campaign decides: the book's options, and our rulings where its chapters are unclear or contradict each other.

Chapters 9 to 12 are four drafts of character creation. Where they differ chapter 12 goes first, then 9, then 11, then 10; every
such choice is a setting here, and the presets named after chapters choose that chapter's side wherever it takes one.
"""

from rulewright.rules import Book, Setting, SettingValue

PRECEDENCE = (12, 9, 11, 10)
"""Which chapter goes before which where they contradict each other (ruling)."""


def _option(name: str, rule: str, lines: str, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=False, lines=lines)


def _given(name: str, rule: str, lines: str, default: int, low: int, high: int, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, low=low, high=high, lines=lines)


def _ruling(name: str, rule: str, lines: str, default: bool, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, source="ruling", lines=lines)


def _number(name: str, rule: str, lines: str, default: int, low: int, high: int, title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=default, low=low, high=high, source="ruling", lines=lines)


def _word(name: str, rule: str, lines: str, values: tuple[str, ...], title: str, text: str) -> Setting:
    return Setting(name, title, text, rule, default=values[0], values=values, source="ruling", lines=lines)


OPTIONS = (
    _option("careers", "hyb-11-careers", "1951-1957", "Career rolls", "Years in careers fill the pools of points by dice."),
    _option(
        "female-modifiers",
        "hyb-9-gender",
        "1317, 1681, 2246",
        "Chapter 10's women",
        "PST -2, PEN +1, MEN +1 for every woman, beside what her race lists.",
    ),
    _given("stat-points", "hyb-9-primary-stats", "1270, 1751, 2050", 125, 50, 500, "Points for statistics", "Shared by the ten."),
    _given("wealth-points", "hyb-10-pools", "1657, 2028, 2224", 10, 0, 500, "Wealth points", "What a beginner starts with."),
    _given("community-points", "hyb-10-pools", "1657, 2028, 2226", 10, 0, 500, "Community points", "What a beginner starts with."),
)

CHECKS = (
    _word(
        "success-at",
        "hyb-1-skill-check",
        "293, 317, 325-385",
        ("at or under", "under"),
        "A roll equal to a limit",
        "Whether a roll that equals a column of the success table has reached it, or must pass it.",
    ),
    _word(
        "between-rows",
        "hyb-2-success-table",
        "325-385",
        ("row below", "nearest row"),
        "Between two rows",
        "Which row of the success table counts for a Difficulty Factor that has none.",
    ),
    _number("lowest-chance", "hyb-2-success-table", "327", 1, 0, 5, "Lowest chance", "No modifier after the look-up goes below it."),
    _number("highest-chance", "hyb-2-success-table", "385", 98, 90, 100, "Highest chance", "No modifier after the look-up goes above it."),
    _word(
        "stat-basis",
        "hyb-2-difficulty-factor",
        "391, 411, 556",
        ("whole", "half"),
        "Statistic in the Difficulty Factor",
        "Whether the statistic counts whole, as the equation prints it, or by half, as the author's older glossary has it.",
    ),
    _word(
        "fractions",
        "hyb-2-difficulty-factor",
        "391, 425, 1319-1378",
        ("half up", "down", "up"),
        "Fractions",
        "How averages of statistics and Difficulty Factors, and calculated statistics, are rounded.",
    ),
    _ruling(
        "skills-have-difficulty",
        "hyb-3-skill-component-costs",
        "391, 554, 619-634",
        True,
        "A skill's own Difficulty Factor",
        "Whether it counts on every use of the skill; the equation does not mention it.",
    ),
    _word(
        "ranks-count",
        "hyb-3-general-support-skills",
        "391, 679",
        ("difficulty factor", "percent"),
        "What ranks are worth",
        "A point of the Difficulty Factor each (general a quarter, support half), or 4 %, 1 % and 2 % after the look-up.",
    ),
    _word(
        "success-number",
        "hyb-2-opposed",
        "542, 970, 1000",
        ("chance", "difficulty factor"),
        "Opposed rolls",
        "Whether the Success Number is taken off the other's chance or off the other's Difficulty Factor.",
    ),
    _ruling(
        "wound-levels-add",
        "hyb-2-condition-modifiers",
        "472-489",
        False,
        "Wound levels add up",
        "Whether every level reached counts, or only the worst of body and of mind.",
    ),
    _word(
        "moving-mind",
        "hyb-2-movement-modifiers",
        "493, 499-502",
        ("as printed", "half"),
        "Thinking while moving",
        "The mental column of the table, or half of the physical one as the prose says.",
    ),
    _ruling(
        "perception-needs-skill",
        "hyb-4-perception",
        "462, 699-701",
        False,
        "Perception needs a skill",
        "Whether somebody without a perception skill notices things at the penalty of the unranked.",
    ),
    _word(
        "passive-rounds",
        "hyb-4-passive-perception",
        "701",
        ("down", "half up"),
        "Quarter chances",
        "How a quarter of a chance, or any other share of it, is rounded.",
    ),
)

SKILLS = (
    _number(
        "unranked-initiative",
        "hyb-2-unranked",
        "462",
        2,
        -2,
        10,
        "Initiative of the unranked",
        "Counts added. Printed as -2, which would help them, since low counts act first.",
    ),
    _word(
        "rank-names",
        "hyb-3-ranks",
        "570-579, 1492-1500, 2295-2311",
        ("chapters 3 and 9", "chapter 12"),
        "Names of ranks",
        "Whose names for bands of ranks are shown.",
    ),
    _ruling(
        "related-counts-as-ranked",
        "hyb-3-related-skills",
        "663-667",
        True,
        "A related skill is a rank",
        "Whether a related skill spares the penalty of the unranked.",
    ),
    _word(
        "pool-bonus",
        "hyb-3-skill-pools",
        "691-695",
        ("difficulty factor", "percent", "nothing"),
        "Skill pools",
        "What the bonus of a pool is added to; the book does not say.",
    ),
    _number("pool-needs", "hyb-3-skill-pools", "691-695", 2, 1, 10, "Skills in a pool", "How many ranked skills make a pool."),
)

ENERGY = (
    _ruling(
        "exhaustion-twice",
        "hyb-5-energy-use",
        "730, 739, 743",
        False,
        "Exhaustion beside the ten to one",
        "Whether the exhaustion that an activity lists comes on top of the tenth of its fatigue.",
    ),
    _ruling(
        "exhaustion-follows-fatigue",
        "hyb-5-fatigue-exhaustion",
        "728-732",
        True,
        "Beyond fatigue",
        "Whether effort goes on from exhaustion, point for point, once fatigue is empty.",
    ),
    _ruling(
        "mind-rests-alike",
        "hyb-5-restoring",
        "754-768",
        True,
        "The mind rests alike",
        "Whether mental pools come back at the printed physical rates; otherwise only sleep restores them.",
    ),
)

TIMING = (
    _word(
        "half-speed",
        "hyb-7-initiative",
        "822, 836, 842",
        ("down", "up"),
        "Halves of Speed and rank",
        "How half of Speed and half of a rank are rounded.",
    ),
    _word(
        "initiative-ties",
        "hyb-7-initiative",
        "311, 818",
        ("together", "higher speed first"),
        "Ties in initiative",
        "Who acts first on the same count.",
    ),
    _number(
        "speed-point-counts",
        "hyb-7-speed-points",
        "832-836, 856",
        1,
        1,
        5,
        "Worth of a speed point",
        "By how many counts one point shortens an action.",
    ),
    _ruling(
        "preset-cost-repeats",
        "hyb-7-preset",
        "842",
        True,
        "Holding a preset on and on",
        "Whether the mental fatigue is due again for every further stretch.",
    ),
    _ruling(
        "setup-after-look-up",
        "hyb-7-setup",
        "874-888",
        True,
        "Set-up after the look-up",
        "Whether its percents join the chance; otherwise every five of them are a point of the Difficulty Factor.",
    ),
)

FIGHTS = (
    _word(
        "defense-counts",
        "hyb-8-attack-roll",
        "912, 920, 1085",
        ("difficulty factor", "percent"),
        "Defense",
        "Whether the defense value is taken off the attacker's Difficulty Factor or off the chance.",
    ),
    _ruling(
        "noticed-in-passing",
        "hyb-4-passive-perception",
        "301, 701",
        True,
        "Attacks noticed in passing",
        "Whether somebody who does not know of an attack may notice it as it comes, at a quarter of the chance to perceive.",
    ),
    _ruling(
        "called-shots-land",
        "hyb-8-called-shots",
        "930-942, 1004",
        True,
        "Called shots land",
        "Whether a called shot that hits needs no roll for the location.",
    ),
    _number("jumping-penalty", "hyb-8-jumping", "958", 4, 0, 10, "Jumping", "What jumping costs; an older edition says 3."),
    _word(
        "parry-modifiers",
        "hyb-8-parry",
        "1123",
        ("replace", "add"),
        "Parrying missiles",
        "Whether the penalties against thrown, shot and energy weapons replace the usual -3 or add to it.",
    ),
    _number(
        "off-balance-worst",
        "hyb-8-parry-side-effects",
        "1127-1129",
        6,
        2,
        20,
        "Off balance",
        "The most that being off balance can cost.",
    ),
    _ruling(
        "damage-by-degree",
        "hyb-8-damage-application",
        "523-538, 1025",
        True,
        "Damage by degree",
        "Whether the degree of success multiplies damage.",
    ),
    _ruling(
        "death-at-zero",
        "hyb-8-damage-application",
        "1004, 1025",
        True,
        "Death at zero",
        "Whether a body at 0 is dead; otherwise only unconscious.",
    ),
    _word(
        "knockback-share",
        "hyb-8-knockback",
        "1046",
        ("full", "current"),
        "Share of knockback",
        "Whether half the fatigue and a quarter of the body are taken of the full values or of what is left.",
    ),
    _word(
        "shock-ends",
        "hyb-8-shock",
        "1052-1065",
        ("roll at initiative", "2d6+45 counts"),
        "End of shock",
        "Whether shock ends with an endurance roll, one at every own initiative, or after a time.",
    ),
    _ruling(
        "rolling-needs-success",
        "hyb-8-roll-with-blow",
        "1139",
        True,
        "Rolling with the blow",
        "Whether the +5 against shock needs a successful roll.",
    ),
    _ruling(
        "dodge-answers",
        "hyb-8-dodge",
        "1091-1111",
        True,
        "Dodging as an answer",
        "Whether somebody who is attacked may leave what they were doing and dodge or drop at once; otherwise only on their own count.",
    ),
    _number(
        "off-hand", "hyb-9-enhancement-list", "1555-1557", -4, -20, 0, "Off hand", "The penalty that Ambidexterity spares; never printed."
    ),
)

CREATION = (
    _word(
        "starting-skill-points",
        "hyb-10-pools",
        "1238, 1657, 2028, 2222-2228",
        ("by rule", "100", "10"),
        "Skill points to start with",
        "Chapter 12 gives 100 in its section on pools; chapters 9 and 10, and a list of chapter 12, give 10. "
        "By rule: 100, or 10 where careers fill the pool.",
    ),
    _number(
        "most-points-moved",
        "hyb-10-pools",
        "1665, 1953, 2003",
        999,
        0,
        999,
        "Moving points",
        "How many points may move between pools in all (999: any number).",
    ),
    _number("lowest-allocated", "hyb-9-primary-stats", "1270, 1751", 5, 1, 12, "Least in a statistic", "When points are shared out."),
    _number("highest-allocated", "hyb-9-primary-stats", "1270, 1751", 25, 12, 99, "Most in a statistic", "When points are shared out."),
    _number(
        "lowest-statistic",
        "hyb-9-primary-stats",
        "1803, 2083",
        1,
        0,
        5,
        "Lowest statistic",
        "No primary statistic falls below it through race or gender.",
    ),
    _word(
        "body-formula",
        "hyb-9-calculated",
        "1327, 1365, 1828, 1910",
        ("whole sum", "endurance only"),
        "Multiplied body",
        "Whether a race multiplies PST + PEN, as the tables print it, or PEN alone, as the lists do.",
    ),
    _ruling(
        "body-multipliers",
        "hyb-9-calculated",
        "1365, 1369, 1841, 2095, 2125",
        True,
        "Races multiply the body",
        "Whether PBD and MBD have a racial multiplier (chapters 9 and 11) or none (chapter 12).",
    ),
    _number(
        "strike-divisor",
        "hyb-9-stat-costs",
        "980, 988, 1523, 1530",
        2,
        1,
        10,
        "Strike values",
        "PSE and MSE have prices and do damage but are never defined: PST and MST divided by this stand in for them.",
    ),
    _word(
        "speed-beyond-45",
        "hyb-9-speed",
        "1426-1438",
        ("ten", "rising"),
        "Awareness above 45",
        "Whether Speed stays at 10 or goes on by one for every five points.",
    ),
    _word(
        "hairochan",
        "hyb-12-races",
        "1673-1677, 2498",
        ("chapter 12", "chapter 10"),
        "Hairochan",
        "Which chapter's figures the race has.",
    ),
    _word(
        "culture-skills",
        "hyb-12-culture-skills",
        "1452-1456, 1689-1699, 2278-2285",
        ("chapter 12", "chapter 9", "chapter 10"),
        "Skills of a culture",
        "Fixed ranks, allowances of points, or (for Theneans) the older sample; other cultures then take chapter 9's allowances.",
    ),
    _word(
        "raising-given-ranks",
        "hyb-9-skill-cost",
        "1466, 2278-2289",
        ("difference", "full"),
        "Raising what was given",
        "Whether a skill that a culture or a package gave is raised for the difference in price, or at the full price.",
    ),
    _number(
        "eidetic-bonus", "hyb-9-enhancement-list", "1559-1561, 1731, 2399", 3, 2, 3, "Eidetic Memory", "2 in chapters 9 and 10, 3 in 12."
    ),
    _number(
        "ability-price",
        "hyb-9-enhancement-list",
        "1571-1577, 1723-1727, 2409-2419",
        20,
        10,
        20,
        "Magic and psionics",
        "Price of the bare ability: 10 in chapter 10, 20 in chapters 9 and 12.",
    ),
    _word(
        "part-prices",
        "hyb-9-enhanced-stats",
        "1585-1589, 2427-2431",
        ("up", "down"),
        "Half and three-quarter prices",
        "How the price of one point is rounded.",
    ),
    _number(
        "single-spell-price",
        "hyb-12-mage-gift",
        "2429-2431",
        5,
        1,
        10,
        "Gift for one spell",
        "Price of a point for one spell; only fields are priced in print.",
    ),
    _word(
        "traits-from",
        "hyb-9-enhancement-principles",
        "1537, 2395",
        ("any pool", "skill pool"),
        "What pays for traits",
        "Whether gifts and trade-offs can be paid from any pool.",
    ),
    _ruling(
        "statistics-rise",
        "hyb-9-stat-costs",
        "1516, 1969",
        False,
        "Statistics rise in play",
        "Whether statistics can be bought after creation, for which no price is printed, at the price of creation.",
    ),
)

RULINGS = CHECKS + SKILLS + ENERGY + TIMING + FIGHTS + CREATION

CHAPTER_9: dict[str, SettingValue] = {
    "starting-skill-points": "10",
    "culture-skills": "chapter 9",
    "eidetic-bonus": 2,
    "traits-from": "skill pool",
}
CHAPTER_10: dict[str, SettingValue] = {
    "starting-skill-points": "10",
    "culture-skills": "chapter 10",
    "eidetic-bonus": 2,
    "ability-price": 10,
    "hairochan": "chapter 10",
    "female-modifiers": True,
}
CHAPTER_12: dict[str, SettingValue] = {"starting-skill-points": "100", "body-multipliers": False, "rank-names": "chapter 12"}

BOOK = Book(
    "hybrid",
    "rulewright.systems.hybrid",
    OPTIONS + RULINGS,
    presets={
        "by the book": {},
        "chapter 9": CHAPTER_9,
        "chapter 10": CHAPTER_10,
        "chapter 12 alone": CHAPTER_12,
        "all options": {option.name: True for option in OPTIONS if option.default is False},
    },
)
