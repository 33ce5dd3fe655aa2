"""The tables that the book refers to and does not print, every cell entered a second time: who changes one means to."""

from rulewright.rules import TableRow
from rulewright.systems.hybrid.gear.items import ARMOUR, SPELLS, WEAPONS
from rulewright.systems.hybrid.harm.treatment import HEALING
from rulewright.systems.hybrid.people.statistics import SIZES
from rulewright.systems.hybrid.people.traits import CAREERS
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()


def told(rows, *names):
    """The figures of a table, a line for each row, as they are written below."""
    return {key: " ".join(word(getattr(row, name)) for name in names) for key, row in rows.items()}


def word(value):
    if isinstance(value, bool):
        return "yes" if value else "-"
    if isinstance(value, tuple):
        return "/".join(f"{one:g}" for one in value) or "-"
    if isinstance(value, dict):
        return "/".join(f"{name}:{one:g}" for name, one in value.items()) or "-"
    return f"{value:g}"


def entered(lines):
    return {key.strip(): " ".join(figures.split()) for key, figures in (line.split("|") for line in lines.strip().splitlines())}


def test_every_weapon():
    assert told(WEAPONS(RULES), "length", "speed", "strike", "base", "dice", "range", "thrown", "shield") == entered("""
        fist           |   0  4 0.5  0 4     0 -   -
        kick           |   0  6 1    0 4     0 -   -
        knife          |  20  2 0.5  0 6     3 yes -
        dagger         |  35  2 1    0 6     3 yes -
        short sword    |  50  3 1    0 8     0 -   -
        sabre          |  90  4 1    0 10    0 -   -
        long sword     |  90  8 1.5  0 12    0 -   -
        hammer         |  90  8 2    0 10    0 -   -
        battle axe     | 100  9 2    0 12    3 yes -
        spear          | 200  9 1.5  0 10    5 yes -
        staff          | 200  5 1    0 8     0 -   -
        tonfa          |  50  3 1    0 6     0 -   -
        throwing knife |  20  3 0.5  0 6     3 -   -
        sling          | 100 12 0.5  0 8    10 -   -
        bow            | 150 14 1    0 10   15 -   -
        pistol         |  22  2 0   14 10    8 -   -
        rifle          | 110 10 0   24 12   40 -   -
        taser          |  20  3 0    4 6     3 -   -
        grenade        |  10  6 0   20 10/10 5 -   -
        shield         |  60  6 1    0 8     0 -   yes
    """)


def test_every_armour():
    assert told(ARMOUR(RULES), "stops", "agility") == entered("""
        leather coat   | crushing:2/cutting:3/piercing:2/explosive:1                        0
        chain shirt    | crushing:3/cutting:8/piercing:4/projectile:2/explosive:2          -1
        plate          | crushing:7/cutting:12/piercing:9/projectile:5/energy:2/explosive:5 -2
        helmet         | crushing:6/cutting:10/piercing:8/projectile:4/explosive:4          0
        ballistic vest | crushing:3/cutting:4/piercing:4/projectile:14/explosive:6          0
        reflec suit    | cutting:1/laser:15/energy:5                                        0
    """)
    assert {key: len(row.covers) for key, row in ARMOUR(RULES).items()} == {
        "leather coat": 6,
        "chain shirt": 3,
        "plate": 7,
        "helmet": 1,
        "ballistic vest": 2,
        "reflec suit": 7,
    }


def test_how_wounds_heal():
    assert told(HEALING(RULES), "df", "hours", "heals") == {"PBD": "-2 10 1", "MBD": "-2 10 1"}


def test_every_spell():
    names = ("df", "speed", "mft", "strike", "dice", "range", "mental", "armour", "lasts", "heals", "light")
    assert told(SPELLS(RULES), *names) == entered("""
        ward      | -5  20 4 0 -  0 -   6 600 0 -
        fire dart | -5  10 3 1 8 10 -   0   0 0 -
        mind stab | -5   8 4 1 6  0 yes 0   0 0 -
        light     |  2  10 1 0 -  0 -   0   0 0 yes
        mend      | -7 100 8 0 -  0 -   0   0 2 -
    """)


def test_every_career():
    assert told(CAREERS(RULES), "points", "money", "rolls") == entered("""
        Law Enforcement Officer | 8 3000 -2/0/-3
        Soldier                 | 8 2000 -3/-1/-2
        Student                 | 6  500 1/-4/-4
        Trader                  | 5 5000 0/0/-2
        Street Life             | 7  300 -1/-4/-4
    """)
    assert {key: row.ranks for key, row in CAREERS(RULES).items()} == {
        "Law Enforcement Officer": {"Sergeant": 3, "Lieutenant": 5, "Captain": 8, "Chief": 12},
        "Soldier": {"Corporal": 2, "Sergeant": 4, "Lieutenant": 6, "Captain": 9},
        "Student": {"Graduate": 3, "Scholar": 6},
        "Trader": {"Partner": 4, "Guild Member": 7},
        "Street Life": {"Known Face": 3, "Boss": 8},
    }


def test_every_height_and_weight():
    assert told(SIZES(RULES), "height", "height_variation", "weight", "weight_variation") == entered("""
        Human       | 172 20 70 25
        Kothan      | 180 20 82 25
        Thenean     | 168 18 64 20
        Hairochan   | 165 18 68 22
        Bitadar     | 176 15 60 15
        Kurrock     | 130 12 72 20
        Rupa Kechil | 168 20 66 22
    """)


def test_they_are_marked_as_ours():
    for table in (WEAPONS, ARMOUR, HEALING, SPELLS, CAREERS, SIZES):
        assert {row.source for row in RULES.rows(table.rule, TableRow).values()} == {"stand-in"}
