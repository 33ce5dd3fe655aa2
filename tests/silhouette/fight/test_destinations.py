"""Going anywhere in a fight of people: as far as the pace lets one go, in any direction, to cover too; the map shows it at once."""

import pytest

from rulewright.errors import UserError
from rulewright.library import stage
from rulewright.play import Choice, Roll, Seeded
from rulewright.scenes.encounter import Encounter


def asked_where(name):
    """A fight at the first question of where to go."""
    staged = stage(name)
    encounter, dice = Encounter.begin(staged.scene, staged.state), Seeded(2)
    for _ in range(60):
        at, request = encounter.open[0]
        if isinstance(request, Choice) and request.topic == "move":
            return staged, encounter, at, request
        encounter.give(dice.faces(request) if isinstance(request, Roll) else staged.decide(request), at)
    raise AssertionError("nobody was asked where to go")


def first_scenario():
    from rulewright.table.scenes import demos

    return next(f"silhouette/{name}" for name, each in demos.scenarios("silhouette").items() if each.scene == "fight")


def test_one_goes_in_any_direction_as_far_as_the_pace_allows_and_stands_there_at_once():
    _, encounter, at, request = asked_where(first_scenario())
    fighter = encounter.state.fighter(request.who)
    walk = next(band.most for band in request.where.bands() if band.pace == "walk")
    goal = (round(fighter.x, 2), round(fighter.y + walk - 0.1, 2))
    with pytest.raises(UserError, match="walking you get"):
        request.take(f"walk@{goal[0]},{goal[1] + 1}")
    encounter.give(f"walk@{goal[0]},{goal[1]}", at)
    moved = encounter.now.fighter(request.who)
    assert (moved.x, moved.y) == goal
    again = Encounter(encounter.scene, encounter.entries)
    assert again.now.fighter(request.who) == moved


def test_a_map_is_refused_where_the_scene_would_not_heed_it():
    with pytest.raises(UserError, match="does not know ground yet"):
        stage("silhouette/debate", changes={"map": {"walls": [{"along": [[100, 100], [110, 100]]}]}})
