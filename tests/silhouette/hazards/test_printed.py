"""The printed tables of the hazards, entered a second time from the book."""

import pytest

from rulewright.systems.silhouette.hazards.addiction import HABITS
from rulewright.systems.silhouette.hazards.atmosphere import AREAS, LOSS
from rulewright.systems.silhouette.hazards.disease import ILLNESSES
from rulewright.systems.silhouette.hazards.drugs import DRUGS
from rulewright.systems.silhouette.hazards.electricity import SOURCES
from rulewright.systems.silhouette.hazards.fire import FLAMES, FLAMMABLE, FUELS
from rulewright.systems.silhouette.hazards.radiation import IRRADIATION, RAD_SOURCES
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
TURN, HOUR, DAY = 6, 3600, 86400
YEAR = 365 * DAY


def test_pressurized_places_have_the_armor_and_volume_of_lines_5539_to_5544():
    found = {row.location: (row.wall, row.door, row.bulkhead, row.volume) for row in AREAS(PLAIN).values()}
    assert found == {
        "airlock": (15, 15, 20, 20),
        "room": (15, 10, 25, 200),
        "hangar": (20, 20, 40, 5000),
        "station": (500, 350, 1000, 4 * 10**11),
    }


def test_holes_empty_places_in_the_times_of_lines_5548_to_5554():
    found = {row.hole: (row.square_cm, row.airlock, row.room, row.hangar, row.colony) for row in LOSS(PLAIN).values()}
    assert found == {
        "leak": (1, DAY, 4 * DAY, 12 * DAY, 300 * YEAR),
        "fist": (100, 2 * TURN, 8 * TURN, 24 * TURN, 100 * YEAR),
        "man": (100**2, TURN, 4 * TURN, 12 * TURN, 20 * YEAR),
        "vehicle": (100 * 100**2, 0, 2 * TURN, 8 * TURN, DAY),
        "ship": (1000 * 100**2, 0, 0, TURN, HOUR),
    }


def test_drugs_are_those_of_lines_5603_to_5613():
    found = {row.name: (row.potency, set(row.effects), row.onset) for row in DRUGS(PLAIN).values()}
    assert found == {
        "alcohol": (6, {"sedative", "euphoric", "analgesic"}, 15),
        "pcp": (12, {"hallucinogen", "stimulant", "analgesic"}, 30),
        "cannabis": (6, {"euphoric"}, 2),
        "barbiturates": (10, {"sedative", "euphoric"}, 20),
    }


def test_habits_are_those_of_lines_5653_to_5657():
    found = {row.drug: (row.dependence, row.psyche_threshold, row.addiction, row.health_threshold) for row in HABITS(PLAIN).values()}
    assert found == {"alcohol": (5, 3, 8, 3), "pcp": (3, 3, 7, 5), "cannabis": (4, 4, None, None), "barbiturates": (6, 5, 7, 7)}
    alcohol, cannabis, barbiturates, pcp = [HABITS(PLAIN)[name] for name in ("alcohol", "cannabis", "barbiturates", "pcp")]
    assert (alcohol.dependence_daily, alcohol.dependence_weekly) == ((2 * 7, 4 * 7), (2 * 365, 4 * 365))
    assert (alcohol.addiction_daily, alcohol.addiction_weekly) == ((3 * 7, 6 * 7), (3 * 365, 6 * 365))
    assert (cannabis.dependence_daily, cannabis.dependence_weekly) == ((3 * 7, 6 * 7), (2 * 365, 4 * 365))
    assert (barbiturates.dependence_daily, barbiturates.dependence_weekly) == ((7, 2 * 7), (4 * 30, 8 * 30))
    assert (barbiturates.addiction_daily, barbiturates.addiction_weekly) == ((2 * 7, 4 * 7), (4 * 30, 8 * 30))
    assert (pcp.dependence_uses, pcp.addiction_uses) == ((5, 10), (10, 20))
    assert (pcp.dependence_daily, pcp.addiction_daily, cannabis.addiction_daily) == (None, None, None)


def test_the_sample_illness_is_that_of_lines_5674_to_5684():
    row = ILLNESSES(PLAIN)["mutant influenza"]
    assert (row.contagion, row.onset_days, row.virulence) == (9, 7, 9)
    assert (row.sniffles, row.mild, row.severe, row.fumble_days) == (4, 4, 8, 7)


def test_electricity_is_as_strong_as_lines_5688_to_5697_say():
    assert [row.intensity for row in SOURCES(PLAIN).values()] == [1, 3, 5, 7, 10, 20, 25, 50, 100]


@pytest.mark.parametrize(
    ("intensity", "flames"),
    [
        (1, {"candle", "match", "lighter"}),
        (2, {"kindling", "oil lamp", "gas light"}),
        (3, {"gas range", "torch"}),
        (5, {"flare", "campfire", "acetylene torch", "bunsen burner"}),
        (7, {"incendiary grenade", "bonfire", "napalm"}),
        (10, {"chemical fire", "inferno"}),
        (20, {"fuel-air grenade", "edge of a nuclear strike"}),
        (100, {"near a nuclear strike", "reactor meltdown"}),
        (1000, {"ground zero of a nuclear strike"}),
    ],
)
def test_fires_are_as_hot_as_lines_5719_to_5730_say(intensity, flames):
    assert {row.flame for row in FLAMES(PLAIN).values() if row.intensity == intensity} == flames


def test_only_nuclear_fires_are_heat_alone():
    assert {row.flame for row in FLAMES(PLAIN).values() if row.heat_only} == {
        "edge of a nuclear strike",
        "near a nuclear strike",
        "reactor meltdown",
        "ground zero of a nuclear strike",
    }


@pytest.mark.parametrize(
    ("flammability", "things"),
    [
        (1, {"methane", "propane", "hydrogen", "natural gas"}),
        (3, {"gasoline vapours"}),
        (4, {"pitch", "crude oil", "paper"}),
        (6, {"normal clothing", "rugs", "upholstery"}),
        (7, {"dry firewood"}),
        (8, {"hair", "fur"}),
        (9, {"fresh or treated wood", "leather", "most plastics"}),
        (12, {"magnesium flare"}),
        (15, {"fire-retardant clothing"}),
        (50, {"concrete", "steel"}),
    ],
)
def test_things_burn_as_easily_as_lines_5760_to_5774_say(flammability, things):
    assert {row.object for row in FLAMMABLE(PLAIN).values() if row.flammability == flammability} == things


def test_what_burns_on_people_has_the_intensities_of_line_5750():
    assert {row.fuel: row.intensity for row in FUELS(PLAIN).values()} == {
        "light clothes": 4,
        "medium clothes": 5,
        "heavy clothes": 6,
        "human hair": 5,
        "animal fur": 6,
    }


def test_sources_of_radiation_give_what_lines_5842_to_5855_say():
    found = {row.radiates: row.burst if row.per_hour is None else row.per_hour for row in RAD_SOURCES(PLAIN).values()}
    assert found == {
        "1-kiloton air burst at 1 km": 100,
        "1-megaton air burst at 2 km": 6000,
        "1-megaton air burst at 10 km": 500,
        "1-megaton air burst at 25 km": 100,
        "neutron bomb air burst at 3 km": 500,
        "fallout after 1 hour": (5 * 60, 5 * 60),
        "fallout after 2 hours": (2 * 60, 2 * 60),
        "fallout after 6 hours": (30, 30),
        "fallout after 1 day": (7, 7),
        "reactor meltdown": (5 * 60, 50 * 60),
        "solar flare": (60, 30 * 60),
        "cosmic background": (0.005, 0.005),
    }


def test_irradiation_has_the_thresholds_and_fumbles_of_lines_5864_to_5878():
    rows = sorted(IRRADIATION(PLAIN).values(), key=lambda row: row.rads)
    assert [row.rads for row in rows] == [50, *range(100, 1101, 100)]
    assert [row.threshold for row in rows] == list(range(6, 18))
    assert [row.fumble for row in rows] == ["none"] + ["flesh"] * 4 + ["deep"] * 4 + ["deep and flesh"] * 2 + ["death"]
