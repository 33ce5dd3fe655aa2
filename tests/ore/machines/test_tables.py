"""The printed tables of vehicles, entered a second time (book lines 5538-5963)."""

from rulewright.systems.ore.machines import tables
from rulewright.systems.ore.settings import BOOK

PLAIN = BOOK.ruleset()


def test_the_table_of_sizes_line_5538():
    printed = {1: ("Personal", 1, 10), 2: ("Small", 10, 50), 3: ("Large", 50, 500), 4: ("Huge", 500, 1000), 5: ("Giant", 1000, 5000)}
    rows = tables.SIZES(PLAIN)
    assert {row.size: (row.name, row.least, row.most) for row in rows.values() if not row.compared} == printed
    assert (rows["6"].least, rows["6"].most, rows["6"].compared) == (5000, None, True)


def test_the_examples_of_sizes_that_are_no_ships_of_films_line_5557():
    rows = tables.EXAMPLES(PLAIN)
    assert rows["1"].examples == ("escape pod", "five-seater chopper", "sedan car", "shuttlecraft", "truck")
    assert rows["2"].examples == ("fighter jet", "starfighter", "tank", "yacht")
    assert rows["3"].examples == ("aircraft carrier", "airliner", "superliner")
    assert [rows[size].source for size in "456"] == ["stand-in"] * 3


def test_the_tables_of_speeds_line_5582():
    printed = {
        6: (500, 1250, 3500, (), 100, "Space fold"),
        5: (200, 400, 2250, (20,), 75, "Jump drive"),
        4: (150, 300, 1500, (15, 19), 50, "Hyper drive III"),
        3: (100, 200, 1000, (11, 14), 25, "Hyper drive II"),
        2: (50, 100, 250, (5, 10), 10, "Hyper drive"),
        1: (15, 25, 100, (1, 5), 0, "Warp speed"),
    }
    rows = tables.SPEEDS(PLAIN).values()
    assert {row.rating: (row.sea, row.land, row.air, row.relativistic, row.space, row.stellar) for row in rows} == printed


def test_the_accelerations_line_5619():
    rows = tables.ACCELERATIONS(PLAIN).values()
    assert [(row.least, row.most, row.rating) for row in rows] == [(10, 10, 2), (12, 12, 3), (14, 14, 3), (20, 30, 5)]


def test_the_ranks_of_modes_line_5683():
    rows = tables.RANKS(PLAIN)
    assert {name: row.rank for name, row in rows.items() if row.source == "book"} == {
        "sea": 1,
        "land": 2,
        "air": 3,
        "space": 4,
        "stellar": 5,
    }
    assert (rows["relativistic"].rank, rows["relativistic"].source) == (4, "ruling")


def test_the_subsidiary_statistics_line_5704():
    assert list(tables.SECONDARY(PLAIN)) == ["armour", "cargo", "crew", "firepower", "passengers", "sensors"]


def test_the_systems_line_5726():
    printed = ["access", "cargo", "cockpit", "communications", "controls", "engine", "environmental", "passenger", "power", "sensors"]
    rows = tables.SYSTEMS(PLAIN)
    assert [name for name in rows if name not in ("crew", "fuel")] == [*printed, "weapons"]
    examples = {name: row.examples[0] for name, row in rows.items()}
    assert examples["access"] == "door"
    assert examples["cockpit"] == "driver's seat"
    assert examples["engine"] == "thrusters"
    assert examples["weapons"] == "missiles"


def test_the_levels_of_damage_lines_5743_to_5759():
    assert {name: row.dice for name, row in tables.LEVELS(PLAIN).items()} == {"Undamaged": 0, "Blasted": -1, "Crippled": -2, "Destroyed": 0}


def test_the_typical_system_map_line_5766():
    printed = {
        10: "cockpit",
        9: "crew",
        8: "engine",
        7: "fuel",
        6: "sensors",
        5: "sensors",
        4: "weapons",
        3: "weapons",
        2: "cargo",
        1: "cargo",
    }
    rows = tables.SYSTEM_MAP(PLAIN).values()
    assert {row.height: row.systems[0] for row in rows} == printed
    assert {row.height: row.systems[1:] for row in rows if len(row.systems) > 1} == {2: ("passenger",), 1: ("passenger",)}


def test_the_damage_of_vehicle_weapons_line_5789():
    rows = tables.DAMAGE(PLAIN).values()
    assert {row.width: row.damage for row in rows if row.source == "book"} == {1: 1, 2: 2, 3: 4, 4: 6}


def test_the_three_ranges_line_5806():
    assert {name: row.weapons for name, row in tables.RANGES(PLAIN).items()} == {"VR": ("VR", "BVR"), "BVR": ("BVR",), "ER": ()}


def test_the_modifiers_of_fighters_line_5917():
    printed = {
        "fast": (1, "speed", 3, 4),
        "very fast": (2, "speed", 5, 1000),
        "powerful guns": (1, "guns", 1, 1),
        "very powerful guns": (2, "guns", 2, 2),
        "armour": (1, "armour", 1, 2),
        "heavy armour": (2, "armour", 3, 4),
        "super armour": (3, "armour", 5, 1000),
    }
    assert {name: (row.threat, row.of, row.least, row.most) for name, row in tables.FIGHTERS(PLAIN).items()} == printed


def test_the_examples_of_firepower_line_5957():
    assert [row.firepower for row in tables.FIREPOWER(PLAIN).values()] == [6, 10, 12, 15, 20]


def test_the_sixteen_actions_line_5856_with_their_rolls_and_what_counters_them():
    listed = (
        "attack", "bail out", "brake", "chase", "erratic manoeuvres", "escape", "evasive manoeuvres", "hover",
        "jink", "land", "lock-on", "position", "ram", "sideswipe", "swerve", "take-off",
    )  # fmt: skip
    rows = tables.ACTION_LIST(PLAIN)
    assert tuple(rows) == listed
    by_handling = {"brake", "hover", "land", "ram", "sideswipe", "take-off"}
    assert {name for name in by_handling if rows[name].roll == ("handling + skill",)} == by_handling
    assert rows["chase"].roll == rows["escape"].roll == ("speed + skill",)
    assert rows["position"].roll == ("speed + skill", "sensors + computers")
    assert rows["lock-on"].roll == ("sensors + gunnery",)
    assert rows["attack"].roll == ("handling + gunnery", "insight + gunnery", "firepower + gunnery")
    assert rows["erratic manoeuvres"].roll == ()
    countered = {name: row.countered_by for name, row in rows.items() if row.countered_by}
    assert countered == {"chase": ("escape",), "escape": ("chase",), "lock-on": ("evasive manoeuvres",)}
