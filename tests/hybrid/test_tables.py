"""Every printed table, cell by cell (book lines beside each)."""

import pytest

from rulewright.errors import UserError
from rulewright.rules import Figures, House, TableRow, row_types
from rulewright.systems.hybrid.combat.attacks import dodge_counts, dodge_phase, parry_modifier
from rulewright.systems.hybrid.combat.initiative import SPEEDS, UNITS
from rulewright.systems.hybrid.gear.items import SPELLS, WEAPONS
from rulewright.systems.hybrid.harm.damage import CALLED_SHOTS, DAMAGE_TYPES, LOCATIONS, SHOCK, Body, bleed, location_dice, shock_by
from rulewright.systems.hybrid.harm.energy import RESTS, USES, Energy, exert
from rulewright.systems.hybrid.people.characters import ALLOWANCES, CULTURES, GIVEN, PACKAGES, POOLS, THENEAN
from rulewright.systems.hybrid.people.gifts import presence_price, psi_gift_price
from rulewright.systems.hybrid.people.movement import PACES
from rulewright.systems.hybrid.people.perception import RESULTS, SITUATIONS, Watcher, passive_check
from rulewright.systems.hybrid.people.skills import (
    COMPONENTS,
    FAMILIES,
    KINDS,
    RAISING,
    RANKS,
    RELATIONS,
    SKILLS,
    TRAINING,
    TYPES,
    Ranks,
    Use,
    known,
    ranks_worth,
    unfamiliar_tool,
    use_factor,
)
from rulewright.systems.hybrid.people.statistics import FORMULAS, GENDERS, OTHER_RACES, PRIMARIES, RACES, SPEED, speed
from rulewright.systems.hybrid.people.statistics import USES as STAT_USES
from rulewright.systems.hybrid.people.ties import income
from rulewright.systems.hybrid.people.traits import DRAWBACKS, GIFTS, REACH, STAT_COSTS, VARIATIONS
from rulewright.systems.hybrid.resolution.modifiers import CONDITIONS, ENVIRONMENT, FLORENTINE, MOVING
from rulewright.systems.hybrid.resolution.tests import DEGREE_TABLE, SUBJECTIVE, SUCCESS_TABLE, TASKS
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()

# 325-385: difficulty factor, chance, five limits of success, five of failure
SUCCESS_CHANCE = """
-1 1 0 0 0 1 1 2 2 2 3 4
0 6 0 1 2 3 6 7 9 12 15 18
1 11 0 1 3 5 11 12 16 22 27 32
2 16 0 2 4 8 16 17 23 31 39 47
3 20 0 2 5 10 20 21 30 40 50 60
4 25 0 2 6 12 25 26 37 49 61 74
5 29 0 3 7 14 29 30 43 58 72 86
6 33 0 3 8 16 33 34 49 66 82 99
7 37 0 4 9 18 37 38 55 73 92 110
8 40 0 4 10 20 40 41 60 80 100 120
9 43 0 4 11 22 43 44 65 87 109 130
10 46 0 5 12 23 46 47 70 93 116 139
11 49 0 5 12 25 49 50 74 99 123 148
12 52 1 5 13 26 52 53 78 104 130 156
13 54 1 5 14 27 54 55 81 109 136 163
14 57 1 6 14 28 57 58 85 113 141 170
15 59 1 6 15 29 59 60 88 117 146 176
16 60 1 6 15 30 60 61 91 121 151 181
17 62 1 6 16 31 62 63 93 124 156 187
18 64 1 6 16 32 64 65 96 128 160 191
19 65 1 7 16 33 65 66 98 131 163 196
20 67 1 7 17 33 67 68 100 133 167 200
21 68 1 7 17 34 68 69 102 136 170 204
22 69 1 7 17 35 69 70 104 138 173 208
23 70 1 7 18 35 70 71 106 141 176 211
24 71 1 7 18 36 71 72 107 143 179 214
25 72 1 7 18 36 72 73 109 145 181 217
26 73 1 7 18 37 73 74 110 147 183 220
27 74 1 7 19 37 74 75 111 148 186 223
28 75 1 8 19 38 75 76 113 150 188 225
29 76 1 8 19 38 76 77 114 152 190 227
30 77 1 8 19 38 77 78 115 153 191 230
32 78 1 8 19 39 78 79 117 156 195 234
33 79 1 8 20 39 79 80 118 157 196 236
35 80 1 8 20 40 80 81 119 159 199 239
37 81 1 8 20 40 81 82 121 161 202 242
39 82 1 8 20 41 82 83 122 163 204 245
42 83 1 8 21 41 83 84 124 166 207 249
44 84 1 8 21 42 84 85 125 167 209 251
47 85 1 8 21 42 85 86 127 169 212 254
50 86 1 9 21 43 86 87 128 171 214 257
54 87 1 9 22 43 87 88 130 173 216 260
58 88 1 9 22 44 88 89 131 175 219 263
64 89 1 9 22 44 89 90 133 177 222 266
70 90 1 9 22 45 90 91 134 179 224 269
77 91 1 9 23 45 91 92 136 181 226 272
86 92 1 9 23 46 92 93 137 183 229 275
97 93 1 9 23 46 93 94 139 185 231 278
111 94 1 9 23 47 94 95 140 187 234 281
131 95 1 9 24 47 95 96 142 189 236 284
158 96 1 10 24 48 96 97 144 192 240 288
200 97 1 10 24 49 97 98 146 194 243 291
273 98 1 10 25 49 98 99 147 196 245 294
"""


@pytest.mark.parametrize("line", SUCCESS_CHANCE.strip().splitlines())
def test_the_success_table_is_the_printed_one(line):  # 325-385
    df, chance, *limits = map(int, line.split())
    row = SUCCESS_TABLE(RULES)[str(df)]
    assert (row.df, row.chance, [*row.success, *row.failure]) == (df, chance, limits)


def test_the_success_table_has_no_other_rows():
    assert len(SUCCESS_TABLE(RULES)) == len(SUCCESS_CHANCE.strip().splitlines()) == 53


def cells(table, *names):
    return {key: tuple(getattr(row, name) for name in names) for key, row in table(RULES).items()}


def test_degrees_and_their_effects():  # 525-536
    effects = [effect for (effect,) in cells(DEGREE_TABLE, "effect").values()]
    assert effects == [3, 2, 1.5, 1.25, 1, 0, -0.25, -0.75, -1, -2]
    assert [share for (share,) in cells(DEGREE_TABLE, "share").values()] == [0.01, 0.1, 0.25, 0.5, 1, 1, 1.5, 2, 2.5, 3]


def test_words_for_difficulty():  # 437-445
    assert [df for (df,) in cells(SUBJECTIVE, "df").values()] == [2, 0, -2, -5, -7, -10, -20]


def test_common_tasks():  # 451-454, 720-722
    assert cells(TASKS, "difficulty", "stat_base", "time", "skills") == {
        "judgement of quality": (2, (), 300, ("Perception", "Evaluate Worth")),
        "common action": (0, (), None, ()),
        "active physical perception": (0, ("PAW",), 8, ("General Perception", "Combat Perception")),
        "passive physical perception": (0, ("PAW",), 0, ("General Perception", "Combat Perception")),
    }


def test_conditions():  # 476-489, the two rows of 75 % repaired
    assert list(cells(CONDITIONS, "track", "lost", "exhausted", "physical", "mental", "awareness").values()) == [
        ("body", 0, True, -6, -3, -4),
        ("body", 25, False, -2, -1, 0),
        ("body", 50, False, -4, -2, 0),
        ("body", 75, False, -8, -4, 0),
        ("body", 90, False, -20, -20, 0),
        ("mind", 0, True, -3, -6, -4),
        ("mind", 25, False, -1, -2, 0),
        ("mind", 50, False, -2, -4, 0),
        ("mind", 75, False, -4, -8, 0),
        ("mind", 90, False, -20, -30, 0),
    ]


def test_moving_and_surroundings():  # 497-502, 508-515
    assert cells(MOVING, "physical", "mental") == {"jog": (-3, -1), "run": (-5, -2), "dash": (-7, -4), "vehicle": (-10, -3)}
    assert list(cells(ENVIRONMENT, "physical").values()) == [(-3,), (-4,), (-3,), (-4,)]


def test_what_the_print_lost_is_marked():  # 468-470, 653, 665, 830, 850
    assert list(cells(FLORENTINE, "primary", "secondary", "awareness", "source").values()) == [
        (-8, -10, -2, "stand-in"),
        (-4, -6, -2, "stand-in"),
        (-2, -4, -2, "stand-in"),
    ]
    lost = {key: row.df for key, row in SITUATIONS(RULES).items() if row.source == "stand-in"}
    assert list(lost.values()) == [-5, -3, -5, -4, -3, -3, 0, 3]
    assert SITUATIONS(RULES)["preset"].df == 4  # 842
    assert [(row.rank, row.factor) for row in RAISING(RULES).values()] == [(0, 2), (4, 3), (7, 4)] + [
        (rank, (rank + 1) // 2) for rank in range(9, 30, 2)
    ]
    assert {row.source for row in RAISING(RULES).values()} == {"stand-in"}
    assert cells(RELATIONS, "share", "source") == {
        "similar": ((2, 5), "stand-in"),
        "fairly different": ((1, 5), "book"),  # 667
        "far-fetched": ((1, 10), "stand-in"),
    }


def test_perception_results():  # 707-718
    assert list(cells(RESULTS, "detail", "timing_error", "wrong").values()) == [
        (300, 0, False),
        (200, 5, False),
        (150, 10, False),
        (125, 25, False),
        (100, 50, False),
        (25, 75, False),
        (0, None, False),
        (125, 175, True),
        (150, 200, True),
        (250, 300, True),
    ]


def test_ranks():  # 568-579, 1490-1500, 2295-2311
    assert cells(RANKS, "label", "chapter_12") == {
        "0": ("Familiar", "Familiar"),
        "1": ("Beginner", "Beginner"),
        "4": ("Dedicated Amateur", "Amateur"),
        "7": ("Solid Workaday Craftsman", "Solid Apprentice"),
        "11": ("Professional", "Journeyman"),
        "15": ("Expert", "Professional or Guild Master"),
        "19": ("Mastery", "Expert"),
        "23": ("Mastery", "True Master"),
        "26": ("Mystical Mastery", "Mystical Master"),
    }


def test_skill_types_and_components():  # 581-605, 617-634
    assert set(TYPES(RULES)) == {name for name, row in COMPONENTS(RULES).items() if row.group == "type"}
    assert cells(COMPONENTS, "cost", "df") == {
        "mental discipline": (3, -4),
        "art": (3, -2),
        "science": (7, 0),
        "engineering": (5, 0),
        "craft": (4, -1),
        "technical study": (4, 0),
        "physical discipline": (2, 0),
        "unassisted": (0, 0),
        "single assisted": (1, -1),
        "no tools": (0, 0),
        "simple tools": (1, -1),
        "complex tools": (2, -2),
    }
    assert COMPONENTS(RULES)["complex tools"].source == "stand-in"


def test_common_skill_families():  # 638-651
    assert [cost for (cost,) in cells(FAMILIES, "cost").values()] == [3, 3, 4, 2, 3, 4, 7, 7, 6]


def test_every_family_names_its_type_and_its_tools():  # 638-651
    assert list(cells(FAMILIES, "type", "tools").values()) == [
        ("mental discipline", "no tools"),
        ("mental discipline", "no tools"),
        ("mental discipline", "simple tools"),
        ("physical discipline", "no tools"),
        ("physical discipline", "simple tools"),
        ("physical discipline", "complex tools"),
        ("science", "no tools"),
        ("engineering", "complex tools"),
        ("technical study", "complex tools"),
    ]


@pytest.mark.parametrize(
    ("printed", "resulting"),
    [
        ((1, 2), 0),
        ((3, 3), 1),
        ((4, 5), 1),
        ((6, 8), 2),
        ((9, 11), 3),
        ((12, 15), 4),
        ((16, 19), 5),
        ((20, 24), 6),
        ((25, 29), 7),
        ((30, 34), 8),
        ((35, 35), 9),
        ((36, 39), 9),
        ((40, 45), 10),
    ],
)
def test_every_printed_row_of_speed(printed, resulting):  # 1424-1438, and with lost dashes 1868-1902, 2154-2194
    low, high = printed
    assert {speed(RULES, awareness).value for awareness in range(low, high + 1)} == {resulting}


def test_what_packages_and_the_older_sample_hold():  # 1508, 2379-2389, 1691-1699
    assert sorted(PACKAGES(RULES)["Terran Law Enforcement Officer"].skills) == [
        "Computer Ops",
        "Culture Lore: Terran LEO",
        "Data Analysis",
        "Interrogation",
        "Lore: Terran Law",
        "Streetwise",
        "Weapon: Pistol",
        "Weapon: Taser",
        "Weapon: Tonfa",
    ]
    assert sorted(PACKAGES(RULES)["Fighter"].skills) == ["Dagger", "Dodge", "Evasion", "Stealth", "Sword", "Unarmed Combat"]
    assert {name: row.points for name, row in THENEAN(RULES).items()} == {
        "Spoken Language: Thenean": 20,
        "Written Language: Thenean": 10,
        "Culture Lore: Thenean": 20,
        "Mathematics": 0,
        "Lore: Trade": 0,
        "Lore: Economics": 0,
        "Lore: Sailing": 0,
        "skill pool": 10,
    }


def test_the_words_of_perception_and_the_sizes_of_targets():  # 707-718, 936-942
    told = [row.identification for row in RESULTS(RULES).values()]
    assert told[:3] == ["complete understanding", "complete", "complete"]
    assert told[5:] == ["vague", "none", "inaccurate", "inaccurate", "wildly inaccurate"]
    sizes = {key: row.size for key, row in CALLED_SHOTS(RULES).items() if row.size}
    assert sizes == {"eye": "one square inch", "head": "one square foot"}
    assert list(ENVIRONMENT(RULES)) == ["visibility reduced 50%", "visibility reduced 75%", "gravity 50% off", "gravity 100% off"]
    assert list(SUBJECTIVE(RULES)) == [
        "trivial",
        "simple",
        "non-trivial",
        "difficult",
        "very difficult",
        "damned difficult",
        "nearly impossible",
    ]


def test_what_statistics_are_for():  # 1276-1286, 2052-2081
    assert {row.stat: len(row.uses) for row in STAT_USES(RULES).values()} == {
        "PST": 2,
        "PEN": 3,
        "DEX": 3,
        "PAG": 2,
        "PAW": 2,
        "MST": 3,
        "MEN": 3,
        "MAG": 2,
        "NRG": 2,
        "MAW": 1,
    }


def test_training():  # 657
    assert cells(TRAINING, "hours") == {"teacher": (10,), "partner": (20,), "alone": (30,)}


def test_energy():  # 736-752, 758-768
    assert cells(USES, "mind", "fatigue", "fatigue_seconds", "exhaustion", "exhaustion_seconds") == {
        "crawling": (False, 0, 60, 0, 3600),
        "walking": (False, 1, 60, 6, 3600),
        "jogging": (False, 0, 60, 1, 60),
        "running": (False, 0, 60, 6, 60),
        "dash": (False, 0, 60, 2, 1),
        "chopping wood": (False, 3, 60, 18, 3600),
        "studying": (True, 1, 60, 6, 3600),
        "spell research": (True, 3, 60, 18, 3600),
    }
    assert cells(RESTS, "fatigue", "fatigue_seconds", "exhaustion", "exhaustion_seconds", "at_once") == {
        "sitting": (1, 1, 2, 3600, 0),
        "resting": (1, 1, 5, 3600, 0),
        "sleeping": (1, 1, 10, 3600, 0),
        "large meal": (1, 1, 0, 3600, 6),
    }


def test_paces_and_time():  # 776-784, 309, 848
    assert [row.share for row in PACES(RULES).values()] == [(0, 1), (1, 16), (1, 8), (1, 4), (1, 2), (1, 1)]
    assert {unit: row.counts for unit, row in UNITS(RULES).items()} == {
        "count": 1,
        "pulse": 1,
        "second": 10,
        "minute": 10 * 60,
        "hour": 10 * 60 * 60,
        "day": 10 * 60 * 60 * 24,
    }
    assert {action: row.speed for action, row in SPEEDS(RULES).items() if row.source != "stand-in"} == {
        "simple": 10,
        "perception": 8,
        "get up from the ground": 30,
    }
    assert [row.speed for row in SPEEDS(RULES).values() if row.source == "stand-in"] == [15, 20, 10, 12, 26, 28, 10, 40, 10]


def test_called_shots():  # 936-942
    assert {key: df for key, (df,) in cells(CALLED_SHOTS, "df").items()} == {
        "eye": -18,
        "hand": -15,
        "head": -12,
        "leg": -9,
        "arm": -9,
        "chest": -6,
    }


@pytest.mark.parametrize(
    ("low", "high", "location"),
    [
        (1, 6, "Head"),
        (7, 30, "Chest"),
        (31, 48, "Abdomen"),
        (49, 56, "Groin"),
        (57, 72, "Upper Leg"),
        (73, 84, "Lower Leg"),
        (85, 86, "Foot"),
        (87, 92, "Upper Arm"),
        (93, 98, "Lower Arm"),
        (99, 100, "Hand"),
    ],
)
def test_hit_locations(low, high, location):  # 1006-1021
    dice = location_dice(RULES)
    assert {dice.read((roll,)) for roll in range(low, high + 1)} == {location}
    assert dice.weights()[location] == high - low + 1
    assert LOCATIONS(RULES)[location].upto == high
    assert LOCATIONS(RULES)[location].paired == location.endswith(("Leg", "Foot", "Arm", "Hand"))
    assert LOCATIONS(RULES)[location].shock == {"Head": -6, "Groin": -4}.get(location, 0)


def test_damage_types_and_what_follows_from_them():  # 1029-1050
    assert [key for key, row in DAMAGE_TYPES(RULES).items() if row.knockback] == ["crushing", "projectile"]
    assert [key for key, row in DAMAGE_TYPES(RULES).items() if row.always_knockback] == ["explosive"]
    assert [key for key, row in DAMAGE_TYPES(RULES).items() if row.bleeding] == ["cutting", "piercing"]
    assert [key for key, row in DAMAGE_TYPES(RULES).items() if row.shock] == ["energy"]
    assert len(DAMAGE_TYPES(RULES)) == 7


@pytest.mark.parametrize(
    ("failed_by", "effect", "df"),
    [(1, "jolted", -2), (24, "jolted", -2), (25, "stunned", -4), (49, "stunned", -4), (50, "badly stunned", -6), (75, "unconscious", None)],
)
def test_system_shock(failed_by, effect, df):  # 1058-1065
    row = shock_by(RULES, failed_by)
    assert (row.effect, row.df) == (effect, df)
    assert shock_by(RULES, 0) is None
    assert len(SHOCK(RULES)) == 4


def test_primary_statistics():  # 1288-1301, 1805-1818
    assert list(PRIMARIES(RULES)) == ["PST", "PEN", "DEX", "PAG", "PAW", "MST", "MEN", "MAG", "NRG", "MAW"]
    assert set(cells(PRIMARIES, "low", "high", "average").values()) == {(1, 30, 12)}


def test_formulas():  # 1363-1378, 2204-2218
    assert {key: row.formula for key, row in FORMULAS(RULES).items()} == {
        "PBD": "(PST + PEN) × race",
        "MBD": "(MST + MEN) × race",
        "PFT": "2 × PEN + PAG",
        "MFT": "2 × MEN + MAG",
        "PEX": "4 × PEN + PAG",
        "MEX": "4 × MEN + MAG",
        "PMV": "(PST + PAG) / 5 × race",
        "MMV": "(MST + MAG) / 5 × race",
        "ACC": "(PST + DEX) / 2",
        "FCS": "(MST + MAG) / 2",
        "PCA": "(PST + DEX + PAG) / 3",
        "MCA": "(MST + NRG + MAG) / 3",
        "PDF": "(PAG + DEX) / 2",
        "MDF": "(MAG + NRG) / 2",
    }


def test_speeds_by_awareness():  # 1424-1438
    assert [(row.low, row.speed) for row in SPEED(RULES).values()] == [
        (1, 0),
        (3, 1),
        (6, 2),
        (9, 3),
        (12, 4),
        (16, 5),
        (20, 6),
        (25, 7),
        (30, 8),
        (35, 9),
        (40, 10),
    ]


def test_prices_of_statistics():  # 1518-1533, 2323-2371
    prices = (
        "PST4 PEN3 DEX3 PAG5 PAW4 MST8 MEN6 MAG12 NRG10 MAW4 PBD2 PSE5 PFT1 PMV4 MBD2 MSE5 MFT2 MMV4 ACC2 PCA3 PDF2 FCS2 MCA3 MDF2 APP2"
    )
    assert {key: cost for key, (cost,) in cells(STAT_COSTS, "cost").items()} == {price[:3]: int(price[3:]) for price in prices.split()}


def test_races():  # 2482-2508
    assert cells(RACES, "mods", "male", "female", "times") == {
        "Human": ({}, {}, {}, {}),
        "Kothan": ({"PBD": 1, "MAG": -1}, {"APP": 2}, {"PCA": 1, "ACC": 1}, {}),
        "Thenean": ({"FCS": 2, "MEN": 1, "PBD": -2}, {}, {}, {}),
        "Hairochan": ({"PBD": 1, "MST": 1, "FCS": 1}, {}, {}, {"PMV": 0.8}),
        "Bitadar": ({}, {}, {}, {}),
        "Kurrock": ({"PST": 3, "MST": 1, "PEN": 3, "PBD": 2, "NRG": -2}, {}, {}, {"PMV": 0.4, "MMV": 0.6}),
        "Rupa Kechil": ({"NRG": -3}, {}, {}, {}),
    }
    assert {name for name, row in RACES(RULES).items() if row.by_gamemaster} == {"Bitadar", "Rupa Kechil"}


def test_what_chapter_10_says_of_race_and_gender():  # 1673-1681
    assert cells(OTHER_RACES, "chapter", "mods", "pools") == {"Hairochan": (10, {"MST": 2, "PST": 2}, {"wealth": -10})}
    assert cells(GENDERS, "mods") == {"female": ({"PST": -2, "PEN": 1, "MEN": 1},)}


def test_filter_skills():  # 685
    named = "0-g Maneuver,Tech Level Lore,Culture Lore,Mounted Combat,Vehicular Combat,Armor Wearing,Computer Ops"
    ours = "Movement"
    assert {name for name, row in SKILLS(RULES).items() if row.filter} == {*named.split(","), ours}


def test_what_is_reckoned_to_a_tenth():  # the two that are divided by five, 1339, 1353
    assert {key for key, row in FORMULAS(RULES).items() if row.decimals} == {"PMV", "MMV"}
    assert {row.decimals for row in FORMULAS(RULES).values()} == {0, 1}


def test_cultures():  # 2510-2549
    taught = {key: sorted(row.skills) for key, row in CULTURES(RULES).items()}
    assert taught == {
        "Merovan": ["Haggling", "Lore: Chivalry", "Lore: Heraldry", "Lore: Lord and the Lady"],
        "Vairan": ["Climbing", "Lore: Megafauna", "Melee: Staff", "Missile: Sling", "Tracking"],
        "Kothan": ["First Aid", "Lore: Herbs", "Lore: Megafauna", "Lore: TDor and Sif", "Melee: Spear", "Tracking"],
        "Bitadar": [],
        "Thenean": ["Haggling", "Lore: Magic", "Lore: Ships and Sailing", "Lore: Weather", "Tying Knots"],
        "Kurrock": ["Lore: Forge", "Lore: Mikan", "Lore: Mining", "Lore: Stone", "Melee: Hammer"],
        "Hairochan": ["Grounding", "Lore: Herbs", "Lore: Source of All", "Meditation", "Melee: Staff"],
        "Rupa Kechil": ["Lore: Herbs", "Lore: Woods", "Running", "Stealth", "Tracking"],
        "Kalifane": ["Lore: Horses", "Lore: Lord and Lady", "Melee: Dagger"],
    }
    assert {key for key, row in CULTURES(RULES).items() if row.by_gamemaster} == {"Bitadar"}
    assert [row.rank for row in GIVEN(RULES).values()] == [20, 10, 7]  # 2278-2285
    assert [row.points for row in ALLOWANCES(RULES).values()] == [20, 20, 20, 20, 15]  # 1452-1456
    assert [row.points for row in THENEAN(RULES).values() if not row.template] == [20, 10, 20, 10]  # 1691-1699
    assert [key for key, row in THENEAN(RULES).items() if row.pool] == ["skill pool"]


def test_packages_and_gifts():  # 1506-1512, 2379-2391, 1553-1577, 2397-2419
    assert {key: (row.cost, len(row.skills)) for key, row in PACKAGES(RULES).items()} == {
        "Terran Law Enforcement Officer": (5, 9),
        "Fighter": (4, 6),
    }
    assert {key: df for key, (df,) in cells(GIFTS, "df").items() if df} == {"Eidetic Memory": 3}  # 2399; line 1559 has 2: a setting
    assert {key: cost for key, (cost,) in cells(GIFTS, "cost").items()} == {
        "Ambidexterity": 10,
        "Eidetic Memory": 12,
        "Photographic Memory": 12,
        "Lightning Calculator": 5,
        "Active PSI": 20,
        "Mage Ability": 20,
        "Ley Walker": 10,
    }
    assert DRAWBACKS(RULES)["Albino"].gives == 15  # 1711


def test_scope_and_depth():  # 1603-1628, 2443-2466
    scopes = "1 2-10 11-100 101-1000 1001-10000 10001-100000 100001-1000000"
    assert [row.name for row in REACH(RULES).values() if row.group == "scope"] == scopes.split()
    assert [row.cost for row in REACH(RULES).values() if row.group == "scope"] == [1, 2, 4, 8, 16, 32, 64]
    assert [row.people for row in REACH(RULES).values() if row.group == "scope"] == [10**power for power in range(7)]
    assert [(row.df, row.cost) for row in REACH(RULES).values() if row.group == "depth"] == [
        (1, 1),
        (2, 2),
        (4, 4),
        (6, 8),
        (8, 10),
        (12, 20),
    ]


def test_variations_and_pools_name_settings_that_exist():  # 2003, 1655-1665
    for row in (*VARIATIONS(RULES).values(), *POOLS(RULES).values()):
        assert not row.setting or row.setting in BOOK.settings


# --- the data as a whole --------------------------------------------------------------------------------------------------------


def test_every_table_has_a_row_type_and_every_row_fits_it():
    BOOK.load()
    for rule_id in BOOK.tables():
        assert rule_id in row_types, rule_id
        assert RULES.rows(rule_id, row_types[rule_id])


def test_the_index_holds_every_table_and_every_rule():
    listed = BOOK.index()
    assert len([rule_id for rule_id in listed if not rule_id.startswith("hyb-x-")]) == 106
    assert {info.id for info in BOOK.rules()} <= set(listed)
    assert all(entry.text for entry in listed.values())


def test_every_setting_names_a_rule_of_the_index():
    for setting in BOOK.settings.values():
        assert setting.rule in BOOK.index(), setting.name


def test_every_preset_makes_a_ruleset():
    assert len({BOOK.ruleset(preset).digest for preset in BOOK.presets}) == len(BOOK.presets)


@pytest.mark.parametrize("table", [CULTURES, PACKAGES])
def test_every_skill_that_a_table_names_is_known(table):
    named = {skill for row in table(RULES).values() for skill in row.skills}
    assert {skill for skill in named if known(RULES, skill) is None} == set()


def test_every_weapon_and_every_field_of_magic_has_a_skill():
    for row in WEAPONS(RULES).values():
        assert known(RULES, row.skill) is not None, row.weapon
    assert all(known(RULES, f"Magic: {row.field}") is not None for row in SPELLS(RULES).values())


def test_every_family_of_a_skill_exists():
    assert {row.family for row in SKILLS(RULES).values()} <= set(FAMILIES(RULES))
    assert issubclass(row_types["hyb-3-skill-format"], TableRow)


FIGURES = {
    "hyb-7-initiative": {"base": 8, "perception failed": 5},  # 820-830
    "hyb-7-setup": {"percent": 20, "percent a rank": 2, "few minutes": 10},  # 876-878; the last a ruling
    "hyb-8-closing": {"fend and give way": 6},  # 906
    "hyb-8-advance": {"modifier": 4},  # 924
    "hyb-8-indirect-fire": {"modifier": -2},  # 928
    "hyb-8-disarm": {"modifier": -4},  # 946
    "hyb-8-spinning": {"modifier": -2, "tenths of damage and time": 15},  # 950-954
    "hyb-8-feint": {"modifier": -6},  # 968
    "hyb-8-throw": {"modifier": -5, "times the strike value": 2},  # 986-990
    "hyb-8-grapple": {"hand hold": 5},  # 996
    "hyb-8-hold": {"most times the strength": 5},  # 1000
    "hyb-8-retreat": {"modifier": 6},  # 1081
    "hyb-8-evasion": {"times the defense": 2, "dodge from it": 3},  # 1087-1089
    "hyb-8-dodge": {"counts to start": 5, "counts of leap": 10, "counts of recovery": 5, "times at the start": 2, "times in the leap": 3},
    "hyb-8-drop-prone": {"counts": 5, "times while dropping": 3, "part of it once down": 2, "counts to get up": 30},  # 1107-1111
    "hyb-8-crouch": {"counts": 5, "times the defense": 2},  # 1115-1119
    "hyb-8-parry": {"melee": -3, "thrown": -5, "projectile": -30, "energy": -40},  # 1123
    "hyb-8-parry-side-effects": {"bound below": 5, "off balance above": 25},  # 1127-1129
    "hyb-8-block": {"modifier": -2},  # 1133
    "hyb-2-unranked": {"modifier": -15},  # 462
    "hyb-3-unfamiliar-tools": {"modifier": -2, "growing familiar": -3},  # 671
    "hyb-4-passive-perception": {"percent of the chance": 25},  # 701, 722
    "hyb-5-fatigue-exhaustion": {"fatigue for a point of exhaustion": 10},  # 730
    "hyb-8-knockback": {"modifier": -2},  # 1046
    "hyb-8-bleeding": {"modifier": -3, "counts": 20},  # 1050
    "hyb-8-roll-with-blow": {"against shock": 5},  # 1139
    "hyb-9-appearance": {"usual": 5},  # 1406
    "hyb-9-enhanced-stats": {"percent of the price": 50},  # 1581
    "hyb-9-psi-gift": {"percent of the price, broad": 75, "percent of the price, specific": 50},  # 1587
    "hyb-12-mage-gift": {"percent of the price, broad": 75},  # 2431
    "hyb-9-presence": {"price of a step": 2},  # 1593
    "hyb-9-environmental-uses": {"income is a part of": 3},  # 1634
}


@pytest.mark.parametrize("rule", FIGURES)
def test_the_single_figures(rule):
    assert {name: row.value for name, row in Figures(rule)(RULES).items()} == FIGURES[rule]


def test_house_rules_change_single_figures_and_the_rules_follow():
    tables = {"hyb-8-parry": {"melee": {"value": -1}}, "hyb-8-dodge": {"counts of leap": {"value": 20}}}
    mild = BOOK.ruleset(house=House(tables=tables))
    assert (parry_modifier(mild).value, parry_modifier(RULES).value) == (-1, -3)
    assert (dodge_counts(mild), dodge_counts(RULES)) == (30, 20)
    assert (dodge_phase(mild, 20), dodge_phase(RULES, 20)) == ("dodge: leap", "dodge: recovery")


def test_what_a_rank_of_each_kind_of_skill_counts_for():  # 679
    assert {row.kind: (row.share, row.percent) for row in KINDS(RULES).values()} == {
        "specific": ((1, 1), 4),
        "general": ((1, 4), 1),
        "support": ((1, 2), 2),
    }


def _bled(rules):
    return bleed(rules, Body("Al", bleeding=(0,)), 0, 40).energy.fatigue


HOUSE_FIGURES = {
    "unranked": ({"hyb-2-unranked": {"modifier": {"value": -5}}}, lambda rules: use_factor(rules, Use(ranks=Ranks(None))).value, 7, -3),
    "ranks": ({"hyb-3-general-support-skills": {"general": {"share": [1, 2]}}}, lambda rules: ranks_worth(rules, Ranks(4, 8)).value, 8, 6),
    "tools": ({"hyb-3-unfamiliar-tools": {"modifier": {"value": -4}}}, lambda rules: unfamiliar_tool(rules).value, -4, -2),
    "in passing": (
        {"hyb-4-passive-perception": {"percent of the chance": {"value": 50}}},
        lambda rules: passive_check(rules, Watcher(12)).share,
        (1, 2),
        (1, 4),
    ),
    "effort": (
        {"hyb-5-fatigue-exhaustion": {"fatigue for a point of exhaustion": {"value": 5}}},
        lambda rules: exert(rules, Energy(20, 20, 20, 20), 10).exhaustion,
        18,
        19,
    ),
    "bleeding": (
        {"hyb-8-bleeding": {"counts": {"value": 10}}},
        lambda rules: bleed(rules, Body("Al", bleeding=(0,)), 0, 40).energy.fatigue,
        32,
        34,
    ),
    "presence": ({"hyb-9-presence": {"price of a step": {"value": 3}}}, lambda rules: presence_price(rules, -2).value, 6, 4),
    "psi gift": ({"hyb-9-psi-gift": {"percent of the price, broad": {"value": 100}}}, lambda rules: psi_gift_price(rules).value, 10, 8),
    "income": (
        {"hyb-9-environmental-uses": {"income is a part of": {"value": 2}}},
        lambda rules: income(rules, 1, "very high").value,
        10.5,
        7,
    ),
}


@pytest.mark.parametrize("name", HOUSE_FIGURES)
def test_house_rules_change_figures_of_people_and_harm(name):
    tables, asked, changed, printed = HOUSE_FIGURES[name]
    assert (asked(BOOK.ruleset(house=House(tables=tables))), asked(RULES)) == (changed, printed)


def test_a_figure_that_cannot_be_reckoned_with_is_refused():
    never = BOOK.ruleset(house=House(tables={"hyb-8-bleeding": {"counts": {"value": 0}}}))
    with pytest.raises(UserError, match="'counts' of hyb-8-bleeding is 0, but must be at least 1"):
        _bled(never)
