"""What each game says about people: shared words only, tests that can be rolled, and the way through its own files."""

import pytest
from tests.conversion.conftest import GAMES, mean_values, person, written

from rulewright.build.portrait import ARMOUR, ATTRIBUTES, FIGHTING, SKILLS, WEAPONS, Portrait
from rulewright.conversion import chance, odds


@pytest.mark.parametrize("game", GAMES)
def test_ratings_use_the_shared_words(game, sides):
    ratings = sides[game].portrayal.ratings(sides[game].rules)
    assert len({rating.key for rating in ratings}) == len(ratings)
    for rating in ratings:
        words = ATTRIBUTES if rating.attribute else SKILLS
        assert set(rating.covers) <= set(words), rating
        assert rating.low <= rating.ordinary <= rating.high, rating
    covered = {ability for rating in ratings for ability in rating.covers}
    assert set(ATTRIBUTES) <= covered | {"appearance"}, "every attribute but looks is somewhere in every game"
    assert set(FIGHTING) <= set(SKILLS)


@pytest.mark.parametrize("game", GAMES)
def test_a_higher_rating_never_has_a_lower_chance(game, sides):
    side = sides[game]
    for rating in written(side):
        chances = [chance(side, rating, {**mean_values(side), rating.key: value}) for value in range(rating.low, rating.high + 1)]
        assert chances == sorted(chances), rating.name
        assert chances[0] < chances[-1], rating.name
        assert odds(side, rating, {**mean_values(side), rating.key: rating.ordinary}) == 0


@pytest.mark.parametrize("game", GAMES)
def test_items_are_of_known_kinds_and_of_the_game(game, sides):
    side = sides[game]
    weapons, armour = side.portrayal.weapons(side.rules), side.portrayal.armour(side.rules)
    assert {item.kind for item in weapons} <= set(WEAPONS)
    assert {item.kind for item in armour} <= set(ARMOUR)
    assert {"knife", "sword", "pistol", "rifle"} <= {item.kind for item in weapons}
    assert all(0 <= item.worth <= 1 for item in (*weapons, *armour))
    for item in weapons:  # the game's own audit knows the name
        made = side.portrayal.build(side.rules, Portrait("Somebody", weapons=(item.name,), player=False))
        assert not [problem for problem in side.system.audit(side.rules, made).problems if "there is no weapon" in problem.message]
    for item in armour:
        made = side.portrayal.build(side.rules, Portrait("Somebody", armour=(item.name,), player=False))
        assert not [problem for problem in side.system.audit(side.rules, made).problems if "there is no arm" in problem.message]


@pytest.mark.parametrize("game", GAMES)
def test_a_built_portrait_reads_the_same(game, sides):
    side = sides[game]
    for archetype in side.system.archetypes("character"):
        portrait = side.portrayal.read(side.rules, person(side, archetype))
        again = side.portrayal.read(side.rules, side.portrayal.build(side.rules, portrait))
        keys = {rating.key for rating in written(side)}
        expected = {key: value for key, value in portrait.ratings.items() if key in keys}
        assert {key: value for key, value in again.ratings.items() if key in expected} == expected, archetype
        assert again.name == portrait.name


def test_deadlier_weapons_fell_more_often(sides):
    """S.C.U.M.M. lines of the table of guns: Damage Multipliers 2, 3 and 5; ForeSight: damage classes 6 and 11."""
    scumm = {item.name: item.worth for item in sides["scumm"].portrayal.weapons(sides["scumm"].rules)}
    assert scumm[".22 revolver"] < scumm[".38 revolver"] < scumm[".45 revolver"]
    foresight = {item.name: item.worth for item in sides["foresight"].portrayal.weapons(sides["foresight"].rules)}
    assert foresight["Revolver (TL4.5)"] < foresight["Laser Pistol (TL8)"]
