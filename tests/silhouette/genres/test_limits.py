"""Both sides of what a genre allows (book lines 7042-7397)."""

import pytest

from rulewright.systems.silhouette.genres.profiles import IDS, genre_problems
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.people.genre_profiles import PROFILES
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.settings import BOOK

GENRES = [(genre, PROFILES[genre].get(BOOK.ruleset(), genre)) for genre in IDS]


def found(genre, **made):
    rules = BOOK.ruleset(f"genre: {genre}")
    return {problem.field: problem for problem in genre_problems(rules, Character("Ann", flaws=(Trait("quirk"),), **made))}


@pytest.mark.parametrize(("genre", "row"), GENRES, ids=list(IDS))
def test_complexity_and_sciences_go_up_to_their_limit_and_no_farther(genre, row):
    for field, limit, skill in (("complexity", row.complexity, "melee"), ("skills", row.science, "medicine")):
        if limit is None:
            assert f"{field}.{skill}" not in found(genre, **{field: {skill: 9}})
            continue
        assert f"{field}.{skill}" not in found(genre, **{field: {skill: limit}})
        for beyond in (1, 2):
            problem = found(genre, **{field: {skill: limit + beyond}})[f"{field}.{skill}"]
            assert (problem.over, problem.repair.value[skill]) == (beyond, limit)


@pytest.mark.parametrize(("genre", "row"), GENRES, ids=list(IDS))
def test_what_nobody_has_is_barred_from_the_first_level_on(genre, row):
    for skill in row.barred:
        assert f"skills.{skill}" not in found(genre, skills={skill: 0})
        problem = found(genre, skills={skill: 2, "riding": 1})[f"skills.{skill}"]
        assert (problem.over, problem.repair.value) == (2, {"riding": 1})


@pytest.mark.parametrize(("genre", "row"), GENRES, ids=list(IDS))
def test_property_goes_up_to_its_points_and_wealth_only_where_there_is_any(genre, row):
    wealthy = found(genre, perks=(Trait("wealthy", variant="non-renewable", rating=1),))
    assert ("perks.0" in wealthy) is not row.wealth
    for points in range(1, 8):
        told = found(genre, perks=(Trait("property", points=points),)).get("perks.0")
        over = row.property is not None and points > row.property
        noble = row.noble_property is not None and points > row.noble_property
        assert (told is not None and not told.warning) is over
        if not over:
            assert (told is not None) is noble
